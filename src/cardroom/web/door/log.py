"""The log of the door: who was refused, where and why. What was sent is never in it."""

from __future__ import annotations

import logging

from starlette.types import Scope

from cardroom.web.door.caller import Caller

log = logging.getLogger("cardroom.security")


def refused_at_the_door(scope: Scope, why: str) -> None:
    """Somebody was not let pass."""
    caller: Caller | None = scope.get("cardroom.caller")
    client = scope.get("client")
    told = {
        "why": why,
        "address": client[0] if client else "",
        "method": scope.get("method", "WEBSOCKET"),
        "person": caller.login if caller is not None else "",
    }
    log.warning("refused at the door", extra=told)
