"""Tables: the setup form with exact house edges, and actions with a table, such as pausing and closing it."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import count
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from fastapi import APIRouter, Request, Response
from starlette.responses import HTMLResponse, RedirectResponse

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games import game, game_slugs
from cardroom.games.jurisdiction import list_jurisdictions
from cardroom.games.money import format_cents
from cardroom.games.view import wager_name
from cardroom.room.setup.example import LOCATION
from cardroom.room.table.setup import read_room_table, room_table_to_toml
from cardroom.room.tabulator.setup_changes import takes_two_people
from cardroom.service import CardRoom, DealingMode, RoomTableSetup, TableState, UnitSetup
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, table_chain, tabulator_chain
from cardroom.web.middleware.permissions import require_session
from cardroom.web.pages.office.actions import (
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    require_reason,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, render_office_page, render_office_part
from cardroom.web.pages.office.overview import list_office_tables, office_table
from cardroom.web.pages.office.table_form import (
    COUNTED_ONLY,
    TableForm,
    WagerForm,
    blank_table,
    price_choices,
    read_table_form,
    room_table_values,
    setup_values,
    unpriced_reason,
    wager_forms,
    without_clocks,
)
from cardroom.web.pages.office.tabulators import offer_paytable, sensor_forms
from cardroom.web.pages.requests import get_app_context, load_form_values
from cardroom.web.pages.templating import HEADERS
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.worker_computations import PaytableChoice, edge_text

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
NEW_TABLE_PAGE = "/office/tables/new"
_MODES: Final = (
    (str(DealingMode.AUTOMATIC), "by the program"),
    (str(DealingMode.LIVE), "by a dealer"),
    (COUNTED_ONLY, "by hand, only counted"),
)


class PaytableEdge(NamedTuple):
    """A paytable of the selection and its house edge; None while it is being calculated."""

    name: str
    is_chosen: bool
    edge: str | None


def _price_paytables(context: AppContext, filled: TableForm, form: WagerForm) -> tuple[PaytableEdge, ...]:
    offered = filled.setup.wagers.get(form.wager.slug)
    if offered is None:
        return ()
    reason = {table.name: unpriced_reason(filled, form.wager, table) for table in form.tables}
    edges = {name: reason[name] or _edge(context, choice) for name, choice in price_choices(filled, form).items()}
    return tuple(PaytableEdge(table.name, table.name == offered.paytable, edges[table.name]) for table in form.tables)


def _describe_exclusions(filled: TableForm, form: WagerForm) -> str:
    """What the house edges of a wager do not include."""
    offered = filled.setup.wagers.get(form.wager.slug)
    feature = form.wager.feature(offered.feature.kind) if offered and offered.feature else None
    return f"These house edges do not include the {feature.name}." if feature else ""


def _edge(context: AppContext, choice: PaytableChoice) -> str | None:
    """The house edge as text; None while it is being calculated. The first request starts the calculation."""
    result = context.jobs.get(edge_text, choice)
    return None if result is None else result.refusal or result.value


def _form_variables(context: AppContext, values: FormValues, filled: TableForm) -> dict[str, Any]:
    forms = tuple(wager_forms(values))
    return {
        "typed": values,
        "filled": filled,
        "facts": game(filled.setup.game).facts,
        "games": [(slug, game(slug).facts.name) for slug in game_slugs()],
        "jurisdictions": list_jurisdictions(),
        "forms": forms,
        "edges": {form.wager.slug: _price_paytables(context, filled, form) for form in forms},
        "edge_notes": {form.wager.slug: _describe_exclusions(filled, form) for form in forms},
        "sensors": sensor_forms(context.card_room, filled.setup),
        "modes": _MODES,
        "moneys": tuple(Currency),
        "automatic": values.get("mode") == DealingMode.AUTOMATIC,
        "back": _page_address(filled.room_table),
        "address": f"/office/tables/{filled.table}/change" if filled.is_change else NEW_TABLE_PAGE,
    }


@router.get(NEW_TABLE_PAGE)
async def show_form(request: Request) -> Response:
    """The form for a game, with values that have no errors."""
    context = get_app_context(request)
    values = await context.executors.query(_initial_values, context.card_room, request.query_params)
    filled = await context.executors.query(read_table_form, context.card_room, values)
    return render_office_page(
        request,
        "office/new_table.html",
        **_form_variables(context, values, filled),
        id=uuid.uuid4().hex,
        sentence="",
        field_at_fault="",
    )


def _initial_values(card_room: CardRoom, query: Mapping[str, str]) -> dict[str, str]:
    """The initial values of the form: for a game, a jackpot, or a table that was removed."""
    if table := query.get("table", ""):
        return room_table_values(_last_setup(card_room, table))
    if jackpot := query.get("jackpot", ""):
        state = card_room.jackpot(jackpot)
        slug = next(iter(state.jackpot.offers))
        setup, tabulator_values = offer_paytable(state, slug)
        return without_clocks(setup_values(setup) | tabulator_values | {"table": _free_name(card_room, slug)})
    slug = game(query.get("game", "") or game_slugs()[0]).facts.slug
    return blank_table(slug) | {"table": _free_name(card_room, slug), "location": LOCATION, "unit": ""}


def _last_setup(card_room: CardRoom, table: str) -> RoomTableSetup:
    """The setup that a removed table had."""
    play = card_room.table(table)
    unit = None
    if play.tabulated and table in card_room.list_tabulators():
        state = card_room.tabulator(table)
        unit = UnitSetup(state.tabulator_setup, state.tabulator.unit)
    return RoomTableSetup(table, play.open_table.table.setup, play.terms, unit)


def _free_name(card_room: CardRoom, slug: str) -> str:
    names = {*card_room.read_table_versions(slug), *card_room.list_tabulators()}
    return next(name for number in count(1) if (name := f"{slug}-{number}") not in names)


@router.post(f"{NEW_TABLE_PAGE}/check")
async def check_form(request: Request) -> Response:
    """The fields, each with its errors."""
    context, values = get_app_context(request), without_clocks(await load_form_values(request))
    filled = await context.executors.query(read_table_form, context.card_room, values, values.get("changed", ""))
    html = render_office_part(
        "office/new_table_fields.html", **_form_variables(context, values, filled), field_at_fault=""
    )
    return HTMLResponse(html, headers=HEADERS)


@router.post(f"{NEW_TABLE_PAGE}/edges/{{wager}}")
async def show_edges(request: Request, wager: str) -> Response:
    """The house edges of one wager's paytables, as far as they are calculated."""
    context, values = get_app_context(request), without_clocks(await load_form_values(request))
    filled = await context.executors.query(read_table_form, context.card_room, values)
    priced = {
        form.wager.slug: _price_paytables(context, filled, form)
        for form in wager_forms(values)
        if form.wager.slug == wager
    }
    html = render_office_part("office/edges.html", slug=wager, priced=priced.get(wager, ()))
    return HTMLResponse(html, headers=HEADERS)


