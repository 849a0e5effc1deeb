"""Shootout Bonus and Jackpot, counted exactly while the main game is played at its best.

The main game says which two cards are kept or how the hand is split; for each class of hands every board is then
counted. The counts are exact for that way of playing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from hashlib import sha256
from math import lcm

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kept_arrays
from cardroom.odds.result import Ending
from cardroom.odds.texas_shootout.boards import HAND_KINDS, KIND_COUNT
from cardroom.odds.texas_shootout.classes import HandClasses
from cardroom.odds.texas_shootout.discards import kinds_kept
from cardroom.odds.texas_shootout.hands import KEEPS, pair_places
from cardroom.odds.texas_shootout.pairs_on_boards import kinds_of_hands
from cardroom.odds.texas_shootout.prizes import jackpot_ending, kind_ending, matched_ending
from cardroom.paytables import Paytable


@dataclass(frozen=True)
class SideCounts:
    """For each class of hands: how it is played, and the boards by what its one or two pairs make."""

    ways: NDArray[np.int64]
    cards: NDArray[np.uint8]
    """By class: the two cards kept, then the discards; or the two hands of a split."""
    splits: NDArray[np.bool_]
    alone: NDArray[np.int64]
    """By class that keeps two cards: how many boards make which kind."""
    both: NDArray[np.int64]
    """By class that is split: how many boards make which kind of the first pair and which of the second."""

    def kept(self) -> list[int]:
        """In how many deals of hand and board a hand that keeps two cards makes each kind."""
        return _dealt(self.ways[~self.splits], self.alone)


def counts_for(classes: HandClasses, choices: NDArray[np.uint8]) -> SideCounts:
    """Count every board for every class of hands, played as ``choices`` says. That takes a second or two, so the counts
    stay in the user's cache folder."""
    places = pair_places()[choices].astype(np.int64)
    splits = choices >= KEEPS
    discards = pair_places()[KEEPS - 1 - np.minimum(choices, KEEPS - 1)].astype(np.int64)
    places[~splits, 2:] = discards[~splits, :2]
    cards = np.take_along_axis(classes.hands, places, axis=1)

    def found() -> dict[str, NDArray[np.int64]]:
        return {"alone": kinds_kept(cards[~splits]), "both": kinds_of_hands(cards[splits])}

    counts = kept_arrays(f"shootout-boards-{sha256(cards.tobytes() + splits.tobytes()).hexdigest()[:16]}", found)
    return SideCounts(classes.ways, cards, splits, counts["alone"], counts["both"])


def _dealt(ways: NDArray[np.int64], counts: NDArray[np.int64]) -> list[int]:
    """Counts by kind, each class as often as it is dealt. All deals of a hand and a board are 8.7e18, below 2**63."""
    found: list[int] = np.tensordot(ways, counts, axes=(0, 0)).ravel().tolist()
    return found


MATCH, FIRST_HAND, SECOND_HAND = range(3)
"""Where the Shootout Bonus is placed after a split."""


def placements(counts: SideCounts, table: Paytable) -> NDArray[np.uint8]:
    """By class of hands that is split: where the Shootout Bonus is placed. It is matched, or rides on the better hand,
    whatever is worth more."""
    single = [kind_ending(kind, table) for kind in HAND_KINDS]
    scale = lcm(*(one.net.denominator for one in single))
    nets = np.array([int(one.net * scale) for one in single], dtype=object)
    split = np.flatnonzero(counts.splits)
    first, second = (counts.both.sum(axis=axis).astype(object) @ nets for axis in (2, 1))
    found = np.full(len(counts.splits), MATCH, np.uint8)
    better = np.where(first >= second, FIRST_HAND, SECOND_HAND)
    found[split] = np.where((first > 0) & (second > 0), MATCH, better)
    return found


def bonus_endings(counts: SideCounts, table: Paytable) -> Iterator[Ending]:
    """How the Shootout Bonus ends."""
    single = [kind_ending(kind, table) for kind in HAND_KINDS]
    totals = Counter(dict(enumerate(counts.kept())))
    placed, ways = placements(counts, table)[counts.splits], counts.ways[counts.splits]
    for where in (FIRST_HAND, SECOND_HAND):
        some = placed == where
        totals.update(dict(enumerate(_dealt(ways[some], counts.both[some].sum(axis=3 - where)))))
    matched = _in_any_order(_dealt(ways[placed == MATCH], counts.both[placed == MATCH]))
    yield from _single_endings(single, totals)
    yield from _merged(
        matched_ending(single[other], single[one], count)
        for (one, other), count in sorted(matched.items(), reverse=True)
        if count
    )


def jackpot_endings(counts: SideCounts, table: Paytable) -> Iterator[Ending]:
    """How the Jackpot ends; both hands of a split can win on the one wager."""
    single = [kind_ending(kind, table, jackpot=True) for kind in HAND_KINDS]
    yield from _single_endings(single, Counter(dict(enumerate(counts.kept()))))
    both = _in_any_order(_dealt(counts.ways[counts.splits], counts.both))
    yield from _merged(
        jackpot_ending((HAND_KINDS[other], HAND_KINDS[one]), table, count)
        for (one, other), count in sorted(both.items(), reverse=True)
        if count
    )


def _in_any_order(joint: list[int]) -> Counter[tuple[int, int]]:
    """Counts by the kinds of two hands, whichever of them is the first."""
    found = Counter[tuple[int, int]]()
    for place, count in enumerate(joint):
        one, other = divmod(place, KIND_COUNT)
        found[min(one, other), max(one, other)] += count
    return found


def _merged(found: Iterable[Ending]) -> Iterator[Ending]:
    """One ending for each two lines: kinds of hands that are on the same lines together."""
    by_event: dict[str, Ending] = {}
    for one in found:
        before = by_event.get(one.event)
        by_event[one.event] = replace(one, combinations=one.combinations + before.combinations) if before else one
    yield from by_event.values()


def _single_endings(single: list[Ending], totals: Counter[int]) -> Iterator[Ending]:
    """One ending for each line of the table, the best hand first, and last what no line pays."""
    by_event: dict[tuple[str, str], Ending] = {}
    for kind in reversed(range(len(single))):
        one = single[kind]
        before = by_event.get((one.event, one.pays))
        count = totals[kind] + (before.combinations if before else 0)
        by_event[one.event, one.pays] = Ending(one.event, one.pays, count, one.net, one.wagered, one.percent, one.hit)
    yield from (one for one in by_event.values() if one.combinations)
