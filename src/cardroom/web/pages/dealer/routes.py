"""The routes of the console. Every change is a form with an id and the form token, so it is executed once."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.ledger import LedgerUnavailable
from cardroom.room.dual_control import require_two_people
from cardroom.room.table.live_round_steps import require_live_table
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.table.state import TableState
from cardroom.room.user.permissions import Permission
from cardroom.service import CardRoom, DealingMode
from cardroom.service.chains.names import ROOM_CHAIN, table_chain, tabulator_chain
from cardroom.service.commands.second_signature import Signature, SignatureRequest
from cardroom.web.api.refusals import refusal_response, status_of
from cardroom.web.middleware.permissions import RequestCaller, get_caller, get_permission, require_session
from cardroom.web.middleware.rejections import client_address
from cardroom.web.pages.dealer import sheets
from cardroom.web.pages.dealer.console_view import console_variables
from cardroom.web.pages.dealer.sheets import read_entries, seat_sheet
from cardroom.web.pages.requests import BadForm, SubmittedForm, get_app_context, load_form
from cardroom.web.pages.templating import HEADERS, render_fragment, render_page
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.device_monitor import DEVICES_CHANGED
from cardroom.web.services.live_pages import LivePage

router = APIRouter(include_in_schema=False)
ConsoleAction = Callable[[CardRoom, SubmittedForm, str, str], Any]
"""A command of the console; takes the card room, the form, the table, and the dealer's login."""


def live_page(context: AppContext, caller: RequestCaller, table: str) -> LivePage:
    """The live console of a table."""
    require_live_table(context.card_room.table(table))

    def draw() -> str:
        return render_fragment(
            "dealer/console.html",
            new_id=new_id,
            deals=caller.may(Permission.DEAL),
            voids=caller.may(Permission.VOID_ROUNDS),
            device_warnings=context.device_monitor.list_problems(table),
            **console_variables(context.card_room, table),
        )

    return LivePage((table_chain(table), tabulator_chain(table), "jackpot:*", DEVICES_CHANGED, ROOM_CHAIN), draw)


def new_id() -> str:
    """The id of a form."""
    return uuid.uuid4().hex


@router.get("/dealer")
async def list_tables(request: Request) -> Response:
    """The live tables."""
    context = get_app_context(request)
    return render_page(
        request, "dealer/index.html", tables=await context.executors.query(_live_tables, context.card_room)
    )


def _live_tables(card_room: CardRoom) -> list[TableState]:
    states = map(card_room.table, card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX))
    return [state for state in states if state.terms.mode is DealingMode.LIVE]


@router.get("/dealer/{table}")
async def show_console(request: Request, table: str) -> Response:
    """The console of a table."""
    context = get_app_context(request)
    try:
        live = await context.executors.query(live_page, context, get_caller(request), table)
        html = await context.executors.query(live.render)
    except BadInput as fault:
        return render_page(request, "dealer/none.html", status=404, sentence=str(fault))
    context.change_feed.follow_table(table)
    return render_page(request, "dealer/page.html", console=html, table=table)


# Sheets, which open over the console.


def _sheet(name: str, variables: dict[str, Any], refusal: str = "", refused_form: str = "") -> str:
    """``refused_form`` is the form of the sheet that was refused."""
    return render_fragment(f"dealer/{name}.html", new_id=new_id, refusal=refusal, refused=refused_form, **variables)


def _sheet_variables(
    context: AppContext, sheet: Callable[..., dict[str, Any]], table: str, *arguments: Any
) -> dict[str, Any]:
    """The variables of a sheet. The equipment sheet also lists the devices of the table."""
    devices = {"devices": context.device_monitor.list_devices(table)} if sheet is sheets.equipment_sheet else {}
    return {**sheet(context.card_room, table, *arguments), **devices}


