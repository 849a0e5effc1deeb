"""How often six cards meet the lines of Pick-3, Pick-5, Super-3's and Super-Six: by the rules' own functions, over one
hand of each class. None of them looks at the dealer or at how the hand was set (DP-3)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import of_code
from cardroom.games.three_card_double_play.divisions import (
    EVENTS,
    PICK_3_EVENTS,
    SUPER_3S_EVENTS,
    LineTables,
    events_of,
    line_tables,
    lines_met,
)
from cardroom.games.three_card_double_play.rules import pick_5_event, super_six_event
from cardroom.hands import FIVE_CARD, Category, batch
from cardroom.hands.reading import reading
from cardroom.kernels import kernel
from cardroom.odds.endings import EventCounts
from cardroom.odds.three_card_double_play.classes import OneOfEach, one_of_each

_STRAIGHT_FLUSHES: Final = (Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
_CATEGORY_OF: Final = np.array([0, *(FIVE_CARD.order.index(one) for one in reading(FIVE_CARD).categories())], np.uint8)


def pick_3_kinds() -> EventCounts:
    return _kinds_by_division(PICK_3_EVENTS)


def super_3s_kinds() -> EventCounts:
    return _kinds_by_division(SUPER_3S_EVENTS)


def _kinds_by_division(events: Sequence[str]) -> EventCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    for lines, hands in _sets_of_lines().items():
        kinds[events_of(lines, events)] += hands
    return kinds


@cache
def _sets_of_lines() -> dict[int, int]:
    """How many hands meet each set of lines, as bits."""
    counts = np.zeros(1 << len(EVENTS), np.int64)
    _count_sets(one_of_each(6), line_tables(), counts)
    return {lines: hands for lines, hands in enumerate(counts.tolist()) if hands}


@kernel
def _count_sets(six: OneOfEach, tables: LineTables, counts: NDArray[np.int64]) -> None:
    hands, alike, kinds, lines = six.hands, six.alike, tables.kinds, tables.lines
    for at in range(len(hands)):
        counts[lines_met(hands, at, kinds, lines)] += alike[at]


@cache
def pick_5_kinds() -> EventCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    for category, found in _by_category():
        kinds[(pick_5_event(category),)] += int(one_of_each(6).alike[found].sum())
    return kinds


@cache
def super_six_kinds() -> EventCounts:
    kinds: Counter[tuple[str, ...]] = Counter()
    hands, alike = one_of_each(6)
    for category, found in _by_category():
        # Where no five cards are a straight flush no six are, and one hand speaks for all of its category.
        together = [found[at : at + 1] for at in range(len(found))] if category in _STRAIGHT_FLUSHES else [found]
        for same in together:
            six = [of_code(code) for code in hands[same[0]].tolist()]
            kinds[(super_six_event(six, category),)] += int(alike[same].sum())
    return kinds


@cache
def _by_category() -> tuple[tuple[Category, NDArray[np.int64]], ...]:
    """The rows of ``one_of_each(6)`` whose best five cards are of each category."""
    categories = _CATEGORY_OF[batch(FIVE_CARD, one_of_each(6).hands)]
    return tuple((category, np.flatnonzero(categories == place)) for place, category in enumerate(FIVE_CARD.order))
