"""The bet tabulator of one table: the dealer's button, the lights, and counts by hand when it is broken.

The tabulator sees whether a wager is there, never how much it is (BJ-3). Each decision gives the happenings that
follow from it and changes nothing; ``cardroom.room.tabulator.state.apply_tabulator_event`` gives the state after one.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.room.dual_control import require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import (
    DeviceStamp,
    Installation,
    LoggerMark,
    LoggerStamp,
    PlacedWager,
    Positions,
    Stakes,
    TabulatedWager,
)
from cardroom.room.setup.tabulator import CountedWager, TabulatedTable
from cardroom.room.tabulator.events import (
    READING_PREFIX,
    LightFailuresReported,
    RoundCountedByHand,
    RoundRecorded,
    RoundTabulated,
    RoundVoided,
    TabulatorFaultCleared,
    TabulatorFaultReported,
)
from cardroom.room.tabulator.state import TabulatorState

if TYPE_CHECKING:
    from cardroom.room.tabulator.data_logger import LoggerRecord
    from cardroom.room.tabulator.plausibility import RoundAllowance

CoveredPositions = Mapping[int, Collection[int]]
"""By the number of the sensor: the positions at which it is covered."""


ShownCounters = Mapping[int, int]
"""By the number of the sensor: what the unit's counter shows for it."""


class CannotTabulate(BadInput):
    """Something that the tabulator or its people cannot do now."""


class CounterDiffers(CannotTabulate):
    """A unit whose counter shows something else than follows from what is known: people have to read it."""


def make_installation(
    table: TabulatedTable, unit: str, counters: Sequence[int] = (), logger: LoggerMark | None = None
) -> Installation:
    """Put a tabulator on a table, or another set-up on the one that is there. ``counters`` is what the unit's counter
    shows for each wager that it will count; a new unit shows zeros. ``logger`` is how far its records were taken."""
    shown_counters = tuple(counters) or (0,) * len(table.wagers)
    if len(shown_counters) != len(table.wagers) or any(number < 0 for number in shown_counters):
        raise CannotTabulate(f"The tabulator counts {len(table.wagers)} wagers: give what it shows for each of them.")
    if not unit.strip():
        raise CannotTabulate("The tabulator needs the number that stands on its case.")
    return Installation(table, unit, shown_counters, logger)


def press_button(
    state: TabulatorState,
    round_id: str,
    covered: CoveredPositions,
    *,
    dealer: str,
    lammers: CoveredPositions | None = None,
    automatic: bool = False,
    shown_counters: ShownCounters | None = None,
    device: DeviceStamp | None = None,
    allowance: RoundAllowance | None = None,
) -> tuple[RoundTabulated, ...]:
    """The dealer presses the button after all wagers have been set: every wager that is there is recorded.

    ``lammers`` says beside which wagers lammers lie, by the wager's sensor, where no sensor of their own sees them.
    ``shown_counters`` is what the unit's own counter shows afterwards, where a ``device`` tells it; ``allowance`` says
    how the round fits into what the table can have played. With a data logger the count comes from the logger and from
    nowhere else (BJ-25). An ``automatic`` table presses its button itself.
    """
    if state.table.model.data_logger:
        raise CannotTabulate(
            f"{state.table.model.name} counts through its data logger: forward the logger's record of the round."
        )
    if state.broken is not None:
        raise CannotTabulate(f"The tabulator is broken ({state.broken}): count by hand, or declare it repaired first.")
    tabulated = _make_round_tabulated(state, round_id, covered, lammers or {}, dealer)
    _refuse_counter_mismatch(state, tabulated, shown_counters or {})
    if automatic or device or allowance:
        tabulated = replace(tabulated, automatic=automatic, device=device, **(allowance._asdict() if allowance else {}))
    return (tabulated,)


