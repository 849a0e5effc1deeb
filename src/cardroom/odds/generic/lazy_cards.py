"""Lazy cards: a dealt card becomes a specific card only when the rules look at it.

What the rules never look at cannot change the result. So all deals that differ only in that are one situation, which
the search visits once. If a game looks only at ranks, the search goes by ranks; when the game looks at a suit, the
search splits by suit too. Nothing is assumed about a game: its own reads show what matters.

>>> from cardroom.cards import Deck
>>> from cardroom.games import Pile
>>> unknown = lazy_card(all_cards(Deck.ONE), CardPosition(Place(Pile.HAND, 1), 0))
>>> try:
...     unknown.rank
... except RevealRequest as request:
...     parts = request.card_sets()
>>> len(parts), cards_in(parts[0])
(13, (Card('2c'), Card('2d'), Card('2h'), Card('2s')))
>>> lazy_card(parts[0], unknown.position).rank
Rank.TWO

The number of deals of cards that are partly known:

>>> from cardroom.cards import Deck, Rank
>>> aces, clubs = (sum(1 << card.code for card in Deck.ONE.distinct_cards() if fits(card))
...     for fits in (lambda card: card.rank is Rank.ACE, lambda card: str(card).endswith("c")))
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
"""The cards that a card can be, as bits of their codes."""


class CardPosition(NamedTuple):
    """The position of a card: its place, and its number there."""

    place: Place
    number: int


class Aspect(Enum):
    """What the rules can look at."""

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
    """The rules look at a card that is not yet known. This is not an error, so no rule may catch it."""

    def __init__(self, card: LazyCard, aspect: Aspect) -> None:
        super().__init__(f"{card.position.place} {aspect.value}")
        self.position = card.position
        self.card_set = card.card_set
        self.aspect = aspect

    def card_sets(self) -> tuple[CardSet, ...]:
        """The sets of cards that the rules can tell apart with this look."""
        return split_by_aspect(self.card_set, self.aspect)


class LazyCard(Card):
    """A card that is only partly known."""

    __slots__ = ("card_set", "position")
    card_set: CardSet
    position: CardPosition

    def __new__(cls, card_set: CardSet, position: CardPosition) -> LazyCard:
        card = object.__new__(cls)
        # The code of the card stays unset: it is a property here.
        object.__setattr__(card, "card_set", card_set)
        object.__setattr__(card, "position", position)
        return card

    def _known_card(self, aspect: Aspect) -> Card:
        """Any of the possible cards if they agree in this aspect; otherwise a request to reveal it."""
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

    # Cards compare by code, so a comparison looks at the whole of both cards.

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
    """A card that can be any of these; if there is only one, that card."""
    return LazyCard(card_set, position) if card_set & (card_set - 1) else _first(card_set)


def possible_cards(card: Card) -> CardSet:
    """The cards of a set."""
    return card.card_set if isinstance(card, LazyCard) else 1 << card.code


@cache
def all_cards(deck: Deck) -> CardSet:
    """The set of an unknown card."""
    return sum(1 << card.code for card in deck.distinct_cards())


@cache
def cards_in(card_set: CardSet) -> tuple[Card, ...]:
    """The cards of a set."""
    return tuple(card_from_code(code) for code in range(card_set.bit_length()) if card_set >> code & 1)


def _first(card_set: CardSet) -> Card:
    return card_from_code((card_set & -card_set).bit_length() - 1)


@cache
def split_by_aspect(card_set: CardSet, aspect: Aspect) -> tuple[CardSet, ...]:
    """The same cards, divided by one aspect."""
    parts: dict[object, CardSet] = {}
    for card in cards_in(card_set):
        value = _ASPECT_VALUES[aspect](card)
        parts[value] = parts.get(value, 0) | 1 << card.code
    return tuple(parts.values())


def known_card_sets(card_sets: tuple[CardSet, ...], deck: Deck) -> tuple[CardSet, ...]:
    """The sets of partly known cards, sorted. The other cards can be any that are left."""
    full_set = all_cards(deck)
    return tuple(sorted(card_set for card_set in card_sets if card_set != full_set))


@cache
def count_deals(card_sets: tuple[CardSet, ...], deck: Deck) -> int:
    """The number of ordered deals in which each card is in its set."""
    by_size = sorted(card_sets, key=lambda card_set: (card_set.bit_count(), card_set))
    total = 1
    for index, card_set_at in enumerate(by_size):
        contained = 0
        for smaller in by_size[:index]:
            shared = card_set_at & smaller
            if shared and shared != smaller:
                return _count_overlapping(tuple(by_size), deck)
            contained += shared != 0
        # Each narrower set has taken one of these cards, or none.
        total *= max(_copies(card_set_at, deck) - contained, 0)
    return total


@cache
def _copies(card_set: CardSet, deck: Deck) -> int:
    return sum(deck.count_copies(card) for card in cards_in(card_set))


@cache
def _count_overlapping(card_sets: tuple[CardSet, ...], deck: Deck) -> int:
    """The same for overlapping sets, such as a rank and a suit: all choices, minus those that choose one card for
    several positions. Each group that shares a card with the first counts as one card; the sign alternates with the
    size of the group."""
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
