"""Setting up a table: every choice with its exact edge beside it, every fault beside its field, then it opens."""

from __future__ import annotations

import uuid
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.faults import BadInput
from cardroom.games import game, game_slugs
from cardroom.games.jurisdiction import jurisdictions
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.frame import OfficeRoute, office_page, office_part
from cardroom.web.pages.office.table_form import (
    FilledIn,
    Typed,
    WagerForm,
    as_displayed,
    blank,
    choices,
    read_form,
    unpriced,
    wager_forms,
)
from cardroom.web.pages.visitors import house_of
from cardroom.web.room.house import House
from cardroom.web.room.pricing import Choice, edge_words

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
NEW = "/office/tables/new"


class PricedTable(NamedTuple):
    """A paytable that may be chosen, and its edge; None while it is being counted."""

    name: str
    chosen: bool
    edge: str | None


def _priced(house: House, filled: FilledIn, form: WagerForm) -> tuple[PricedTable, ...]:
    offered = filled.setup.wagers.get(form.wager.slug)
    if offered is None:
        return ()
    why = {one.name: unpriced(filled, form.wager, one) for one in form.tables}
    edges = {name: why[name] or _edge(house, choice) for name, choice in choices(filled, form).items()}
    return tuple(PricedTable(one.name, one.name == offered.paytable, edges[one.name]) for one in form.tables)


def _edge(house: House, choice: Choice) -> str | None:
    """The edge in words; None while it is being counted, which begins when it is first asked for."""
    counted = house.counting.known(edge_words, choice)
    return None if counted is None else counted.refusal or counted.value


def _shown(house: House, typed: Typed, filled: FilledIn) -> dict[str, Any]:
    forms = tuple(wager_forms(typed))
    return {
        "typed": typed,
        "filled": filled,
        "facts": game(filled.setup.game).facts,
        "games": [(slug, game(slug).facts.name) for slug in game_slugs()],
        "jurisdictions": jurisdictions(),
        "forms": forms,
        "edges": {one.wager.slug: _priced(house, filled, one) for one in forms},
    }


@router.get(NEW)
async def show_form(request: Request) -> Response:
    """The form for a game; it opens as it is."""
    house = house_of(request)
    slug = request.query_params.get("game", "") or game_slugs()[0]
    typed = blank(game(slug).facts.slug)
    filled = await house.clerks.look(read_form, house.floor, typed)
    return office_page(
        request, "office/new_table.html", **_shown(house, typed, filled), id=uuid.uuid4().hex, sentence=""
    )


@router.post(f"{NEW}/check")
async def check(request: Request) -> Response:
    """The fields as they are filled in, each with what is against it."""
    house, typed = house_of(request), await typed_in(request)
    filled = await house.clerks.look(read_form, house.floor, typed)
    return HTMLResponse(office_part("office/new_table_fields.html", **_shown(house, typed, filled)), headers=HEADERS)


@router.post(f"{NEW}/edges/{{wager}}")
async def edges(request: Request, wager: str) -> Response:
    """The edges of one wager's paytables, as far as they are counted."""
    house, typed = house_of(request), await typed_in(request)
    filled = await house.clerks.look(read_form, house.floor, typed)
    priced = {one.wager.slug: _priced(house, filled, one) for one in wager_forms(typed) if one.wager.slug == wager}
    drawn = office_part("office/edges.html", slug=wager, priced=priced.get(wager, ()))
    return HTMLResponse(drawn, headers=HEADERS)


@router.post(NEW)
async def open_table(request: Request) -> Response:
    """Open the table, or say everything that is against it."""
    house, typed = house_of(request), await typed_in(request)
    filled = await house.clerks.look(read_form, house.floor, typed)
    id, sentence = typed.get("id") or uuid.uuid4().hex, filled.refusal
    if not filled.faults and not sentence:
        try:
            standing = await house.clerks.do(_open, house, id, typed.get("who", ""), filled)
        except BadInput as fault:
            sentence = str(fault)
        else:
            house.watch.ring(standing)
            return RedirectResponse(f"/office/tables/{standing}?done={quote(id)}", 303)
    shown = _shown(house, typed, filled)
    return office_page(request, "office/new_table.html", status=422, **shown, id=id, sentence=sentence)


def _open(house: House, id: str, who: str, filled: FilledIn) -> str:
    setup = as_displayed(house.floor, filled.table, filled.setup)
    return house.floor.open_felt(id, who, filled.table, setup, filled.terms).table
