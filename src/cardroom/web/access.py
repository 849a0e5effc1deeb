"""Each call is counted, and gets a line in the log: who, what, with which result, in how many milliseconds.

The line has the address as it is described, never as it was sent, and nothing of what was said or answered: no token,
no key, no card is ever in it.
"""

from __future__ import annotations

import logging
import time
from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardroom.web.doors.described import described
from cardroom.web.room.tallies import Tallies

log = logging.getLogger("cardroom.access")
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class AccessLog:
    """Notes every call when it has been answered; a stream when it has ended."""

    def __init__(self, app: ASGIApp, tallies: Tallies) -> None:
        self._app, self._tallies = app, tallies

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def noting(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, noting)
        finally:
            took, path = time.perf_counter() - began, described(scope)
            method = scope["method"] if scope["method"] in METHODS else "?"
            self._tallies.called(method, path, status, took)
            if log.isEnabledFor(logging.INFO):
                known = scope.get("state", {})
                player = known.get("player")
                told = {"method": method, "path": path, "status": status, "ms": round(took * 1000, 2), "player": player}
                told["person"] = known.get("person")
                log.info("call", extra=told)
