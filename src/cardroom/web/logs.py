"""JSON logs: one object per line, on standard error.

Every request is counted and has a line with its caller, route, status, and duration. The line has the route template
and nothing of the request or response body, so it never contains a token, a key, or a card.
"""

from __future__ import annotations

import logging
import sys
import time
import traceback
from datetime import UTC, datetime
from typing import Any, Final, TextIO

import orjson
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cardroom.web.middleware.rejections import route_template
from cardroom.web.services.monitoring import ServerMetrics

LEVELS: Final = ("debug", "info", "warning", "error")
_KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonFormatter(logging.Formatter):
    """A log record as one line.

    >>> record = logging.makeLogRecord({"msg": "request", "levelname": "INFO", "name": "a", "created": 0, "status": 9})
    >>> JsonFormatter().format(record)
    '{"time":"1970-01-01T00:00:00.000000Z","level":"info","logger":"a","event":"request","status":9}'
    """

    def format(self, record: logging.LogRecord) -> str:
        when = datetime.fromtimestamp(record.created, UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")
        entry: dict[str, Any] = {
            "time": when,
            "level": record.levelname.lower(),
            "logger": record.name,
            "event": record.getMessage(),
        }
        entry |= {name: value for name, value in vars(record).items() if name not in _KNOWN}
        if record.exc_info and record.exc_info[1] is not None:
            entry["traceback"] = _traceback_lines(record.exc_info[1])
        return orjson.dumps(entry, default=str).decode()


def _traceback_lines(fault: BaseException) -> list[str]:
    """The class and place of an error without its message, which may name a card or a token."""
    frames = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(fault.__traceback__)]
    return [type(fault).__name__, *frames, *(["after", *_traceback_lines(fault.__cause__)] if fault.__cause__ else [])]


def configure_json_logging(level: str, out: TextIO | None = None) -> None:
    """Write log records as JSON lines to standard error."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(JsonFormatter())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
    for verbose_logger in ("uvicorn.error", "numba"):
        logging.getLogger(verbose_logger).setLevel(max(root.level, logging.WARNING))
    logging.captureWarnings(capture=True)


log = logging.getLogger("cardroom.access")
METHODS: Final = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))


class AccessLog:
    """Logs every request after its response, and a stream after its end."""

    def __init__(self, app: ASGIApp, metrics: ServerMetrics) -> None:
        self._app, self._metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def send_and_record(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            await send(message)

        try:
            await self._app(scope, receive, send_and_record)
        finally:
            took, path = time.perf_counter() - began, route_template(scope)
            method = scope["method"] if scope["method"] in METHODS else "?"
            self._metrics.record_call(method, path, status, took)
            if log.isEnabledFor(logging.INFO):
                state = scope.get("state", {})
                player = state.get("player")
                fields = {
                    "method": method,
                    "path": path,
                    "status": status,
                    "ms": round(took * 1000, 2),
                    "player": player,
                }
                fields["person"] = state.get("person")
                log.info("request", extra=fields)
