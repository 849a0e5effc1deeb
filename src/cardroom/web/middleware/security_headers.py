"""What goes out with every answer, whoever made it: a page, a call, a file, a refusal, a fault of our own.

A browser then shows our pages in nobody's frame, runs no script but our files, tells nobody where a visitor came from,
and keeps nothing that is personal.
"""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PAGE_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, no script or style that stands in the page itself."""
_OTHER_CSP: Final = "default-src 'none'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
_PERMISSIONS_POLICY: Final = ", ".join(
    f"{feature}=()"
    for feature in (
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
YEAR_SECONDS: Final = 31_536_000

Pairs = list[tuple[bytes, bytes]]

_ALWAYS: Final = {
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": _PERMISSIONS_POLICY,
}
_CSP: Final = b"content-security-policy"
_HSTS: Final = b"strict-transport-security"
_OURS: Final = frozenset({*(name.encode() for name in _ALWAYS), _CSP, _HSTS})
"""What only this file decides."""
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Puts the headers on everything that goes out."""

    def __init__(self, app: ASGIApp, secure: bool) -> None:
        always: Pairs = [(name.encode(), value.encode()) for name, value in _ALWAYS.items()]
        if secure:
            always.append((_HSTS, f"max-age={YEAR_SECONDS}".encode()))
        self._app = app
        self._page_headers: Pairs = [*always, (_CSP, _PAGE_CSP.encode())]
        self._other_headers: Pairs = [*always, (_CSP, _OTHER_CSP.encode())]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] in _STARTS:
                message["headers"] = self._add_headers(message.get("headers", ()))
            await send(message)

        await self._app(scope, receive, send_with_headers)

    def _add_headers(self, headers: Pairs) -> Pairs:
        pairs, is_page, may_be_kept = [], False, False
        for header in headers:
            name, value = header
            if name in _OURS:
                continue
            pairs.append(header)
            if name == b"content-type":
                is_page = value.startswith(b"text/html")
            elif name == b"cache-control":
                may_be_kept = True
        pairs += self._page_headers if is_page else self._other_headers
        if not may_be_kept:  # whoever does not say that it may be kept has made it for one person
            pairs.append((b"cache-control", b"no-store"))
        return pairs
