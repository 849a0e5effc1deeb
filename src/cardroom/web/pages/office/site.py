"""Opening and closing gaming days, and the card room's settings, which two people change."""

from __future__ import annotations

from contextlib import suppress
from functools import partial
from typing import Any, Final

from fastapi import APIRouter, Request, Response

from cardroom.heads.destinations import HeadsNotDelivered
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
from cardroom.web.services.time_format import DAY_HINT, format_day, format_minute, iso_day, parse_typed_day

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)


def _open_action(context: AppContext) -> OfficeAction:
    card_room = context.card_room
    opened = card_room.room().days.open
    day = next_day(card_room.room().days, card_room.calendar.day_of(context.clock()))

    def open_gaming_day(id: str, user: str, values: FormValues) -> object:
        return card_room.days.open(id, user, iso_day(values.get("day", "")) or None)

    return OfficeAction(
        title="Open a gaming day",
        consequences=(
            "Reports, deposits, and heads use this day until it is closed.",
            "Events since the last day was closed belong to it.",
            "Play is not affected.",
        ),
        fields=(FormField("day", "Day", DAY_HINT, format_day(day), parse=parse_typed_day),),
        refusal_fields=((BadDayChange, "day"),),
        unavailable_reason=(
            f"Gaming day {format_day(opened)} is still open. Close it first, on the first page of the office."
            if opened
            else ""
        ),
        button="Open the day",
        back="/office",
        do=open_gaming_day,
        chains=(ROOM_CHAIN,),
    )


def _close_action(context: AppContext, caller: RequestCaller) -> OfficeAction:
    card_room = context.card_room
    days, open_items = card_room.room().days, card_room.days.list_open_items()
    return OfficeAction(
        title="Close the gaming day",
        consequences=(
            (
                f"Gaming day {format_day(days.open) if days.open else ''} closes permanently, after the last event of "
                "every chain."
            ),
            f"The day report lists {len(open_items)} open item{'s' * (len(open_items) != 1)}.",
            *(line.sentence for line in heads_status_lines(context, caller)),
            "Play continues. Events from now on belong to the next day.",
        ),
        button="Close the day",
        back="/office",
        do=lambda id, user, _: _close_gaming_day(context, id, user),
        chains=(ROOM_CHAIN,),
        danger=True,
        unavailable_reason=""
        if days.open
        else "No gaming day is open. Open one first, on the first page of the office.",
    )


def _close_gaming_day(context: AppContext, id: str, user: str) -> object:
    closed = context.card_room.days.close(id, user)
    with suppress(HeadsNotDelivered):  # the day is closed; the office shows which destination is late and why
        context.card_room.heads.send(f"{id} heads", user, context.head_exporter.destination)
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
    "name": ("Name", "Printed on slips and day reports."),
    "time_zone": ("Time zone", "For all times and gaming days."),
    "day_starts": ("Gaming day starts at", "On a 24-hour clock, such as 06:00."),
    "dealer_pays": (
        "Dealer payout limit",
        "The most that a dealer pays one winner of a round alone. More needs a second person.",
    ),
    "rounds_an_hour": ("Max. rounds per hour", "A counter that advances faster needs two people."),
}


def _change_action(card_room: CardRoom) -> OfficeAction:
    current = site_settings_to_mapping(card_room.room().settings)

    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.site.configure(
            id, user, _read_settings(current, values), values.get("why", ""), second=values.get(SECOND, "")
        )

    consequences = (
        "The settings apply to every table and jackpot from now on. Earlier events do not change.",
        "A new time zone or start time changes how future gaming days are counted.",
    )
    fields = tuple(
        FormField(name, *_SETTING_LABELS[name], value=str(value), parse=partial(_settings_with, current, name))
        for name, value in current.items()
    )
    action = OfficeAction(
        "Change the card room's settings",
        consequences,
        "Save the settings",
        PAGE,
        do,
        (*fields, REASON_FIELD),
        needs_second_person=True,
        danger=True,
    )
    starting_state = "; ".join(f"{name} {value}" for name, value in current.items())
    return action._replace(
        chains=(ROOM_CHAIN,), dual_control_subject="the card room's settings", starting_state=starting_state
    )


def _settings_with(current: dict[str, Any], name: str, text: str) -> SiteSettings:
    """The settings with one changed value, so that a refusal belongs to its field."""
    return _read_settings(current, {name: text})


def _read_settings(current: dict[str, Any], values: FormValues) -> SiteSettings:
    """The settings from the form, parsed like the setup file."""
    texts: dict[str, Any] = {name: values.get(name, str(current[name])).strip() for name in current}
    rounds = texts["rounds_an_hour"]
    if rounds.isascii() and rounds.isdigit() and len(rounds) < 9:
        texts["rounds_an_hour"] = int(rounds)
    return site_settings_from_mapping({**current, **texts})


@router.get(PAGE)
async def show_room(request: Request) -> Response:
    """The settings and every change."""
    context = get_app_context(request)

    def read() -> dict[str, Any]:
        card_room = context.card_room
        current = site_settings_to_mapping(card_room.room().settings)
        changes = [
            (format_minute(card_room.calendar, event.time), event)
            for event in reversed(card_room.site.list_room_changes())
        ]
        return {"settings": [(_SETTING_LABELS[name], value) for name, value in current.items()], "changes": changes}

    return render_office_page(request, "office/room.html", **await context.executors.query(read))


@router.api_route(f"{PAGE}/change", methods=["GET", "POST"])
async def change_settings(request: Request) -> Response:
    """The form to change the settings, and its execution."""
    context = get_app_context(request)
    action = await context.executors.query(_change_action, context.card_room)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
