"""Signing in and out, unlocking a device, and the first operator of a room.

One's own account: the password, the PIN, and every place at which one is signed in.
"""

from __future__ import annotations

import re
import uuid
from itertools import islice
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.errors import BadInput
from cardroom.room.user.passwords import LONGEST_PASSWORD, SHORTEST_PASSWORD
from cardroom.room.user.permissions import Permission, has_permission
from cardroom.room.user.sign_in import NoSession, SignInFailed, UserSession
from cardroom.service import CardRoom
from cardroom.service.event_log import describe_events
from cardroom.service.queries.site import list_sign_in_events
from cardroom.web.api.refusals import status_of
from cardroom.web.middleware.permissions import (
    ACTIVITY_COOKIE,
    SESSION_COOKIE,
    delete_cookie,
    get_caller,
    require_session,
    set_cookie,
)
from cardroom.web.middleware.rejections import client_address
from cardroom.web.pages.requests import SubmittedForm, get_app_context, load_form
from cardroom.web.pages.templating import render_page
from cardroom.web.services.app_context import AppContext

router = APIRouter(include_in_schema=False)
_LOCAL: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""Addresses of this room: no other host is led to."""


def next_page(url: str, session: UserSession) -> str:
    """Where somebody goes who has signed in: where they wanted to go, or where people of the role work."""
    if _LOCAL.fullmatch(url) and len(url) < 500:
        return url
    if has_permission(session.role, Permission.SEE_OFFICE):
        return "/office"
    return "/dealer" if has_permission(session.role, Permission.DEAL) else "/"


@router.get("/sign-in")
async def show_sign_in(request: Request, next: str = "") -> Response:
    """The form; in a room that has nobody yet, the way to its first operator."""
    context, session = get_app_context(request), get_caller(request).session
    if session is not None and not session.locked:
        return RedirectResponse(next_page(next, session), 303)
    if not await context.executors.query(context.floor.has_users):
        return RedirectResponse("/first", 303)
    return _sign_in_form(request, next)


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Begin a session."""
    form, context = await load_form(request), get_app_context(request)
    login, next = form.text("login"), form.text("next")
    try:
        signed = await context.sign_in(login, form.exact_text("password"), client_address(request))
    except BadInput as fault:
        return _sign_in_form(request, next, login, fault)
    to = "/account/password" if signed.session.must_change_password else next_page(next, signed.session)
    return start_session(context, signed.token, signed.session, to)


def start_session(context: AppContext, token: str, session: UserSession, url: str) -> Response:
    """Lead somebody whose session has begun."""
    answer = RedirectResponse(url, 303)
    set_cookie(answer, SESSION_COOKIE, token, context.options.secure)
    if cookie := context.sessions.activity_cookie(session, ""):
        set_cookie(answer, ACTIVITY_COOKIE, cookie, context.options.secure)
    return answer


