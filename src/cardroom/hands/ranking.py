"""Rankings of poker hands: categories, the order of hands, and how a dealer calls a hand.

A hand is classified by its ranks and by whether it is of one suit.

>>> sorted(find_categories((13, 13, 13, 4, 4), suited=False))
[Category.FULL_HOUSE, Category.HIGH_CARD]
>>> straight_top((14, 2, 3)), straight_top((13, 14, 2))
(3, None)

A ranking is an order of categories. It numbers every class of equal hands. The number is the strength: higher is
better, and 0 means no hand.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache, cached_property
from itertools import combinations_with_replacement
from typing import Any, Final

from cardroom.cards import Deck, Rank
from cardroom.enums import TypeableEnum
from cardroom.translation import gettext, gettext_noop


class Category(TypeableEnum, StrEnum):
    """The name of a kind of hand. The ranking decides which category is higher."""

    HIGH_CARD = "high card"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    THREE_OF_A_KIND = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    FOUR_OF_A_KIND = "four of a kind"
    FIVE_OF_A_KIND = "five of a kind"
    STRAIGHT_FLUSH = "straight flush"
    MINI_ROYAL = "mini-royal"
    ROYAL_FLUSH = "royal flush"
    NATURAL_ROYAL_FLUSH = "natural royal flush"
    WILD_ROYAL_FLUSH = "wild royal flush"
    FIVE_WILD_CARDS = "five wild cards"
    FOUR_OF_A_KIND_SUITED = "suited four of a kind"
    FIVE_OF_A_KIND_SUITED = "suited five of a kind"

    @property
    def slug(self) -> str:
        """The usual name of its line on a paytable.

        >>> Category.THREE_OF_A_KIND.slug
        'three-of-a-kind'
        """
        return self.replace(" ", "-")


SUITED_CATEGORIES = frozenset(
    {
        Category.FLUSH,
        Category.STRAIGHT_FLUSH,
        Category.MINI_ROYAL,
        Category.ROYAL_FLUSH,
        Category.NATURAL_ROYAL_FLUSH,
        Category.WILD_ROYAL_FLUSH,
        Category.FOUR_OF_A_KIND_SUITED,
        Category.FIVE_OF_A_KIND_SUITED,
    }
)
"""The hands whose cards are all of one suit."""


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

_SUITED_KINDS: Final = {4: Category.FOUR_OF_A_KIND_SUITED, 5: Category.FIVE_OF_A_KIND_SUITED}


def straight_top(ranks: Ranks) -> int | None:
    """The highest card of a straight, or None. The ace plays high and low, but not in the middle."""
    ordered = sorted(ranks)
    length = len(ordered)
    if ordered == list(range(ordered[0], ordered[0] + length)):
        return ordered[-1]
    if ordered[-1] == ACE and ordered[:-1] == list(range(2, length + 1)):
        return length
    return None


def find_categories(ranks: Ranks, *, suited: bool) -> Iterator[Category]:
    """All categories that these cards meet; the ranking uses its highest."""
    yield Category.HIGH_CARD
    group_sizes = tuple(sorted((count for count in map(ranks.count, set(ranks)) if count > 1), reverse=True))
    if group_sizes:
        yield _BY_COUNTS[group_sizes]
    top = straight_top(ranks)
    if top is not None:
        yield Category.STRAIGHT
    if suited:
        yield Category.FLUSH
        if top is not None:
            yield Category.STRAIGHT_FLUSH
        if top == ACE:
            yield Category.MINI_ROYAL if len(ranks) == 3 else Category.ROYAL_FLUSH
        if group_sizes == (len(ranks),) and len(ranks) in _SUITED_KINDS:
            yield _SUITED_KINDS[len(ranks)]


def comparison_order(ranks: Ranks, category: Category) -> Ranks:
    """The ranks in the order in which two hands of this category are compared."""
    top = straight_top(ranks)
    if top is not None:
        # In a low straight the ace is last, below the two.
        return tuple(ACE if rank == 1 else rank for rank in range(top, top - len(ranks), -1))
    if category is Category.FLUSH:
        return tuple(sorted(ranks, reverse=True))
    return tuple(sorted(ranks, key=lambda rank: (ranks.count(rank), rank), reverse=True))


WILD: Final = 15
"""The rank of a wild card."""
RANKS: Final = tuple(range(2, 15))


@dataclass(frozen=True, slots=True)
class HandClass:
    """A class of equal hands: the category, and the ranks in the order of comparison."""

    category: Category
    ranks: Ranks


@dataclass(frozen=True, eq=False, repr=False)
class Ranking:
    """The order of categories from the lowest up, and the deck. A ranking equals only itself.

    >>> THREE_CARD, THREE_CARD.size
    (THREE_CARD, 3)
    """

    name: str
    size: int
    """The number of cards in a hand; of more cards the best hand of this size counts."""
    max_cards: int
    """The most cards that a hand can be chosen from."""
    deck: Deck
    order: tuple[Category, ...]
    wild_deuces: bool = False

    def __repr__(self) -> str:
        if self in RANKINGS:
            return _constant_name(self)
        values = ", ".join(f"{field.name}={getattr(self, field.name)!r}" for field in fields(self))
        return f"Ranking({values})"

    def __reduce__(self) -> str | tuple[Any, ...]:
        """A ranking of this module stays itself in a copy and in another process."""
        return _constant_name(self) if self in RANKINGS else super().__reduce__()

    @property
    def has_several_decks(self) -> bool:
        """Whether a hand may have the same card twice."""
        return self.deck.decks > 1

    def classify(self, ranks: Ranks, *, suited: bool) -> HandClass:
        """The class of a hand of the right size; ``WILD`` among the ranks is a wild card."""
        natural = tuple(rank for rank in ranks if rank != WILD)
        wild = len(ranks) - len(natural)
        if wild == self.size and Category.FIVE_WILD_CARDS in self.order:
            return HandClass(Category.FIVE_WILD_CARDS, (WILD,) * wild)
        return max(
            (
                self._classify_filled(natural + fill, suited, wild)
                for fill in combinations_with_replacement(RANKS, wild)
            ),
            key=self._sort_key,
        )

    def _sort_key(self, hand_class: HandClass) -> tuple[int, Ranks]:
        return self.order.index(hand_class.category), hand_class.ranks

    def _classify_filled(self, ranks: Ranks, suited: bool, wild: int) -> HandClass:
        # One deck has each card once, so a wild card in a flush is a rank that the flush lacks.
        one_suit = suited and (self.has_several_decks or len(set(ranks)) == len(ranks))
        return _best_class(self, tuple(sorted(ranks)), one_suit, wild > 0)

    @cached_property
    def classes(self) -> tuple[HandClass, ...]:
        """Every class from the lowest up; the class at index n has strength n + 1."""
        hand_classes = {
            _best_class(self, ranks, suited, wild)
            for ranks in combinations_with_replacement(RANKS, self.size)
            for suited in (False, True)
            for wild in ((False, True) if self.wild_deuces else (False,))
            if self._is_possible(ranks, suited, wild)
        }
        if Category.FIVE_WILD_CARDS in self.order:
            hand_classes.add(HandClass(Category.FIVE_WILD_CARDS, (WILD,) * self.size))
        return tuple(sorted(hand_classes, key=self._sort_key))

    def _is_possible(self, ranks: Ranks, suited: bool, wild: bool) -> bool:
        if self.has_several_decks:
            return True
        if suited:
            return len(set(ranks)) == len(ranks)
        return wild or max(map(ranks.count, ranks)) <= 4

    @cached_property
    def strengths(self) -> dict[HandClass, int]:
        """The strength of each class."""
        return {hand_class: number for number, hand_class in enumerate(self.classes, 1)}


@cache
def _best_class(ranking: Ranking, ranks: Ranks, suited: bool, wild: bool) -> HandClass:
    candidates = []
    for category in find_categories(ranks, suited=suited):
        name = category
        if category is Category.ROYAL_FLUSH and ranking.wild_deuces:
            # A wild card makes a natural royal impossible (DW-4).
            name = Category.WILD_ROYAL_FLUSH if wild else Category.NATURAL_ROYAL_FLUSH
        if name in ranking.order:
            candidates.append(name)
    best = max(candidates, key=ranking.order.index)
    return HandClass(best, comparison_order(ranks, best))


_C = Category

THREE_CARD: Final = Ranking(
    "three-card",
    size=3,
    max_cards=5,
    deck=Deck.ONE,
    # Sheet 004 rule 5; the mini-royal outranks every other straight flush (TP-7).
    order=(_C.HIGH_CARD, _C.PAIR, _C.FLUSH, _C.STRAIGHT, _C.THREE_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.MINI_ROYAL),
)
"""The best three of three to five cards from one deck."""

THREE_CARD_WILD: Final = Ranking(
    "three-card with wild cards",
    size=3,
    max_cards=3,
    deck=Deck.WITH_JOKER,
    order=THREE_CARD.order,  # Sheet 000 Appendix B pays in the same order
    wild_deuces=True,
)
"""Three cards, with deuces and the joker wild."""

_UP_TO_TRIPS: Final = (_C.HIGH_CARD, _C.PAIR, _C.TWO_PAIR, _C.THREE_OF_A_KIND)
"""The lowest categories of all rankings of four and five cards, from the bottom up."""

# Sheet 002 Appendix A, from the bottom line up.
_FOUR_CARD_TOP: Final = (_C.FOUR_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH, _C.FOUR_OF_A_KIND_SUITED)

FOUR_CARD: Final = Ranking(
    "four-card", size=4, max_cards=4, deck=Deck.EIGHT, order=(*_UP_TO_TRIPS, _C.FLUSH, _C.STRAIGHT, *_FOUR_CARD_TOP)
)
"""Four cards from several decks."""

_UP_TO_QUADS: Final = (*_UP_TO_TRIPS, _C.STRAIGHT, _C.FLUSH, _C.FULL_HOUSE, _C.FOUR_OF_A_KIND)
"""The lowest categories of all rankings of five cards, from the bottom up."""

FIVE_CARD: Final = Ranking(
    "five-card", size=5, max_cards=7, deck=Deck.ONE, order=(*_UP_TO_QUADS, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH)
)
"""The best five of five to seven cards from one deck."""

# Sheet 000 Appendices A and C, from the bottom line up.
_WILD_TOP: Final = (_C.FIVE_OF_A_KIND, _C.WILD_ROYAL_FLUSH, _C.FIVE_WILD_CARDS, _C.NATURAL_ROYAL_FLUSH)

FIVE_CARD_WILD: Final = Ranking(
    "five-card with wild cards",
    size=5,
    max_cards=7,
    deck=Deck.WITH_JOKER,
    order=(*_UP_TO_QUADS, _C.STRAIGHT_FLUSH, *_WILD_TOP),
    wild_deuces=True,
)
"""The best five of five to seven cards, with deuces and the joker wild."""

# Sheet 002, ranking a to k, from the bottom up; the royal flush is the highest straight flush.
_SIX_DECK_TOP: Final = (_C.FIVE_OF_A_KIND, _C.STRAIGHT_FLUSH, _C.ROYAL_FLUSH, _C.FIVE_OF_A_KIND_SUITED)

SIX_DECK: Final = Ranking("six-deck", size=5, max_cards=7, deck=Deck.SIX, order=(*_UP_TO_QUADS, *_SIX_DECK_TOP))
"""The best five of five to seven cards from six decks, where five of a kind can be suited."""

RANKINGS: Final = (THREE_CARD, THREE_CARD_WILD, FOUR_CARD, FIVE_CARD, FIVE_CARD_WILD, SIX_DECK)
"""Every ranking that the games use."""


def _constant_name(ranking: Ranking) -> str:
    return next(name for name, value in globals().items() if value is ranking)


_COUNTS: Final = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}
_NAMED_FULLY: Final = frozenset(
    {
        Category.MINI_ROYAL,
        Category.ROYAL_FLUSH,
        Category.NATURAL_ROYAL_FLUSH,
        Category.WILD_ROYAL_FLUSH,
        Category.FIVE_WILD_CARDS,
    }
)


def describe_hand_class(hand_class: HandClass, wild: int = 0) -> str:
    """The hand as a dealer calls it, in the language of the current request.

    >>> describe_hand_class(HandClass(Category.FULL_HOUSE, (13, 13, 13, 4, 4)))
    'full house, kings over fours'
    >>> describe_hand_class(HandClass(Category.FIVE_OF_A_KIND, (9, 9, 9, 9, 9)), wild=2)
    'five of a kind, nines, two wild'
    """
    is_complete = hand_class.category in _NAMED_FULLY
    text = gettext(hand_class.category.value) if is_complete else _describe_with_ranks(hand_class)
    if wild and hand_class.category is not Category.FIVE_WILD_CARDS:
        text = gettext("{hand}, {count} wild").format(hand=text, count=gettext(_COUNTS[wild]))
    return text


def rank_word(rank: int) -> str:
    """A rank as a word: ``six``, ``ace``."""
    return gettext(Rank(rank).word)


def rank_plural(rank: int) -> str:
    """Several cards of a rank: ``sixes``, ``aces``."""
    return gettext(Rank(rank).plural)


def _describe_with_ranks(hand_class: HandClass) -> str:
    name, ranks = gettext(hand_class.category.value), hand_class.ranks
    match hand_class.category:
        case Category.HIGH_CARD:
            labels = "-".join(Rank(rank).label for rank in ranks)
            return gettext("{rank} high, {ranks}").format(rank=rank_word(ranks[0]), ranks=labels)
        case Category.PAIR:
            text = gettext("pair of {ranks}, {kicker} kicker")
            return text.format(ranks=rank_plural(ranks[0]), kicker=rank_word(ranks[2]))
        case Category.TWO_PAIR if len(ranks) == 4:
            text = gettext("two pair, {high} and {low}")
            return text.format(high=rank_plural(ranks[0]), low=rank_plural(ranks[2]))
        case Category.TWO_PAIR:
            text = gettext("two pair, {high} and {low}, {kicker} kicker")
            return text.format(high=rank_plural(ranks[0]), low=rank_plural(ranks[2]), kicker=rank_word(ranks[4]))
        case Category.FULL_HOUSE:
            text = gettext("full house, {trips} over {pair}")
            return text.format(trips=rank_plural(ranks[0]), pair=rank_plural(ranks[3]))
        case Category.STRAIGHT | Category.FLUSH | Category.STRAIGHT_FLUSH:
            return gettext("{hand}, {rank} high").format(hand=name, rank=rank_word(ranks[0]))
        case _:
            return gettext("{hand}, {ranks}").format(hand=name, ranks=rank_plural(ranks[0]))


_TRANSLATED_NAMES: Final = (
    gettext_noop("high card"),
    gettext_noop("pair"),
    gettext_noop("two pair"),
    gettext_noop("three of a kind"),
    gettext_noop("straight"),
    gettext_noop("flush"),
    gettext_noop("full house"),
    gettext_noop("four of a kind"),
    gettext_noop("five of a kind"),
    gettext_noop("straight flush"),
    gettext_noop("mini-royal"),
    gettext_noop("royal flush"),
    gettext_noop("natural royal flush"),
    gettext_noop("wild royal flush"),
    gettext_noop("five wild cards"),
    gettext_noop("suited four of a kind"),
    gettext_noop("suited five of a kind"),
    *(gettext_noop("two"), gettext_noop("three"), gettext_noop("four"), gettext_noop("five"), gettext_noop("six")),
    *(gettext_noop("seven"), gettext_noop("eight"), gettext_noop("nine"), gettext_noop("ten")),
    *(gettext_noop("jack"), gettext_noop("queen"), gettext_noop("king"), gettext_noop("ace"), gettext_noop("one")),
    *(
        gettext_noop("twos"),
        gettext_noop("threes"),
        gettext_noop("fours"),
        gettext_noop("fives"),
        gettext_noop("sixes"),
    ),
    *(gettext_noop("sevens"), gettext_noop("eights"), gettext_noop("nines"), gettext_noop("tens")),
    *(gettext_noop("jacks"), gettext_noop("queens"), gettext_noop("kings"), gettext_noop("aces")),
)
"""The names of categories and ranks, marked for the translators."""
