"""A monitor follows its display: the whole of it first, then again whenever something else has to be shown.

The books are looked at several times a second, whoever writes to them: another server, or a command of the office.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from typing import Any, Final

from starlette.concurrency import run_in_threadpool

from cardroom.errors import BadInput
from cardroom.ledger import LedgerUnavailable
from cardroom.web.devices.pictures import DisplayShowing, display_showing
from cardroom.web.devices.speaking import Speaker
from cardroom.web.devices.turns import Line, Turns
from cardroom.web.room.hearing import Hearing

LOOKS: Final = 0.25
"""Seconds between two looks at the books."""
HEARTBEAT: Final = 10.0
"""Seconds of silence, after which the device hears that the line is still there."""
WORKED_OUT_AGAIN: Final = 5.0
"""Seconds after which the display is worked out again though nothing happened there: promotions begin and end."""


class Following:
    """What one monitor was told last."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._seen: object = None
        self._worked_out = 0.0
        self._told = ""
        self.over = False

    def look(self) -> str | None:
        """The event that the monitor has to hear now, if there is one. Blocks while it reads the books."""
        try:
            if not self._speaker.still_speaks():
                self.over = True
                return event("farewell", {"error": f"The token of {self._speaker.device} is worth nothing any more."})
            showing = self._changed()
        except LedgerUnavailable:
            return None
        except BadInput as fault:
            return self._once("held-up", str(fault), {"error": str(fault)})
        if showing is None:
            return None
        return self._once("display", showing.version, showing.model_dump())

    def _changed(self) -> DisplayShowing | None:
        """The display, when it may be another."""
        floor, table = self._speaker.floor, self._speaker.table
        seen, now = floor.vision_version(table), time.monotonic()
        if seen == self._seen and now - self._worked_out < WORKED_OUT_AGAIN:
            return None
        showing = display_showing(floor.vision(table))
        self._seen, self._worked_out = seen, now
        return showing

    def _once(self, kind: str, version: str, content: dict[str, Any]) -> str | None:
        if version == self._told:
            return None
        self._told = version
        return event(kind, content, version if kind == "display" else "")


def event(kind: str, content: dict[str, Any], id: str = "") -> str:
    """
    >>> event("display", {"table": "prime-1"}, "9f")
    'event: display\\nid: 9f\\ndata: {"table": "prime-1"}\\n\\n'
    """
    named = f"event: {kind}\n" + (f"id: {id}\n" if id else "")
    return f"{named}data: {json.dumps(content, ensure_ascii=False)}\n\n"


async def follow(speaker: Speaker, state: Any, line: Line) -> AsyncIterator[str]:
    """Everything that a monitor hears, until it hangs up, its token is withdrawn or the server stops. ``state`` is the
    application's; where it says that it is ``stopping``, nobody waits for a monitor."""
    turns: Turns = state.turns
    with turns.following(line) as may_follow:
        yield "retry: 1000\n\n"
        if not may_follow:
            sentence = f"{speaker.device} has {turns.allowed.streams} streams open already: close one of them."
            yield event("held-up", {"error": sentence})
            return
        async for told in _followed(speaker, state):
            yield told


async def _followed(speaker: Speaker, state: Any) -> AsyncIterator[str]:
    hearing: Hearing = state.hearing
    following = Following(speaker)
    silent_since = time.monotonic()
    while not (stopping(state) or following.over):
        hearing.hear(speaker.device, speaker.stands)  # a line that is dead is dropped by the system
        told = await run_in_threadpool(following.look)
        if told is None and time.monotonic() - silent_since >= HEARTBEAT:
            told = ": still here\n\n"
        if told is not None:
            silent_since = time.monotonic()
            yield told
        if not following.over:
            await asyncio.sleep(LOOKS)


def stopping(state: Any) -> bool:
    """Whether the application has said that it stops, by an event in its state."""
    said = getattr(state, "stopping", None)
    return said is not None and bool(said.is_set())
