"""Custody of the players' money: bank deposits, statements, and adjustments of a jackpot; enabling and disabling it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date
from functools import partial
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.games.money import parse_dollars, parse_signed_dollars
from cardroom.room.amount_text import format_amount
from cardroom.room.dual_control import NameMissing
from cardroom.room.jackpot.bank_reconciliation import BadStatement, UnconfirmedShortage, describe_unnamed
from cardroom.room.jackpot.custody import (
    BadAdjustment,
    deposit_limit,
    deposit_money,
    reimburse_cage,
    require_free_meter,
)
from cardroom.room.jackpot.event_values import Increase, Reduction
from cardroom.room.jackpot.lifecycle import disable_jackpot, enable_jackpot, remove_jackpot
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.payment_references import BadReference, require_reference
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.site.malfunction_reports import UnknownReport
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
from cardroom.web.services.time_format import parse_typed_day

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_SLIP: Final = "deposit slip"
_NO_METER: Final = "This jackpot has fixed prizes and no meter, so there is nothing to adjust."
ActionBuilder = Callable[[CardRoom, JackpotState], OfficeAction]
_WHY: Final = FormField("why", "Reason", "In your own words. The ledger keeps it permanently.", parse=require_reason)
_DOLLARS: Final = FormField("dollars", "Amount", "In dollars, such as 1250.40.", parse=parse_dollars)
_REFUSAL_FIELDS: Final = ((BadAdjustment, "dollars"), (BadReference, "slip"), (UnknownReport, "report"))
"""The field for each refusal of an action that is possible as such."""


def _action(
    state: JackpotState, title: str, consequences: tuple[str, ...], button: str, do: Callable[..., object]
) -> OfficeAction:
    """An action of this jackpot, whose page it returns to."""
    name, to = state.setup["name"], f"/office/jackpots/{state.id}"
    chains = (jackpot_chain(state.id), ROOM_CHAIN)
    return OfficeAction(
        f"{title}: {name}",
        consequences,
        button,
        to,
        do,
        next_page=f"{to}#history",
        chains=chains,
        refusal_fields=_REFUSAL_FIELDS,
    )


def _adjustment_action(state: JackpotState, action: OfficeAction) -> OfficeAction:
    """An adjustment: two people sign, and it needs a level whose money is not being claimed."""
    refusals = [refusal_text(partial(require_free_meter, state, meter.name)) for meter in state.meters]
    unavailable_reason = refusals[0] if refusals and all(refusals) else "" if refusals else _NO_METER
    return action._replace(
        needs_second_person=True, dual_control_subject="an adjustment", unavailable_reason=unavailable_reason
    )


def _level(state: JackpotState) -> FormField:
    options = tuple((meter.name, f"{meter.name}, now {format_amount(meter.display)}") for meter in state.meters)
    return FormField("level", "Level", options=options, value=options[0][0] if options else "")


def _day(text: str) -> date | None:
    return None if text == "today" else parse_typed_day(text)


def _shortage(text: str) -> int:
    return parse_dollars(text) if text.strip() else 0


def _references(text: str) -> tuple[str, ...]:
    return tuple(filter(None, (reference.strip() for reference in text.split(","))))


def _deposit(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        amount_text = typed.get("dollars", "").strip()
        cents = None if amount_text == "all" else parse_dollars(amount_text)
        return card_room.jackpots.deposit_to_bank(id, user, state.id, cents, typed.get("slip", ""))

    consequences = (
        (
            f"The cage has {format_amount(state.undeposited)} of this jackpot's money. The bank account has "
            f"{format_amount(state.escrow)}."
        ),
        "The deposit moves money from the cage to the bank account, under the number of the deposit slip.",
        "The amount owed to players stays the same.",
    )
    action = _action(state, "Record deposit", consequences, "Record the deposit", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all for every whole cent not yet deposited.",
        value="all",
        parse=lambda form_input: None if form_input == "all" else parse_dollars(form_input),
    )
    slip = FormField(
        "slip",
        "Deposit slip number",
        "Each slip is recorded once.",
        parse=lambda form_input: require_reference(form_input, _SLIP),
    )
    return action._replace(fields=(amount, slip), unavailable_reason=_nothing_to_deposit(state))


def _nothing_to_deposit(state: JackpotState) -> str:
    if deposit_limit(state) < CENT and state.money is Currency.REAL:
        return f"The cage has no money of {state.setup['name']} to deposit."
    return refusal_text(lambda: deposit_money(state, 1, who="the first", reference="preview"))


def _reconcile(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        return card_room.jackpots.reconcile(
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

    consequences = (
        "Statement balance + deposits in transit − outstanding payments must equal the ledger at the end of that day.",
        f"The ledger balance is {format_amount(state.escrow)} now.",
        *filter(None, (describe_unnamed(card_room.jackpots.list_unconfirmed_movements(state.id)).strip(),)),
        "If the bank has less, the jackpot closes at once, and its tables take no wagers on it.",
        "It reopens with a statement that shows the money. A second person signs that statement, with the reason.",
        "If the bank has more, every page shows an unexplained surplus until you explain it.",
    )
    action = _action(state, "Reconcile bank statement", consequences, "Record the statement", do)
    fields = (
        _DOLLARS._replace(label="Statement balance", parse=parse_signed_dollars),
        FormField("day", "Statement date", "Such as 11/17/2026, or today.", "today", parse=_day),
        FormField(
            "in_transit",
            "Deposits in transit",
            "Recorded slips that are not on the statement, separated by commas.",
            parse=lambda form_input: [
                find_deposit(card_room.ledger, state.id, reference) for reference in _references(form_input)
            ],
        ),
        FormField(
            "outstanding",
            "Outstanding payments",
            "Checks and transfers that are not on the statement, separated by commas.",
            parse=lambda form_input: [
                find_payment(card_room.ledger, state.id, reference) for reference in _references(form_input)
            ],
        ),
        FormField(
            "shortage",
            "Confirmed shortage",
            "Only if the bank has less than the ledger. The amount closes the jackpot.",
            parse=_shortage,
        ),
        FormField("why", "Reason", "Needed to replace a statement of the same day or to reopen the jackpot."),
    )
    unavailable_reason = "" if state.kind is JackpotKind.PROGRESSIVE and state.money is Currency.REAL else _NO_ACCOUNT
    solo_limit = (
        "You record a new statement alone. A second person signs here to replace a statement of the same day or to "
        "reopen the jackpot after a shortage."
    )
    return action._replace(
        fields=fields,
        danger=True,
        fields_at_fault=_statement_faults,
        unavailable_reason=unavailable_reason,
        needs_second_person=True,
        solo_limit=solo_limit,
        dual_control_subject="a bank statement",
    )


def _reimburse(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, typed: FormValues) -> object:
        amount_text = typed.get("dollars", "").strip()
        cents = None if amount_text == "all" else parse_dollars(amount_text)
        return card_room.jackpots.reimburse_cage(
            id, user, state.id, cents, typed.get("reference", ""), second=typed.get(SECOND, "")
        )

    consequences = (
        (
            f"The bank account owes the cage {format_amount(state.cage_advance)} for prizes paid in cash and returned "
            "money."
        ),
        f"The ledger balance of the account is {format_amount(state.escrow)}. The transfer moves money to the cage.",
        "The amount owed to players stays the same.",
    )
    action = _action(state, "Reimburse the cage", consequences, "Record the transfer", do)
    amount = _DOLLARS._replace(
        hint="In dollars, or all for every whole cent owed.",
        value="all",
        parse=lambda form_input: None if form_input == "all" else parse_dollars(form_input),
    )
    number = FormField(
        "reference",
        "Transfer number",
        "Each transfer is recorded once.",
        parse=lambda form_input: require_reference(form_input, "transfer"),
    )
    unavailable_reason = refusal_text(
        lambda: reimburse_cage(state, 1, who="the first", second="the second", reference="preview")
    )
    about = ((BadAdjustment, "dollars"), (BadReference, "reference"))
    subject = "money that leaves the bank account"
    return action._replace(
        fields=(amount, number),
        needs_second_person=True,
        dual_control_subject=subject,
        unavailable_reason=unavailable_reason,
        refusal_fields=about,
    )


_NO_ACCOUNT: Final = "This jackpot has no bank account. Only a progressive jackpot in real money has one."


def _statement_faults(values: FormValues, fault: BadInput) -> dict[str, str]:
    """The field of a refusal: the one field with references that are not on the statement, or else the date."""
    filled_names = [name for name in ("in_transit", "outstanding") if values.get(name, "").strip()]
    if isinstance(fault, NameMissing):
        return {"why": str(fault)}
    if isinstance(fault, UnconfirmedShortage):
        return {"shortage": str(fault)}
    if not isinstance(fault, BadStatement) or len(filled_names) > 1:
        return {}
    field = (
        filled_names[0]
        if filled_names and str(fault).lower().startswith(("slip", "cash", "check", "transfer"))
        else "day"
    )
    return {field: str(fault)}


def _add_seed(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents, reason = parse_dollars(values.get("dollars", "")), values.get("why", "")
        return card_room.jackpots.add_seed(
            id, user, state.id, values.get("level", ""), cents, reason, second=values.get(SECOND, "")
        )

    consequences = (
        "The house adds its own money to the meter. Displays show the higher amount at once, and it can be won.",
        f"Reason in the ledger: {Increase.SEED}. The house may recover it later.",
    )
    action = _action(state, "Add seed money", consequences, "Add it to the meter", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _DOLLARS, _WHY)))


def _recover_seed(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents, reason = parse_dollars(values.get("dollars", "")), values.get("why", "")
        return card_room.jackpots.recover_seed(
            id, user, state.id, values.get("level", ""), cents, reason, second=values.get(SECOND, "")
        )

    owed = ", ".join(f"{format_amount(meter.seed_owed)} on {meter.name}" for meter in state.meters)
    consequences = (
        "The meter goes down. Displays show less at once, and the next winner receives less.",
        f"The money goes back to the house. Seed money not yet recovered: {owed}.",
        f"Reason in the ledger: {Reduction.SEED_RECOVERED}.",
    )
    action = _action(state, "Recover seed money", consequences, "Take it off the meter", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _DOLLARS, _WHY), danger=True))


def _correct(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        cents = parse_dollars(values.get("dollars", "")) * (-1 if values.get("way") == "down" else 1)
        level, reason, report = (values.get(name, "") for name in ("level", "why", "report"))
        return card_room.jackpots.correct_malfunction(
            id, user, state.id, level, cents, reason, second=values.get(SECOND, ""), report=report
        )

    reports = ", ".join(malfunction.number for malfunction in card_room.room().reports) or "none"
    consequences = (
        "The meter goes up or down by the amount that a malfunction added or missed, and displays update at once.",
        f"Reason in the ledger: {Reduction.MALFUNCTION}, with the number of an open report. Open reports: {reports}.",
    )
    action = _action(state, "Correct a malfunction", consequences, "Correct the meter", do)
    directions = (("up", "up: add to the meter"), ("down", "down: take off the meter"))
    fields = (
        _level(state),
        FormField("way", "Direction", options=directions, value="up"),
        _DOLLARS,
        FormField("report", "Report number"),
        _WHY,
    )
    return _adjustment_action(state, action._replace(fields=fields, danger=True))


def _lower_to_cap(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        reason = values.get("why", "")
        return card_room.jackpots.lower_to_ceiling(
            id, user, state.id, values.get("level", ""), reason, second=values.get(SECOND, "")
        )

    consequences = (
        "The amount above the ceiling moves to the overflow and still belongs to the players.",
        f"Reason in the ledger: {Reduction.ABOVE_THE_CAP}.",
    )
    action = _action(state, "Lower the display to the ceiling", consequences, "Lower the display", do)
    return _adjustment_action(state, action._replace(fields=(_level(state), _WHY), danger=True))


def _book_undisplayed(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        level, source, reason = (values.get(name, "") for name in ("level", "held", "why"))
        cents = parse_dollars(values.get("dollars", ""))
        return card_room.jackpots.remove_undisplayed_money(
            id, user, state.id, level, source, cents, reason, second=values.get(SECOND, "")
        )

    held_texts = "; ".join(
        f"{meter.name}: reserve {format_amount(meter.reserve)}, overflow {format_amount(meter.overflow)}"
        for meter in state.meters
    )
    consequences = (
        "Money that no display shows leaves the jackpot permanently and becomes gross receipts of the house.",
        f"Available: {held_texts}.",
        f"Reason in the ledger: {Reduction.NOT_DISPLAYED}.",
    )
    action = _action(state, "Move undisplayed money to gross receipts", consequences, "Move it to gross receipts", do)
    places = (("reserve", "the reserve"), ("overflow", "the overflow"))
    source_field = FormField("held", "From", options=places, value="reserve")
    return _adjustment_action(state, action._replace(fields=(_level(state), source_field, _DOLLARS, _WHY), danger=True))


def _disable(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    tables = ", ".join(state.tables) or "no table"
    consequences = (
        "Every display shows it as unavailable. No wager counts for it, and it cannot be won.",
        f"These tables take no wagers on it: {tables}.",
        "When you enable it again, its meters and settings are unchanged.",
    )

    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.jackpots.disable(id, user, state.id, values.get("why", ""))

    action = _action(state, "Disable", consequences, "Disable it", do)
    unavailable_reason = _removed_reason(state) or refusal_text(
        lambda: disable_jackpot(state, who="the first", why="preview")
    )
    return action._replace(fields=(_WHY,), danger=True, unavailable_reason=unavailable_reason)


def _enable(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    grows = ", grows again" if state.kind is JackpotKind.PROGRESSIVE else ""
    consequences = (
        f"It shows the same amounts as before{grows} and can be won.",
        f"It was disabled: {state.disabled}.",
    )
    action = _action(
        state, "Enable", consequences, "Enable it", lambda id, user, _: card_room.jackpots.enable(id, user, state.id)
    )
    return action._replace(
        unavailable_reason=_removed_reason(state)
        or _shortage_text(state)
        or refusal_text(lambda: enable_jackpot(state, who="the first"))
    )


def _removed_reason(state: JackpotState) -> str:
    return f"{state.setup['name']} was removed permanently. It cannot be enabled again." if state.removed else ""


def _shortage_text(state: JackpotState) -> str:
    """What to do about a jackpot that is closed because its bank account is short; empty otherwise."""
    if state.disabled or not state.short:
        return ""
    return (
        f"{state.setup['name']} is not disabled. It is closed because its bank account is short. Cover the "
        "shortage, then reconcile a bank statement on the jackpot's page."
    )


def _remove(card_room: CardRoom, state: JackpotState) -> OfficeAction:
    tables = ", ".join(state.tables) or "no table"
    consequences = (
        "The jackpot is removed permanently. No display shows it, and it cannot be enabled again.",
        f"These tables take no wagers on it from now on: {tables}.",
        f"Pending prizes are still paid: {len(state.claims)} now.",
    )

    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.jackpots.remove(id, user, state.id, values.get("why", ""), second=values.get(SECOND, ""))

    action = _action(state, "Remove", consequences, "Remove it permanently", do)
    unavailable_reason = refusal_text(
        lambda: remove_jackpot(state, who="the first", second="the second", why="preview")
    )
    return action._replace(
        fields=(_WHY,),
        needs_second_person=True,
        dual_control_subject="the removal of a jackpot",
        danger=True,
        unavailable_reason=unavailable_reason,
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


def _build_action(card_room: CardRoom, jackpot: str, action_name: str) -> OfficeAction:
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a jackpot: its pages are {', '.join(ACTIONS)}.")
    return ACTIONS[action_name](card_room, card_room.jackpot(jackpot))


@router.get("/office/jackpots/{jackpot}/{action_name}")
async def show_action_form(request: Request, jackpot: str, action_name: str) -> Response:
    """The form of an action."""
    context = get_app_context(request)
    return show_action(request, await context.executors.query(_build_action, context.card_room, jackpot, action_name))


@router.post("/office/jackpots/{jackpot}/{action_name}")
async def perform_jackpot_action(request: Request, jackpot: str, action_name: str) -> Response:
    """Execute an action."""
    context = get_app_context(request)
    return await perform_action(
        request, await context.executors.query(_build_action, context.card_room, jackpot, action_name)
    )
