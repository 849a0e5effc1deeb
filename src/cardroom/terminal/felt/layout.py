"""The spots of a layout before the wagers: what they take and how they pay."""

from __future__ import annotations

from collections.abc import Mapping

from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.layout_words import spot_name
from cardroom.games.money import money
from cardroom.games.setup import Limits
from cardroom.games.table import Table
from cardroom.terminal.felt.felt import CHIP
from cardroom.terminal.palette import GOLD, LABEL, ON_FELT


def span(limits: Limits) -> str:
    """The least and the most that a spot takes."""
    least = money(limits.minimum)
    return least if limits.minimum == limits.maximum else f"{least} to {money(limits.maximum)}"


def span_and_step(limits: Limits) -> str:
    """What a spot takes.

    >>> span_and_step(Limits(10_00, 200_00, 5_00)), span_and_step(Limits(1_00, 1_00, 1_00))
    ('$10 to $200, in steps of $5', '$1')
    """
    return span(limits) if limits.minimum == limits.maximum else f"{span(limits)}, in steps of {money(limits.step)}"


def layout(table: Table, last: Mapping[str, int]) -> Grid:
    """The spots with their limits, their paytables and what was last wagered."""
    grid = Grid.grid(padding=(0, 2))
    for style in (f"bold {ON_FELT}", GOLD, ON_FELT, ON_FELT, LABEL):
        grid.add_column(style=style, overflow="fold")
    grid.add_row(*(Text(head, LABEL) for head in ("SPOT", "LAST", "TAKES", "STEP", "PAYTABLE")))
    for spot, offered in table.spots.items():
        repeated = f"{CHIP} {money(last[spot])}" if spot in last else ""
        limits, pays = offered.limits, offered.paytable.called or "even money"
        grid.add_row(spot_name(table, spot), repeated, span(limits), money(limits.step), pays)
    return grid
