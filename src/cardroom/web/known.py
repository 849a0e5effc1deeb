"""Whose calls are counted together: those of one player, of one person who is signed in, of one device. A false token
counts by its address."""

from __future__ import annotations

from typing import Final

from cardroom.web.api.callers import COOKIE
from cardroom.web.devices import Turns
from cardroom.web.doors.doorkeeper import Who
from cardroom.web.rights.cookies import SESSION, called
from cardroom.web.room.house import House

_COOKIE: Final = f"{COOKIE}=".encode()


def callers_of(house: House, turns: Turns) -> Who:
    """Reads what a call says of its sender, as cheaply as it can be done: every call is asked."""
    tokens, sessions = house.tokens, house.sessions
    session = f"{called(SESSION, house.rules.secure)}=".encode()

    def who(authorization: bytes, cookie: bytes) -> str | None:
        if not authorization:
            signed_in = in_cookie(cookie, session).decode("latin-1")
            return sessions.holder(signed_in) or tokens.holder(in_cookie(cookie).decode("latin-1"))
        said = authorization[7:].decode("latin-1").strip() if authorization[:7].lower() == b"bearer " else ""
        known = tokens.holder(said) or sessions.holder(said)
        if known is not None:
            return known
        device = turns.known(authorization.decode("latin-1"))
        return None if device is None else f"device {device}"

    return who


def in_cookie(cookie: bytes, name: bytes = _COOKIE) -> bytes:
    """The value of one cookie; ``name`` ends with the equals sign.

    >>> in_cookie(b"a=b; cardroom_token=ann.1.x; c=d"), in_cookie(b"cardroom_token_2=x"), in_cookie(b"")
    (b'ann.1.x', b'', b'')
    """
    for part in cookie.split(b";") if name in cookie else ():
        if part.strip().startswith(name):
            return part.strip()[len(name) :]
    return b""
