"""One board, with every dealer's hand and every player's hand on it.

The pairs are gone through from the weakest on this board to the strongest. Behind the sweep lie the dealer's hands that
are beaten so far; they are counted by the cards that they contain: none, one, two or three given ones. When the sweep
comes to a pair that a player may hold, the dealer's hands that avoid the player's four cards follow by inclusion and
exclusion, for all the other two cards that the player may have.

A given card is one of its copies. All counts are in sixths (TS-1).
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.hands.board import best_of, board_sums
from cardroom.hands.tables import Tables
from cardroom.kernels import kernel
from cardroom.odds.texas_shootout.tablebase.keeping import Keeping
from cardroom.odds.texas_shootout.tablebase.shoe import SHARES

_ABOVE: Final = np.int16(np.iinfo(np.int16).max)
_ALL: Final = np.int32(SHARES)
_NOTHING: Final = np.int32(0)


class Pairs(NamedTuple):
    """The shoe's cards and pairs, as the kernels look them up."""

    codes: NDArray[np.int64]
    pairs: NDArray[np.uint8]
    pair_at: NDArray[np.uint16]
    exchanges: NDArray[np.uint16]
    """By order of the suits: the pair that each pair becomes."""
    of_cards: NDArray[np.uint8]
    """By order of the suits: the card that each card becomes."""
    copies: int


class Beaten(NamedTuple):
    """The dealer's hands behind the sweep, by the given cards that they contain."""

    none: NDArray[np.int64]
    one: NDArray[np.int32]
    two: NDArray[np.int32]
    """By pair."""
    three: NDArray[np.int16]
    """By card and pair; three cards stand in each place that they can be divided so."""


@kernel
def new_beaten(kinds: int, count: int) -> Beaten:
    return Beaten(
        np.zeros(1, np.int64), np.zeros(kinds, np.int32), np.zeros(count, np.int32), np.zeros((kinds, count), np.int16)
    )


@kernel
def strengths_on(board: NDArray[Any], s: Pairs, t: Tables) -> NDArray[np.int64]:
    """What each pair makes with the board."""
    keys, unsuited, suited, rows, shift, mask = t.keys, t.unsuited, t.suited, t.rows, t.row_shift, t.slot_mask
    codes, pairs = s.codes, s.pairs
    sums = board_sums(codes[board[0]], codes[board[1]], codes[board[2]], codes[board[3]], codes[board[4]], keys)
    strengths = np.empty(len(pairs), np.int64)
    for pair in range(len(pairs)):
        one, other = codes[pairs[pair, 0]], codes[pairs[pair, 1]]
        strengths[pair] = best_of(one, other, sums, keys, unsuited, suited, rows, shift, mask)
    return strengths


@kernel
def _levels(board: NDArray[np.uint8], s: Pairs, t: Tables, levels: NDArray[np.int16]) -> NDArray[np.int64]:
    """The strengths of all pairs on the board, numbered from the weakest; and the pairs in that order. One level more
    is above them all."""
    strengths = strengths_on(board, s, t)
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
def _add_three(three: NDArray[np.int16], pair_at: NDArray[np.uint16], a: int, b: int, c: int, count: int) -> None:
    """Count hands with three given cards, in every place where they are looked for."""
    three[a, pair_at[b, c]] += count
    if b != a:
        three[b, pair_at[a, c]] += count
    if c != a and c != b:
        three[c, pair_at[a, b]] += count


@kernel
def _partners(pair: int, board: NDArray[np.uint8], k: Keeping, partners: NDArray[np.int32]) -> None:
    """By given card: the last cards of hands that keep the pair and have that card beside it."""
    full = k.partners[pair]
    for card in range(len(partners)):
        partners[card] = full[card]
    for gone in board:
        beside = k.beside[pair, gone]
        for card in range(len(partners)):
            partners[card] -= beside[card]


