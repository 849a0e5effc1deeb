"""What tabulators and data loggers tell: presses, records, lights that failed, and that they are there at all."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.ledger import system_clock
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.room.setup.equipment import DeviceKind
from cardroom.room.tabulator.data_logger import last_taken_mark
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.tabulator.plausibility import TooManyRounds
from cardroom.room.tabulator.unit import CounterDiffers
from cardroom.service.commands.data_logger import LoggerLinesResult
from cardroom.web.devices.auth import AnyDevice, CountingCaller, DataLoggerCaller, TabulatorCaller
from cardroom.web.devices.errors import NotAtThisTable, refusals
from cardroom.web.devices.models import (
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
from cardroom.web.devices.route import DeviceRoute
from cardroom.web.services.device_monitor import HEARTBEAT_SECONDS

router = APIRouter(route_class=DeviceRoute, responses=refusals(400, 401, 413, 422, 429, 503))


@router.post("/presses", responses=refusals(403, 409))
def receive_press(body: PressRequest, speaker: TabulatorCaller) -> CountResponse:
    """The dealer has pressed the button: every wager that is there is counted, and every meter follows.

    A counter of the unit's own that does not follow from what is known is refused, and the floor hears of it: somebody
    reads the counter, then the same press is sent again, with the counter. So are more rounds than the table can have
    played: they wait until two people accept or refuse them. A press counts as of now, whatever time it gives. It is
    recorded under the dealer who deals at the table's console, else under the device.
    """
    command = speaker.command(body.id)
    waited = speaker.may_continue(command)
    speaker.refuse_on_hold(command, body.counter)
    try:
        result = speaker.floor.tabulate(
            command,
            require_text(body.dealer, "dealer") if body.dealer else speaker.who,
            speaker.table,
            _places(body.covered),
            lammers=_places(body.lammers),
            round_id=body.round or f"{speaker.device}/{body.id}",
            shown={int(sensor): counter for sensor, counter in body.counter.items()},
            device=DeviceStamp(speaker.device, body.at),
        )
    except (CounterDiffers, TooManyRounds) as fault:
        speaker.suspend(command, str(fault), too_many=isinstance(fault, TooManyRounds))
        raise
    if waited:
        speaker.resume(command)
    return count_response(result)


@router.post("/records", responses=refusals(403, 409))
def receive_records(body: RecordsRequest, speaker: DataLoggerCaller) -> RecordsResponse:
    """A data logger forwards lines of its file. Each record is taken once and in the order of the numbers, whatever its
    clock says; those that follow on what is known are taken even if others of them do not.

    A repeated id gives the first answer again, so what is still missing is forwarded under a new one.
    """
    command = speaker.command(body.id)
    waited = speaker.may_continue(command)
    hold = speaker.registration.held_up
    if waited and hold and hold.too_many:
        mark = last_taken_mark(speaker.floor.tabulator(speaker.table).tabulator)
        return records_response(
            LoggerLinesResult(speaker.table, mark.number, mark.seal, (), 0, hold.why, True, None, True)
        )
    answer = speaker.floor.import_logger_lines(
        command, speaker.who, speaker.table, body.lines, lost_up_to=body.lost_up_to
    )
    if answer.for_people:
        speaker.suspend(command, answer.held_up, answer.gap, too_many=answer.too_many)
    elif waited and not answer.held_up:
        speaker.resume(command)
    return records_response(answer)


@router.post("/lights", responses=refusals(403, 409))
def receive_lights(body: LightsRequest, speaker: CountingCaller) -> LightsResponse:
    """Which lights have failed; none when all work again. Lammers stand in for them."""
    command = speaker.command(body.id)
    return lights_response(speaker.floor.report_lights(command, speaker.who, speaker.table, _places(body.dark)))


@router.post("/broken", responses=refusals(403, 409))
def receive_fault(body: FaultRequest, speaker: CountingCaller) -> FaultResponse:
    """The unit does not work: from now on people count by hand, and people declare it repaired."""
    result = speaker.floor.report_tabulator_fault(speaker.command(body.id), speaker.who, speaker.table, body.why)
    return FaultResponse(table=result.table, broken=result.broken or body.why)


@router.post("/here")
async def receive_heartbeat(speaker: AnyDevice) -> HeartbeatResponse:
    """A device says that it is there, when it has nothing else to say. One that is not heard for long is shown on the
    floor."""
    return HeartbeatResponse(device=speaker.device, table=speaker.table, time=system_clock(), every=HEARTBEAT_SECONDS)


@router.post("/hello", responses=refusals(409))
def receive_hello(body: HelloRequest, speaker: AnyDevice) -> HelloResponse:
    """A device says that it is there and what its clock says, and hears what the room knows of it. Nothing is changed.

    A clock that differs decides nothing about the order: what the device sends keeps the device's time as it was told,
    beside the server's. Presses count as of now, and records are ordered by their numbers.
    """
    state, now = speaker.floor.tabulator(speaker.table), system_clock()
    tabulator, kind = state.tabulator, speaker.registration.kind
    if kind.is_counting and body.unit is not None and body.unit != tabulator.unit:
        raise NotAtThisTable(
            f"{speaker.device} says that it is unit {body.unit}, but {tabulator.unit} stands at {speaker.table}: put "
            "its number into the books (cardroom tabulator clear-fault), or check the case."
        )
    held_up = speaker.floor.get_device(speaker.device).held_up
    mark = last_taken_mark(tabulator) if kind is DeviceKind.DATA_LOGGER else None
    return HelloResponse(
        id=body.id,
        device=speaker.device,
        kind=kind,
        table=speaker.table,
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