def _refuse_counter_mismatch(state: TabulatorState, tabulated: RoundTabulated, shown_counters: ShownCounters) -> None:
    """What the unit shows is what follows, or nothing is recorded: nobody guesses where the difference comes from."""
    table = state.table
    wagers_by_sensor = {
        wager.sensor: tabulated_wager for wager, tabulated_wager in zip(table.wagers, tabulated.wagers, strict=True)
    }
    for sensor in shown_counters.keys() - wagers_by_sensor.keys():
        numbers = ", ".join(map(str, wagers_by_sensor))
        raise CannotTabulate(f"Sensor {sensor} counts no wager at {table.table}: those that do are {numbers}.")
    before = " ".join(
        str(shown_counters.get(sensor, tabulated_wager.counter) - tabulated_wager.count)
        for sensor, tabulated_wager in wagers_by_sensor.items()
    )
    for sensor, shows in shown_counters.items():
        expected_counter = wagers_by_sensor[sensor].counter
        if shows == expected_counter:
            continue
        raise CounterDiffers(
            f"After round {tabulated.round} the counter of {state.unit} shows {shows:,} for sensor {sensor}, but "
            f"{expected_counter:,} wagers are known: "
            + (
                f"read the counter as it stood before that round (cardroom tabulator read {table.table} {before}), "
                "then send the round again."
                if shows > expected_counter
                else "a counter never goes back. Another unit has another number."
            )
        )


def take_record(state: TabulatorState, record: LoggerRecord) -> RoundTabulated:
    """Take over the data logger's next record; ``data_logger.take_records`` sees to the order. A tabulator that has
    broken since then changes nothing about what it counted before."""
    tabulated = _make_round_tabulated(state, record.round, {1: record.positions}, {1: record.lammers}, record.dealer)
    counter = tabulated.wagers[0].counter
    if counter != record.counter:
        raise CounterDiffers(
            f"After record {record.number} the counter of {state.unit} shows {record.counter:,}, but {counter:,} wagers"
            " are known: read the counter as it stood before that round, then forward the record again."
        )
    return replace(tabulated, record=LoggerStamp(record.number, record.seal, record.time))


def count_by_hand(
    state: TabulatorState,
    round_id: str,
    covered: CoveredPositions,
    *,
    who: str,
    lammers: CoveredPositions | None = None,
    automatic: bool = False,
) -> tuple[RoundCountedByHand, ...]:
    """Count the wagers of a round while the tabulator is broken; they stay on their spots (BJ-7)."""
    if state.broken is None:
        raise CannotTabulate("The tabulator works: press its button, or declare it broken before counting by hand.")
    refuse_blank(who, "who counted")
    _refuse_repeated(state, round_id)
    positions = _enabled_positions(state.table, covered)
    lammer_positions = _positions_by_wager(state.table, lammers or {})
    wagers = tuple(
        _make_placed_wager(*item) for item in zip(state.table.wagers, positions, lammer_positions, strict=True)
    )
    return (RoundCountedByHand(state.table.table, round_id, who, wagers, automatic),)


def void_round(
    state: TabulatorState,
    round_id: str,
    *,
    who: str,
    second: str | None,
    reason: str,
    recorded: RoundRecorded | None = None,
    report: str = "",
) -> tuple[RoundVoided, ...]:
    """Declare a round void, as after a malfunction of the shuffler: every wager goes back (BJ-7, BJ-23). Two people do.

    The round that was counted last is known; for an earlier one ``recorded`` is the happening that recorded it. What
    the round brought in is given as counts to be taken back; the counter itself never goes back.
    """
    refuse_blank(who, "who declares it")
    refuse_blank(reason, "the reason")
    _, second_name = require_two_people(who, second, "a void round")
    if round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} is void already.")
    if recorded is None:
        if state.round is None or state.round.round != round_id:
            raise CannotTabulate(
                f"Round {round_id} is not the one that was counted last: give what was recorded of it, or check the id."
            )
        counted_positions = zip(state.table.wagers, state.round.positions, state.round.lammers, strict=True)
        wagers = tuple(_make_placed_wager(*item) for item in counted_positions)
    elif (recorded.table, recorded.round) != (state.table.table, round_id):
        raise CannotTabulate(f"What was recorded is not round {round_id} of {state.table.table}.")
    elif isinstance(recorded, RoundTabulated):
        wagers = tuple(item.placed_wager for item in recorded.wagers)
    else:
        wagers = recorded.wagers
    return (RoundVoided(state.table.table, round_id, who, reason, wagers, second_name, report),)


