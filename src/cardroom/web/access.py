"""A line in the log for each call: who, what, with which result, in how many milliseconds.

The line has the address as it is described, never as it was sent, and nothing of what was said or answered: no token,
no key, no card is ever in it.
"""

from __future__ import annotations

import logging
import time

from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger("cardroom.access")


class AccessLog:
    """Notes every call when it has been answered; a stream when it has ended."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not log.isEnabledFor(logging.INFO):
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
            took = round((time.perf_counter() - began) * 1000, 2)
            told = {
                "method": scope["method"] if len(scope["method"]) < 20 else "?",
                "path": _described(scope),
                "status": status,
                "ms": took,
                "player": scope.get("state", {}).get("player"),
            }
            log.info("call", extra=told)


def _described(scope: Scope) -> str:
    """The address as the description of the API has it."""
    found = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return getattr(found, "path", "?")
