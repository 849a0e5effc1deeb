"""What a hand is, judged from its ranks and from whether it is of one suit. Every ranking rests on this file.

>>> sorted(categories((13, 13, 13, 4, 4), suited=False))
[<Category.FULL_HOUSE: 'full house'>, <Category.HIGH_CARD: 'high card'>]
>>> straight_top((14, 2, 3)), straight_top((13, 14, 2))
(3, None)
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cardroom.hands.category import Category

ACE: Final = 14
Ranks = tuple[int, ...]

_BY_COUNTS: Final = {
    (2,): Category.PAIR,
    (2, 2): Category.TWO_PAIR,
    (3,): Category.THREE_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (4,): Category.FOUR_OF_A_KIND,
    (5,): Category.FIVE_OF_A_KIND,
}

_ALL_ALIKE_AND_SUITED: Final = {4: Category.FOUR_OF_A_KIND_SUITED, 5: Category.FIVE_OF_A_KIND_SUITED}


def straight_top(ranks: Ranks) -> int | None:
    """The highest card of a straight, or None. The ace plays high and low, never round the corner."""
    ordered = sorted(ranks)
    length = len(ordered)
    if ordered == list(range(ordered[0], ordered[0] + length)):
        return ordered[-1]
    if ordered[-1] == ACE and ordered[:-1] == list(range(2, length + 1)):
        return length
    return None


def categories(ranks: Ranks, *, suited: bool) -> Iterator[Category]:
    """Everything that these cards can be called; the ranking takes the best name it knows."""
    yield Category.HIGH_CARD
    several = tuple(sorted((count for count in map(ranks.count, set(ranks)) if count > 1), reverse=True))
    if several:
        yield _BY_COUNTS[several]
    top = straight_top(ranks)
    if top is not None:
        yield Category.STRAIGHT
    if suited:
        yield Category.FLUSH
        if top is not None:
            yield Category.STRAIGHT_FLUSH
        if top == ACE:
            yield Category.MINI_ROYAL if len(ranks) == 3 else Category.ROYAL_FLUSH
        if several == (len(ranks),) and len(ranks) in _ALL_ALIKE_AND_SUITED:
            yield _ALL_ALIKE_AND_SUITED[len(ranks)]


def in_order(ranks: Ranks, category: Category) -> Ranks:
    """The ranks in the order in which two hands of this category are compared."""
    top = straight_top(ranks)
    if top is not None:
        # In a low straight the ace stands last, below the two.
        return tuple(ACE if rank == 1 else rank for rank in range(top, top - len(ranks), -1))
    if category is Category.FLUSH:
        return tuple(sorted(ranks, reverse=True))
    return tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))
