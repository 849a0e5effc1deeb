"""Signed heads as the office shows them: how old the newest are, and which destination is late."""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.floor.desks.heads import DestinationState
from cardroom.floor.people.permissions import Right
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.web.rights.caller import Caller
from cardroom.web.room.house import House


class HeadsLine(NamedTuple):
    """One sentence about exported heads."""

    sentence: str
    is_late: bool = False
    """Whether someone should look at it."""


TELL: Final = "Tell an operator."
"""What a person does who cannot change the machine's configuration."""


def heads_lines(house: House, caller: Caller) -> list[HeadsLine]:
    """The newest signed heads, and each destination. Only operators see folders, command lines, and addresses; the
    others see the kind of destination and whether it is late."""
    to, calendar = house.heads.to, house.floor.calendar
    if not to:
        return [HeadsLine("No signed heads leave this machine: its configuration names no destination.")]
    status = house.floor.heads_status(to)
    whole = caller.may(Right.SET_UP_ROOM)
    error = status.error if whole else TELL
    lines = [HeadsLine(f"No heads are signed now. {error}", is_late=True)] if status.error else []
    if status.head is None:
        return lines or [HeadsLine("No heads were signed yet.")]
    lines.append(HeadsLine(f"The newest heads were signed at {calendar.told(status.head.time)[:16]}."))
    lines += [_line(one, status.head.size, calendar, whole) for one in status.destinations]
    if status.cosigned is not None:
        lines.append(HeadsLine(f"The witness cosigned last at {calendar.told(status.cosigned.time)[:16]}."))
    return lines


def _line(one: DestinationState, size: int, calendar: Calendar, whole: bool) -> HeadsLine:
    name = f"The {one.kind} {one.where}" if whole else f"The {one.kind}"
    if one.error:
        when = f" Tried last at {calendar.told(one.time)[:16]}." if one.time else ""
        return HeadsLine(f"{name} is late. {one.error if whole else TELL}{when}", is_late=True)
    return HeadsLine(f"{name} has them." if one.size == size else f"{name} gets them with the next export.")
