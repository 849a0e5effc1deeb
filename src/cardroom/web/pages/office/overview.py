"""The first page of the office: what is open now, the tables, the jackpots, the day."""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.floor import FeltState, Floor, Mode
from cardroom.floor.entries import jackpot_stands
from cardroom.floor.felt.naming import PRACTICE
from cardroom.floor.kept.days import KeptDay, kept_day
from cardroom.jackpots.day_end import Matter, OpenMatter
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.web.pages.office.frame import OfficeRoute, office_page, office_part
from cardroom.web.pages.office.heads import heads_lines
from cardroom.web.pages.visitors import house_of
from cardroom.web.rights.caller import Caller, caller_of
from cardroom.web.room.boards import Board
from cardroom.web.room.hearing import HEARD, Hearing, Speech
from cardroom.web.room.house import House

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_WHERE: Final = {
    Matter.RECOVERY: "/office/people/{of}/acknowledge",
    Matter.CLAIM: "/office/jackpots/{of}#claims",
    Matter.REPORT: "/office/malfunctions",
    Matter.BROKEN: "/office/ledger/table:{of}",
    Matter.HELD_UP: "/office/devices#at-{of}",
    Matter.DEPOSIT: "/office/jackpots/{of}/deposit",
    Matter.RECONCILIATION: "/office/jackpots/{of}/reconcile",
    Matter.SURPLUS: "/office/jackpots/{of}/reconcile",
    Matter.CHANGE: "/office/jackpots/{of}#history",
}
"""Where an open matter is seen to."""
_CAN_WAIT: Final = {Matter.DEPOSIT, Matter.RECONCILIATION, Matter.SURPLUS, Matter.CHANGE}


class ListedMatter(NamedTuple):
    """Something that waits for people."""

    what: str
    of: str
    words: str
    address: str


class ListedTable(NamedTuple):
    """A table as the office lists it."""

    table: str
    game: str
    mode: str
    money: str
    phase: str
    why: str
    """Why it is paused or closed."""
    seats: str
    """How many are taken; at a live table, the positions in play."""
    rounds: int
    """How many have been dealt."""
    last_round: str


class ListedDay(NamedTuple):
    """The gaming day: the one that is open, or else the last one."""

    kept: KeptDay | None
    opened: str
    closed: str
    is_open: bool
    today: date


def matters(floor: Floor) -> list[ListedMatter]:
    """What is open, each with the page on which it is seen to."""
    found = floor.open_matters()
    return [
        ListedMatter(str(one.what), one.of, _words(floor, one), _WHERE[one.what].format(of=one.of)) for one in found
    ]


def devices_to_see_to(hearing: Hearing) -> list[ListedMatter]:
    """Devices that have fallen silent or send nonsense; those that are held up are open matters of the books."""
    return [
        ListedMatter(
            f"device {one.speech}",
            one.stands.table,
            f"{one.device}, {one.stands.kind.words}. {one.words}",
            f"/office/devices#at-{one.stands.table}",
        )
        for one in hearing.for_people()
        if one.speech is not Speech.HELD_UP
    ]


def matters_and_devices(house: House) -> list[ListedMatter]:
    """Devices stand among what cannot wait until the bank opens."""
    found = matters(house.floor)
    can_wait = [one for one in found if one.what in _CAN_WAIT]
    return [*(one for one in found if one not in can_wait), *devices_to_see_to(house.hearing), *can_wait]


def _words(floor: Floor, one: OpenMatter) -> str:
    """As the floor says it; but people know a claim by its number, and not by its id."""
    if one.what is not Matter.CLAIM:
        return one.words
    claims = floor.jackpot(one.of).claims
    known = ((f"claim {claim.id} of ", f"claim {claim.order} of ") for claim in claims)
    return next((new + one.words.removeprefix(old) for old, new in known if one.words.startswith(old)), one.words)


def listed_table(state: FeltState) -> ListedTable:
    """A table as the office lists it."""
    return ListedTable(
        table=state.table,
        game=state.game.facts.name,
        mode=str(state.terms.mode),
        money=state.terms.money.label,
        phase=str(state.phase),
        why=str(state.closed or state.paused or ""),
        seats=_seats(state),
        rounds=state.rounds,
        last_round=state.last_round or "",
    )


def _seats(state: FeltState) -> str:
    """Players at a live table sit in person: the program knows the positions of the round that is dealt."""
    if state.terms.mode is not Mode.LIVE:
        return f"{len(state.seats)} of {state.at.table.seats}"
    if state.live is None:
        return "in person"
    return f"{', '.join(map(str, state.live.positions))} in play"


def tables(floor: Floor) -> list[ListedTable]:
    """Every table but the practice tables of players."""
    return [listed_table(floor.felt(one)) for one in floor.felt_versions(besides=PRACTICE)]


def day_listed(floor: Floor, calendar: Calendar, now: int) -> ListedDay:
    """The gaming day as it stands."""
    days = floor.room().days
    wanted = days.open or days.closed
    kept = kept_day(floor.ledger, wanted) if wanted else None
    opened = calendar.told(kept.opened)[:16] if kept else ""
    closed = calendar.told(kept.closed.time)[:16] if kept and kept.closed else ""
    return ListedDay(kept, opened, closed, days.open is not None, calendar.day_of(now))


def board(house: House, caller: Caller) -> Board:
    """The first page as long as it is open."""

    def draw() -> str:
        floor, calendar = house.floor, house.floor.calendar
        jackpots = [(floor.jackpot(one), jackpot_stands(floor.jackpot(one))) for one in floor.jackpots()]
        return office_part(
            "office/overview_now.html",
            may_open=caller.may_open,
            matters=matters_and_devices(house),
            tables=tables(floor),
            live=Mode.LIVE,
            jackpots=jackpots,
            day=day_listed(floor, calendar, house.clock()),
            heads=heads_lines(house, caller),
            said=calendar.said,
            room=floor.room().settings.name,
        )

    def follows(chain: str) -> bool:
        return not chain.startswith((f"felt:{PRACTICE}", "player:", HEARD))

    return Board(follows, draw)


@router.get("/office")
async def show_office(request: Request) -> Response:
    """What is open now."""
    house = house_of(request)
    drawn = await house.clerks.look(board(house, caller_of(request)).draw)
    return office_page(request, "office/overview.html", now=drawn)
