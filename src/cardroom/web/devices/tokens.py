"""The door for devices: whose token it is that came with a call.

A token that does not fit is told one thing only, whoever sends it: nobody learns by trying which devices there are.
"""

from __future__ import annotations

import logging
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.jackpots.room.device_tokens import fits, read_token
from cardroom.jackpots.room.devices import DeviceStands

log: Final = logging.getLogger("cardroom.security")


class BadToken(BadInput):
    """A token that the room has not given, or that is worth nothing any more."""


class Holder(NamedTuple):
    """The device that a token speaks for."""

    device: str
    stands: DeviceStands


def holder(floor: Floor, token: str) -> Holder:
    """The device whose token it is; it may speak."""
    names = read_token(token)
    stands = floor.devices().get(names.device) if names else None
    if names is None or stands is None:
        raise _refused("a token that was never given", names.device if names else "")
    if names.generation != stands.generation or not fits(token, stands.digest, floor.secret()):
        raise _refused("a token that is not the present one", names.device)
    if stands.withdrawn:
        _note("the token of a device that was withdrawn", names.device)
        raise BadToken(
            f"Device {names.device} was withdrawn ({stands.withdrawn}): register it again for another token."
        )
    return Holder(names.device, stands)


def _refused(why: str, device: str) -> BadToken:
    _note(why, device)
    return BadToken(
        "This token is worth nothing here: it was never given, or the device has got another since. Renew the device "
        "for a new one, in the office or with cardroom device renew."
    )


def _note(why: str, device: str) -> None:
    """A line for whoever looks after the room; never with what came behind the device's name."""
    log.warning("refused at the door", extra={"door": "device", "why": why, "device": device})
