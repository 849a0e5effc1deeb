"""A strategy for people: a way to set six cards, and the low hands to double with.

Every way is tried with every pair of lowest hands to double with: one for a high hand of some kind or better, and one
for the rest.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import comb
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.games import Decision, Pile, Verb, View
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.games.three_card_double_play.rules import SET_QUESTION
from cardroom.hands import THREE_CARD, Category
from cardroom.hands.words import words
from cardroom.odds.play import asked, own_cards
from cardroom.odds.pricer import Rule, SimpleStrategy
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, STRENGTHS
from cardroom.odds.three_card_double_play.setting import KIND_OF, KINDS, LowHandPays, SetHands
from cardroom.odds.three_card_double_play.ways import ALL, BOTH_WIN, HIGH_WINS, SetBy, Way, all_ways, set_by, sums

DEALS: Final = comb(52, 6) * DEALER_HANDS


@dataclass(frozen=True)
class Doubling:
    """Double with a low hand of this strength or better; with a high hand of some kind or better, of that one."""

    lowest: int
    kind: int | None = None
    lowest_with_kind: int | None = None

    def doubled(self, hands: SetBy) -> NDArray[np.bool_]:
        """Which hands are doubled."""
        lowest = np.array([self.lowest_beside(kind) for kind in range(len(KINDS))])
        found: NDArray[np.bool_] = hands.low_strengths >= lowest[hands.high_kinds]
        return found

    def lowest_beside(self, high_kind: int) -> int:
        """The lowest low hand to double with, beside a high hand of this kind."""
        if self.kind is None or self.lowest_with_kind is None or high_kind < self.kind:
            return self.lowest
        return self.lowest_with_kind

    def words(self) -> Iterator[str]:
        if self.kind is None or self.lowest_with_kind is None:
            yield _doubled("double", self.lowest)
        else:
            yield _doubled(f"with {_kind_or_better(self.kind)} in the high hand, double", self.lowest_with_kind)
            yield _doubled("with less in the high hand, double", self.lowest)
        yield "else stand"


class _Found(NamedTuple):
    """A strategy that was tried, and what it wins over all deals, times the scale of the pays."""

    total: int
    way: Way
    doubling: Doubling


def simple_strategy(pays: LowHandPays, best_return: Fraction) -> SimpleStrategy:
    """The best of the family, in words."""
    total, way, doubling = _search(pays)
    first, *others = way.words()
    rules = (f"setting, first: {first}", *(f"then: {aim}" for aim in others), *doubling.words())
    return SimpleStrategy(tuple(map(Rule, rules)), Fraction(total, pays.scale * DEALS), best_return)


def simple_settings(pays: LowHandPays) -> SetHands:
    """How the best of the family sets and doubles every hand."""
    _, way, doubling = _search(pays)
    hands = set_by(way)
    return SetHands(hands.settings, doubling.doubled(hands))


@dataclass(frozen=True)
class SetAndDouble:
    """Sets one hand at a time by a way, and doubles with what came of it."""

    order: tuple[int, ...]
    low_first: bool
    doubling: Doubling

    def __call__(self, seen: View) -> Decision:
        six, turn = own_cards(seen, Pile.HAND), asked(seen)
        if turn.question == SET_QUESTION:
            return max(divisions(six), key=self._preference).decision
        answer = seen.decisions[turn.seat, SET_QUESTION]
        chosen = next(one for one in divisions(six) if answer in one.decisions)
        lowest = self.doubling.lowest_beside(int(KIND_OF[chosen.high.strength]))
        return Decision(Verb.DOUBLE if chosen.low.strength >= lowest else Verb.STAND)

    def _preference(self, one: Division) -> tuple[int, ...]:
        high, low = one.high.strength, one.low.strength
        kinds = int(KIND_OF[high]) * len(KINDS) + int(KIND_OF[low])
        return self.order[kinds], *((low, high) if self.low_first else (high, low))


def simple_play(pays: LowHandPays) -> SetAndDouble:
    """The best of the family as answers to one hand."""
    _, way, doubling = _search(pays)
    return SetAndDouble(way.order, way.low_first, doubling)


def _search(pays: LowHandPays) -> _Found:
    """The best of the family under a table."""
    results, most = pays.scaled, pays.scaled.most * DEALS
    exact: Any = np.int64 if most <= np.iinfo(np.int64).max else np.object_  # whole numbers of any length, but slow
    deals = sums().astype(exact)
    nets = deals[..., BOTH_WIN] * results.both_win.astype(exact)
    nets += results.high_wins_alone * (deals[..., HIGH_WINS] - deals[..., BOTH_WIN])
    nets += results.dealer_wins * (deals[..., ALL] - deals[..., HIGH_WINS])
    best: _Found | None = None
    for way, net in zip(all_ways(), nets, strict=True):
        for gain, doubling in _doublings(net):
            total = int(net.sum()) + gain
            if best is None or total > best.total:
                best = _Found(total, way, doubling)
    assert best is not None
    return best


def _doublings(net: NDArray[Any]) -> Iterator[tuple[int, Doubling]]:
    """For each way to double the strengths that gain the most, and what they gain: as much again as is won so."""
    gain, lowest = _best_lowest(net.sum(axis=0))
    yield gain, Doubling(lowest)
    for kind in range(1, len(KINDS)):
        gain, lowest = _best_lowest(net[:kind].sum(axis=0))
        gain_with_kind, lowest_with_kind = _best_lowest(net[kind:].sum(axis=0))
        yield gain + gain_with_kind, Doubling(lowest, kind, lowest_with_kind)


def _best_lowest(net: NDArray[Any]) -> tuple[int, int]:
    """The most that hands of some strength or better win together, and that strength; past the last one: none."""
    from_here = [*np.cumsum(net[::-1])[::-1].tolist(), 0]
    most = max(from_here)
    return most, from_here.index(most)


def _doubled(text: str, lowest: int) -> str:
    if lowest >= STRENGTHS:
        return f"{text} never"
    if lowest <= 1:
        return f"{text} always"
    return f"{text} when the low hand is {hand_or_better(lowest)}"


_ARTICLES: Final = {Category.THREE_OF_A_KIND: "trips", Category.HIGH_CARD: "high cards"}


def _kind_or_better(kind: int) -> str:
    category = KINDS[kind]
    name = _ARTICLES.get(category, f"a {category.value}")
    return name if category is KINDS[-1] else f"{name} or better"


def hand_or_better(strength: int) -> str:
    """A hand and all above it, in as few words as do.

    >>> from cardroom.cards import cards
    >>> from cardroom.hands import rank_strength
    >>> [hand_or_better(rank_strength(THREE_CARD, cards(text))) for text in ("Qh 6d 4c", "Ah 4d 2c", "Jh Jd 2c")]
    ['Q-6-4 or better', 'ace high or better', 'a pair of jacks or better']
    """
    one = THREE_CARD.classes[strength - 1]
    below = THREE_CARD.classes[strength - 2] if strength > 1 else None
    if below is None or below.category is not one.category:
        return _kind_or_better(KINDS.index(one.category))
    top = Rank(one.ranks[0])
    first_of_its_rank = below.ranks[0] != one.ranks[0]
    match one.category:
        case Category.HIGH_CARD if first_of_its_rank:
            return f"{top.word} high or better"
        case Category.PAIR if first_of_its_rank:
            return f"a pair of {top.plural} or better"
        case Category.HIGH_CARD | Category.PAIR:
            return f"{'-'.join(Rank(rank).letter for rank in one.ranks)} or better"
        case Category.FLUSH:
            return f"a flush of {'-'.join(Rank(rank).letter for rank in one.ranks)} or better"
        case _:
            return f"{words(one)}, or better"
