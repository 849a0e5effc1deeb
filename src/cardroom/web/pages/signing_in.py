"""Signing in and out, unlocking a device, and the first operator of a room."""

from __future__ import annotations

import re
import uuid
from typing import Any, Final
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.errors import BadInput
from cardroom.floor.people.permissions import Right, may
from cardroom.floor.people.signing import NoSession, Session, SignInFailed
from cardroom.web.api.refusals import status_of
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.pages.drawing import page
from cardroom.web.pages.forms import form_of
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import caller_of, person_of
from cardroom.web.rights.cookies import SEEN, SESSION, give, take_away
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False)
_LOCAL: Final = re.compile(r"/(?![/\\])[\x21-\x5b\x5d-\x7e]*")
"""Addresses of this room: no other host is led to."""


def led_to(next: str, session: Session) -> str:
    """Where somebody goes who has signed in: where they wanted to go, or where people of the role work."""
    if _LOCAL.fullmatch(next) and len(next) < 500:
        return next
    if may(session.role, Right.SEE_OFFICE):
        return "/office"
    return "/dealer" if may(session.role, Right.DEAL) else "/"


@router.get("/sign-in")
async def show_sign_in(request: Request, next: str = "") -> Response:
    """The form; in a room that has nobody yet, the way to its first operator."""
    house, session = house_of(request), caller_of(request).session
    if session is not None and not session.locked:
        return RedirectResponse(led_to(next, session), 303)
    if not await house.clerks.look(house.floor.has_people):
        return RedirectResponse("/first", 303)
    return _form(request, next)


@router.post("/sign-in")
async def sign_in(request: Request) -> Response:
    """Begin a session."""
    form, house = await form_of(request), house_of(request)
    login, next = form.text("login"), form.text("next")
    try:
        signed = await house.signs_in(login, form.exact("password"), address_of_caller(request))
    except BadInput as fault:
        return _form(request, next, login, fault)
    to = "/account/password" if signed.session.must_choose else led_to(next, signed.session)
    return begun(house, signed.token, signed.session, to)


def begun(house: House, token: str, session: Session, to: str) -> Response:
    """Lead somebody whose session has begun."""
    answer = RedirectResponse(to, 303)
    give(answer, SESSION, token, house.rules.secure)
    if seen := house.sessions.seen(session, ""):
        give(answer, SEEN, seen, house.rules.secure)
    return answer


def _form(request: Request, next: str, login: str = "", fault: BadInput | None = None) -> Response:
    shown: dict[str, Any] = {"next": next, "login": login, "refusal": str(fault or "")}
    return page(request, "door/sign_in.html", status=status_of(fault) if fault else 200, **shown)


@router.post("/sign-out")
async def sign_out(request: Request) -> Response:
    """End the session."""
    house, session = house_of(request), person_of(request)
    await form_of(request)
    await house.clerks.do(house.floor.end_session, session)
    return _gone(house, session, "/")


def _gone(house: House, session: Session, to: str) -> Response:
    house.sessions.forget(session.login)
    answer = RedirectResponse(to, 303)
    take_away(answer, SESSION, house.rules.secure)
    take_away(answer, SEEN, house.rules.secure)
    return answer


@router.post("/lock")
async def lock(request: Request) -> Response:
    """Lock the device before one leaves it."""
    house, session = house_of(request), person_of(request)
    form = await form_of(request)
    await house.clerks.do(house.floor.lock_session, session, f"locked by {session.login}")
    house.sessions.forget(session.login)
    return RedirectResponse(f"/unlock?next={quote(form.text('next'))}", 303)


@router.get("/unlock")
async def show_unlock(request: Request, next: str = "") -> Response:
    """A locked device."""
    session = person_of(request)
    if not session.locked:
        return RedirectResponse(led_to(next, session), 303)
    return _locked(request, session, next)


@router.post("/unlock")
async def unlock(request: Request) -> Response:
    """The person is back; after three wrong PINs in a row the session is over."""
    form, house, session = await form_of(request), house_of(request), person_of(request)
    try:
        await house.unlocks(session, form.exact("pin"), address_of_caller(request))
    except NoSession:
        return _gone(house, session, "/sign-in")
    except BadInput as fault:
        return _locked(request, session, form.text("next"), fault)
    answer = RedirectResponse(led_to(form.text("next"), session), 303)
    if seen := house.sessions.seen(session._replace(locked=""), ""):
        give(answer, SEEN, seen, house.rules.secure)
    return answer


def _locked(request: Request, session: Session, next: str, fault: BadInput | None = None) -> Response:
    shown: dict[str, Any] = {"session": session, "next": next, "refusal": str(fault or "")}
    return page(request, "door/locked.html", status=status_of(fault) if fault else 200, **shown)


@router.get("/first")
async def show_first(request: Request) -> Response:
    """The first operator of a room to try out; of any other, where the program was started."""
    house = house_of(request)
    if await house.clerks.look(house.floor.has_people):
        return RedirectResponse("/sign-in", 303)
    return _first(request, {}, uuid.uuid4().hex)


@router.post("/first")
async def be_first(request: Request) -> Response:
    """Be the first operator."""
    form, house = await form_of(request), house_of(request)
    login, name, password = form.text("login"), form.text("name"), form.exact("password")
    typed = {"login": login, "name": name}
    try:
        if not house.rules.demo:
            raise SignInFailed("The first operator of this room is registered where it runs: cardroom people first.")
        if password != form.exact("again"):
            raise SignInFailed("The two passwords are not the same: type both again.")
        first = house.floor.register_first_operator
        await house.clerks.at_the_door(first, form.id, login, name, password)
        signed = await house.signs_in(login, password, address_of_caller(request))
    except BadInput as fault:
        return _first(request, typed, uuid.uuid4().hex, fault)
    return begun(house, signed.token, signed.session, "/office")


def _first(request: Request, typed: dict[str, str], id: str, fault: BadInput | None = None) -> Response:
    demo = house_of(request).rules.demo
    shown: dict[str, Any] = {"typed": typed, "id": id, "refusal": str(fault or ""), "demo": demo}
    return page(request, "door/first.html", status=status_of(fault) if fault else 200, **shown)
