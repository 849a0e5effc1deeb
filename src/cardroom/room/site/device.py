"""Devices and their tokens, and the tabulators' units.

A token has the device's name, its generation, and an unguessable key. It is shown once, when the device is registered
or renewed. The ledger has only its digest, keyed with the card room's secret: the token cannot be recovered, and a
person with write access to the database cannot forge a digest.

>>> token = new_device_token("T-1001", 2, bytes(32))
>>> token[:9], parse_device_token(token)
('T-1001.2.', TokenClaim(device='T-1001', generation=2))
>>> token_digest(token, bytes(32))[:16], parse_device_token("T-1001.2.short")
('7332cc55f9189c92', None)
>>> digests = token_digest(token, bytes(32)), token_digest(token, b"another")
>>> tuple(is_valid_token(token, digest, bytes(32)) for digest in digests)
(True, False)

A person registers each device for one table. A token is valid for one generation, and a generation never repeats:
renewing or withdrawing a device invalidates all its earlier tokens.

A tabulator's unit is on one table at a time, and its counter never goes down, even after a move (BJ-35).
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
from cardroom.room.setup.tabulator_models import (
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
    """Device and generation as a token states them; the digest proves them."""

    device: str
    generation: int


def new_device_token(device: str, generation: int, key: bytes) -> str:
    """A new token of a device, from a key that was never used before."""
    return f"{device}.{generation}.{urlsafe_b64encode(key).decode().rstrip('=')}"


def token_digest(token: str, secret: bytes) -> str:
    """The digest of a token in the ledger: an HMAC with the card room's secret, which the database has only in
    encrypted form."""
    return hmac.digest(secret, (_DIGEST_LABEL + token).encode(), "sha256").hex()


def parse_device_token(text: str) -> TokenClaim | None:
    """The device and generation in a token; None for a text that is not a token."""
    parts = _PARTS.fullmatch(text)
    return TokenClaim(parts[1], int(parts[2])) if parts else None


def is_valid_token(token: str, digest: str, secret: bytes) -> bool:
    """Whether a token matches its digest in the ledger."""
    return hmac.compare_digest(token_digest(token, secret), digest)


class UnknownDevice(BadInput):
    """A device that was never registered."""


class BadDeviceChange(BadInput):
    """A device that cannot be registered, renewed, or withdrawn now."""


class NoBlockedRounds(BadInput):
    """A device without rounds that wait for two people."""


class DeviceNameInUse(BadDeviceChange):
    """An active device already has the name."""


class SecondCountingDevice(BadDeviceChange):
    """Another device already counts the wagers of the table."""


class DeviceBlock(NamedTuple):
    """Why a device is blocked until people decide."""

    why: str
    gap: LoggerGap | None = None
    """Where its data logger continues if two people accept the gap."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have dealt: none is counted until two people decide."""


class DeviceState(NamedTuple):
    """A device of a table."""

    table: str
    kind: DeviceKind
    generation: int
    """The generation of its token."""
    digest: str
    """The digest of its token."""
    since: Time
    """When it was registered."""
    withdrawn: str = ""
    """Why it was withdrawn; empty while it is active."""
    held_up: DeviceBlock | None = None


Devices = Mapping[str, DeviceState]
"""By name, including withdrawn devices, because their generations never repeat."""


def require_device(devices: Devices, device: str) -> DeviceState:
    """A device by its name."""
    if device not in devices:
        raise UnknownDevice(f"There is no device {device!r}: check its name, or register it first.")
    return devices[device]


def require_active_device(devices: Devices, device: str) -> DeviceState:
    """A device that is not withdrawn."""
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
    """Register a device for a table with this tabulator model. One device counts the wagers of a table. The token is
    made from the key; its digest is keyed with the card room's secret."""
    name, device_kind = require_device_name(device), parse_device_kind(kind)
    if model is not None:
        refuse_unfit_device(device_kind, table, model)
    refuse_used_name(devices, name)
    refuse_second_counter(devices, device_kind, table)
    before = [state.generation for other_name, state in devices.items() if other_name.casefold() == name.casefold()]
    generation = max(before, default=0) + 1
    digest = token_digest(new_device_token(name, generation, key), secret)
    return (DeviceRegistered(require_text(who, "name"), name, table, device_kind, generation, digest, now),)


def refuse_used_name(devices: Devices, name: str) -> None:
    """Refuse the name of another device, in any case."""
    for other_name, state in devices.items():
        if not state.withdrawn and other_name.casefold() == name.casefold():
            raise DeviceNameInUse(
                f"Device {other_name} is already the {state.kind.text} of {state.table}: withdraw it first, or choose "
                "another name."
            )


def refuse_second_counter(devices: Devices, kind: DeviceKind, table: str) -> None:
    """Refuse a second device that would count the wagers of a table."""
    for other_name, state in devices.items():
        if kind.is_counting and state.kind.is_counting and state.table == table and not state.withdrawn:
            raise SecondCountingDevice(
                f"{other_name}, the {state.kind.text} of {table}, already counts its wagers: withdraw it first."
            )


def renew_device(
    devices: Devices, device: str, *, who: str, why: str, key: bytes, secret: bytes
) -> tuple[DeviceRenewed, ...]:
    """Give a device a new token, made from the key."""
    generation = require_active_device(devices, device).generation + 1
    digest = token_digest(new_device_token(device, generation, key), secret)
    return (DeviceRenewed(require_text(who, "name"), device, generation, require_text(why, "reason"), digest),)


