"""Opening a jackpot: every fault beside its field, what it gives back beside it, then the house seeds it."""

from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor.desks.jackpots import JackpotIsOpen
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.games import game, game_slugs
from cardroom.games.jurisdiction import list_jurisdictions
from cardroom.jackpots import JackpotKind
from cardroom.paytables import paytables
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.fields import Typed
from cardroom.web.pages.office.frame import OfficeRoute, office_page, office_part
from cardroom.web.pages.office.jackpot_form import (
    MOST_LEVELS,
    FilledJackpot,
    as_shown,
    blank,
    jackpot_wagers,
    read_form,
)
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of
from cardroom.web.room.house import House
from cardroom.web.room.pricing import meter_words

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
NEW = "/office/jackpots/new"


def _shown(house: House, typed: Typed, filled: FilledJackpot) -> dict[str, Any]:
    facts, wager = game(typed["game"]).facts, filled.setup.offers[0].wager
    return {
        "typed": as_shown(typed, filled),
        "filled": filled,
        "facts": facts,
        "games": [(slug, game(slug).facts.name) for slug in game_slugs()],
        "kinds": tuple(JackpotKind),
        "moneys": tuple(Currency),
        "jurisdictions": list_jurisdictions(),
        "wagers": jackpot_wagers(facts),
        "tables": paytables(facts.slug, wager),
        "open_lines": [line.trigger for line in filled.printed.operator_lines],
        "most_levels": MOST_LEVELS,
        **_figures(house, filled),
    }


def _figures(house: House, filled: FilledJackpot) -> dict[str, Any]:
    """What the wager gives back; counted in another process, which begins when it is first asked for."""
    if filled.meters is None:
        return {"figures": (), "counting": False}
    counted = house.counting.known(meter_words, filled.meters)
    if counted is None:
        return {"figures": (), "counting": True}
    return {"figures": (counted.refusal,) if counted.refusal else counted.value, "counting": False}


@router.get(NEW)
async def show_form(request: Request) -> Response:
    """The form for a game; it opens as it is."""
    house, asked = house_of(request), request.query_params
    slug = game(asked.get("game", "") or game_slugs()[0]).facts.slug
    kind = asked.get("kind", "") if asked.get("kind") in set(JackpotKind) else ""
    typed = blank(slug, kind, str(Currency.PLAY) if asked.get("money") == Currency.PLAY else "")
    shown = _shown(house, typed, read_form(typed))
    return office_page(request, "office/new_jackpot.html", **shown, id=uuid.uuid4().hex, sentence="", beside="")


@router.post(f"{NEW}/check")
async def check(request: Request) -> Response:
    """The fields as they are filled in, each with what is against it."""
    house, typed = house_of(request), await typed_in(request)
    drawn = office_part("office/new_jackpot_fields.html", **_shown(house, typed, read_form(typed)), beside="")
    return HTMLResponse(drawn, headers=HEADERS)


@router.post(f"{NEW}/figures")
async def figures(request: Request) -> Response:
    """What the wager gives back, as far as it is counted."""
    house, typed = house_of(request), await typed_in(request)
    return HTMLResponse(
        office_part("office/jackpot_figures.html", **_figures(house, read_form(typed))), headers=HEADERS
    )


@router.post(NEW)
async def open_jackpot(request: Request) -> Response:
    """Open the jackpot, or say everything that is against it."""
    house, typed = house_of(request), await typed_in(request)
    filled, sentence, beside = read_form(typed), "", ""
    id, who = typed.get("id") or uuid.uuid4().hex, person_of(request).login
    if not filled.faults:
        try:
            standing = await house.clerks.do(house.floor.open_jackpot, id, who, filled.setup)
        except BadInput as fault:
            sentence = str(fault)
            beside = "jackpot" if isinstance(fault, JackpotIsOpen) else ""
        else:
            house.watch.tell(jackpot_chain(standing.jackpot))
            return RedirectResponse(f"/office/jackpots/{standing.jackpot}?done={quote(id)}", 303)
    shown = _shown(house, typed, filled)
    told = {"id": id, "sentence": sentence, "beside": beside}
    return office_page(request, "office/new_jackpot.html", status=422, **shown, **told)
