"""Whoever is refused at the door is told why in a sentence, and the log is told who it was: never what was sent.

The log is meant for whoever looks after the room: a flood of calls is some lines in it, not a flood of lines.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from html import escape
from typing import Any, Final

import orjson
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cardroom.web.doors.buckets import Buckets, Rate
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.doors.described import described

log = logging.getLogger("cardroom.security")
LINES: Final = Rate(1, 20)
"""Of the log, for one address and one reason."""
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Refused · Cardroom</title></head><body><h1>Not now</h1><p>{}</p></body></html>
"""


class DoorBook:
    """How often somebody was refused, by the reason; and whether the log has heard enough of it."""

    def __init__(self) -> None:
        self.refusals: Counter[str] = Counter()
        self._lines = Buckets(LINES)

    def note(self, address: str, why: str) -> bool:
        """Count a refusal; whether the log is to be told."""
        self.refusals[why] += 1
        return not self._lines.take(f"{address} {why}")


def refused_at_the_door(connection: HTTPConnection, why: str) -> None:
    """Note that somebody was refused. ``why`` is one of a few fixed words, and nothing that came from outside."""
    book: DoorBook = connection.app.state.house.door
    address = address_of_caller(connection)
    if not book.note(address, why):
        return
    known: dict[str, Any] = connection.scope.get("state", {})
    told = {
        "why": why,
        "address": address,
        "method": connection.scope.get("method", "-")[:20],
        "path": described(connection.scope),
        "player": known.get("player"),
        "person": known.get("person"),
    }
    log.warning("refused at the door", extra=told)


def refusal(connection: HTTPConnection, status: int, sentence: str, wait: float = 0.0) -> Response:
    """The sentence: as a plain page for somebody who looks at pages, as JSON for everybody else."""
    headers = {"Retry-After": str(math.ceil(wait))} if wait else {}
    if wants_page(connection):
        return Response(_PAGE.format(escape(sentence)), status, headers, "text/html; charset=utf-8")
    return Response(orjson.dumps({"error": sentence}), status, headers, "application/json")


def wants_page(connection: HTTPConnection) -> bool:
    """Whether a browser asks for a whole page."""
    path, headers = connection.scope["path"], connection.headers
    asks = "text/html" in headers.get("accept", "") and "hx-request" not in headers
    return asks and not path.startswith("/api/") and path != "/healthz"
