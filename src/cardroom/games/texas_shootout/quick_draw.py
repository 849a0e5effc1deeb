"""The Quick Draw wager of Texas Shootout (sheet 002, Appendix A): which lines the first four cards meet (TS-4)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Rank
from cardroom.hands import FOUR_CARD, Category, HandClass, rank_strength
from cardroom.hands.category import SUITED
from cardroom.hands.shape import categories
from cardroom.hands.strength import Codes, strength
from cardroom.hands.tables import Tables
from cardroom.kernels import kernel

# Appendix A from the top line down. A hand meets each line that its four cards hold: a royal flush is a straight flush
# too, a pair of kings is also one of eights or better, so that a table without a line pays on the next (TS-4).
QUICK_DRAW_EVENTS: Final = (
    "four-of-a-kind-suited",
    "royal-flush",
    "straight-flush",
    "four-of-a-kind",
    "straight",
    "flush",
    "three-of-a-kind",
    "two-pair",
    "suited-pair",
    "pair-of-jacks-or-better",
    "pair-of-eights-or-better",
    "any-pair",
)
_SUITED_PAIR: Final = 1 << QUICK_DRAW_EVENTS.index("suited-pair")

_NAMED_EVENTS: Final = {
    Category.FOUR_OF_A_KIND_SUITED: "four-of-a-kind-suited",
    Category.ROYAL_FLUSH: "royal-flush",
    Category.STRAIGHT_FLUSH: "straight-flush",
    Category.FOUR_OF_A_KIND: "four-of-a-kind",
    Category.STRAIGHT: "straight",
    Category.FLUSH: "flush",
    Category.THREE_OF_A_KIND: "three-of-a-kind",
    Category.TWO_PAIR: "two-pair",
}


def _events_of_class(one: HandClass) -> Iterator[str]:
    """The Quick Draw lines that every hand of a class meets; only a suited pair hangs on more."""
    for category in categories(one.ranks, suited=one.category in SUITED):
        if category in _NAMED_EVENTS:
            yield _NAMED_EVENTS[category]
    paired = max((rank for rank in one.ranks if one.ranks.count(rank) > 1), default=0)
    if paired:
        yield "any-pair"
    if paired >= Rank.EIGHT:
        yield "pair-of-eights-or-better"
    if paired >= Rank.JACK:
        yield "pair-of-jacks-or-better"


@cache
def quick_draw_by_strength() -> NDArray[np.uint16]:
    """By four-card strength: a bit for each of the ``QUICK_DRAW_EVENTS`` that the class meets, the top line lowest."""
    bits = [sum(1 << QUICK_DRAW_EVENTS.index(event) for event in _events_of_class(one)) for one in FOUR_CARD.classes]
    return np.array([0, *bits], dtype=np.uint16)


@kernel
def quick_draw_bits(hands: Codes, at: int, t: Tables, by_strength: NDArray[np.uint16]) -> int:
    """The ``QUICK_DRAW_EVENTS`` that the four cards in row ``at`` meet, a bit each. ``t`` are the four-card tables."""
    met = int(by_strength[strength(hands, at, t)])
    for one in range(3):
        for other in range(one + 1, 4):
            if hands[at, one] == hands[at, other]:  # two identical cards
                met |= _SUITED_PAIR
    return met


def quick_draw_events(four: Sequence[Card]) -> tuple[str, ...]:
    """The lines of the Quick Draw tables that a player's first four cards meet, the best one first.

    >>> from cardroom.cards import cards
    >>> quick_draw_events(cards("Kh Kh 7c 2d"))
    ('suited-pair', 'pair-of-jacks-or-better', 'pair-of-eights-or-better', 'any-pair')
    """
    met = _of_class()[rank_strength(FOUR_CARD, four)]
    return _events(met | _SUITED_PAIR if len({card.code for card in four}) < len(four) else met)


@cache
def _of_class() -> list[int]:
    """The same bits in Python's own numbers, for a hand at a time."""
    found: list[int] = quick_draw_by_strength().tolist()
    return found


@cache
def _events(met: int) -> tuple[str, ...]:
    return tuple(event for place, event in enumerate(QUICK_DRAW_EVENTS) if met >> place & 1)
