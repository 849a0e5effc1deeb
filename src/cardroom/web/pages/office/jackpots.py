"""Jackpots: their meters, the operator's settings, pending claims, and every change with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.ledger import Event
from cardroom.room.amount_text import describe_surplus, format_amount, format_dollars
from cardroom.room.descriptions.event_phrases import format_rate
from cardroom.room.jackpot.events import TableUnlinked
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind, MeterParameters, jackpot_setup_from_mapping
from cardroom.room.site.malfunction_reports import describe_clock, reports_on
from cardroom.service import CardRoom, DepositDue
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain
from cardroom.service.json_output import summarize_jackpot
from cardroom.service.queries.chain_history import find_reading, list_newest_first
from cardroom.service.queries.jackpot_history import ChangeLine, list_change_lines
from cardroom.web.middleware.permissions import RequestCaller, get_caller
from cardroom.web.pages.office.frame import OfficeRoute, parse_query_number, render_office_page, render_office_part
from cardroom.web.pages.office.past_rounds import format_cards
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.live_pages import LivePage
from cardroom.web.services.time_format import format_day, format_minute

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_EVENTS_PER_PAGE: Final = 2_000
_ROUNDS_PER_PAGE: Final = 100


class ActionLink(NamedTuple):
    """A link to an action with a jackpot, by the last part of its URL."""

    address: str
    label: str


class HistoryPage(NamedTuple):
    """Changes of a jackpot, newest first."""

    lines: tuple[tuple[ChangeLine, str], ...]
    """Each with its time."""
    before: int
    """The event before which the next page begins; 0 at the end."""


def action_links(state: JackpotState) -> Iterator[ActionLink]:
    """The actions that make sense in the jackpot's state. The card room may still refuse them."""
    if state.kind is JackpotKind.PROGRESSIVE:
        if state.money is Currency.REAL:
            yield ActionLink("deposit", "Record deposit …")
            yield ActionLink("reconcile", "Reconcile bank statement …")
            if state.cage_advance >= CENT:
                yield ActionLink("reimburse", "Reimburse the cage …")
        yield ActionLink("add-seed", "Add seed money …")
        yield ActionLink("recover-seed", "Recover seed money …")
        yield ActionLink("correct", "Correct a malfunction …")
        yield ActionLink("to-the-cap", "Lower the display to the ceiling …")
        yield ActionLink("not-displayed", "Move undisplayed money to gross receipts …")
    if not state.removed:
        for meter in state.meters:
            yield ActionLink(f"change/{meter.name}", f"Change the settings of {meter.name} …")
            if state.waiting_change(meter.name):
                yield ActionLink(f"take-back/{meter.name}", f"Cancel the pending change of {meter.name} …")
        for offer in state.setup["offers"]:
            fixed = [event for event, amount in offer["bonuses"].items() if "%" not in amount]
            for event in fixed:
                yield ActionLink(f"bonus/{offer['game']}.{event}", f"Change the amount for {event.replace('-', ' ')} …")
        if state.kind is JackpotKind.BONUS:
            yield ActionLink("remove", "Remove it permanently …")
        yield ActionLink("enable", "Enable it …") if state.disabled else ActionLink("disable", "Disable it …")


def describe_parameter(parameters: MeterParameters) -> tuple[str, ...]:
    """The operator's settings of a level, in the order of the table's columns."""
    ceiling = "none" if parameters.ceiling is None else format_amount(parameters.ceiling)
    least = format_dollars(parameters.minimum) if parameters.minimum else "any"
    return (
        format_rate(parameters.contribution),
        format_rate(parameters.reserve),
        format_amount(parameters.seed),
        ceiling,
        least,
    )


def parameter_lines(state: JackpotState) -> Iterator[tuple[str, ...]]:
    """The settings of each level, and the change that takes effect at its next reset."""
    for meter in state.meters:
        yield meter.name, *describe_parameter(meter.parameters)
        if waiting := state.waiting_change(meter.name):
            yield f"{meter.name}, after the reset", *describe_parameter(waiting.after)


def describe_deposit(due: DepositDue | None) -> str:
    """The deposit that is due, with its deadline; empty if none is."""
    if due is None:
        return ""
    late = f", overdue by {due.overdue_days} days" if due.overdue_days else ""
    return (
        f"Deposit {format_amount(due.amount)} by {format_day(due.by)}{late}. The oldest part is from "
        f"{format_day(due.since)}."
    )


