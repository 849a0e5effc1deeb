"""What screens ask for: an LED sign fetches its line, a monitor fetches its display or follows it."""

from __future__ import annotations

from typing import Annotated, Any, Final

from fastapi import APIRouter, Header, Request, Response
from fastapi.responses import StreamingResponse
from pydantic import BaseModel

from cardroom.web.devices.calling import DeviceRoute
from cardroom.web.devices.following import follow
from cardroom.web.devices.pictures import DisplayShowing, Showing, SignShowing, display_showing, sign_showing
from cardroom.web.devices.refusals import refusals
from cardroom.web.devices.speaking import Monitor, Sign

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


@router.get("/sign", responses=_NOT_CHANGED, response_model=SignShowing)
def sign(speaker: Sign, if_none_match: KnownVersion = None) -> Response:
    """What the table's LED sign has to show."""
    return _answer(sign_showing(speaker.floor.vision(speaker.table)), if_none_match)


@router.get("/display", responses=_NOT_CHANGED, response_model=DisplayShowing)
def display(speaker: Monitor, if_none_match: KnownVersion = None) -> Response:
    """What the table's monitor has to show."""
    return _answer(display_showing(speaker.floor.vision(speaker.table)), if_none_match)


@router.get("/display/stream", responses=_EVENTS, response_class=StreamingResponse)
async def stream(request: Request, speaker: Monitor) -> StreamingResponse:
    """Follow what the table's monitor has to show: it comes within a second of the meter."""
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    events = follow(speaker, request.app.state, request.state.line)
    return StreamingResponse(events, headers=headers, media_type="text/event-stream")


def _answer(showing: Showing, known: str | None) -> Response:
    etag = f'"{showing.version}"'
    headers = {"etag": etag, "cache-control": "no-cache"}
    if known is not None and etag in (one.strip().removeprefix("W/") for one in known.split(",")):
        return Response(status_code=304, headers=headers)
    return _as_json(showing, headers)


def _as_json(showing: BaseModel, headers: dict[str, str]) -> Response:
    return Response(showing.model_dump_json(), headers=headers, media_type="application/json")
