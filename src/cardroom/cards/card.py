"""A playing card, written the way the trade writes it: ``As``, ``Td``, ``2c``, and ``Jk`` for the joker.

Cards are read as pages print them too: ``A♠``, ``10♦``, ``Joker``.

>>> card("Td").rank, card("Td").suit
(<Rank.TEN: 10>, <Suit.DIAMONDS: 1>)
>>> cards("Qh 6d 4c")
(Card('Qh'), Card('6d'), Card('4c'))
>>> card("1x")
Traceback (most recent call last):
...
cardroom.cards.card.BadCard: '1x' is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), ...
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from cardroom.faults import BadInput, quoted

RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"
SUIT_SIGNS: Final = "♣♦♥♠"
JOKER_CODE: Final = 52
"""The joker's code; all others are below it."""


class BadCard(BadInput):
    """A text or a number that names no card."""


class Rank(IntEnum):
    """Two to ace; the ace is high, and low only where a straight says so."""

    TWO = 2
    THREE = 3
    FOUR = 4
    FIVE = 5
    SIX = 6
    SEVEN = 7
    EIGHT = 8
    NINE = 9
    TEN = 10
    JACK = 11
    QUEEN = 12
    KING = 13
    ACE = 14

    @property
    def letter(self) -> str:
        """As it is written on cards: ``6``, ``T``, ``A``."""
        return RANK_LETTERS[self - 2]

    @property
    def printed(self) -> str:
        """The rank as it is printed on a card, and as people read it: ten is ``10``."""
        return "10" if self is Rank.TEN else self.letter

    @property
    def word(self) -> str:
        """The rank in words: ``six``, ``ace``."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """Several of them in words: ``sixes``, ``aces``."""
        return self.word + ("es" if self is Rank.SIX else "s")


class Suit(IntEnum):
    """In the order of the codes; no hand is higher for the name of its suit."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """As it is written after the rank: ``c``, ``d``, ``h``, ``s``."""
        return SUIT_LETTERS[self]

    @property
    def sign(self) -> str:
        """As it is printed: ``♣``, ``♦``, ``♥``, ``♠``."""
        return SUIT_SIGNS[self]

    @property
    def is_red(self) -> bool:
        """Whether it is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True, order=True, repr=False)
class Card:
    """One card. Its code, 0 to 51 by rank and then suit and 52 for the joker, is what the kernels count with."""

    code: int

    def __post_init__(self) -> None:
        if not 0 <= self.code <= JOKER_CODE:
            raise BadCard(f"{self.code} is no card's code: codes run from 0 (2c) to 51 (As), and 52 is the joker.")

    @property
    def is_joker(self) -> bool:
        """Whether it is the joker, which has no rank and no suit."""
        return self.code == JOKER_CODE

    @property
    def rank(self) -> Rank:
        """Its rank; the joker is refused."""
        if self.code == JOKER_CODE:
            raise BadCard("The joker has no rank: ask is_joker first.")
        return _RANKS[self.code >> 2]

    @property
    def suit(self) -> Suit:
        """Its suit; the joker is refused."""
        if self.code == JOKER_CODE:
            raise BadCard("The joker has no suit: ask is_joker first.")
        return _SUITS[self.code & 3]

    @property
    def is_red(self) -> bool:
        """Whether it is a diamond or a heart; the joker is refused."""
        return self.suit.is_red

    def __str__(self) -> str:
        return _NAMES[self.code]

    def __repr__(self) -> str:
        return f"Card('{_NAMES[self.code]}')"

    @property
    def pretty(self) -> str:
        """The card as people read it, ``A♠``, ``10♥``; the joker is a star."""
        return "★" if self.is_joker else f"{self.rank.printed}{self.suit.sign}"


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)
_NAMES: Final = (*(r + s for r in RANK_LETTERS for s in SUIT_LETTERS), "Jk")
_ALL: Final = tuple(Card(code) for code in range(JOKER_CODE + 1))
_AS_WRITTEN: Final = dict(zip(_NAMES, _ALL, strict=True))
_BY_NAME: Final = {name.lower(): one for name, one in zip(_NAMES, _ALL, strict=True)}
_AS_LETTERS: Final = str.maketrans(
    # Outlined signs are the same suits; text and emoji come with a mark that says how to draw the sign before it.
    {**dict(zip(SUIT_SIGNS, SUIT_LETTERS, strict=True)), **dict(zip("♧♢♡♤", SUIT_LETTERS, strict=True))}
    | {"\ufe0e": None, "\ufe0f": None}
)
_JOKERS: Final = ("★", "joker")

JOKER: Final = _ALL[JOKER_CODE]
"""The one joker."""
STANDARD_DECK: Final = _ALL[:JOKER_CODE]
"""The 52 cards in the order of their codes."""


def of_code(code: int) -> Card:
    """The one shared card object with this code."""
    if not 0 <= code <= JOKER_CODE:
        return Card(code)  # raises the sentence
    return _ALL[code]


def of(rank: Rank, suit: Suit) -> Card:
    """The card of this rank and suit."""
    return _ALL[(rank - 2) * 4 + suit]


def card(text: str) -> Card:
    """Read one card. Case does not matter, ``10h`` reads as ``Th``, and a suit may be its sign.

    >>> card("10h"), card("jk"), card("AS"), card("10♥"), card("★")
    (Card('Th'), Card('Jk'), Card('As'), Card('Th'), Card('Jk'))
    """
    if text in _AS_WRITTEN:
        return _AS_WRITTEN[text]
    name = text.strip().lower().translate(_AS_LETTERS)
    if name in _JOKERS:
        return JOKER
    found = _BY_NAME.get("t" + name[2:] if name.startswith("10") else name)
    if found is None:
        raise BadCard(
            f"{quoted(text)} is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), "
            "such as 'As' or 'Td', or 'Jk' for the joker."
        )
    return found


def cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read several cards, from one text parted by blanks or commas or from a list of texts."""
    names = text.replace(",", " ").split() if isinstance(text, str) else text
    return tuple([card(name) for name in names if name])


def names(some: Iterable[Card]) -> str:
    """Write cards so that ``cards`` reads them again: ``Qh 6d 4c``."""
    return " ".join(map(str, some))


def printed(some: Iterable[Card]) -> str:
    """Write cards as people read them: ``Q♥ 10♦ 4♣``. ``cards`` reads that again too."""
    return " ".join(one.pretty for one in some)
