"""A call of a device: it waits for its turn, it is let in, it is carried out, and the floor hears that it came."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from json import loads
from typing import Any

from fastapi import Request, Response
from fastapi.routing import APIRoute
from fastapi.security.utils import get_authorization_scheme_param
from starlette.concurrency import run_in_threadpool

from cardroom.web.devices.refusals import answer_to, is_nonsense, refused
from cardroom.web.devices.tokens import BadToken, Holder, holder
from cardroom.web.devices.turns import Line, Turns
from cardroom.web.room.hearing import Hearing

Handle = Callable[[Request], Coroutine[Any, Any, Response]]


class DeviceRoute(APIRoute):
    """A call whose refusals are sentences, in whatever application it is included. That has a floor, ``turns`` and
    ``hearing`` in its state."""

    def get_route_handler(self) -> Handle:
        handle = super().get_route_handler()

        async def answer(request: Request) -> Response:
            turns: Turns = request.app.state.turns
            line = turns.line(request.headers.get("authorization", ""))
            if wait := turns.begin(line):
                return _another_time(request, line, wait)
            response = None
            try:
                response = await _answered(request, line, handle)
                return response
            finally:
                turns.end(line, refused=response is not None and 400 <= response.status_code < 500)

        return answer


async def _answered(request: Request, line: Line, handle: Handle) -> Response:
    """The answer. Who calls is known before anything of what was sent is read."""
    hearing: Hearing = request.app.state.hearing
    device: Holder | None = None
    try:
        line.holder = device = await run_in_threadpool(_let_in, request)
        request.state.holder, request.state.line = device, line
        response = await handle(request)
    except Exception as fault:
        response = answer_to(fault)
        if device is not None and is_nonsense(fault, device.stands.kind):
            hearing.refuse(*device, _words(response))
            return response
    if device is not None:
        hearing.hear(*device)
    return response


def _another_time(request: Request, line: Line, wait: int) -> Response:
    sentence = f"That is more than one device may call: wait {wait} s, and send it again with the same id."
    if line.holder is not None:
        hearing: Hearing = request.app.state.hearing
        hearing.refuse(*line.holder, sentence)
    return refused(429, sentence, {"retry-after": str(wait)})


def _let_in(request: Request) -> Holder:
    """The device whose token came with the call."""
    scheme, token = get_authorization_scheme_param(request.headers.get("authorization"))
    if scheme.lower() != "bearer" or not token:
        raise BadToken("A device says who it is: send its token as Authorization: Bearer TOKEN.")
    return holder(request.app.state.floor, token)


def _words(response: Response) -> str:
    """What a refusal says."""
    return str(loads(bytes(response.body))["error"])
