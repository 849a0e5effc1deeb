"""Signing in and out, unlocking a device, and the first operator of a card room.

The account page of a user: the password, the PIN, and every device on which the user is signed in.
"""

from __future__ import annotations

import re
import uuid
from functools import partial
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
from cardroom.service.chain_descriptions import describe_events
from cardroom.service.queries.site import list_sign_in_events
from cardroom.translation import gettext
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
from cardroom.web.pages.templating import format_page_time, render_page, zone_note
from cardroom.web.services.app_context import AppContext

router = APIRouter(include_in_schema=False)
_LOCAL: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""Addresses of this server: a redirect never leads to another host."""


def next_page(url: str, session: UserSession) -> str:
    """The page after signing in: the one that was requested, or the start page of the user's role."""
    if _LOCAL.fullmatch(url) and len(url) < 500:
        return url
    if has_permission(session.role, Permission.SEE_OFFICE):
        return "/office"
    return "/dealer" if has_permission(session.role, Permission.DEAL) else "/"


@router.get("/sign-in")
async def show_sign_in(request: Request, next: str = "") -> Response:
    """The sign-in form. Without any user, the page of the first operator."""
    context, session = get_app_context(request), get_caller(request).session
    if session is not None and not session.locked:
        return RedirectResponse(next_page(next, session), 303)
    if not await context.executors.query(context.card_room.users.has_users):
        return RedirectResponse("/first", 303)
    return _sign_in_form(request, next)


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Start a session."""
    form, context = await load_form(request), get_app_context(request)
    login, next = form.text("login"), form.text("next")
    try:
        signed = await context.sign_in(login, form.exact_text("password"), client_address(request))
    except BadInput as fault:
        return _sign_in_form(request, next, login, fault)
    to = "/account/password" if signed.session.must_change_password else next_page(next, signed.session)
    return start_session(context, signed.token, signed.session, to)


def start_session(context: AppContext, token: str, session: UserSession, url: str) -> Response:
    """Redirect a user whose session has started."""
    response = RedirectResponse(url, 303)
    set_cookie(response, SESSION_COOKIE, token, context.options.secure)
    if cookie := context.sessions.activity_cookie(session, ""):
        set_cookie(response, ACTIVITY_COOKIE, cookie, context.options.secure)
    return response


def _sign_in_form(request: Request, next: str, login: str = "", fault: BadInput | None = None) -> Response:
    variables: dict[str, Any] = {"next": next, "login": login, "refusal": str(fault or "")}
    return render_page(request, "sign_in/sign_in.html", status=status_of(fault) if fault else 200, **variables)


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session."""
    context, session = get_app_context(request), require_session(request)
    await load_form(request)
    await context.executors.execute(context.card_room.users.end_session, session)
    return _end_session(context, session, "/")


def _end_session(context: AppContext, session: UserSession, url: str) -> Response:
    context.sessions.forget(session.login)
    response = RedirectResponse(url, 303)
    delete_cookie(response, SESSION_COOKIE, context.options.secure)
    delete_cookie(response, ACTIVITY_COOKIE, context.options.secure)
    return response


@router.post("/lock")
async def lock(request: Request) -> Response:
    """Lock the device."""
    context, session = get_app_context(request), require_session(request)
    form = await load_form(request)
    await context.executors.execute(context.card_room.users.lock_session, session, f"locked by {session.login}")
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
    """Unlock the device. Three wrong PINs in a row end the session."""
    form, context, session = await load_form(request), get_app_context(request), require_session(request)
    try:
        await context.unlock(session, form.exact_text("pin"), client_address(request))
    except NoSession:
        return _end_session(context, session, "/sign-in")
    except BadInput as fault:
        return _unlock_form(request, session, form.text("next"), fault)
    response = RedirectResponse(next_page(form.text("next"), session), 303)
    if cookie := context.sessions.activity_cookie(session._replace(locked=""), ""):
        set_cookie(response, ACTIVITY_COOKIE, cookie, context.options.secure)
    return response


def _unlock_form(request: Request, session: UserSession, next: str, fault: BadInput | None = None) -> Response:
    variables: dict[str, Any] = {"session": session, "next": next, "refusal": str(fault or "")}
    return render_page(request, "sign_in/locked.html", status=status_of(fault) if fault else 200, **variables)


