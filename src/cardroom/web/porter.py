"""The porter: stands before every address, knows who calls, and lets pass whoever has the right that the door takes.

Who is not let pass gets a sentence, and a line in the log of the door. Whoever has not signed in is led to where one
does, whoever has left a device alone to where it is unlocked.
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

from cardroom.floor.people.permissions import Right, refuse
from cardroom.floor.people.signing import login_of
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.api.callers import COOKIE, SAY_WHO
from cardroom.web.api.refusals import refused
from cardroom.web.doors.host_names import OWN, is_called
from cardroom.web.doors.refusing import refused_at_the_door, wants_page
from cardroom.web.pages.drawing import page
from cardroom.web.rights.caller import UNLOCK, Caller, Step, note_caller
from cardroom.web.rights.cookies import SEEN, SESSION, called, give
from cardroom.web.rights.doors import API, door_at
from cardroom.web.room.house import House

_BARE: Final = ("/static/", "/healthz")
"""Addresses at which nobody is looked at twice."""
_BY_ITSELF: Final = ("/progress", "/stream", "/live", "/figures")
"""What a page asks for by itself: nobody was there."""
_NOT_THE_DEMO: Final = "The demonstration room is at 127.0.0.1 or localhost, and under no other name."
_NOT_CALLED_SO: Final = "This card room does not have that name: open it at its own address."
_NO_ADDRESS: Final = "There is no such address: it has a character that no address has."
_SHUT: Final = "Nobody is let in here: this address has no door."
_SIGN_IN: Final = "Sign in first: this is for people of the house."
_OUTSIDE: Final = ("/sign-in", "/sign-out", f"{API}/sessions")
"""Where a session begins or ends: open also while it is locked, or has to choose a password."""
_UNLOCK_CALL: Final = f"{API}/sessions/unlock"


class Porter:
    """Before everything else."""

    def __init__(self, app: ASGIApp, house: House) -> None:
        self._app, self._house = app, house
        self._known: list[tuple[re.Pattern[str], Collection[str] | None]] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        rules = self._house.rules
        names = OWN if rules.demo else rules.names
        if scope["type"] != "lifespan" and names and not is_called(scope, names):
            request = Request(scope) if scope["type"] == "http" else None
            await self._refuse(
                421,
                _NOT_THE_DEMO if rules.demo else _NOT_CALLED_SO,
                "another host's name",
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
            # The router takes a line break at the end of an address for its end: no door would be looked for there.
            request = Request(scope) if scope["type"] == "http" else None
            await self._refuse(404, _NO_ADDRESS, "a control character in the address", request, scope, receive, send)
            return
        if scope["path"].startswith(_BARE):
            await self._app(scope, receive, send)
            return
        door = door_at(scope.get("method", "GET"), scope["path"])
        if door is None:
            if self._is_route(scope):
                await self._refuse(403, _SHUT, "no door", Request(scope), scope, receive, send)
            else:
                await self._app(scope, receive, send)
            return
        if door.right is None:
            await self._app(scope, receive, send)
            return
        try:
            caller = await self._who(scope)
        except (LedgerUnavailable, LedgerDamaged):
            sentence = "The books of this room are not to be reached: try again in a moment."
            await self._refuse(503, sentence, "", Request(scope), scope, receive, send)
            return
        note_caller(scope, caller, door.right)
        if caller.session is not None:
            scope.setdefault("state", {})["person"] = caller.session.login
        if self._admits(scope["path"], caller, door.right):
            await self._app(scope, receive, self._with_cookie(send, caller) if _is_a_persons(scope) else send)
            return
        scope["route"] = door  # the logs name an address as it is described
        await self._turn_away(scope, receive, send, caller, door.right)

    def _admits(self, path: str, caller: Caller, right: Right) -> bool:
        """Whether a caller passes. A session that is locked, or has to choose a password, does what that takes, and
        sees pages that are open to all; a program's call is not answered at all."""
        step = caller.first_step
        if step is None:
            return caller.may(right)
        if path in _OUTSIDE or path == step.page or (step is UNLOCK and path == _UNLOCK_CALL):
            return True
        return caller.may(right) and not path.startswith(f"{API}/")

    async def _who(self, scope: Scope) -> Caller:
        headers, secure = {}, self._house.rules.secure
        for name, value in scope["headers"]:
            if name in (b"authorization", b"cookie"):
                headers[name] = value.decode("latin-1")
        cookies = cookie_parser(headers[b"cookie"]) if b"cookie" in headers else {}
        if b"authorization" in headers:
            token, cookies = headers[b"authorization"].partition(" ")[2].strip(), {}
        else:
            token = cookies.get(called(SESSION, secure), "")
        guest = COOKIE in cookies or (b"authorization" in headers and login_of(token) is None)
        if login_of(token) is None:
            return Caller(has_players_token=guest)
        seen = cookies.get(called(SEEN, secure), "")
        session = await self._house.sessions.of(token, seen, active=_is_a_persons(scope))
        return Caller(session, token if session else "", seen, guest)

    def _with_cookie(self, send: Send, caller: Caller) -> Send:
        """Renews the cookie that tells when the person was last active."""
        if caller.session is None:
            return send
        seen = self._house.sessions.seen(caller.session, caller.seen)

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start" and seen is not None:
                told = Response()
                give(told, SEEN, seen, self._house.rules.secure)
                MutableHeaders(scope=message).append("set-cookie", told.headers["set-cookie"])
            await send(message)

        return sending

    async def _turn_away(self, scope: Scope, receive: Receive, send: Send, caller: Caller, right: Right) -> None:
        session, request = caller.session, Request(scope) if scope["type"] == "http" else None
        step = caller.first_step
        if session is None or step is not None:
            say_who = SAY_WHO if scope["path"].startswith(API) else _SIGN_IN
            step = step or Step("/sign-in", say_who, "Sign in")
            if request is not None and request.method == "GET" and wants_page(request):
                there = request.url.path + (f"?{request.url.query}" if request.url.query else "")
                await RedirectResponse(f"{step.page}?next={quote(there)}", 303)(scope, receive, send)
                return
            await self._refuse(401, step.sentence, "not signed in", request, scope, receive, send)
            return
        sentence = str(refuse(session.login, session.role, right))
        await self._refuse(403, sentence, "not this role", request, scope, receive, send)

    async def _refuse(
        self, status: int, sentence: str, why: str, request: Request | None, scope: Scope, receive: Receive, send: Send
    ) -> None:
        if why:
            refused_at_the_door(HTTPConnection(scope), why)
        if request is None:
            await WebSocketClose(4401)(scope, receive, send)
            return
        if wants_page(request):
            answer = page(request, "refused.html", status=status, sentence=sentence)
        else:
            answer = refused(status, sentence)
        await answer(scope, receive, send)

    def _is_route(self, scope: Scope) -> bool:
        """Whether the application has something at an address that has no door."""
        if self._known is None:
            routes = iter_route_contexts(scope["app"].routes)
            self._known = [(compile_path(one.path)[0], one.methods) for one in routes if one.path]
        method = scope.get("method")
        return any(
            (method is None or methods is None or method in methods) and pattern.match(scope["path"])
            for pattern, methods in self._known
        )


def _is_a_persons(scope: Scope) -> bool:
    """Whether somebody has done something, and not a page that was left open: only that keeps a device awake."""
    return scope["type"] == "http" and not scope["path"].endswith(_BY_ITSELF)
