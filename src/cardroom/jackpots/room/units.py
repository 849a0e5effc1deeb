"""The tabulators' units of the room: one unit stands at one table, and its counter never goes back, wherever it was
meanwhile (BJ-35)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.jackpots.contents import LoggerMark, SensorCounter
from cardroom.jackpots.happenings.of_the_room import UnitMoved
from cardroom.jackpots.people import named

MOST_SHOWN: Final = 10**12 - 1
"""More wagers than any unit ever counts."""


class UnitElsewhere(BadInput):
    """A unit that stands at another table, or shows what it cannot show."""


class UnitStands(NamedTuple):
    """Where a unit stands, and what is known of it."""

    table: str
    """Empty when it is put away."""
    counters: tuple[SensorCounter, ...]
    """What it showed when it came there or was put away."""
    logger: LoggerMark | None = None


Units = Mapping[str, UnitStands]
"""By the number on the case."""


def place_unit(
    units: Units, unit: str, table: str, sensors: Sequence[int], told: Sequence[int], *, who: str
) -> UnitMoved:
    """Put a unit at a table. ``told`` is what it shows for each of the sensors; when nobody tells, what it showed last,
    and zeros for a new one."""
    known = units.get(unit)
    if known and known.table not in ("", table):
        raise UnitElsewhere(
            f"Unit {unit} stands at {known.table}, and one unit stands at one table: exchange it there or close that "
            "table first, or check the number on the case."
        )
    showed = dict(known.counters) if known else {}
    shown = tuple(told) or tuple(showed.get(sensor, 0) for sensor in sensors)
    if len(shown) != len(sensors):
        raise UnitElsewhere(f"The tabulator counts {len(sensors)} wagers: give what it shows for each of them.")
    for sensor, now in zip(sensors, shown, strict=True):
        if not 0 <= now <= MOST_SHOWN:
            raise UnitElsewhere(f"The counter of {unit} cannot show {now:,}: give a number from 0 to {MOST_SHOWN:,}.")
        if now < showed.get(sensor, 0):
            raise UnitElsewhere(
                f"The counter of {unit} showed {showed[sensor]:,} when it was put away: it never goes back to {now:,}. "
                "Another unit has another number."
            )
    return UnitMoved(named(who, "name"), unit, table, _counters(sensors, shown), known.logger if known else None)


def put_away(
    unit: str, sensors: Sequence[int], counters: Sequence[int], logger: LoggerMark | None, *, who: str
) -> UnitMoved:
    """Take a unit away from its table: what it shows is remembered, and it is free for another one."""
    return UnitMoved(named(who, "name"), unit, "", _counters(sensors, counters), logger)


def units_after(units: Units, moved: UnitMoved) -> Units:
    """The units after one was moved."""
    known = units.get(moved.unit)
    if known and moved.table and known.table not in ("", moved.table):
        raise UnitElsewhere(f"Unit {moved.unit} stands at {known.table}: it cannot come to {moved.table}.")
    showed, shows = dict(known.counters) if known else {}, dict(moved.counters)
    if any(shows.get(sensor, counter) < counter for sensor, counter in showed.items()):
        raise UnitElsewhere(f"The counter of {moved.unit} cannot go back.")
    merged = tuple(SensorCounter(*one) for one in sorted({**showed, **shows}.items()))
    return {**units, moved.unit: UnitStands(moved.table, merged, moved.logger)}


def _counters(sensors: Sequence[int], shown: Sequence[int]) -> tuple[SensorCounter, ...]:
    return tuple(SensorCounter(*one) for one in zip(sensors, shown, strict=True))
