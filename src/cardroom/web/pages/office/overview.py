"""The first page of the office: open items, the gaming day with its signed heads, tables, and jackpots."""

from __future__ import annotations

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
from cardroom.web.services.time_format import format_day, format_minute


class HeadsStatusLine(NamedTuple):
    """One sentence about exported heads."""

    sentence: str
    is_late: bool = False
    """Whether someone should look at it."""


CONTACT_OPERATOR: Final = "Tell an operator."
"""The advice for users who cannot change the machine's configuration."""


def heads_status_lines(context: AppContext, caller: RequestCaller) -> list[HeadsStatusLine]:
    """The newest signed heads, and each destination. Only operators see folders, command lines, and addresses; the
    others see the kind of destination and whether it is late."""
    destinations, calendar = context.head_exporter.destination, context.card_room.calendar
    if not destinations:
        return [HeadsStatusLine("Signed heads are not exported. The machine's configuration names no destination.")]
    status = context.card_room.heads.read_status(destinations)
    is_detailed = caller.may(Permission.SET_UP_ROOM)
    error = status.error if is_detailed else CONTACT_OPERATOR
    lines = [HeadsStatusLine(f"Heads cannot be signed now. {error}", is_late=True)] if status.error else []
    if status.head is None:
        return lines or [HeadsStatusLine("No heads have been signed yet.")]
    lines.append(HeadsStatusLine(f"The newest heads were signed on {format_minute(calendar, status.head.time)}."))
    lines += [_status_line(destination, status.head.size, calendar, is_detailed) for destination in status.destinations]
    if status.cosigned is not None:
        lines.append(HeadsStatusLine(f"The witness last cosigned on {format_minute(calendar, status.cosigned.time)}."))
    return lines


def _status_line(destination: DestinationState, size: int, calendar: Calendar, is_detailed: bool) -> HeadsStatusLine:
    name = f"The {destination.kind} {destination.where}" if is_detailed else f"The {destination.kind}"
    if destination.error:
        when = f" Last attempt: {format_minute(calendar, destination.time)}." if destination.time else ""
        return HeadsStatusLine(
            f"{name} is late. {destination.error if is_detailed else CONTACT_OPERATOR}{when}", is_late=True
        )
    return HeadsStatusLine(
        f"{name} has them." if destination.size == size else f"{name} receives them with the next export."
    )


router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
_ITEM_URLS: Final = {
    DayOpenItemKind.RECOVERY: "/office/users/{of}/acknowledge",
    DayOpenItemKind.CLAIM: "/office/jackpots/{of}#claims",
    DayOpenItemKind.REPORT: "/office/malfunctions",
    DayOpenItemKind.BROKEN: "/office/ledger/tabulator:{of}",
    DayOpenItemKind.DEVICE_BLOCKED: "/office/devices#at-{of}",
    DayOpenItemKind.DEPOSIT: "/office/jackpots/{of}/deposit",
    DayOpenItemKind.RECONCILIATION: "/office/jackpots/{of}/reconcile",
    DayOpenItemKind.SURPLUS: "/office/jackpots/{of}/reconcile",
    DayOpenItemKind.CHANGE: "/office/jackpots/{of}#history",
}
"""The page on which an open item is handled."""
_LOW_PRIORITY: Final = {
    DayOpenItemKind.DEPOSIT,
    DayOpenItemKind.RECONCILIATION,
    DayOpenItemKind.SURPLUS,
    DayOpenItemKind.CHANGE,
}


class OpenItem(NamedTuple):
    """An open item on the page."""

    kind: str
    subject: str
    description: str
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
    """The number of taken seats; at a live table, the positions in play."""
    rounds: int
    """The number of rounds dealt."""
    last_round: str


class DayView(NamedTuple):
    """The gaming day: the open one, or the last one."""

    snapshot: GamingDay | None
    name: str
    """Its date, such as 11/17/2026; empty before the first day."""
    opened: str
    closed: str
    is_open: bool
    today: str


def list_open_items(card_room: CardRoom) -> list[OpenItem]:
    """The open items, each with the page on which it is handled."""
    open_items = card_room.days.list_open_items()
    return [
        OpenItem(str(item.what), item.of, _describe_item(card_room, item), _ITEM_URLS[item.what].format(of=item.of))
        for item in open_items
    ]


def list_device_items(monitor: DeviceMonitor) -> list[OpenItem]:
    """Devices that are silent or send invalid requests. Devices on hold are open items of the ledger."""
    return [
        OpenItem(
            f"device {device.status}",
            device.registration.table,
            f"{device.device}, {device.registration.kind.text}. {device.description}",
            f"/office/devices#at-{device.registration.table}",
        )
        for device in monitor.list_problems()
        if device.status is not DeviceStatus.HELD_UP
    ]


def list_all_items(context: AppContext) -> list[OpenItem]:
    """All open items. Devices come before items that can wait until the bank opens."""
    items = list_open_items(context.card_room)
    can_wait = [item for item in items if item.kind in _LOW_PRIORITY]
    return [*(item for item in items if item not in can_wait), *list_device_items(context.device_monitor), *can_wait]


def _describe_item(card_room: CardRoom, item: DayOpenItem) -> str:
    """The description of an open item, with a claim's number in place of its id."""
    if item.what is not DayOpenItemKind.CLAIM:
        return item.words
    claims = card_room.jackpot(item.of).claims
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
    """The seats of a table. At a live table the program knows only the positions of the current round."""
    if state.terms.mode is not DealingMode.LIVE:
        return f"{len(state.seats)} of {state.open_table.table.seats}"
    if state.live is None:
        return "in person"
    return f"{', '.join(map(str, state.live.positions))} in play"


def list_office_tables(card_room: CardRoom) -> list[OfficeTable]:
    """Every table except practice tables."""
    return [
        office_table(card_room.table(table)) for table in card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX)
    ]


def day_view(card_room: CardRoom, calendar: Calendar, now: int) -> DayView:
    """The gaming day now."""
    days = card_room.room().days
    day = days.open or days.closed
    day_snapshot = get_gaming_day(card_room.ledger, day) if day else None
    opened = format_minute(calendar, day_snapshot.opened) if day_snapshot else ""
    closed = format_minute(calendar, day_snapshot.closed.time) if day_snapshot and day_snapshot.closed else ""
    name = format_day(day) if day else ""
    return DayView(day_snapshot, name, opened, closed, days.open is not None, format_day(calendar.day_of(now)))


def live_page(context: AppContext, caller: RequestCaller) -> LivePage:
    """The live first page."""

    def draw() -> str:
        card_room, calendar = context.card_room, context.card_room.calendar
        jackpots = [
            (card_room.jackpot(jackpot), summarize_jackpot(card_room.jackpot(jackpot)))
            for jackpot in card_room.list_jackpots()
        ]
        return render_office_part(
            "office/overview_now.html",
            may_open=caller.may_open,
            open_items=list_all_items(context),
            tables=list_office_tables(card_room),
            live=DealingMode.LIVE,
            jackpots=jackpots,
            day=day_view(card_room, calendar, context.clock()),
            heads=heads_status_lines(context, caller),
            zone_text=calendar.zone_text,
            room=card_room.room().settings.name,
        )

    def follows(chain: str) -> bool:
        return not chain.startswith((f"table:{PRACTICE_PREFIX}", "player:", CONTACTS_CHANGED))

    return LivePage((), draw, follows)


@router.get("/office")
async def show_office(request: Request) -> Response:
    """The first page."""
    context = get_app_context(request)
    html = await context.executors.query(live_page(context, get_caller(request)).render)
    return render_office_page(request, "office/overview.html", now=html)
