"""The route class of the device API: it limits, authenticates, and executes a request, and records the contact.

Limits are fair between devices. Each token has a bucket; a request takes a little from it, and a refused one takes
more. A request with an empty bucket is refused before the database is read. Each token has only a few requests at a
time."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from json import loads
from typing import Any, Final, NamedTuple

from fastapi import Request, Response
from fastapi.routing import APIRoute
from fastapi.security.utils import get_authorization_scheme_param
from starlette.concurrency import run_in_threadpool

from cardroom.web.devices.errors import (
    BadToken,
    TokenHolder,
    find_token_holder,
    is_malformed,
    refusal_response,
    response_to_error,
)
from cardroom.web.services.device_monitor import DeviceMonitor

_MAX_TOKENS: Final = 5_000
"""Tokens with a bucket."""


class DeviceLimits(NamedTuple):
    """The limits of one device."""

    concurrent: int = 4
    """Requests at the same time."""
    streams: int = 8
    """Open streams. A broken connection is noticed late."""
    per_second: float = 50
    """The steady rate of requests."""
    burst: float = 200
    """Requests at once after a pause."""
    refusal_cost: float = 10
    """The cost of a refused request, in requests."""


@dataclass(slots=True)
class DeviceQueue:
    """The requests of one token."""

    allowance: float
    updated_at: float
    active: int = 0
    streams: int = 0
    holder: TokenHolder | None = None
    """The device that was last authenticated with the token."""

    @property
    def is_idle(self) -> bool:
        return not self.active and not self.streams


class FairQueue:
    """The queues of all tokens, used only in the server's event loop."""

    def __init__(self, limits: DeviceLimits | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits, self._clock = limits or DeviceLimits(), clock
        self._queues: OrderedDict[bytes, DeviceQueue] = OrderedDict()

    def queue_of(self, credentials: str) -> DeviceQueue:
        """The queue of a token, stored under its digest."""
        name, now = sha256(credentials.encode()).digest(), self._clock()
        line = self._queues.get(name)
        if line is None:
            line = self._queues[name] = DeviceQueue(self.limits.burst, now)
            self._forget()
        self._queues.move_to_end(name)
        line.allowance = min(line.allowance + (now - line.updated_at) * self.limits.per_second, self.limits.burst)
        line.updated_at = now
        return line

    def known_device(self, credentials: str) -> str | None:
        """The device that was last authenticated with a token, without reading the database."""
        line = self._queues.get(sha256(credentials.encode()).digest())
        return line.holder.device if line is not None and line.holder is not None else None

    def begin(self, line: DeviceQueue) -> int:
        """Begin a request: 0, or the seconds to wait before it may begin."""
        if line.allowance < 1:
            return max(round((1 - line.allowance) / self.limits.per_second), 1)
        if line.active >= self.limits.concurrent:
            return 1
        line.allowance -= 1
        line.active += 1
        return 0

    def end(self, line: DeviceQueue, *, refused: bool) -> None:
        """End a request."""
        line.active -= 1
        line.allowance -= self.limits.refusal_cost if refused else 0

    @contextmanager
    def hold_stream(self, line: DeviceQueue) -> Iterator[bool]:
        """Count an open stream; False if the limit is exceeded."""
        line.streams += 1
        try:
            yield line.streams <= self.limits.streams
        finally:
            line.streams -= 1

    def _forget(self) -> None:
        """Forget the least recently used tokens."""
        while len(self._queues) > _MAX_TOKENS:
            name, line = next(iter(self._queues.items()))
            if not line.is_idle:
                self._queues.move_to_end(name)
                return
            del self._queues[name]


Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class DeviceRoute(APIRoute):
    """A call whose refusals are sentences, in whatever application it is included. That has a card room, ``turns`` and
    ``monitor`` in its state."""

    def get_route_handler(self) -> Handle:
        handle = super().get_route_handler()

        async def handle_request(request: Request) -> Response:
            turns: FairQueue = request.app.state.fair_queue
            line = turns.queue_of(request.headers.get("authorization", ""))
            if wait := turns.begin(line):
                return _retry_later(request, line, wait)
            response = None
            try:
                response = await _respond(request, line, handle)
                return response
            finally:
                turns.end(line, refused=response is not None and 400 <= response.status_code < 500)

        return handle_request


async def _respond(request: Request, queue: DeviceQueue, handle: Handle) -> Response:
    """The answer. Who calls is known before anything of what was sent is read."""
    monitor: DeviceMonitor = request.app.state.device_monitor
    device: TokenHolder | None = None
    try:
        queue.holder = device = await run_in_threadpool(_authenticate, request)
        request.state.holder, request.state.line = device, queue
        response = await handle(request)
    except Exception as fault:
        response = response_to_error(fault)
        if device is not None and is_malformed(fault, device.registration.kind):
            monitor.record_refusal(*device, _error_sentence(response))
            return response
    if device is not None:
        monitor.record_call(*device)
    return response


def _retry_later(request: Request, queue: DeviceQueue, wait: int) -> Response:
    sentence = f"That is more than one device may call: wait {wait} s, and send it again with the same id."
    if queue.holder is not None:
        monitor: DeviceMonitor = request.app.state.device_monitor
        monitor.record_refusal(*queue.holder, sentence)
    return refusal_response(429, sentence, {"retry-after": str(wait)})


def _authenticate(request: Request) -> TokenHolder:
    """The device of the request's token."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise BadToken("Send the device's token as Authorization: Bearer TOKEN.")
    return find_token_holder(request.app.state.card_room, token)


def _error_sentence(response: Response) -> str:
    """The sentence of a refusal."""
    return str(loads(bytes(response.body))["error"])
