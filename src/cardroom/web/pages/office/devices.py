"""Devices: their status; adding, removing, and new tokens. Only the response to the form shows a token, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.room.setup.tabulator_models import (
    BadDevice,
    DeviceKind,
    parse_device_kind,
    refuse_unfit_device,
    require_device_name,
)
from cardroom.room.site.device import (
    DeviceNameInUse,
    SecondCountingDevice,
    refuse_second_counter,
    refuse_used_name,
    require_blocked_device,
)
from cardroom.room.table.reducer import PRACTICE_PREFIX
from cardroom.room.tabulator.data_logger import skip_records
from cardroom.service import CardRoom, DealingMode, DeviceTokenResult
from cardroom.service.chains.names import ROOM_CHAIN, tabulator_chain
from cardroom.web.middleware.permissions import RequestCaller, get_caller
from cardroom.web.pages.office.actions import (
    FormField,
    FormValues,
    OfficeAction,
    perform_action,
    refusal_text,
    second_person,
    show_action,
)
from cardroom.web.pages.office.frame import OfficeRoute, PageNotFound, render_office_page, render_office_part
from cardroom.web.pages.office.rate_changes import REASON_FIELD
from cardroom.web.pages.requests import get_app_context
from cardroom.web.services.app_context import AppContext
from cardroom.web.services.device_monitor import CONTACTS_CHANGED, DEVICES_CHANGED
from cardroom.web.services.live_pages import LivePage

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/devices"
_KIND_DESCRIPTIONS: Final = {
    DeviceKind.TABULATOR: "It reports each press of the dealer's button and failed lights.",
    DeviceKind.DATA_LOGGER: "It forwards the records in its file and reports failed lights.",
    DeviceKind.LED: "It reads the text that the sign shows. It changes nothing.",
    DeviceKind.MONITOR: "It reads what the table's monitor shows. It changes nothing.",
    DeviceKind.CONSOLE: "It runs the live table step by step, as its dealer does, and claims winning hands.",
}
_KINDS: Final = tuple((str(kind), kind.text) for kind in DeviceKind)
_SHOWN_ONCE_NOTE: Final = "The next page shows the token only once. Have the device ready."


def live_page(context: AppContext, caller: RequestCaller) -> LivePage:
    """The live list of devices."""

    def draw() -> str:
        device_views = context.device_monitor.list_devices()
        by_table = groupby(
            (device for device in device_views if not device.registration.withdrawn),
            key=lambda device: device.registration.table,
        )
        return render_office_part(
            "office/devices_now.html",
            may_open=caller.may_open,
            tables=[(table, list(devices)) for table, devices in by_table],
            removed=[device for device in device_views if device.registration.withdrawn],
            zone_text=context.card_room.calendar.zone_text,
        )

    return LivePage((ROOM_CHAIN, DEVICES_CHANGED, CONTACTS_CHANGED), draw)


@router.get(PAGE)
async def show_devices(request: Request) -> Response:
    """Every device."""
    context = get_app_context(request)
    return render_office_page(
        request,
        "office/devices.html",
        now=await context.executors.query(live_page(context, get_caller(request)).render),
    )


# A new device.


def _possible_tables(card_room: CardRoom) -> list[str]:
    """The tables that can have a device: those with a tabulator or a dealer."""
    tabulators = [table for table in card_room.list_tabulators() if not card_room.tabulator(table).closed]
    states = (card_room.table(table) for table in card_room.read_table_versions(excluded_prefix=PRACTICE_PREFIX))
    live_tables = [table.table for table in states if table.terms.mode is DealingMode.LIVE and not table.closed]
    return sorted({*tabulators, *live_tables})


def _refuse_unsuitable_table(card_room: CardRoom, kind: DeviceKind, table: str) -> None:
    """Refuse a kind that the table's tabulator does not have."""
    if kind is not DeviceKind.CONSOLE:
        refuse_unfit_device(kind, table, card_room.tabulator(table).tabulator.table.model)


