"""Cards and decisions in the terminal: cards as small boxes or as tags in a line of text, with backs for hidden ones.

>>> from cardroom.cards import parse_cards
>>> print(card_row((*parse_cards("As Td"), None), CardSize.SMALL))
╭───╮ ╭───╮ ╭───╮
│ A♠│ │10♦│ │░░░│
╰───╯ ╰───╯ ╰───╯
>>> print(card_tags((*parse_cards("As Td"), None)))
A♠ 10♦ ░░

A wild card has a star.

>>> print(card_row(parse_cards("2s"), CardSize.SMALL, wild=lambda card: True))
╭───╮
│ 2♠│
╰─★─╯

Decisions in words, with their cards drawn, and as they are typed:

>>> from cardroom.cards import parse_cards
>>> split = Decision(Verb.SPLIT, (parse_cards("As Th"), parse_cards("9h 9c")))
>>> decision_text(split).plain, decision_input(split)
('split A♠ 10♥ | 9♥ 9♣', 'split As 10h | 9h 9c')
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum
from typing import Final, TypeAlias

from rich.text import Text

from cardroom.cards import Card
from cardroom.games.actions import Decision, Verb
from cardroom.terminal.console import CARD_BACK, CARD_BLACK, CARD_EDGE, CARD_JOKER, CARD_RED

CardOrBack: TypeAlias = Card | None
"""A card, or None for a face-down card."""

STAR: Final = "★"


def is_never_wild(card: Card) -> bool:  # noqa: ARG001
    """No card is wild."""
    return False


class CardSize(Enum):
    """Width and height of a drawn card."""

    SMALL = (5, 3)
    LARGE = (7, 5)

    @property
    def width(self) -> int:
        return self.value[0]


def rank_text(card: Card) -> str:
    """The rank as it is printed on a card: ten is 10, the joker is a star."""
    return STAR if card.is_joker else card.rank.label


def face(card: Card) -> str:
    """A card in two or three characters: ``10♦``."""
    return "Joker" if card.is_joker else rank_text(card) + card.suit.symbol


def face_style(card: Card) -> str:
    """Red, black, or the joker's own color."""
    if card.is_joker:
        return CARD_JOKER
    return CARD_RED if card.is_red else CARD_BLACK


def _face_lines(card: CardOrBack, size: CardSize) -> tuple[str, ...]:
    """The lines between the edges of the box."""
    if card is None:
        return ("░░░",) if size is CardSize.SMALL else ("░░░░░",) * 3
    if size is CardSize.SMALL:
        return (f"{'JKR' if card.is_joker else face(card):>3}",)
    sign = STAR if card.is_joker else card.suit.symbol
    corner = "JKR" if card.is_joker else rank_text(card)
    return (f"{corner:<5}", f"  {sign}  ", f"{corner:>5}")


def card_row(cards: Sequence[CardOrBack], size: CardSize, wild: Callable[[Card], bool] = is_never_wild) -> Text:
    """Cards side by side, each in its box."""
    boxes = [_box(card, size, card is not None and wild(card)) for card in cards]
    return Text("\n").join(Text(" ").join(row) for row in zip(*boxes, strict=True))


def _box(card: CardOrBack, size: CardSize, is_wild: bool) -> list[Text]:
    """One card, line by line."""
    edge, ink = (CARD_BACK, CARD_BACK) if card is None else (CARD_EDGE, face_style(card))
    width = size.width - 2
    star = (STAR if is_wild else "─").center(width, "─")
    return [
        Text("╭" + "─" * width + "╮", edge),
        *(Text.assemble(("│", edge), (line, ink), ("│", edge)) for line in _face_lines(card, size)),
        Text("╰" + star + "╯", CARD_JOKER if is_wild else edge),
    ]


def card_tags(cards: Iterable[CardOrBack], wild: Callable[[Card], bool] = is_never_wild) -> Text:
    """Cards in a line of text."""
    return Text(" ").join(
        Text("░░", CARD_BACK)
        if card is None
        else Text(face(card) + (STAR if wild(card) else ""), CARD_JOKER if wild(card) else face_style(card))
        for card in cards
    )


def decision_text(decision: Decision | Verb) -> Text:
    """A decision with its cards drawn as tags."""
    if isinstance(decision, Verb):
        return Text(decision.value)
    if decision.verb is Verb.SET:
        high, low = decision.groups
        return Text.assemble("high ", card_tags(high), "  low ", card_tags(low))
    groups = Text(" | ").join(card_tags(group) for group in decision.groups)
    return Text.assemble(decision.verb.value, " " if decision.groups else "", groups)


def decision_input(decision: Decision) -> str:
    """A decision as a player types it: a ten is 10, as on every page."""
    groups = (" ".join(map(_card_input, group)) for group in decision.groups)
    return " ".join(filter(None, (decision.verb.value, " | ".join(groups))))


def _card_input(card: Card) -> str:
    return "joker" if card.is_joker else rank_text(card) + card.suit.letter
