"""A short order of preference for the choice of Five Card Fortune, found by search.

The player looks at one thing after the other: wild cards, pairs, suits, ranks. Of what all of them leave equal any one
is chosen, and counted so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, Rank, of_code
from cardroom.games.deuces_wild.rules import fortune_selections
from cardroom.hands import is_wild
from cardroom.odds.deuces_wild.counts import DECK, all_sets
from cardroom.odds.deuces_wild.fortune import Choices, FortuneGame
from cardroom.odds.deuces_wild.strategy import a_rank
from cardroom.odds.pricer import Rule, SimpleStrategy

MOST_KEYS: Final = 4
WORTH_A_KEY: Final = Fraction(1, 10_000)
"""Of the wager: what a longer list must save to be worth remembering."""
_SELECTIONS: Final = 7
"""The most there can be, with three wild cards: three times one, three times two, and all three."""
_SHARES: Final = 420
"""Divisible by every number of selections that can be left equal."""
_SCORES: Final = 64
"""More than the scores that a key can give."""

Group = tuple[Card, ...]


class Key(NamedTuple):
    """Something to look at: how many points a selection from three cards has."""

    words: str
    points: Callable[[Group, Group], int]
    of_rank: bool = False


def _of_natural(points: Callable[[Card, list[Card]], int]) -> Callable[[Group, Group], int]:
    """Points for a natural card beside the other natural cards; wild cards have none."""

    def of_selection(group: Group, three: Group) -> int:
        if is_wild(group[0]):
            return 0
        return points(group[0], [card for card in three if card != group[0] and not is_wild(card)])

    return of_selection


def _keys() -> Iterator[Key]:
    yield Key("wild cards, and choose all of them", lambda group, _: sum(map(is_wild, group)))
    yield Key(
        "a card that is not in a pair", _of_natural(lambda one, others: 2 - sum(one.rank == c.rank for c in others))
    )
    yield Key(
        "a suit that the other cards lack", _of_natural(lambda one, others: 2 - sum(one.suit == c.suit for c in others))
    )
    yield Key("a ten or higher", _of_natural(lambda one, _: int(one.rank >= Rank.TEN)))
    yield Key("the highest card", _of_natural(lambda one, _: int(one.rank)), of_rank=True)
    yield Key("the lowest card", _of_natural(lambda one, _: Rank.ACE - one.rank), of_rank=True)
    for doubled in range(2 * Rank.SEVEN, 2 * Rank.JACK + 1):
        yield _nearest_to(doubled)


def _nearest_to(doubled: int) -> Key:
    """To one rank, or to two neighbours when half a rank lies between them."""
    low, high = Rank(doubled // 2), Rank((doubled + 1) // 2)
    words = f"the card nearest to {a_rank(low)}" + ("" if low is high else f" or {high.word}")
    return Key(words, _of_natural(lambda one, _: 2 * Rank.ACE - abs(2 * one.rank - doubled)), of_rank=True)


class KindsOfThree(NamedTuple):
    """One of each kind of three-card hands; hands of a kind differ by suits and by which wild cards they have.

    ``kinds`` tells by the number of three cards which kind they are, ``how_many`` hands are of each, and ``points`` are
    by key, kind and selection.
    """

    numbers: NDArray[np.int64]
    kinds: NDArray[np.int64]
    how_many: NDArray[np.int64]
    points: NDArray[np.int64]


@cache
def _threes() -> KindsOfThree:
    sets = all_sets(3).astype(np.int64)
    wild = np.array([is_wild(card) for card in DECK.kinds()])[sets]
    marks = np.where(wild, 0, sets // 4) @ np.array([1, 16, 256])
    for bit, (one, other) in enumerate(((0, 1), (0, 2), (1, 2)), 12):
        same_suit = (sets[:, one] % 4 == sets[:, other] % 4) & ~wild[:, one] & ~wild[:, other]
        marks += same_suit.astype(np.int64) << bit
    _, numbers, kinds, how_many = np.unique(marks, return_index=True, return_inverse=True, return_counts=True)
    keys = list(_keys())
    points = np.full(
        (len(keys), len(numbers), _SELECTIONS), -1, np.int64
    )  # what cannot be chosen is below all that can
    for kind, number in enumerate(numbers.tolist()):
        three = tuple(of_code(code) for code in sets[number].tolist())
        for at, selection in enumerate(fortune_selections(three)):
            points[:, kind, at] = [key.points(selection.groups[0], three) for key in keys]
    return KindsOfThree(numbers, kinds, how_many, points)


def _lists(keys: list[Key], length: int) -> Iterator[tuple[int, ...]]:
    for order in permutations(range(len(keys)), length):
        if sum(keys[at].of_rank for at in order) <= 1:
            yield order


def simple_strategy(game: FortuneGame) -> SimpleStrategy:
    """The list that was found, in words."""
    keys, (chosen, most) = list(_keys()), _search(game)
    rules = tuple(Rule(f"{'Then' if place else 'First'} look for {keys[at].words}.") for place, at in enumerate(chosen))
    return SimpleStrategy(rules, most, game.best_return)


def simple_choices(game: FortuneGame) -> Choices:
    """What somebody with that list chooses who takes, of what it leaves equal, the first."""
    threes = _threes()
    order, _ = _search(game)
    first = _left(order, threes).argmax(axis=1)[threes.kinds]
    several = {number: tuple(groups)[first[number] - 3] for number, groups in game.several.items() if first[number] > 2}
    return Choices(np.where(first > 2, 0, first), several)


def _search(game: FortuneGame) -> tuple[tuple[int, ...], Fraction]:
    """The best list, unless a shorter one does nearly as well; and what it returns."""
    keys, threes = list(_keys()), _threes()
    values = np.zeros(threes.points.shape[1:], game.single.dtype)
    values[:, :3] = game.single[threes.numbers]
    for kind, number in enumerate(threes.numbers.tolist()):
        several = list(game.several.get(number, {}).values())
        values[kind, 3 : 3 + len(several)] = several
    chosen: tuple[int, ...] = ()
    most: Fraction | None = None
    for length in range(1, MOST_KEYS + 1):
        order = max(_lists(keys, length), key=lambda one: _total(one, threes, values))
        found = game.expected_return(Fraction(_total(order, threes, values), _SHARES))
        if most is None or found - most >= WORTH_A_KEY:
            chosen, most = order, found
    assert most is not None
    return chosen, most


def _left(order: tuple[int, ...], threes: KindsOfThree) -> NDArray[np.bool_]:
    """By kind of hands: which selections a list leaves."""
    points = np.zeros(threes.points.shape[1:], np.int64)
    for at in order:
        points = points * _SCORES + threes.points[at]
    left: NDArray[np.bool_] = points == points.max(axis=1, keepdims=True)
    return left


def _total(order: tuple[int, ...], threes: KindsOfThree, values: NDArray[Any]) -> int:
    """The amounts of all hands under a list, times the shares."""
    left = _left(order, threes)
    shares = _SHARES // left.sum(axis=1)
    return int(((values * left).sum(axis=1) * shares * threes.how_many).sum())
