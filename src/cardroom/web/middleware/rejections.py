"""What is refused at the door.

From where somebody calls: the one place that knows.

What a proxy says of those it calls for is believed by the server before a call comes here, and only of the proxies that
were named when it was started; whatever anybody else writes into such a header changes nothing.

The address of a call as the description has it, never as it was sent: nobody's table, round or token is in it.

Whoever is refused at the door is told why in a sentence, and the log is told who it was: never what was sent.

The log is meant for whoever looks after the room: a flood of calls is some lines in it, not a flood of lines.
"""

from __future__ import annotations

import logging
import math
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from html import escape
from ipaddress import IPv6Address, ip_address
from typing import Any, Final

import orjson
from starlette.requests import HTTPConnection
from starlette.responses import Response

from cardroom.errors import BadInput
from cardroom.ledger.encryption import RoomKeyError
from cardroom.ledger.errors import KeyUnavailable
from cardroom.room.user.state import sign_in_place
from cardroom.web.middleware.rate_limits import Rate, TokenBuckets

log = logging.getLogger(__name__)

DAMAGED: Final = "The books of this room need a person: nothing is done until they are verified."
"""What a caller is told of damaged books; the log has the rest."""


KEY_UNAVAILABLE: Final = "This server cannot use the room's key, so nothing was done. Tell an operator."
"""What a caller reads where the room's key is missing or wrong; the log has the rest."""


def key_unavailable(fault: RoomKeyError) -> KeyUnavailable:
    """The answer in place of a sentence that names the key and its place, which goes to the log."""
    log.error("the room's key cannot be used", extra={"fault": str(fault)})
    return KeyUnavailable(KEY_UNAVAILABLE, str(fault))


class BadListenerOption(BadInput):
    """A way to reach the room that others could listen to, or that cannot be opened."""


class RateLimited(BadInput):
    """Somebody who calls more often than anybody has to."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__(sentence)
        self.wait = wait
        """Seconds after which it may be tried again."""


UNKNOWN_ADDRESS: Final = "?"
"""Where a call comes from when nobody can say."""


def client_address(connection: HTTPConnection) -> str:
    """The address of whoever calls, behind the proxy if there is one."""
    return address_in_scope(connection.scope)


def address_in_scope(scope: Mapping[str, Any]) -> str:
    """The same, where there is only a scope."""
    client = scope.get("client")
    return _parse_address(client[0]).text if client else UNKNOWN_ADDRESS


def network_prefix(scope: Mapping[str, Any]) -> str:
    """Whose calls are counted together: those of one address; of IPv6, where everybody has a whole network, of one
    such network."""
    client = scope.get("client")
    return _parse_address(client[0]).household if client else UNKNOWN_ADDRESS


def is_from_this_machine(scope: Mapping[str, Any]) -> bool:
    client = scope.get("client")
    return _parse_address(client[0]).is_local if client else False


class _ParsedAddress:
    __slots__ = ("household", "is_local", "text")

    def __init__(self, text: str) -> None:
        """
        >>> remote, local = _ParsedAddress("2001:db8:1:2:3::4"), _ParsedAddress("::ffff:127.0.0.1")
        >>> remote.household, remote.is_local, local.text, local.is_local, _ParsedAddress("<script>").text
        ('2001:db8:1:2::', False, '127.0.0.1', True, '?')
        """
        self.text, self.household, self.is_local = UNKNOWN_ADDRESS, UNKNOWN_ADDRESS, False
        try:
            address = ip_address(text.partition("%")[0])
        except ValueError:
            return
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        self.text, self.is_local = str(address), address.is_loopback
        self.household = sign_in_place(self.text)


@lru_cache(10_000)
def _parse_address(text: str) -> _ParsedAddress:
    return _ParsedAddress(text[:60])


UNKNOWN_ROUTE: Final = "?"


def route_template(scope: Mapping[str, Any]) -> str:
    """The address as the description of the API has it."""
    route = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return getattr(route, "path", UNKNOWN_ROUTE)


security_log = logging.getLogger("cardroom.security")
LOG_RATE: Final = Rate(1, 20)
"""Of the log, for one address and one reason."""
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Refused · Cardroom</title></head><body><h1>Not now</h1><p>{}</p></body></html>
"""


class RejectionLog:
    """How often somebody was refused, by the reason; and whether the log has heard enough of it."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._lines = TokenBuckets(LOG_RATE)

    def record(self, address: str, reason: str) -> bool:
        """Count a refusal; whether the log is to be told."""
        self.counts[reason] += 1
        return not self._lines.take(f"{address} {reason}")


def log_rejection(connection: HTTPConnection, reason: str) -> None:
    """Note that somebody was refused. ``reason`` is one of a few fixed words, and nothing that came from outside."""
    book: RejectionLog = connection.app.state.context.rejection_log
    address = client_address(connection)
    if not book.record(address, reason):
        return
    state: dict[str, Any] = connection.scope.get("state", {})
    fields = {
        "why": reason,
        "address": address,
        "method": connection.scope.get("method", "-")[:20],
        "path": route_template(connection.scope),
        "player": state.get("player"),
        "person": state.get("person"),
    }
    security_log.warning("refused at the door", extra=fields)


def rejection_response(connection: HTTPConnection, status: int, sentence: str, wait: float = 0.0) -> Response:
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