def history_page(card_room: CardRoom, jackpot: str, before: int | None, each_round: bool) -> HistoryPage:
    """The changes before an event, or the newest ones."""
    page_size = _ROUNDS_PER_PAGE if each_round else _EVENTS_PER_PAGE
    events = list(islice(list_newest_first(card_room.ledger, jackpot_chain(jackpot), before), page_size))
    readings = partial(find_reading, card_room.ledger)
    lines = list_change_lines(events, each_round=each_round, readings=readings)
    dated_lines = tuple((line, format_minute(card_room.calendar, line.time)) for line in lines)
    return HistoryPage(dated_lines, _next_sequence(events))


def _next_sequence(events: list[Event]) -> int:
    return events[-1].sequence if events and events[-1].sequence > 1 else 0


def _render_now(context: AppContext, caller: RequestCaller, jackpot: str) -> str:
    card_room = context.card_room
    state = card_room.jackpot(jackpot)
    reports = reports_on(card_room.room().reports, jackpot, state.tables)
    return render_office_part(
        "office/jackpot_now.html",
        may_open=caller.may_open,
        state=state,
        summary=summarize_jackpot(state),
        growing=state.kind is JackpotKind.PROGRESSIVE,
        room_money=Currency.REAL,
        deposit=describe_deposit(card_room.jackpots.find_deposit_due(jackpot)),
        surplus=describe_surplus(state.surplus) if state.surplus else "",
        reports=[(report, describe_clock(report, context.clock())) for report in reports],
        format_cards=format_cards,
    )


def live_page(context: AppContext, caller: RequestCaller, jackpot: str) -> LivePage:
    """The live page of a jackpot."""
    context.card_room.jackpot(jackpot)
    return LivePage((jackpot_chain(jackpot), ROOM_CHAIN), partial(_render_now, context, caller, jackpot))


def _jackpot_variables(
    context: AppContext, caller: RequestCaller, jackpot: str, before: int | None, each_round: bool
) -> dict[str, Any]:
    card_room = context.card_room
    state = card_room.jackpot(jackpot)
    growing = state.kind is JackpotKind.PROGRESSIVE
    return {
        "state": state,
        "setup": jackpot_setup_from_mapping(state.setup),
        "no_tables": _no_tables_text(state, card_room),
        "now": _render_now(context, caller, jackpot),
        "action_links": tuple(action_links(state)),
        "parameters": tuple(parameter_lines(state)),
        "seed_name": "Seed" if growing else "Amount",
        "history": history_page(card_room, jackpot, before, each_round),
        "each_round": each_round,
        "zone_text": card_room.calendar.zone_text,
    }


def _no_tables_text(state: JackpotState, card_room: CardRoom) -> str:
    """Why a jackpot has no table."""
    if state.removed:
        return "none: it was removed"
    return "none now" if _was_linked(state, card_room) else "none yet"


def _was_linked(state: JackpotState, card_room: CardRoom) -> bool:
    events = list_newest_first(card_room.ledger, jackpot_chain(state.id))
    return not state.tables and any(event.kind == TableUnlinked.kind for event in events)


@router.get("/office/jackpots")
async def show_jackpots(request: Request) -> Response:
    """Every jackpot with its meters."""
    context = get_app_context(request)

    def read() -> list[tuple[JackpotState, Any]]:
        states = [context.card_room.jackpot(jackpot) for jackpot in context.card_room.list_jackpots()]
        return [(jackpot, summarize_jackpot(jackpot)) for jackpot in states]

    return render_office_page(request, "office/jackpots.html", jackpots=await context.executors.query(read))


@router.get("/office/jackpots/{jackpot}")
async def show_jackpot(request: Request, jackpot: str) -> Response:
    """One jackpot with its details."""
    context, query = get_app_context(request), request.query_params
    before = parse_query_number(query, "before", 1) if "before" in query else None
    variables = await context.executors.query(
        _jackpot_variables, context, get_caller(request), jackpot, before, query.get("rounds") == "each"
    )
    return render_office_page(request, "office/jackpot.html", **variables)
