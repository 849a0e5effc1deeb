"""The setup of a table as stored, and how a command would change it."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from cardroom.errors import BadInput
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.ledger import Json
from cardroom.room.codec import decode, encode
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.setup.tabulator import tabulator_setup_from_mapping
from cardroom.room.table.setup import RoomTableSetup, UnitSetup, list_table_changes
from cardroom.room.table.state import TableState
from cardroom.room.table.terms import PlayTerms
from cardroom.room.tabulator.installation import BadInstallation, TabulatedTableState, sensors_to_mapping
from cardroom.service.chains.aggregates import UnknownTable, UnknownTabulator
from cardroom.service.commands.unit_of_work import StateAccess


def find_open_play(states: StateAccess, table: str) -> TableState | None:
    """The state of a table where rounds are dealt; None if none are."""
    try:
        state = states.table(table)
    except UnknownTable:
        return None
    return None if state.closed else state


def find_installed_tabulator(states: StateAccess, table: str) -> TabulatedTableState | None:
    """The tabulator of a table; None if it has none."""
    try:
        state = states.tabulator(table)
    except UnknownTabulator:
        return None
    return None if state.closed else state


def read_table_setup(states: StateAccess, table: str) -> RoomTableSetup:
    """The setup of a table as it is now."""
    play, tabulator = find_open_play(states, table), find_installed_tabulator(states, table)
    if play is not None:
        game_setup = play.open_table.table.setup
    elif tabulator is not None:
        game_setup = tabulator.game_setup
    else:
        raise _closed_table_error(states, table)
    unit = tabulator and UnitSetup(tabulator.tabulator_setup, tabulator.tabulator.unit)
    return RoomTableSetup(table, game_setup, play.terms if play else None, unit)


def _closed_table_error(states: StateAccess, table: str) -> BadInput:
    for read in (states.table, states.tabulator):
        with suppress(UnknownTable, UnknownTabulator):
            return BadInstallation(
                f"Table {table} was removed ({read(table).closed}): add it again with its setup file."
            )
    return UnknownTable(f"There is no table {table!r}: check its name, or add it first.")


def with_jackpot_bonuses(states: StateAccess, setup: RoomTableSetup) -> RoomTableSetup:
    """The setup with the bonuses that the linked jackpots display."""
    jackpots = [states.jackpot(jackpot) for jackpot in setup.jackpots]
    return setup._replace(game=with_displayed_bonuses(setup.game, jackpots))


def encode_room_table(setup: RoomTableSetup) -> dict[str, Json]:
    """A table's setup as the body of a command has it."""
    play, unit = setup.play, setup.tabulator
    assert unit is None or unit.sensors.table == setup.table
    body: dict[str, Json] = {
        "table": setup.table,
        "setup": setup_to_json(setup.game),
        "play": None if play is None else encode(play),
    }
    if unit is not None:
        body |= {"tabulator": sensors_to_mapping(unit.sensors), "unit": unit.unit, "counters": list(unit.counters)}
    return body


def describe_table_change(body: Mapping[str, Any], states: StateAccess) -> str:
    """What a second person signs: each difference, and the reason."""
    play, unit = body["play"], None
    if "tabulator" in body:
        unit = UnitSetup(tabulator_setup_from_mapping(body["tabulator"]), body["unit"], tuple(body["counters"]))
    terms = None if play is None else decode(PlayTerms, play)
    after = RoomTableSetup(body["table"], setup_from_json(body["setup"]), terms, unit)
    changes = list_table_changes(read_table_setup(states, after.table), with_jackpot_bonuses(states, after))
    number = f"{len(changes)} change{'' if len(changes) == 1 else 's'}"
    return f"Change table {after.table}, {number}: {'; '.join(change.text for change in changes)}; {body['why']}."
