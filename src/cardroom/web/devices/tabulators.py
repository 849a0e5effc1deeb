"""The API of tabulators and data loggers: presses, records, failed lights, faults, and heartbeats."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.ledger import system_clock
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.room.setup.tabulator_models import DeviceKind
from cardroom.room.tabulator.data_logger import last_taken_mark
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.plausibility import TooManyRounds
from cardroom.room.tabulator.unit import CounterDiffers
from cardroom.service.commands.data_logger import LoggerLinesResult
from cardroom.web.devices.auth import AnyDevice, CountingCaller, DataLoggerCaller, TabulatorCaller
from cardroom.web.devices.errors import NotAtThisTable, refusals
from cardroom.web.devices.route import DeviceRoute
from cardroom.web.devices.tabulator_messages import (
    CountResponse,
    FaultRequest,
    FaultResponse,
    HeartbeatResponse,
    HelloRequest,
    HelloResponse,
    LightsRequest,
    LightsResponse,
    Places,
    PressRequest,
    RecordsRequest,
    RecordsResponse,
    SensorModel,
    count_response,
    lights_response,
    records_response,
)
from cardroom.web.services.device_monitor import HEARTBEAT_SECONDS

router = APIRouter(route_class=DeviceRoute, responses=refusals(400, 401, 413, 422, 429, 503))


@router.post("/presses", responses=refusals(403, 409))
def receive_press(body: PressRequest, device: TabulatorCaller) -> CountResponse:
    """Count the wagers of a button press and update every meter.

    A press whose counter does not follow the last known reading is refused, and the device is put on hold: a person
    reads the counter, then the device sends the press again. More rounds than the table can have played are held until
    two people accept or refuse them. A press counts as of now, whatever time it gives. The ledger names the dealer of
    the table's console, or else the device."""
    command = device.command(body.id)
    may_resume = device.may_continue(command)
    device.refuse_on_hold(command, body.counter)
    try:
        result = device.card_room.tabulate(
            command,
            require_text(body.dealer, "dealer") if body.dealer else device.who,
            device.table,
            _places(body.covered),
            lammers=_places(body.lammers),
            round_id=body.round or f"{device.device}/{body.id}",
            shown={int(sensor): counter for sensor, counter in body.counter.items()},
            device=DeviceStamp(device.device, body.at),
        )
    except (CounterDiffers, TooManyRounds) as fault:
        device.suspend(command, str(fault), too_many=isinstance(fault, TooManyRounds))
        raise
    if may_resume:
        device.resume(command)
    return count_response(result)


@router.post("/records", responses=refusals(403, 409))
def receive_records(body: RecordsRequest, device: DataLoggerCaller) -> RecordsResponse:
    """Store forwarded lines of a data logger's file. Each record is stored once, in the order of its number and
    regardless of its clock. Records that follow the last stored one are stored even if others do not.

    A repeated id gets the first response, so missing records need a new id.
    """
    command = device.command(body.id)
    may_resume = device.may_continue(command)
    hold = device.registration.held_up
    if may_resume and hold and hold.too_many:
        mark = last_taken_mark(device.card_room.tabulator(device.table).tabulator)
        return records_response(
            LoggerLinesResult(device.table, mark.number, mark.seal, (), 0, hold.why, True, None, True)
        )
    result = device.card_room.import_logger_lines(
        command, device.who, device.table, body.lines, lost_up_to=body.lost_up_to
    )
    if result.for_people:
        device.suspend(command, result.held_up, result.gap, too_many=result.too_many)
    elif may_resume and not result.held_up:
        device.resume(command)
    return records_response(result)


@router.post("/lights", responses=refusals(403, 409))
def receive_lights(body: LightsRequest, device: CountingCaller) -> LightsResponse:
    """Report failed lights, or none if all work again. Lammers replace failed lights."""
    command = device.command(body.id)
    return lights_response(device.card_room.report_lights(command, device.who, device.table, _places(body.dark)))


@router.post("/broken", responses=refusals(403, 409))
def receive_fault(body: FaultRequest, device: CountingCaller) -> FaultResponse:
    """Report a fault of the unit. People count by hand until a person clears the fault."""
    result = device.card_room.report_tabulator_fault(device.command(body.id), device.who, device.table, body.why)
    return FaultResponse(table=result.table, broken=result.broken or body.why)


@router.post("/here")
async def receive_heartbeat(device: AnyDevice) -> HeartbeatResponse:
    """Record a heartbeat of a device that has sent nothing else. The office shows devices that are silent."""
    return HeartbeatResponse(device=device.device, table=device.table, time=system_clock(), every=HEARTBEAT_SECONDS)


@router.post("/hello", responses=refusals(409))
def receive_hello(body: HelloRequest, device: AnyDevice) -> HelloResponse:
    """Compare the device with its registration and return the state of its table. This changes nothing.

    A differing clock does not affect the order of events: the device's time is stored beside the server's. Presses
    count as of now, and records are ordered by their numbers."""
    state, now = device.card_room.tabulator(device.table), system_clock()
    tabulator, kind = state.tabulator, device.registration.kind
    if kind.is_counting and body.unit is not None and body.unit != tabulator.unit:
        raise NotAtThisTable(
            f"{device.device} reports unit {body.unit}, but the unit of {device.table} is {tabulator.unit}. Check the "
            "number on the case, or clear the fault with the new unit's number."
        )
    held_up = device.card_room.get_device(device.device).held_up
    mark = last_taken_mark(tabulator) if kind is DeviceKind.DATA_LOGGER else None
    return HelloResponse(
        id=body.id,
        device=device.device,
        kind=kind,
        table=device.table,
        time=now,
        ahead=body.time - now,
        model=tabulator.table.tabulator,
        unit=tabulator.unit,
        positions=tabulator.table.positions,
        sensors=_sensors(state),
        taken=mark.number if mark else None,
        seal=mark.seal if mark else None,
        broken=tabulator.broken,
        closed=state.closed or None,
        held_up=held_up.why if held_up else None,
    )


def _sensors(state: TabulatedTableState) -> list[SensorModel]:
    table = state.active_table
    return [
        SensorModel(
            sensor=wager.sensor,
            wager=wager.wager,
            counter=counter,
            lammer_sensor=wager.lammer_sensor,
            lammers=wager.lammer_amount is not None,
            dark=table.is_disabled(wager),
        )
        for wager, counter in zip(table.wagers, state.tabulator.counters, strict=True)
    ]


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
