"""Verify: everything that was ever stored is read again in another process, and the page says how far it is."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import form_of
from cardroom.web.pages.office.frame import OfficeRoute, office_page, office_part
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
VERIFY = "/office/verify"


def _shown(house: House) -> dict[str, Any]:
    progress, calendar = house.verification.progress, house.floor.calendar
    return {
        "progress": progress,
        "ended": calendar.told(progress.ended) if progress.ended else "",
        "said": calendar.said,
    }


@router.get(VERIFY)
async def show(request: Request) -> Response:
    """The page."""
    house = house_of(request)
    return office_page(request, "office/verify.html", **await house.clerks.look(_shown, house))


@router.get(f"{VERIFY}/progress")
async def show_progress(request: Request) -> Response:
    """How far it is."""
    house = house_of(request)
    shown = await house.clerks.look(_shown, house) | {"form": house.sessions.form_token(person_of(request))}
    return HTMLResponse(office_part("office/verify_progress.html", **shown), headers=HEADERS)


@router.post(VERIFY)
async def begin(request: Request) -> Response:
    """Begin."""
    house = house_of(request)
    await form_of(request)
    await house.clerks.look(house.verification.begin)
    return RedirectResponse(VERIFY, 303)


@router.post(f"{VERIFY}/cancel")
async def cancel(request: Request) -> Response:
    """Give it up."""
    house = house_of(request)
    await form_of(request)
    await house.clerks.look(house.verification.cancel)
    return RedirectResponse(VERIFY, 303)
