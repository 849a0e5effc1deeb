"""The tabulator of a table, as part of the table's setup: installed, changed, removed; and where each unit is.

The room's chain records where each unit is, and what its counter showed last. A command that moves a unit locks the
chain of the room beside the table's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from cardroom.errors import BadInput
from cardroom.games import TableSetup
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.lifecycle import link_table, refuse_if_not_linkable, unlink_table, with_displayed_bonuses
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor, validate_tabulator
from cardroom.room.site.device import place_unit, remove_unit
from cardroom.room.site.events import UnitMoved
from cardroom.room.table.setup import UnitSetup
from cardroom.room.tabulator.events import TabulatorRemoved
from cardroom.room.tabulator.installation import (
    InstallationRequest,
    TabulatedTableState,
    apply_table_tabulator_event,
    change_tabulator_setup,
    install_tabulator,
    require_open_table,
)
from cardroom.service.chains.aggregates import TABULATORS, UnknownTabulator
from cardroom.service.commands.unit_of_work import StateAccess, UnitOfWork


def place_unit_at(
    uow: UnitOfWork, unit: str, table: str, sensors: tuple[int, ...], counters: tuple[int, ...], who: str
) -> UnitMoved:
    """Put a unit at a table."""
    moved = place_unit(uow.room().units, unit, table, sensors, counters, who=who)
    uow.apply_to_room((moved,))
    return moved


def free_unit(uow: UnitOfWork, state: TabulatedTableState, who: str) -> None:
    """Take a table's unit away."""
    unit = state.tabulator
    uow.apply_to_room((remove_unit(unit.unit, state.sensor_numbers, unit.counters, unit.logger, who=who),))


class CannotLink(BadInput):
    """A table that cannot play for a jackpot, or does not."""


class TableAlreadyOpen(CannotLink):
    """A table that is open already."""


def install_unit(uow: UnitOfWork, who: str, setup: TableSetup, unit: UnitSetup) -> TabulatedTableState:
    """Install a tabulator at a table, and link the table to the jackpots for which its sensors play."""
    table, sensors = unit.sensors.table, unit.sensors
    if uow.has(TABULATORS, table):
        refuse_other_currency(uow.tabulator(table), sensors)
    joined: list[JackpotState] = []
    for jackpot in unit.jackpots:
        state = uow.jackpot(jackpot)
        refuse_other_kind(sensors, state)
        link = table, setup, sensors.location, joined
        uow.apply_to_jackpot(jackpot, link_table(state, *link, who=who, money=sensors.money))
        joined.append(state)
    shown = with_displayed_bonuses(setup, joined)
    numbers = tuple(wager.sensor for wager in validate_tabulator(sensors).wagers)
    moved = place_unit_at(uow, unit.unit, table, numbers, unit.counters, who)
    counters = tuple(counter.counter for counter in moved.counters)
    request = InstallationRequest(shown, sensors, unit.unit, counters, moved.logger)
    installed = uow.apply_to_tabulator(table, install_tabulator(request, who))
    refuse_other_wagers(installed, joined)
    return installed


def change_unit(
    uow: UnitOfWork,
    before: TabulatedTableState,
    setup: TableSetup,
    unit: UnitSetup,
    who: str,
    why: str,
    second: str = "",
) -> TabulatedTableState:
    """Give a table with a tabulator another setup. It is checked like a new one; the counts so far stay. Some jackpots
    are unlinked, some are linked, and those that stay must allow it."""
    numbers = tuple(wager.sensor for wager in validate_tabulator(unit.sensors).wagers)
    shows, mark = before.tabulator.counters, None
    if (unit.unit, numbers) != (before.tabulator.unit, before.sensor_numbers):
        free_unit(uow, before, who)
        moved = place_unit_at(uow, unit.unit, before.id, numbers, unit.counters, who)
        shows, mark = tuple(counter.counter for counter in moved.counters), moved.logger
    table, tabulator, after = before.id, unit.sensors, unit.jackpots
    for jackpot in before.jackpots:
        if jackpot not in after:
            uow.apply_to_jackpot(jackpot, unlink_table(uow.jackpot(jackpot), table, who=who))
    played: list[JackpotState] = []
    for jackpot in after:
        state = uow.jackpot(jackpot)
        refuse_other_kind(tabulator, state)
        if jackpot in before.jackpots:
            refuse_if_not_linkable(state, table, setup, tabulator.location, played, money=tabulator.money)
        else:
            link = table, setup, tabulator.location, played
            uow.apply_to_jackpot(jackpot, link_table(state, *link, who=who, money=tabulator.money))
        played.append(state)
    request = InstallationRequest(with_displayed_bonuses(setup, played), tabulator, unit.unit, shows, mark)
    changed = change_tabulator_setup(before, request, who, require_text(why, "reason"), second)
    now = uow.apply_to_tabulator(table, changed)
    refuse_other_wagers(now, played)
    return now


def remove_tabulator(uow: UnitOfWork, before: TabulatedTableState, who: str, why: str) -> TabulatedTableState:
    """Remove a tabulator: its table is unlinked from its jackpots, it counts nothing more, and its unit is free.
    Earlier winners can still claim."""
    for jackpot in before.jackpots:
        uow.apply_to_jackpot(jackpot, unlink_table(uow.jackpot(jackpot), before.id, who=who))
    free_unit(uow, before, who)
    removed = TabulatorRemoved(before.id, require_text(who, "name"), require_text(why, "reason"))
    return uow.apply_to_tabulator(before.id, (removed,))


