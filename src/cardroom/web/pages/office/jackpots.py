"""Jackpots: where each stands, what the operator set, what waits, and every change with its reason."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.accounts import CENT, Currency
from cardroom.floor import DepositDue, Floor
from cardroom.floor.entries import jackpot_stands
from cardroom.floor.history import ChangeLine, change_lines
from cardroom.floor.kept.chains import ROOM, jackpot_chain
from cardroom.floor.kept.recall import newest_first, reading_taken
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.amounts import books, shown, surplus_words
from cardroom.jackpots.happenings import TableLeft
from cardroom.jackpots.room.reports import clock_words, reports_on
from cardroom.jackpots.setup.jackpot import jackpot_setup_from
from cardroom.jackpots.setup.parameters import Parameters
from cardroom.jackpots.telling.phrases import rate
from cardroom.ledger import Event
from cardroom.web.pages.office.cards_told import cards_told
from cardroom.web.pages.office.frame import OfficeRoute, number_in, office_page, office_part
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import Caller, caller_of
from cardroom.web.room.boards import Board, follow
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_EVENTS_A_PAGE: Final = 2_000
_ROUNDS_A_PAGE: Final = 100


class ListedDeed(NamedTuple):
    """Something that can be done with a jackpot, by the last part of its address."""

    address: str
    words: str


class HistoryPage(NamedTuple):
    """Changes of a jackpot, the newest first."""

    lines: tuple[tuple[ChangeLine, str], ...]
    """Each with when it was."""
    before: int
    """The event before which the next page begins; 0 at the end."""


def deeds_of(state: JackpotState) -> Iterator[ListedDeed]:
    """What makes sense with a jackpot as it is; the floor says the last word."""
    if state.kind is JackpotKind.PROGRESSIVE:
        if state.money is Currency.REAL:
            yield ListedDeed("deposit", "Take money to the bank …")
            yield ListedDeed("reconcile", "Hold a statement against the books …")
            if state.cage_advance >= CENT:
                yield ListedDeed("reimburse", "Pay the cage back …")
        yield ListedDeed("add-seed", "Add seed money …")
        yield ListedDeed("recover-seed", "Recover seed money …")
        yield ListedDeed("correct", "Correct a malfunction …")
        yield ListedDeed("to-the-cap", "Lower the display to the cap …")
        yield ListedDeed("not-displayed", "Book money not displayed …")
    if not state.removed:
        for meter in state.meters:
            yield ListedDeed(f"change/{meter.name}", f"Change what is set on {meter.name} …")
            if state.waiting_for(meter.name):
                yield ListedDeed(f"take-back/{meter.name}", f"Take back the change of {meter.name} …")
        for offer in state.setup["offers"]:
            fixed = [event for event, amount in offer["bonuses"].items() if "%" not in amount]
            for event in fixed:
                yield ListedDeed(f"bonus/{offer['game']}.{event}", f"Change the amount for {event.replace('-', ' ')} …")
        if state.kind is JackpotKind.BONUS:
            yield ListedDeed("remove", "Remove it for good …")
        yield ListedDeed("enable", "Bring it back …") if state.disabled else ListedDeed("disable", "Disable it …")


def parameter_words(one: Parameters) -> tuple[str, ...]:
    """What the operator set on a level, in the order of the table's head."""
    ceiling = "none" if one.ceiling is None else books(one.ceiling)
    least = shown(one.minimum) if one.minimum else "any"
    return rate(one.contribution), rate(one.reserve), books(one.seed), ceiling, least


def parameter_lines(state: JackpotState) -> Iterator[tuple[str, ...]]:
    """Each level, and the change that waits for its reset."""
    for meter in state.meters:
        yield meter.name, *parameter_words(meter.parameters)
        if waiting := state.waiting_for(meter.name):
            yield f"{meter.name}, after the reset", *parameter_words(waiting.after)


