"""A chain in sentences."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.floor.telling import ToldEvent
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.palette import QUIET


def told_page(told: Sequence[ToldEvent], calendar: Calendar) -> RenderableType:
    """A line an event, the newest first."""
    rows: list[list[CellText]] = [[str(one.sequence), calendar.told(one.time), one.sentences] for one in told]
    headings = [Heading("Event", Align.RIGHT), Heading("Time", Align.WHOLE), Heading("What happened", Align.SENTENCE)]
    return Group(Columns(headings, rows), Text(calendar.said, QUIET))
