"""Signed heads as the office shows them: how old the newest are, and which destination is late.

The first page of the office: what is open now, the tables, the jackpots, the day.
"""

from __future__ import annotations

from datetime import date
from typing import Final, NamedTuple

from fastapi import APIRouter, Request, Response

from cardroom.room.setup.calendar import Calendar
from cardroom.room.site.events import DayOpenItem, DayOpenItemKind
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.user.permissions import Permission
from cardroom.service import CardRoom, DealingMode, TableState
from cardroom.service.commands.heads import DestinationState
from cardroom.service.json_output import summarize_jackpot
from cardroom.service.queries.site import GamingDay, get_gaming_day
from cardroom.web.middleware.permissions import RequestCaller, get_caller
from cardroom.web.pages.office.frame import OfficeRoute, render_office_page, render_office_part
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.device_monitor import CONTACTS_CHANGED, DeviceMonitor, DeviceStatus
from cardroom.web.services.live_pages import LivePage


class HeadsStatusLine(NamedTuple):
    """One sentence about exported heads."""

    sentence: str
    is_late: bool = False
    """Whether someone should look at it."""


CONTACT_OPERATOR: Final = "Tell an operator."
"""What a person does who cannot change the machine's configuration."""


def heads_status_lines(context: AppContext, caller: RequestCaller) -> list[HeadsStatusLine]:
    """The newest signed heads, and each destination. Only operators see folders, command lines, and addresses; the
    others see the kind of destination and whether it is late."""
    to, calendar = context.head_exporter.destination, context.floor.calendar
    if not to:
        return [HeadsStatusLine("No signed heads leave this machine: its configuration names no destination.")]
    status = context.floor.read_heads_status(to)
    is_detailed = caller.may(Permission.SET_UP_ROOM)
    error = status.error if is_detailed else CONTACT_OPERATOR
    lines = [HeadsStatusLine(f"No heads are signed now. {error}", is_late=True)] if status.error else []
    if status.head is None:
        return lines or [HeadsStatusLine("No heads were signed yet.")]
    lines.append(HeadsStatusLine(f"The newest heads were signed at {calendar.format_time(status.head.time)[:16]}."))
    lines += [_status_line(destination, status.head.size, calendar, is_detailed) for destination in status.destinations]
    if status.cosigned is not None:
        lines.append(
            HeadsStatusLine(f"The witness cosigned last at {calendar.format_time(status.cosigned.time)[:16]}.")
        )
    return lines


def _status_line(destination: DestinationState, size: int, calendar: Calendar, is_detailed: bool) -> HeadsStatusLine:
    name = f"The {destination.kind} {destination.where}" if is_detailed else f"The {destination.kind}"
    if destination.error:
        when = f" Tried last at {calendar.format_time(destination.time)[:16]}." if destination.time else ""
        return HeadsStatusLine(
            f"{name} is late. {destination.error if is_detailed else CONTACT_OPERATOR}{when}", is_late=True
        )
    return HeadsStatusLine(
        f"{name} has them." if destination.size == size else f"{name} gets them with the next export."
    )


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_ITEM_URLS: Final = {
    DayOpenItemKind.RECOVERY: "/office/people/{of}/acknowledge",
    DayOpenItemKind.CLAIM: "/office/jackpots/{of}#claims",
    DayOpenItemKind.REPORT: "/office/malfunctions",
    DayOpenItemKind.BROKEN: "/office/ledger/tabulator:{of}",
    DayOpenItemKind.DEVICE_BLOCKED: "/office/devices#at-{of}",
    DayOpenItemKind.DEPOSIT: "/office/jackpots/{of}/deposit",
    DayOpenItemKind.RECONCILIATION: "/office/jackpots/{of}/reconcile",
    DayOpenItemKind.SURPLUS: "/office/jackpots/{of}/reconcile",
    DayOpenItemKind.CHANGE: "/office/jackpots/{of}#history",
}
"""Where an open matter is seen to."""
_LOW_PRIORITY: Final = {
    DayOpenItemKind.DEPOSIT,
    DayOpenItemKind.RECONCILIATION,
    DayOpenItemKind.SURPLUS,
    DayOpenItemKind.CHANGE,
}


class OpenItem(NamedTuple):
    """Something that waits for people."""

    kind: str
    subject: str
    words: str
    address: str


class OfficeTable(NamedTuple):
    """A table as the office lists it."""

    table: str
    game: str
    mode: str
    money: str
    phase: str
    pause_reason: str
    """Why it is paused or closed."""
    seats: str
    """How many are taken; at a live table, the positions in play."""
    rounds: int
    """How many have been dealt."""
    last_round: str