def deposit_words(due: DepositDue | None) -> str:
    """Until when money has to be at the bank; nothing where none waits."""
    if due is None:
        return ""
    late = f", overdue by {due.overdue_days} days" if due.overdue_days else ""
    return f"{books(due.amount)} to deposit by {due.by}{late}; the oldest of it waits since {due.since}."


def history_page(floor: Floor, jackpot: str, before: int | None, each_round: bool) -> HistoryPage:
    """Every change, from some event back."""
    some = _ROUNDS_A_PAGE if each_round else _EVENTS_A_PAGE
    events = list(islice(newest_first(floor.ledger, jackpot_chain(jackpot), before), some))
    readings = partial(reading_taken, floor.ledger)
    lines = change_lines(events, each_round=each_round, readings=readings)
    told = tuple((line, floor.calendar.told(line.time)[:16]) for line in lines)
    return HistoryPage(told, _next(events))


def _next(events: list[Event]) -> int:
    return events[-1].sequence if events and events[-1].sequence > 1 else 0


def _now(house: House, caller: Caller, jackpot: str) -> str:
    floor = house.floor
    state = floor.jackpot(jackpot)
    reports = reports_on(floor.room().reports, jackpot, state.tables)
    return office_part(
        "office/jackpot_now.html",
        may_open=caller.may_open,
        state=state,
        stands=jackpot_stands(state),
        growing=state.kind is JackpotKind.PROGRESSIVE,
        room_money=Currency.REAL,
        deposit=deposit_words(floor.deposit_due(jackpot)),
        surplus=surplus_words(state.surplus) if state.surplus else "",
        reports=[(one, clock_words(one, house.clock())) for one in reports],
        cards_told=cards_told,
    )


def board(house: House, caller: Caller, jackpot: str) -> Board:
    """A jackpot as long as its page is open."""
    house.floor.jackpot(jackpot)
    return Board(follow(jackpot_chain(jackpot), ROOM), partial(_now, house, caller, jackpot))


def _whole(house: House, caller: Caller, jackpot: str, before: int | None, each_round: bool) -> dict[str, Any]:
    floor = house.floor
    state = floor.jackpot(jackpot)
    growing = state.kind is JackpotKind.PROGRESSIVE
    return {
        "state": state,
        "setup": jackpot_setup_from(state.setup),
        "no_tables": _no_tables(state, floor),
        "now": _now(house, caller, jackpot),
        "deeds": tuple(deeds_of(state)),
        "parameters": tuple(parameter_lines(state)),
        "seed_name": "Reset to" if growing else "Amount",
        "history": history_page(floor, jackpot, before, each_round),
        "each_round": each_round,
        "said": floor.calendar.said,
    }


def _no_tables(state: JackpotState, floor: Floor) -> str:
    """Of a jackpot on which no table is: whether one ever was."""
    if state.removed:
        return "none: it was removed"
    return "none any more" if _was_linked(state, floor) else "none yet"


def _was_linked(state: JackpotState, floor: Floor) -> bool:
    events = newest_first(floor.ledger, jackpot_chain(state.id))
    return not state.tables and any(event.kind == TableLeft.kind for event in events)


@router.get("/office/jackpots")
async def show_jackpots(request: Request) -> Response:
    """Every jackpot with its meters."""
    house = house_of(request)

    def read() -> list[tuple[JackpotState, Any]]:
        states = [house.floor.jackpot(one) for one in house.floor.jackpots()]
        return [(one, jackpot_stands(one)) for one in states]

    return office_page(request, "office/jackpots.html", jackpots=await house.clerks.look(read))


@router.get("/office/jackpots/{jackpot}")
async def show_jackpot(request: Request, jackpot: str) -> Response:
    """One jackpot in full."""
    house, asked = house_of(request), request.query_params
    before = number_in(asked, "before", 1) if "before" in asked else None
    shown = await house.clerks.look(_whole, house, caller_of(request), jackpot, before, asked.get("rounds") == "each")
    return office_page(request, "office/jackpot.html", **shown)
