"""What tabulators and data loggers tell: presses, records, lights that failed, and that they are there at all."""

from __future__ import annotations

from fastapi import APIRouter

from cardroom.floor.desks.lines import LinesTaken
from cardroom.floor.kept.table import TableState
from cardroom.jackpots.contents import DeviceStamp
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.jackpots.tabulator.logger import taken
from cardroom.jackpots.tabulator.pace import TooManyRounds
from cardroom.jackpots.tabulator.unit import CounterDiffers
from cardroom.ledger import system_clock
from cardroom.web.devices.answers import (
    Broken,
    Counted,
    Hello,
    Here,
    Lights,
    SensorKnown,
    Taken,
    counted_answer,
    lights_answer,
    taken_answer,
)
from cardroom.web.devices.calling import DeviceRoute
from cardroom.web.devices.refusals import NotHere, refusals
from cardroom.web.devices.speaking import AnyDevice, Counting, Logging, Tabulating
from cardroom.web.devices.told import BrokenTold, HelloTold, LightsTold, LinesTold, Places, PressTold
from cardroom.web.room.hearing import EVERY

router = APIRouter(route_class=DeviceRoute, responses=refusals(400, 401, 413, 422, 429, 503))


@router.post("/presses", responses=refusals(403, 409))
def press(told: PressTold, speaker: Tabulating) -> Counted:
    """The dealer has pressed the button: every wager that is there is counted, and every meter follows.

    A counter of the unit's own that does not follow from what is known is refused, and the floor hears of it: somebody
    reads the counter, then the same press is sent again, with the counter. So are more rounds than the table can have
    played: they wait until two people accept or refuse them. A press counts as of now, whatever time it gives. It is
    recorded under the dealer who deals at the table's console, else under the device.
    """
    command = speaker.command(told.id)
    waited = speaker.may_go_on(command)
    speaker.refuse_on_hold(command, told.counter)
    try:
        counted = speaker.floor.tabulate(
            command,
            named(told.dealer, "dealer") if told.dealer else speaker.who,
            speaker.table,
            _places(told.covered),
            lammers=_places(told.lammers),
            round_id=told.round or f"{speaker.device}/{told.id}",
            shown={int(sensor): counter for sensor, counter in told.counter.items()},
            device=DeviceStamp(speaker.device, told.at),
        )
    except (CounterDiffers, TooManyRounds) as fault:
        speaker.hold_up(command, str(fault), too_many=isinstance(fault, TooManyRounds))
        raise
    if waited:
        speaker.go_on(command)
    return counted_answer(counted)


@router.post("/records", responses=refusals(403, 409))
def records(told: LinesTold, speaker: Logging) -> Taken:
    """A data logger forwards lines of its file. Each record is taken once and in the order of the numbers, whatever its
    clock says; those that follow on what is known are taken even if others of them do not.

    A repeated id gives the first answer again, so what is still missing is forwarded under a new one.
    """
    command = speaker.command(told.id)
    waited = speaker.may_go_on(command)
    held = speaker.stands.held_up
    if waited and held and held.too_many:
        mark = taken(speaker.floor.table(speaker.table).tabulator)
        return taken_answer(LinesTaken(speaker.table, mark.number, mark.seal, (), 0, held.why, True, None, True))
    answer = speaker.floor.take_lines(command, speaker.who, speaker.table, told.lines, lost_up_to=told.lost_up_to)
    if answer.for_people:
        speaker.hold_up(command, answer.held_up, answer.gap, too_many=answer.too_many)
    elif waited and not answer.held_up:
        speaker.go_on(command)
    return taken_answer(answer)


@router.post("/lights", responses=refusals(403, 409))
def lights(told: LightsTold, speaker: Counting) -> Lights:
    """Which lights have failed; none when all work again. Lammers stand in for them."""
    command = speaker.command(told.id)
    return lights_answer(speaker.floor.report_lights(command, speaker.who, speaker.table, _places(told.dark)))


@router.post("/broken", responses=refusals(403, 409))
def broken(told: BrokenTold, speaker: Counting) -> Broken:
    """The unit does not work: from now on people count by hand, and people declare it repaired."""
    standing = speaker.floor.declare_broken(speaker.command(told.id), speaker.who, speaker.table, told.why)
    return Broken(table=standing.table, broken=standing.broken or told.why)


@router.post("/here")
async def here(speaker: AnyDevice) -> Here:
    """A device says that it is there, when it has nothing else to say. One that is not heard for long is shown on the
    floor."""
    return Here(device=speaker.device, table=speaker.table, time=system_clock(), every=EVERY)


@router.post("/hello", responses=refusals(409))
def hello(told: HelloTold, speaker: AnyDevice) -> Hello:
    """A device says that it is there and what its clock says, and hears what the room knows of it. Nothing is changed.

    A clock that differs decides nothing about the order: what the device sends keeps the device's time as it was told,
    beside the server's. Presses count as of now, and records are ordered by their numbers.
    """
    state, now = speaker.floor.table(speaker.table), system_clock()
    tabulator, kind = state.tabulator, speaker.stands.kind
    if kind.counts and told.unit is not None and told.unit != tabulator.unit:
        raise NotHere(
            f"{speaker.device} says that it is unit {told.unit}, but {tabulator.unit} stands at {speaker.table}: put "
            "its number into the books (cardroom jackpot repaired), or check the case."
        )
    held_up = speaker.floor.device(speaker.device).held_up
    mark = taken(tabulator) if kind is DeviceKind.DATA_LOGGER else None
    return Hello(
        id=told.id,
        device=speaker.device,
        kind=kind,
        table=speaker.table,
        time=now,
        ahead=told.time - now,
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


def _sensors(state: TableState) -> list[SensorKnown]:
    table = state.playing
    return [
        SensorKnown(
            sensor=wager.sensor,
            wager=wager.wager,
            counter=counter,
            lammer_sensor=wager.lammer_sensor,
            lammers=wager.lammer_amount is not None,
            dark=table.is_dark(wager),
        )
        for wager, counter in zip(table.wagers, state.tabulator.counters, strict=True)
    ]


def _places(places: Places) -> dict[int, list[int]]:
    return {int(sensor): positions for sensor, positions in places.items()}
