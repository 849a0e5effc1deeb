"""The room's gaming days: which one is open, what is open in it, and whether the heads went out."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.floor import DayStanding, HeadsOut
from cardroom.floor.kept.days import KeptDay
from cardroom.jackpots.day_end import Matter, OpenMatter
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.telling.phrases import open_words
from cardroom.terminal.palette import COST, LOST, QUIET, SLUG, TITLE, WON


def day_opened(standing: DayStanding) -> RenderableType:
    """A day after it was opened."""
    title = Text.assemble(("The day ", TITLE), (str(standing.day), SLUG), (" is open", WON))
    left_out = f"  {standing.skipped} day{'s were' if standing.skipped > 1 else ' was'} left out before it"
    return Group(title, *([Text(left_out, COST)] if standing.skipped else []))


def day_closed(standing: DayStanding, heads: HeadsOut | None, stayed: str, *, failed: bool) -> RenderableType:
    """A day after it was closed: what is open, and where the heads are."""
    title = Text.assemble(("The day ", TITLE), (str(standing.day), SLUG), (" is closed", WON))
    digest = Text(f"  all chains together: SHA-256 {standing.digest}", QUIET, no_wrap=True, overflow="fold")
    told = heads_text(heads) if heads else Text(stayed, LOST if failed else COST)
    return Group(title, matters_table(standing.open, "was open at the close"), digest, told)


def heads_text(heads: HeadsOut) -> Text:
    """Where heads went."""
    return Text.assemble(("The heads went out: ", WON), heads.where)


def day_page(
    day: KeptDay | None, matters: Sequence[OpenMatter], last: KeptDay | None, calendar: Calendar
) -> RenderableType:
    """The day that is open, or the one that was asked for, and what is open in it."""
    if day is None:
        parts: list[RenderableType] = [Text("No day is open: cardroom day open.", COST)]
        if last is not None:
            parts.append(Text(f"  The last day was {last.day}: {_when(last, calendar)}.", QUIET))
        return Group(*parts, matters_table(matters, "is open now"), Text(calendar.said, QUIET))
    closed = day.closed
    title = Text.assemble(
        ("The day ", TITLE), (str(day.day), SLUG), (" is closed", WON) if closed else (" is open", WON)
    )
    listed = closed.told.open if closed else matters
    parts = [title, Text(f"  {_when(day, calendar)}", QUIET)]
    parts.append(matters_table(listed, "was open at the close" if closed else "is open now"))
    if closed:
        digest = f"  all chains together: SHA-256 {closed.told.digest}"
        parts.append(Text(digest, QUIET, no_wrap=True, overflow="fold"))
    return Group(*parts, Text(calendar.said, QUIET))


def _when(day: KeptDay, calendar: Calendar) -> str:
    closed = day.closed
    ended = f", closed {calendar.told(closed.time)[:16]} by {closed.told.who}" if closed else ""
    return f"opened {calendar.told(day.opened)[:16]} by {day.opened_by}{ended}"


def matters_table(matters: Sequence[OpenMatter], when: str) -> RenderableType:
    """What is open, the same kind together."""
    if not matters:
        return Text(f"  Nothing {when}.", QUIET)
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    grid.add_column(open_words(len(matters)), no_wrap=True)
    grid.add_column("Of", no_wrap=True)
    grid.add_column("", overflow="fold")
    for one in matters:
        late = "overdue" in one.words or one.what is Matter.BROKEN
        grid.add_row(Text(str(one.what), LOST if late else COST), Text(one.of, SLUG), one.words)
    return grid
