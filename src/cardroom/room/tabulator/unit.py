"""Decisions of a bet tabulator: the dealer's button, the lights, faults, and counts by hand during a fault.

The tabulator detects whether a wager is there, never its amount (BJ-3). Each decision returns events and changes
nothing; ``cardroom.room.tabulator.state.apply_tabulator_event`` returns the state after an event.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from cardroom.chart_of_accounts import CENT
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
"""By sensor: the covered positions."""


ShownCounters = Mapping[int, int]
"""By sensor: the unit's counter value."""


class CannotTabulate(BadInput):
    """An action that the tabulator's state does not allow now."""


class CounterDiffers(CannotTabulate):
    """A unit whose counter differs from the recorded wagers: a person must read it."""


def make_installation(
    table: TabulatedTable, unit: str, counters: Sequence[int] = (), logger: LoggerMark | None = None
) -> Installation:
    """Install a tabulator on a table, or change its setup. ``counters`` are the unit's counter values for each wager
    that it will count; a new unit has zeros. ``logger`` is its last stored record."""
    shown_counters = tuple(counters) or (0,) * len(table.wagers)
    if len(shown_counters) != len(table.wagers) or any(number < 0 for number in shown_counters):
        raise CannotTabulate(f"The tabulator counts {len(table.wagers)} wagers: enter the counter of each one.")
    if not unit.strip():
        raise CannotTabulate("Enter the unit's number, which is on its case.")
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
    """The dealer presses the button after all wagers are placed: every placed wager is recorded.

    ``lammers`` are the positions with lammers by the wager's sensor, if they have no sensor. ``shown_counters`` are the
    unit's counter values afterward, if a ``device`` sends them; ``allowance`` is the result of the plausibility check.
    With a data logger, counts come only from the logger (BJ-25). An ``automatic`` table presses the button itself.
    """
    if state.table.model.data_logger:
        raise CannotTabulate(
            f"{state.table.model.name} counts through its data logger: forward the logger's record of the round."
        )
    if state.broken is not None:
        raise CannotTabulate(f"The tabulator has a fault ({state.broken}): count by hand, or clear the fault first.")
    tabulated = _make_round_tabulated(state, round_id, covered, lammers or {}, dealer)
    _refuse_counter_mismatch(state, tabulated, shown_counters or {})
    if automatic or device or allowance:
        tabulated = replace(tabulated, automatic=automatic, device=device, **(allowance._asdict() if allowance else {}))
    return (tabulated,)


def _refuse_counter_mismatch(state: TabulatorState, tabulated: RoundTabulated, shown_counters: ShownCounters) -> None:
    """Refuse a round after which the unit's counter differs from the recorded wagers."""
    table = state.table
    wagers_by_sensor = {
        wager.sensor: tabulated_wager for wager, tabulated_wager in zip(table.wagers, tabulated.wagers, strict=True)
    }
    for sensor in shown_counters.keys() - wagers_by_sensor.keys():
        numbers = ", ".join(map(str, wagers_by_sensor))
        raise CannotTabulate(f"Sensor {sensor} counts no wager at {table.table}. The sensors that do: {numbers}.")
    before = " ".join(
        str(shown_counters.get(sensor, tabulated_wager.counter) - tabulated_wager.count)
        for sensor, tabulated_wager in wagers_by_sensor.items()
    )
    for sensor, shows in shown_counters.items():
        expected_counter = wagers_by_sensor[sensor].counter
        if shows == expected_counter:
            continue
        raise CounterDiffers(
            f"After round {tabulated.round}, the counter of {state.unit} shows {shows:,} for sensor {sensor}, but "
            f"{expected_counter:,} wagers are recorded: "
            + (
                f"enter the counter as it was before that round ({before}) for {table.table}, then send the round "
                "again."
                if shows > expected_counter
                else "a counter never goes down. If the unit was replaced, enter the new unit's number."
            )
        )


