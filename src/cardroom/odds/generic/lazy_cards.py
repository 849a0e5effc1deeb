"""Lazy cards: a card is dealt, and becomes a certain card only when the rules look at it.

What the rules never look at cannot matter to them. So all deals that differ only in that are one situation, which is
visited once. A game that asks for ranks is walked by ranks; as soon as it asks for a suit, the suit counts as well.
Nothing is assumed about a game: it shows what it looks at by looking.

>>> from cardroom.cards import Deck
>>> from cardroom.games import Pile
>>> unknown = lazy_card(all_cards(Deck.ONE), CardPosition(Place(Pile.HAND, 1), 0))
>>> try:
...     unknown.rank
... except RevealRequest as look:
...     parts = look.card_sets()
>>> len(parts), cards_in(parts[0])
(13, (Card('2c'), Card('2d'), Card('2h'), Card('2s')))
>>> lazy_card(parts[0], unknown.position).rank
Rank.TWO

The number of deals of cards that are partly known:

>>> from cardroom.cards import Deck, Rank
>>> aces, clubs = (sum(1 << one.code for one in Deck.ONE.distinct_cards() if fits(one))
...     for fits in (lambda one: one.rank is Rank.ACE, lambda one: str(one).endswith("c")))
>>> count_deals((aces, aces), Deck.ONE), count_deals((aces, clubs), Deck.ONE), count_deals((aces, aces), Deck.SIX)
(12, 51, 552)
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from math import factorial
from typing import NamedTuple, TypeAlias

from cardroom.cards import Card, Deck, Rank, Suit
from cardroom.cards.card import card_from_code
from cardroom.games import Place

CardSet: TypeAlias = int
"""Which cards it can be: the bits of their codes."""


class CardPosition(NamedTuple):
    """Where a card lies: the place, and its number there."""

    place: Place
    number: int


class Aspect(Enum):
    """What one can look at."""

    JOKER = "joker"
    RANK = "rank"
    SUIT = "suit"
    COLOR = "color"
    CARD = "card"


_ASPECT_VALUES: dict[Aspect, Callable[[Card], object]] = {
    Aspect.JOKER: lambda card: card.is_joker,
    Aspect.RANK: lambda card: card.rank if not card.is_joker else None,
    Aspect.SUIT: lambda card: card.suit if not card.is_joker else None,
    Aspect.COLOR: lambda card: card.is_red if not card.is_joker else None,
    Aspect.CARD: lambda card: card,
}


class RevealRequest(BaseException):
    """Somebody looks at a card that has not been turned. Not a fault: no rule may catch it on its way."""

    def __init__(self, card: LazyCard, aspect: Aspect) -> None:
        super().__init__(f"{card.position.place} {aspect.value}")
        self.position = card.position
        self.card_set = card.card_set
        self.aspect = aspect

    def card_sets(self) -> tuple[CardSet, ...]:
        """What the card can turn out to be, told apart only as far as somebody looks."""
        return split_by_aspect(self.card_set, self.aspect)


class LazyCard(Card):
    """A card of which not everything is known."""

    __slots__ = ("card_set", "position")
    card_set: CardSet
    position: CardPosition

    def __init__(self, card_set: CardSet, position: CardPosition) -> None:
        # The code of the card is left unset: it is asked for below.
        object.__setattr__(self, "card_set", card_set)
        object.__setattr__(self, "position", position)

    def _known_card(self, aspect: Aspect) -> Card:
        """Any of the cards that it can be, when they are all alike in this."""
        if len(split_by_aspect(self.card_set, aspect)) > 1:
            raise RevealRequest(self, aspect)
        return _first(self.card_set)

    @property
    def code(self) -> int:
        return self._known_card(Aspect.CARD).code

    @property
    def is_joker(self) -> bool:
        return self._known_card(Aspect.JOKER).is_joker

    @property
    def rank(self) -> Rank:
        return self._known_card(Aspect.RANK).rank

    @property
    def suit(self) -> Suit:
        return self._known_card(Aspect.SUIT).suit

    @property
    def is_red(self) -> bool:
        return self._known_card(Aspect.COLOR).is_red

    # A card compares by its code, so whoever compares two looks at them whole.

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(card_from_code(self.code))

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __le__(self, other: Card) -> bool:
        return self.code <= other.code

    def __gt__(self, other: Card) -> bool:
        return self.code > other.code

    def __ge__(self, other: Card) -> bool:
        return self.code >= other.code


def lazy_card(card_set: CardSet, position: CardPosition) -> Card:
    """A card that can be any of these; when it can be only one, that card."""
    return LazyCard(card_set, position) if card_set & (card_set - 1) else _first(card_set)


def possible_cards(card: Card) -> CardSet:
    """Which cards it can be."""
    return card.card_set if isinstance(card, LazyCard) else 1 << card.code


@cache
def all_cards(deck: Deck) -> CardSet:
    """A card of which nothing is known."""
    return sum(1 << card.code for card in deck.distinct_cards())


@cache
def cards_in(card_set: CardSet) -> tuple[Card, ...]:
    """The cards that it can be."""
    return tuple(card_from_code(code) for code in range(card_set.bit_length()) if card_set >> code & 1)


def _first(card_set: CardSet) -> Card:
    return card_from_code((card_set & -card_set).bit_length() - 1)


@cache
def split_by_aspect(card_set: CardSet, aspect: Aspect) -> tuple[CardSet, ...]:
    """The same cards in parts that differ in one aspect."""
    parts: dict[object, CardSet] = {}
    for card in cards_in(card_set):
        value = _ASPECT_VALUES[aspect](card)
        parts[value] = parts.get(value, 0) | 1 << card.code
    return tuple(parts.values())


def known_card_sets(card_sets: tuple[CardSet, ...], deck: Deck) -> tuple[CardSet, ...]:
    """Those of which something is known, in one order. The others can be any that are left, whatever these are."""
    full_set = all_cards(deck)
    return tuple(sorted(card_set for card_set in card_sets if card_set != full_set))


@cache
def count_deals(card_sets: tuple[CardSet, ...], deck: Deck) -> int:
    """The number of ordered deals in which each card is one of those that it can be."""
    by_size = sorted(card_sets, key=lambda card_set: (card_set.bit_count(), card_set))
    total = 1
    for index, card_set_at in enumerate(by_size):
        contained = 0
        for smaller in by_size[:index]:
            shared = card_set_at & smaller
            if shared and shared != smaller:
                return _count_overlapping(tuple(by_size), deck)
            contained += shared != 0
        # Each of the narrower ones has taken one of these cards, or none.
        total *= max(_copies(card_set_at, deck) - contained, 0)
    return total


@cache
def _copies(card_set: CardSet, deck: Deck) -> int:
    return sum(deck.count_copies(card) for card in cards_in(card_set))


@cache
def _count_overlapping(card_sets: tuple[CardSet, ...], deck: Deck) -> int:
    """The same where one is known by its rank and another by its suit: all choices, less those in which one card was
    chosen for several. In each group that shares a card with the first, the cards stand for one; the sign alternates
    with the size of the group."""
    if not card_sets:
        return 1
    first_set, other_sets = card_sets[0], card_sets[1:]
    total = 0
    for subset in range(1 << len(other_sets)):
        shared, rest, size = first_set, [], 0
        for index, card_set in enumerate(other_sets):
            if subset >> index & 1:
                shared &= card_set
                size += 1
            else:
                rest.append(card_set)
        if shared:
            total += (-1) ** size * factorial(size) * _copies(shared, deck) * _count_overlapping(tuple(rest), deck)
    return total
