"""Rejected requests: their responses and log lines, and the client address and route template of a request.

The server applies X-Forwarded headers before a request comes here, and only from the proxies that were named at its
start. A route template contains no table, round, or token of the request.

The log names the caller and the reason, never the content of the request. Its rate is limited, so a flood of requests
causes only a few lines.
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

DAMAGED: Final = "The ledger is damaged, so nothing was done. Tell an operator to verify it."
"""The refusal for a damaged ledger; the log has the details."""


KEY_UNAVAILABLE: Final = "This server cannot use the card room's key, so nothing was done. Tell an operator."
"""The refusal for a missing or wrong key; the log has the details."""


def key_unavailable(fault: RoomKeyError) -> KeyUnavailable:
    """The refusal without the location of the key, which only the log has."""
    log.error("the card room's key cannot be used", extra={"fault": str(fault)})
    return KeyUnavailable(KEY_UNAVAILABLE, str(fault))


class BadListenerOption(BadInput):
    """Listener options that are insecure or unusable."""


class RateLimited(BadInput):
    """Too many requests from one caller."""

    def __init__(self, sentence: str, wait: float) -> None:
        super().__init__(sentence)
        self.wait = wait
        """Seconds until the next attempt."""


UNKNOWN_ADDRESS: Final = "?"
"""The address of a request whose address is unknown."""


def client_address(connection: HTTPConnection) -> str:
    """The client's address, behind a trusted proxy if there is one."""
    return address_in_scope(connection.scope)


def address_in_scope(scope: Mapping[str, Any]) -> str:
    """The client's address of an ASGI scope."""
    client = scope.get("client")
    return _parse_address(client[0]).text if client else UNKNOWN_ADDRESS


def network_prefix(scope: Mapping[str, Any]) -> str:
    """The address for rate limits. For IPv6 it is the network, because each client has a complete network."""
    client = scope.get("client")
    return _parse_address(client[0]).network if client else UNKNOWN_ADDRESS


def is_from_this_machine(scope: Mapping[str, Any]) -> bool:
    client = scope.get("client")
    return _parse_address(client[0]).is_local if client else False


class _ParsedAddress:
    __slots__ = ("is_local", "network", "text")

    def __init__(self, text: str) -> None:
        """
        >>> remote, local = _ParsedAddress("2001:db8:1:2:3::4"), _ParsedAddress("::ffff:127.0.0.1")
        >>> remote.network, remote.is_local, local.text, local.is_local, _ParsedAddress("<script>").text
        ('2001:db8:1:2::', False, '127.0.0.1', True, '?')
        """
        self.text, self.network, self.is_local = UNKNOWN_ADDRESS, UNKNOWN_ADDRESS, False
        try:
            address = ip_address(text.partition("%")[0])
        except ValueError:
            return
        if isinstance(address, IPv6Address) and address.ipv4_mapped:
            address = address.ipv4_mapped
        self.text, self.is_local = str(address), address.is_loopback
        self.network = sign_in_place(self.text)


@lru_cache(10_000)
def _parse_address(text: str) -> _ParsedAddress:
    return _ParsedAddress(text[:60])


UNKNOWN_ROUTE: Final = "?"


def route_template(scope: Mapping[str, Any]) -> str:
    """The route template of a request, such as ``/tables/{table}``."""
    route = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return getattr(route, "path", UNKNOWN_ROUTE)


security_log = logging.getLogger("cardroom.security")
LOG_RATE: Final = Rate(1, 20)
"""The rate of log lines for one address and one reason."""
_PAGE: Final = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Refused · Cardroom</title></head><body><h1>Refused</h1><p>{}</p></body></html>
"""


class RejectionLog:
    """Counts rejections by reason and limits their log lines."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._lines = TokenBuckets(LOG_RATE)

    def record(self, address: str, reason: str) -> bool:
        """Count a rejection. Return whether to log it."""
        self.counts[reason] += 1
        return not self._lines.take(f"{address} {reason}")


def log_rejection(connection: HTTPConnection, reason: str) -> None:
    """Count and log a rejection. ``reason`` is a fixed text and never contains input."""
    rejections: RejectionLog = connection.app.state.context.rejection_log
    address = client_address(connection)
    if not rejections.record(address, reason):
        return
    state: dict[str, Any] = connection.scope.get("state", {})
    fields = {
        "reason": reason,
        "address": address,
        "method": connection.scope.get("method", "-")[:20],
        "path": route_template(connection.scope),
        "player": state.get("player"),
        "person": state.get("person"),
    }
    security_log.warning("request rejected", extra=fields)


def rejection_response(connection: HTTPConnection, status: int, sentence: str, wait: float = 0.0) -> Response:
    """The refusal: a plain page for a browser, JSON for other clients."""
    headers = {"Retry-After": str(math.ceil(wait))} if wait else {}
    if wants_page(connection):
        return Response(_PAGE.format(escape(sentence)), status, headers, "text/html; charset=utf-8")
    return Response(orjson.dumps({"error": sentence}), status, headers, "application/json")


def wants_page(connection: HTTPConnection) -> bool:
    """Whether a browser requests a complete page."""
    path, headers = connection.scope["path"], connection.headers
    is_page_request = "text/html" in headers.get("accept", "") and "hx-request" not in headers
    return is_page_request and not path.startswith("/api/") and path != "/healthz"
