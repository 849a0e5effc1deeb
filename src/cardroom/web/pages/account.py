"""One's own account: the password, the PIN, and every place at which one is signed in."""

from __future__ import annotations

import uuid
from itertools import islice
from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import RedirectResponse

from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.door_log import log_of
from cardroom.floor.people.passwords import LONGEST, SHORTEST
from cardroom.floor.people.signing import Session, SignInFailed
from cardroom.floor.telling import told_events
from cardroom.web.api.refusals import status_of
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.pages.drawing import page
from cardroom.web.pages.forms import Form, form_of
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False)
_LAST = 15
"""What happened lately, on the own page."""


@router.get("/account")
async def show(request: Request, done: str = "") -> Response:
    """What one has: the role, the sessions, and what happened lately."""
    house, session = house_of(request), person_of(request)
    shown = await house.clerks.look(_drawn, house.floor, session)
    return page(request, "door/account.html", done=done[:20], new_id=new_id, **shown)


def new_id() -> str:
    """The id of a form."""
    return uuid.uuid4().hex


def _drawn(floor: Floor, session: Session) -> dict[str, Any]:
    calendar, state = floor.calendar, floor.person(session.login)
    events = islice(log_of(floor.ledger, (session.login,)), _LAST)
    return {
        "session": session,
        "sessions": [
            (seal, one, calendar.told(one.until - state.role.lasts), calendar.told(one.until))
            for seal, one in sorted(state.sessions.items(), key=lambda item: -item[1].until)
        ],
        "log": [(calendar.told(one.time), one.sentences) for one in told_events(events, calendar.told)],
        "said": calendar.said,
    }


@router.get("/account/password")
async def show_password(request: Request) -> Response:
    """Choose a password."""
    return _form(request, "password", person_of(request))


@router.post("/account/password")
async def choose_password(request: Request) -> Response:
    """Choose it; every other session ends."""

    def chosen(house: House, form: Form, session: Session) -> None:
        new = form.exact("new")
        if new != form.exact("again"):
            raise SignInFailed("The two new passwords are not the same: type both again.")
        house.floor.choose_password(session, form.exact("password"), new, address_of_caller(request))

    return await _do(request, "password", chosen)


@router.get("/account/pin")
async def show_pin(request: Request) -> Response:
    """Choose a PIN."""
    return _form(request, "pin", person_of(request))


@router.post("/account/pin")
async def choose_pin(request: Request) -> Response:
    """Choose it."""

    def chosen(house: House, form: Form, session: Session) -> None:
        house.floor.choose_pin(session, form.exact("password"), form.text("new"), address_of_caller(request))

    return await _do(request, "pin", chosen)


@router.post("/account/end")
async def end_session(request: Request) -> Response:
    """End one's own session at another place."""
    house, session, form = house_of(request), person_of(request), await form_of(request)
    ended, seal = house.floor.end_session_of, form.text("session")
    await house.clerks.do(ended, form.id, session.login, session.login, seal, "ended from another place")
    house.sessions.forget(session.login)
    return RedirectResponse("/account?done=session", 303)


async def _do(request: Request, what: str, chosen: Any) -> Response:
    house, session, form = house_of(request), person_of(request), await form_of(request)
    try:
        await house.with_password(address_of_caller(request), chosen, house, form, session)
    except BadInput as fault:
        return _form(request, what, session, fault)
    house.sessions.forget(session.login)
    return RedirectResponse(f"/account?done={what}", 303)


def _form(request: Request, what: str, session: Session, fault: BadInput | None = None) -> Response:
    shown: dict[str, Any] = {"session": session, "refusal": str(fault or "")}
    shown |= {"shortest": SHORTEST, "longest": LONGEST}
    return page(request, f"door/{what}.html", status=status_of(fault) if fault else 200, **shown)
