"""The addresses of the console. Everything that changes something is a form, sent from a page of ours, once."""

from __future__ import annotations

import uuid
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.floor import Floor, Mode
from cardroom.floor.desks.signatures import Signature, ToSign
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import ROOM, felt_chain, table_chain
from cardroom.floor.live.dealing import dealt_live
from cardroom.floor.people.permissions import Right
from cardroom.jackpots.people import two_people
from cardroom.ledger import LedgerUnavailable
from cardroom.web.api.refusals import refused, status_of
from cardroom.web.doors.callers import address_of_caller
from cardroom.web.pages.dealer import sheets
from cardroom.web.pages.dealer.console import console
from cardroom.web.pages.dealer.seat_sheet import seat_sheet, typed_on
from cardroom.web.pages.drawing import HEADERS, fragment, page
from cardroom.web.pages.forms import BadForm, Form, form_of
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import Caller, caller_of, person_of, right_of
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.hearing import DEVICES
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False)
Deed = Callable[[Floor, Form, str, str], Any]
"""Something that is done on the floor: with a form, at a table, by a dealer."""


def board(house: House, caller: Caller, table: str) -> Board:
    """A live table as its dealer sees it, as long as the page is open."""
    dealt_live(house.floor.felt(table))

    def draw() -> str:
        return fragment(
            "dealer/console.html",
            new_id=new_id,
            deals=caller.may(Right.DEAL),
            voids=caller.may(Right.VOID_ROUNDS),
            marks=house.hearing.for_people(table),
            **console(house.floor, table),
        )

    return Board(follow(felt_chain(table), table_chain(table), "jackpot:*", DEVICES, ROOM), draw)


def new_id() -> str:
    """The id of a form."""
    return uuid.uuid4().hex


@router.get("/dealer")
async def list_tables(request: Request) -> Response:
    """Every table that a dealer deals at."""
    house = house_of(request)
    return page(request, "dealer/index.html", tables=await house.clerks.look(_live_tables, house.floor))


def _live_tables(floor: Floor) -> list[FeltState]:
    felts = map(floor.felt, floor.felt_versions(besides=PRACTICE))
    return [one for one in felts if one.terms.mode is Mode.LIVE]


@router.get("/dealer/{table}")
async def show_console(request: Request, table: str) -> Response:
    """The console of a table."""
    house = house_of(request)
    try:
        shown = await house.clerks.look(board, house, caller_of(request), table)
        drawn = await house.clerks.look(shown.draw)
    except BadInput as fault:
        return page(request, "dealer/none.html", status=404, sentence=str(fault))
    house.watch.look_on(table)
    return page(request, "dealer/page.html", console=drawn, table=table)


# Sheets, which are laid over the console.


def _sheet(name: str, shown: dict[str, Any], refusal: str = "", of: str = "") -> str:
    """``of`` says which form of the sheet was refused."""
    return fragment(f"dealer/{name}.html", new_id=new_id, refusal=refusal, refused=of, **shown)


def _laid(house: House, shown: Callable[..., dict[str, Any]], table: str, *of: Any) -> dict[str, Any]:
    """What a sheet draws; that of the equipment also the devices of the table, as they are heard."""
    heard = {"devices": house.hearing.seen(table)} if shown is sheets.equipment_sheet else {}
    return {**shown(house.floor, table, *of), **heard}


async def _show_sheet(request: Request, name: str, shown: Callable[..., dict[str, Any]], *of: Any) -> Response:
    house = house_of(request)
    try:
        drawn = await house.clerks.look(_laid, house, shown, *of)
    except BadInput as fault:
        return _answer(fragment("dealer/sheet_refused.html", sentence=str(fault)), status_of(fault))
    return _answer(_sheet(name, drawn))


@router.get("/dealer/{table}/seats/{seat}")
async def show_seat(request: Request, table: str, seat: int) -> Response:
    """What is typed of a seat."""
    return await _show_sheet(request, "seat_sheet", seat_sheet, table, seat)


@router.get("/dealer/{table}/equipment")
async def show_equipment(request: Request, table: str) -> Response:
    """The tabulator and its lights."""
    return await _show_sheet(request, "equipment_sheet", sheets.equipment_sheet, table)


@router.get("/dealer/{table}/claim")
async def show_claim(request: Request, table: str, seat: int = 0, wager: str = "") -> Response:
    """What can be claimed."""
    return await _show_sheet(request, "claim_sheet", sheets.claim_sheet, table, seat, wager)


@router.get("/dealer/{table}/void")
async def show_void(request: Request, table: str) -> Response:
    """What calling the round off does."""
    return await _show_sheet(request, "void_sheet", sheets.void_sheet, table)


@router.get("/dealer/{table}/undo")
async def show_undo(request: Request, table: str) -> Response:
    """What undoing the last step does."""
    return await _show_sheet(request, "undo_sheet", sheets.undo_sheet, table)


# Deeds. Done, the console follows by itself; refused, the sentence stands beside the form.


