"""Logs for programs: one JSON object a line, on standard error."""

from __future__ import annotations

import logging
import sys
import traceback
from datetime import UTC, datetime
from typing import Any, Final, TextIO

import orjson

LEVELS: Final = ("debug", "info", "warning", "error")
_KNOWN: Final = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName", "color_message"}


class JsonLines(logging.Formatter):
    """A record as one line.

    >>> record = logging.makeLogRecord({"msg": "call", "levelname": "INFO", "name": "a", "created": 0, "status": 200})
    >>> JsonLines().format(record)
    '{"time":"1970-01-01T00:00:00.000000Z","level":"info","logger":"a","event":"call","status":200}'
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
            entry["traceback"] = _where(record.exc_info[1])
        return orjson.dumps(entry, default=str).decode()


def _where(fault: BaseException) -> list[str]:
    """What went wrong and where; not what the fault says, which may name a card or a token."""
    frames = [f"{one.filename}:{one.lineno} {one.name}" for one in traceback.extract_tb(fault.__traceback__)]
    return [type(fault).__name__, *frames, *(["after", *_where(fault.__cause__)] if fault.__cause__ else [])]


def log_in_json(level: str, out: TextIO | None = None) -> None:
    """Send what the program has to tell to standard error, line by line."""
    handler = logging.StreamHandler(out or sys.stderr)
    handler.setFormatter(JsonLines())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(level.upper())
    logging.getLogger("uvicorn.access").disabled = True
    for talkative in ("uvicorn.error", "numba"):
        logging.getLogger(talkative).setLevel(max(root.level, logging.WARNING))
    logging.captureWarnings(capture=True)