def report_fault(state: TabulatorState, *, who: str, reason: str, report: str = "") -> tuple[DomainEvent, ...]:
    """Say that the tabulator does not work: from now on wagers are counted by hand (BJ-7)."""
    refuse_blank(who, "who says so")
    refuse_blank(reason, "what is wrong with it")
    if state.broken is not None:
        raise CannotTabulate(f"The tabulator is declared broken already: {state.broken}")
    return (TabulatorFaultReported(state.table.table, who, reason, report),)


def clear_fault(
    state: TabulatorState,
    *,
    who: str,
    unit: str | None = None,
    counters: Sequence[int] = (),
    logger: LoggerMark | None = None,
) -> tuple[DomainEvent, ...]:
    """Say that the tabulator works again. Another ``unit`` in its place has a counter and a data logger of its own, so
    what waits in the old one's logger is taken over before, or its counter is read."""
    refuse_blank(who, "who repaired it")
    if state.broken is None:
        raise CannotTabulate("The tabulator is not broken.")
    same = unit is None or unit == state.unit
    if same and counters:
        raise CannotTabulate("A repaired unit keeps its counter: read the counter if it shows more than is known.")
    new_counters = state.counters if same else tuple(counters) or (0,) * len(state.counters)
    if len(new_counters) != len(state.counters) or any(number < 0 for number in new_counters):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: give what it shows for each of them.")
    return (TabulatorFaultCleared(state.table.table, who, unit or state.unit, new_counters, None if same else logger),)


def report_lights(state: TabulatorState, failed_lights: CoveredPositions, *, who: str) -> tuple[DomainEvent, ...]:
    """Say which lights have failed, by sensor; none when all work again. Lammers stand in for them (BJ-21)."""
    refuse_blank(who, "who saw it")
    return (LightFailuresReported(state.table.table, who, tuple(_positions_by_wager(state.table, failed_lights))),)


def _make_round_tabulated(
    state: TabulatorState, round_id: str, covered: CoveredPositions, lammers: CoveredPositions, dealer: str
) -> RoundTabulated:
    _refuse_repeated(state, round_id)
    table = state.table
    positions = _enabled_positions(table, covered)
    lammer_positions = _lammer_positions(table, covered, lammers)
    rows = zip(table.wagers, positions, lammer_positions, state.counters, strict=True)
    return RoundTabulated(table.table, round_id, dealer, tuple(_make_tabulated_wager(*row) for row in rows))


def _make_tabulated_wager(
    wager: CountedWager, positions: Positions, lammers: Positions, counter: int
) -> TabulatedWager:
    placed_wager = _make_placed_wager(wager, positions, lammers)
    return TabulatedWager(
        placed_wager.wager,
        placed_wager.jackpot,
        placed_wager.count,
        placed_wager.stakes,
        placed_wager.collected,
        positions,
        lammers,
        counter + placed_wager.count,
    )


def _lammer_positions(
    table: TabulatedTable, covered: CoveredPositions, dealer_lammers: CoveredPositions
) -> list[Positions]:
    """Where lammers lie: on their own sensor where there is one, else where the dealer says."""
    for wager in table.wagers:
        if wager.lammer_sensor is not None and dealer_lammers.get(wager.sensor):
            raise CannotTabulate(f"Sensor {wager.lammer_sensor} sees the lammers of {wager.wager}: they are not typed.")
    sensor_lammers = {
        wager.sensor: covered.get(wager.lammer_sensor, ()) for wager in table.wagers if wager.lammer_sensor
    }
    return _positions_by_wager(table, {**dealer_lammers, **sensor_lammers})