@router.get("/first")
async def show_first_operator(request: Request) -> Response:
    """The form for the first operator of a demonstration; otherwise, how to register one on the server."""
    context = get_app_context(request)
    if await context.executors.query(context.card_room.users.has_users):
        return RedirectResponse("/sign-in", 303)
    return _first_operator_form(request, {}, uuid.uuid4().hex)


@router.post("/first")
async def create_first_operator(request: Request) -> Response:
    """Register the first operator of a demonstration."""
    form, context = await load_form(request), get_app_context(request)
    login, name, password = form.text("login"), form.text("name"), form.exact_text("password")
    values = {"login": login, "name": name}
    try:
        if not context.options.demo:
            raise SignInFailed(gettext("Register the first operator on the server computer."))
        if password != form.exact_text("again"):
            raise SignInFailed(gettext("The passwords do not match. Type both again."))
        first = context.card_room.users.add_first_operator
        await context.executors.compare_password(first, form.id, login, name, password)
        signed = await context.sign_in(login, password, client_address(request))
    except BadInput as fault:
        return _first_operator_form(request, values, uuid.uuid4().hex, fault)
    return start_session(context, signed.token, signed.session, "/office")


def _first_operator_form(request: Request, values: dict[str, str], id: str, fault: BadInput | None = None) -> Response:
    demo = get_app_context(request).options.demo
    variables: dict[str, Any] = {"typed": values, "id": id, "refusal": str(fault or ""), "demo": demo}
    return render_page(request, "sign_in/first_operator.html", status=status_of(fault) if fault else 200, **variables)


_RECENT_EVENTS: Final = 15
"""Events on the account page."""


@router.get("/account")
async def show_account(request: Request, done: str = "") -> Response:
    """The user's account: the role, the sessions, and recent events."""
    context, session = get_app_context(request), require_session(request)
    variables = await context.executors.query(_account_variables, context.card_room, session)
    return render_page(request, "sign_in/account.html", done=done[:20], new_id=new_id, **variables)


def new_id() -> str:
    """A new command id for a form."""
    return uuid.uuid4().hex


def _account_variables(card_room: CardRoom, session: UserSession) -> dict[str, Any]:
    calendar, state = card_room.calendar, card_room.user(session.login)
    events = islice(list_sign_in_events(card_room.ledger, (session.login,)), _RECENT_EVENTS)
    return {
        "session": session,
        "sessions": [
            (
                seal,
                session_state,
                format_page_time(calendar, session_state.until - state.role.session_lifetime),
                format_page_time(calendar, session_state.until),
            )
            for seal, session_state in sorted(state.sessions.items(), key=lambda item: -item[1].until)
        ],
        "log": [
            (format_page_time(calendar, event.time), event.sentences)
            for event in describe_events(events, partial(format_page_time, calendar))
        ],
        "times": zone_note(calendar),
    }


@router.get("/account/password")
async def show_password(request: Request) -> Response:
    """The form for a new password."""
    return _account_form(request, "password", require_session(request))


@router.post("/account/password")
async def choose_password(request: Request) -> Response:
    """Change the password; every other session ends."""

    def change(context: AppContext, form: SubmittedForm, session: UserSession) -> None:
        new = form.exact_text("new")
        if new != form.exact_text("again"):
            raise SignInFailed(gettext("The new passwords do not match. Type both again."))
        context.card_room.users.choose_password(session, form.exact_text("password"), new, client_address(request))

    return await _change(request, "password", change)


@router.get("/account/pin")
async def show_pin(request: Request) -> Response:
    """The form for a new PIN."""
    return _account_form(request, "pin", require_session(request))


@router.post("/account/pin")
async def choose_pin(request: Request) -> Response:
    """Change the PIN."""

    def change(context: AppContext, form: SubmittedForm, session: UserSession) -> None:
        context.card_room.users.choose_pin(
            session, form.exact_text("password"), form.text("new"), client_address(request)
        )

    return await _change(request, "pin", change)


@router.post("/account/end")
async def end_session(request: Request) -> Response:
    """End one of the user's own sessions on another device."""
    context, session, form = get_app_context(request), require_session(request), await load_form(request)
    command, seal = context.card_room.users.end_user_session, form.text("session")
    await context.executors.execute(command, form.id, session.login, session.login, seal, "ended on another device")
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
    return render_page(request, f"sign_in/{kind}.html", status=status_of(fault) if fault else 200, **variables)