def take_record(state: TabulatorState, record: LoggerRecord) -> RoundTabulated:
    """Take the data logger's next record; ``data_logger.take_records`` ensures the order. A later fault of the
    tabulator does not affect earlier records."""
    tabulated = _make_round_tabulated(state, record.round, {1: record.positions}, {1: record.lammers}, record.dealer)
    counter = tabulated.wagers[0].counter
    if counter != record.counter:
        raise CounterDiffers(
            f"After record {record.number}, the counter of {state.unit} shows {record.counter:,}, but {counter:,} "
            "wagers are recorded: enter the counter as it was before that round, then forward the record again."
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
    """Count the wagers of a round during a tabulator fault; they stay on their spots (BJ-7)."""
    if state.broken is None:
        raise CannotTabulate("The tabulator works: press its button, or report a fault before you count by hand.")
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
    """Void a round, such as after a malfunction of the shuffler: every wager goes back (BJ-7, BJ-23). Two people sign.

    The state has the last counted round; for an earlier one, ``recorded`` is the event that counted it. The event
    lists the wagers to reverse; the counter itself never goes down.
    """
    refuse_blank(who, "who voids the round")
    refuse_blank(reason, "the reason")
    _, second_name = require_two_people(who, second, "a void round")
    if round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} is already void.")
    if recorded is None:
        if state.round is None or state.round.round != round_id:
            raise CannotTabulate(f"Round {round_id} is not the last counted round: check the id.")
        counted_positions = zip(state.table.wagers, state.round.positions, state.round.lammers, strict=True)
        wagers = tuple(_make_placed_wager(*item) for item in counted_positions)
    elif (recorded.table, recorded.round) != (state.table.table, round_id):
        raise CannotTabulate(f"The recorded round is not round {round_id} of {state.table.table}.")
    elif isinstance(recorded, RoundTabulated):
        wagers = tuple(item.placed_wager for item in recorded.wagers)
    else:
        wagers = recorded.wagers
    return (RoundVoided(state.table.table, round_id, who, reason, wagers, second_name, report),)


def report_fault(state: TabulatorState, *, who: str, reason: str, report: str = "") -> tuple[DomainEvent, ...]:
    """Report a tabulator fault: from now on, wagers are counted by hand (BJ-7)."""
    refuse_blank(who, "who reports the fault")
    refuse_blank(reason, "what is wrong with the tabulator")
    if state.broken is not None:
        raise CannotTabulate(f"A fault of the tabulator is already reported: {state.broken}")
    return (TabulatorFaultReported(state.table.table, who, reason, report),)


def clear_fault(
    state: TabulatorState,
    *,
    who: str,
    unit: str | None = None,
    counters: Sequence[int] = (),
    logger: LoggerMark | None = None,
) -> tuple[DomainEvent, ...]:
    """Clear a tabulator fault. A replacement ``unit`` has its own counter and data logger, so the old logger's records
    must be forwarded first, or its counter read."""
    refuse_blank(who, "who repaired the tabulator")
    if state.broken is None:
        raise CannotTabulate("The tabulator has no reported fault.")
    same = unit is None or unit == state.unit
    if same and counters:
        raise CannotTabulate("A repaired unit keeps its counter: leave the counters out, and read the counter instead.")
    new_counters = state.counters if same else tuple(counters) or (0,) * len(state.counters)
    if len(new_counters) != len(state.counters) or any(number < 0 for number in new_counters):
        raise CannotTabulate(f"The tabulator counts {len(state.counters)} wagers: enter the counter of each one.")
    return (TabulatorFaultCleared(state.table.table, who, unit or state.unit, new_counters, None if same else logger),)


def report_lights(state: TabulatorState, failed_lights: CoveredPositions, *, who: str) -> tuple[DomainEvent, ...]:
    """Report the failed lights by sensor; none if all work again. Lammers replace them (BJ-21)."""
    refuse_blank(who, "who saw the failed lights")
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
    """The positions of lammers: from their own sensor if there is one, otherwise as the dealer enters them."""
    for wager in table.wagers:
        if wager.lammer_sensor is not None and dealer_lammers.get(wager.sensor):
            raise CannotTabulate(
                f"Sensor {wager.lammer_sensor} detects the lammers of {wager.wager}: do not enter them by hand."
            )
    sensor_lammers = {
        wager.sensor: covered.get(wager.lammer_sensor, ()) for wager in table.wagers if wager.lammer_sensor
    }
    return _positions_by_wager(table, {**dealer_lammers, **sensor_lammers})


