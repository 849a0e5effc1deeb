"""Patience has an end: whoever sends a call letter by letter is cut off, so that nobody holds all lines with nothing.

A call that arrives in one piece, as nearly all do, costs no timer at all. Between two calls a line may be silent for as
long as the server allows.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from typing import Any, Final

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

FOR_HEADERS: Final = 10.0
"""Seconds from the first letter of a call, or from the beginning of the line, until all its headers are there."""
FOR_BODY: Final = 20.0
"""Seconds from then until its body is."""
FOR_THE_REST: Final = 2.0
"""Seconds to finish a body when the answer has been sent already, so that a sender who hears only then has heard it."""
LONGEST_HEAD: Final = 64 * 1024
"""Bytes of headers that are kept while more are to come. The doorkeeper takes fewer, and says so in a sentence."""
TOO_SLOW: Final = "The call came too slowly: send it at once."
TOO_LONG: Final = "The headers are too long: send fewer."


class Stage(Enum):
    """How much of a call is there."""

    NOTHING = 0
    HEADERS = 1
    BODY = 2
    WHOLE = 3
    UPGRADED = 4
    """The line belongs to a web socket from now on, and has no clock."""


class PatientProtocol(HttpToolsProtocol):
    """HTTP as the server speaks it, with a clock for those who speak slowly."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._stage = Stage.NOTHING
        self._head_size = 0
        self._timed: Stage | None = None
        """The stage whose time runs."""
        self._timer: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._begin(Stage.NOTHING, FOR_HEADERS)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        if self._stage is Stage.UPGRADED:
            return
        if self._stage is Stage.WHOLE:
            if self._is_idle:  # blank lines between two calls, which are no call: they gain nobody any time
                if self._timer is None:
                    self._begin(Stage.WHOLE, FOR_HEADERS)
            elif self._timer is not None:
                self._stop()
        elif self._stage is Stage.BODY:
            if self._timed is not Stage.BODY and not self.transport.is_closing():
                self._begin(Stage.BODY, FOR_BODY)
        elif not self.transport.is_closing():
            self._head_size += len(data)
            if self._head_size > LONGEST_HEAD:
                self._hang_up(b"431 Request Header Fields Too Large", TOO_LONG)
            elif self._timer is None:
                self._begin(Stage.HEADERS, FOR_HEADERS)

    def handle_websocket_upgrade(self) -> None:
        self._stop()
        self._stage = Stage.UPGRADED
        super().handle_websocket_upgrade()

    # What the parser finds.

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._stage, self._head_size = Stage.HEADERS, 0

    def on_headers_complete(self) -> None:
        super().on_headers_complete()
        self._stage = Stage.BODY

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self._stage = Stage.WHOLE

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if self._stage is Stage.BODY and not self.transport.is_closing():
            self._begin(Stage.BODY, FOR_THE_REST)

    # The clock.

    def _begin(self, stage: Stage, seconds: float) -> None:
        self._stop()
        self._timed, self._timer = stage, self.loop.call_later(seconds, self._too_slow)

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timed = self._timer = None

    @property
    def _is_idle(self) -> bool:
        """Whether nothing is being answered."""
        return not self.pipeline and (self.cycle is None or self.cycle.response_complete)

    def _too_slow(self) -> None:
        self._stop()
        if self._stage in (Stage.HEADERS, Stage.BODY):
            self._hang_up(b"408 Request Timeout", TOO_SLOW)
        else:
            self.transport.close()

    def _hang_up(self, status: bytes, sentence: str) -> None:
        """Close the line, and say why where that does not fall into the middle of another answer. Whoever works for the
        call is told that nobody waits."""
        self._stop()
        answered = self.cycle.response_started if self._stage is Stage.BODY else not self._is_idle
        if not answered and not self.pipeline:
            said = f'{{"error": "{sentence}"}}'.encode()
            head = b"HTTP/1.1 %b\r\ncontent-type: application/json\r\ncache-control: no-store\r\n" % status
            safe = b"x-content-type-options: nosniff\r\n"
            self.transport.write(head + safe + b"content-length: %d\r\nconnection: close\r\n\r\n%b" % (len(said), said))
        self.transport.close()
