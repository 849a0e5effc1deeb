"""A short list of hands to play and to raise with, found by search.

The family: wild cards, pairs, cards to a flush, to a straight and to a straight flush with more or less gaps and inside
more or less of the ranks. Every list says with which hands to go on; all others are folded.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.hands import is_wild
from cardroom.odds.deuces_wild.ante import AnteGame, Mask, Plan, times_reached
from cardroom.odds.deuces_wild.counts import DECK, all_sets
from cardroom.odds.pricer import Rule, SimpleStrategy

MOST_RULES: Final = 4
"""As many hands as one remembers for a decision."""
_COUNT: Final = {1: "one", 2: "two", 3: "three", 4: "four"}
_ALIKE: Final = {
    2: "a pair or better (a wild card makes one)",
    3: "three of a kind or better, wild cards included",
    4: "four of a kind, wild cards included",
}
_STRAIGHT: Final = 5
_ANY_RANK: Final = (1, int(Rank.ACE))
"""From the ace as the lowest rank to the ace as the highest."""


class Holdings(NamedTuple):
    """Many sets of three or four cards, as far as rules look at them; natural cards are those that are not wild."""

    size: int
    wild: NDArray[np.int64]
    ranks: NDArray[np.int64]
    """The ranks of the natural cards from the lowest up, after a 0 for each wild card."""
    suited: Mask
    """Whether the natural cards are of one suit."""

    @classmethod
    def of(cls, sets: NDArray[np.uint8]) -> Holdings:
        wild = np.array([is_wild(card) for card in DECK.kinds()])[sets]
        ranks = np.sort(np.where(wild, 0, sets // 4 + 2).astype(np.int64), axis=1)
        suits = sets % 4
        suited = np.where(wild, 0, suits).max(axis=1) <= np.where(wild, 3, suits).min(axis=1)
        return cls(sets.shape[1], wild.sum(axis=1), ranks, suited)

    def alike(self, number: int) -> Mask:
        """So many of one rank, wild cards included."""
        same = (self.ranks[:, :, None] == self.ranks[:, None, :]) & (self.ranks[:, :, None] > 0)
        found: Mask = same.sum(axis=2).max(axis=1) + self.wild >= number
        return found

    def repeated(self) -> NDArray[np.int64]:
        """How many natural cards have the rank of another one before them."""
        again = (self.ranks[:, 1:] == self.ranks[:, :-1]) & (self.ranks[:, 1:] > 0)
        number: NDArray[np.int64] = again.sum(axis=1)
        return number

    def connected(self, length: int, lowest: int, highest: int) -> Mask:
        """Whether the natural cards have different ranks inside a row of this length from ``lowest`` to ``highest``."""
        found = np.zeros(len(self.ranks), np.bool_)
        for ace in (1, int(Rank.ACE)):
            ranks = np.where(self.ranks == Rank.ACE, ace, self.ranks)
            low = np.where(ranks > 0, ranks, highest).min(axis=1)
            high = np.where(ranks > 0, ranks, lowest).max(axis=1)
            found |= (low >= lowest) & (high <= highest) & (high - low < length)
        found &= self.repeated() == 0
        return found


class Hands(NamedTuple):
    """Hands that a rule names, and which of some holdings are among them."""

    words: str
    met: Mask


def family(held: Holdings) -> Iterator[Hands]:
    """Every rule that is tried for a decision, the simple ones first."""
    yield from _simple(held)
    for lowest, highest in product(range(Rank.THREE, Rank.NINE), range(Rank.ACE, Rank.EIGHT, -1)):
        within = _within(Rank(lowest), Rank(highest))
        for hands in _connected(held, lowest, highest):
            yield hands._replace(words=f"{hands.words}, {within}")


def _simple(held: Holdings) -> Iterator[Hands]:
    yield Hands("any cards", np.ones(len(held.ranks), np.bool_))
    for number in range(1, held.size + 1):
        yield Hands("a wild card" if number == 1 else f"{_COUNT[number]} wild cards", held.wild >= number)
    for number in range(2, held.size + 1):
        yield Hands(_ALIKE[number], held.alike(number))
    yield Hands("two pair or better, wild cards included", held.repeated() + held.wild >= 2)
    yield Hands(f"{_COUNT[held.size]} to a flush", held.suited)
    yield from _connected(held, *_ANY_RANK)


def _connected(held: Holdings, lowest: int, highest: int) -> Iterator[Hands]:
    cards, most_gaps = _COUNT[held.size], _STRAIGHT - held.size
    for gaps in range(most_gaps, -1, -1):
        met = held.connected(held.size + gaps, lowest, highest)
        if gaps:
            only = "" if gaps == most_gaps else f" with at most {_COUNT[gaps]} gap"
            yield Hands(f"{cards} to a straight flush{only}", met & held.suited)
            yield Hands(f"{cards} to a straight{only}", met)
        else:
            yield Hands(f"{cards} suited in a row", met & held.suited)
            yield Hands(f"{cards} in a row", met)


def _within(lowest: Rank, highest: Rank) -> str:
    if (lowest, highest) == (Rank.THREE, Rank.ACE):
        return "the ace high only"
    below = "" if lowest is Rank.THREE else f"below {a_rank(lowest)}"
    above = "" if highest is Rank.ACE else f"above {a_rank(highest)}"
    return f"none {' or '.join(filter(None, (below, above)))}"


def a_rank(rank: Rank) -> str:
    """A card of this rank in words: ``a five``, ``an eight``."""
    return f"{'an' if rank in (Rank.EIGHT, Rank.ACE) else 'a'} {rank.word}"


class Classes(NamedTuple):
    """Sets of cards that no rule of the family tells apart."""

    of_set: NDArray[np.int64]
    """By the number of a set: its class."""
    words: tuple[str, ...]
    """By rule."""
    met: Mask
    """By rule and class: whether the rule names the hands."""
    simple: int
    """How many of the rules, the first ones, are the simple ones."""

    def covered(self, rules: Sequence[int]) -> Mask:
        """By class: whether one of these rules names the hands."""
        found: Mask = np.logical_or.reduce(self.met[list(rules)], axis=0)
        return found


@cache
def classes(size: int) -> Classes:
    """The classes of all sets of three or four cards."""
    sets = all_sets(size)
    held = Holdings.of(sets)
    marks = held.ranks @ 16 ** np.arange(1, size + 1) + held.suited
    _, first, of_set = np.unique(marks, return_index=True, return_inverse=True)
    one_of_each = Holdings.of(sets[first])
    rules = list(family(one_of_each))
    met = np.array([hands.met for hands in rules])
    return Classes(of_set, tuple(hands.words for hands in rules), met, len(list(_simple(one_of_each))))


def _choose(known: Classes, gains: NDArray[Any]) -> tuple[int, ...]:
    """The rules that gain most over folding everything. Each simple rule is tried as the first of a list."""
    lists = [(), *(_improved(known, gains, [first]) for first in range(known.simple))]

    def gain(rules: tuple[int, ...]) -> Any:
        return gains[known.covered(rules)].sum()

    return max(lists, key=lambda rules: (gain(rules), -len(rules)))


def _improved(known: Classes, gains: NDArray[Any], chosen: list[int]) -> tuple[int, ...]:
    """Rules are added one by one, each the best beside those before it, then exchanged for better ones as long as there
    are any; those that add nothing go."""

    def added(others: list[int]) -> NDArray[Any]:
        left = ~known.covered(others)
        total: NDArray[Any] = known.met[:, left].astype(np.int64) @ gains[left]
        return total

    while len(chosen) < MOST_RULES and (more := added(chosen)).max() > 0:
        chosen.append(int(more.argmax()))
    changed = True
    while changed:
        changed = False
        for rule in list(chosen):
            others = [other for other in chosen if other != rule]
            more = added(others)
            if more.max() > max(more[rule], 0):
                chosen[chosen.index(rule)] = int(more.argmax())
                changed = True
            elif more[rule] <= 0:
                chosen, changed = others, True
    return tuple(chosen)


def _by_class(values: NDArray[Any], size: int) -> NDArray[Any]:
    total = np.zeros(classes(size).met.shape[1], values.dtype)
    np.add.at(total, classes(size).of_set, values)
    return total


def _mask(rules: tuple[int, ...], size: int) -> Mask:
    return classes(size).covered(rules)[classes(size).of_set]


class _Found(NamedTuple):
    """A list for each decision, and what they come to."""

    play_rules: tuple[int, ...]
    raise_rules: tuple[int, ...]
    plan: Plan
    expected_return: Fraction


def simple_strategy(game: AnteGame) -> SimpleStrategy:
    """The lists that were found, in words."""
    found = _search(game)
    rules = (*_told("Play", found.play_rules, 3), *_told("Raise with", found.raise_rules, 4))
    return SimpleStrategy(rules, found.expected_return, game.expected_return(game.best))


def simple_plan(game: AnteGame) -> Plan:
    """With which cards the simple strategy plays and raises."""
    return _search(game).plan


def _search(game: AnteGame) -> _Found:
    """What to raise with hangs on what is played, and the other way round: each is found in turn while that gains."""
    play, best = game.best.play, None
    while True:
        gains = times_reached(play) * (game.raised - game.folded_four)
        raise_rules = _choose(classes(4), _by_class(gains, 4))
        raise_ = _mask(raise_rules, 4)
        play_rules = _choose(classes(3), _by_class(game.played(raise_) - game.folded_three, 3))
        play = _mask(play_rules, 3)
        plan = Plan(play, raise_)
        expected_return = game.expected_return(plan)
        if best is not None and expected_return <= best.expected_return:
            return best
        best = _Found(play_rules, raise_rules, plan, expected_return)


def _told(verb: str, rules: tuple[int, ...], size: int) -> Iterator[Rule]:
    for rule in rules:
        yield Rule(f"{verb} {classes(size).words[rule]}.")
    if not classes(size).covered(rules).all():
        yield Rule(f"Fold {'every other hand' if rules else 'every hand'} of {_COUNT[size]} cards.")
