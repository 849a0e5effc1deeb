"""The rankings of the house: which hand beats which, stated as an order of categories.

A ranking numbers every class of equal hands. The number is the strength; higher is better, and 0 is no hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Final

from cardroom.cards import Deck
from cardroom.hands.category import Category
from cardroom.hands.shape import Ranks, categories, in_order

WILD: Final = 15
"""Stands for a wild card among ranks."""
RANKS: Final = tuple(range(2, 15))


@dataclass(frozen=True, slots=True)
class HandClass:
    """Hands that are equal: one category, one list of ranks in the order of comparison."""

    category: Category
    ranks: Ranks


@dataclass(frozen=True, eq=False)
class Ranking:
    """The order of categories from the lowest up, and what the cards come from. A ranking equals only itself."""

    name: str
    size: int
    """Cards in a hand; from more cards the best hand of this size counts."""
    most: int
    """The largest number of cards the best hand is sought in."""
    deck: Deck
    order: tuple[Category, ...]
    wild_deuces: bool = False

    @property
    def several_decks(self) -> bool:
        """Whether a hand may hold the same card twice."""
        return self.deck.decks > 1

    def classify(self, ranks: Ranks, *, suited: bool) -> HandClass:
        """The class of a hand of the right size; ``WILD`` among the ranks is a wild card."""
        natural = tuple(rank for rank in ranks if rank != WILD)
        wild = len(ranks) - len(natural)
        if wild == self.size and Category.FIVE_WILD_CARDS in self.order:
            return HandClass(Category.FIVE_WILD_CARDS, (WILD,) * wild)
        return max(
            (self._as_played(natural + fill, suited, wild) for fill in combinations_with_replacement(RANKS, wild)),
            key=self._height,
        )

    def _height(self, one: HandClass) -> tuple[int, Ranks]:
        return self.order.index(one.category), one.ranks

    def _as_played(self, ranks: Ranks, suited: bool, wild: int) -> HandClass:
        # One deck has each card once, so a wild card in a flush stands for a rank that the flush lacks.
        one_suit = suited and (self.several_decks or len(set(ranks)) == len(ranks))
        return _best_name(self, tuple(sorted(ranks)), one_suit, wild > 0)

    @cached_property
    def classes(self) -> tuple[HandClass, ...]:
        """Every class from the lowest up; the class at index n has strength n + 1."""
        found = {
            _best_name(self, ranks, suited, wild)
            for ranks in combinations_with_replacement(RANKS, self.size)
            for suited in (False, True)
            for wild in ((False, True) if self.wild_deuces else (False,))
            if self._can_be_dealt(ranks, suited, wild)
        }
        if Category.FIVE_WILD_CARDS in self.order:
            found.add(HandClass(Category.FIVE_WILD_CARDS, (WILD,) * self.size))
        return tuple(sorted(found, key=self._height))

    def _can_be_dealt(self, ranks: Ranks, suited: bool, wild: bool) -> bool:
        if self.several_decks:
            return True
        if suited:
            return len(set(ranks)) == len(ranks)
        return wild or max(map(ranks.count, ranks)) <= 4

    @cached_property
    def strengths(self) -> dict[HandClass, int]:
        """The strength of each class."""
        return {one: number for number, one in enumerate(self.classes, 1)}


@cache
def _best_name(ranking: Ranking, ranks: Ranks, suited: bool, wild: bool) -> HandClass:
    known = []
    for category in categories(ranks, suited=suited):
        name = category
        if category is Category.ROYAL_FLUSH and ranking.wild_deuces:
            # A wild card makes a natural royal impossible (DW-4).
            name = Category.WILD_ROYAL_FLUSH if wild else Category.NATURAL_ROYAL_FLUSH
        if name in ranking.order:
            known.append(name)
    best = max(known, key=ranking.order.index)
    return HandClass(best, in_order(ranks, best))


_C = Category

THREE_CARD: Final = Ranking(
    "three-card",
    size=3,
    most=5,
    deck=Deck.ONE,
    # Sheet 004 rule 5; the mini-royal outranks every other straight flush (TP-7).
    order=(_C.HIGH_CARD, _C.PAIR, _C.FLUSH, _C.STRAIGHT, _C.THREE_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.MINI_ROYAL),
)
"""The best three of three to five cards from one deck."""

THREE_CARD_WILD: Final = Ranking(
    "three-card with wild cards",
    size=3,
    most=3,
    deck=Deck.WITH_JOKER,
    order=THREE_CARD.order,  # Sheet 000 Appendix B pays in the same order
    wild_deuces=True,
)
"""Three cards, with deuces and the joker wild."""

_UP_TO_TRIPS: Final = (_C.HIGH_CARD, _C.PAIR, _C.TWO_PAIR, _C.THREE_OF_A_KIND)
"""What all rankings of four and of five cards agree on, from the bottom up."""

# Sheet 002 Appendix A, from the bottom line up.
_FOUR_CARD_TOP: Final = (_C.FOUR_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH, _C.FOUR_OF_A_KIND_SUITED)

FOUR_CARD: Final = Ranking(
    "four-card", size=4, most=4, deck=Deck.EIGHT, order=(*_UP_TO_TRIPS, _C.FLUSH, _C.STRAIGHT, *_FOUR_CARD_TOP)
)
"""Four cards from several decks."""

_UP_TO_QUADS: Final = (*_UP_TO_TRIPS, _C.STRAIGHT, _C.FLUSH, _C.FULL_HOUSE, _C.FOUR_OF_A_KIND)
"""What all rankings of five cards agree on, from the bottom up."""

FIVE_CARD: Final = Ranking(
    "five-card", size=5, most=7, deck=Deck.ONE, order=(*_UP_TO_QUADS, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH)
)
"""The best five of five to seven cards from one deck."""

# Sheet 000 Appendices A and C, from the bottom line up.
_WILD_TOP: Final = (_C.FIVE_OF_A_KIND, _C.WILD_ROYAL_FLUSH, _C.FIVE_WILD_CARDS, _C.NATURAL_ROYAL_FLUSH)

FIVE_CARD_WILD: Final = Ranking(
    "five-card with wild cards",
    size=5,
    most=7,
    deck=Deck.WITH_JOKER,
    order=(*_UP_TO_QUADS, _C.STRAIGHT_FLUSH, *_WILD_TOP),
    wild_deuces=True,
)
"""The best five of five to seven cards, with deuces and the joker wild."""

# Sheet 002, ranking a to k, from the bottom up; the royal flush is the highest straight flush.
_SIX_DECK_TOP: Final = (_C.FIVE_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH, _C.FIVE_OF_A_KIND_SUITED)

SIX_DECK: Final = Ranking("six-deck", size=5, most=7, deck=Deck.SIX, order=(*_UP_TO_QUADS, *_SIX_DECK_TOP))
"""The best five of five to seven cards from six decks, where five of a kind can be suited."""

RANKINGS: Final = (THREE_CARD, THREE_CARD_WILD, FOUR_CARD, FIVE_CARD, FIVE_CARD_WILD, SIX_DECK)
"""Every ranking of the house."""
