"""A playing card, written the way the trade writes it: ``As``, ``Td``, ``2c``, and ``Jk`` for the joker.

Cards are also read as pages print them: ``A♠``, ``10♦``, ``Joker``.

>>> parse_card("Td").rank, parse_card("Td").suit
(<Rank.TEN: 10>, <Suit.DIAMONDS: 1>)
>>> parse_cards("Qh 6d 4c")
(Card('Qh'), Card('6d'), Card('4c'))
>>> parse_card("1x")
Traceback (most recent call last):
...
cardroom.cards.card.BadCard: '1x' is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), ...

Functions of the library accept cards, the names of cards, or one text for several cards.

>>> as_cards("Qh 6d 4c") == as_cards(["Qh", "6d", "4c"]) == as_cards([parse_card("Qh"), parse_card("6d"), "4c"])
True
>>> as_card("Td"), as_card(parse_card("Td"))
(Card('Td'), Card('Td'))
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, TypeAlias

from cardroom.errors import BadInput, quote, quote_with_type

RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"
SUIT_SYMBOLS: Final = "♣♦♥♠"
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
    def label(self) -> str:
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
    def symbol(self) -> str:
        """As it is printed: ``♣``, ``♦``, ``♥``, ``♠``."""
        return SUIT_SYMBOLS[self]

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
    def symbol(self) -> str:
        """The card as people read it, ``A♠``, ``10♥``; the joker is a star."""
        return "★" if self.is_joker else f"{self.rank.label}{self.suit.symbol}"


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)
_NAMES: Final = (*(r + s for r in RANK_LETTERS for s in SUIT_LETTERS), "Jk")
_CARDS: Final = tuple(Card(code) for code in range(JOKER_CODE + 1))
_BY_EXACT_NAME: Final = dict(zip(_NAMES, _CARDS, strict=True))
_BY_NAME: Final = {name.lower(): card for name, card in zip(_NAMES, _CARDS, strict=True)}
_SYMBOLS_TO_LETTERS: Final = str.maketrans(
    # Outlined signs are the same suits; text and emoji come with a mark that says how to draw the sign before it.
    {**dict(zip(SUIT_SYMBOLS, SUIT_LETTERS, strict=True)), **dict(zip("♧♢♡♤", SUIT_LETTERS, strict=True))}
    | {"\ufe0e": None, "\ufe0f": None}
)
_JOKER_NAMES: Final = ("★", "joker")

JOKER: Final = _CARDS[JOKER_CODE]
"""The one joker."""
STANDARD_DECK: Final = _CARDS[:JOKER_CODE]
"""The 52 cards in the order of their codes."""


def card_from_code(code: int) -> Card:
    """The one shared card object with this code."""
    if not 0 <= code <= JOKER_CODE:
        return Card(code)  # raises the sentence
    return _CARDS[code]


def card_from_rank_suit(rank: Rank, suit: Suit) -> Card:
    """The card of this rank and suit."""
    return _CARDS[(rank - 2) * 4 + suit]


def parse_card(text: str) -> Card:
    """Read one card. Case does not matter, ``10h`` reads as ``Th``, and a suit may be its sign.

    >>> parse_card("10h"), parse_card("jk"), parse_card("AS"), parse_card("10♥"), parse_card("★")
    (Card('Th'), Card('Jk'), Card('As'), Card('Th'), Card('Jk'))
    """
    if text in _BY_EXACT_NAME:
        return _BY_EXACT_NAME[text]
    name = text.strip().lower().translate(_SYMBOLS_TO_LETTERS)
    if name in _JOKER_NAMES:
        return JOKER
    parsed_card = _BY_NAME.get("t" + name[2:] if name.startswith("10") else name)
    if parsed_card is None:
        raise BadCard(
            f"{quote(text)} is not a card: write a rank (2-9, T, J, Q, K, A) and a suit (c, d, h, s), "
            "such as 'As' or 'Td', or 'Jk' for the joker."
        )
    return parsed_card


def parse_cards(text: str | Iterable[str]) -> tuple[Card, ...]:
    """Read several cards, from one text parted by blanks or commas or from a list of texts."""
    texts = text.replace(",", " ").split() if isinstance(text, str) else text
    return tuple([parse_card(name) for name in texts if name])


def format_cards(cards: Iterable[Card]) -> str:
    """Write cards so that ``cards`` reads them again: ``Qh 6d 4c``."""
    return " ".join(map(str, cards))


def format_card_symbols(cards: Iterable[Card]) -> str:
    """Write cards as people read them: ``Q♥ 10♦ 4♣``. ``cards`` reads that again too."""
    return " ".join(card.symbol for card in cards)


CardLike: TypeAlias = Card | str
"""A card, or its name such as ``Td``."""
Cards: TypeAlias = str | Sequence[CardLike]
"""Cards or their names, or one text such as ``Qh 6d 4c``."""


def as_card(value: object) -> Card:
    """The card that was given, or that a name stands for."""
    if isinstance(value, Card):
        return value
    if isinstance(value, str):
        return parse_card(value)
    raise BadCard(f"A card is a Card or its name, such as 'Td'; {quote_with_type(value)} is neither.")


def as_cards(value: object) -> tuple[Card, ...]:
    """The cards that were given.

    >>> as_cards(7)
    Traceback (most recent call last):
    ...
    cardroom.cards.card.BadCard: Cards are a text such as 'Qh 6d 4c', or a list of ...; 7 (int) is neither.
    """
    if isinstance(value, str):
        return parse_cards(value)
    if isinstance(value, Iterable) and not isinstance(value, bytes | bytearray):
        return tuple([as_card(item) for item in value])
    raise BadCard(
        f"Cards are a text such as 'Qh 6d 4c', or a list of cards or their names; {quote_with_type(value)} is neither."
    )
