"""What holds in the whole card room."""

from __future__ import annotations

from rich.console import RenderableType
from rich.table import Table

from cardroom.floor import RoomStanding
from cardroom.games.money import money
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
    heads = settings.heads_folder or settings.heads_command or "not kept: name a folder or a command"
    for name, value in (
        ("Room", settings.name),
        ("Times", str(settings.calendar)),
        ("A dealer pays alone", f"up to {money(settings.dealer_pays)} to one winner of one round"),
        ("A table plays at most", f"{settings.rounds_an_hour} rounds an hour"),
        ("Heads at the day's close", heads),
    ):
        table.add_row(name, value)
    return table
