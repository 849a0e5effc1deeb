"""The equipment of the room that speaks over the network: a person registers each device for one table.

A device is known by a token of which the books have the digest. A token is good for one generation, and a generation
never comes back: who renews or withdraws a device has made every older token worthless.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.jackpots.contents import LoggerGap
from cardroom.jackpots.happenings.of_the_room import (
    DeviceHeldUp,
    DeviceRegistered,
    DeviceRenewed,
    DeviceWentOn,
    DeviceWithdrawn,
)
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.room.device_tokens import digest_of, new_token
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.setup.devices import DeviceKind, device_kind, device_name, refuse_unfit
from cardroom.jackpots.setup.models import Model


class UnknownDevice(BadInput):
    """A device that was never registered."""


class CannotRegister(BadInput):
    """A device that cannot be registered, renewed or withdrawn now."""


class NoRoundsHeld(BadInput):
    """A device whose rounds wait for nobody."""


class NameInUse(CannotRegister):
    """A device of that name speaks already."""


class CountsAlready(CannotRegister):
    """Wagers of the table come in through another device."""


class HeldUp(NamedTuple):
    """Why a device waits for people."""

    why: str
    gap: LoggerGap | None = None
    """Where two people may let its data logger go on."""
    too_many: bool = False
    """Whether it has sent more rounds than its table can have played: nothing is counted until two people decide."""


class DeviceStands(NamedTuple):
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
    held_up: HeldUp | None = None


Devices = Mapping[str, DeviceStands]
"""By name; those that were withdrawn among them, because their generations are never given again."""


def known_device(devices: Devices, device: str) -> DeviceStands:
    """A device by its name."""
    if device not in devices:
        raise UnknownDevice(
            f"There is no device {device!r}: register it first (cardroom device register), or check its name."
        )
    return devices[device]


def speaking_device(devices: Devices, device: str) -> DeviceStands:
    """A device that may speak."""
    stands = known_device(devices, device)
    if stands.withdrawn:
        raise CannotRegister(f"Device {device} was withdrawn ({stands.withdrawn}): register it again.")
    return stands


def register_device(
    devices: Devices,
    device: str,
    kind: str,
    table: str,
    model: Model | None,
    *,
    who: str,
    key: bytes,
    secret: bytes,
    now: Time,
) -> tuple[DeviceRegistered, ...]:
    """Let a device speak for a table, whose tabulator is of the model. Wagers come in through one device of a table.
    Its token is made of the key; its digest is keyed with the room's secret."""
    name, of = device_name(device), device_kind(kind)
    if model is not None:
        refuse_unfit(of, table, model)
    refuse_used_name(devices, name)
    refuse_second_counter(devices, of, table)
    before = [stands.generation for other, stands in devices.items() if other.casefold() == name.casefold()]
    generation = max(before, default=0) + 1
    digest = digest_of(new_token(name, generation, key), secret)
    return (DeviceRegistered(named(who, "name"), name, table, of, generation, digest, now),)


def refuse_used_name(devices: Devices, name: str) -> None:
    """Refuse a name that another device has, however it is written."""
    for other, stands in devices.items():
        if not stands.withdrawn and other.casefold() == name.casefold():
            raise NameInUse(
                f"Device {other} is the {stands.kind.words} of {stands.table} already: withdraw it first, or give this "
                "one another name."
            )


def refuse_second_counter(devices: Devices, kind: DeviceKind, table: str) -> None:
    """Refuse a second device through which wagers of a table would come in."""
    for other, stands in devices.items():
        if kind.counts and stands.kind.counts and stands.table == table and not stands.withdrawn:
            raise CountsAlready(
                f"{table} counts through {other} already, its {stands.kind.words}: withdraw that one first."
            )


def renew_device(
    devices: Devices, device: str, *, who: str, why: str, key: bytes, secret: bytes
) -> tuple[DeviceRenewed, ...]:
    """Give a device another token, made of the key."""
    generation = speaking_device(devices, device).generation + 1
    digest = digest_of(new_token(device, generation, key), secret)
    return (DeviceRenewed(named(who, "name"), device, generation, named(why, "reason"), digest),)


def withdraw_device(devices: Devices, device: str, *, who: str, why: str) -> tuple[DeviceWithdrawn, ...]:
    """Let a device speak no more."""
    speaking_device(devices, device)
    return (DeviceWithdrawn(named(who, "name"), device, named(why, "reason")),)


def refuse_rounds(
    devices: Devices, device: str, *, who: str, second: str | None, why: str
) -> tuple[DeviceWithdrawn, ...]:
    """Two people refuse the rounds that a device has sent too many of: its token is worth nothing any more."""
    one, other = two_people(who, second, "rounds that a device has sent too many of")
    too_many(devices, device)
    return (DeviceWithdrawn(one, device, named(why, "reason"), other),)


def too_many(devices: Devices, device: str) -> DeviceStands:
    """A device that has sent more rounds than its table can have played."""
    stands = speaking_device(devices, device)
    if stands.held_up is None or not stands.held_up.too_many:
        held = f"it waits for something else: {stands.held_up.why}" if stands.held_up else "nothing holds it up."
        raise NoRoundsHeld(f"Device {device} has sent no rounds too many: {held}")
    return stands


def hold_up(
    devices: Devices, device: str, *, who: str, why: str, gap: LoggerGap | None = None, too_many: bool = False
) -> tuple[DeviceHeldUp, ...]:
    """Note that people have to look at what a device sends; nothing, when that stands there for the same reason."""
    if speaking_device(devices, device).held_up == HeldUp(why, gap, too_many):
        return ()
    return (DeviceHeldUp(who, device, why, gap, too_many),)


def go_on(devices: Devices, device: str, *, who: str) -> tuple[DeviceWentOn, ...]:
    """Note that what a device sends follows again; nothing, when nobody had to look."""
    return (DeviceWentOn(who, device),) if speaking_device(devices, device).held_up is not None else ()


OfADevice = DeviceRegistered | DeviceRenewed | DeviceWithdrawn | DeviceHeldUp | DeviceWentOn


def devices_after(devices: Devices, happening: OfADevice) -> Devices:
    """The devices after a happening."""
    name = happening.device
    if isinstance(happening, DeviceRegistered):
        known = devices.get(name)
        if known is not None and (not known.withdrawn or happening.generation <= known.generation):
            raise CannotRegister(f"Device {name} cannot be registered with token {happening.generation}.")
        given = happening.generation, happening.digest, happening.since
        return {**devices, name: DeviceStands(happening.table, happening.device_kind, *given)}
    stands = speaking_device(devices, name)
    match happening:
        case DeviceRenewed(generation=generation, digest=digest):
            if generation <= stands.generation:
                raise CannotRegister(f"Device {name} cannot have token {generation} again.")
            after = stands._replace(generation=generation, digest=digest)
        case DeviceWithdrawn(why=why):
            after = stands._replace(withdrawn=why, held_up=None)
        case DeviceHeldUp(why=why, gap=gap, too_many=too_many):
            after = stands._replace(held_up=HeldUp(why, gap, too_many))
        case DeviceWentOn():
            after = stands._replace(held_up=None)
    return {**devices, name: after}
