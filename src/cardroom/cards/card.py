"""A playing card with its short name: ``As``, ``Td``, ``2c``, and ``Jk`` for the joker.

Other spellings are read too: ``A♠``, ``10♦``, ``Joker``.

>>> Card("Td").rank, Card("Td").suit
(Rank.TEN, Suit.DIAMONDS)
>>> parse_cards("Qh 6d 4c") == parse_cards("Qh6d4c")
True
>>> parse_cards("AsKs")
(Card('As'), Card('Ks'))
>>> Card("1x")
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

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from operator import index
from typing import Any, Final, SupportsIndex, TypeAlias

from cardroom.enums import TypeableEnum
from cardroom.errors import BadInput, quote, quote_with_type

RANK_LETTERS: Final = "23456789TJQKA"
SUIT_LETTERS: Final = "cdhs"
SUIT_SYMBOLS: Final = "♣♦♥♠"
JOKER_CODE: Final = 52
"""The joker's code; all others are below it."""


class BadCard(BadInput):
    """A text or a number that is not a card."""


class Rank(TypeableEnum, IntEnum):
    """Two to ace; the ace is high, and low only in a straight."""

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
        """The letter in a card's name: ``6``, ``T``, ``A``."""
        return RANK_LETTERS[self - 2]

    @property
    def label(self) -> str:
        """The rank as printed on a card: ten is ``10``."""
        return "10" if self is Rank.TEN else self.letter

    @property
    def word(self) -> str:
        """The rank as a word: ``six``, ``ace``."""
        return self.name.lower()

    @property
    def plural(self) -> str:
        """The plural: ``sixes``, ``aces``."""
        return self.word + ("es" if self is Rank.SIX else "s")


class Suit(TypeableEnum, IntEnum):
    """In the order of the codes; suits have no rank."""

    CLUBS = 0
    DIAMONDS = 1
    HEARTS = 2
    SPADES = 3

    @property
    def letter(self) -> str:
        """The letter in a card's name: ``c``, ``d``, ``h``, ``s``."""
        return SUIT_LETTERS[self]

    @property
    def symbol(self) -> str:
        """The printed symbol: ``♣``, ``♦``, ``♥``, ``♠``."""
        return SUIT_SYMBOLS[self]

    @property
    def is_red(self) -> bool:
        """Whether it is diamonds or hearts."""
        return self in (Suit.DIAMONDS, Suit.HEARTS)


@dataclass(frozen=True, slots=True, order=True, repr=False, init=False)
class Card:
    """One card, from its name or its code. Codes are what the kernels count with: 0 to 51 by rank and then suit, and 52
    for the joker.

    >>> Card("As"), Card(51), Card("10♥"), Card("As") == Card(51)
    (Card('As'), Card('As'), Card('Th'), True)

    There is one object for each card, so comparing two is comparing objects, which takes no call.

    >>> Card("As") is Card(51)
    True
    """

    code: int

    def __new__(cls, name_or_code: str | int | Card) -> Card:
        return _CARDS[_to_code(name_or_code)]

    def __reduce__(self) -> tuple[Any, ...]:
        return Card, (self.code,)

    __eq__ = object.__eq__

    def __hash__(self) -> int:
        return self.code

    @property
    def is_joker(self) -> bool:
        """Whether it is the joker, which has no rank and no suit."""
        return self.code == JOKER_CODE

    @property
    def rank(self) -> Rank:
        """The rank; the joker has none and raises ``BadCard``."""
        if self.code == JOKER_CODE:
            raise BadCard("The joker has no rank: check is_joker first.")
        return _RANKS[self.code >> 2]

    @property
    def suit(self) -> Suit:
        """The suit; the joker has none and raises ``BadCard``."""
        if self.code == JOKER_CODE:
            raise BadCard("The joker has no suit: check is_joker first.")
        return _SUITS[self.code & 3]

    @property
    def is_red(self) -> bool:
        """Whether it is a diamond or a heart; the joker raises ``BadCard``."""
        return self.suit.is_red

    def __str__(self) -> str:
        return _NAMES[self.code]

    def __repr__(self) -> str:
        return f"Card('{_NAMES[self.code]}')"

    @property
    def symbol(self) -> str:
        """The card as people read it, ``A♠``, ``10♥``; the joker is a star."""
        return "★" if self.is_joker else f"{self.rank.label}{self.suit.symbol}"


def _make_card(code: int) -> Card:
    card = object.__new__(Card)
    object.__setattr__(card, "code", code)
    return card


