"""Cards as little boxes, as small tags in a line of text, and the backs of those that nobody may see.

>>> from cardroom.cards import cards
>>> print(card_row((*cards("As Td"), None), CardSize.SMALL))
╭───╮ ╭───╮ ╭───╮
│ A♠│ │10♦│ │░░░│
╰───╯ ╰───╯ ╰───╯
>>> print(tags((*cards("As Td"), None)))
A♠ 10♦ ░░

A wild card carries a star.

>>> print(card_row(cards("2s"), CardSize.SMALL, wild=lambda card: True))
╭───╮
│ 2♠│
╰─★─╯
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, TypeAlias

from rich.text import Text

from cardroom.cards import Card
from cardroom.terminal.palette import CARD_BACK, CARD_BLACK, CARD_EDGE, CARD_JOKER, CARD_RED

Seen: TypeAlias = Card | None
"""A card, or None for its back, as in a view."""

STAR: Final = "★"


def no_card(card: Card) -> bool:  # noqa: ARG001
    """No card is wild."""
    return False


class CardSize(Enum):
    """Width and height of a drawn card."""

    SMALL = (5, 3)
    LARGE = (7, 5)

    @property
    def width(self) -> int:
        return self.value[0]


def rank_word(card: Card) -> str:
    """The rank as it is printed on a card: ten is 10, the joker is a star."""
    return STAR if card.is_joker else card.rank.printed


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
    sign = STAR if card.is_joker else card.suit.sign
    corner = "JKR" if card.is_joker else rank_word(card)
    return (f"{corner:<5}", f"  {sign}  ", f"{corner:>5}")


def card_row(cards: Sequence[Seen], size: CardSize, wild: Callable[[Card], bool] = no_card) -> Text:
    """Cards side by side, each in its box."""
    boxes = [_box(card, size, card is not None and wild(card)) for card in cards]
    return Text("\n").join(Text(" ").join(row) for row in zip(*boxes, strict=True))


def _box(card: Seen, size: CardSize, is_wild: bool) -> list[Text]:
    """One card, line by line."""
    edge, ink = (CARD_BACK, CARD_BACK) if card is None else (CARD_EDGE, face_style(card))
    width = size.width - 2
    star = (STAR if is_wild else "─").center(width, "─")
    return [
        Text("╭" + "─" * width + "╮", edge),
        *(Text.assemble(("│", edge), (line, ink), ("│", edge)) for line in _inside(card, size)),
        Text("╰" + star + "╯", CARD_JOKER if is_wild else edge),
    ]


def tags(cards: Iterable[Seen], wild: Callable[[Card], bool] = no_card) -> Text:
    """Cards in a line of text."""
    return Text(" ").join(
        Text("░░", CARD_BACK)
        if card is None
        else Text(face(card) + (STAR if wild(card) else ""), CARD_JOKER if wild(card) else face_style(card))
        for card in cards
    )
