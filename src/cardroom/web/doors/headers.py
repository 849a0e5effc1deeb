"""What goes out with every answer, whoever made it: a page, a call, a file, a refusal, a fault of our own.

A browser then shows our pages in nobody's frame, runs no script but our files, tells nobody where a visitor came from,
and keeps nothing that is personal.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_OF_PAGES: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, no script or style that stands in the page itself."""
_OF_ALL_ELSE: Final = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
_NOTHING_MORE: Final = ", ".join(
    f"{one}=()"
    for one in (
        "accelerometer",
        "autoplay",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)
"""What no page of ours asks a browser for."""
A_YEAR: Final = 31_536_000

Pairs = list[tuple[bytes, bytes]]

_ALWAYS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": _NOTHING_MORE,
}
_CSP: Final = b"content-security-policy"
_HSTS: Final = b"strict-transport-security"
_OURS: Final = frozenset({*(name.encode() for name in _ALWAYS), _CSP, _HSTS})
"""What only this file decides."""
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SafeHeaders:
    """Puts the headers on everything that goes out."""

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        always: Pairs = [(name.encode(), value.encode()) for name, value in _ALWAYS.items()]
        if secure:
            always.append((_HSTS, f"max-age={A_YEAR}".encode()))
        self._app = app
        self._pages: Pairs = [*always, (_CSP, _OF_PAGES.encode())]
        self._all_else: Pairs = [*always, (_CSP, _OF_ALL_ELSE.encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def sending(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = self._with_ours(message.get("headers", ()))
            await send(message)

        await self._app(scope, receive, sending)

    def _with_ours(self, made: Pairs) -> Pairs:
        kept, is_page, may_be_kept = [], False, False
        for one in made:
            name, value = one
            if name in _OURS:
                continue
            kept.append(one)
            if name == b"content-type":
                is_page = value.startswith(b"text/html")
            elif name == b"cache-control":
                may_be_kept = True
        kept += self._pages if is_page else self._all_else
        if not may_be_kept:  # whoever does not say that it may be kept has made it for one person
            kept.append((b"cache-control", b"no-store"))
        return kept
