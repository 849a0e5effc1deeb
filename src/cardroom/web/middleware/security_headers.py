"""The security headers of every response, including refusals and errors.

With them a browser shows the pages in no other site's frame, runs only this server's scripts, sends no referrer to
other sites, and caches nothing personal."""

from __future__ import annotations

from typing import Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

_PAGE_CSP: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
"""Nothing from another host, and no inline script or style."""
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
"""Browser features that no page uses."""
YEAR_SECONDS: Final = 31_536_000

SERVER_SEND: Final = "cardroom.send"
"""The key of the scope with the server's own function that sends, without middleware. This middleware is the first."""

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
"""Headers that only this module sets."""
_STARTS: Final = ("http.response.start", "websocket.http.response.start")


class SecurityHeaders:
    """Adds the headers to every response."""

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

        scope[SERVER_SEND] = send
        await self._app(scope, receive, send_with_headers)

    def _add_headers(self, headers: Pairs) -> Pairs:
        pairs, is_page, has_cache_control = [], False, False
        for header in headers:
            name, value = header
            if name in _OURS:
                continue
            pairs.append(header)
            if name == b"content-type":
                is_page = value.startswith(b"text/html")
            elif name == b"cache-control":
                has_cache_control = True
        pairs += self._page_headers if is_page else self._other_headers
        if not has_cache_control:  # by default, a response is personal
            pairs.append((b"cache-control", b"no-store"))
        return pairs
