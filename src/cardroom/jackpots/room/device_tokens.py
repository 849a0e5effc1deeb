"""The token of a device: its name, its generation, and a key that nobody can guess.

It is made when the device is registered or renewed, and shown then. The books have its digest alone, keyed with the
room's secret: nobody can make the token again, and nobody who writes to the database can make a digest for another.

>>> token = new_token("T-1001", 2, bytes(32))
>>> token[:9], read_token(token)
('T-1001.2.', TokenNames(device='T-1001', generation=2))
>>> digest_of(token, bytes(32))[:16], read_token("T-1001.2.short")
('7332cc55f9189c92', None)
>>> fits(token, digest_of(token, bytes(32)), bytes(32)), fits(token, digest_of(token, b"another"), bytes(32))
(True, False)
"""

from __future__ import annotations

import hmac
import re
from base64 import urlsafe_b64encode
from typing import Final, NamedTuple

_PARTS: Final = re.compile(r"([A-Za-z0-9_-]{1,40})\.([1-9][0-9]{0,8})\.[A-Za-z0-9_-]{43}")
_DIGEST_OF: Final = "cardroom device token 1\0"


class TokenNames(NamedTuple):
    """What a token says of itself; whether that is true, its digest tells."""

    device: str
    generation: int


def new_token(device: str, generation: int, key: bytes) -> str:
    """The token of a device, of a key that was never used before."""
    return f"{device}.{generation}.{urlsafe_b64encode(key).decode().rstrip('=')}"


def digest_of(token: str, secret: bytes) -> str:
    """What the books have of a token: an HMAC under the room's secret, which is not readable in the database."""
    return hmac.digest(secret, (_DIGEST_OF + token).encode(), "sha256").hex()


def read_token(text: str) -> TokenNames | None:
    """Whose token it says that it is; None for what is no token."""
    parts = _PARTS.fullmatch(text)
    return TokenNames(parts[1], int(parts[2])) if parts else None


def fits(token: str, digest: str, secret: bytes) -> bool:
    """Whether it is the token of which the books have the digest."""
    return hmac.compare_digest(digest_of(token, secret), digest)