@kernel
def _pass_some(
    pair: int, left: NDArray[np.int32], partners: NDArray[np.int32], s: Pairs, beaten: Beaten
) -> tuple[int, int, int]:
    """Hands that keep the pair, with none, one or two given cards, and those with three of which two are the pair.
    Gives in how many ways the pair comes, and each of its cards with the other one given."""
    pair_at, one, two, three = s.pair_at, beaten.one, beaten.two, beaten.three
    first, second = s.pairs[pair, 0], s.pairs[pair, 1]
    same = int(first == second)
    # With one card of the pair given, the other one may be any copy that is left.
    firsts, seconds = int(left[first]) - same, int(left[second]) - same
    both = (firsts + 1) * firsts // 2 if same else firsts * seconds
    others = 0
    for card in range(len(left)):
        others += left[card] * partners[card]
    # Each two of the other cards were met from either side, and the pair's own cards are gone.
    others = (others - partners[first] - partners[second]) // 2
    beaten.none[0] += np.int64(both) * others
    two[pair] += others
    one[first] += seconds * others
    if not same:
        one[second] += firsts * others
    for card in range(len(left)):
        one[card] += both * partners[card]
    # Where the given card beside the pair is one of the pair's kind, a copy fewer is left for the pair.
    one[first] -= seconds * partners[first]
    if not same:
        one[second] -= firsts * partners[second]
    at_first, at_second = pair_at[first], pair_at[second]
    for card in range(len(left)):
        count = int(partners[card])
        if count == 0:
            continue
        is_first, is_second = int(card == first), int(card == second)
        # Of two copies of a card, either may be the one in the pair.
        two[at_first[card]] += (1 + is_first) * (seconds - is_second) * count
        if not same:
            two[at_second[card]] += (1 + is_second) * (firsts - is_first) * count
        _add_three(three, pair_at, first, second, card, (1 + is_first + is_second) * count)
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
    pair: int, left: NDArray[np.int32], partners: NDArray[np.int32], s: Pairs, k: Keeping, beaten: Beaten
) -> None:
    """The sweep passes a pair: the dealer's hands of which it is the kept one are beaten from here on. ``left`` are the
    copies that the board leaves."""
    both, firsts, seconds = _pass_some(pair, left, partners, s, beaten)
    pair_at, two, three = s.pair_at, beaten.two, beaten.three
    first, second = s.pairs[pair, 0], s.pairs[pair, 1]
    start, end = k.first[pair], k.first[pair + 1]
    if first == second:
        for at in range(start, end):
            a, b, share = k.one[at], k.other[at], int(k.shares[at])
            copies = int(a == first) + int(b == first)
            two[pair_at[a, b]] += (firsts + 1 - copies) * (firsts - copies) // 2 * share
            _add_three(three, pair_at, first, a, b, (1 + copies) * (firsts - copies) * share)
        return
    # Two different cards are only kept beside two others: no card is met twice here.
    _scale(two, k.share[pair], np.int32(both))
    _scale_short(three[first], k.share[pair], np.int16(seconds))
    _scale_short(three[second], k.share[pair], np.int16(firsts))
    at_first, at_second, ones, others, shares = pair_at[first], pair_at[second], k.one, k.other, k.shares
    for at in range(start, end):
        a, b, share = ones[at], others[at], shares[at]
        with_first, with_second = np.int16(seconds * share), np.int16(firsts * share)
        of_a = three[a]
        of_a[at_first[b]] += with_first
        of_a[at_second[b]] += with_second
        if a != b:
            of_b = three[b]
            of_b[at_first[a]] += with_first
            of_b[at_second[a]] += with_second


class Room(NamedTuple):
    """What is written down for one pair after the other."""

    single: NDArray[np.int32]
    """Hands with a given card, of those that avoid the pair; twice over, as the pairs go round."""
    four: NDArray[np.int16]
    """By other pair: the level of the two that the house way keeps of all four."""
    upto: NDArray[np.int32]


@kernel
def new_room(kinds: int, count: int) -> Room:
    return Room(np.empty(2 * kinds, np.int32), np.empty(count, np.int16), np.empty(count, np.int32))


@kernel
def _same_four(kept: NDArray[np.uint16], levels: NDArray[np.int16], four: NDArray[np.int16]) -> None:
    """By the other two cards: the level of the dealer who has the very four cards of the player."""
    for at in range(len(four)):
        four[at] = levels[kept[at]]