async def _show_sheet(request: Request, name: str, sheet: Callable[..., dict[str, Any]], *arguments: Any) -> Response:
    context = get_app_context(request)
    try:
        variables = await context.executors.query(_sheet_variables, context, sheet, *arguments)
    except BadInput as fault:
        return _html_response(render_fragment("dealer/sheet_refused.html", sentence=str(fault)), status_of(fault))
    return _html_response(_sheet(name, variables))


@router.get("/dealer/{table}/seats/{seat}")
async def show_seat(request: Request, table: str, seat: int) -> Response:
    """The sheet of a seat."""
    return await _show_sheet(request, "seat_sheet", seat_sheet, table, seat)


@router.get("/dealer/{table}/equipment")
async def show_equipment(request: Request, table: str) -> Response:
    """The equipment sheet."""
    return await _show_sheet(request, "equipment_sheet", sheets.equipment_sheet, table)


@router.get("/dealer/{table}/claim")
async def show_claim(request: Request, table: str, seat: int = 0, wager: str = "") -> Response:
    """The claim sheet."""
    return await _show_sheet(request, "claim_sheet", sheets.claim_sheet, table, seat, wager)


@router.get("/dealer/{table}/void")
async def show_void(request: Request, table: str) -> Response:
    """The sheet that voids the round."""
    return await _show_sheet(request, "void_sheet", sheets.void_sheet, table)


@router.get("/dealer/{table}/undo")
async def show_undo(request: Request, table: str) -> Response:
    """The sheet that undoes the last step."""
    return await _show_sheet(request, "undo_sheet", sheets.undo_sheet, table)


# Commands. After a command the console updates itself; a refusal appears next to the form.


