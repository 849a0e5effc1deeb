"""The players' money in the house's keeping: deposits, statements, adjustments; a jackpot in and out of service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.account import deposit_told, payment_told
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.games.money import parse_dollars, parse_signed_dollars
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.amounts import books
from cardroom.jackpots.meter.changes import remove_jackpot
from cardroom.jackpots.meter.custody import BadAdjustment, deposit_money, free_meter, most_to_deposit, reimburse_cage
from cardroom.jackpots.meter.reconciling import BadStatement, UnconfirmedShortage, unnamed_words
from cardroom.jackpots.meter.service import disable_jackpot, enable_jackpot
from cardroom.jackpots.people import NobodyNamed
from cardroom.jackpots.reasons import Increase, Reduction
from cardroom.jackpots.references import BadReference, reference_told
from cardroom.jackpots.room.reports import NoSuchReport
from cardroom.jackpots.setup.calendar import day_told
from cardroom.web.pages.office.deeds import SECOND, Deed, Field, Typed, do_deed, reason, second_of, show_deed, why_not
from cardroom.web.pages.office.frame import NothingThere, OfficeRoute
from cardroom.web.pages.visitors import house_of

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_SLIP: Final = "deposit slip"
_NO_METER: Final = "It has no meter, only fixed prizes: there is nothing to adjust."
Made = Callable[[Floor, JackpotState], Deed]
_WHY: Final = Field("why", "Reason", "In your own words; it stands in the books for good.", reads=reason)
_DOLLARS: Final = Field("dollars", "Amount", "In dollars, such as 1250.40.", reads=parse_dollars)
_ABOUT: Final = ((BadAdjustment, "dollars"), (BadReference, "slip"), (NoSuchReport, "report"))
"""What the floor refuses once the deed itself is possible."""


def _deed(state: JackpotState, title: str, happens: tuple[str, ...], button: str, do: Callable[..., object]) -> Deed:
    """A deed with this jackpot, whose page one comes from and goes back to."""
    name, to = state.setup["name"], f"/office/jackpots/{state.id}"
    chains = (jackpot_chain(state.id), ROOM)
    return Deed(f"{title}: {name}", happens, button, to, do, after=f"{to}#history", chains=chains, about=_ABOUT)


def _adjusting(state: JackpotState, made: Deed) -> Deed:
    """Two people answer for it, and only where the jackpot holds money of the players that is not being claimed."""
    against = [why_not(partial(free_meter, state, meter.name)) for meter in state.meters]
    not_now = against[0] if against and all(against) else "" if against else _NO_METER
    return made._replace(two=True, answered="an adjustment", not_now=not_now)


def _level(state: JackpotState) -> Field:
    told = tuple((meter.name, f"{meter.name}, which shows {books(meter.display)}") for meter in state.meters)
    return Field("level", "Level", options=told, value=told[0][0] if told else "")


def _day(typed: str) -> date | None:
    return None if typed == "today" else day_told(typed)


def _shortage(typed: str) -> int:
    return parse_dollars(typed) if typed.strip() else 0


def _references(typed: str) -> tuple[str, ...]:
    return tuple(filter(None, (one.strip() for one in typed.split(","))))


def _deposit(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        said = typed.get("dollars", "").strip()
        cents = None if said == "all" else parse_dollars(said)
        return floor.deposit(id, who, state.id, cents, typed.get("slip", ""))

    happens = (
        f"In the cage lie {books(state.undeposited)} of this jackpot's money, on its account {books(state.escrow)}.",
        "What you take to the bank is booked from the cage to the account, under the number of the bank's slip.",
        "What is owed to the players stays the same.",
    )
    made = _deed(state, "Take money to the bank", happens, "Enter the deposit", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all: every whole cent that waits.",
        value="all",
        reads=lambda typed: None if typed == "all" else parse_dollars(typed),
    )
    slip = Field(
        "slip", "Number of the slip", "Each slip is entered once.", reads=lambda typed: reference_told(typed, _SLIP)
    )
    return made._replace(fields=(amount, slip), not_now=_nothing_to_deposit(state))


def _nothing_to_deposit(state: JackpotState) -> str:
    if most_to_deposit(state) < CENT and state.money is Currency.REAL:
        return f"No whole cent of {state.setup['name']} waits in the cage: there is nothing to take to the bank."
    return why_not(lambda: deposit_money(state, 1, who="the first", reference="foreseen"))


def _reconcile(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        return floor.reconcile(
            id,
            who,
            state.id,
            parse_signed_dollars(typed.get("dollars", "")),
            day=_day(typed.get("day", "").strip()),
            in_transit=_references(typed.get("in_transit", "")),
            outstanding=_references(typed.get("outstanding", "")),
            second=second_of(typed),
            why=typed.get("why", "").strip() or None,
            shortage_cents=_shortage(typed.get("shortage", "")),
        )

    happens = (
        "Balance on the statement + deposits in transit - outstanding checks = books at the end of its day.",
        f"By the books the account has {books(state.escrow)} now.",
        *filter(None, (unnamed_words(floor.missing_perhaps(state.id)).strip(),)),
        "If the bank has less, the jackpot is closed at once, and its tables take no wagers on it.",
        "It opens again with a statement that shows the money there; a second person signs that, with the reason.",
        "If the bank has more, every page says so until it is known whose money it is.",
    )
    made = _deed(state, "Hold a bank statement against the books", happens, "Enter the statement", do)
    fields = (
        _DOLLARS._replace(label="Balance on the statement", reads=parse_signed_dollars),
        Field("day", "Day of the statement", "As YYYY-MM-DD, or today.", "today", reads=_day),
        Field(
            "in_transit",
            "Deposits in transit",
            "Slips entered before that the statement does not have; commas.",
            reads=lambda typed: [deposit_told(floor.ledger, state.id, one) for one in _references(typed)],
        ),
        Field(
            "outstanding",
            "Payments outstanding",
            "Checks and transfers that the statement does not have; commas.",
            reads=lambda typed: [payment_told(floor.ledger, state.id, one) for one in _references(typed)],
        ),
        Field(
            "shortage",
            "Confirmed shortage",
            "Only where the bank has less than the books: the amount, to close the jackpot.",
            reads=_shortage,
        ),
        Field("why", "Reason", "Where it replaces a statement of the same day, or opens the jackpot again."),
    )
    not_now = "" if state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL else _NO_ACCOUNT
    alone = (
        "You enter a new statement alone. To replace one of the same day, or to open the jackpot again after a "
        "shortage, a second person signs in here for this one act."
    )
    return made._replace(
        fields=fields,
        danger=True,
        blamed=_about_a_statement,
        not_now=not_now,
        two=True,
        alone_below=alone,
        answered="a bank statement",
    )


def _reimburse(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        said = typed.get("dollars", "").strip()
        cents = None if said == "all" else parse_dollars(said)
        return floor.reimburse_cage(id, who, state.id, cents, typed.get("reference", ""), second=typed.get(SECOND, ""))

    happens = (
        f"The bank account owes the cage {books(state.cage_advance)}: for prizes paid in cash and money given back.",
        f"It has {books(state.escrow)} by the books. A transfer takes the money to the cage, under its number.",
        "What is owed to the players stays the same.",
    )
    made = _deed(state, "Pay the cage back", happens, "Enter the transfer", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all: every whole cent that is owed.",
        value="all",
        reads=lambda typed: None if typed == "all" else parse_dollars(typed),
    )
    number = Field(
        "reference",
        "Number of the transfer",
        "Each transfer is entered once.",
        reads=lambda typed: reference_told(typed, "transfer"),
    )
    not_now = why_not(lambda: reimburse_cage(state, 1, who="the first", second="the second", reference="foreseen"))
    about = ((BadAdjustment, "dollars"), (BadReference, "reference"))
    answered = "money that leaves the bank account"
    return made._replace(fields=(amount, number), two=True, answered=answered, not_now=not_now, about=about)


_NO_ACCOUNT: Final = "It has no bank account: only a progressive jackpot of the room's own money has one."


def _about_a_statement(typed: Typed, fault: BadInput) -> dict[str, str]:
    """A refusal is about what the statement does not have, where that is told in one field; else about its day."""
    told = [name for name in ("in_transit", "outstanding") if typed.get(name, "").strip()]
    if isinstance(fault, NobodyNamed):
        return {"why": str(fault)}
    if isinstance(fault, UnconfirmedShortage):
        return {"shortage": str(fault)}
    if not isinstance(fault, BadStatement) or len(told) > 1:
        return {}
    alone = told[0] if told and str(fault).lower().startswith(("slip", "cash", "cheque", "transfer")) else "day"
    return {alone: str(fault)}


def _add_seed(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        cents, why = parse_dollars(typed.get("dollars", "")), typed.get("why", "")
        return floor.add_seed(id, who, state.id, typed.get("level", ""), cents, why, second=typed.get(SECOND, ""))

    happens = (
        "The house puts its own money on the meter: displays show that much more at once, and it can be won.",
        f"The reason in the books is: {Increase.SEED}. The house may recover it later.",
    )
    made = _deed(state, "Add seed money", happens, "Put it on the meter", do)
    return _adjusting(state, made._replace(fields=(_level(state), _DOLLARS, _WHY)))


def _recover_seed(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        cents, why = parse_dollars(typed.get("dollars", "")), typed.get("why", "")
        return floor.recover_seed(id, who, state.id, typed.get("level", ""), cents, why, second=typed.get(SECOND, ""))

    owed = ", ".join(f"{books(meter.seed_owed)} on {meter.name}" for meter in state.meters)
    happens = (
        "The meter goes down: every display shows less from this moment on, and the next winner gets less.",
        f"The money goes back to the house, which has put there and not recovered {owed}.",
        f"The reason in the books is: {Reduction.SEED_RECOVERED}.",
    )
    made = _deed(state, "Recover seed money", happens, "Take it off the meter", do)
    return _adjusting(state, made._replace(fields=(_level(state), _DOLLARS, _WHY), danger=True))


def _correct(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        cents = parse_dollars(typed.get("dollars", "")) * (-1 if typed.get("way") == "down" else 1)
        level, why, report = (typed.get(name, "") for name in ("level", "why", "report"))
        return floor.correct_malfunction(
            id, who, state.id, level, cents, why, second=typed.get(SECOND, ""), report=report
        )

    reports = ", ".join(one.number for one in floor.room().reports) or "none"
    happens = (
        "The meter goes up or down by what a malfunction has put there or left out, and displays follow at once.",
        f"The reason in the books is: {Reduction.MALFUNCTION}. It names the open report; open now: {reports}.",
    )
    made = _deed(state, "Correct a malfunction", happens, "Correct the meter", do)
    ways = (("up", "up: onto the meter"), ("down", "down: off the meter"))
    fields = (
        _level(state),
        Field("way", "Which way", options=ways, value="up"),
        _DOLLARS,
        Field("report", "Number of the report"),
        _WHY,
    )
    return _adjusting(state, made._replace(fields=fields, danger=True))


def _to_the_cap(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        why = typed.get("why", "")
        return floor.lower_to_the_cap(id, who, state.id, typed.get("level", ""), why, second=typed.get(SECOND, ""))

    happens = (
        "What the meter displays above its ceiling goes into the overflow, where it stays the players' money.",
        f"The reason in the books is: {Reduction.ABOVE_THE_CAP}.",
    )
    made = _deed(state, "Lower the display to the cap", happens, "Lower the display", do)
    return _adjusting(state, made._replace(fields=(_level(state), _WHY), danger=True))


def _not_displayed(floor: Floor, state: JackpotState) -> Deed:
    def do(id: str, who: str, typed: Typed) -> object:
        level, held, why = (typed.get(name, "") for name in ("level", "held", "why"))
        cents = parse_dollars(typed.get("dollars", ""))
        return floor.remove_hidden(id, who, state.id, level, held, cents, why, second=typed.get(SECOND, ""))

    there = "; ".join(
        f"{meter.name}: reserve {books(meter.reserve)}, overflow {books(meter.overflow)}" for meter in state.meters
    )
    happens = (
        "Money that no display shows leaves the jackpot for good and becomes the house's gross receipts.",
        f"There is, {there}.",
        f"The reason in the books is: {Reduction.NOT_DISPLAYED}.",
    )
    made = _deed(state, "Book money not displayed", happens, "Book it as gross receipts", do)
    places = (("reserve", "the reserve"), ("overflow", "the overflow"))
    held = Field("held", "From", options=places, value="reserve")
    return _adjusting(state, made._replace(fields=(_level(state), held, _DOLLARS, _WHY), danger=True))


def _disable(floor: Floor, state: JackpotState) -> Deed:
    tables = ", ".join(state.tables) or "no table"
    happens = (
        "Every display shows it as unavailable; nothing is counted for it, and it cannot be won.",
        f"These tables take no wagers on it: {tables}.",
        "It comes back with the same meters and the same parameters.",
    )

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.disable(id, who, state.id, typed.get("why", ""))

    made = _deed(state, "Disable", happens, "Disable it", do)
    not_now = _gone(state) or why_not(lambda: disable_jackpot(state, who="the first", why="foreseen"))
    return made._replace(fields=(_WHY,), danger=True, not_now=not_now)


def _enable(floor: Floor, state: JackpotState) -> Deed:
    grows = ", grows again" if state.kind is JackpotKind.PROGRESSIVE else ""
    happens = (
        f"It shows the same amounts as before{grows} and can be won.",
        f"It was disabled: {state.disabled}.",
    )
    made = _deed(state, "Bring back", happens, "Bring it back", lambda id, who, _: floor.enable(id, who, state.id))
    return made._replace(
        not_now=_gone(state) or _short(state) or why_not(lambda: enable_jackpot(state, who="the first"))
    )


def _gone(state: JackpotState) -> str:
    return f"{state.setup['name']} was removed for good: nothing brings it back." if state.removed else ""


def _short(state: JackpotState) -> str:
    """The way out is a page here, and a command elsewhere."""
    if state.disabled or not state.short:
        return ""
    return (
        f"{state.setup['name']} is closed because its bank account is short, and is not disabled: make the shortage "
        "good, then hold a statement against the books on the jackpot's page."
    )


def _remove(floor: Floor, state: JackpotState) -> Deed:
    tables = ", ".join(state.tables) or "no table"
    happens = (
        "It goes for good: no display shows it any more, and it cannot be brought back.",
        f"These tables take no wagers on it from now on: {tables}.",
        f"Prizes that are pending are still paid: {len(state.claims)} now.",
    )

    def do(id: str, who: str, typed: Typed) -> object:
        return floor.remove(id, who, state.id, typed.get("why", ""), second=typed.get(SECOND, ""))

    made = _deed(state, "Remove", happens, "Remove it for good", do)
    not_now = why_not(lambda: remove_jackpot(state, who="the first", second="the second", why="foreseen"))
    return made._replace(fields=(_WHY,), two=True, answered="the removal of a jackpot", danger=True, not_now=not_now)


DEEDS: Final[Mapping[str, Made]] = {
    "deposit": _deposit,
    "reconcile": _reconcile,
    "reimburse": _reimburse,
    "add-seed": _add_seed,
    "recover-seed": _recover_seed,
    "correct": _correct,
    "to-the-cap": _to_the_cap,
    "not-displayed": _not_displayed,
    "disable": _disable,
    "enable": _enable,
    "remove": _remove,
}


def _made(floor: Floor, jackpot: str, deed: str) -> Deed:
    if deed not in DEEDS:
        raise NothingThere(f"The office has no page {deed!r} for a jackpot: it has {', '.join(DEEDS)}.")
    return DEEDS[deed](floor, floor.jackpot(jackpot))


@router.get("/office/jackpots/{jackpot}/{deed}")
async def ask(request: Request, jackpot: str, deed: str) -> Response:
    """The form of a deed."""
    house = house_of(request)
    return show_deed(request, await house.clerks.look(_made, house.floor, jackpot, deed))


@router.post("/office/jackpots/{jackpot}/{deed}")
async def do(request: Request, jackpot: str, deed: str) -> Response:
    """Do it."""
    house = house_of(request)
    return await do_deed(request, await house.clerks.look(_made, house.floor, jackpot, deed))
