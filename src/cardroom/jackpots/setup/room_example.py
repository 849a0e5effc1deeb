"""A room's set-up to start from, with a line for every key, never out of date."""

from __future__ import annotations

import json

from cardroom.games.money import format_cents
from cardroom.jackpots.setup.room import RoomSettings


def example_room() -> str:
    """Every key with the value that it has when it is left out; only the name is the room's own.

    >>> from cardroom.jackpots.setup.room import read_settings
    >>> read_settings(example_room()) == RoomSettings(name="Main Street Card Room")
    True
    """
    default = RoomSettings(name="Main Street Card Room")
    lines = [
        "# What holds in the whole card room. A line that is left out has the value that stands here, but for the name."
    ]
    for name, value in default._asdict().items():
        told = format_cents(value) if name == "dealer_pays" else value
        lines += ["", f"# {_EXPLAINED[name]}", f"{name} = {json.dumps(told, ensure_ascii=False)}"]
    return "\n".join(lines) + "\n"


_EXPLAINED = {
    "name": f'As it stands on slips and in the day\'s book; without it slips say "{RoomSettings().name}".',
    "time_zone": "In which times are told and days are counted.",
    "day_starts": "When a gaming day begins.",
    "dealer_pays": "What one winner may get of one round from the dealer alone. More needs a second person.",
    "rounds_an_hour": "The most that a table can play: a counter that went on by more needs two people.",
}
