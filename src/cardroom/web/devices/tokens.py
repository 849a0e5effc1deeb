"""The token of a device: its name, its generation, and a proof that the room has given it.

It is computed from the room's secret and stored nowhere, so it can be printed again for whoever installs the device. A
generation is never given again: renewing or withdrawing a device makes older tokens worthless.

>>> token = device_token(bytes(32), "T-1001", 2)
>>> token[:9], read_token(bytes(32), token)
('T-1001.2.', ('T-1001', 2))
>>> read_token(bytes(32), token.replace(".2.", ".3."))
Traceback (most recent call last):
...
cardroom.web.devices.tokens.BadToken: This is no token of a device of this room: ask for it with cardroom device token.
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from typing import Final

from cardroom.faults import BadInput

_PARTS: Final = re.compile(r"([A-Za-z0-9_-]{1,40})\.([1-9][0-9]{0,8})\.([A-Za-z0-9_-]{43})")
_FOR: Final = "cardroom device"
"""What the proof is for: nobody else's tokens begin so, though they follow from the same secret."""


class BadToken(BadInput):
    """A token that the room has not given, or that is worth nothing any more."""


def device_token(secret: bytes, device: str, generation: int) -> str:
    """The token of a device."""
    return f"{device}.{generation}.{_proof(secret, device, generation)}"


def read_token(secret: bytes, token: str) -> tuple[str, int]:
    """The device and the generation that a token speaks for."""
    parts = _PARTS.fullmatch(token)
    device, generation, proof = parts.groups() if parts else ("", "0", "")
    if not hmac.compare_digest(proof, _proof(secret, device, int(generation))):
        raise BadToken("This is no token of a device of this room: ask for it with cardroom device token.")
    return device, int(generation)


def _proof(secret: bytes, device: str, generation: int) -> str:
    made = hmac.digest(secret, f"{_FOR}\0{device}\0{generation}".encode(), "sha256")
    return urlsafe_b64encode(made).decode().rstrip("=")
