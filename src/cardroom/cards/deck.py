"""The decks of a game: one deck, one deck with the joker, or two to eight decks together.

>>> from cardroom.cards import parse_card
>>> len(Deck.WITH_JOKER.cards()), len(Deck.SIX.cards()), Deck.SIX.count_copies(parse_card("As"))
(53, 312, 6)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import Enum
from functools import cache

from cardroom.cards.card import JOKER, JOKER_CODE, STANDARD_DECK, Card, CardLike, as_cards
from cardroom.enums import TypeableEnum
from cardroom.errors import BadInput


class TooManyCopies(BadInput):
    """A card that is not in the deck, or more copies of a card than the deck has."""


class Deck(TypeableEnum, Enum):
    """The decks that games are dealt from; the value is the number of decks of 52 and of jokers."""

    ONE = (1, 0)
    WITH_JOKER = (1, 1)
    TWO = (2, 0)
    FOUR = (4, 0)
    FIVE = (5, 0)
    SIX = (6, 0)
    EIGHT = (8, 0)

    @property
    def decks(self) -> int:
        """The number of decks of 52."""
        return self.value[0]

    @property
    def jokers(self) -> int:
        """The number of jokers."""
        return self.value[1]

    @property
    def size(self) -> int:
        """The number of cards before the deal."""
        return 52 * self.decks + self.jokers

    @property
    def description(self) -> str:
        """The name of the deck at the table."""
        if self is Deck.WITH_JOKER:
            return "one deck with the joker"
        return "one deck" if self.decks == 1 else f"{self.decks} decks"

    def count_copies(self, card: Card) -> int:
        """The number of copies of this card before the deal."""
        return self.jokers if card.is_joker else self.decks

    def cards(self) -> tuple[Card, ...]:
        """Every card, in the order of a fresh deck."""
        return _fresh_deck(*self.value)

    def distinct_cards(self) -> tuple[Card, ...]:
        """Each different card once."""
        return STANDARD_DECK + (JOKER,) * self.jokers

    def explain_impossible(self, dealt: Iterable[Card], card: Card) -> str | None:
        """Why ``card`` cannot come after the cards ``dealt``; None if it can."""
        return self._copies_error(card, 1 + [dealt_card.code for dealt_card in dealt].count(card.code))

    def contains(self, cards: Iterable[Card]) -> bool:
        """Whether this deck has all of these cards together."""
        codes = [card.code for card in cards]
        distinct_codes = set(codes)
        if JOKER_CODE in distinct_codes and codes.count(JOKER_CODE) > self.jokers:
            return False
        repeats = len(codes) - len(distinct_codes)  # a card that is there too often repeats once per deck
        return not repeats or repeats < self.decks or max(map(codes.count, distinct_codes)) <= self.decks

    def _copies_error(self, card: Card, count: int) -> str | None:
        copies = self.count_copies(card)
        if count <= copies:
            return None
        if copies == 0:
            return f"{card} is not in the game: it is played with {self.description}."
        times = "twice" if count == 2 else f"{count} times"
        has = "has" if self.decks == 1 else "have"
        only = "only one" if copies == 1 else f"only {copies}"
        return f"{card} is there {times} but {self.description} {has} {only}."

    def check(self, dealt: str | Iterable[CardLike]) -> None:
        """Refuse cards that this deck does not have together.

        >>> from cardroom.cards import parse_card
        >>> Deck.ONE.check([parse_card("As"), parse_card("As")])
        Traceback (most recent call last):
        ...
        cardroom.cards.deck.TooManyCopies: As is there twice but one deck has only one.
        """
        cards = as_cards(dealt)
        if self.contains(cards):
            return
        for card, count in Counter(cards).items():
            if sentence := self._copies_error(card, count):
                raise TooManyCopies(sentence)


@cache
def _fresh_deck(decks: int, jokers: int) -> tuple[Card, ...]:
    return STANDARD_DECK * decks + (JOKER,) * jokers


def find_deck(decks: int, jokers: int = 0) -> Deck:
    """The deck with this many decks of 52 and jokers."""
    try:
        return Deck((decks, jokers))
    except ValueError:
        descriptions = ", ".join(deck.description for deck in Deck)
        raise BadInput(f"There is no game with {decks} decks and {jokers} jokers: use one of {descriptions}.") from None
