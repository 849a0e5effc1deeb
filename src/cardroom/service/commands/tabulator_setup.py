"""Units: put at tables and taken away. The room's chain records where each unit is, and what its counter showed last.

Tabulators: installed at a table, and linked to the jackpots for which their sensors play.

Changes of a tabulator after it was installed: another setup, another place, removal. Each has its reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from cardroom.errors import BadInput
from cardroom.games import TableSetup
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_to_json
from cardroom.ledger import Json
from cardroom.room.dual_control import require_text
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.jackpot.lifecycle import link_table, refuse_if_not_linkable, unlink_table, with_displayed_bonuses
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.tabulator import LammerSensor, TabulatorSetup, WagerSensor, validate_tabulator
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
    sensors_to_mapping,
)
from cardroom.service.chains.aggregates import TABULATORS
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, tabulator_chain
from cardroom.service.commands.handler import LinkedTableHandler
from cardroom.service.commands.results import TabulatorSummary, decode_tabulator_summary, encode_tabulator_summary
from cardroom.service.commands.unit_of_work import UnitOfWork


def place_unit_at(
    uow: UnitOfWork, unit: str, table: str, sensors: tuple[int, ...], counters: tuple[int, ...], who: str
) -> UnitMoved:
    """Put a unit at a table. The chain of the room is locked beside the table's."""
    moved = place_unit(uow.room().units, unit, table, sensors, counters, who=who)
    uow.apply_to_room((moved,))
    return moved


def free_unit(uow: UnitOfWork, state: TabulatedTableState, who: str) -> None:
    """Take a table's unit away."""
    unit = state.tabulator
    uow.apply_to_room((remove_unit(unit.unit, state.sensor_numbers, unit.counters, unit.logger, who=who),))


class CannotLink(BadInput):
    """A table that cannot play for a jackpot, or does not."""


class TabulatorAlreadyInstalled(CannotLink):
    """A table that is open already."""


class ChangedTabulator(NamedTuple):
    """A table with its tabulator after a change, and what changed."""

    state: TabulatedTableState
    changes: tuple[SetupChange, ...]


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
) -> ChangedTabulator:
    """Give a table with a tabulator another setup. It is checked like a new one; the counts so far stay."""
    require_working(before)
    numbers = tuple(wager.sensor for wager in validate_tabulator(unit.sensors).wagers)
    shows, mark = before.tabulator.counters, None
    if (unit.unit, numbers) != (before.tabulator.unit, before.sensor_numbers):
        free_unit(uow, before, who)
        moved = place_unit_at(uow, unit.unit, before.id, numbers, unit.counters, who)
        shows, mark = tuple(counter.counter for counter in moved.counters), moved.logger
    request = InstallationRequest(setup, unit.sensors, unit.unit, shows, mark)
    return change_installation(uow, before, request, who, why, second)


def change_installation(
    uow: UnitOfWork, before: TabulatedTableState, at: InstallationRequest, who: str, why: str, second: str = ""
) -> ChangedTabulator:
    """Change the setup: some jackpots are unlinked, some are linked, and those that stay must allow it."""
    table, tabulator = before.id, at.sensors
    after = list_setup_jackpots(tabulator)
    for jackpot in before.jackpots:
        if jackpot not in after:
            uow.apply_to_jackpot(jackpot, unlink_table(uow.jackpot(jackpot), table, who=who))
    played: list[JackpotState] = []
    for jackpot in after:
        state = uow.jackpot(jackpot)
        refuse_other_kind(tabulator, state)
        if jackpot in before.jackpots:
            refuse_if_not_linkable(state, table, at.setup, tabulator.location, played, money=tabulator.money)
        else:
            link = table, at.setup, tabulator.location, played
            uow.apply_to_jackpot(jackpot, link_table(state, *link, who=who, money=tabulator.money))
        played.append(state)
    shown = with_displayed_bonuses(at.setup, played)
    changed = change_tabulator_setup(before, at._replace(setup=shown), who, require_text(why, "reason"), second)
    now = uow.apply_to_tabulator(table, changed)
    refuse_other_wagers(now, played)
    return ChangedTabulator(now, changed[0].changes)


