"""The history of a jackpot, a line for each change."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.accounts import Amount, Money
from cardroom.floor import DepositDue
from cardroom.floor.history import ChangeLine
from cardroom.jackpots.amounts import books, change
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.terminal.pages.deposits import deposit_warning
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.palette import LOST, QUIET, WON


def history_table(
    lines: Sequence[ChangeLine], calendar: Calendar, due: DepositDue | None = None, money: Money = Money.ROOM
) -> RenderableType:
    """The lines, the newest first; a deposit that is due is said below them, and that it is play money."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, expand=True)
    grid.add_column("Time", no_wrap=True)
    grid.add_column("Level")
    grid.add_column("Reason", ratio=1, overflow="fold")
    grid.add_column("Beginning", justify="right", no_wrap=True)
    grid.add_column("Amount", justify="right", no_wrap=True)
    grid.add_column("Who", max_width=16)
    for line in lines:
        reason = Text(line.reason).append(f"\n{line.note}" if line.note else "", QUIET)
        before = "" if line.before is None else books(line.before)
        level = line.level if line.held == "display" else f"{line.level}\n{line.held}"
        grid.add_row(calendar.told(line.time)[:16], level, reason, before, _moved(line.amount), line.who)
    said = Text.assemble(*money_tag(money), (calendar.said, QUIET))
    return Group(grid, said, *deposit_warning(due))


def _moved(amount: Amount | None) -> Text:
    return Text("") if amount is None else Text(change(amount), WON if amount > 0 else LOST if amount < 0 else QUIET)
