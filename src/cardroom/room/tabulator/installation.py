"""A table of the floor: its game's set-up, the sensors of its tabulator, and what the tabulator has counted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from cardroom.accounts import Currency, Posting
from cardroom.errors import BadInput
from cardroom.games import TableSetup, game
from cardroom.games.money import format_cents
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.room.codec import restore_wager_order
from cardroom.room.dual_control import require_text
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.setup.jackpot import currency_to_mapping
from cardroom.room.setup.tabulator import (
    LammerSensor,
    TabulatedTable,
    TabulatorSetup,
    WagerSensor,
    tabulator_setup_from_mapping,
    validate_tabulator,
)
from cardroom.room.tabulator.events import (
    CounterRead,
    RoundCountedByHand,
    RoundTabulated,
    TabulatorInstalled,
    TabulatorRemoved,
    TabulatorSetupChanged,
    WagersRecorded,
    round_of_event,
)
from cardroom.room.tabulator.setup_changes import SetupText, list_setup_changes
from cardroom.room.tabulator.state import (
    TabulatorState,
    UnexpectedEvent,
    apply_installation,
    apply_setup_change,
    apply_tabulator_event,
    tabulator_postings,
)
from cardroom.room.tabulator.unit import make_installation


class BadInstallation(BadInput):
    """A game's set-up and a tabulator's that do not belong together."""


class TabulatedTableState(NamedTuple):
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
        return self.active_table.jackpots

    @property
    def active_table(self) -> TabulatedTable:
        """Its tabulator and what each sensor plays for: nothing once it is closed."""
        return self.tabulator.table.without_jackpots if self.closed else self.tabulator.table

    @property
    def game_setup(self) -> TableSetup:
        """What the operator wrote about the game."""
        return setup_from_json(orjson.loads(self.setup))

    @property
    def tabulator_setup(self) -> TabulatorSetup:
        """What the operator wrote about the tabulator."""
        return tabulator_setup_from_mapping(orjson.loads(self.sensors))

    @property
    def setup_texts(self) -> SetupText:
        """The set-ups as they are written down."""
        return SetupText(orjson.loads(self.setup), orjson.loads(self.sensors), self.tabulator.unit)

    @property
    def sensor_numbers(self) -> tuple[int, ...]:
        """The sensors of its tabulator that count wagers, in the order of its counters."""
        return tuple(wager.sensor for wager in self.tabulator.table.wagers)


def require_open_table(state: TabulatedTableState) -> TabulatedTableState:
    """The table, if it is open."""
    if state.closed:
        raise BadInstallation(
            f"Table {state.id} is closed ({state.closed}): open it again with its set-up (cardroom tabulator add FILE)."
        )
    return state


class InstallationRequest(NamedTuple):
    """What a table is to be like: its game, its tabulator, and the unit with what it shows and has forwarded."""

    setup: TableSetup
    sensors: TabulatorSetup
    unit: str
    counters: tuple[int, ...] = ()
    logger: LoggerMark | None = None


def install_tabulator(opening: InstallationRequest, who: str) -> tuple[TabulatorInstalled, ...]:
    """Open a table."""
    return (TabulatorInstalled(**_validated_fields(opening, who)),)


def change_tabulator_setup(
    before: TabulatedTableState, opening: InstallationRequest, who: str, why: str = ""
) -> tuple[TabulatorSetupChanged, ...]:
    """Give an open table another set-up, which passes the same door."""
    event = TabulatorSetupChanged(**_validated_fields(opening, who), changes=(), why=why)
    changes = list_setup_changes(before.setup_texts, _setup_texts(event))
    if not changes:
        raise BadInstallation(f"Table {before.id} is set up like this already: there is nothing to change.")
    return (replace(event, changes=changes),)


def _validated_fields(opening: InstallationRequest, who: str) -> dict[str, Any]:
    """What a set-up is written down as. Both set-ups are checked, and that they belong together."""
    setup, sensors = opening.setup, opening.sensors
    table = game(setup.game).open(setup)
    tabulated = validate_tabulator(sensors)
    if setup.game != sensors.game:
        raise BadInstallation(
            f"The table is set up for {setup.game}, but its tabulator for {sensors.game}: name one game."
        )
    if setup.tabulator is not None and setup.tabulator != sensors.tabulator:
        raise BadInstallation(f"The table is set up with {setup.tabulator}, but its tabulator is {sensors.tabulator}.")
    if setup.seats > sensors.positions:
        raise BadInstallation(
            f"The table has {setup.seats} seats, but its tabulator watches {sensors.positions} positions."
        )
    for sensor in sensors.sensors:
        if isinstance(sensor, LammerSensor):
            continue
        offered = table.offers.get(sensor.wager)
        if offered is None or offered.paytable.name != sensor.paytable:
            pays = f"with table {offered.paytable.name}" if offered else "not at all"
            raise BadInstallation(
                f"The tabulator counts {sensor.wager} with table {sensor.paytable}, but the game offers it {pays}."
            )
    return {
        "table": sensors.table,
        "who": require_text(who, "name of the person who sets it up"),
        "setup": setup_to_json(setup),
        "layout": tuple(setup.wagers),
        "sensors": sensors_to_mapping(sensors),
        "tabulator": make_installation(tabulated, opening.unit, opening.counters, opening.logger),
    }


def apply_table_tabulator_event(state: TabulatedTableState | None, event: DomainEvent) -> TabulatedTableState:
    """The table after a happening; the first one sets it up."""
    if isinstance(event, TabulatorInstalled):
        return _apply_installed(state, event)
    if state is None:
        raise UnexpectedEvent(f"A table begins with its set-up, not with {event.kind!r}.")
    if isinstance(event, TabulatorRemoved):
        return state._replace(closed=event.why)
    if state.closed and isinstance(event, WagersRecorded):
        raise UnexpectedEvent(f"Table {state.id} is closed: it counts nothing.")
    # Made anew rather than by ``_replace``, which takes twice as long: this is done for every round there ever was.
    return TabulatedTableState(state.setup, state.sensors, apply_tabulator_event(state.tabulator, event), state.closed)


def _apply_installed(state: TabulatedTableState | None, event: TabulatorInstalled) -> TabulatedTableState:
    current = _setup_texts(event)
    if state is not None and event.tabulator.table.money is not state.money:
        raise UnexpectedEvent(f"Table {state.id} plays for {state.money.label}, whatever else is changed.")
    if not isinstance(event, TabulatorSetupChanged):
        tabulator = apply_installation(state.tabulator if state else None, event.tabulator)
    elif state is None or state.closed:
        raise UnexpectedEvent("Only an open table is changed.")
    elif event.changes != list_setup_changes(state.setup_texts, current):
        raise UnexpectedEvent(f"Something else was changed at {state.id} than is written.")
    else:
        tabulator = apply_setup_change(state.tabulator, event.tabulator)
    return TabulatedTableState(_json_text(current.setup), _json_text(current.sensors), tabulator)


def _setup_texts(event: TabulatorInstalled) -> SetupText:
    return SetupText(restore_wager_order(event.setup, event.layout), dict(event.sensors), event.tabulator.unit)


def table_tabulator_postings(event: DomainEvent) -> tuple[Posting, ...]:
    """What a happening at a table means for the books."""
    return tabulator_postings(event)


def tabulator_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """A round that was counted is known by its id for as long as the books are, a reading of the counter by its name.

    >>> tabulator_unique_keys(RoundCountedByHand("prime-1", "r1", "Sam", ()))
    ('r1',)
    """
    return (round_of_event(event),) if isinstance(event, (RoundTabulated, RoundCountedByHand, CounterRead)) else ()


def _json_text(mapping: dict[str, Any]) -> str:
    return orjson.dumps(mapping).decode()


def sensors_to_mapping(setup: TabulatorSetup) -> dict[str, Any]:
    """The mapping that ``tabulator_setup_from`` reads again."""
    names = ("table", "game", "location", "tabulator", "positions")
    entry: dict[str, Any] = {name: getattr(setup, name) for name in names}
    return (
        entry | {"sensors": [_sensor_to_mapping(sensor) for sensor in setup.sensors]} | currency_to_mapping(setup.money)
    )


def _sensor_to_mapping(sensor: WagerSensor | LammerSensor) -> dict[str, Any]:
    if isinstance(sensor, LammerSensor):
        return {"lammer_of": sensor.wager_sensor}
    entry: dict[str, Any] = {"wager": sensor.wager, "paytable": sensor.paytable}
    if sensor.jackpot is not None and sensor.kind is not None:
        entry |= {"jackpot": sensor.jackpot, "kind": str(sensor.kind)}
    amounts = {"amount": sensor.amount, "lammer_amount": sensor.lammer_amount}
    return entry | {name: format_cents(cents) for name, cents in amounts.items() if cents is not None}
