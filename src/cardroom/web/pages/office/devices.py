"""Devices: what is heard of each; registered, renewed, withdrawn. A token is on the one page that answers the form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby
from typing import Final

from fastapi import APIRouter, Request, Response

from cardroom.errors import BadInput
from cardroom.room.setup.equipment import (
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
from cardroom.web.services.live_pages import LivePage, follow_chains

router = APIRouter(include_in_schema=False, route_class=OfficeRoute)
PAGE: Final = "/office/devices"
_KIND_DESCRIPTIONS: Final = {
    DeviceKind.TABULATOR: "It posts each press of the dealer's button, and says which lights have failed.",
    DeviceKind.DATA_LOGGER: "It forwards the records of its file, and says which lights have failed.",
    DeviceKind.LED: "It fetches the line that the sign shows. It changes nothing.",
    DeviceKind.MONITOR: "It follows what the table's monitor shows. It changes nothing.",
    DeviceKind.CONSOLE: "It runs the live table step by step, as its dealer does, and claims what hands have won.",
}
_KINDS: Final = tuple((str(kind), kind.text) for kind in DeviceKind)
_SHOWN_ONCE_NOTE: Final = (
    "The page that follows shows its token, once. Have the device at hand: nobody can show it again."
)


def live_page(context: AppContext, caller: RequestCaller) -> LivePage:
    """The list as long as it is open."""

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
            withdrawn=[device for device in device_views if device.registration.withdrawn],
            said=context.floor.calendar.zone_text,
        )

    return LivePage(follow_chains(ROOM_CHAIN, DEVICES_CHANGED, CONTACTS_CHANGED), draw)


@router.get(PAGE)
async def show_devices(request: Request) -> Response:
    """Every device."""
    context = get_app_context(request)
    return render_office_page(
        request,
        "office/devices.html",
        now=await context.executors.query(live_page(context, get_caller(request)).render),
    )


# A new one.


def _possible_tables(floor: CardRoom) -> list[str]:
    """Where a device can stand: at a tabulator, or where a dealer deals."""
    units = [table for table in floor.list_tabulators() if not floor.tabulator(table).closed]
    states = (floor.table(table) for table in floor.read_table_versions(excluded_prefix=PRACTICE_PREFIX))
    live_tables = [table.table for table in states if table.terms.mode is DealingMode.LIVE and not table.closed]
    return sorted({*units, *live_tables})


def _refuse_unsuitable_table(floor: CardRoom, kind: DeviceKind, table: str) -> None:
    """Refuse a kind that the table's tabulator does not have."""
    if kind is not DeviceKind.CONSOLE:
        refuse_unfit_device(kind, table, floor.tabulator(table).tabulator.table.model)


def _faults(floor: CardRoom, values: FormValues) -> dict[str, str]:
    """Everything that stands against it, each beside its field."""
    devices, table = floor.list_devices(), values.get("table", "")
    if table not in _possible_tables(floor):
        return {
            "table": f"A device stands at a tabulator, or where a dealer deals: {', '.join(_possible_tables(floor))}."
        }
    kind, name = parse_device_kind(values.get("kind", "")), require_device_name(values.get("device", "").strip())
    faults_by_field = {
        "kind": refusal_text(lambda: _refuse_unsuitable_table(floor, kind, table))
        or refusal_text(lambda: refuse_second_counter(devices, kind, table)),
        "device": refusal_text(lambda: refuse_used_name(devices, name)),
    }
    return {field: sentence for field, sentence in faults_by_field.items() if sentence}


def _preview_sentences(floor: CardRoom, values: FormValues) -> tuple[str, ...]:
    kind, table, name = (
        parse_device_kind(values.get("kind", "")),
        values.get("table", ""),
        values.get("device", "").strip(),
    )
    if name and (faults := _faults(floor, values)):
        return tuple(f"It would be refused: {sentence}" for sentence in faults.values())
    return (
        (
            f"{name or 'The device'} speaks for {table} as its {kind.text}, and for no other table. "
            f"{_KIND_DESCRIPTIONS[kind]}"
        ),
    )


def _register_action(floor: CardRoom, table: str) -> OfficeAction:
    places = _possible_tables(floor)

    def do(id: str, user: str, typed: FormValues) -> DeviceTokenResult:
        name = typed.get("device", "").strip()
        return floor.register_device(id, user, typed.get("table", ""), name, typed.get("kind", ""))

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
    about = (DeviceNameInUse, "device"), (SecondCountingDevice, "kind"), (BadDevice, "kind"), (BadInput, "table")
    return OfficeAction(
        "Register a device",
        (_SHOWN_ONCE_NOTE,),
        "Register it, and show its token",
        PAGE,
        do,
        fields=fields,
        unavailable_reason="" if places else "No table has a tabulator or a dealer: set one up first.",
        refusal_fields=about,
        fields_at_fault=lambda values, _: _faults(floor, values),
        chains=(ROOM_CHAIN,),
        preview=partial(_preview_sentences, floor),
        render_result=_show_token,
    )


def _show_token(request: Request, issued: DeviceTokenResult, id: str) -> Response:
    """The token; or, when the form comes a second time, that it was shown."""
    return render_office_page(request, "office/token.html", given=issued, done=id)