def preview_unit(states: StateAccess, setup: TableSetup, unit: UnitSetup) -> TabulatedTableState:
    """The tabulator as ``install_unit`` would install it, with the same refusals; nothing is changed. The place of the
    unit is not checked."""
    table, joined = unit.sensors.table, list[JackpotState]()
    with suppress(UnknownTabulator):
        refuse_other_currency(states.tabulator(table), unit.sensors)
    for jackpot in unit.jackpots:
        state = states.jackpot(jackpot)
        refuse_other_kind(unit.sensors, state)
        refuse_if_not_linkable(state, table, setup, unit.sensors.location, joined, money=unit.sensors.money)
        joined.append(state)
    request = InstallationRequest(with_displayed_bonuses(setup, joined), unit.sensors, unit.unit, unit.counters)
    (installed,) = install_tabulator(request, table)
    state_then = apply_table_tabulator_event(None, installed)
    refuse_other_wagers(state_then, joined)
    return state_then


def require_working(state: TabulatedTableState) -> TabulatedTableState:
    """The table, if it is open and its tabulator works."""
    if require_open_table(state).tabulator.broken is not None:
        raise CannotLink(
            f"The tabulator of {state.id} is broken ({state.tabulator.broken}): clear the fault before you link its "
            "sensors to other jackpots."
        )
    return state


def _find_wager(state: JackpotState, game: str) -> str | None:
    return next((offer["wager"] for offer in state.setup["offers"] if offer["game"] == game), None)


def refuse_other_kind(tabulator: TabulatorSetup, state: JackpotState) -> None:
    """Check that a sensor plays for this kind of jackpot."""
    for sensor in tabulator.sensors:
        if isinstance(sensor, WagerSensor) and sensor.jackpot == state.id and sensor.kind != state.kind:
            raise CannotLink(
                f"The sensor of {sensor.wager} is for a {sensor.kind}, but jackpot {state.id} is a {state.kind}."
            )


def refuse_other_currency(table: TabulatedTableState, tabulator: TabulatorSetup) -> None:
    """The currency of a table never changes: its earlier rounds may still be declared void."""
    if table.money is not tabulator.money:
        raise CannotLink(
            f"Table {table.id} plays for {table.money.label}, not for {tabulator.money.label}: give a table for the "
            "other currency a name of its own."
        )


def refuse_other_wagers(table: TabulatedTableState, jackpots: Sequence[JackpotState]) -> None:
    """Check that the jackpot takes what the sensor counts."""
    states = {state.id: state for state in jackpots}
    for wager in table.tabulator.table.wagers:
        state = states.get(wager.jackpot or "")
        if state is None:
            continue
        amounts = {amount for amount in (wager.amount, wager.lammer_amount) if amount is not None}
        if (amounts or len(state.wagers) > 1) and amounts != set(state.wagers):
            raise CannotLink(
                f"A wager on jackpot {state.id} is {_join_amounts(state.wagers)}, but the sensor of {wager.wager} "
                f"counts {_join_amounts(sorted(amounts)) or 'no certain amount'}: give it the same amounts."
            )
        if _find_wager(state, table.tabulator.table.game) != wager.wager:
            raise CannotLink(f"Jackpot {state.id} does not take {wager.wager}: link it to the sensor of its own wager.")


def _join_amounts(amounts: Sequence[int]) -> str:
    return " or ".join(map(format_cents, amounts))


def assign_jackpot(sensors: TabulatorSetup, state: JackpotState, game: str) -> TabulatorSetup:
    """The sensors, with the one of the jackpot's wager counting for it."""
    wager = _find_wager(state, game)
    if wager not in {sensor.wager for sensor in sensors.sensors if isinstance(sensor, WagerSensor)}:
        raise CannotLink(f"The tabulator of {sensors.table} has no sensor for {wager}: install one that has.")
    return _with_jackpot(sensors, lambda sensor: sensor.wager == wager, state.id, str(state.kind))


def free_jackpot(sensors: TabulatorSetup, jackpot: str) -> TabulatorSetup:
    """The sensors without a jackpot."""
    return _with_jackpot(sensors, lambda sensor: sensor.jackpot == jackpot, None, None)


def _with_jackpot(
    setup: TabulatorSetup, is_changed: Callable[[WagerSensor], bool], jackpot: str | None, kind: str | None
) -> TabulatorSetup:
    sensors = (
        replace(sensor, jackpot=jackpot, kind=kind)
        if isinstance(sensor, WagerSensor) and is_changed(sensor)
        else sensor
        for sensor in setup.sensors
    )
    return replace(setup, sensors=tuple(sensors))


def refuse_counter_change(before: TabulatedTableState, unit: UnitSetup) -> None:
    """The unit stays: it is of one model, and a change of setup does not set its counter."""
    state = before.tabulator
    if unit.unit != state.unit:
        return
    if unit.sensors.tabulator != state.table.tabulator:
        raise CannotLink(
            f"Unit {state.unit} is of the model {state.table.tabulator}: a unit of another model needs another number."
        )
    known_counters = dict(zip(before.sensor_numbers, state.counters, strict=True))
    numbers = (wager.sensor for wager in validate_tabulator(unit.sensors).wagers)
    if any(known_counters.get(number, now) != now for number, now in zip(numbers, unit.counters, strict=False)):
        shown = ", ".join(f"{number:,}" for number in state.counters)
        raise CannotLink(
            f"The counter of {state.unit} is recorded as {shown}: leave 'counters' out, and read the counter if it "
            "shows more (cardroom tabulator read)."
        )