@kernel
def _avoiding(
    pair: int, most: int, s: Pairs, k: Keeping, passed: NDArray[np.uint8], beaten: Beaten, room: Room,
    counts: NDArray[np.int32],
) -> None:  # fmt: skip
    """By the other two cards of a player who holds ``pair``: the dealer's hands behind the sweep that avoid all four.
    ``most`` is the level of the last pairs that the sweep has passed."""
    kinds = len(beaten.one)
    p1, p2 = s.pairs[pair, 0], s.pairs[pair, 1]
    at_first, at_second = s.pair_at[p1], s.pair_at[p2]
    one, two, with_first, with_second = beaten.one, beaten.two, beaten.three[p1], beaten.three[p2]
    base = np.int32(beaten.none[0] - one[p1] - one[p2] + two[pair])
    single, four, last = room.single, room.four, np.int16(most)
    for card in range(kinds):
        count = one[card] - two[at_first[card]] - two[at_second[card]] + beaten.three[card, pair]
        single[card] = single[card + kinds] = count
    for at in range(len(counts)):
        counts[at] = (
            base + two[at] - np.int32(with_first[at]) - np.int32(with_second[at])
            + (_ALL if four[at] <= last else _NOTHING)
        )  # fmt: skip
    for apart in range(kinds // 2 + 1):
        start = apart * kinds
        width = kinds if 2 * apart < kinds else kinds // 2
        row, ahead = counts[start : start + width], single[apart:]
        for card in range(width):
            row[card] -= single[card] + ahead[card]
    for number in range(k.several_first[pair], k.several_first[pair + 1]):
        counts[k.several[number]] += _shares_of_several(pair, int(k.several[number]), passed, s, k)


@kernel
def _shares_of_several(p: int, q: int, passed: NDArray[np.uint8], s: Pairs, k: Keeping) -> int:
    """Of equal choices of the very four cards, the shares of those that the sweep has passed."""
    found = int(k.share[q, p]) * int(passed[q]) + int(k.share[p, q]) * int(passed[p])
    for one in range(2):
        for other in range(2):
            cross = s.pair_at[s.pairs[p, one], s.pairs[q, other]]
            rest = s.pair_at[s.pairs[p, 1 - one], s.pairs[q, 1 - other]]
            found += int(k.share[cross, rest]) * int(passed[cross])
    return found


@kernel
def sweep(
    board: NDArray[np.uint8], weights: NDArray[np.uint8], s: Pairs, k: Keeping, t: Tables, levels: NDArray[np.int16],
    below: NDArray[np.int32], level_with: NDArray[np.int32],
) -> None:  # fmt: skip
    """By pair p and other pair q of a player: how many dealer's hands p beats (``below``), and how many it ties
    (``level_with``). Where the board leaves no such hand for the player, what is written there means nothing."""
    kinds, count = len(s.codes), len(s.pairs)
    left = np.full(kinds, s.copies, np.int32)
    for card in board:
        left[card] -= 1
    order = _levels(board, s, t, levels)
    beaten, room = new_beaten(kinds, count), new_room(kinds, count)
    partners, passed, upto = np.empty(kinds, np.int32), np.zeros(count, np.uint8), room.upto
    start = 0
    while start < count:
        level = int(levels[order[start]])
        end = start
        while end < count and levels[order[end]] == level:
            if weights[order[end]]:
                _same_four(k.kept[order[end]], levels, room.four)
                _avoiding(order[end], level - 1, s, k, passed, beaten, room, below[order[end]])
            end += 1
        for pair in order[start:end]:
            _partners(pair, board, k, partners)
            _pass(pair, left, partners, s, k, beaten)
            passed[pair] = 1
        for pair in order[start:end]:
            if weights[pair]:
                _same_four(k.kept[pair], levels, room.four)
                _avoiding(pair, level, s, k, passed, beaten, room, upto)
                before, tied = below[pair], level_with[pair]
                for other in range(count):
                    tied[other] = upto[other] - before[other]
        start = end