def _to_code(value: object) -> int:
    if isinstance(value, Card):
        return value.code
    if isinstance(value, str):
        return parse_card(value).code
    if isinstance(value, bool) or not isinstance(value, SupportsIndex):
        raise BadCard(f"A card is a name, such as 'Td', or a code from 0 to 52; {quote_with_type(value)} is neither.")
    code = index(value)
    if not 0 <= code <= JOKER_CODE:
        raise BadCard(f"{quote(code)} is not a card's code: codes run from 0 (2c) to 51 (As), and 52 is the joker.")
    return code


_RANKS: Final = tuple(Rank)
_SUITS: Final = tuple(Suit)
_NAMES: Final = (*(r + s for r in RANK_LETTERS for s in SUIT_LETTERS), "Jk")
_CARDS: Final = tuple(_make_card(code) for code in range(JOKER_CODE + 1))
_BY_EXACT_NAME: Final = dict(zip(_NAMES, _CARDS, strict=True))
_BY_NAME: Final = {name.lower(): card for name, card in zip(_NAMES, _CARDS, strict=True)}
_SYMBOLS_TO_LETTERS: Final = str.maketrans(
    # Outlined symbols are the same suits; text and emoji variants add an invisible selector after the symbol.
    {**dict(zip(SUIT_SYMBOLS, SUIT_LETTERS, strict=True)), **dict(zip("♧♢♡♤", SUIT_LETTERS, strict=True))}
    | {"\ufe0e": None, "\ufe0f": None}
)
_JOKER_NAMES: Final = ("★", "joker")
_JOINED_CARD: Final = re.compile(r"(?:10|[2-9tjqka])[cdhs]|jk|★")
_JOINED_CARDS: Final = re.compile(f"(?:{_JOINED_CARD.pattern})+")
_MAX_JOINED_LETTERS: Final = 2_000
"""More than all cards of eight decks; a longer word is refused before it is searched."""

JOKER: Final = _CARDS[JOKER_CODE]
"""The one joker."""
STANDARD_DECK: Final = _CARDS[:JOKER_CODE]
"""The 52 cards in the order of their codes."""


def card_from_code(code: int) -> Card:
    """The one shared card object with this code."""
    if not 0 <= code <= JOKER_CODE:
        return Card(code)  # raises BadCard
    return _CARDS[code]


def card_from_rank_suit(rank: Rank, suit: Suit) -> Card:
    """The card of this rank and suit."""
    return _CARDS[(rank - 2) * 4 + suit]


def parse_card(text: str) -> Card:
    """Read one card. Case does not matter, ``10h`` is ``Th``, and a suit may be its symbol.

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
    """Read several cards from one text, with or without blanks and commas between them, or from a list of names.

    >>> parse_cards("As Ks") == parse_cards("As, Ks") == parse_cards("AsKs") == parse_cards(["As", "Ks"])
    True
    """
    if not isinstance(text, str):
        return tuple([parse_card(name) for name in text if name])
    return tuple([card for word in text.replace(",", " ").split() for card in _parse_joined_cards(word)])


def _parse_joined_cards(word: str) -> tuple[Card, ...]:
    if word in _BY_EXACT_NAME:
        return (_BY_EXACT_NAME[word],)
    letters = word.lower().translate(_SYMBOLS_TO_LETTERS)
    if len(letters) > _MAX_JOINED_LETTERS or not _JOINED_CARDS.fullmatch(letters):
        return (parse_card(word),)
    return tuple([parse_card(name) for name in _JOINED_CARD.findall(letters)])


def format_cards(cards: Iterable[Card]) -> str:
    """Cards as text that ``parse_cards`` reads: ``Qh 6d 4c``."""
    return " ".join([_NAMES[card.code] for card in cards])


def format_card_symbols(cards: Iterable[Card]) -> str:
    """Cards for people: ``Q♥ 10♦ 4♣``. ``parse_cards`` reads this too."""
    return " ".join(card.symbol for card in cards)


CardLike: TypeAlias = Card | str
"""A card, or its name such as ``Td``."""
Cards: TypeAlias = str | Sequence[CardLike]
"""Cards or their names, or one text such as ``Qh 6d 4c``."""


def as_card(value: object) -> Card:
    """A card from a card or its name."""
    if isinstance(value, Card):
        return value
    if isinstance(value, str):
        return parse_card(value)
    raise BadCard(f"A card is a Card or its name, such as 'Td'; {quote_with_type(value)} is neither.")


def as_cards(value: object) -> tuple[Card, ...]:
    """Cards from cards or their names, or from one text.

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
