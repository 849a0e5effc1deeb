"""What holds in the whole card room."""

from __future__ import annotations

from collections.abc import Sequence

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cardroom.floor import RoomStanding
from cardroom.floor.kept.room_history import RoomChange
from cardroom.games.money import money
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.terminal.palette import QUIET


def room_page(standing: RoomStanding) -> RenderableType:
    """The room after a command."""
    return settings_table(standing.settings)


def settings_table(settings: RoomSettings) -> RenderableType:
    """What holds, line by line."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=QUIET)
    table.add_column()
    for name, value in (
        ("Room", settings.name),
        ("Times", str(settings.calendar)),
        ("A dealer pays alone", f"up to {money(settings.dealer_pays)} to one winner of one round"),
        ("A table plays at most", f"{settings.rounds_an_hour} rounds an hour"),
    ):
        table.add_row(name, value)
    return table


def room_history_page(changes: Sequence[RoomChange], calendar: Calendar) -> RenderableType:
    """Every set-up with each setting before and after; the reasons are in the words of who gave them."""
    if not changes:
        return Text("Nobody has set up the room yet: every setting has its default (cardroom room show).")
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, expand=True)
    table.add_column("Time", no_wrap=True)
    table.add_column("Before and after", ratio=2, overflow="fold")
    table.add_column("Why", ratio=1, overflow="fold")
    table.add_column("Who", max_width=24)
    for one in changes:
        changed = Text("\n".join(change.words for change in one.changes))
        table.add_row(calendar.told(one.time)[:16], changed, Text(one.why), Text(f"{one.who} and {one.second}"))
    return Group(table, Text(calendar.said, QUIET))
