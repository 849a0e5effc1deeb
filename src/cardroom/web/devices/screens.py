"""The API of LED signs and monitors: their content as JSON, with a version that changes with the content.

A sign fetches its text. A monitor fetches its display or follows it: the complete display first, then again after every
change. The database is checked several times a second, because another server may change it.
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
    """Content of a screen. Unknown fields are refused, so that nothing is lost."""

    model_config = ConfigDict(extra="forbid")


class LedLineModel(ScreenModel):
    """One line of an LED sign."""

    kind: str
    name: str
    status: str = Field(description="open, pending, unavailable, or dark.")
    amount: str = Field(description="The meter.")
    running: str = Field(description="A scrolling text.")
    money: str = Field(description="The money of the table: room or play.")


class AmountModel(ScreenModel):
    """The amount of one level of a jackpot."""

    name: str
    cents: int
    ceiling: str


class PrizeLineModel(ScreenModel):
    """One line of a paytable for players."""

    event: str
    prize: str
    worth: str


class PrizeTableModel(ScreenModel):
    """A paytable for players."""

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
    """The limits of a wager."""

    wager: str
    limits: str


class DisplayModel(ScreenModel):
    """The content of a monitor."""

    kind: str
    game: str
    table: str
    panels: list[PanelModel]
    limits: list[WagerLimitModel]
    promotions: list[str]
    notices: list[str]
    money: str = Field(description="The money of the table: room or play.")


class ScreenResponse(BaseModel):
    """The content of a screen now."""

    table: str
    version: str = Field(description="Changes with the content.")
    changed_at: int = Field(description="The time of the last event that affects the content.")
    closed: str | None = Field(description="Why the table is closed; null while it is open.")


class SignResponse(ScreenResponse):
    """The content of an LED sign."""

    text: str = Field(description="All lines as one text; empty if the sign is dark.")
    lines: list[LedLineModel]


class DisplayResponse(ScreenResponse):
    """The content of a monitor."""

    display: DisplayModel


def sign_response(vision: TableVisionView) -> SignResponse:
    """The LED lines of a table. The sign of a closed table is dark."""
    led_lines = [display for display in vision.displays if isinstance(display, LedLine)]
    if not led_lines:
        raise NotAtThisTable(
            f"{vision.table} no longer has an LED sign. Remove the device or change the table's tabulator model."
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
    screen = next((display for display in vision.displays if isinstance(display, DisplayScreen)), None)
    if screen is None or screen.kind != "monitor":
        raise NotAtThisTable(
            f"{vision.table} no longer has a monitor. Remove the device or change the table's tabulator model."
        )
    entry = display_to_json(screen)
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
"""Seconds between two checks of the database."""
HEARTBEAT: Final = 10.0
"""Seconds without an event until a comment is sent to keep the connection alive."""
RECOMPUTE_SECONDS: Final = 5.0
"""Seconds until the display is computed again without an event, because promotions begin and end."""


class DisplayStream:
    """The stream of one monitor."""

    def __init__(self, device: DeviceCaller) -> None:
        self._device = device
        self._last_version: object = None
        self._computed_at = 0.0
        self._sent = ""
        self.is_over = False

    def poll(self) -> str | None:
        """The next event for the monitor, if any. Blocks while it reads the database."""
        try:
            if not self._device.is_still_registered():
                self.is_over = True
                return format_event("farewell", {"error": f"The token of {self._device.device} is no longer valid."})
            showing = self._read_change()
        except LedgerUnavailable:
            return None
        except BadInput as fault:
            return self._event_if_new("held-up", str(fault), {"error": str(fault)})
        if showing is None:
            return None
        return self._event_if_new("display", showing.version, showing.model_dump())

    def _read_change(self) -> DisplayResponse | None:
        """The display, if it may have changed."""
        card_room, table = self._device.card_room, self._device.table
        version, now = card_room.displays.read_table_vision_version(table), time.monotonic()
        if version == self._last_version and now - self._computed_at < RECOMPUTE_SECONDS:
            return None
        showing = display_response(card_room.displays.view_table_vision(table))
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
    """The events of a monitor, until it disconnects, its token becomes invalid, or the server stops. ``state`` is the
    application's state."""
    fair_queue: FairQueue = state.fair_queue
    with fair_queue.hold_stream(queue) as is_allowed:
        yield "retry: 1000\n\n"
        if not is_allowed:
            sentence = f"{device.device} already has {fair_queue.limits.streams} open streams. Close one of them."
            yield format_event("held-up", {"error": sentence})
            return
        async for event_text in _stream_events(device, state):
            yield event_text


