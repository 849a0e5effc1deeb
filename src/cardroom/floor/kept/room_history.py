"""Every set-up of the room: who said it, why, and what it changed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from cardroom.floor.kept.recall import happened
from cardroom.jackpots.happenings import RoomSetUp
from cardroom.jackpots.room.setting_changes import SettingChange, setting_changes
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.room import RoomSettings
from cardroom.ledger import Event


class RoomChange(NamedTuple):
    """One set-up; the first one changes what every room begins with."""

    sequence: int
    """The number of the event."""
    time: Time
    who: str
    second: str
    why: str
    changes: tuple[SettingChange, ...]


def room_changes(events: Iterable[Event]) -> Iterator[RoomChange]:
    """The set-ups among the events of the room, which begin with its first one."""
    before = RoomSettings()
    for event in events:
        if event.kind == RoomSetUp.kind:
            told = happened(event)
            assert isinstance(told, RoomSetUp)
            changes = setting_changes(before, told.settings)
            yield RoomChange(event.sequence, event.time, told.who, told.second, told.why, changes)
            before = told.settings
