"""Counts every dealer's hand and every player's hand on one board.

The sweep passes the pairs from the weakest on this board to the strongest. It counts the dealer's hands that are beaten
so far by the given cards that they contain: none, one, two, or three. At each pair that a player can have, the dealer's
hands that avoid the player's four cards follow by inclusion and exclusion, for all other two cards of the player.

A given card is one specific copy. All counts are in sixths (TS-1).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.lookup_tables import LookupTables
from cardroom.hands.strength import board_strength, board_sums
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES, HouseWayTable

_ABOVE: Final = np.int16(np.iinfo(np.int16).max)
_ALL: Final = np.int32(SHARES)
_NOTHING: Final = np.int32(0)


class PairTables(NamedTuple):
    """The shoe's cards and pairs as lookup tables for the kernels."""

    codes: NDArray[np.int64]
    pairs: NDArray[np.uint8]
    pair_numbers: NDArray[np.uint16]
    pair_exchanges: NDArray[np.uint16]
    """By order of the suits: the pair that each pair becomes."""
    card_exchanges: NDArray[np.uint8]
    """By order of the suits: the card that each card becomes."""
    copies: int


class BeatenHands(NamedTuple):
    """The dealer's hands beaten so far, by the given cards that they contain."""

    total: NDArray[np.int64]
    by_card: NDArray[np.int32]
    by_pair: NDArray[np.int32]
    """By pair."""
    by_three: NDArray[np.int16]
    """By card and pair; three cards have an entry for each such division."""


@kernel
def new_beaten_hands(kinds: int, count: int) -> BeatenHands:
    return BeatenHands(
        np.zeros(1, np.int64), np.zeros(kinds, np.int32), np.zeros(count, np.int32), np.zeros((kinds, count), np.int16)
    )


@kernel
def pair_strengths(board: NDArray[Any], s: PairTables, t: LookupTables) -> NDArray[np.int64]:
    """The strength of each pair with the board."""
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    codes, pairs = s.codes, s.pairs
    sums = board_sums(codes[board[0]], codes[board[1]], codes[board[2]], codes[board[3]], codes[board[4]], keys)
    strengths = np.empty(len(pairs), np.int64)
    for pair in range(len(pairs)):
        first_code, second_code = codes[pairs[pair, 0]], codes[pairs[pair, 1]]
        strengths[pair] = board_strength(first_code, second_code, sums, keys, unsuited, suited, rows, shift, mask)
    return strengths


@kernel
def _levels(board: NDArray[np.uint8], s: PairTables, t: LookupTables, levels: NDArray[np.int16]) -> NDArray[np.int64]:
    """The levels of all pairs on the board from the weakest up, and the pairs in that order. One more level is above
    them all."""
    strengths = pair_strengths(board, s, t)
    order = np.argsort(strengths)
    level = -1
    before = -1
    for pair in order:
        if strengths[pair] != before:
            level += 1
            before = strengths[pair]
        levels[pair] = level
    levels[len(strengths)] = _ABOVE
    return order


@kernel
def _add_three(
    by_three: NDArray[np.int16], pair_numbers: NDArray[np.uint16], a: int, b: int, c: int, count: int
) -> None:
    """Count hands with three given cards, in every entry that is read later."""
    by_three[a, pair_numbers[b, c]] += count
    if b != a:
        by_three[b, pair_numbers[a, c]] += count
    if c != a and c != b:
        by_three[c, pair_numbers[a, b]] += count


@kernel
def _partners(pair: int, board: NDArray[np.uint8], k: HouseWayTable, partners: NDArray[np.int32]) -> None:
    """The ways of the last card of hands that keep the pair beside a given card, by given card."""
    full = k.partners[pair]
    for card in range(len(partners)):
        partners[card] = full[card]
    for board_card in board:
        beside = k.share_by_cards[pair, board_card]
        for card in range(len(partners)):
            partners[card] -= beside[card]


