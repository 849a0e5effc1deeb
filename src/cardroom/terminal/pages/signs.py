"""Signs that a person has to change."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor.desks.signs import Sign
from cardroom.jackpots.setup.models import Changed, DisplayKind
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.palette import COST, SLUG

_NAMES = {DisplayKind.LED_LINE: "LED line", DisplayKind.PICTURE_FRAME: "picture frame", DisplayKind.MONITOR: "monitor"}
_HOW = {Changed.BY_HAND: "by hand", Changed.FROM_AFAR: "from afar", Changed.BY_SERVER: "by itself"}


def signs_table(signs: Sequence[Sign], title: str) -> RenderableType:
    """The signs, how each is changed, and what it has to say."""
    rows: list[list[CellText]] = [
        [Text(one.table, SLUG), _NAMES[one.kind], _HOW[one.changed], one.says] for one in signs
    ]
    headings = [*map(Heading, ("Table", "Sign", "Changed")), Heading("It has to say", Align.SENTENCE)]
    return Group(Text(title, COST), Columns(headings, rows))
