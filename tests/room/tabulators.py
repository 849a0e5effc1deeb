"""Tables with tabulators for tests, and a dealer who presses the button."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom.room.event_types import DomainEvent
from cardroom.room.setup.tabulator import LammerSensor, TabulatedTable, TabulatorSetup, WagerSensor, validate_tabulator
from cardroom.room.tabulator.events import CounterRead
from cardroom.room.tabulator.plausibility import read_counter
from cardroom.room.tabulator.state import TabulatorState, apply_installation, apply_tabulator_event
from cardroom.room.tabulator.unit import CoveredPositions, make_installation, press_button

FINAL_FOUR = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 1_00)
ALL_SEVEN = WagerSensor("all-seven", "A7P-1", "all-seven", "progressive", 1_00)
BONUS_JACKPOT = WagerSensor("bonus-jackpot", "A", "five-wild", "bonus", 1_00)
SHOOTOUT = WagerSensor("jackpot", "TS/JP 3", "shootout", "progressive", 1_00, 2_00)
SHOOTOUT_BONUS = WagerSensor("shootout-bonus", "TS/SB 1")
TIE_AFTER_TIE = WagerSensor("tie-after-tie", "PT-BJS-DFD-TAT-02", "tat", "progressive", 1_00)
TWO_PLUS_TWO = WagerSensor("two-plus-two", "PT-BJS-DFD-22-03", "2+2", "progressive", 1_00)


def setup(game: str, model: str, *sensors: WagerSensor | LammerSensor, positions: int = 6) -> TabulatorSetup:
    return TabulatorSetup("table-7", game, "Lakewood", model, positions, sensors)


def prime(model: str = "andromeda-3c") -> TabulatedTable:
    """Three Card Prime; with two jackpots where the model has sensors for them."""
    sensors = (FINAL_FOUR,) if model == "milky-way" else (FINAL_FOUR, ALL_SEVEN)
    return validate_tabulator(setup("three-card-prime", model, *sensors))


def deuces(model: str = "andromeda-1") -> TabulatedTable:
    return validate_tabulator(setup("deuces-wild", model, BONUS_JACKPOT))


def shootout(*more: WagerSensor | LammerSensor) -> TabulatedTable:
    return validate_tabulator(setup("texas-shootout", "andromeda-3d", SHOOTOUT, *more))


def installed(table: TabulatedTable, unit: str = "unit-1", counter: int = 0) -> TabulatorState:
    return apply_installation(None, make_installation(table, unit, (counter,) * len(table.wagers)))


def after(state: TabulatorState, events: Sequence[DomainEvent]) -> TabulatorState:
    for event in events:
        state = apply_tabulator_event(state, event)
    return state


def pressed(
    state: TabulatorState, round_id: str, covered: CoveredPositions, lammers: CoveredPositions | None = None
) -> TabulatorState:
    return after(state, press_button(state, round_id, covered, dealer="Kim", lammers=lammers))


def read(state: TabulatorState, counters: Sequence[int]) -> tuple[CounterRead, ...]:
    """Ann reads the counter after a long time."""
    return read_counter(state, counters, who="Ann", reading="reading-1", limits=(1_000,) * len(state.counters))