def _begin(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.begin_live_round(form.id, dealer, table, form.numbers("positions"), round_id=form.text("round"))


def _step(floor: Floor, form: Form, table: str, dealer: str) -> None:
    tabulated = "tabulate" in form.fields
    floor.take_step(
        form.id,
        dealer,
        table,
        form.text("step"),
        round_id=form.text("round"),
        positions=form.numbers("positions") if "wagers" in form.fields else None,
        covered=form.by_number("covered") if tabulated else None,
        lammers=form.by_number("lammers") if tabulated else None,
    )


def _undo(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.undo_step(form.id, dealer, table)


def _end(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.end_live_round(form.id, dealer, table, round_id=form.text("round"))


def _void(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.call_off_live(form.id, dealer, table, form.text("why"), second=form.text("second") or None)


def _broken(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.declare_broken(form.id, dealer, table, form.text("reason"))


def _repaired(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.declare_repaired(form.id, dealer, table)


def _lights(floor: Floor, form: Form, table: str, dealer: str) -> None:
    floor.report_lights(form.id, dealer, table, form.by_number("failed"))


DEEDS: Final[dict[str, tuple[Deed, str, Callable[..., dict[str, Any]] | None]]] = {
    "begin": (_begin, "", None),
    "step": (_step, "", None),
    "end": (_end, "", None),
    "undo": (_undo, "undo_sheet", sheets.undo_sheet),
    "void": (_void, "void_sheet", sheets.void_sheet),
    "broken": (_broken, "equipment_sheet", sheets.equipment_sheet),
    "repaired": (_repaired, "equipment_sheet", sheets.equipment_sheet),
    "lights": (_lights, "equipment_sheet", sheets.equipment_sheet),
}
"""By address: what is done, and on which sheet a refusal stands; those of the console itself have none."""


@router.post("/dealer/{table}/seats/{seat}")
async def type_seat(request: Request, table: str, seat: int) -> Response:
    """Type a seat; the sheet stays, with what is missing now."""

    def deed(floor: Floor, form: Form, table: str, dealer: str) -> None:
        typed = typed_on(form, dealt_live(floor.felt(table)), seat)
        floor.type_cards(form.id, dealer, table, typed.cards, wagers=typed.wagers, answers=typed.answers)

    async def again(house: House, form: Form, refusal: str) -> str:
        shown = await house.clerks.look(seat_sheet, house.floor, table, seat, form if refusal else None)
        return _sheet("seat_sheet", shown, refusal)

    return await _do(request, table, deed, again)


@router.post("/dealer/{table}/claim")
async def claim_hand(request: Request, table: str) -> Response:
    """Claim a hand; the sheet tells what was won."""
    won: list[Any] = []

    def deed(floor: Floor, form: Form, table: str, dealer: str) -> None:
        seat, _, wager = form.text("hand").partition(" ")
        if not (seat.isascii() and seat.isdigit()):
            raise BadForm("No hand is chosen: tap the seat that has won.")
        won.append(sheets.claim(floor, form.id, dealer, table, int(seat), wager))

    async def again(house: House, form: Form, refusal: str) -> str:
        seat, _, wager = form.text("hand").partition(" ")
        made = won[0] if won else None
        chosen = int(seat) if seat.isascii() and seat.isdigit() else 0
        shown = await house.clerks.look(sheets.claim_sheet, house.floor, table, chosen, wager, made)
        return _sheet("claim_sheet", shown, refusal)

    return await _do(request, table, deed, again)


@router.post("/dealer/{table}/{what}")
async def do(request: Request, table: str, what: str) -> Response:
    """Any other deed."""
    if what not in DEEDS:
        return refused(404, f"There is nothing to do at {what}.", HEADERS)
    deed, sheet, shown = DEEDS[what]

    async def again(house: House, form: Form, refusal: str) -> str:
        if shown is None or not refusal:
            return ""
        kept = () if shown is sheets.undo_sheet else (form,)
        return _sheet(sheet, await house.clerks.look(_laid, house, shown, table, *kept), refusal, what)

    return await _do(request, table, deed, again, what)


async def _signed(request: Request, form: Form, do: Callable[[], None]) -> None:
    """Call a round off: whoever does so beside the dealer signs in for it."""
    two_people(person_of(request).login, form.text("second"), "a round that is called off")

    house, password = house_of(request), form.exact("second-password")

    async def sign(to_sign: ToSign) -> Signature:
        return await house.signs(to_sign, password, right=right_of(request), address=address_of_caller(request))

    await house.signed(do, sign)


async def _do(
    request: Request, table: str, deed: Deed, again: Callable[[House, Form, str], Awaitable[str]], what: str = ""
) -> Response:
    """Do what a form says. ``again`` draws the sheet that is shown afterwards; without one, nothing says that all of it
    is done, and a refusal is a sentence."""
    house = house_of(request)
    form = Form({})
    try:
        form = await form_of(request)
        do = partial(deed, house.floor, form, table, person_of(request).login)
        if what == "void":
            await _signed(request, form, do)
        else:
            await house.clerks.do(do)
    except (BadInput, LedgerUnavailable) as fault:
        try:
            drawn = await again(house, form, str(fault))
        except BadInput:  # the round has gone while the sheet lay there
            drawn = fragment("dealer/sheet_refused.html", sentence=str(fault))
        return _answer(drawn, status_of(fault)) if drawn else refused(status_of(fault), str(fault), HEADERS)
    house.watch.ring(table)
    house.watch.tell(table_chain(table))
    drawn = await again(house, form, "")
    return _answer(drawn) if drawn else Response(None, 204, HEADERS)


def _answer(body: str, status: int = 200) -> Response:
    return Response(body, status, HEADERS, "text/html; charset=utf-8")
