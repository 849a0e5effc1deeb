"""How answers go out: as bytes of JSON, made once."""

from __future__ import annotations

from typing import Any

import orjson
from fastapi import Response

from cardroom.floor import FeltStanding


def answered(entry: Any, status: int = 200) -> Response:
    """An answer. It is not checked against its model again: the tests do that, and every player would wait for it."""
    return Response(orjson.dumps(entry), status, media_type="application/json")


def standing(one: FeltStanding) -> Response:
    """What a command at a felt is answered."""
    return answered(
        {
            "table": one.table,
            "version": one.version,
            "state": str(one.state),
            "seat": one.seat,
            "chips_cents": one.chips,
            "round": one.round,
        }
    )
