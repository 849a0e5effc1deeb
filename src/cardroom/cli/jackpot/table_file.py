"""A table with its tabulator as an operator writes it: the game's set-up, and what stands beside it, in one file.

A sensor names its wager and its jackpot. The paytable, the amounts and the jackpot's kind follow from what the table
offers and from the jackpot, unless the operator writes them again.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NamedTuple

from cardroom.documents import read_toml
from cardroom.errors import BadInput
from cardroom.games import TableSetup, game
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_from_json
from cardroom.games.table import WagerOffer
from cardroom.jackpots import (
    JackpotKind,
    JackpotState,
    TabulatorSetup,
    WagerSensor,
    sensor_for,
    with_displayed_bonuses,
)
from cardroom.jackpots.setup.tabulator_file import tabulator_setup_from

BESIDE: Final = ("table", "location", "money", "unit", "counters", "positions", "sensors", "felt")
"""The keys that stand beside those of the game."""


class BadTableFile(BadInput):
    """A file that does not say what stands on the floor."""


class TableFile(NamedTuple):
    """A table as it is to be opened."""

    setup: TableSetup
    tabulator: TabulatorSetup
    unit: str
    counters: tuple[int, ...]


def read_table_file(text: str, jackpot: Callable[[str], JackpotState]) -> TableFile:
    """Read a table's file; ``jackpot`` gives the state of a jackpot that is open."""
    entry = read_toml(text, BadTableFile, "The table's file")
    beside: dict[str, Any] = {name: entry.pop(name) for name in BESIDE if name in entry}
    beside.pop("felt", None)  # what `cardroom felt open` reads
    setup = setup_from_json(entry)
    if setup.tabulator is None:
        raise BadTableFile("The table's file names no 'tabulator': write the model, such as \"milky-way\".")
    unit, counters = beside.pop("unit", None), beside.pop("counters", [])
    if not isinstance(unit, str):
        raise BadTableFile("The table's file needs 'unit': the number on the tabulator's case, as a text.")
    if not isinstance(counters, list) or not all(type(one) is int for one in counters):
        raise BadTableFile("'counters' must be a list of whole numbers, one for each wager that the unit counts.")
    sensors = beside.get("sensors", [])
    if isinstance(sensors, list):
        beside["sensors"] = _whole_sensors(sensors, setup, jackpot)
    whole: dict[str, Any] = {"game": setup.game, "tabulator": setup.tabulator, "positions": setup.seats, **beside}
    return TableFile(setup, tabulator_setup_from(whole), unit, tuple(counters))


def _whole_sensors(written: list[Any], setup: TableSetup, jackpot: Callable[[str], JackpotState]) -> list[Any]:
    """The sensors with what follows from the table and its jackpots; what is wrong is left to the checked door."""
    sensors = [one for one in written if isinstance(one, dict)]
    named = [one["jackpot"] for one in sensors if isinstance(one.get("jackpot"), str)]
    jackpots: dict[str, JackpotState] = {id: jackpot(id) for id in named}
    shown = with_displayed_bonuses(setup, list(jackpots.values()))
    offered = game(setup.game).open(shown).offers
    return [_whole_sensor(one, offered, jackpots) for one in written]


def _whole_sensor(written: Any, offered: Mapping[str, WagerOffer], jackpots: Mapping[str, JackpotState]) -> Any:
    wager = written.get("wager") if isinstance(written, dict) else None
    if not isinstance(wager, str) or wager not in offered or "lammer_of" in written:
        return written
    named = written.get("jackpot")
    state = jackpots.get(named) if isinstance(named, str) else None
    return _entry(sensor_for(offered[wager], None, None), state.kind if state else None) | written


def _entry(sensor: WagerSensor, kind: JackpotKind | None) -> dict[str, Any]:
    amounts = {"amount": sensor.amount, "lammer_amount": sensor.lammer_amount}
    entry: dict[str, Any] = {"paytable": sensor.paytable}
    entry |= {name: format_cents(cents) for name, cents in amounts.items() if cents is not None}
    return entry if kind is None else entry | {"kind": str(kind)}
