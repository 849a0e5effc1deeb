"""How large a table is drawn: as large as the screen has room for, and never larger."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.terminal.cards import CardSize


class Scale(NamedTuple):
    """What a drawing of the table has room for."""

    cards: CardSize | None
    """None for cards as tags in a line."""
    airy: bool = False
    """Whether lines stand between the parts of the felt."""
    seal: bool = True
    """Whether the seal is repeated while the cards are played; it always stands there before the wagers and at the
    end."""
    brief: bool = False
    """Whether each other seat has to do with one line, answers with what they say themselves, and so on."""
    alone: bool = False
    """Whether there is room for the player only, and a word about the others."""
    height: int = 0
    """How high a screen has to be for it: the felt is not to change its size from question to question."""


SCALES: Final = (
    Scale(CardSize.LARGE, airy=True, height=36),
    Scale(CardSize.SMALL, airy=True, height=32),
    Scale(CardSize.SMALL),
    Scale(CardSize.SMALL, seal=False, brief=True),
    Scale(None, seal=False, brief=True),
    Scale(None, seal=False, brief=True, alone=True),
)
"""The largest first."""
