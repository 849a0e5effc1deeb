"""The address of a call as the description has it, never as it was sent: nobody's table, round or token is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

UNKNOWN: Final = "?"


def described(scope: Mapping[str, Any]) -> str:
    """The address as the description of the API has it."""
    found = scope.get("fastapi", {}).get("effective_route_context") or scope.get("route")
    return getattr(found, "path", UNKNOWN)