def _positions_by_wager(table: TabulatedTable, places: CoveredPositions) -> list[Positions]:
    """The positions for each wager of the table, checked and in order."""
    sensors = {wager.sensor for wager in table.wagers} | {wager.lammer_sensor for wager in table.wagers}
    for sensor, positions in places.items():
        if sensor not in sensors and positions:
            numbers = ", ".join(str(number) for number in sorted(number_ for number_ in sensors if number_ is not None))
            raise CannotTabulate(f"Sensor {sensor} is not in use at {table.table}: its sensors are {numbers}.")
        for position in positions:
            if not 1 <= position <= table.positions:
                raise CannotTabulate(f"{table.table} has no position {position}: it has 1 to {table.positions}.")
    return [tuple(sorted(set(places.get(wager.sensor, ())))) for wager in table.wagers]


def _enabled_positions(table: TabulatedTable, covered: CoveredPositions) -> list[Positions]:
    """Where wagers lie that can be made: one that plays for no jackpot is dark (BJ-36)."""
    places = _positions_by_wager(table, covered)
    for wager, positions in zip(table.wagers, places, strict=True):
        if positions and table.is_disabled(wager):
            raise CannotTabulate(
                f"{wager.wager} is dark at {table.table}, because the table plays for no jackpot with it: give the "
                f"wagers at {', '.join(map(str, positions))} back, or link the table (cardroom tabulator link)."
            )
    return places


def _make_placed_wager(wager: CountedWager, positions: Positions, lammers: Positions) -> PlacedWager:
    astray = sorted(set(lammers) - set(positions))
    if astray:
        raise CannotTabulate(
            f"At position {astray[0]} there is a lammer but no {wager.wager} wager: a lammer is part of a wager. Place "
            "the wager or take the lammer away, then count again."
        )
    if lammers and wager.lammer_amount is None:
        raise CannotTabulate(f"{wager.wager} has one amount only, so no lammer belongs beside it.")
    stakes = count_stakes(wager, len(positions) - len(lammers), len(lammers))
    return PlacedWager(wager.wager, wager.jackpot, len(positions), stakes, wager.removed, positions, lammers)


def count_stakes(wager: CountedWager, unmarked: int, marked: int) -> tuple[Stakes, ...]:
    """How many wagers there are for which amounts: the amount without a lammer and the amount with one."""
    stakes = [Stakes(wager.amount * CENT, unmarked)] if wager.amount is not None and unmarked else []
    if wager.lammer_amount is not None and marked:
        stakes.append(Stakes(wager.lammer_amount * CENT, marked))
    return tuple(stakes)


def _refuse_repeated(state: TabulatorState, round_id: str) -> None:
    refuse_blank(round_id, "the round's id")
    if round_id.startswith(READING_PREFIX):
        raise CannotTabulate(f"{round_id!r} is what a reading of the counter is called: give the round another id.")
    if (state.round is not None and state.round.round == round_id) or round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} has been counted already: a new round has a new id.")


def refuse_blank(text: str, label: str) -> None:
    """The books name who did what, and why."""
    if not text.strip():
        raise CannotTabulate(f"It must be written down {label}." if label.startswith("who") else f"Give {label}.")


def counter_went_back_text(state: TabulatorState, shown_counters: Sequence[int]) -> str:
    """What is said of a counter that shows less than is known."""
    former_text = ", ".join(f"{number:,}" for number in state.counters)
    shown_text = ", ".join(f"{number:,}" for number in shown_counters)
    return (
        f"The counter of {state.unit} shows {former_text}: it never goes back to {shown_text}. Another unit has "
        "another number."
    )
