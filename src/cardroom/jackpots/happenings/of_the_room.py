"""What happens to the card room as a whole."""

from __future__ import annotations

from dataclasses import dataclass

from cardroom.jackpots.contents import LoggerMark, SensorCounter
from cardroom.jackpots.happenings.kind import Happening, declared
from cardroom.jackpots.plain import left_out, written_by
from cardroom.jackpots.setup.room import RoomSettings, settings_entry, settings_from

written_by(RoomSettings, settings_entry, settings_from)


@dataclass(frozen=True, slots=True)
class OfTheRoom(Happening):
    """What happens to the room stands on a chain of its own. What holds for all of it needs two people."""

    who: str


@declared("room-set-up")
class RoomSetUp(OfTheRoom):
    """What holds in the whole room from now on."""

    second: str
    why: str
    settings: RoomSettings


@declared("unit-moved")
class UnitMoved(OfTheRoom):
    """A tabulator's unit stands at another table from now on, or at none."""

    unit: str
    table: str
    """Empty where it is put away."""
    counters: tuple[SensorCounter, ...]
    """What it shows."""
    logger: LoggerMark | None = left_out(None)
    """How far the records of its data logger were taken over."""