@kernel
def _pass_partial(
    pair: int, remaining: NDArray[np.int32], partners: NDArray[np.int32], s: PairTables, beaten: BeatenHands
) -> tuple[int, int, int]:
    """Count hands that keep the pair, with none, one, or two given cards, and those with three of which two are the
    pair. Returns the number of ways of the pair, and of each of its cards if the other is given."""
    pair_numbers, by_card, by_pair, by_three = s.pair_numbers, beaten.by_card, beaten.by_pair, beaten.by_three
    first, second = s.pairs[pair, 0], s.pairs[pair, 1]
    same = int(first == second)
    # If one card of the pair is given, the other can be any copy that is left.
    firsts, seconds = int(remaining[first]) - same, int(remaining[second]) - same
    both = (firsts + 1) * firsts // 2 if same else firsts * seconds
    others = 0
    for card in range(len(remaining)):
        others += remaining[card] * partners[card]
    # Each two of the other cards were counted from either side, and the pair's own cards are gone.
    others = (others - partners[first] - partners[second]) // 2
    beaten.total[0] += np.int64(both) * others
    by_pair[pair] += others
    by_card[first] += seconds * others
    if not same:
        by_card[second] += firsts * others
    for card in range(len(remaining)):
        by_card[card] += both * partners[card]
    # If the given card beside the pair equals a card of the pair, one copy fewer is left for the pair.
    by_card[first] -= seconds * partners[first]
    if not same:
        by_card[second] -= firsts * partners[second]
    at_first, at_second = pair_numbers[first], pair_numbers[second]
    for card in range(len(remaining)):
        count = int(partners[card])
        if count == 0:
            continue
        is_first, is_second = int(card == first), int(card == second)
        # Of two copies of a card, either can be the one in the pair.
        by_pair[at_first[card]] += (1 + is_first) * (seconds - is_second) * count
        if not same:
            by_pair[at_second[card]] += (1 + is_second) * (firsts - is_first) * count
        _add_three(by_three, pair_numbers, first, second, card, (1 + is_first + is_second) * count)
    return both, firsts, seconds


@kernel
def _scale(target: NDArray[np.int32], share: NDArray[np.uint8], times: np.int32) -> None:
    for at in range(len(target)):
        target[at] += times * np.int32(share[at])


@kernel
def _scale_short(target: NDArray[np.int16], share: NDArray[np.uint8], times: np.int16) -> None:
    for at in range(len(target)):
        target[at] += np.int16(times * np.int16(share[at]))


@kernel
def _pass(
    pair: int,
    remaining: NDArray[np.int32],
    partners: NDArray[np.int32],
    s: PairTables,
    k: HouseWayTable,
    beaten: BeatenHands,
) -> None:
    """Pass a pair: the dealer's hands that keep it are beaten from here on. ``remaining`` has the copies that the board
    leaves."""
    both, firsts, seconds = _pass_partial(pair, remaining, partners, s, beaten)
    pair_numbers, by_pair, by_three = s.pair_numbers, beaten.by_pair, beaten.by_three
    first, second = s.pairs[pair, 0], s.pairs[pair, 1]
    start, end = k.starts[pair], k.starts[pair + 1]
    if first == second:
        for at in range(start, end):
            a, b, share = k.first_cards[at], k.second_cards[at], int(k.shares[at])
            copies = int(a == first) + int(b == first)
            by_pair[pair_numbers[a, b]] += (firsts + 1 - copies) * (firsts - copies) // 2 * share
            _add_three(by_three, pair_numbers, first, a, b, (1 + copies) * (firsts - copies) * share)
        return
    # Two different cards are kept only beside two others: no card occurs twice here.
    _scale(by_pair, k.share[pair], np.int32(both))
    _scale_short(by_three[first], k.share[pair], np.int16(seconds))
    _scale_short(by_three[second], k.share[pair], np.int16(firsts))
    at_first, at_second, ones, others, shares = (
        pair_numbers[first],
        pair_numbers[second],
        k.first_cards,
        k.second_cards,
        k.shares,
    )
    for at in range(start, end):
        a, b, share = ones[at], others[at], shares[at]
        with_first, with_second = np.int16(seconds * share), np.int16(firsts * share)
        of_a = by_three[a]
        of_a[at_first[b]] += with_first
        of_a[at_second[b]] += with_second
        if a != b:
            of_b = by_three[b]
            of_b[at_first[a]] += with_first
            of_b[at_second[a]] += with_second


class SweepBuffers(NamedTuple):
    """A buffer for one pair after the other."""

    single: NDArray[np.int32]
    """Hands with a given card that avoid the pair, twice in a row, because pair numbers go around the cards."""
    kept_levels: NDArray[np.int16]
    """The level of the pair that the house way keeps of all four cards, by other pair."""
    up_to_counts: NDArray[np.int32]


@kernel
def new_sweep_buffers(kinds: int, count: int) -> SweepBuffers:
    return SweepBuffers(np.empty(2 * kinds, np.int32), np.empty(count, np.int16), np.empty(count, np.int32))


