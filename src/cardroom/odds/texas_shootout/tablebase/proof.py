"""Checks a tablebase: its rules, its sums, and some hands counted again by another method.

The second count visits every board without classes, and on each board every pair that the dealer can keep. It has no
sweep, and hands share nothing except the strengths of the pairs on a board. It takes about a minute per hand.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from math import prod
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import card_from_code, format_cards
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.hands.lookup_tables import LookupTables
from cardroom.kernels import core_count, kernel
from cardroom.odds.texas_shootout.tablebase.board_totals import count_tables
from cardroom.odds.texas_shootout.tablebase.file import (
    LOSS,
    SPLITS,
    WIN,
    HandCounts,
    JointCounts,
    Tablebase,
    rules_digest,
)
from cardroom.odds.texas_shootout.tablebase.shoe import BOARD, SHARES, TablebaseShoe, advance_board, house_way_table
from cardroom.odds.texas_shootout.tablebase.sweep import PairTables, pair_strengths
from cardroom.odds.texas_shootout.tablebase.wide_integers import LIMB_COUNT, to_int, to_ints, weighted_sum


class DealerDiscards(NamedTuple):
    """Ways of the two cards that the dealer does not keep, without the player's cards and the kept pair, in sixths."""

    pair_combinations: NDArray[np.int64]
    """The number of ways, by hand and kept pair."""
    card_combinations: NDArray[np.int32]
    """The ways with one given card, by hand, card, and kept pair."""
    share: NDArray[np.uint8]
    """The ways with two given cards, by cards and kept pair."""


def _discards(shoe: TablebaseShoe, hands: NDArray[np.int64]) -> DealerDiscards:
    kinds, count = shoe.kinds, shoe.pair_count
    beside = house_way_table(shoe).share_by_cards.astype(np.int64)
    pair_combinations, card_combinations = (
        np.empty((len(hands), count), np.int64),
        np.empty((len(hands), kinds, count), np.int32),
    )
    pair_copies = np.zeros((count, kinds), np.int64)
    np.add.at(pair_copies, (np.arange(count)[:, None], shoe.pairs), 1)
    for at, hand in enumerate(hands):
        remaining = shoe.copies - np.bincount(hand, minlength=kinds) - pair_copies
        for card in range(kinds):
            last = remaining.copy()
            last[:, card] -= 1
            card_combinations[at, card] = (last * beside[:, card]).sum(axis=1)
        # Each two cards are counted from either side.
        pair_combinations[at] = (remaining * card_combinations[at].T).sum(axis=1) // 2
    share = np.ascontiguousarray(beside.astype(np.uint8).transpose(1, 2, 0))
    return DealerDiscards(pair_combinations, card_combinations, share)


@kernel
def _count_board_combinations(cards: NDArray[np.int64], remaining: NDArray[np.int64]) -> int:
    """The number of ways to deal these sorted cards, without the order of equal ones. Takes them from ``remaining``."""
    ways, run = 1, 0
    for at in range(len(cards)):
        run = run + 1 if at and cards[at] == cards[at - 1] else 1
        ways = ways * max(remaining[cards[at]], 0) // run
        remaining[cards[at]] -= 1
    return ways


@kernel
def _add_board(
    board: NDArray[np.int64], hands: NDArray[np.int64], places: NDArray[np.int64], d: DealerDiscards, s: PairTables,
    t: LookupTables, counts: NDArray[np.int64],
) -> None:  # fmt: skip
    pairs, strengths = s.pairs, pair_strengths(board, s, t)
    weights, remaining = np.empty(len(pairs), np.int64), np.empty(len(s.codes), np.int64)
    for at in range(len(hands)):
        remaining[:] = s.copies
        for card in hands[at]:
            remaining[card] -= 1
        ways = _count_board_combinations(board, remaining)
        if ways == 0:
            continue
        # Discards that avoid the board: all, minus those with one of its cards, plus those with two.
        weights[:] = d.pair_combinations[at]
        for primary in range(BOARD):
            weights -= d.card_combinations[at, board[primary]]
            for secondary in range(primary):
                weights += d.share[board[primary], board[secondary]]
        for pair in range(len(pairs)):
            primary, secondary = pairs[pair, 0], pairs[pair, 1]
            weights[pair] *= (
                remaining[primary] * (remaining[primary] - 1) // 2
                if primary == secondary
                else remaining[primary] * remaining[secondary]
            )
        for split in range(len(places)):
            a, b, c, e = places[split, 0], places[split, 1], places[split, 2], places[split, 3]
            first = strengths[s.pair_numbers[hands[at, a], hands[at, b]]]
            second = strengths[s.pair_numbers[hands[at, c], hands[at, e]]]
            cells = counts[at, split]
            for pair in range(len(pairs)):
                dealer = strengths[pair]
                primary = int(first >= dealer) + int(first > dealer)
                secondary = int(second >= dealer) + int(second > dealer)
                cells[3 * primary + secondary] += ways * weights[pair]


