"""The token of a device: its name, its generation, and a key that nobody can guess.

It is made when the device is registered or renewed, and shown then. The books have its digest alone, keyed with the
room's secret: nobody can make the token again, and nobody who writes to the database can make a digest for another.

>>> token = new_device_token("T-1001", 2, bytes(32))
>>> token[:9], parse_device_token(token)
('T-1001.2.', TokenClaim(device='T-1001', generation=2))
>>> token_digest(token, bytes(32))[:16], parse_device_token("T-1001.2.short")
('7332cc55f9189c92', None)
>>> digests = token_digest(token, bytes(32)), token_digest(token, b"another")
>>> tuple(is_valid_token(token, digest, bytes(32)) for digest in digests)
(True, False)

The equipment of the room that speaks over the network: a person registers each device for one table.

A device is known by a token of which the books have the digest. A token is good for one generation, and a generation
never comes back: who renews or withdraws a device has made every older token worthless.

The tabulators' units of the room: one unit stands at one table, and its counter never goes back, wherever it was
meanwhile (BJ-35).
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.jackpot.event_values import LoggerGap, LoggerMark, SensorCounter
from cardroom.room.setup.calendar import Time
from cardroom.room.setup.equipment import (
    BetTabulatorModel,
    DeviceKind,
    parse_device_kind,
    refuse_unfit_device,
    require_device_name,
)
from cardroom.room.site.events import (
    DeviceBlocked,
    DeviceRegistered,
    DeviceRenewed,
    DeviceUnblocked,
    DeviceWithdrawn,
    UnitMoved,
)

_PARTS: Final = re.compile(r"([A-Za-z0-9_-]{1,40})\.([1-9][0-9]{0,8})\.[A-Za-z0-9_-]{43}")
_DIGEST_LABEL: Final = "cardroom device token 1\0"


class TokenClaim(NamedTuple):
    """What a token says of itself; whether that is true, its digest tells."""

    device: str
    generation: int


def new_device_token(device: str, generation: int, key: bytes) -> str:
    """The token of a device, of a key that was never used before."""
    return f"{device}.{generation}.{urlsafe_b64encode(key).decode().rstrip('=')}"


def token_digest(token: str, secret: bytes) -> str:
    """What the books have of a token: an HMAC under the room's secret, which is not readable in the database."""
    return hmac.digest(secret, (_DIGEST_LABEL + token).encode(), "sha256").hex()


def parse_device_token(text: str) -> TokenClaim | None:
    """Whose token it says that it is; None for what is no token."""
    parts = _PARTS.fullmatch(text)
    return TokenClaim(parts[1], int(parts[2])) if parts else None


def is_valid_token(token: str, digest: str, secret: bytes) -> bool:
    """Whether it is the token of which the books have the digest."""
    return hmac.compare_digest(token_digest(token, secret), digest)


class UnknownDevice(BadInput):
    """A device that was never registered."""


class BadDeviceChange(BadInput):
    """A device that cannot be registered, renewed or withdrawn now."""


class NoBlockedRounds(BadInput):
    """A device whose rounds wait for nobody."""


class DeviceNameInUse(BadDeviceChange):
    """A device of that name speaks already."""


class SecondCountingDevice(BadDeviceChange):
    """Wagers of the table come in through another device."""


class DeviceBlock(NamedTuple):
    """Why a device waits for people."""

    why: str
    gap: LoggerGap | None = None
    """Where two people may let its data logger go on."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have played: nothing is counted until two people decide."""


class DeviceState(NamedTuple):
    """A device of a table."""

    table: str
    kind: DeviceKind
    generation: int
    """Of its token."""
    digest: str
    """Of its token."""
    since: Time
    """When it was registered."""
    withdrawn: str = ""
    """Why it may not speak any more; empty while it may."""
    held_up: DeviceBlock | None = None


Devices = Mapping[str, DeviceState]
"""By name; those that were withdrawn among them, because their generations are never given again."""


def require_device(devices: Devices, device: str) -> DeviceState:
    """A device by its name."""
    if device not in devices:
        raise UnknownDevice(
            f"There is no device {device!r}: register it first (cardroom device add), or check its name."
        )
    return devices[device]


def require_active_device(devices: Devices, device: str) -> DeviceState:
    """A device that may speak."""
    state = require_device(devices, device)
    if state.withdrawn:
        raise BadDeviceChange(f"Device {device} was withdrawn ({state.withdrawn}): register it again.")
    return state