async def _stream_events(device: DeviceCaller, state: Any) -> AsyncIterator[str]:
    monitor: DeviceMonitor = state.device_monitor
    display_stream = DisplayStream(device)
    silent_since = time.monotonic()
    while not (is_stopping(state) or display_stream.is_over):
        monitor.record_call(device.device, device.registration)  # the system drops a dead connection
        event_text = await run_in_threadpool(display_stream.poll)
        if event_text is None and time.monotonic() - silent_since >= HEARTBEAT:
            event_text = ": still here\n\n"
        if event_text is not None:
            silent_since = time.monotonic()
            yield event_text
        if not display_stream.is_over:
            await asyncio.sleep(POLL_SECONDS)


def is_stopping(state: Any) -> bool:
    """Whether the application is stopping, by an event in its state."""
    stop_event = getattr(state, "stopping", None)
    return stop_event is not None and bool(stop_event.is_set())


router = APIRouter(route_class=DeviceRoute, responses=refusals(401, 403, 409, 422, 429, 503))
KnownVersion = Annotated[
    str | None, Header(alias="if-none-match", description="The ETag of the current content.", max_length=200)
]
_NOT_CHANGED: Final[dict[int | str, dict[str, Any]]] = {304: {"description": "Not changed."}}
_EVENTS: Final[dict[int | str, dict[str, Any]]] = {
    200: {
        "description": "Server-sent events. `display` has the JSON of `GET /display`, and its id is the version; the "
        "first one is the complete display. `held-up` has a sentence if there is nothing to show. `farewell` is the "
        "last event, after the token becomes invalid. Comments keep the connection alive.",
        "content": {"text/event-stream": {"schema": {"type": "string"}}},
    }
}


@router.get("/sign", responses=_NOT_CHANGED, response_model=SignResponse)
def get_sign(device: SignCaller, if_none_match: KnownVersion = None) -> Response:
    """The content of the table's LED sign."""
    return _versioned_response(sign_response(device.card_room.displays.view_table_vision(device.table)), if_none_match)


@router.get("/display", responses=_NOT_CHANGED, response_model=DisplayResponse)
def get_display(device: MonitorCaller, if_none_match: KnownVersion = None) -> Response:
    """The content of the table's monitor."""
    return _versioned_response(
        display_response(device.card_room.displays.view_table_vision(device.table)), if_none_match
    )


@router.get("/display/stream", responses=_EVENTS, response_class=StreamingResponse)
async def stream_events(request: Request, device: MonitorCaller) -> StreamingResponse:
    """Follow the content of the table's monitor, within a second of the meter."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    events = stream_display(device, request.app.state, request.state.line)
    return StreamingResponse(events, headers=headers, media_type="text/event-stream")


def _versioned_response(showing: ScreenResponse, if_none_match: str | None) -> Response:
    etag = f'"{showing.version}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    if if_none_match is not None and etag in (tag.strip().removeprefix("W/") for tag in if_none_match.split(",")):
        return Response(status_code=304, headers=headers)
    return _as_json(showing, headers)


def _as_json(showing: BaseModel, headers: dict[str, str]) -> Response:
    return Response(showing.model_dump_json(), headers=headers, media_type="application/json")