def _begin_round(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.begin_live_round(form.id, dealer, table, form.numbers("positions"), round_id=form.text("round"))


def _take_step(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    tabulated = "tabulate" in form.fields
    card_room.take_step(
        form.id,
        dealer,
        table,
        form.text("step"),
        round_id=form.text("round"),
        positions=form.numbers("positions") if "wagers" in form.fields else None,
        covered=form.by_number("covered") if tabulated else None,
        lammers=form.by_number("lammers") if tabulated else None,
    )


def _undo_step(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.undo_step(form.id, dealer, table)


def _end_round(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.end_live_round(form.id, dealer, table, round_id=form.text("round"))


def _void_round(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.void_live_round(form.id, dealer, table, form.text("why"), second=form.text("second") or None)


def _report_fault(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.report_tabulator_fault(form.id, dealer, table, form.text("reason"))


def _clear_fault(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.clear_tabulator_fault(form.id, dealer, table)


def _report_lights(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
    card_room.report_lights(form.id, dealer, table, form.by_number("failed"))


ACTIONS: Final[dict[str, tuple[ConsoleAction, str, Callable[..., dict[str, Any]] | None]]] = {
    "begin": (_begin_round, "", None),
    "step": (_take_step, "", None),
    "end": (_end_round, "", None),
    "undo": (_undo_step, "undo_sheet", sheets.undo_sheet),
    "void": (_void_round, "void_sheet", sheets.void_sheet),
    "broken": (_report_fault, "equipment_sheet", sheets.equipment_sheet),
    "repaired": (_clear_fault, "equipment_sheet", sheets.equipment_sheet),
    "lights": (_report_lights, "equipment_sheet", sheets.equipment_sheet),
}
"""By URL: the command, and the sheet that shows a refusal. Commands of the console itself have no sheet."""


@router.post("/dealer/{table}/seats/{seat}")
async def enter_seat(request: Request, table: str, seat: int) -> Response:
    """Save a seat's entries. The sheet stays open and shows what is missing."""

    def enter(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
        entries = read_entries(form, require_live_table(card_room.table(table)), seat)
        card_room.type_cards(form.id, dealer, table, entries.cards, wagers=entries.wagers, answers=entries.answers)

    async def redraw(context: AppContext, form: SubmittedForm, refusal: str) -> str:
        variables = await context.executors.query(seat_sheet, context.card_room, table, seat, form if refusal else None)
        return _sheet("seat_sheet", variables, refusal)

    return await _perform(request, table, enter, redraw)


@router.post("/dealer/{table}/claim")
async def claim_hand(request: Request, table: str) -> Response:
    """Claim a hand. The sheet shows the prizes."""
    claims: list[Any] = []

    def submit(card_room: CardRoom, form: SubmittedForm, table: str, dealer: str) -> None:
        seat, _, wager = form.text("hand").partition(" ")
        if not (seat.isascii() and seat.isdigit()):
            raise BadForm("No hand is selected. Tap the winning seat.")
        claims.append(sheets.submit_claim(card_room, form.id, dealer, table, int(seat), wager))

    async def redraw(context: AppContext, form: SubmittedForm, refusal: str) -> str:
        seat, _, wager = form.text("hand").partition(" ")
        claim = claims[0] if claims else None
        seat_number = int(seat) if seat.isascii() and seat.isdigit() else 0
        variables = await context.executors.query(
            sheets.claim_sheet, context.card_room, table, seat_number, wager, claim
        )
        return _sheet("claim_sheet", variables, refusal)

    return await _perform(request, table, submit, redraw)


@router.post("/dealer/{table}/{action_name}")
async def perform_action(request: Request, table: str, action_name: str) -> Response:
    """Execute any other command."""
    if action_name not in ACTIONS:
        return refusal_response(404, f"The console has no action {action_name}.", HEADERS)
    action, sheet, variables_of_sheet = ACTIONS[action_name]

    async def redraw(context: AppContext, form: SubmittedForm, refusal: str) -> str:
        if variables_of_sheet is None or not refusal:
            return ""
        submitted = () if variables_of_sheet is sheets.undo_sheet else (form,)
        return _sheet(
            sheet,
            await context.executors.query(_sheet_variables, context, variables_of_sheet, table, *submitted),
            refusal,
            action_name,
        )

    return await _perform(request, table, action, redraw, action_name)


async def _sign_and_perform(request: Request, form: SubmittedForm, do: Callable[[], None]) -> None:
    """Void a round. The second person signs."""
    require_two_people(require_session(request).login, form.text("second"), "a void round")

    context, password = get_app_context(request), form.exact_text("second-password")

    async def sign(to_sign: SignatureRequest) -> Signature:
        return await context.sign(
            to_sign, password, permission=get_permission(request), address=client_address(request)
        )

    await context.execute_with_signatures(do, sign)


async def _perform(
    request: Request,
    table: str,
    action: ConsoleAction,
    redraw: Callable[[AppContext, SubmittedForm, str], Awaitable[str]],
    action_name: str = "",
) -> Response:
    """Execute a form's command. ``redraw`` returns the sheet to show afterward. Without a sheet, success has an empty
    response, and a refusal is a sentence."""
    context = get_app_context(request)
    form = SubmittedForm({})
    try:
        form = await load_form(request)
        do = partial(action, context.card_room, form, table, require_session(request).login)
        if action_name == "void":
            await _sign_and_perform(request, form, do)
        else:
            await context.executors.execute(do)
    except (BadInput, LedgerUnavailable) as fault:
        try:
            html = await redraw(context, form, str(fault))
        except BadInput:  # the round ended while the sheet was open
            html = render_fragment("dealer/sheet_refused.html", sentence=str(fault))
        return (
            _html_response(html, status_of(fault)) if html else refusal_response(status_of(fault), str(fault), HEADERS)
        )
    context.change_feed.notify_table(table)
    context.change_feed.notify_chains(tabulator_chain(table))
    html = await redraw(context, form, "")
    return _html_response(html) if html else Response(None, 204, HEADERS)


def _html_response(body: str, status: int = 200) -> Response:
    return Response(body, status, HEADERS, "text/html; charset=utf-8")
