"""Where the card room stands: what holds in it, and what happened to it last."""

from __future__ import annotations

from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.games.frozen_map import FrozenMap
from cardroom.jackpots.happenings.kind import Happening
from cardroom.jackpots.happenings.of_the_room import (
    BackupRestored,
    ClockConfirmed,
    DayClosed,
    DayOpened,
    DeviceHeldUp,
    DeviceRegistered,
    DeviceRenewed,
    DeviceWentOn,
    DeviceWithdrawn,
    HeadsKeyRecorded,
    HeadsSent,
    KeyBackedUp,
    KeyRotated,
    MalfunctionReported,
    OperatorRecovered,
    RecoveryAcknowledged,
    ReportClosed,
    ReportSent,
    RoomSetUp,
    SecretReplaced,
    SecretSealed,
    UnitMoved,
)
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.room.days import Days, closing_name, days_after, opening_name
from cardroom.jackpots.room.devices import Devices, devices_after
from cardroom.jackpots.room.recoveries import Recoveries, recoveries_after
from cardroom.jackpots.room.reports import Reports, report_name, reports_after
from cardroom.jackpots.room.units import Units, units_after
from cardroom.jackpots.setup.room import RoomSettings


class NotOfTheRoom(BadInput):
    """A happening that is none of the room's: a fault of the program or of the log."""


class RoomState(NamedTuple):
    """The room between two happenings. A room that nobody has set up has the settings that every room begins with."""

    settings: RoomSettings = RoomSettings()
    reports: Reports = ()
    """The reports of malfunctions that are not closed."""
    units: Units = FrozenMap()
    """Where the tabulators' units stand."""
    days: Days = Days()
    devices: Devices = FrozenMap()
    """The equipment that speaks, or spoke, over the network."""
    secret: str = ""
    """The seal of the room's secret; empty as long as there is none."""
    heads_key: str = ""
    """The public key that signs heads; empty until heads are signed for the first time."""
    recoveries: Recoveries = ()
    """Every operator who was recovered at the machine."""
    key: str = ""
    """The fingerprint of the key that encrypts secrets in the database."""


def set_up_room(state: RoomState, settings: RoomSettings, *, who: str, second: str, why: str) -> tuple[RoomSetUp, ...]:
    """Say what holds in the whole room from now on; two people say it, because it says what one person may do."""
    one, other = two_people(who, second, "what holds in the whole room")
    if settings == state.settings:
        raise NotOfTheRoom("The room is set up like this already.")
    return (RoomSetUp(who=one, second=other, why=named(why, "reason"), settings=settings),)


def record_heads_key(state: RoomState, key: str, *, who: str, second: str, why: str) -> tuple[HeadsKeyRecorded, ...]:
    """Record the public key that signs heads from now on. Two people replace one that is recorded."""
    if key == state.heads_key:
        raise NotOfTheRoom("This key signs heads already.")
    if state.heads_key:
        one, other = two_people(who, second, "which key signs heads")
        return (HeadsKeyRecorded(who=one, second=other, why=named(why, "reason"), key=key),)
    return (HeadsKeyRecorded(who=named(who, "name"), second=second, why=why, key=key),)


def room_after(state: RoomState | None, happening: Happening) -> RoomState:
    """The room after a happening."""
    now = state or RoomState()
    match happening:
        case RoomSetUp(settings=settings):
            return now._replace(settings=settings)
        case MalfunctionReported() | ReportSent() | ReportClosed():
            return now._replace(reports=reports_after(now.reports, happening))
        case UnitMoved():
            return now._replace(units=units_after(now.units, happening))
        case DayOpened() | DayClosed():
            return now._replace(days=days_after(now.days, happening))
        case HeadsSent():
            return now
        case OperatorRecovered() | RecoveryAcknowledged():
            return now._replace(recoveries=recoveries_after(now.recoveries, happening))
        case HeadsKeyRecorded(key=key, second=second):
            if now.heads_key and not second:
                raise NotOfTheRoom("Two people replace the key that signs heads.")
            return now._replace(heads_key=key)
        case ClockConfirmed():
            return now
        case DeviceRegistered() | DeviceRenewed() | DeviceWithdrawn() | DeviceHeldUp() | DeviceWentOn():
            return now._replace(devices=devices_after(now.devices, happening))
        case SecretSealed(seal=seal, key=key):
            if now.secret:
                raise NotOfTheRoom("The room has a secret already, and keeps it.")
            return now._replace(secret=seal, key=key)
        case SecretReplaced(seal=seal, key=key):
            return now._replace(secret=seal, key=key)
        case KeyRotated(key=key):
            return now._replace(key=key)
        case KeyBackedUp() | BackupRestored():
            return now
    raise NotOfTheRoom(f"{happening.kind} does not happen to the room.")


def room_names(happening: Happening) -> tuple[str, ...]:
    """What the room's chain knows a happening by for ever."""
    match happening:
        case MalfunctionReported(number=number):
            return (report_name(number),)
        case DayOpened(day=day):
            return (opening_name(day),)
        case DayClosed(day=day):
            return (closing_name(day),)
    return ()
