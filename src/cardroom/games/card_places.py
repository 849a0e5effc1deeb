"""Places of cards on the layout."""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from operator import index
from typing import Final, NamedTuple, SupportsIndex

from cardroom.enums import TypeableEnum
from cardroom.errors import BadInput, quote_with_type


class Pile(TypeableEnum, StrEnum):
    """A kind of pile."""

    HAND = "hand"  # a seat's cards, or with no seat the dealer's
    FOURTH = "fourth"  # a card set apart: Three Card Prime's top card, Deuces Wild's fourth
    FIFTH = "fifth"  # Deuces Wild's last card, face down until the end (sheet 000, rule 22)
    WAR = "war"  # the additional card of a duel
    COMMUNITY = "community"
    WAR_COMMUNITY = "war community"
    ADDED_COMMUNITY = "added community"  # the two cards of 2 + 2 (DD-6)
    BURN = "burn"  # burned or discarded face down


class Place(NamedTuple):
    """A pile of a seat or of the table. The dealer's hand is the table's ``hand``. A tuple, because places are often
    looked up."""

    pile: Pile
    seat: int | None = None

    def __str__(self) -> str:
        if self.seat is not None:
            return f"seat {self.seat} {self.pile}"
        return "dealer" if self.pile is Pile.HAND else str(self.pile)


@lru_cache(maxsize=1024)
def seat_places(pile: Pile, seats: tuple[int, ...]) -> tuple[Place, ...]:
    """The piles of one kind of these seats."""
    return tuple(Place(pile, seat) for seat in seats)


def to_seat_number(value: object) -> int:
    """The number of a seat from any kind of whole number.

    >>> to_seat_number("one")
    Traceback (most recent call last):
    ...
    cardroom.errors.BadInput: A seat is a whole number, such as 1; 'one' (str) is not.
    """
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise BadInput(f"A seat is a whole number, such as 1; {quote_with_type(value)} is not.")
    return index(value)


DEALER_HAND: Final = Place(Pile.HAND)
COMMUNITY: Final = Place(Pile.COMMUNITY)
BURN: Final = Place(Pile.BURN)