def _sign_in_form(request: Request, next: str, login: str = "", fault: BadInput | None = None) -> Response:
    variables: dict[str, Any] = {"next": next, "login": login, "refusal": str(fault or "")}
    return render_page(request, "door/sign_in.html", status=status_of(fault) if fault else 200, **variables)


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session."""
    context, session = get_app_context(request), require_session(request)
    await load_form(request)
    await context.executors.execute(context.floor.end_session, session)
    return _end_session(context, session, "/")


def _end_session(context: AppContext, session: UserSession, url: str) -> Response:
    context.sessions.forget(session.login)
    answer = RedirectResponse(url, 303)
    delete_cookie(answer, SESSION_COOKIE, context.options.secure)
    delete_cookie(answer, ACTIVITY_COOKIE, context.options.secure)
    return answer


@router.post("/lock")
async def lock(request: Request) -> Response:
    """Lock the device before one leaves it."""
    context, session = get_app_context(request), require_session(request)
    form = await load_form(request)
    await context.executors.execute(context.floor.lock_session, session, f"locked by {session.login}")
    context.sessions.forget(session.login)
    return RedirectResponse(f"/unlock?next={quote(form.text('next'))}", 303)


@router.get("/unlock")
async def show_unlock(request: Request, next: str = "") -> Response:
    """A locked device."""
    session = require_session(request)
    if not session.locked:
        return RedirectResponse(next_page(next, session), 303)
    return _unlock_form(request, session, next)


@router.post("/unlock")
async def unlock(request: Request) -> Response:
    """The person is back; after three wrong PINs in a row the session is over."""
    form, context, session = await load_form(request), get_app_context(request), require_session(request)
    try:
        await context.unlock(session, form.exact_text("pin"), client_address(request))
    except NoSession:
        return _end_session(context, session, "/sign-in")
    except BadInput as fault:
        return _unlock_form(request, session, form.text("next"), fault)
    answer = RedirectResponse(next_page(form.text("next"), session), 303)
    if cookie := context.sessions.activity_cookie(session._replace(locked=""), ""):
        set_cookie(answer, ACTIVITY_COOKIE, cookie, context.options.secure)
    return answer


def _unlock_form(request: Request, session: UserSession, next: str, fault: BadInput | None = None) -> Response:
    variables: dict[str, Any] = {"session": session, "next": next, "refusal": str(fault or "")}
    return render_page(request, "door/locked.html", status=status_of(fault) if fault else 200, **variables)


@router.get("/first")
async def show_first_operator(request: Request) -> Response:
    """The first operator of a room to try out; of any other, where the program was started."""
    context = get_app_context(request)
    if await context.executors.query(context.floor.has_users):
        return RedirectResponse("/sign-in", 303)
    return _first_operator_form(request, {}, uuid.uuid4().hex)


@router.post("/first")
async def create_first_operator(request: Request) -> Response:
    """Be the first operator."""
    form, context = await load_form(request), get_app_context(request)
    login, name, password = form.text("login"), form.text("name"), form.exact_text("password")
    values = {"login": login, "name": name}
    try:
        if not context.options.demo:
            raise SignInFailed("The first operator of this room is registered where it runs: cardroom init.")
        if password != form.exact_text("again"):
            raise SignInFailed("The two passwords are not the same: type both again.")
        first = context.floor.add_first_operator
        await context.executors.compare_password(first, form.id, login, name, password)
        signed = await context.sign_in(login, password, client_address(request))
    except BadInput as fault:
        return _first_operator_form(request, values, uuid.uuid4().hex, fault)
    return start_session(context, signed.token, signed.session, "/office")


def _first_operator_form(request: Request, values: dict[str, str], id: str, fault: BadInput | None = None) -> Response:
    demo = get_app_context(request).options.demo
    variables: dict[str, Any] = {"typed": values, "id": id, "refusal": str(fault or ""), "demo": demo}
    return render_page(request, "door/first.html", status=status_of(fault) if fault else 200, **variables)


_LAST = 15
"""What happened lately, on the own page."""


@router.get("/account")
async def show_account(request: Request, done: str = "") -> Response:
    """What one has: the role, the sessions, and what happened lately."""
    context, session = get_app_context(request), require_session(request)
    variables = await context.executors.query(_account_variables, context.floor, session)
    return render_page(request, "door/account.html", done=done[:20], new_id=new_id, **variables)


def new_id() -> str:
    """The id of a form."""
    return uuid.uuid4().hex


def _account_variables(floor: CardRoom, session: UserSession) -> dict[str, Any]:
    calendar, state = floor.calendar, floor.user(session.login)
    events = islice(list_sign_in_events(floor.ledger, (session.login,)), _LAST)
    return {
        "session": session,
        "sessions": [
            (
                seal,
                session_state,
                calendar.format_time(session_state.until - state.role.session_lifetime),
                calendar.format_time(session_state.until),
            )
            for seal, session_state in sorted(state.sessions.items(), key=lambda item: -item[1].until)
        ],
        "log": [
            (calendar.format_time(session_state.time), session_state.sentences)
            for session_state in describe_events(events, calendar.format_time)
        ],
        "said": calendar.zone_text,
    }


@router.get("/account/password")
async def show_password(request: Request) -> Response:
    """Choose a password."""
    return _account_form(request, "password", require_session(request))


@router.post("/account/password")
async def choose_password(request: Request) -> Response:
    """Choose it; every other session ends."""

    def chosen(context: AppContext, form: SubmittedForm, session: UserSession) -> None:
        new = form.exact_text("new")
        if new != form.exact_text("again"):
            raise SignInFailed("The two new passwords are not the same: type both again.")
        context.floor.choose_password(session, form.exact_text("password"), new, client_address(request))

    return await _change(request, "password", chosen)


@router.get("/account/pin")
async def show_pin(request: Request) -> Response:
    """Choose a PIN."""
    return _account_form(request, "pin", require_session(request))


@router.post("/account/pin")
async def choose_pin(request: Request) -> Response:
    """Choose it."""

    def chosen(context: AppContext, form: SubmittedForm, session: UserSession) -> None:
        context.floor.choose_pin(session, form.exact_text("password"), form.text("new"), client_address(request))

    return await _change(request, "pin", chosen)


@router.post("/account/end")
async def end_session(request: Request) -> Response:
    """End one's own session at another place."""
    context, session, form = get_app_context(request), require_session(request), await load_form(request)
    command, seal = context.floor.end_user_session, form.text("session")
    await context.executors.execute(command, form.id, session.login, session.login, seal, "ended from another place")
    context.sessions.forget(session.login)
    return RedirectResponse("/account?done=session", 303)


async def _change(request: Request, kind: str, change: Any) -> Response:
    context, session, form = get_app_context(request), require_session(request), await load_form(request)
    try:
        await context.check_password(client_address(request), change, context, form, session)
    except BadInput as fault:
        return _account_form(request, kind, session, fault)
    context.sessions.forget(session.login)
    return RedirectResponse(f"/account?done={kind}", 303)


def _account_form(request: Request, kind: str, session: UserSession, fault: BadInput | None = None) -> Response:
    variables: dict[str, Any] = {"session": session, "refusal": str(fault or "")}
    variables |= {"shortest": SHORTEST_PASSWORD, "longest": LONGEST_PASSWORD}
    return render_page(request, f"door/{kind}.html", status=status_of(fault) if fault else 200, **variables)
