"""A table with its tabulator: the game's setup, the sensors, and the tabulator's counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import orjson

from cardroom.chart_of_accounts import Currency, Posting
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
from cardroom.room.tabulator.setup_changes import SetupText, list_setup_changes, takes_two_people
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
    """A game's setup and a tabulator's setup that do not match."""


class TabulatedTableState(NamedTuple):
    """A table with its tabulator after its latest event.

    The setups are stored as JSON texts: they seldom change, and the state is stored with every round.
    """

    setup: str
    """The game's setup, as JSON from ``cardroom.games.setup.setup_to_json``."""
    sensors: str
    """The tabulator's setup, as JSON from ``sensors_to_mapping``."""
    tabulator: TabulatorState
    closed: str = ""
    """Why the table was removed; empty while it is in use."""

    @property
    def id(self) -> str:
        """The table's id."""
        return self.tabulator.table.table

    @property
    def money(self) -> Currency:
        """The table's currency, which never changes."""
        return self.tabulator.table.money

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The linked jackpots; none after the table is removed."""
        return self.active_table.jackpots

    @property
    def active_table(self) -> TabulatedTable:
        """The table with the jackpot of each sensor; without jackpots after the table is removed."""
        return self.tabulator.table.without_jackpots if self.closed else self.tabulator.table

    @property
    def game_setup(self) -> TableSetup:
        """The game's setup."""
        return setup_from_json(orjson.loads(self.setup))

    @property
    def tabulator_setup(self) -> TabulatorSetup:
        """The tabulator's setup."""
        return tabulator_setup_from_mapping(orjson.loads(self.sensors))

    @property
    def setup_texts(self) -> SetupText:
        """The setups as JSON."""
        return SetupText(orjson.loads(self.setup), orjson.loads(self.sensors), self.tabulator.unit)

    @property
    def sensor_numbers(self) -> tuple[int, ...]:
        """The sensors that count wagers, in the order of the counters."""
        return tuple(wager.sensor for wager in self.tabulator.table.wagers)


def require_open_table(state: TabulatedTableState) -> TabulatedTableState:
    """The table; refuse one that was removed."""
    if state.closed:
        raise BadInstallation(f"Table {state.id} was removed ({state.closed}): add it again with its setup file.")
    return state


class InstallationRequest(NamedTuple):
    """A table's requested setups, and its unit with counter values and last stored record."""

    setup: TableSetup
    sensors: TabulatorSetup
    unit: str
    counters: tuple[int, ...] = ()
    logger: LoggerMark | None = None


def install_tabulator(opening: InstallationRequest, who: str) -> tuple[TabulatorInstalled, ...]:
    """Add a table."""
    return (TabulatorInstalled(**_validated_fields(opening, who)),)


def change_tabulator_setup(
    before: TabulatedTableState, opening: InstallationRequest, who: str, why: str = "", second: str = ""
) -> tuple[TabulatorSetupChanged, ...]:
    """Change a table's setup, with the same validation as for a new table."""
    event = TabulatorSetupChanged(**_validated_fields(opening, who), changes=(), why=why, second=second)
    changes = list_setup_changes(before.setup_texts, _setup_texts(event))
    if not changes:
        raise BadInstallation(f"Table {before.id} already has this setup: there is nothing to change.")
    return (replace(event, changes=changes),)


def _validated_fields(opening: InstallationRequest, who: str) -> dict[str, Any]:
    """The fields of the event, after validation of both setups and of their match."""
    setup, sensors = opening.setup, opening.sensors
    table = game(setup.game).open(setup)
    tabulated = validate_tabulator(sensors)
    if setup.game != sensors.game:
        raise BadInstallation(
            f"The table is set up for {setup.game}, its tabulator for {sensors.game}: use the same game."
        )
    if setup.tabulator is not None and setup.tabulator != sensors.tabulator:
        raise BadInstallation(
            f"The table is set up with {setup.tabulator}, but its tabulator is {sensors.tabulator}: use the same model."
        )
    if setup.seats > sensors.positions:
        raise BadInstallation(
            f"The table has {setup.seats} seats, but its tabulator has {sensors.positions} positions: give each seat a "
            "position."
        )
    for sensor in sensors.sensors:
        if isinstance(sensor, LammerSensor):
            continue
        offered = table.offers.get(sensor.wager)
        if offered is None or offered.paytable.name != sensor.paytable:
            offer_text = f"offers it with paytable {offered.paytable.name}" if offered else "does not offer it"
            raise BadInstallation(
                f"The tabulator counts {sensor.wager} with paytable {sensor.paytable}, but the game {offer_text}: use "
                "the same wager and paytable."
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
    """The table after an event; the first event adds it."""
    if isinstance(event, TabulatorInstalled):
        return _apply_installed(state, event)
    if state is None:
        raise UnexpectedEvent(f"A table begins with its setup, not with {event.kind!r}.")
    if isinstance(event, TabulatorRemoved):
        return state._replace(closed=event.why)
    if state.closed and isinstance(event, WagersRecorded):
        raise UnexpectedEvent(f"Table {state.id} was removed: it counts nothing.")
    # Constructed directly, because ``_replace`` takes twice as long and a replay does this for every round.
    return TabulatedTableState(state.setup, state.sensors, apply_tabulator_event(state.tabulator, event), state.closed)


def _apply_installed(state: TabulatedTableState | None, event: TabulatorInstalled) -> TabulatedTableState:
    current = _setup_texts(event)
    if state is not None and event.tabulator.table.money is not state.money:
        raise UnexpectedEvent(f"Table {state.id} is for {state.money.label}, which never changes.")
    if not isinstance(event, TabulatorSetupChanged):
        tabulator = apply_installation(state.tabulator if state else None, event.tabulator)
    elif state is None or state.closed:
        raise UnexpectedEvent("A removed table cannot be changed.")
    elif event.changes != list_setup_changes(state.setup_texts, current):
        raise UnexpectedEvent(f"The event lists other changes than the setups of {state.id} show.")
    elif not event.second and takes_two_people(state.game_setup, setup_from_json(current.setup)):
        raise UnexpectedEvent(f"One person changed what a wager at {state.id} costs or pays.")
    else:
        tabulator = apply_setup_change(state.tabulator, event.tabulator)
    return TabulatedTableState(_json_text(current.setup), _json_text(current.sensors), tabulator)


def _setup_texts(event: TabulatorInstalled) -> SetupText:
    return SetupText(restore_wager_order(event.setup, event.layout), dict(event.sensors), event.tabulator.unit)


def table_tabulator_postings(event: DomainEvent) -> tuple[Posting, ...]:
    """The postings of a tabulator event."""
    return tabulator_postings(event)


def tabulator_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    """The unique keys of an event: the id of a counted round, or the name of a reading.

    >>> tabulator_unique_keys(RoundCountedByHand("prime-1", "r1", "Sam", ()))
    ('r1',)
    """
    return (round_of_event(event),) if isinstance(event, (RoundTabulated, RoundCountedByHand, CounterRead)) else ()


def _json_text(mapping: Mapping[str, Any]) -> str:
    return orjson.dumps(mapping).decode()


def sensors_to_mapping(setup: TabulatorSetup) -> dict[str, Any]:
    """The mapping that ``tabulator_setup_from_mapping`` reads."""
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
