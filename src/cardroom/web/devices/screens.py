"""What an LED sign and a monitor show, as JSON, with a version that changes when it does.

A monitor follows its display: the whole of it first, then again whenever something else has to be shown.

The books are looked at several times a second, whoever writes to them: another server, or a command of the office.

What screens ask for: an LED sign fetches its line, a monitor fetches its display or follows it.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator
from hashlib import sha256
from typing import Annotated, Any, Final

import orjson
from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel, ConfigDict, Field
from starlette.concurrency import run_in_threadpool

from cardroom.errors import BadInput
from cardroom.ledger import LedgerUnavailable
from cardroom.room.descriptions.displays import DARK_LED_LINE, DisplayScreen, JackpotStatus, LedLine, display_to_json
from cardroom.service.commands.displays import TableVisionView
from cardroom.web.devices.auth import DeviceCaller, MonitorCaller, SignCaller
from cardroom.web.devices.errors import NotAtThisTable, refusals
from cardroom.web.devices.route import DeviceQueue, DeviceRoute, FairQueue
from cardroom.web.services.device_monitor import DeviceMonitor


class ScreenModel(BaseModel):
    """What is shown as the room says it: nothing of it is left out on the way."""

    model_config = ConfigDict(extra="forbid")


class LedLineModel(ScreenModel):
    """One line of an LED sign."""

    kind: str
    name: str
    status: str = Field(description="open, pending, unavailable or dark.")
    amount: str = Field(description="What the meter shows.")
    running: str = Field(description="A text that runs past.")
    money: str = Field(description="What the table plays for: room or play.")


class AmountModel(ScreenModel):
    """What one level of a jackpot shows."""

    name: str
    cents: int
    ceiling: str


class PrizeLineModel(ScreenModel):
    """One line of a paytable as players read it."""

    event: str
    prize: str
    worth: str


class PrizeTableModel(ScreenModel):
    """A paytable as players read it."""

    name: str
    lines: list[PrizeLineModel]
    notes: list[str]


class PanelModel(ScreenModel):
    """One jackpot on a monitor."""

    jackpot: str
    name: str
    kind: str
    wager: str
    status: str
    headline: str
    message: str
    amounts: list[AmountModel]
    elsewhere: str
    prizes: list[PrizeTableModel]


class WagerLimitModel(ScreenModel):
    """What may be wagered."""

    wager: str
    limits: str


class DisplayModel(ScreenModel):
    """A monitor."""

    kind: str
    game: str
    table: str
    panels: list[PanelModel]
    limits: list[WagerLimitModel]
    promotions: list[str]
    notices: list[str]
    money: str = Field(description="What the table plays for: room or play.")


class ScreenResponse(BaseModel):
    """What a screen shows now."""

    table: str
    version: str = Field(description="Another one whenever something else is shown.")
    changed_at: int = Field(description="When something last happened that it tells of.")
    closed: str | None = Field(description="Why the table is closed; null while it is open.")


class SignResponse(ScreenResponse):
    """What an LED sign has to show."""

    text: str = Field(description="All of it as one text; empty when the sign is dark.")
    lines: list[LedLineModel]


class DisplayResponse(ScreenResponse):
    """What a monitor has to show."""

    display: DisplayModel


def sign_response(vision: TableVisionView) -> SignResponse:
    """The LED lines of a table; at a closed one the sign is dark."""
    led_lines = [display for display in vision.displays if isinstance(display, LedLine)]
    if not led_lines:
        raise NotAtThisTable(
            f"{vision.table} has no LED sign any more: withdraw the device, or give the table another model."
        )
    lines = [DARK_LED_LINE._replace(money=led_lines[0].money)] if vision.closed else led_lines
    entries = list(map(display_to_json, lines))
    lit = [display for display in lines if display.status is not JackpotStatus.DARK]
    return SignResponse(
        table=vision.table,
        version=_version(entries, vision.closed),
        changed_at=vision.changed_at,
        closed=vision.closed or None,
        text="  |  ".join(f"{display.amount}  {display.running}".strip() for display in lit),
        lines=[LedLineModel(**entry) for entry in entries],
    )


def display_response(vision: TableVisionView) -> DisplayResponse:
    """The monitor of a table."""
    board = next((display for display in vision.displays if isinstance(display, DisplayScreen)), None)
    if board is None or board.kind != "monitor":
        raise NotAtThisTable(
            f"{vision.table} has no monitor any more: withdraw the device, or give the table another model."
        )
    entry = display_to_json(board)
    return DisplayResponse(
        table=vision.table,
        version=_version(entry, vision.closed),
        changed_at=vision.changed_at,
        closed=vision.closed or None,
        display=DisplayModel(**entry),
    )


def _version(content: object, closed: str) -> str:
    return sha256(orjson.dumps([content, closed], option=orjson.OPT_SORT_KEYS)).hexdigest()[:16]


POLL_SECONDS: Final = 0.25
"""Seconds between two looks at the books."""
HEARTBEAT: Final = 10.0
"""Seconds of silence, after which the device hears that the line is still there."""
RECOMPUTE_SECONDS: Final = 5.0
"""Seconds after which the display is worked out again though nothing happened there: promotions begin and end."""


class DisplayStream:
    """What one monitor was told last."""

    def __init__(self, device: DeviceCaller) -> None:
        self._speaker = device
        self._last_version: object = None
        self._computed_at = 0.0
        self._sent = ""
        self.is_over = False

    def poll(self) -> str | None:
        """The event that the monitor has to hear now, if there is one. Blocks while it reads the books."""
        try:
            if not self._speaker.is_still_registered():
                self.is_over = True
                return format_event(
                    "farewell", {"error": f"The token of {self._speaker.device} is worth nothing any more."}
                )
            showing = self._read_change()
        except LedgerUnavailable:
            return None
        except BadInput as fault:
            return self._event_if_new("held-up", str(fault), {"error": str(fault)})
        if showing is None:
            return None
        return self._event_if_new("display", showing.version, showing.model_dump())

    def _read_change(self) -> DisplayResponse | None:
        """The display, when it may be another."""
        floor, table = self._speaker.floor, self._speaker.table
        version, now = floor.read_table_vision_version(table), time.monotonic()
        if version == self._last_version and now - self._computed_at < RECOMPUTE_SECONDS:
            return None
        showing = display_response(floor.view_table_vision(table))
        self._last_version, self._computed_at = version, now
        return showing

    def _event_if_new(self, kind: str, version: str, content: dict[str, Any]) -> str | None:
        if version == self._sent:
            return None
        self._sent = version
        return format_event(kind, content, version if kind == "display" else "")


def format_event(kind: str, content: dict[str, Any], id: str = "") -> str:
    """
    >>> format_event("display", {"table": "prime-1"}, "9f")
    'event: display\\nid: 9f\\ndata: {"table": "prime-1"}\\n\\n'
    """
    header = f"event: {kind}\n" + (f"id: {id}\n" if id else "")
    return f"{header}data: {json.dumps(content, ensure_ascii=False)}\n\n"


async def stream_display(device: DeviceCaller, state: Any, queue: DeviceQueue) -> AsyncIterator[str]:
    """Everything that a monitor hears, until it hangs up, its token is withdrawn or the server stops. ``state`` is the
    application's; where it says that it is ``stopping``, nobody waits for a monitor."""
    turns: FairQueue = state.fair_queue
    with turns.hold_stream(queue) as may_follow:
        yield "retry: 1000\n\n"
        if not may_follow:
            sentence = f"{device.device} has {turns.limits.streams} streams open already: close one of them."
            yield format_event("held-up", {"error": sentence})
            return
        async for event_text in _stream_events(device, state):
            yield event_text


