"""Read timeouts: a client that sends a request too slowly is disconnected, so it cannot block connections.

A request that arrives at once, as nearly all do, needs no timer. Between two requests a connection may be idle for as
long as the server allows.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

HEADER_SECONDS: Final = 10.0
"""Seconds from the first byte of a request, or the start of the connection, to the end of its headers."""
BODY_SECONDS: Final = 20.0
"""Seconds from the end of the headers to the end of the body."""
REST_OF_BODY_SECONDS: Final = 2.0
"""Seconds to finish a body after the response was sent, so that the client can still read the response."""
MAX_HEAD_BYTES: Final = 64 * 1024
"""Bytes of incomplete headers. The request limiter allows fewer and explains its refusal."""
TOO_SLOW: Final = "The request arrived too slowly. Send it at once."
TOO_LONG: Final = "The headers are too long. Send fewer."


class ReadStage(Enum):
    """The part of a request that is being read."""

    IDLE = 0
    HEADERS = 1
    BODY = 2
    COMPLETE = 3
    UPGRADED = 4
    """The connection is a WebSocket now and has no timeout."""


class TimeoutProtocol(HttpToolsProtocol):
    """HTTP with read timeouts."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stage = ReadStage.IDLE
        self._head_size = 0
        self._timed_stage: ReadStage | None = None
        """The stage of the running timer."""
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
            if self._is_idle:  # blank lines between requests do not extend the timeout
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

    # Parser callbacks.

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

    # Timer.

    def _begin(self, stage: ReadStage, seconds: float) -> None:
        self._stop()
        self._timed_stage, self._timer = stage, self.loop.call_later(seconds, self._time_out)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed_stage = self._timer = None

    @property
    def _is_idle(self) -> bool:
        """Whether no request is in progress."""
        return not self.pipeline and (self.cycle is None or self.cycle.response_complete)

    def _time_out(self) -> None:
        self._stop()
        if self._stage in (ReadStage.HEADERS, ReadStage.BODY):
            self._hang_up(b"408 Request Timeout", TOO_SLOW)
        else:
            self.transport.close()

    def _hang_up(self, status: bytes, sentence: str) -> None:
        """Close the connection, with a reason unless another response is being sent. The request's handler receives a
        disconnect."""
        self._stop()
        is_answered = self.cycle.response_started if self._stage is ReadStage.BODY else not self._is_idle
        if not is_answered and not self.pipeline:
            body = f'{{"error": "{sentence}"}}'.encode()
            head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncache-control: no-store\r\n" % status
            safe = b"x-content-type-options: nosniff\r\n"
            self.transport.write(head + safe + b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(body), body))
        self.transport.close()
