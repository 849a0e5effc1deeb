"""A table of the floor: its game's set-up, the sensors of its tabulator, and what the tabulator has counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from cardroom.accounts import Currency, Posting
from cardroom.errors import BadInput
from cardroom.floor.kept.set_up_changes import AsWritten, set_up_changes
from cardroom.games import TableSetup, game
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.happenings import (
    Counted,
    CountedByHand,
    CounterRead,
    Happening,
    RoundTabulated,
    TableChanged,
    TableClosed,
    TableSetUp,
    round_of,
)
from cardroom.jackpots.layout import on_layout
from cardroom.jackpots.people import named
from cardroom.jackpots.setup.jackpot import money_entry
from cardroom.jackpots.setup.tabulator import LammerSensor, TabulatedTable, TabulatorSetup, WagerSensor, tabulated_table
from cardroom.jackpots.setup.tabulator_file import tabulator_setup_from
from cardroom.jackpots.tabulator.replay import (
    DoesNotFollow,
    tabulator_after,
    tabulator_changed,
    tabulator_installed,
    tabulator_postings,
)
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import install


class BadTable(BadInput):
    """A game's set-up and a tabulator's that do not belong together."""


class TableState(NamedTuple):
    """A table between two happenings.

    The set-ups are kept as the text that they are written down in: they seldom change, and every round is stored with
    the state that it leaves behind.
    """

    setup: str
    """The game's set-up, as JSON of what ``cardroom.games.setup.setup_entry`` gives."""
    sensors: str
    """The tabulator's set-up, as JSON of what ``sensors_entry`` gives."""
    tabulator: TabulatorState
    closed: str = ""
    """Why it is closed; empty while it is open."""

    @property
    def id(self) -> str:
        """What commands call it."""
        return self.tabulator.table.table

    @property
    def money(self) -> Currency:
        """What it plays for, for as long as the books are."""
        return self.tabulator.table.money

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The jackpots that it plays for; none once it is closed."""
        return self.playing.jackpots

    @property
    def playing(self) -> TabulatedTable:
        """Its tabulator and what each sensor plays for: nothing once it is closed."""
        return self.tabulator.table.without_jackpots if self.closed else self.tabulator.table

    @property
    def game_setup(self) -> TableSetup:
        """What the operator wrote about the game."""
        return setup_from_json(orjson.loads(self.setup))

    @property
    def tabulator_setup(self) -> TabulatorSetup:
        """What the operator wrote about the tabulator."""
        return tabulator_setup_from(orjson.loads(self.sensors))

    @property
    def as_written(self) -> AsWritten:
        """The set-ups as they are written down."""
        return AsWritten(orjson.loads(self.setup), orjson.loads(self.sensors), self.tabulator.unit)

    @property
    def sensor_numbers(self) -> tuple[int, ...]:
        """The sensors of its tabulator that count wagers, in the order of its counters."""
        return tuple(wager.sensor for wager in self.tabulator.table.wagers)


def open_at(state: TableState) -> TableState:
    """The table, if it is open."""
    if state.closed:
        raise BadTable(
            f"Table {state.id} is closed ({state.closed}): open it again with its set-up (cardroom jackpot table FILE)."
        )
    return state


class Opening(NamedTuple):
    """What a table is to be like: its game, its tabulator, and the unit with what it shows and has forwarded."""

    setup: TableSetup
    sensors: TabulatorSetup
    unit: str
    counters: tuple[int, ...] = ()
    logger: LoggerMark | None = None


def set_up(opening: Opening, who: str) -> tuple[TableSetUp, ...]:
    """Open a table."""
    return (TableSetUp(**_checked(opening, who)),)


def change(before: TableState, opening: Opening, who: str, why: str = "") -> tuple[TableChanged, ...]:
    """Give an open table another set-up, which passes the same door."""
    happened = TableChanged(**_checked(opening, who), changes=(), why=why)
    changes = set_up_changes(before.as_written, _as_written(happened))
    if not changes:
        raise BadTable(f"Table {before.id} is set up like this already: there is nothing to change.")
    return (replace(happened, changes=changes),)


def _checked(opening: Opening, who: str) -> dict[str, Any]:
    """What a set-up is written down as. Both set-ups are checked, and that they belong together."""
    setup, sensors = opening.setup, opening.sensors
    table = game(setup.game).open(setup)
    tabulated = tabulated_table(sensors)
    if setup.game != sensors.game:
        raise BadTable(f"The table is set up for {setup.game}, but its tabulator for {sensors.game}: name one game.")
    if setup.tabulator is not None and setup.tabulator != sensors.tabulator:
        raise BadTable(f"The table is set up with {setup.tabulator}, but its tabulator is {sensors.tabulator}.")
    if setup.seats > sensors.positions:
        raise BadTable(f"The table has {setup.seats} seats, but its tabulator watches {sensors.positions} positions.")
    for sensor in sensors.sensors:
        if isinstance(sensor, LammerSensor):
            continue
        offered = table.offers.get(sensor.wager)
        if offered is None or offered.paytable.name != sensor.paytable:
            pays = f"with table {offered.paytable.name}" if offered else "not at all"
            raise BadTable(
                f"The tabulator counts {sensor.wager} with table {sensor.paytable}, but the game offers it {pays}."
            )
    return {
        "table": sensors.table,
        "who": named(who, "name of the person who sets it up"),
        "setup": setup_to_json(setup),
        "layout": tuple(setup.wagers),
        "sensors": sensors_entry(sensors),
        "tabulator": install(tabulated, opening.unit, opening.counters, opening.logger),
    }


def table_after(state: TableState | None, happening: Happening) -> TableState:
    """The table after a happening; the first one sets it up."""
    if isinstance(happening, TableSetUp):
        return _set_up_after(state, happening)
    if state is None:
        raise DoesNotFollow(f"A table begins with its set-up, not with {happening.kind!r}.")
    if isinstance(happening, TableClosed):
        return state._replace(closed=happening.why)
    if state.closed and isinstance(happening, Counted):
        raise DoesNotFollow(f"Table {state.id} is closed: it counts nothing.")
    # Made anew rather than by ``_replace``, which takes twice as long: this is done for every round there ever was.
    return TableState(state.setup, state.sensors, tabulator_after(state.tabulator, happening), state.closed)


def _set_up_after(state: TableState | None, happening: TableSetUp) -> TableState:
    now = _as_written(happening)
    if state is not None and happening.tabulator.table.money is not state.money:
        raise DoesNotFollow(f"Table {state.id} plays for {state.money.label}, whatever else is changed.")
    if not isinstance(happening, TableChanged):
        tabulator = tabulator_installed(state.tabulator if state else None, happening.tabulator)
    elif state is None or state.closed:
        raise DoesNotFollow("Only an open table is changed.")
    elif happening.changes != set_up_changes(state.as_written, now):
        raise DoesNotFollow(f"Something else was changed at {state.id} than is written.")
    else:
        tabulator = tabulator_changed(state.tabulator, happening.tabulator)
    return TableState(_text(now.setup), _text(now.sensors), tabulator)


def _as_written(happening: TableSetUp) -> AsWritten:
    return AsWritten(on_layout(happening.setup, happening.layout), dict(happening.sensors), happening.tabulator.unit)


def table_postings(happening: Happening) -> tuple[Posting, ...]:
    """What a happening at a table means for the books."""
    return tabulator_postings(happening)


def table_names(happening: Happening) -> tuple[str, ...]:
    """A round that was counted is known by its id for as long as the books are, a reading of the counter by its name.

    >>> table_names(CountedByHand("prime-1", "r1", "Sam", ()))
    ('r1',)
    """
    return (round_of(happening),) if isinstance(happening, (RoundTabulated, CountedByHand, CounterRead)) else ()


def _text(entry: dict[str, Any]) -> str:
    return orjson.dumps(entry).decode()


def sensors_entry(setup: TabulatorSetup) -> dict[str, Any]:
    """The mapping that ``tabulator_setup_from`` reads again."""
    names = ("table", "game", "location", "tabulator", "positions")
    entry: dict[str, Any] = {name: getattr(setup, name) for name in names}
    return entry | {"sensors": [_sensor_entry(sensor) for sensor in setup.sensors]} | money_entry(setup.money)


def _sensor_entry(sensor: WagerSensor | LammerSensor) -> dict[str, Any]:
    if isinstance(sensor, LammerSensor):
        return {"lammer_of": sensor.of}
    entry: dict[str, Any] = {"wager": sensor.wager, "paytable": sensor.paytable}
    if sensor.jackpot is not None and sensor.kind is not None:
        entry |= {"jackpot": sensor.jackpot, "kind": str(sensor.kind)}
    amounts = {"amount": sensor.amount, "lammer_amount": sensor.lammer_amount}
    return entry | {name: format_cents(cents) for name, cents in amounts.items() if cents is not None}
