"""Hands in words, as a dealer would call them."""

from __future__ import annotations

from functools import cache
from typing import Final

from cardroom.cards import Rank
from cardroom.hands.category import Category
from cardroom.hands.ranking import HandClass

_COUNTS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
_NAME_SAYS_ALL: Final = frozenset(
    {
        Category.MINI_ROYAL,
        Category.ROYAL_FLUSH,
        Category.NATURAL_ROYAL_FLUSH,
        Category.WILD_ROYAL_FLUSH,
        Category.FIVE_WILD_CARDS,
    }
)


@cache
def words(one: HandClass, wild: int = 0) -> str:
    """The hand in words.

    >>> words(HandClass(Category.FULL_HOUSE, (13, 13, 13, 4, 4)))
    'full house, kings over fours'
    >>> words(HandClass(Category.FIVE_OF_A_KIND, (9, 9, 9, 9, 9)), wild=2)
    'five of a kind, nines, two wild'
    """
    text = one.category.value if one.category in _NAME_SAYS_ALL else _described(one)
    if wild and one.category is not Category.FIVE_WILD_CARDS:
        text += f", {_COUNTS[wild]} wild"
    return text


def _described(one: HandClass) -> str:
    name, ranks = one.category.value, one.ranks
    match one.category:
        case Category.HIGH_CARD:
            return f"{Rank(ranks[0]).word} high, {'-'.join(Rank(rank).printed for rank in ranks)}"
        case Category.PAIR:
            return f"pair of {Rank(ranks[0]).plural}, {Rank(ranks[2]).word} kicker"
        case Category.TWO_PAIR:
            both = f"{Rank(ranks[0]).plural} and {Rank(ranks[2]).plural}"
            return f"{name}, {both}" + (f", {Rank(ranks[4]).word} kicker" if len(ranks) > 4 else "")
        case Category.FULL_HOUSE:
            return f"{name}, {Rank(ranks[0]).plural} over {Rank(ranks[3]).plural}"
        case Category.STRAIGHT | Category.FLUSH | Category.STRAIGHT_FLUSH:
            return f"{name}, {Rank(ranks[0]).word} high"
        case _:
            return f"{name}, {Rank(ranks[0]).plural}"