@router.api_route(f"{PAGE}/new", methods=["GET", "POST"])
async def register(request: Request) -> Response:
    """Register a device, or ask for it."""
    context = get_app_context(request)
    action = await context.executors.query(_register_action, context.floor, request.query_params.get("table", ""))
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)


# One that is there.


def _device_action(
    floor: CardRoom, device: str, title: str, button: str, happens: tuple[str, ...], do: Callable[..., object]
) -> OfficeAction:
    registration = floor.get_device(device)
    withdrawn_text = (
        f"Device {device} was withdrawn already ({registration.withdrawn})." if registration.withdrawn else ""
    )
    action = OfficeAction(
        f"{title} {device}",
        happens,
        button,
        f"{PAGE}#at-{registration.table}",
        do,
        fields=(REASON_FIELD,),
        unavailable_reason=withdrawn_text,
    )
    return action._replace(
        chains=(ROOM_CHAIN, tabulator_chain(registration.table)), starting_state=str(registration.generation)
    )


def _renew_action(floor: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> DeviceTokenResult:
        return floor.renew_device_token(id, user, device, values.get("why", ""))

    happens = (
        f"The token that {device} has is worth nothing from now on: it is refused until it has the new one.",
        _SHOWN_ONCE_NOTE,
    )
    return _device_action(floor, device, "Make another token for", "Make another token", happens, do)._replace(
        render_result=_show_token
    )


def _withdraw_action(floor: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.withdraw_device(id, user, device, values.get("why", ""))

    registration = floor.get_device(device)
    counts = (
        f" Until another is registered, nothing is counted at {registration.table} but by hand."
        * registration.kind.is_counting
    )
    happens = (
        f"{device} speaks for {registration.table} no more, and its token never comes back.{counts}",
        "Registered again under its name, it gets another one.",
    )
    return _device_action(floor, device, "Withdraw", "Withdraw it", happens, do)._replace(danger=True)


def _accept_gap_action(floor: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.accept_logger_gap(id, user, device, values.get("why", ""), second=second_person(values))

    hold = floor.get_device(device).held_up
    gap = hold.gap if hold else None
    lost = "The records of the gap are passed over for good. The counter, as it stood there, stands for what was lost."
    happens = (hold.why, lost) if hold else (lost,)
    action = _device_action(floor, device, "Accept the gap of", "Accept the gap", happens, do)
    none = f"Device {device} has no gap to accept."
    if gap is not None:
        unit = floor.tabulator(floor.get_device(device).table).tabulator
        none = refusal_text(lambda: skip_records(unit, gap.mark, who="the first", second="the second", why="foreseen"))
    action = action._replace(
        needs_second_person=True, dual_control_subject="records of a data logger that are passed over", danger=True
    )
    return action._replace(
        unavailable_reason=action.unavailable_reason or none, starting_state=hold.why if hold else ""
    )


def _accept_rounds_action(floor: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        rounds, reason = parse_integer(values.get("rounds", "").strip()), values.get("why", "")
        return floor.accept_device_rounds(id, user, device, rounds, reason, second=second_person(values))

    hold = floor.get_device(device).held_up
    happens = (
        hold.why if hold else f"Device {device} is not on hold.",
        "So many of the rounds that it has not delivered are counted when it sends them again, each once.",
        "Compare the unit's counter with what is known before you accept them.",
    )
    action = _device_action(floor, device, "Accept rounds of", "Accept the rounds", happens, do)
    rounds = FormField("rounds", "Rounds", "How many it may send.", value="1", parse=parse_integer)
    subject = "rounds that a device has sent too many of"
    action = action._replace(
        fields=(rounds, REASON_FIELD), needs_second_person=True, dual_control_subject=subject, danger=True
    )
    return action._replace(
        unavailable_reason=action.unavailable_reason
        or refusal_text(lambda: require_blocked_device(floor.list_devices(), device))
    )


def _refuse_rounds_action(floor: CardRoom, device: str) -> OfficeAction:
    def do(id: str, user: str, values: FormValues) -> object:
        return floor.refuse_device_rounds(id, user, device, values.get("why", ""), second=second_person(values))

    hold = floor.get_device(device).held_up
    happens = (
        hold.why if hold else f"Device {device} is not on hold.",
        "The rounds that wait are never counted. The device is withdrawn, and its token never comes back.",
        "Clear what it still has to send before you register it again.",
    )
    action = _device_action(floor, device, "Refuse rounds of", "Refuse the rounds", happens, do)
    action = action._replace(
        needs_second_person=True, dual_control_subject="rounds that a device has sent too many of", danger=True
    )
    return action._replace(
        unavailable_reason=action.unavailable_reason
        or refusal_text(lambda: require_blocked_device(floor.list_devices(), device))
    )


def parse_integer(text: str) -> int:
    """How many."""
    if not (text.isascii() and text.isdecimal()) or len(text) > 9:
        raise BadInput("Give a whole number, such as 12.")
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
    """Do something with a device, or ask for it."""
    if action_name not in ACTIONS:
        raise PageNotFound(f"The office has no page {action_name!r} for a device: it has {', '.join(ACTIONS)}.")
    context = get_app_context(request)
    action = await context.executors.query(ACTIONS[action_name], context.floor, device)
    return show_action(request, action) if request.method == "GET" else await perform_action(request, action)
