"""A refusal to somebody who looks at a page is a page too, with the same sentence and the same status."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
from fastapi import FastAPI, Request, Response

from cardroom.web.doors.refusing import wants_page
from cardroom.web.pages.drawing import page

Handler = Callable[[Request, Any], Awaitable[Response]]


def refuse_on_pages(app: FastAPI) -> None:
    """Let every refusal that the application knows be drawn where a browser asked for a page."""
    for kind, handler in list(app.exception_handlers.items()):
        app.add_exception_handler(kind, _drawn(handler))


def _drawn(handler: Any) -> Handler:
    async def refuse(request: Request, fault: Any) -> Response:
        told: Response = await handler(request, fault)
        if not wants_page(request) or told.media_type != "application/json":
            return told
        sentence = orjson.loads(told.body).get("error", "")
        if told.status_code == 404 and "openapi" in sentence:  # meant for programs
            sentence = "There is no page at this address."
        return page(request, "refused.html", status=told.status_code, sentence=sentence)

    return refuse