def _positions_by_wager(table: TabulatedTable, places: CoveredPositions) -> list[Positions]:
    """The positions for each wager of the table, checked and in order."""
    sensors = {wager.sensor for wager in table.wagers} | {wager.lammer_sensor for wager in table.wagers}
    for sensor, positions in places.items():
        if sensor not in sensors and positions:
            numbers = ", ".join(map(str, sorted(number for number in sensors if number is not None)))
            raise CannotTabulate(f"Sensor {sensor} is not in use at {table.table}. Its sensors: {numbers}.")
        for position in positions:
            if not 1 <= position <= table.positions:
                raise CannotTabulate(
                    f"{table.table} has no position {position}: its positions are 1 to {table.positions}."
                )
    return [tuple(sorted(set(places.get(wager.sensor, ())))) for wager in table.wagers]


def _enabled_positions(table: TabulatedTable, covered: CoveredPositions) -> list[Positions]:
    """The positions of wagers; refuse a wager that is disabled because it has no jackpot (BJ-36)."""
    places = _positions_by_wager(table, covered)
    for wager, positions in zip(table.wagers, places, strict=True):
        if positions and table.is_disabled(wager):
            raise CannotTabulate(
                f"{wager.wager} is disabled at {table.table}, because no jackpot is linked to it: give the wagers at "
                f"{', '.join(map(str, positions))} back, or link the table to a jackpot."
            )
    return places


def _make_placed_wager(wager: CountedWager, positions: Positions, lammers: Positions) -> PlacedWager:
    misplaced = sorted(set(lammers) - set(positions))
    if misplaced:
        raise CannotTabulate(
            f"Position {misplaced[0]} has a lammer but no {wager.wager} wager: place the wager or take the lammer "
            "away, then count again."
        )
    if lammers and wager.lammer_amount is None:
        raise CannotTabulate(f"{wager.wager} has only one amount: take the lammer away.")
    stakes = count_stakes(wager, len(positions) - len(lammers), len(lammers))
    return PlacedWager(wager.wager, wager.jackpot, len(positions), stakes, wager.removed, positions, lammers)


def count_stakes(wager: CountedWager, unmarked: int, marked: int) -> tuple[Stakes, ...]:
    """The number of wagers of each amount: the amount without a lammer and the amount with one."""
    stakes = [Stakes(wager.amount * CENT, unmarked)] if wager.amount is not None and unmarked else []
    if wager.lammer_amount is not None and marked:
        stakes.append(Stakes(wager.lammer_amount * CENT, marked))
    return tuple(stakes)


def _refuse_repeated(state: TabulatorState, round_id: str) -> None:
    refuse_blank(round_id, "the round's id")
    if round_id.startswith(READING_PREFIX):
        raise CannotTabulate(f"{round_id!r} is the name of a counter reading: give the round another id.")
    if (state.round is not None and state.round.round == round_id) or round_id in state.voided:
        raise CannotTabulate(f"Round {round_id} is already counted: give a new round a new id.")


def refuse_blank(text: str, label: str) -> None:
    """Refuse an empty name or reason; ``label`` says what is missing."""
    if not text.strip():
        raise CannotTabulate(f"Enter {label}.")


def counter_went_back_text(state: TabulatorState, shown_counters: Sequence[int]) -> str:
    """The refusal of a counter that is lower than recorded."""
    former_text = ", ".join(f"{number:,}" for number in state.counters)
    shown_text = ", ".join(f"{number:,}" for number in shown_counters)
    return (
        f"The counter of {state.unit} shows {former_text} and cannot go down to {shown_text}: read it again. If the "
        "unit was replaced, enter the new unit's number."
    )
