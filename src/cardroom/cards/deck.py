"""What a game is dealt from: one deck, one deck with the joker, or two to eight decks together.

>>> from cardroom.cards import card
>>> len(Deck.WITH_JOKER.cards()), len(Deck.SIX.cards()), Deck.SIX.copies(card("As"))
(53, 312, 6)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from functools import cache

from cardroom.cards.card import JOKER, JOKER_CODE, STANDARD_DECK, Card
from cardroom.cards.given import CardLike, as_cards
from cardroom.faults import BadInput


class TooManyCopies(BadInput):
    """A card that cannot be there: it is not in the deck, or all its copies are gone."""


class Deck(Enum):
    """What the games that the house knows are dealt from; the value is how many decks of 52 and how many jokers."""

    ONE = (1, 0)
    WITH_JOKER = (1, 1)
    TWO = (2, 0)
    FOUR = (4, 0)
    FIVE = (5, 0)
    SIX = (6, 0)
    EIGHT = (8, 0)

    @property
    def decks(self) -> int:
        """How many decks of 52."""
        return self.value[0]

    @property
    def jokers(self) -> int:
        """How many jokers."""
        return self.value[1]

    @property
    def size(self) -> int:
        """How many cards before the deal."""
        return 52 * self.decks + self.jokers

    @property
    def words(self) -> str:
        """What it is called at the table."""
        if self is Deck.WITH_JOKER:
            return "one deck with the joker"
        return "one deck" if self.decks == 1 else f"{self.decks} decks"

    def copies(self, wanted: Card) -> int:
        """How many of this card there are before the deal."""
        return self.jokers if wanted.is_joker else self.decks

    def cards(self) -> tuple[Card, ...]:
        """Every card, in the order of a fresh deck."""
        return _fresh(*self.value)

    def kinds(self) -> tuple[Card, ...]:
        """Each different card once."""
        return STANDARD_DECK + (JOKER,) * self.jokers

    def why_not(self, dealt: Iterable[Card], wanted: Card) -> str | None:
        """Why ``wanted`` cannot be the next card when ``dealt`` are gone; None when it can."""
        return self._fault(wanted, 1 + [one.code for one in dealt].count(wanted.code))

    def holds(self, some: Iterable[Card]) -> bool:
        """Whether this deck can give all of these cards together."""
        codes = [one.code for one in some]
        kinds = set(codes)
        if JOKER_CODE in kinds and codes.count(JOKER_CODE) > self.jokers:
            return False
        return len(kinds) == len(codes) or max(map(codes.count, kinds)) <= self.decks

    def _fault(self, one: Card, count: int) -> str | None:
        there = self.copies(one)
        if count <= there:
            return None
        if there == 0:
            return f"{one} is not in the game: it is played with {self.words}."
        times = "twice" if count == 2 else f"{count} times"
        has = "has" if self.decks == 1 else "have"
        only = "only one" if there == 1 else f"only {there}"
        return f"{one} is there {times} but {self.words} {has} {only}."

    def check(self, dealt: str | Iterable[CardLike]) -> None:
        """Refuse a set of cards that this deck cannot give.

        >>> from cardroom.cards import card
        >>> Deck.ONE.check([card("As"), card("As")])
        Traceback (most recent call last):
        ...
        cardroom.cards.deck.TooManyCopies: As is there twice but one deck has only one.
        """
        cards = as_cards(dealt)
        if self.holds(cards):
            return
        for one, count in Counter(cards).items():
            if fault := self._fault(one, count):
                raise TooManyCopies(fault)


@cache
def _fresh(decks: int, jokers: int) -> tuple[Card, ...]:
    return STANDARD_DECK * decks + (JOKER,) * jokers


def deck_of(decks: int, jokers: int = 0) -> Deck:
    """The deck with this many decks of 52 and jokers."""
    try:
        return Deck((decks, jokers))
    except ValueError:
        known = ", ".join(one.words for one in Deck)
        raise BadInput(f"There is no game with {decks} decks and {jokers} jokers: use one of {known}.") from None
