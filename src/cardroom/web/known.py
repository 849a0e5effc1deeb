"""Whose calls are counted together: those of one player, of one device. A false token makes nobody known."""

from __future__ import annotations

from typing import Final

from cardroom.web.api.callers import COOKIE
from cardroom.web.devices import Turns
from cardroom.web.doors.doorkeeper import Who
from cardroom.web.room.house import House

_COOKIE: Final = f"{COOKIE}=".encode()


def callers_of(house: House, turns: Turns) -> Who:
    """Reads what a call says of its sender, as cheaply as it can be done: every call is asked."""
    tokens, sessions = house.tokens, house.sessions

    def who(authorization: bytes, cookie: bytes) -> str | None:
        token = authorization[7:] if authorization[:7].lower() == b"bearer " else in_cookie(cookie)
        if not token:
            return None
        said = token.decode("latin-1").strip()
        known = tokens.holder(said) or sessions.holder(said)
        if known is not None or not authorization:
            return known
        device = turns.known(authorization.decode("latin-1"))
        return None if device is None else f"device {device}"

    return who


def in_cookie(cookie: bytes) -> bytes:
    """
    >>> in_cookie(b"a=b; cardroom_token=ann.1.x; c=d"), in_cookie(b"cardroom_token_2=x"), in_cookie(b"")
    (b'ann.1.x', b'', b'')
    """
    for part in cookie.split(b";") if _COOKIE in cookie else ():
        if part.strip().startswith(_COOKIE):
            return part.strip()[len(_COOKIE) :]
    return b""