def withdraw_device(devices: Devices, device: str, *, who: str, why: str) -> tuple[DeviceWithdrawn, ...]:
    """Withdraw a device, whose token is no longer accepted."""
    require_active_device(devices, device)
    return (DeviceWithdrawn(require_text(who, "name"), device, require_text(why, "reason")),)


def refuse_rounds(
    devices: Devices, device: str, *, who: str, second: str | None, why: str
) -> tuple[DeviceWithdrawn, ...]:
    """Two people refuse the excess rounds of a device, which is withdrawn."""
    first_name, second_name = require_two_people(who, second, "the refusal of a device's rounds")
    require_blocked_device(devices, device)
    return (DeviceWithdrawn(first_name, device, require_text(why, "reason"), second_name),)


def require_blocked_device(devices: Devices, device: str) -> DeviceState:
    """A device that is blocked because it sent more rounds than its table can have dealt."""
    state = require_active_device(devices, device)
    if state.held_up is None or not state.held_up.too_many:
        block_text = f"is blocked for another reason: {state.held_up.why}" if state.held_up else "is not blocked."
        raise NoBlockedRounds(f"Device {device} has no excess rounds to decide; it {block_text}")
    return state


def block_device(
    devices: Devices, device: str, *, who: str, why: str, gap: LoggerGap | None = None, too_many: bool = False
) -> tuple[DeviceBlocked, ...]:
    """Block a device until people decide; no event if it is blocked for the same reason."""
    if require_active_device(devices, device).held_up == DeviceBlock(why, gap, too_many):
        return ()
    return (DeviceBlocked(who, device, why, gap, too_many),)


def unblock_device(devices: Devices, device: str, *, who: str) -> tuple[DeviceUnblocked, ...]:
    """Unblock a device; no event if it is not blocked."""
    return (DeviceUnblocked(who, device),) if require_active_device(devices, device).held_up is not None else ()


DeviceEvent = DeviceRegistered | DeviceRenewed | DeviceWithdrawn | DeviceBlocked | DeviceUnblocked


def apply_device_event(devices: Devices, event: DeviceEvent) -> Devices:
    """The devices after an event."""
    name = event.device
    if isinstance(event, DeviceRegistered):
        former_state = devices.get(name)
        if former_state is not None and (not former_state.withdrawn or event.generation <= former_state.generation):
            raise BadDeviceChange(f"Device {name} cannot be registered with token generation {event.generation}.")
        registered_state = event.generation, event.digest, event.since
        return {**devices, name: DeviceState(event.table, event.device_kind, *registered_state)}
    state = require_active_device(devices, name)
    match event:
        case DeviceRenewed(generation=generation, digest=digest):
            if generation <= state.generation:
                raise BadDeviceChange(f"Device {name} cannot have token generation {generation} again.")
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
    """A unit that is on another table, or whose counter is impossible."""


class UnitState(NamedTuple):
    """The table of a unit, and its last known counters."""

    table: str
    """Empty while it is in storage."""
    counters: tuple[SensorCounter, ...]
    """The counter values at its last move."""
    logger: LoggerMark | None = None


Units = Mapping[str, UnitState]
"""By the number on the case."""


def place_unit(
    units: Units, unit: str, table: str, sensors: Sequence[int], counters: Sequence[int], *, who: str
) -> UnitMoved:
    """Put a unit on a table. ``counters`` are its values for each sensor; by default its last known values, or zeros
    for a new unit."""
    former_state = units.get(unit)
    if former_state and former_state.table not in ("", table):
        raise BadUnitMove(
            f"Unit {unit} is on table {former_state.table}: check the number on the case, replace the unit there, or "
            "remove that table first."
        )
    showed = dict(former_state.counters) if former_state else {}
    new_counters = tuple(counters) or tuple(showed.get(sensor, 0) for sensor in sensors)
    if len(new_counters) != len(sensors):
        raise BadUnitMove(f"The tabulator counts {len(sensors)} wagers: enter the counter of each one.")
    for sensor, counter in zip(sensors, new_counters, strict=True):
        if not 0 <= counter <= COUNTER_LIMIT:
            raise BadUnitMove(
                f"The counter of {unit} cannot show {counter:,}: enter a number from 0 to {COUNTER_LIMIT:,}."
            )
        if counter < showed.get(sensor, 0):
            raise BadUnitMove(
                f"The counter of {unit} showed {showed[sensor]:,} at its last move and cannot go down to {counter:,}: "
                "read it again, and check the unit's number."
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
    """Take a unit off its table; the state keeps its counters, and the unit is free for another table."""
    return UnitMoved(require_text(who, "name"), unit, "", _sensor_counters(sensors, counters), logger)


def apply_unit_moved(units: Units, event: UnitMoved) -> Units:
    """The units after a move."""
    former_state = units.get(event.unit)
    if former_state and event.table and former_state.table not in ("", event.table):
        raise BadUnitMove(f"Unit {event.unit} is on table {former_state.table}: it cannot move to {event.table}.")
    showed, shows = dict(former_state.counters) if former_state else {}, dict(event.counters)
    if any(shows.get(sensor, counter) < counter for sensor, counter in showed.items()):
        raise BadUnitMove(f"The counter of {event.unit} cannot go down.")
    merged = tuple(SensorCounter(*item) for item in sorted({**showed, **shows}.items()))
    return {**units, event.unit: UnitState(event.table, merged, event.logger)}


def _sensor_counters(sensors: Sequence[int], counters: Sequence[int]) -> tuple[SensorCounter, ...]:
    return tuple(SensorCounter(*item) for item in zip(sensors, counters, strict=True))