@kernel
def _count_boards_from(
    lowest: int, hands: NDArray[np.int64], places: NDArray[np.int64], d: DealerDiscards, s: PairTables, t: LookupTables,
    counts: NDArray[np.int64],
) -> None:  # fmt: skip
    """Count all boards with this lowest card. These are at most a tenth of all, so the counts stay below 2**63."""
    kinds = len(s.codes)
    board = np.full(BOARD, lowest, np.int64)
    while board[0] == lowest:
        _add_board(board, hands, places, d, s, t, counts)
        advance_board(board, kinds)


def recount_hands(
    shoe: TablebaseShoe,
    hand_cards: Sequence[tuple[int, int, int, int]],
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[HandCounts]:
    """The counts of some hands of a shoe, on all cores. ``on_progress`` receives the number of the shoe's cards that
    are finished as the lowest card of the board."""
    hands = np.array(hand_cards, np.int64)
    places = np.array([[*first, *second] for first, second in SPLITS], np.int64)
    arguments = hands, places, _discards(shoe, hands), count_tables(shoe).pairs, count_tables(shoe).tables
    totals = np.zeros((len(hands), 3, 9), dtype=object)

    def count_from(lowest: int) -> NDArray[np.int64]:
        counts = np.zeros((len(hands), 3, 9), np.int64)
        _count_boards_from(lowest, *arguments, counts)
        return counts

    with ThreadPoolExecutor(core_count()) as pool:
        running = [pool.submit(count_from, lowest) for lowest in range(shoe.kinds)]
        for finished, future in enumerate(as_completed(running), 1):
            totals += future.result().astype(object)
            on_progress(finished)
    return [_recounted_hand(hand, cells) for hand, cells in zip(hand_cards, totals.tolist(), strict=True)]


def _recounted_hand(hand: tuple[int, int, int, int], cells: list[list[int]]) -> HandCounts:
    first, second, third = (_joint_counts(nine) for nine in cells)
    return HandCounts(hand, (first, second, third))


def _joint_counts(nine: list[int]) -> JointCounts:
    a, b, c, d, e, f, g, h, i = nine
    return (a, b, c), (d, e, f), (g, h, i)


def hand_combinations(shoe: TablebaseShoe, codes: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number of deals of each class: all exchanges of its suits."""
    return np.array([_class_combinations(shoe, tuple(hand)) for hand in codes.tolist()], np.int64)


def _class_combinations(shoe: TablebaseShoe, codes: tuple[int, ...]) -> int:
    """The number of deals of a class: the deals of one hand times the different exchanges of its suits."""
    ranks_by_suit = [tuple(code >> 2 for code in codes if code & 3 == suit) for suit in range(4)]
    orders = prod(_FACTORIAL[ranks_by_suit.count(ranks)] for ranks in set(ranks_by_suit))
    return 24 // orders * shoe.combinations(codes)


_FACTORIAL = (1, 1, 2, 6, 24)


@dataclass(frozen=True)
class RecountedHand:
    """A hand that was counted again."""

    hand: tuple[int, ...]
    """Codes of its cards."""
    agrees: bool

    @property
    def cards(self) -> str:
        return format_cards([card_from_code(code) for code in reversed(self.hand)])


@dataclass(frozen=True)
class Proof:
    """The checks and their results."""

    digest: str
    hands: int
    deals: int
    """Deals of a round, as the sum over the hands of the tablebase."""
    all_deals: int
    """Deals of a round: the shoe choose four, five, and four."""
    has_same_rules: bool
    player_lead: int
    """Wins minus losses, in sixths of deals, of a player who sets every hand as the dealer does."""
    recounts: tuple[RecountedHand, ...]

    @property
    def has_every_deal(self) -> bool:
        return self.deals == self.all_deals

    @property
    def is_fair(self) -> bool:
        """Whether a player who sets hands as the dealer does wins as often as the dealer."""
        return self.player_lead == 0

    @property
    def is_valid(self) -> bool:
        return (
            self.has_every_deal
            and self.is_fair
            and self.has_same_rules
            and all(recount.agrees for recount in self.recounts)
        )

    def to_json(self) -> dict[str, Any]:
        """As JSON, with integers of any size as text."""
        return {
            "holds": self.is_valid,
            "sha256": self.digest,
            "hands": self.hands,
            "deals": str(self.deals),
            "has_every_deal": self.has_every_deal,
            "same_rules": self.has_same_rules,
            "is_fair": self.is_fair,
            "recounted": [{"hand": recount.cards, "agrees": recount.agrees} for recount in self.recounts],
        }


def draw_hands(base: Tablebase, count: int, seed: int) -> list[int]:
    """Numbers of hands to be counted again, drawn at random."""
    return sorted(Random(seed).sample(range(len(base)), count))  # noqa: S311 (no money depends on it)


def prove(base: Tablebase, hands: Sequence[int], on_progress: Callable[[int], None] = lambda _: None) -> Proof:
    """Check a tablebase, and count these of its hands again."""
    shoe = base.shoe
    recounts = recount_hands(shoe, [_hand(base, number) for number in hands], on_progress) if hands else []
    # The three splits of a hand have the same deals, so each must sum to all of them.
    sums = weighted_sum(base.all_joint_counts().sum(axis=2), hand_combinations(shoe, base.hands))
    every_deal = {deals // SHARES if deals % SHARES == 0 else -1 for deals in to_ints(sums.reshape(-1, LIMB_COUNT))}
    return Proof(
        digest=base.digest,
        hands=len(base),
        deals=every_deal.pop() if len(every_deal) == 1 else -1,
        all_deals=shoe.deals,
        has_same_rules=base.rules == rules_digest(shoe),
        player_lead=house_way_lead(base),
        recounts=tuple(
            RecountedHand(tuple(base.hands[number].tolist()), _cells(counts) == base.joint_counts(number))
            for number, counts in zip(hands, recounts, strict=True)
        ),
    )


def house_way_lead(base: Tablebase) -> int:
    """Wins minus losses, in sixths of deals, of a player who sets hands by the house way. Dealer and player then play
    alike, so a correct count gives 0 over all hands."""
    shoe, joint = base.shoe, base.all_joint_counts().reshape(len(base), 3, 3, 3, LIMB_COUNT)
    first, second = joint.sum(axis=3), joint.sum(axis=2)
    # The pairs of a hand in the order of ``CHOICES``: the second pairs of the splits come last, from the last split on.
    pairs = np.concatenate([first, second[:, ::-1]], axis=1)
    ahead = pairs[:, :, WIN] - pairs[:, :, LOSS]
    cards = np.searchsorted(shoe.codes, base.hands)
    preferences = np.column_stack(
        [
            shoe.pair_preferences[shoe.pair_numbers[cards[:, first_place], cards[:, second_place]]]
            for first_place, second_place in CHOICES
        ]
    )
    is_kept = preferences == preferences.max(axis=1, keepdims=True)
    shares = SHARES * is_kept // is_kept.sum(axis=1, keepdims=True)
    total = weighted_sum((ahead * shares[:, :, None]).sum(axis=1), hand_combinations(shoe, base.hands))
    lead, rest = divmod(to_int(total), SHARES)
    return lead if rest == 0 else 1


def _hand(base: Tablebase, number: int) -> tuple[int, int, int, int]:
    """The hand's cards by their numbers in the shoe."""
    a, b, c, d = np.searchsorted(base.shoe.codes, base.hands[number]).tolist()
    return a, b, c, d


def _cells(counts: HandCounts) -> list[int]:
    return [cell for joint in counts.splits for row in joint for cell in row]
