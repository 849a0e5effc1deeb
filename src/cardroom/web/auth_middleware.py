"""Authentication and authorization: identifies the caller of each request and checks the permission of its route.

A rejected request gets a refusal, and a line in the security log. A browser without a session is redirected to the
sign-in page, and one with a locked session to the unlock page.

The rate-limit key of a request is its player, its signed-in user, or its device; a request with an invalid token counts
by its address.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final
from urllib.parse import quote

from fastapi.routing import iter_route_contexts
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection, Request, cookie_parser
from starlette.responses import RedirectResponse, Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocketClose

from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.room.user.permissions import Permission, permission_error
from cardroom.room.user.sign_in import login_of_token
from cardroom.web.api.refusals import refusal_response
from cardroom.web.api.requests import PLAYER_COOKIE, SIGN_IN_FIRST
from cardroom.web.devices import FairQueue
from cardroom.web.middleware.listener_options import LOCAL_NAMES, is_known_host
from cardroom.web.middleware.permissions import (
    ACTIVITY_COOKIE,
    API,
    SESSION_COOKIE,
    UNLOCK,
    RequestCaller,
    SignInStep,
    cookie_name,
    find_route_permission,
    set_cookie,
    store_caller,
)
from cardroom.web.middleware.rejections import log_rejection, wants_page
from cardroom.web.middleware.request_limiter import CallerKey
from cardroom.web.pages.templating import render_page
from cardroom.web.services.app_context import AppContext

_COOKIE: Final = f"{PLAYER_COOKIE}=".encode()


def create_caller_key(context: AppContext, fair_queue: FairQueue) -> CallerKey:
    """The function that finds the rate-limit key of a request. It is fast, because every request needs it."""
    tokens, sessions = context.tokens, context.sessions
    session = f"{cookie_name(SESSION_COOKIE, context.options.secure)}=".encode()

    def caller_key(authorization: bytes, cookie: bytes) -> str | None:
        if not authorization:
            signed_in = cookie_value(cookie, session).decode("latin-1")
            return sessions.holder(signed_in) or tokens.holder(cookie_value(cookie).decode("latin-1"))
        token = authorization[7:].decode("latin-1").strip() if authorization[:7].lower() == b"bearer " else ""
        holder = tokens.holder(token) or sessions.holder(token)
        if holder is not None:
            return holder
        device = fair_queue.known_device(authorization.decode("latin-1"))
        return None if device is None else f"device {device}"

    return caller_key


def cookie_value(cookie: bytes, name: bytes = _COOKIE) -> bytes:
    """The value of one cookie; ``name`` ends with the equals sign.

    >>> cookie_value(b"a=b; cardroom_token=ann.1.x; c=d"), cookie_value(b"cardroom_token_2=x"), cookie_value(b"")
    (b'ann.1.x', b'', b'')
    """
    for part in cookie.split(b";") if name in cookie else ():
        if part.strip().startswith(name):
            return part.strip()[len(name) :]
    return b""


_PUBLIC_PREFIXES: Final = ("/static/", "/healthz")
"""Paths that need no authentication."""
_BACKGROUND_SUFFIXES: Final = ("/progress", "/stream", "/live", "/figures")
"""Paths that a page requests by itself, without a user's action."""
_DEMO_IS_LOCAL: Final = "The demo server is only at 127.0.0.1 or localhost."
_UNKNOWN_HOST: Final = "This server does not use that host name. Open it at its own address."
_BAD_ADDRESS: Final = "This URL has an invalid character."
_NO_PERMISSION_DEFINED: Final = "Forbidden: no permission is defined for this URL."
_SIGN_IN: Final = "Sign in first. This page is for staff."
_OUTSIDE: Final = ("/sign-in", "/sign-out", f"{API}/sessions")
"""Paths that begin or end a session. They are open while it is locked or needs a new password."""
_UNLOCK_CALL: Final = f"{API}/sessions/unlock"


