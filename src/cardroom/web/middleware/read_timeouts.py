"""Patience has an end: whoever sends a call letter by letter is cut off, so that nobody holds all lines with nothing.

A call that arrives in one piece, as nearly all do, costs no timer at all. Between two calls a line may be silent for as
long as the server allows.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS: Final = 10.0
"""Seconds from the first letter of a call, or from the beginning of the line, until all its headers are there."""
BODY_SECONDS: Final = 20.0
"""Seconds from then until its body is."""
REST_OF_BODY_SECONDS: Final = 2.0
"""Seconds to finish a body when the answer has been sent already, so that a sender who hears only then has heard it."""
MAX_HEAD_BYTES: Final = 64 * 1024
"""Bytes of headers that are kept while more are to come. The doorkeeper takes fewer, and says so in a sentence."""
TOO_SLOW: Final = "The call came too slowly: send it at once."
TOO_LONG: Final = "The headers are too long: send fewer."


class ReadStage(Enum):
    """How much of a call is there."""

    IDLE = 0
    HEADERS = 1
    BODY = 2
    COMPLETE = 3
    UPGRADED = 4
    """The line belongs to a web socket from now on, and has no clock."""


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP as the server speaks it, with a clock for those who speak slowly."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stage = ReadStage.IDLE
        self._head_size = 0
        self._timed_stage: ReadStage | None = None
        """The stage whose time runs."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin(ReadStage.IDLE, HEADER_SECONDS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._stage is ReadStage.UPGRADED:
            return
        if self._stage is ReadStage.COMPLETE:
            if self._is_idle:  # blank lines between two calls, which are no call: they gain nobody any time
                if self._timer is None:
                    self._begin(ReadStage.COMPLETE, HEADER_SECONDS)
            elif self._timer is not None:
                self._stop()
        elif self._stage is ReadStage.BODY:
            if self._timed_stage is not ReadStage.BODY and not self.transport.is_closing():
                self._begin(ReadStage.BODY, BODY_SECONDS)
        elif not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > MAX_HEAD_BYTES:
                self._hang_up(b"431 Request Header Fields Too Large", TOO_LONG)
            elif self._timer is None:
                self._begin(ReadStage.HEADERS, HEADER_SECONDS)

    def handle_websocket_upgrade(self) -> None:
        self._stop()
        self._stage = ReadStage.UPGRADED
        super().handle_websocket_upgrade()

    # What the parser finds.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._stage, self._head_size = ReadStage.HEADERS, 0

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._stage = ReadStage.BODY

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stage = ReadStage.COMPLETE

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._stage is ReadStage.BODY and not self.transport.is_closing():
            self._begin(ReadStage.BODY, REST_OF_BODY_SECONDS)

    # The clock.

    def _begin(self, stage: ReadStage, seconds: float) -> None:
        self._stop()
        self._timed_stage, self._timer = stage, self.loop.call_later(seconds, self._time_out)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed_stage = self._timer = None

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return not self.pipeline and (self.cycle is None or self.cycle.response_complete)

    def _time_out(self) -> None:
        self._stop()
        if self._stage in (ReadStage.HEADERS, ReadStage.BODY):
            self._hang_up(b"408 Request Timeout", TOO_SLOW)
        else:
            self.transport.close()

    def _hang_up(self, status: bytes, sentence: str) -> None:
        """Close the line, and say why where that does not fall into the middle of another answer. Whoever works for the
        call is told that nobody waits."""
        self._stop()
        is_answered = self.cycle.response_started if self._stage is ReadStage.BODY else not self._is_idle
        if not is_answered and not self.pipeline:
            body = f'{{"error": "{sentence}"}}'.encode()
            head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncache-control: no-store\r\n" % status
            safe = b"x-content-type-options: nosniff\r\n"
            self.transport.write(head + safe + b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(body), body))
        self.transport.close()