def remove_tabulator(uow: UnitOfWork, before: TabulatedTableState, who: str, why: str) -> TabulatedTableState:
    """Remove a tabulator: its table is unlinked from its jackpots, it counts nothing more, and its unit is free.
    Earlier winners can still claim."""
    for jackpot in before.jackpots:
        uow.apply_to_jackpot(jackpot, unlink_table(uow.jackpot(jackpot), before.id, who=who))
    free_unit(uow, before, who)
    removed = TabulatorRemoved(before.id, require_text(who, "name"), require_text(why, "reason"))
    return uow.apply_to_tabulator(before.id, (removed,))


class TabulatorCommands(LinkedTableHandler):
    """Adds tables and links them to jackpots."""

    def install_tabulator(
        self,
        id: str,
        who: str,
        setup: TableSetup,
        tabulator: TabulatorSetup,
        unit: str,
        counters: Sequence[int] = (),
    ) -> TabulatorSummary:
        """Add a table: its game, its tabulator with the jackpots for which its sensors play, the number of the unit,
        and what the unit's counter shows for each wager if it is not new."""
        table = tabulator.table
        body: dict[str, Json] = {
            "do": "install-tabulator",
            "who": who,
            "setup": setup_to_json(setup),
            "tabulator": sensors_to_mapping(tabulator),
            "unit": unit,
            "counters": list(counters),
        }
        jackpots = list_setup_jackpots(tabulator)

        def decide(uow: UnitOfWork) -> Json:
            if uow.has(TABULATORS, table) and not uow.tabulator(table).closed:
                raise TabulatorAlreadyInstalled(
                    f"Table {table} is open already. Link it to jackpots, give the new table a new name, or change "
                    f"the setup of {table}."
                )
            opened = install_unit(uow, who, setup, UnitSetup(tabulator, unit, tuple(counters)))
            return encode_tabulator_summary(opened)

        chains = (tabulator_chain(table), *map(jackpot_chain, jackpots), ROOM_CHAIN)
        return self._execute(id, body, chains, decide, decode_tabulator_summary)

    def preview_tabulator(
        self, setup: TableSetup, tabulator: TabulatorSetup, unit: str, counters: Sequence[int] = ()
    ) -> TabulatedTableState:
        """The table as ``install_tabulator`` would add it now, with the same refusals; nothing is changed. The place of
        the unit is checked only when the table is really added."""
        table, joined = tabulator.table, list[JackpotState]()
        if table in self.list_tabulators():
            refuse_other_currency(self.tabulator(table), tabulator)
        for jackpot in list_setup_jackpots(tabulator):
            state = self.jackpot(jackpot)
            refuse_other_kind(tabulator, state)
            refuse_if_not_linkable(state, table, setup, tabulator.location, joined, money=tabulator.money)
            joined.append(state)
        new = InstallationRequest(with_displayed_bonuses(setup, joined), tabulator, unit, tuple(counters))
        (opened,) = install_tabulator(new, table)
        state_then = apply_table_tabulator_event(None, opened)
        refuse_other_wagers(state_then, joined)
        return state_then

    def link_jackpot(self, id: str, who: str, table: str, jackpot: str, why: str) -> TabulatorSummary:
        """Let a table play for a jackpot, for a reason: the sensor of its wager counts for it from now on."""
        body: dict[str, Json] = {"do": "link", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            at, state = require_working(self._require_linked(uow, table)), uow.jackpot(jackpot)
            other_jackpots = [uow.jackpot(jackpot_id) for jackpot_id in at.jackpots]
            setup = at.game_setup
            wager = _find_wager(state, setup.game)
            sensors = at.tabulator_setup
            if wager is not None and wager not in {
                sensor.wager for sensor in sensors.sensors if isinstance(sensor, WagerSensor)
            }:
                raise CannotLink(f"The tabulator of {table} has no sensor for {wager}: install one that has.")
            joined = link_table(state, table, setup, sensors.location, other_jackpots, who=who, money=at.money)
            uow.apply_to_jackpot(jackpot, joined)
            shown = with_displayed_bonuses(setup, [*other_jackpots, state])
            linked = _assign_jackpot(sensors, wager, jackpot, str(state.kind))
            changed = change_tabulator_setup(
                at,
                InstallationRequest(shown, linked, at.tabulator.unit, at.tabulator.counters),
                who,
                require_text(why, "reason"),
            )
            after = uow.apply_to_tabulator(table, changed)
            refuse_other_wagers(after, [state])
            return encode_tabulator_summary(after, changed[0].changes)

        return self._retry_on_link_change(
            lambda: self._build_linked_command(id, table, body, decide, jackpot), decode_tabulator_summary, table
        )

    def unlink_jackpot(self, id: str, who: str, table: str, jackpot: str, why: str) -> TabulatorSummary:
        """Unlink a table from a jackpot: its wager is disabled from now on, and earlier winners can still claim."""
        body: dict[str, Json] = {"do": "unlink", "who": who, "table": table, "jackpot": jackpot, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            at = require_working(self._require_linked(uow, table))
            uow.apply_to_jackpot(jackpot, unlink_table(uow.jackpot(jackpot), table, who=who))
            sensors = at.tabulator_setup
            wager = next(
                counted_wager.wager for counted_wager in at.tabulator.table.wagers if counted_wager.jackpot == jackpot
            )
            freed = _assign_jackpot(sensors, wager, None, None)
            setup = at.game_setup
            changed = change_tabulator_setup(
                at,
                InstallationRequest(setup, freed, at.tabulator.unit, at.tabulator.counters),
                who,
                require_text(why, "reason"),
            )
            return encode_tabulator_summary(uow.apply_to_tabulator(table, changed), changed[0].changes)

        return self._retry_on_link_change(
            lambda: self._build_linked_command(id, table, body, decide, jackpot), decode_tabulator_summary, table
        )


def list_setup_jackpots(tabulator: TabulatorSetup) -> tuple[str, ...]:
    """The jackpots for which a tabulator's sensors play."""
    sensors = [sensor for sensor in tabulator.sensors if isinstance(sensor, WagerSensor)]
    return tuple(dict.fromkeys(sensor.jackpot for sensor in sensors if sensor.jackpot is not None))


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


def _assign_jackpot(setup: TabulatorSetup, wager: str | None, jackpot: str | None, kind: str | None) -> TabulatorSetup:
    """The sensors with another jackpot, or none, for one wager."""
    sensors: list[WagerSensor | LammerSensor] = [
        replace(sensor, jackpot=jackpot, kind=kind)
        if isinstance(sensor, WagerSensor) and sensor.wager == wager
        else sensor
        for sensor in setup.sensors
    ]
    return replace(setup, sensors=tuple(sensors))


class TabulatorChangeCommands(TabulatorCommands):
    """Changes the setup of tables, moves them, and removes them."""

    def move_tabulator(self, id: str, who: str, table: str, location: str, why: str) -> TabulatorSummary:
        """Move a table to another place. A meter has one location, so the table is unlinked from the jackpots of the
        old place first."""
        body: dict[str, Json] = {"do": "move-tabulator", "who": who, "table": table, "location": location, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            before = require_open_table(self._require_linked(uow, table))
            moved_setup = replace(before.tabulator_setup, location=location)
            at = InstallationRequest(before.game_setup, moved_setup, before.tabulator.unit, before.tabulator.counters)
            return encode_tabulator_summary(*change_installation(uow, before, at, who, why))

        return self._retry_on_link_change(
            lambda: self._build_linked_command(id, table, body, decide), decode_tabulator_summary, table
        )

    def remove_tabulator(self, id: str, who: str, table: str, why: str) -> TabulatorSummary:
        """Remove a table: it is unlinked from its jackpots, counts nothing more, and its unit is free. Earlier winners
        can still claim. A table that is added again under this name continues its chain."""
        body: dict[str, Json] = {"do": "remove-tabulator", "who": who, "table": table, "why": why}

        def decide(uow: UnitOfWork) -> Json:
            before = require_open_table(self._require_linked(uow, table))
            return encode_tabulator_summary(remove_tabulator(uow, before, who, why))

        return self._retry_on_link_change(
            lambda: self._build_linked_command(id, table, body, decide, chains=(ROOM_CHAIN,)),
            decode_tabulator_summary,
            table,
        )


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