def _faults(card_room: CardRoom, values: FormValues) -> dict[str, str]:
    """The errors of a new device, by field."""
    devices, table = card_room.list_devices(), values.get("table", "")
    if table not in _possible_tables(card_room):
        return {
            "table": "A device needs a table with a tabulator or a dealer. Choose one of "
            f"{', '.join(_possible_tables(card_room))}."
        }
    kind, name = parse_device_kind(values.get("kind", "")), require_device_name(values.get("device", "").strip())
    faults_by_field = {
        "kind": refusal_text(lambda: _refuse_unsuitable_table(card_room, kind, table))
        or refusal_text(lambda: refuse_second_counter(devices, kind, table)),
        "device": refusal_text(lambda: refuse_used_name(devices, name)),
    }
    return {field: sentence for field, sentence in faults_by_field.items() if sentence}


def _preview_sentences(card_room: CardRoom, values: FormValues) -> tuple[str, ...]:
    kind, table, name = (
        parse_device_kind(values.get("kind", "")),
        values.get("table", ""),
        values.get("device", "").strip(),
    )
    if name and (faults := _faults(card_room, values)):
        return tuple(f"This would be refused: {sentence}" for sentence in faults.values())
    return (
        (
            f"{name or 'The device'} works for {table} as its {kind.text}, and for no other table. "
            f"{_KIND_DESCRIPTIONS[kind]}"
        ),
    )


def _register_action(card_room: CardRoom, table: str) -> OfficeAction:
    places = _possible_tables(card_room)

    def do(id: str, user: str, typed: FormValues) -> DeviceTokenResult:
        name = typed.get("device", "").strip()
        return card_room.register_device(id, user, typed.get("table", ""), name, typed.get("kind", ""))

    fields = (
        FormField(
            "table",
            "Table",
            options=tuple((table, table) for table in places),
            value=table or places[0] if places else "",
        ),
        FormField("kind", "Kind", options=_KINDS, value=DeviceKind.TABULATOR, parse=parse_device_kind),
        FormField("device", "Name", "Such as the number on its case.", parse=require_device_name),
    )
    refusal_fields = (
        (DeviceNameInUse, "device"),
        (SecondCountingDevice, "kind"),
        (BadDevice, "kind"),
        (BadInput, "table"),
    )
    return OfficeAction(
        "Add a device",
        (_SHOWN_ONCE_NOTE,),
        "Add it and show its token",
        PAGE,
        do,
        fields=fields,
        unavailable_reason="" if places else "No table has a tabulator or a dealer. Set one up first.",
        refusal_fields=refusal_fields,
        fields_at_fault=lambda values, _: _faults(card_room, values),
        chains=(ROOM_CHAIN,),
        preview=partial(_preview_sentences, card_room),
        render_result=_show_token,
    )


def _show_token(request: Request, issued: DeviceTokenResult, id: str) -> Response:
    """The page with the token. If the form is sent again, the page says that the token was already shown."""
    return render_office_page(request, "office/token.html", issued=issued, done=id)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register(request: Request) -> Response:
    """The form to add a device, and its execution."""
    context = get_app_context(request)
    action = await context.executors.query(_register_action, context.card_room, request.query_params.get("table", ""))
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


# An existing device.


def _device_action(
    card_room: CardRoom, device: str, title: str, button: str, consequences: tuple[str, ...], do: Callable[..., object]
) -> OfficeAction:
    registration = card_room.get_device(device)
    removed_text = f"Device {device} was already removed ({registration.withdrawn})." if registration.withdrawn else ""
    action = OfficeAction(
        f"{title} {device}",
        consequences,
        button,
        f"{PAGE}#at-{registration.table}",
        do,
        fields=(REASON_FIELD,),
        unavailable_reason=removed_text,
    )
    return action._replace(
        chains=(ROOM_CHAIN, tabulator_chain(registration.table)), starting_state=str(registration.generation)
    )


