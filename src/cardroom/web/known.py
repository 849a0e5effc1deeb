"""Whose calls are counted together: those of one player, of one device. A false token makes nobody known."""

from __future__ import annotations

from typing import Final

from cardroom.web.api.callers import COOKIE
from cardroom.web.devices.tokens import BadToken, read_token
from cardroom.web.doors.doorkeeper import Who
from cardroom.web.room.house import House

_COOKIE: Final = f"{COOKIE}=".encode()


def callers_of(house: House) -> Who:
    """Reads what a call says of its sender, as cheaply as it can be done: every call is asked."""
    tokens, secret = house.tokens, house.floor.secret()

    def who(authorization: bytes, cookie: bytes) -> str | None:
        token = authorization[7:] if authorization[:7].lower() == b"bearer " else in_cookie(cookie)
        if not token:
            return None
        said = token.decode("latin-1").strip()
        player = tokens.holder(said) or house.sessions.holder(said)
        if player is not None:
            return player
        try:
            return f"device {read_token(secret, said)[0]}"
        except BadToken:
            return None

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
