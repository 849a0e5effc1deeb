"""Setting up a table: every choice with its exact edge beside it, every fault beside its field, then it opens."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from itertools import count
from typing import Any, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.accounts import Currency
from cardroom.errors import BadInput
from cardroom.floor import Floor, Mode
from cardroom.floor.kept.chains import felt_chain, jackpot_chain, table_chain
from cardroom.games import game, game_slugs
from cardroom.games.jurisdiction import list_jurisdictions
from cardroom.jackpots.setup.example import LOCATION
from cardroom.web.pages.drawing import HEADERS
from cardroom.web.pages.forms import typed_in
from cardroom.web.pages.office.fields import Typed
from cardroom.web.pages.office.frame import OfficeRoute, office_page, office_part
from cardroom.web.pages.office.table_form import (
    FilledIn,
    WagerForm,
    as_displayed,
    as_typed,
    blank,
    choices,
    read_form,
    unpriced,
    wager_forms,
    without_clocks,
)
from cardroom.web.pages.office.tabulator_form import sensor_forms, standing_tabulator, table_for, tabulator_words
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import person_of
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


def _left_out(filled: FilledIn, form: WagerForm) -> str:
    """What the edges of a wager leave out."""
    offered = filled.setup.wagers.get(form.wager.slug)
    feature = form.wager.feature(offered.feature.kind) if offered and offered.feature else None
    return f"These edges leave out what the {feature.name} pays." if feature else ""


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
        "jurisdictions": list_jurisdictions(),
        "forms": forms,
        "edges": {one.wager.slug: _priced(house, filled, one) for one in forms},
        "left_out": {one.wager.slug: _left_out(filled, one) for one in forms},
        "sensors": sensor_forms(house.floor, filled.setup),
        "standing": tuple(tabulator_words(filled.standing)) if filled.standing else (),
        "modes": tuple(Mode),
        "moneys": tuple(Currency),
        "live": filled.terms.mode is Mode.LIVE,
    }


@router.get(NEW)
async def show_form(request: Request) -> Response:
    """The form for a game; it opens as it is."""
    house = house_of(request)
    typed = await house.clerks.look(_begun, house.floor, request.query_params)
    filled = await house.clerks.look(read_form, house.floor, typed)
    return office_page(
        request, "office/new_table.html", **_shown(house, typed, filled), id=uuid.uuid4().hex, sentence="", beside=""
    )


def _begun(floor: Floor, asked: Mapping[str, str]) -> dict[str, str]:
    """The form before anybody types: for a game, for a jackpot, or for a table whose tabulator stands already."""
    if (table := asked.get("table", "")) and (counted := standing_tabulator(floor, table)):
        mode = Mode.LIVE if counted.money is Currency.REAL else Mode.AUTOMATIC
        return as_typed(counted.game_setup) | {"table": table, "money": str(counted.money), "mode": str(mode)}
    if jackpot := asked.get("jackpot", ""):
        state = floor.jackpot(jackpot)
        slug = next(iter(state.jackpot.offers))
        setup, beside = table_for(state, slug)
        return as_typed(setup) | beside | {"table": _free_name(floor, slug)}
    slug = game(asked.get("game", "") or game_slugs()[0]).facts.slug
    return blank(slug) | {"table": _free_name(floor, slug), "location": LOCATION, "unit": ""}


def _free_name(floor: Floor, slug: str) -> str:
    taken = {*floor.felt_versions(slug), *floor.tables()}
    return next(name for number in count(1) if (name := f"{slug}-{number}") not in taken)


@router.post(f"{NEW}/check")
async def check(request: Request) -> Response:
    """The fields as they are filled in, each with what is against it."""
    house, typed = house_of(request), without_clocks(await typed_in(request))
    filled = await house.clerks.look(read_form, house.floor, typed)
    drawn = office_part("office/new_table_fields.html", **_shown(house, typed, filled), beside="")
    return HTMLResponse(drawn, headers=HEADERS)


@router.post(f"{NEW}/edges/{{wager}}")
async def edges(request: Request, wager: str) -> Response:
    """The edges of one wager's paytables, as far as they are counted."""
    house, typed = house_of(request), without_clocks(await typed_in(request))
    filled = await house.clerks.look(read_form, house.floor, typed)
    priced = {one.wager.slug: _priced(house, filled, one) for one in wager_forms(typed) if one.wager.slug == wager}
    drawn = office_part("office/edges.html", slug=wager, priced=priced.get(wager, ()))
    return HTMLResponse(drawn, headers=HEADERS)


@router.post(NEW)
async def open_table(request: Request) -> Response:
    """Open the table, or say everything that is against it."""
    house, typed = house_of(request), await typed_in(request)
    filled = await house.clerks.look(read_form, house.floor, typed)
    id, sentence, beside = typed.get("id") or uuid.uuid4().hex, filled.refusal, ""
    sent_before = await house.clerks.look(house.floor.carried, person_of(request).login, id) is not None
    if sent_before or not (filled.faults or sentence):
        try:
            standing = await house.clerks.do(_open, house, id, person_of(request).login, filled)
        except BadInput as fault:
            sentence = str(fault)
        else:
            jackpots = standing_tabulator(house.floor, standing)
            chains = map(jackpot_chain, jackpots.jackpots if jackpots else ())
            house.watch.tell(felt_chain(standing), table_chain(standing), *chains)
            house.watch.ring(standing)
            return RedirectResponse(f"/office/tables/{standing}?done={quote(id)}", 303)
    shown = _shown(house, typed, filled)
    return office_page(request, "office/new_table.html", status=422, **shown, id=id, sentence=sentence, beside=beside)


def _open(house: House, id: str, who: str, filled: FilledIn) -> str:
    """The tabulator first: the felt asks what it counts. Sent again, what was done before is not done twice."""
    if filled.tabulator:
        setup, unit, counters = filled.tabulator
        house.floor.open_table(f"{id}-tabulator", who, filled.setup, setup, unit, counters)
    setup_shown = as_displayed(house.floor, filled.table, filled.setup)
    return house.floor.open_felt(id, who, filled.table, setup_shown, filled.terms).table