def _renew_action(card_room: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> DeviceTokenResult:
        return card_room.renew_device_token(id, user, device, values.get("why", ""))

    consequences = (
        f"The old token of {device} stops working at once. The device is refused until it has the new one.",
        _SHOWN_ONCE_NOTE,
    )
    return _device_action(card_room, device, "New token for", "Issue a new token", consequences, do)._replace(
        render_result=_show_token
    )


def _withdraw_action(card_room: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.withdraw_device(id, user, device, values.get("why", ""))

    registration = card_room.get_device(device)
    counting_note = (
        f" Until another device is added, wagers at {registration.table} are counted only by hand."
        * registration.kind.is_counting
    )
    consequences = (
        f"{device} no longer works for {registration.table}, and its token never works again.{counting_note}",
        "If you add it again under its name, it gets a new token.",
    )
    return _device_action(card_room, device, "Remove", "Remove it", consequences, do)._replace(danger=True)


def _accept_gap_action(card_room: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.accept_logger_gap(id, user, device, values.get("why", ""), second=second_person(values))

    hold = card_room.get_device(device).held_up
    gap = hold.gap if hold else None
    gap_note = "The missing records are skipped permanently. The counter reading after the gap covers the lost rounds."
    consequences = (hold.why, gap_note) if hold else (gap_note,)
    action = _device_action(card_room, device, "Accept the gap of", "Accept the gap", consequences, do)
    unavailable_reason = f"Device {device} has no gap to accept."
    if gap is not None:
        unit = card_room.tabulator(card_room.get_device(device).table).tabulator
        unavailable_reason = refusal_text(
            lambda: skip_records(unit, gap.mark, who="the first", second="the second", why="preview")
        )
    action = action._replace(
        needs_second_person=True, dual_control_subject="skipped records of a data logger", danger=True
    )
    return action._replace(
        unavailable_reason=action.unavailable_reason or unavailable_reason, starting_state=hold.why if hold else ""
    )


def _accept_rounds_action(card_room: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        rounds, reason = parse_integer(values.get("rounds", "").strip()), values.get("why", "")
        return card_room.accept_device_rounds(id, user, device, rounds, reason, second=second_person(values))

    hold = card_room.get_device(device).held_up
    consequences = (
        hold.why if hold else f"Device {device} is not on hold.",
        "This number of held rounds is counted when the device sends them again, each once.",
        "Compare the unit's counter with your records before you accept them.",
    )
    action = _device_action(card_room, device, "Accept rounds of", "Accept the rounds", consequences, do)
    rounds = FormField("rounds", "Rounds", "How many to accept.", value="1", parse=parse_integer)
    subject = "held rounds of a device"
    action = action._replace(
        fields=(rounds, REASON_FIELD), needs_second_person=True, dual_control_subject=subject, danger=True
    )
    return action._replace(
        unavailable_reason=action.unavailable_reason
        or refusal_text(lambda: require_blocked_device(card_room.list_devices(), device))
    )


def _refuse_rounds_action(card_room: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return card_room.refuse_device_rounds(id, user, device, values.get("why", ""), second=second_person(values))

    hold = card_room.get_device(device).held_up
    consequences = (
        hold.why if hold else f"Device {device} is not on hold.",
        "The held rounds are never counted. The device is removed, and its token never works again.",
        "Clear the rounds stored in the device before you add it again.",
    )
    action = _device_action(card_room, device, "Refuse rounds of", "Refuse the rounds", consequences, do)
    action = action._replace(needs_second_person=True, dual_control_subject="held rounds of a device", danger=True)
    return action._replace(
        unavailable_reason=action.unavailable_reason
        or refusal_text(lambda: require_blocked_device(card_room.list_devices(), device))
    )


def parse_integer(text: str) -> int:
    """A whole number of at most nine digits."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise BadInput("Type a whole number, such as 12.")
    return int(text)


ACTIONS: Final[Mapping[str, Callable[[CardRoom, str], OfficeAction]]] = {
    "renew": _renew_action,
    "withdraw": _withdraw_action,
    "accept-gap": _accept_gap_action,
    "accept-rounds": _accept_rounds_action,
    "refuse-rounds": _refuse_rounds_action,
}


@router.api_route(f"{PAGE}/{{device}}/{{action_name}}", methods=["GET", "POST"])
async def perform_device_action(request: Request, device: str, action_name: str) -> Response:
    """The form of an action with a device, and its execution."""
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a device: its pages are {', '.join(ACTIONS)}.")
    context = get_app_context(request)
    action = await context.executors.query(ACTIONS[action_name], context.card_room, device)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