class AuthMiddleware:
    """Identifies callers and checks permissions."""

    def __init__(self, app: ASGIApp, context: AppContext) -> None:
        self._app, self._context = app, context
        self._route_patterns: list[tuple[re.Pattern[str], Collection[str] | None]] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        options = self._context.options
        names = LOCAL_NAMES if options.demo else options.host_names
        if scope["type"] != "lifespan" and names and not is_known_host(scope, names):
            request = Request(scope) if scope["type"] == "http" else None
            await self._refuse(
                421,
                _DEMO_IS_LOCAL if options.demo else _UNKNOWN_HOST,
                "unknown host name",
                request,
                scope,
                receive,
                send,
            )
            return
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if not scope["path"].isprintable():
            # The router ignores a line break at the end of a path, so such a path would skip the permission check.
            request = Request(scope) if scope["type"] == "http" else None
            await self._refuse(404, _BAD_ADDRESS, "control character in the path", request, scope, receive, send)
            return
        if scope["path"].startswith(_PUBLIC_PREFIXES):
            await self._app(scope, receive, send)
            return
        route_permission = find_route_permission(scope.get("method", "GET"), scope["path"])
        if route_permission is None:
            if self._is_route(scope):
                await self._refuse(
                    403, _NO_PERMISSION_DEFINED, "no permission defined", Request(scope), scope, receive, send
                )
            else:
                await self._app(scope, receive, send)
            return
        if route_permission.permission is None:
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._identify(scope)
        except (LedgerUnavailable, LedgerDamaged):
            sentence = "The database is unreachable. Try again in a moment."
            await self._refuse(503, sentence, "", Request(scope), scope, receive, send)
            return
        store_caller(scope, caller, route_permission.permission)
        if caller.session is not None:
            scope.setdefault("state", {})["person"] = caller.session.login
        if self._is_permitted(scope["path"], caller, route_permission.permission):
            await self._app(scope, receive, self._refresh_cookie(send, caller) if _is_user_activity(scope) else send)
            return
        scope["route"] = route_permission  # the logs use the route template
        await self._reject(scope, receive, send, caller, route_permission.permission)

    def _is_permitted(self, path: str, caller: RequestCaller, permission: Permission) -> bool:
        """Whether the request is allowed. A session that is locked or needs a new password can only fix that and open
        public pages; its API requests are refused."""
        step = caller.sign_in_step
        if step is None:
            return caller.may(permission)
        if path in _OUTSIDE or path == step.page or (step is UNLOCK and path == _UNLOCK_CALL):
            return True
        return caller.may(permission) and not path.startswith(f"{API}/")

    async def _identify(self, scope: Scope) -> RequestCaller:
        headers, secure = {}, self._context.options.secure
        for name, value in scope["headers"]:
            if name in (b"authorization", b"cookie"):
                headers[name] = value.decode("latin-1")
        cookies = cookie_parser(headers[b"cookie"]) if b"cookie" in headers else {}
        if b"authorization" in headers:
            token, cookies = headers[b"authorization"].partition(" ")[2].strip(), {}
        else:
            token = cookies.get(cookie_name(SESSION_COOKIE, secure), "")
        guest = PLAYER_COOKIE in cookies or (b"authorization" in headers and login_of_token(token) is None)
        if login_of_token(token) is None:
            return RequestCaller(has_players_token=guest)
        last_active = cookies.get(cookie_name(ACTIVITY_COOKIE, secure), "")
        session = await self._context.sessions.find(token, last_active, active=_is_user_activity(scope))
        return RequestCaller(session, token if session else "", last_active, guest)

    def _refresh_cookie(self, send: Send, caller: RequestCaller) -> Send:
        """Renew the cookie with the time of the user's last activity."""
        if caller.session is None:
            return send
        cookie = self._context.sessions.activity_cookie(caller.session, caller.last_active)

        async def send_with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start" and cookie is not None:
                cookie_response = Response()
                set_cookie(cookie_response, ACTIVITY_COOKIE, cookie, self._context.options.secure)
                MutableHeaders(scope=message).append("set-cookie", cookie_response.headers["set-cookie"])
            await send(message)

        return send_with_cookie

    async def _reject(
        self, scope: Scope, receive: Receive, send: Send, caller: RequestCaller, permission: Permission
    ) -> None:
        session, request = caller.session, Request(scope) if scope["type"] == "http" else None
        step = caller.sign_in_step
        if session is None or step is not None:
            sentence = SIGN_IN_FIRST if scope["path"].startswith(API) else _SIGN_IN
            step = step or SignInStep("/sign-in", sentence, "Sign in")
            if request is not None and request.method == "GET" and wants_page(request):
                return_url = request.url.path + (f"?{request.url.query}" if request.url.query else "")
                await RedirectResponse(f"{step.page}?next={quote(return_url)}", 303)(scope, receive, send)
                return
            await self._refuse(401, step.sentence, "not signed in", request, scope, receive, send)
            return
        sentence = str(permission_error(session.login, session.role, permission))
        await self._refuse(403, sentence, "role not permitted", request, scope, receive, send)

    async def _refuse(
        self,
        status: int,
        sentence: str,
        reason: str,
        request: Request | None,
        scope: Scope,
        receive: Receive,
        send: Send,
    ) -> None:
        if reason:
            log_rejection(HTTPConnection(scope), reason)
        if request is None:
            await WebSocketClose(4401)(scope, receive, send)
            return
        if wants_page(request):
            response = render_page(request, "refused.html", status=status, sentence=sentence)
        else:
            response = refusal_response(status, sentence)
        await response(scope, receive, send)

    def _is_route(self, scope: Scope) -> bool:
        """Whether the application has a route for a path without a permission."""
        if self._route_patterns is None:
            routes = iter_route_contexts(scope["app"].routes)
            self._route_patterns = [(compile_path(route.path)[0], route.methods) for route in routes if route.path]
        method = scope.get("method")
        return any(
            (method is None or methods is None or method in methods) and pattern.match(scope["path"])
            for pattern, methods in self._route_patterns
        )


def _is_user_activity(scope: Scope) -> bool:
    """Whether the request is an action of the user. Requests of an open page do not postpone the idle lock."""
    return scope["type"] == "http" and not scope["path"].endswith(_BACKGROUND_SUFFIXES)
