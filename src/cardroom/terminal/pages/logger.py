"""What a data logger's file holds, and what was forwarded of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.floor import Forwarded, TableState
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.tabulator.log_lines import ReadLog
from cardroom.terminal.pages.tables import tables_table
from cardroom.terminal.palette import LOST, QUIET, SLUG

GO_ON: Final = "Forward the file; two people accept the gap (cardroom jackpot logger TABLE FILE --accept-gap)."


def log_page(read: ReadLog, file: str, calendar: Calendar) -> RenderableType:
    """The records that wait, in the order in which they were written."""
    logger, gap = read.logger, read.gap
    counter = "unknown" if logger.counter is None else f"{logger.counter:,}"
    title = Text.assemble(
        (logger.unit or "unit unknown", SLUG), f"  {len(logger.waiting):,} waiting", (f", counter {counter}, ", QUIET),
        (f"taken over up to record {logger.acknowledged.number}", QUIET),
    )  # fmt: skip
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET)
    for name in ("Record", "Pressed", "Round", "Positions", "Lammers", "Counter", "Dealer"):
        grid.add_column(name)
    for record in logger.waiting:
        places = [", ".join(map(str, some)) for some in (record.positions, record.lammers)]
        grid.add_row(
            str(record.number), calendar.told(record.time), record.round, *places, f"{record.counter:,}", record.dealer
        )
    damage = [Text(f"{line.told(file)}.", LOST) for line in read.damaged]
    if gap and not gap.lines:
        damage.append(Text(f"{gap.told(file)}.", LOST))
    odd = [Text(note, QUIET) for note in read.notes(file)]
    behind = [Text(f"{gap.behind:,} more behind the gap. {GO_ON}", LOST)] if gap else []
    shown: list[RenderableType] = [grid, Text(calendar.said, QUIET)] if logger.waiting else []
    return Group(title, *shown, *odd, *damage, *behind)


def forwarded_page(unit: str, done: Forwarded, notes: Sequence[str], state: TableState) -> RenderableType:
    """How many records were forwarded, what holds the others up, and the table."""
    known = f", {done.known:,} {'were' if done.known != 1 else 'was'} in the books before" if done.known else ""
    said = Text(f"{done.records:,} record{'s' * (done.records != 1)} of {unit} forwarded{known}.")
    held = [Text(done.held_up, LOST)] if done.held_up else []
    odd = [Text(note, QUIET) for note in notes]
    return Group(said, *odd, *held, tables_table([state]))
