"""Waiting for an answer on behalf of somebody who may go away."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, Final, TypeVar

from fastapi import Request

R = TypeVar("R")

NOBODY_READS: Final = 499
"""The status of an answer to a caller who has gone."""


async def while_here(request: Request, work: Coroutine[Any, Any, R]) -> R | None:
    """What comes of the work; None when the caller has gone, and then it is given up."""
    working = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_until_gone(request))
    try:
        await asyncio.wait((working, gone), return_when=asyncio.FIRST_COMPLETED)
        return await working if working.done() else None
    finally:
        working.cancel()
        gone.cancel()


async def _until_gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