@router.post(NEW_TABLE_PAGE)
async def open_table(request: Request) -> Response:
    """Open the table, or show all errors."""
    context, values = get_app_context(request), await load_form_values(request)
    filled = await context.executors.query(read_table_form, context.card_room, values)
    id, sentence = values.get("id") or uuid.uuid4().hex, filled.refusal
    sent_before = (
        await context.executors.query(context.card_room.find_command_result, require_session(request).login, id)
        is not None
    )
    if sent_before or not (filled.faults or sentence):
        user = require_session(request).login
        try:
            await context.executors.execute(context.card_room.add_table, id, user, filled.room_table)
        except BadInput as fault:
            sentence = str(fault)
        else:
            _notify(context, filled.room_table)
            return RedirectResponse(f"{_page_address(filled.room_table)}?done={quote(id)}", 303)
    variables = _form_variables(context, values, filled)
    return render_office_page(
        request, "office/new_table.html", status=422, **variables, id=id, sentence=sentence, field_at_fault=""
    )


def _page_address(setup: RoomTableSetup) -> str:
    """The page of a table, or of its tabulator if no round is dealt there."""
    return f"/office/tables/{setup.table}" if setup.play else f"/office/tabulators/{setup.table}"


def _notify(context: AppContext, setup: RoomTableSetup) -> None:
    chains = map(jackpot_chain, setup.jackpots)
    context.change_feed.notify_chains(table_chain(setup.table), tabulator_chain(setup.table), *chains)
    context.change_feed.notify_table(setup.table)


