"""Cards that nobody has turned over yet: a card is dealt, and only when the rules look at it does it become one.

What the rules never look at cannot matter to them. So all deals that differ only in that are one situation, and it is
met once. A game that asks for ranks is walked by ranks; as soon as it asks for a suit, the suit counts as well. Nothing
is assumed about a game: it shows what it looks at by looking.

>>> from cardroom.cards import Deck
>>> unknown = unturned(every_card(Deck.ONE), Position(Place(Pile.HAND, 1), 0))
>>> try:
...     unknown.rank
... except Look as look:
...     parts = look.parts()
>>> len(parts), cards_in(parts[0])
(13, (Card('2c'), Card('2d'), Card('2h'), Card('2s')))
>>> unturned(parts[0], unknown.position).rank
<Rank.TWO: 2>
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import NamedTuple, TypeAlias

from cardroom.cards import Card, Deck, Rank, Suit
from cardroom.cards.card import of_code
from cardroom.games import Pile, Place

__all__ = ["Aspect", "Look", "Pile", "Place", "Position", "Unturned", "could_be", "every_card", "parts_by", "unturned"]

Kinds: TypeAlias = int
"""Which cards it can be: the bits of their codes."""


class Position(NamedTuple):
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


_TELLS: dict[Aspect, Callable[[Card], object]] = {
    Aspect.JOKER: lambda one: one.is_joker,
    Aspect.RANK: lambda one: one.rank if not one.is_joker else None,
    Aspect.SUIT: lambda one: one.suit if not one.is_joker else None,
    Aspect.COLOR: lambda one: one.is_red if not one.is_joker else None,
    Aspect.CARD: lambda one: one,
}


class Look(BaseException):
    """Somebody looks at a card that has not been turned. Not a fault: no rule may catch it on its way."""

    def __init__(self, card: Unturned, aspect: Aspect) -> None:
        super().__init__(f"{card.position.place} {aspect.value}")
        self.position = card.position
        self.kinds = card.kinds
        self.aspect = aspect

    def parts(self) -> tuple[Kinds, ...]:
        """What the card can turn out to be, told apart only as far as somebody looks."""
        return parts_by(self.kinds, self.aspect)


class Unturned(Card):
    """A card of which not everything is known."""

    __slots__ = ("kinds", "position")
    kinds: Kinds
    position: Position

    def __init__(self, kinds: Kinds, position: Position) -> None:
        # The code of the card is left unset: it is asked for below.
        object.__setattr__(self, "kinds", kinds)
        object.__setattr__(self, "position", position)

    def _told(self, aspect: Aspect) -> Card:
        """Any of the cards that it can be, when they are all alike in this."""
        if len(parts_by(self.kinds, aspect)) > 1:
            raise Look(self, aspect)
        return _first(self.kinds)

    @property
    def code(self) -> int:
        return self._told(Aspect.CARD).code

    @property
    def is_joker(self) -> bool:
        return self._told(Aspect.JOKER).is_joker

    @property
    def rank(self) -> Rank:
        return self._told(Aspect.RANK).rank

    @property
    def suit(self) -> Suit:
        return self._told(Aspect.SUIT).suit

    @property
    def is_red(self) -> bool:
        return self._told(Aspect.COLOR).is_red

    # A card compares by its code, so whoever compares two looks at them whole.

    def __eq__(self, other: object) -> bool:
        return self.code == other.code if isinstance(other, Card) else NotImplemented

    def __hash__(self) -> int:
        return hash(of_code(self.code))

    def __lt__(self, other: Card) -> bool:
        return self.code < other.code

    def __le__(self, other: Card) -> bool:
        return self.code <= other.code

    def __gt__(self, other: Card) -> bool:
        return self.code > other.code

    def __ge__(self, other: Card) -> bool:
        return self.code >= other.code


def unturned(kinds: Kinds, position: Position) -> Card:
    """A card that can be any of these; when it can be only one, that card."""
    return Unturned(kinds, position) if kinds & (kinds - 1) else _first(kinds)


def could_be(card: Card) -> Kinds:
    """Which cards it can be."""
    return card.kinds if isinstance(card, Unturned) else 1 << card.code


@cache
def every_card(deck: Deck) -> Kinds:
    """A card of which nothing is known."""
    return sum(1 << one.code for one in deck.kinds())


@cache
def cards_in(kinds: Kinds) -> tuple[Card, ...]:
    """The cards that it can be."""
    return tuple(of_code(code) for code in range(kinds.bit_length()) if kinds >> code & 1)


def _first(kinds: Kinds) -> Card:
    return of_code((kinds & -kinds).bit_length() - 1)


@cache
def parts_by(kinds: Kinds, aspect: Aspect) -> tuple[Kinds, ...]:
    """The same cards in parts that differ in one aspect."""
    parts: dict[object, Kinds] = {}
    for one in cards_in(kinds):
        told = _TELLS[aspect](one)
        parts[told] = parts.get(told, 0) | 1 << one.code
    return tuple(parts.values())
