"""Cards as little boxes, as small tags in a line of text, and the backs of those that nobody may see.

>>> from cardroom.cards import cards
>>> print(card_row((*cards("As Td"), None), CardSize.SMALL))
╭───╮ ╭───╮ ╭───╮
│ A♠│ │10♦│ │░░░│
╰───╯ ╰───╯ ╰───╯
>>> print(tags((*cards("As Td"), None)))
A♠ 10♦ ░░
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import TypeAlias

from rich.console import Console
from rich.text import Text

from cardroom.cards import Card
from cardroom.terminal.palette import CARD_BACK, CARD_BLACK, CARD_EDGE, CARD_JOKER, CARD_RED

Seen: TypeAlias = Card | None
"""A card, or None for its back, as in a view."""


class CardSize(Enum):
    """Width and height of a drawn card."""

    SMALL = (5, 3)
    LARGE = (7, 5)

    @property
    def width(self) -> int:
        return self.value[0]

    @classmethod
    def fitting(cls, console: Console) -> CardSize:
        """Large cards only where a whole table of them fits."""
        return cls.LARGE if console.width >= 100 and console.height >= 36 else cls.SMALL


def rank_word(card: Card) -> str:
    """The rank as it is printed on a card: ten is 10, the joker is a star."""
    if card.is_joker:
        return "★"
    return "10" if card.rank == 10 else card.rank.letter


def face(card: Card) -> str:
    """A card in two or three signs: ``10♦``."""
    return "Joker" if card.is_joker else rank_word(card) + card.suit.sign


def face_style(card: Card) -> str:
    """Red, black, or the joker's own color."""
    if card.is_joker:
        return CARD_JOKER
    return CARD_RED if card.is_red else CARD_BLACK


def _inside(card: Seen, size: CardSize) -> tuple[str, ...]:
    """The lines between the edges of the box."""
    if card is None:
        return ("░░░",) if size is CardSize.SMALL else ("░░░░░",) * 3
    if size is CardSize.SMALL:
        return (f"{'JKR' if card.is_joker else face(card):>3}",)
    sign = "★" if card.is_joker else card.suit.sign
    corner = "JKR" if card.is_joker else rank_word(card)
    return (f"{corner:<5}", f"  {sign}  ", f"{corner:>5}")


def card_row(cards: Sequence[Seen], size: CardSize) -> Text:
    """Cards side by side, each in its box."""
    boxes = [_box(card, size) for card in cards]
    return Text("\n").join(Text(" ").join(row) for row in zip(*boxes, strict=True))


def _box(card: Seen, size: CardSize) -> list[Text]:
    """One card, line by line."""
    edge, ink = (CARD_BACK, CARD_BACK) if card is None else (CARD_EDGE, face_style(card))
    width = size.width - 2
    return [
        Text("╭" + "─" * width + "╮", edge),
        *(Text.assemble(("│", edge), (line, ink), ("│", edge)) for line in _inside(card, size)),
        Text("╰" + "─" * width + "╯", edge),
    ]


def tags(cards: Iterable[Seen]) -> Text:
    """Cards in a line of text."""
    return Text(" ").join(
        Text("░░", CARD_BACK) if card is None else Text(face(card), face_style(card)) for card in cards
    )