@kernel
def _same_four(kept_pairs: NDArray[np.uint16], levels: NDArray[np.int16], kept_levels: NDArray[np.int16]) -> None:
    """The level of a dealer with the same four cards as the player, by the other two cards."""
    for at in range(len(kept_levels)):
        kept_levels[at] = levels[kept_pairs[at]]


@kernel
def _avoiding(
    pair: int, level: int, s: PairTables, k: HouseWayTable, passed: NDArray[np.uint8], beaten: BeatenHands,
    buffers: SweepBuffers, counts: NDArray[np.int32],
) -> None:  # fmt: skip
    """The beaten dealer's hands that avoid all four cards of a player with ``pair``, by the other two cards. ``level``
    is the level of the last passed pairs."""
    kinds = len(beaten.by_card)
    p1, p2 = s.pairs[pair, 0], s.pairs[pair, 1]
    at_first, at_second = s.pair_numbers[p1], s.pair_numbers[p2]
    by_card, by_pair, with_first, with_second = beaten.by_card, beaten.by_pair, beaten.by_three[p1], beaten.by_three[p2]
    base = np.int32(beaten.total[0] - by_card[p1] - by_card[p2] + by_pair[pair])
    single, kept_levels, last = buffers.single, buffers.kept_levels, np.int16(level)
    for card in range(kinds):
        count = by_card[card] - by_pair[at_first[card]] - by_pair[at_second[card]] + beaten.by_three[card, pair]
        single[card] = single[card + kinds] = count
    for at in range(len(counts)):
        counts[at] = (
            base + by_pair[at] - np.int32(with_first[at]) - np.int32(with_second[at])
            + (_ALL if kept_levels[at] <= last else _NOTHING)
        )  # fmt: skip
    for apart in range(kinds // 2 + 1):
        start = apart * kinds
        width = kinds if 2 * apart < kinds else kinds // 2
        row, ahead = counts[start : start + width], single[apart:]
        for card in range(width):
            row[card] -= single[card] + ahead[card]
    for number in range(k.tie_starts[pair], k.tie_starts[pair + 1]):
        counts[k.tied_pairs[number]] += _tied_shares(pair, int(k.tied_pairs[number]), passed, s, k)


@kernel
def _tied_shares(p: int, q: int, passed: NDArray[np.uint8], s: PairTables, k: HouseWayTable) -> int:
    """The shares of passed pairs among equal choices of the same four cards."""
    shares = int(k.share[q, p]) * int(passed[q]) + int(k.share[p, q]) * int(passed[p])
    for first in range(2):
        for second in range(2):
            cross = s.pair_numbers[s.pairs[p, first], s.pairs[q, second]]
            rest = s.pair_numbers[s.pairs[p, 1 - first], s.pairs[q, 1 - second]]
            shares += int(k.share[cross, rest]) * int(passed[cross])
    return shares


@kernel
def sweep_board(
    board: NDArray[np.uint8], weights: NDArray[np.uint8], s: PairTables, k: HouseWayTable, t: LookupTables,
    levels: NDArray[np.int16], beaten_counts: NDArray[np.int32], tied_counts: NDArray[np.int32],
) -> None:  # fmt: skip
    """The number of dealer's hands that p beats (``beaten_counts``) and ties (``tied_counts``), by pair p and other
    pair q of a player. Entries for hands that the board makes impossible have no meaning."""
    kinds, count = len(s.codes), len(s.pairs)
    remaining = np.full(kinds, s.copies, np.int32)
    for card in board:
        remaining[card] -= 1
    order = _levels(board, s, t, levels)
    beaten, buffers = new_beaten_hands(kinds, count), new_sweep_buffers(kinds, count)
    partners, passed, up_to_counts = np.empty(kinds, np.int32), np.zeros(count, np.uint8), buffers.up_to_counts
    start = 0
    while start < count:
        level = int(levels[order[start]])
        end = start
        while end < count and levels[order[end]] == level:
            if weights[order[end]]:
                _same_four(k.kept_pairs[order[end]], levels, buffers.kept_levels)
                _avoiding(order[end], level - 1, s, k, passed, beaten, buffers, beaten_counts[order[end]])
            end += 1
        for pair in order[start:end]:
            _partners(pair, board, k, partners)
            _pass(pair, remaining, partners, s, k, beaten)
            passed[pair] = 1
        for pair in order[start:end]:
            if weights[pair]:
                _same_four(k.kept_pairs[pair], levels, buffers.kept_levels)
                _avoiding(pair, level, s, k, passed, beaten, buffers, up_to_counts)
                before, tied = beaten_counts[pair], tied_counts[pair]
                for other in range(count):
                    tied[other] = up_to_counts[other] - before[other]
        start = end