def register_device(
    devices: Devices,
    device: str,
    kind: str,
    table: str,
    model: BetTabulatorModel | None,
    *,
    who: str,
    key: bytes,
    secret: bytes,
    now: Time,
) -> tuple[DeviceRegistered, ...]:
    """Let a device speak for a table, whose tabulator is of the model. Wagers come in through one device of a table.
    Its token is made of the key; its digest is keyed with the room's secret."""
    name, device_kind_ = require_device_name(device), parse_device_kind(kind)
    if model is not None:
        refuse_unfit_device(device_kind_, table, model)
    refuse_used_name(devices, name)
    refuse_second_counter(devices, device_kind_, table)
    before = [state.generation for other_name, state in devices.items() if other_name.casefold() == name.casefold()]
    generation = max(before, default=0) + 1
    digest = token_digest(new_device_token(name, generation, key), secret)
    return (DeviceRegistered(require_text(who, "name"), name, table, device_kind_, generation, digest, now),)


def refuse_used_name(devices: Devices, name: str) -> None:
    """Refuse a name that another device has, however it is written."""
    for other_name, state in devices.items():
        if not state.withdrawn and other_name.casefold() == name.casefold():
            raise DeviceNameInUse(
                f"Device {other_name} is the {state.kind.text} of {state.table} already: withdraw it first, or give "
                "this one another name."
            )


def refuse_second_counter(devices: Devices, kind: DeviceKind, table: str) -> None:
    """Refuse a second device through which wagers of a table would come in."""
    for other_name, state in devices.items():
        if kind.is_counting and state.kind.is_counting and state.table == table and not state.withdrawn:
            raise SecondCountingDevice(
                f"{table} counts through {other_name} already, its {state.kind.text}: withdraw that one first."
            )


def renew_device(
    devices: Devices, device: str, *, who: str, why: str, key: bytes, secret: bytes
) -> tuple[DeviceRenewed, ...]:
    """Give a device another token, made of the key."""
    generation = require_active_device(devices, device).generation + 1
    digest = token_digest(new_device_token(device, generation, key), secret)
    return (DeviceRenewed(require_text(who, "name"), device, generation, require_text(why, "reason"), digest),)


def withdraw_device(devices: Devices, device: str, *, who: str, why: str) -> tuple[DeviceWithdrawn, ...]:
    """Let a device speak no more."""
    require_active_device(devices, device)
    return (DeviceWithdrawn(require_text(who, "name"), device, require_text(why, "reason")),)


def refuse_rounds(
    devices: Devices, device: str, *, who: str, second: str | None, why: str
) -> tuple[DeviceWithdrawn, ...]:
    """Two people refuse the rounds that a device has sent too many of: its token is worth nothing any more."""
    first_name, second_name = require_two_people(who, second, "rounds that a device has sent too many of")
    require_blocked_device(devices, device)
    return (DeviceWithdrawn(first_name, device, require_text(why, "reason"), second_name),)


def require_blocked_device(devices: Devices, device: str) -> DeviceState:
    """A device that has sent more rounds than its table can have played."""
    state = require_active_device(devices, device)
    if state.held_up is None or not state.held_up.too_many:
        block_text = f"it waits for something else: {state.held_up.why}" if state.held_up else "nothing holds it up."
        raise NoBlockedRounds(f"Device {device} has sent no rounds too many: {block_text}")
    return state


def block_device(
    devices: Devices, device: str, *, who: str, why: str, gap: LoggerGap | None = None, too_many: bool = False
) -> tuple[DeviceBlocked, ...]:
    """Note that people have to look at what a device sends; nothing, when that stands there for the same reason."""
    if require_active_device(devices, device).held_up == DeviceBlock(why, gap, too_many):
        return ()
    return (DeviceBlocked(who, device, why, gap, too_many),)


def unblock_device(devices: Devices, device: str, *, who: str) -> tuple[DeviceUnblocked, ...]:
    """Note that what a device sends follows again; nothing, when nobody had to look."""
    return (DeviceUnblocked(who, device),) if require_active_device(devices, device).held_up is not None else ()


DeviceEvent = DeviceRegistered | DeviceRenewed | DeviceWithdrawn | DeviceBlocked | DeviceUnblocked


