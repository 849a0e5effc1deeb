"""Gaming days: opened, and closed with the line under everything that happened.

What holds in the whole card room: as it is set, every change of it, and changed by two people.
"""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.heads.destinations import HeadsNotDelivered
from cardroom.room.setup.calendar import parse_day
from cardroom.room.setup.site import SiteSettings, site_settings_from_mapping, site_settings_to_mapping
from cardroom.room.site.day import BadDayChange, next_day
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN
from cardroom.web.middleware.permissions import RequestCaller, get_caller
from cardroom.web.pages.office.actions import SECOND, FormField, FormValues, OfficeAction, perform_action, show_action
from cardroom.web.pages.office.frame import OfficeRoute, render_office_page
from cardroom.web.pages.office.overview import heads_status_lines
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)


def _open_action(context: AppContext) -> OfficeAction:
    floor = context.floor
    opened = floor.room().days.open
    day = next_day(floor.room().days, floor.calendar.day_of(context.clock()))

    def open_gaming_day(id: str, user: str, values: FormValues) -> object:
        return floor.open_day(id, user, values.get("day") or None)

    return OfficeAction(
        title="Open a gaming day",
        consequences=(
            "Reports, deposits and heads count by this day until it is closed.",
            "What has happened since the last day was closed belongs to it.",
            "Play is not touched.",
        ),
        fields=(FormField("day", "Day", "As YYYY-MM-DD.", str(day), parse=parse_day),),
        refusal_fields=((BadDayChange, "day"),),
        unavailable_reason=f"The day {opened} is still open: close it first, on the first page of the office."
        if opened
        else "",
        button="Open the day",
        back="/office",
        do=open_gaming_day,
        chains=(ROOM_CHAIN,),
    )


def _close_action(context: AppContext, caller: RequestCaller) -> OfficeAction:
    floor = context.floor
    days, matters = floor.room().days, floor.list_open_items()
    return OfficeAction(
        title="Close the gaming day",
        consequences=(
            f"The day {days.open} is closed: the line is drawn behind the last event of every chain, for good.",
            f"What is open goes into its book: {len(matters)} matter{'s' * (len(matters) != 1)}.",
            *(line.sentence for line in heads_status_lines(context, caller)),
            "Play goes on; what happens from now on belongs to the next day.",
        ),
        button="Close the day",
        back="/office",
        do=lambda id, user, _: _close_gaming_day(context, id, user),
        chains=(ROOM_CHAIN,),
        danger=True,
        unavailable_reason="" if days.open else "No day is open: open one first, on the first page of the office.",
    )


def _close_gaming_day(context: AppContext, id: str, user: str) -> object:
    closed = context.floor.close_day(id, user)
    with suppress(HeadsNotDelivered):  # the day is closed; the office shows which destination is late, and why
        context.floor.send_heads(f"{id} heads", user, context.head_exporter.destination)
    return closed


@router.get("/office/day/open")
async def show_open_form(request: Request) -> Response:
    """The form to open a day."""
    context = get_app_context(request)
    return show_action(request, await context.executors.query(_open_action, context))


@router.post("/office/day/open")
async def open_day(request: Request) -> Response:
    """Open a day."""
    context = get_app_context(request)
    return await perform_action(request, await context.executors.query(_open_action, context))


@router.get("/office/day/close")
async def show_close_form(request: Request) -> Response:
    """The form to close the day."""
    context = get_app_context(request)
    return show_action(request, await context.executors.query(_close_action, context, get_caller(request)))


@router.post("/office/day/close")
async def close_day(request: Request) -> Response:
    """Close the day."""
    context = get_app_context(request)
    return await perform_action(request, await context.executors.query(_close_action, context, get_caller(request)))


PAGE: Final = "/office/room"
_SETTING_LABELS: Final = {
    "name": ("Name", "As it stands on slips and in the day's book."),
    "time_zone": ("Time zone", "In which times are told and days are counted."),
    "day_starts": ("The gaming day starts", "By the room's clock, such as 06:00."),
    "dealer_pays": ("A dealer pays alone", "What one winner may get of one round; more needs a second person."),
    "rounds_an_hour": ("Rounds an hour at most", "A counter that went on by more needs two people."),
}


def _change_action(floor: CardRoom) -> OfficeAction:
    now = site_settings_to_mapping(floor.room().settings)

    def do(id: str, user: str, values: FormValues) -> object:
        return floor.configure_room(
            id, user, _read_settings(now, values), values.get("why", ""), second=values.get(SECOND, "")
        )

    happens = (
        "It holds in the whole room from now on, at every table and jackpot; what happened before stays as it was.",
        "Another clock or another start of the day counts the days to come otherwise.",
    )
    fields = tuple(
        FormField(name, *_SETTING_LABELS[name], value=str(value), parse=partial(_settings_with, now, name))
        for name, value in now.items()
    )
    action = OfficeAction(
        "Change what holds in the room",
        happens,
        "Change it",
        PAGE,
        do,
        (*fields, REASON_FIELD),
        needs_second_person=True,
        danger=True,
    )
    starting_state = "; ".join(f"{name} {value}" for name, value in now.items())
    return action._replace(
        chains=(ROOM_CHAIN,), dual_control_subject="what holds in the whole room", starting_state=starting_state
    )


def _settings_with(now: dict[str, Any], name: str, text: str) -> SiteSettings:
    """The room with this one changed: what is refused then is the fault of this field."""
    return _read_settings(now, {name: text})


def _read_settings(now: dict[str, Any], values: FormValues) -> SiteSettings:
    """What was typed, read like the room's file."""
    texts: dict[str, Any] = {name: values.get(name, str(now[name])).strip() for name in now}
    rounds = texts["rounds_an_hour"]
    if rounds.isascii() and rounds.isdigit() and len(rounds) < 9:
        texts["rounds_an_hour"] = int(rounds)
    return site_settings_from_mapping({**now, **texts})


@router.get(PAGE)
async def show_room(request: Request) -> Response:
    """What holds, and every change of it."""
    context = get_app_context(request)

    def read() -> dict[str, Any]:
        floor = context.floor
        now = site_settings_to_mapping(floor.room().settings)
        changes = [
            (floor.calendar.format_time(event.time)[:16], event) for event in reversed(floor.list_room_changes())
        ]
        return {"settings": [(_SETTING_LABELS[name], value) for name, value in now.items()], "changes": changes}

    return render_office_page(request, "office/room.html", **await context.executors.query(read))


@router.api_route(f"{PAGE}/change", methods=["GET", "POST"])
async def change_settings(request: Request) -> Response:
    """Change what holds, or ask for it."""
    context = get_app_context(request)
    action = await context.executors.query(_change_action, context.floor)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
