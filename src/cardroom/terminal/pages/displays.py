"""What the displays of a table say, as text in a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel as Frame
from rich.table import Table as Grid
from rich.text import Text

from cardroom.jackpots import Display
from cardroom.jackpots.amounts import shown
from cardroom.jackpots.displays import Board, LedLine, Panel, Prizes, Status
from cardroom.terminal.palette import COST, QUIET, TITLE


def display_text(display: Display) -> RenderableType:
    """A display as it reads."""
    if isinstance(display, LedLine) and display.status is Status.DARK:
        return Frame(Text("dark", QUIET), title="LED line", box=box.ROUNDED)
    if isinstance(display, LedLine):
        return Frame(Group(Text(display.amount, TITLE), Text(display.running)), title="LED line", box=box.ROUNDED)
    return Frame(Group(*_board(display)), title=str(display.kind).replace("-", " ").capitalize(), box=box.ROUNDED)


def _board(board: Board) -> Iterator[RenderableType]:
    yield Text(f"{board.game} · {board.table}", QUIET)
    for panel in board.panels:
        yield from _panel(panel)
    limits = "  ".join(f"{one.wager} {one.limits}" for one in board.limits)
    yield Text(f"\n{limits}", QUIET)
    for text in (*board.promotions, *board.notices):
        yield Text(f"\n{text}")


def _panel(panel: Panel) -> Iterator[RenderableType]:
    yield Text.assemble("\n", (panel.name, "bold"), (f"  {panel.kind}, {panel.wager}", QUIET))
    if panel.headline:
        yield Text(f"{panel.headline}. {panel.message}", COST)
    for level in panel.amounts:
        yield Text.assemble((shown(level.cents), TITLE), (f"  {level.name}  {level.ceiling}", QUIET))
    if panel.elsewhere:
        yield Text(panel.elsewhere, QUIET)
    yield from map(_prizes, panel.prizes)


def _prizes(prizes: Prizes) -> RenderableType:
    grid = Grid(box=None, padding=(0, 2, 0, 0), show_header=False)
    for line in prizes.lines:
        grid.add_row(line.event, line.prize, line.worth)
    return Group(Text(prizes.name, QUIET), grid, Text(" ".join(prizes.notes), QUIET))
