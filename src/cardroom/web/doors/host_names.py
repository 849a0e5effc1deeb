"""The names under which a room is called. A person who rules another name could let it lead here, and a browser would
take that page for one of ours."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from ipaddress import ip_address
from typing import Final

from starlette.types import Scope

from cardroom.errors import quote
from cardroom.web.doors.faults import BadLine

OWN: Final = frozenset(("127.0.0.1", "localhost", "::1"))
"""Of every machine, for itself."""
_NAME: Final = re.compile(r"(?=.{1,253}\Z)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*")


def read_names(typed: Iterable[str], *, demo: bool = False) -> frozenset[str]:
    """The names that a room answers to; empty where it answers to every name.

    >>> sorted(read_names(["Room.example", "[2001:db8::7]"])), read_names([])
    (['127.0.0.1', '2001:db8::7', '::1', 'localhost', 'room.example'], frozenset())
    >>> read_names(["https://room.example"])
    Traceback (most recent call last):
    ...
    cardroom.web.doors.faults.BadLine: 'https://room.example' is no name of a host: give the name alone, such as \
room.example, without https:// and without a port.
    """
    names = {_read(name) for name in typed}
    if demo and names:
        raise BadLine("The demonstration room is called 127.0.0.1 or localhost: leave --name or --demo out.")
    return OWN | names if names else frozenset()


def _read(typed: str) -> str:
    name = typed.strip().lower().removeprefix("[").removesuffix("]")
    try:
        return str(ip_address(name))
    except ValueError:
        if _NAME.fullmatch(name):
            return name
    raise BadLine(
        f"{quote(typed)} is no name of a host: give the name alone, such as room.example, without https:// and "
        "without a port."
    )


def is_called(scope: Scope, names: Collection[str]) -> bool:
    """Whether a call names one of these hosts, at any port.

    >>> [is_called({"headers": [(b"host", one)]}, OWN) for one in (b"localhost:8000", b"[::1]:80", b"evil.example")]
    [True, True, False]
    """
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
    return (host[1:].partition("]")[0] if host.startswith("[") else host.partition(":")[0]) in names
