"""The players' money in the house's keeping: deposits, statements, adjustments; a jackpot in and out of service."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.games.money import parse_dollars, parse_signed_dollars
from cardroom.room.amount_text import format_amount
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.custody import (
    BadAdjustment,
    deposit_limit,
    deposit_money,
    reimburse_cage,
    require_free_meter,
)
from cardroom.room.jackpot.event_values import Increase, Reduction
from cardroom.room.jackpot.lifecycle import disable_jackpot, enable_jackpot, remove_jackpot
from cardroom.room.jackpot.reconciliation import BadStatement, UnconfirmedShortage, describe_unnamed
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payments import BadReference, require_reference
from cardroom.room.setup.calendar import parse_day
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.site.malfunction import UnknownReport
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain
from cardroom.service.queries.bank_account import find_deposit, find_payment
from cardroom.web.pages.office.actions import (
    SECOND,
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    refusal_text,
    require_reason,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound
from cardroom.web.pages.requests import get_app_context

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_SLIP: Final = "deposit slip"
_NO_METER: Final = "It has no meter, only fixed prizes: there is nothing to adjust."
ActionBuilder = Callable[[CardRoom, JackpotState], OfficeAction]
_WHY: Final = FormField("why", "Reason", "In your own words; it stands in the books for good.", parse=require_reason)
_DOLLARS: Final = FormField("dollars", "Amount", "In dollars, such as 1250.40.", parse=parse_dollars)
_REFUSAL_FIELDS: Final = ((BadAdjustment, "dollars"), (BadReference, "slip"), (UnknownReport, "report"))
"""What the floor refuses once the deed itself is possible."""


def _action(
    state: JackpotState, title: str, happens: tuple[str, ...], button: str, do: Callable[..., object]
) -> OfficeAction:
    """A deed with this jackpot, whose page one comes from and goes back to."""
    name, to = state.setup["name"], f"/office/jackpots/{state.id}"
    chains = (jackpot_chain(state.id), ROOM_CHAIN)
    return OfficeAction(
        f"{title}: {name}",
        happens,
        button,
        to,
        do,
        next_page=f"{to}#history",
        chains=chains,
        refusal_fields=_REFUSAL_FIELDS,
    )


def _adjustment_action(state: JackpotState, action: OfficeAction) -> OfficeAction:
    """Two people answer for it, and only where the jackpot holds money of the players that is not being claimed."""
    against = [refusal_text(partial(require_free_meter, state, meter.name)) for meter in state.meters]
    not_now = against[0] if against and all(against) else "" if against else _NO_METER
    return action._replace(needs_second_person=True, dual_control_subject="an adjustment", unavailable_reason=not_now)


def _level(state: JackpotState) -> FormField:
    options = tuple((meter.name, f"{meter.name}, which shows {format_amount(meter.display)}") for meter in state.meters)
    return FormField("level", "Level", options=options, value=options[0][0] if options else "")


def _day(text: str) -> date | None:
    return None if text == "today" else parse_day(text)


def _shortage(text: str) -> int:
    return parse_dollars(text) if text.strip() else 0


def _references(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (reference.strip() for reference in text.split(","))))


def _deposit(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        amount_text = typed.get("dollars", "").strip()
        cents = None if amount_text == "all" else parse_dollars(amount_text)
        return floor.deposit_to_bank(id, user, state.id, cents, typed.get("slip", ""))

    happens = (
        (
            f"In the cage lie {format_amount(state.undeposited)} of this jackpot's money, on its account "
            f"{format_amount(state.escrow)}."
        ),
        "What you take to the bank is booked from the cage to the account, under the number of the bank's slip.",
        "What is owed to the players stays the same.",
    )
    action = _action(state, "Take money to the bank", happens, "Enter the deposit", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all: every whole cent that waits.",
        value="all",
        parse=lambda form_input: None if form_input == "all" else parse_dollars(form_input),
    )
    slip = FormField(
        "slip",
        "Number of the slip",
        "Each slip is entered once.",
        parse=lambda form_input: require_reference(form_input, _SLIP),
    )
    return action._replace(fields=(amount, slip), unavailable_reason=_nothing_to_deposit(state))


def _nothing_to_deposit(state: JackpotState) -> str:
    if deposit_limit(state) < CENT and state.money is Currency.REAL:
        return f"No whole cent of {state.setup['name']} waits in the cage: there is nothing to take to the bank."
    return refusal_text(lambda: deposit_money(state, 1, who="the first", reference="foreseen"))


def _reconcile(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        return floor.reconcile_account(
            id,
            user,
            state.id,
            parse_signed_dollars(typed.get("dollars", "")),
            day=_day(typed.get("day", "").strip()),
            in_transit=_references(typed.get("in_transit", "")),
            outstanding=_references(typed.get("outstanding", "")),
            second=second_person(typed),
            why=typed.get("why", "").strip() or None,
            shortage_cents=_shortage(typed.get("shortage", "")),
        )

    happens = (
        "Balance on the statement + deposits in transit - outstanding checks = books at the end of its day.",
        f"By the books the account has {format_amount(state.escrow)} now.",
        *filter(None, (describe_unnamed(floor.list_unconfirmed_movements(state.id)).strip(),)),
        "If the bank has less, the jackpot is closed at once, and its tables take no wagers on it.",
        "It opens again with a statement that shows the money there; a second person signs that, with the reason.",
        "If the bank has more, every page says so until it is known whose money it is.",
    )
    action = _action(state, "Hold a bank statement against the books", happens, "Enter the statement", do)
    fields = (
        _DOLLARS._replace(label="Balance on the statement", parse=parse_signed_dollars),
        FormField("day", "Day of the statement", "As YYYY-MM-DD, or today.", "today", parse=_day),
        FormField(
            "in_transit",
            "Deposits in transit",
            "Slips entered before that the statement does not have; commas.",
            parse=lambda form_input: [
                find_deposit(floor.ledger, state.id, reference) for reference in _references(form_input)
            ],
        ),
        FormField(
            "outstanding",
            "Payments outstanding",
            "Checks and transfers that the statement does not have; commas.",
            parse=lambda form_input: [
                find_payment(floor.ledger, state.id, reference) for reference in _references(form_input)
            ],
        ),
        FormField(
            "shortage",
            "Confirmed shortage",
            "Only where the bank has less than the books: the amount, to close the jackpot.",
            parse=_shortage,
        ),
        FormField("why", "Reason", "Where it replaces a statement of the same day, or opens the jackpot again."),
    )
    not_now = "" if state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL else _NO_ACCOUNT
    alone = (
        "You enter a new statement alone. To replace one of the same day, or to open the jackpot again after a "
        "shortage, a second person signs in here for this one act."
    )
    return action._replace(
        fields=fields,
        danger=True,
        fields_at_fault=_statement_faults,
        unavailable_reason=not_now,
        needs_second_person=True,
        solo_limit=alone,
        dual_control_subject="a bank statement",
    )


def _reimburse(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        amount_text = typed.get("dollars", "").strip()
        cents = None if amount_text == "all" else parse_dollars(amount_text)
        return floor.reimburse_cage(id, user, state.id, cents, typed.get("reference", ""), second=typed.get(SECOND, ""))

    happens = (
        (
            f"The bank account owes the cage {format_amount(state.cage_advance)}: for prizes paid in cash and money "
            "given back."
        ),
        f"It has {format_amount(state.escrow)} by the books. A transfer takes the money to the cage, under its number.",
        "What is owed to the players stays the same.",
    )
    action = _action(state, "Pay the cage back", happens, "Enter the transfer", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all: every whole cent that is owed.",
        value="all",
        parse=lambda form_input: None if form_input == "all" else parse_dollars(form_input),
    )
    number = FormField(
        "reference",
        "Number of the transfer",
        "Each transfer is entered once.",
        parse=lambda form_input: require_reference(form_input, "transfer"),
    )
    not_now = refusal_text(lambda: reimburse_cage(state, 1, who="the first", second="the second", reference="foreseen"))
    about = ((BadAdjustment, "dollars"), (BadReference, "reference"))
    subject = "money that leaves the bank account"
    return action._replace(
        fields=(amount, number),
        needs_second_person=True,
        dual_control_subject=subject,
        unavailable_reason=not_now,
        refusal_fields=about,
    )


_NO_ACCOUNT: Final = "It has no bank account: only a progressive jackpot of the room's own money has one."


def _statement_faults(values: FormValues, fault: BadInput) -> dict[str, str]:
    """A refusal is about what the statement does not have, where that is told in one field; else about its day."""
    filled_names = [name for name in ("in_transit", "outstanding") if values.get(name, "").strip()]
    if isinstance(fault, NameMissing):
        return {"why": str(fault)}
    if isinstance(fault, UnconfirmedShortage):
        return {"shortage": str(fault)}
    if not isinstance(fault, BadStatement) or len(filled_names) > 1:
        return {}
    alone = (
        filled_names[0]
        if filled_names and str(fault).lower().startswith(("slip", "cash", "check", "transfer"))
        else "day"
    )
    return {alone: str(fault)}


def _add_seed(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents, reason = parse_dollars(values.get("dollars", "")), values.get("why", "")
        return floor.add_seed(id, user, state.id, values.get("level", ""), cents, reason, second=values.get(SECOND, ""))

    happens = (
        "The house puts its own money on the meter: displays show that much more at once, and it can be won.",
        f"The reason in the books is: {Increase.SEED}. The house may recover it later.",
    )
    action = _action(state, "Add seed money", happens, "Put it on the meter", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _DOLLARS, _WHY)))


def _recover_seed(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents, reason = parse_dollars(values.get("dollars", "")), values.get("why", "")
        return floor.recover_seed(
            id, user, state.id, values.get("level", ""), cents, reason, second=values.get(SECOND, "")
        )

    owed = ", ".join(f"{format_amount(meter.seed_owed)} on {meter.name}" for meter in state.meters)
    happens = (
        "The meter goes down: every display shows less from this moment on, and the next winner gets less.",
        f"The money goes back to the house, which has put there and not recovered {owed}.",
        f"The reason in the books is: {Reduction.SEED_RECOVERED}.",
    )
    action = _action(state, "Recover seed money", happens, "Take it off the meter", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _DOLLARS, _WHY), danger=True))


def _correct(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents = parse_dollars(values.get("dollars", "")) * (-1 if values.get("way") == "down" else 1)
        level, reason, report = (values.get(name, "") for name in ("level", "why", "report"))
        return floor.correct_malfunction(
            id, user, state.id, level, cents, reason, second=values.get(SECOND, ""), report=report
        )

    reports = ", ".join(malfunction.number for malfunction in floor.room().reports) or "none"
    happens = (
        "The meter goes up or down by what a malfunction has put there or left out, and displays follow at once.",
        f"The reason in the books is: {Reduction.MALFUNCTION}. It names the open report; open now: {reports}.",
    )
    action = _action(state, "Correct a malfunction", happens, "Correct the meter", do)
    ways = (("up", "up: onto the meter"), ("down", "down: off the meter"))
    fields = (
        _level(state),
        FormField("way", "Which way", options=ways, value="up"),
        _DOLLARS,
        FormField("report", "Number of the report"),
        _WHY,
    )
    return _adjustment_action(state, action._replace(fields=fields, danger=True))


def _lower_to_cap(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        reason = values.get("why", "")
        return floor.lower_to_ceiling(
            id, user, state.id, values.get("level", ""), reason, second=values.get(SECOND, "")
        )

    happens = (
        "What the meter displays above its ceiling goes into the overflow, where it stays the players' money.",
        f"The reason in the books is: {Reduction.ABOVE_THE_CAP}.",
    )
    action = _action(state, "Lower the display to the cap", happens, "Lower the display", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _WHY), danger=True))


def _book_undisplayed(floor: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        level, source, reason = (values.get(name, "") for name in ("level", "held", "why"))
        cents = parse_dollars(values.get("dollars", ""))
        return floor.remove_undisplayed_money(
            id, user, state.id, level, source, cents, reason, second=values.get(SECOND, "")
        )

    held_texts = "; ".join(
        f"{meter.name}: reserve {format_amount(meter.reserve)}, overflow {format_amount(meter.overflow)}"
        for meter in state.meters
    )
    happens = (
        "Money that no display shows leaves the jackpot for good and becomes the house's gross receipts.",
        f"There is, {held_texts}.",
        f"The reason in the books is: {Reduction.NOT_DISPLAYED}.",
    )
    action = _action(state, "Book money not displayed", happens, "Book it as gross receipts", do)
    places = (("reserve", "the reserve"), ("overflow", "the overflow"))
    source_field = FormField("held", "From", options=places, value="reserve")
    return _adjustment_action(state, action._replace(fields=(_level(state), source_field, _DOLLARS, _WHY), danger=True))


def _disable(floor: CardRoom, state: JackpotState) -> OfficeAction:
    tables = ", ".join(state.tables) or "no table"
    happens = (
        "Every display shows it as unavailable; nothing is counted for it, and it cannot be won.",
        f"These tables take no wagers on it: {tables}.",
        "It comes back with the same meters and the same parameters.",
    )

    def do(id: str, user: str, values: FormValues) -> object:
        return floor.disable_jackpot(id, user, state.id, values.get("why", ""))

    action = _action(state, "Disable", happens, "Disable it", do)
    not_now = _removed_reason(state) or refusal_text(lambda: disable_jackpot(state, who="the first", why="foreseen"))
    return action._replace(fields=(_WHY,), danger=True, unavailable_reason=not_now)


def _enable(floor: CardRoom, state: JackpotState) -> OfficeAction:
    grows = ", grows again" if state.kind is JackpotKind.PROGRESSIVE else ""
    happens = (
        f"It shows the same amounts as before{grows} and can be won.",
        f"It was disabled: {state.disabled}.",
    )
    action = _action(
        state, "Bring back", happens, "Bring it back", lambda id, user, _: floor.enable_jackpot(id, user, state.id)
    )
    return action._replace(
        unavailable_reason=_removed_reason(state)
        or _shortage_text(state)
        or refusal_text(lambda: enable_jackpot(state, who="the first"))
    )


def _removed_reason(state: JackpotState) -> str:
    return f"{state.setup['name']} was removed for good: nothing brings it back." if state.removed else ""


def _shortage_text(state: JackpotState) -> str:
    """The way out is a page here, and a command elsewhere."""
    if state.disabled or not state.short:
        return ""
    return (
        f"{state.setup['name']} is closed because its bank account is short, and is not disabled: make the shortage "
        "good, then hold a statement against the books on the jackpot's page."
    )


def _remove(floor: CardRoom, state: JackpotState) -> OfficeAction:
    tables = ", ".join(state.tables) or "no table"
    happens = (
        "It goes for good: no display shows it any more, and it cannot be brought back.",
        f"These tables take no wagers on it from now on: {tables}.",
        f"Prizes that are pending are still paid: {len(state.claims)} now.",
    )

    def do(id: str, user: str, values: FormValues) -> object:
        return floor.remove_jackpot(id, user, state.id, values.get("why", ""), second=values.get(SECOND, ""))

    action = _action(state, "Remove", happens, "Remove it for good", do)
    not_now = refusal_text(lambda: remove_jackpot(state, who="the first", second="the second", why="foreseen"))
    return action._replace(
        fields=(_WHY,),
        needs_second_person=True,
        dual_control_subject="the removal of a jackpot",
        danger=True,
        unavailable_reason=not_now,
    )


ACTIONS: Final[Mapping[str, ActionBuilder]] = {
    "deposit": _deposit,
    "reconcile": _reconcile,
    "reimburse": _reimburse,
    "add-seed": _add_seed,
    "recover-seed": _recover_seed,
    "correct": _correct,
    "to-the-cap": _lower_to_cap,
    "not-displayed": _book_undisplayed,
    "disable": _disable,
    "enable": _enable,
    "remove": _remove,
}


def _build_action(floor: CardRoom, jackpot: str, action_name: str) -> OfficeAction:
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a jackpot: it has {', '.join(ACTIONS)}.")
    return ACTIONS[action_name](floor, floor.jackpot(jackpot))


@router.get("/office/jackpots/{jackpot}/{action_name}")
async def show_action_form(request: Request, jackpot: str, action_name: str) -> Response:
    """The form of a deed."""
    context = get_app_context(request)
    return show_action(request, await context.executors.query(_build_action, context.floor, jackpot, action_name))


@router.post("/office/jackpots/{jackpot}/{action_name}")
async def perform_jackpot_action(request: Request, jackpot: str, action_name: str) -> Response:
    """Do it."""
    context = get_app_context(request)
    return await perform_action(
        request, await context.executors.query(_build_action, context.floor, jackpot, action_name)
    )
