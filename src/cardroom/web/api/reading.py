"""What people send is read in one place: in which form, and nothing that two could read in two ways."""

from __future__ import annotations

import re
from collections.abc import Callable, Coroutine
from typing import Any, Final

from fastapi import HTTPException, Request, Response
from fastapi.routing import APIRoute

from cardroom.documents import read_json
from cardroom.errors import BadInput, quote

_JSON: Final = re.compile(r"application/json\s*(;.*)?", re.IGNORECASE)
_UNWRITABLE: Final = re.compile(r"[\x00\ud800-\udfff]")


class BadBody(BadInput):
    """A body that cannot be read at all."""


class Letter(Request):
    """A request whose body is read with care."""

    async def body(self) -> bytes:
        if not hasattr(self, "_body"):
            self._body = b"".join([part async for part in self.stream()])
            if self._body and not _JSON.fullmatch(self.headers.get("content-type", "").strip()):
                sent = quote(self.headers.get("content-type", ""))
                raise HTTPException(415, f"The body is of type {sent}: send JSON, as application/json.")
        return self._body

    async def json(self) -> Any:
        if not hasattr(self, "_json"):
            self._json = _understood(await self.body())
        return self._json


def _understood(body: bytes) -> Any:
    try:
        text = body.decode()
    except UnicodeDecodeError as wrong:
        raise HTTPException(400, f"The body is not UTF-8 at byte {wrong.start}.") from None
    try:
        value = read_json(text, BadBody, "The body")
    except BadBody as wrong:
        raise HTTPException(400, str(wrong)) from None
    _refuse_unwritable(value)
    return value


def _refuse_unwritable(value: Any) -> None:
    """What no database keeps: half of a pair of surrogates, and the character zero."""
    left = [value]
    while left:
        match left.pop():
            case str() as text if _UNWRITABLE.search(text):
                raise HTTPException(400, f"The body has characters in {quote(text)} that cannot be kept.")
            case dict() as section:
                left += [*section, *section.values()]
            case list() as several:
                left += several


class CarefulRoute(APIRoute):
    """An address whose letters are read with care."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        answer = super().get_route_handler()

        async def read(request: Request) -> Response:
            return await answer(Letter(request.scope, request.receive))

        return read