async def _stream_events(device: DeviceCaller, state: Any) -> AsyncIterator[str]:
    monitor: DeviceMonitor = state.device_monitor
    following = DisplayStream(device)
    silent_since = time.monotonic()
    while not (is_stopping(state) or following.is_over):
        monitor.record_call(device.device, device.registration)  # a line that is dead is dropped by the system
        event_text = await run_in_threadpool(following.poll)
        if event_text is None and time.monotonic() - silent_since >= HEARTBEAT:
            event_text = ": still here\n\n"
        if event_text is not None:
            silent_since = time.monotonic()
            yield event_text
        if not following.is_over:
            await asyncio.sleep(POLL_SECONDS)


def is_stopping(state: Any) -> bool:
    """Whether the application has said that it stops, by an event in its state."""
    stop_event = getattr(state, "stopping", None)
    return stop_event is not None and bool(stop_event.is_set())


router = APIRouter(route_class=DeviceRoute, responses=refusals(401, 403, 409, 422, 429, 503))
KnownVersion = Annotated[
    str | None, Header(alias="if-none-match", description="The ETag of what is shown already.", max_length=200)
]
_NOT_CHANGED: Final[dict[int | str, dict[str, Any]]] = {304: {"description": "It shows that already."}}
_EVENTS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events. `display` has the JSON of `GET /display`, its id is the version, and the "
        "first is the whole present display; `held-up` has a sentence where there is nothing to show now; `farewell` "
        "is the last one, when the token is worth nothing any more. Comments come while nothing changes.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/sign", responses=_NOT_CHANGED, response_model=SignResponse)
def get_sign(speaker: SignCaller, if_none_match: KnownVersion = None) -> Response:
    """What the table's LED sign has to show."""
    return _versioned_response(sign_response(speaker.floor.view_table_vision(speaker.table)), if_none_match)


@router.get("/display", responses=_NOT_CHANGED, response_model=DisplayResponse)
def get_display(speaker: MonitorCaller, if_none_match: KnownVersion = None) -> Response:
    """What the table's monitor has to show."""
    return _versioned_response(display_response(speaker.floor.view_table_vision(speaker.table)), if_none_match)


@router.get("/display/stream", responses=_EVENTS, response_class=StreamingResponse)
async def stream_events(request: Request, speaker: MonitorCaller) -> StreamingResponse:
    """Follow what the table's monitor has to show: it comes within a second of the meter."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    events = stream_display(speaker, request.app.state, request.state.line)
    return StreamingResponse(events, headers=headers, media_type="text/event-stream")


def _versioned_response(showing: ScreenResponse, if_none_match: str | None) -> Response:
    etag = f'"{showing.version}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    if if_none_match is not None and etag in (tag.strip().removeprefix("W/") for tag in if_none_match.split(",")):
        return Response(status_code=304, headers=headers)
    return _as_json(showing, headers)


def _as_json(showing: BaseModel, headers: dict[str, str]) -> Response:
    return Response(showing.model_dump_json(), headers=headers, media_type="application/json")