def apply_device_event(devices: Devices, event: DeviceEvent) -> Devices:
    """The devices after a happening."""
    name = event.device
    if isinstance(event, DeviceRegistered):
        former_state = devices.get(name)
        if former_state is not None and (not former_state.withdrawn or event.generation <= former_state.generation):
            raise BadDeviceChange(f"Device {name} cannot be registered with token {event.generation}.")
        registered_state = event.generation, event.digest, event.since
        return {**devices, name: DeviceState(event.table, event.device_kind, *registered_state)}
    state = require_active_device(devices, name)
    match event:
        case DeviceRenewed(generation=generation, digest=digest):
            if generation <= state.generation:
                raise BadDeviceChange(f"Device {name} cannot have token {generation} again.")
            after = state._replace(generation=generation, digest=digest)
        case DeviceWithdrawn(why=why):
            after = state._replace(withdrawn=why, held_up=None)
        case DeviceBlocked(why=why, gap=gap, too_many=too_many):
            after = state._replace(held_up=DeviceBlock(why, gap, too_many))
        case DeviceUnblocked():
            after = state._replace(held_up=None)
    return {**devices, name: after}


COUNTER_LIMIT: Final = 10**12 - 1
"""More wagers than any unit ever counts."""


class BadUnitMove(BadInput):
    """A unit that stands at another table, or shows what it cannot show."""


class UnitState(NamedTuple):
    """Where a unit stands, and what is known of it."""

    table: str
    """Empty when it is put away."""
    counters: tuple[SensorCounter, ...]
    """What it showed when it came there or was put away."""
    logger: LoggerMark | None = None


Units = Mapping[str, UnitState]
"""By the number on the case."""


def place_unit(
    units: Units, unit: str, table: str, sensors: Sequence[int], counters: Sequence[int], *, who: str
) -> UnitMoved:
    """Put a unit at a table. ``counters`` is what it shows for each of the sensors; when nobody tells, what it showed
    last, and zeros for a new one."""
    former_state = units.get(unit)
    if former_state and former_state.table not in ("", table):
        raise BadUnitMove(
            f"Unit {unit} stands at {former_state.table}, and one unit stands at one table: exchange it there or close "
            "that table first, or check the number on the case."
        )
    showed = dict(former_state.counters) if former_state else {}
    new_counters = tuple(counters) or tuple(showed.get(sensor, 0) for sensor in sensors)
    if len(new_counters) != len(sensors):
        raise BadUnitMove(f"The tabulator counts {len(sensors)} wagers: give what it shows for each of them.")
    for sensor, counter in zip(sensors, new_counters, strict=True):
        if not 0 <= counter <= COUNTER_LIMIT:
            raise BadUnitMove(
                f"The counter of {unit} cannot show {counter:,}: give a number from 0 to {COUNTER_LIMIT:,}."
            )
        if counter < showed.get(sensor, 0):
            raise BadUnitMove(
                f"The counter of {unit} showed {showed[sensor]:,} when it was put away: it never goes back to "
                f"{counter:,}. Another unit has another number."
            )
    return UnitMoved(
        require_text(who, "name"),
        unit,
        table,
        _sensor_counters(sensors, new_counters),
        former_state.logger if former_state else None,
    )


def remove_unit(
    unit: str, sensors: Sequence[int], counters: Sequence[int], logger: LoggerMark | None, *, who: str
) -> UnitMoved:
    """Take a unit away from its table: what it shows is remembered, and it is free for another one."""
    return UnitMoved(require_text(who, "name"), unit, "", _sensor_counters(sensors, counters), logger)


def apply_unit_moved(units: Units, event: UnitMoved) -> Units:
    """The units after one was moved."""
    former_state = units.get(event.unit)
    if former_state and event.table and former_state.table not in ("", event.table):
        raise BadUnitMove(f"Unit {event.unit} stands at {former_state.table}: it cannot come to {event.table}.")
    showed, shows = dict(former_state.counters) if former_state else {}, dict(event.counters)
    if any(shows.get(sensor, counter) < counter for sensor, counter in showed.items()):
        raise BadUnitMove(f"The counter of {event.unit} cannot go back.")
    merged = tuple(SensorCounter(*item) for item in sorted({**showed, **shows}.items()))
    return {**units, event.unit: UnitState(event.table, merged, event.logger)}


def _sensor_counters(sensors: Sequence[int], counters: Sequence[int]) -> tuple[SensorCounter, ...]:
    return tuple(SensorCounter(*item) for item in zip(sensors, counters, strict=True))