class DayView(NamedTuple):
    """The gaming day: the one that is open, or else the last one."""

    snapshot: GamingDay | None
    opened: str
    closed: str
    is_open: bool
    today: date


def list_open_items(floor: CardRoom) -> list[OpenItem]:
    """What is open, each with the page on which it is seen to."""
    open_items = floor.list_open_items()
    return [
        OpenItem(str(item.what), item.of, _describe_item(floor, item), _ITEM_URLS[item.what].format(of=item.of))
        for item in open_items
    ]


def list_device_items(hearing: DeviceMonitor) -> list[OpenItem]:
    """Devices that have fallen silent or send nonsense; those that are held up are open matters of the books."""
    return [
        OpenItem(
            f"device {device.status}",
            device.registration.table,
            f"{device.device}, {device.registration.kind.text}. {device.description}",
            f"/office/devices#at-{device.registration.table}",
        )
        for device in hearing.list_problems()
        if device.status is not DeviceStatus.HELD_UP
    ]


def list_all_items(context: AppContext) -> list[OpenItem]:
    """Devices stand among what cannot wait until the bank opens."""
    items = list_open_items(context.floor)
    can_wait = [item for item in items if item.kind in _LOW_PRIORITY]
    return [*(item for item in items if item not in can_wait), *list_device_items(context.device_monitor), *can_wait]


def _describe_item(floor: CardRoom, item: DayOpenItem) -> str:
    """As the floor says it; but people know a claim by its number, and not by its id."""
    if item.what is not DayOpenItemKind.CLAIM:
        return item.words
    claims = floor.jackpot(item.of).claims
    replacements = ((f"claim {claim.id} of ", f"claim {claim.order} of ") for claim in claims)
    return next(
        (new + item.words.removeprefix(old) for old, new in replacements if item.words.startswith(old)), item.words
    )


def office_table(state: TableState) -> OfficeTable:
    """A table as the office lists it."""
    return OfficeTable(
        table=state.table,
        game=state.game.facts.name,
        mode=str(state.terms.mode),
        money=state.terms.money.label,
        phase=str(state.phase),
        pause_reason=str(state.closed or state.paused or ""),
        seats=_describe_seats(state),
        rounds=state.rounds,
        last_round=state.last_round or "",
    )


def _describe_seats(state: TableState) -> str:
    """Players at a live table sit in person: the program knows the positions of the round that is dealt."""
    if state.terms.mode is not DealingMode.LIVE:
        return f"{len(state.seats)} of {state.open_table.table.seats}"
    if state.live is None:
        return "in person"
    return f"{', '.join(map(str, state.live.positions))} in play"


def list_office_tables(floor: CardRoom) -> list[OfficeTable]:
    """Every table but the practice tables of players."""
    return [office_table(floor.table(table)) for table in floor.read_table_versions(excluded_prefix=PRACTICE_PREFIX)]


def day_view(floor: CardRoom, calendar: Calendar, now: int) -> DayView:
    """The gaming day as it stands."""
    days = floor.room().days
    day = days.open or days.closed
    day_snapshot = get_gaming_day(floor.ledger, day) if day else None
    opened = calendar.format_time(day_snapshot.opened)[:16] if day_snapshot else ""
    closed = calendar.format_time(day_snapshot.closed.time)[:16] if day_snapshot and day_snapshot.closed else ""
    return DayView(day_snapshot, opened, closed, days.open is not None, calendar.day_of(now))


def live_page(context: AppContext, caller: RequestCaller) -> LivePage:
    """The first page as long as it is open."""

    def draw() -> str:
        floor, calendar = context.floor, context.floor.calendar
        jackpots = [
            (floor.jackpot(jackpot), summarize_jackpot(floor.jackpot(jackpot))) for jackpot in floor.list_jackpots()
        ]
        return render_office_part(
            "office/overview_now.html",
            may_open=caller.may_open,
            matters=list_all_items(context),
            tables=list_office_tables(floor),
            live=DealingMode.LIVE,
            jackpots=jackpots,
            day=day_view(floor, calendar, context.clock()),
            heads=heads_status_lines(context, caller),
            said=calendar.zone_text,
            room=floor.room().settings.name,
        )

    def follows(chain: str) -> bool:
        return not chain.startswith((f"table:{PRACTICE_PREFIX}", "player:", CONTACTS_CHANGED))

    return LivePage(follows, draw)


@router.get("/office")
async def show_office(request: Request) -> Response:
    """What is open now."""
    context = get_app_context(request)
    html = await context.executors.query(live_page(context, get_caller(request)).render)
    return render_office_page(request, "office/overview.html", now=html)
