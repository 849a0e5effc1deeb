"""Where the figures are told: apart from the room's own address, so that nobody who plays can ask for them.

It is asked every few seconds by one program; a thread of its own that the server never waits for is enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from prometheus_client import CollectorRegistry, start_http_server

from cardroom.errors import quote
from cardroom.web.doors.faults import BadLine
from cardroom.web.doors.line import LOOPBACK

_WRITTEN: Final = re.compile(r"(?:(?P<host>\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9.-]+):)?(?P<port>[0-9]{1,5})")
_LAST_PORT: Final = 65_535


def read_address(typed: str) -> tuple[str, int]:
    """
    >>> read_address("127.0.0.1:9100"), read_address("[::1]:9100"), read_address("9100")
    (('127.0.0.1', 9100), ('::1', 9100), ('127.0.0.1', 9100))
    >>> read_address("nine")
    Traceback (most recent call last):
    ...
    cardroom.web.doors.faults.BadLine: 'nine' is no address for figures: write ADDRESS:PORT, such as 127.0.0.1:9100.
    """
    found = _WRITTEN.fullmatch(typed)
    if found is None or not 0 < int(found["port"]) <= _LAST_PORT:
        raise BadLine(f"{quote(typed)} is no address for figures: write ADDRESS:PORT, such as {LOOPBACK}:9100.")
    return (found["host"] or LOOPBACK).strip("[]"), int(found["port"])


@contextmanager
def telling_figures(typed: str | None) -> Iterator[CollectorRegistry]:
    """Tell there whatever is registered, until the end; without an address nobody is told anything."""
    registry = CollectorRegistry()
    if typed is None:
        yield registry
        return
    host, port = read_address(typed)
    try:
        server, thread = start_http_server(port, host, registry)
    except OSError as fault:
        raise BadLine(f"Figures cannot be told at {typed} ({fault.strerror}): choose another port.") from None
    try:
        yield registry
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