@router.get("/office/tables/{table}/change")
async def show_change_form(request: Request, table: str) -> Response:
    """The form of an open table, with its present values."""
    context = get_app_context(request)
    values = await context.executors.query(
        lambda: room_table_values(context.card_room.read_table_setup(table)) | {"changed": table}
    )
    filled = await context.executors.query(read_table_form, context.card_room, values, table)
    variables = _form_variables(context, values, filled)
    return render_office_page(request, "office/new_table.html", **variables, id="", sentence="", field_at_fault="")


@router.post("/office/tables/{table}/change")
async def check_change(request: Request, table: str) -> Response:
    """The differences, to be signed; or the form with its errors."""
    context, values = get_app_context(request), without_clocks(await load_form_values(request))
    filled = await context.executors.query(read_table_form, context.card_room, values, table)
    if filled.faults or filled.refusal:
        variables = _form_variables(context, values, filled)
        return render_office_page(
            request,
            "office/new_table.html",
            status=422,
            **variables,
            id="",
            sentence=filled.refusal,
            field_at_fault="",
        )
    return show_action(request, await context.executors.query(_change_action, context.card_room, table, filled.text))


@router.post("/office/tables/{table}/change/sign")
async def change_table(request: Request, table: str) -> Response:
    """Change the table as its setup file says."""
    context, values = get_app_context(request), await load_form_values(request)
    action = await context.executors.query(_change_action, context.card_room, table, values.get("file", ""))
    return await perform_action(request, action)


def _change_action(card_room: CardRoom, table: str, text: str) -> OfficeAction:
    """The change of a table to a setup file, with every difference."""

    def read(file: str) -> RoomTableSetup:
        setup = read_room_table(file, card_room.jackpot)
        if setup.table != table:
            raise BadInput(f"The file is for the table {setup.table}: change {table} with a file of its own.")
        return setup

    def do(id: str, user: str, values: FormValues) -> object:
        setup, why = read(values.get("file", "")), values.get("why", "")
        return card_room.change_table(id, user, setup, why, second=second_person(values))

    def preview(values: FormValues) -> tuple[str, ...]:
        changes = card_room.list_table_changes(read(values.get("file", "")))
        return tuple(f"{change.text}." for change in changes) or ("Nothing would change.",)

    before, solo_reason = card_room.read_table_setup(table), ""
    with suppress(BadInput):
        if not takes_two_people(before.game, read(text).game):
            solo_reason = "Only what a wager costs or pays takes two people."
    consequences = (
        "The dealer's console, the displays, the rules, and the odds follow at once.",
        "The table changes only between rounds. Wagers for the next round are returned.",
    )
    chains = (table_chain(table), tabulator_chain(table), ROOM_CHAIN, *map(jackpot_chain, card_room.list_jackpots()))
    file = FormField("file", "Setup file", "The table as it would be.", value=text, kind="text-area")
    return OfficeAction(
        f"Change {table}",
        consequences,
        "Change it",
        _page_address(before),
        do,
        fields=(_WHY, file),
        solo_reason=solo_reason,
        dual_control_subject="a change of what a wager costs or pays",
        chains=chains,
        table=table,
        preview=preview,
        address=f"/office/tables/{table}/change/sign",
    )


_WHY: Final = FormField("why", "Reason", "In your own words. The ledger keeps it permanently.", parse=require_reason)


def _seated_text(state: TableState) -> str:
    player_texts = ", ".join(
        f"{occupant.player} ({format_cents(occupant.chips + occupant.wagered)})" for occupant in state.seats
    )
    return f"Seated: {player_texts}." if player_texts else "No player is seated."


def _table_action(
    state: TableState, title: str, consequences: tuple[str, ...], do: Callable[..., object]
) -> OfficeAction:
    back, chains = f"/office/tables/{state.table}", (table_chain(state.table),)
    return OfficeAction(
        f"{title} {state.table}",
        consequences if state.terms.mode is DealingMode.LIVE else (*consequences, _seated_text(state)),
        f"{title} it",
        back,
        do,
        table=state.table,
        chains=chains,
    )


def _pause_action(card_room: CardRoom, state: TableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.pause_table(id, user, state.table, values.get("why", ""))

    consequences = (
        "No new round begins. A round in progress continues to its end.",
        "Wagers for the next round are returned.",
    )
    paused = f"Table {state.table} is already paused: {state.paused}." if state.paused else ""
    return _table_action(state, "Pause", consequences, do)._replace(
        fields=(_WHY,), unavailable_reason=_closed_reason(state) or paused
    )


def _resume_action(card_room: CardRoom, state: TableState) -> OfficeAction:
    consequences = (f"It was paused: {state.paused}.", "Rounds begin again.")
    action = _table_action(
        state, "Resume", consequences, lambda id, user, _: card_room.resume_table(id, user, state.table)
    )
    running = "" if state.paused else f"Table {state.table} is not paused."
    return action._replace(unavailable_reason=_closed_reason(state) or running)


def _remove_action(card_room: CardRoom, state: TableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.remove_table(id, user, state.table, values.get("why", ""))

    between_rounds = "A table is removed only between rounds. This is refused during a round."
    automatic = (
        "Every seated player leaves the table, and the chips return to the balance.",
        between_rounds,
        "The key of the round that was not dealt is published.",
    )
    live = ("No round is dealt there until the table is added again.", between_rounds)
    freed = "It leaves its jackpots, and its tabulator is free. Earlier winners can still claim."
    is_live = state.terms.mode is DealingMode.LIVE
    consequences = (*(live if is_live else automatic), *([freed] if state.tabulated else ()))
    return _table_action(state, "Remove", consequences, do)._replace(
        fields=(_WHY,), danger=True, unavailable_reason=_closed_reason(state)
    )


def _void_action(card_room: CardRoom, state: TableState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.void_round_in_progress(
            id, user, state.table, values.get("why", ""), second=second_person(values)
        )

    consequences = (
        f"Round {state.number} becomes void, as after a malfunction. Every wager returns to its player's chips.",
        "Contributions of the round come off the jackpot meters.",
        "This cannot be undone. A void round cannot be played again.",
    )
    action = _table_action(state, f"Void round {state.number} at", consequences, do)
    is_in_progress = state.playing or state.live is not None
    unavailable_reason = (
        ""
        if is_in_progress
        else f"No round is in progress at {state.table}. Only a round in progress can be voided here."
    )
    return action._replace(
        button="Void the round",
        fields=(_WHY,),
        danger=True,
        dual_control_subject="a void round",
        starting_state=state.round,
        unavailable_reason=unavailable_reason,
    )


def _closed_reason(state: TableState) -> str:
    return f"Table {state.table} is already closed: {state.closed}." if state.closed else ""


ACTIONS: Final[Mapping[str, Callable[[CardRoom, TableState], OfficeAction]]] = {
    "pause": _pause_action,
    "resume": _resume_action,
    "remove": _remove_action,
    "void": _void_action,
}


def _build_action(card_room: CardRoom, table: str, action_name: str) -> OfficeAction:
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a table: its pages are {', '.join(ACTIONS)}.")
    return ACTIONS[action_name](card_room, card_room.table(table))


def _table_variables(card_room: CardRoom, table: str) -> dict[str, Any]:
    state = card_room.table(table)
    at = state.open_table.table
    tabulator = card_room.tabulator(table) if table in card_room.list_tabulators() else None
    return {
        "state": state,
        "summary": office_table(state),
        "offered": [
            (
                wager_name(at.facts, slug),
                offered_wager.paytable.display_name,
                offered_wager.limits,
                offered_wager.feature,
            )
            for slug, offered_wager in at.offers.items()
        ],
        "has_tabulator": tabulator is not None,
        "jackpots": tabulator.jackpots if tabulator is not None else (),
        "text": room_table_to_toml(_last_setup(card_room, table)),
    }


@router.get("/office/tables")
async def show_tables(request: Request) -> Response:
    """Every table."""
    context = get_app_context(request)
    return render_office_page(
        request,
        "office/tables.html",
        tables=await context.executors.query(list_office_tables, context.card_room),
        tabulators=await context.executors.query(
            lambda: [context.card_room.tabulator(table) for table in context.card_room.list_tabulators()]
        ),
    )


@router.get("/office/tables/{table}")
async def show_table(request: Request, table: str) -> Response:
    """One table."""
    context = get_app_context(request)
    return render_office_page(
        request, "office/table.html", **await context.executors.query(_table_variables, context.card_room, table)
    )


@router.api_route("/office/tables/{table}/{action_name}", methods=["GET", "POST"])
async def perform_table_action(request: Request, table: str, action_name: str) -> Response:
    """The form of an action with a table, and its execution."""
    context = get_app_context(request)
    action = await context.executors.query(_build_action, context.card_room, table, action_name)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
