"""The setup of a table with a bet tabulator, and its validation.

``validate_tabulator`` turns a ``TabulatorSetup`` into a ``TabulatedTable``, or refuses it with all faults.

>>> setup = read_tabulator_setup('''
... table = "table-3"
... game = "texas-shootout"
... location = "Lakewood"
... tabulator = "andromeda-3c"
... positions = 6
... sensors = [
...     { wager = "jackpot", paytable = "TS/JP 3", amount = "$1", lammer_amount = "$2" },
...     { lammer_of = 1 },
... ]
... ''')
>>> setup.sensors[0].lammer_amount, setup.sensors[1]
(200, LammerSensor(wager_sensor=1))
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import HOUSE, Currency
from cardroom.errors import BadInput, quote
from cardroom.games import GameFacts, SetupFault, TabulatorType, Wager, game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.paytables import Basis, UnknownPaytable, paytable
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator_models import BetTabulatorModel, bet_tabulator_model
from cardroom.room.setup.toml_reader import InvalidTabulator, SetupSection, read_toml

MOST_JACKPOTS: Final = 2
"""On one table (sheet 003, Bonus and Progressive Jackpots)."""


@dataclass(frozen=True, slots=True)
class WagerSensor:
    """A sensor at every position that detects one wager."""

    wager: str
    paytable: str
    jackpot: str | None = None
    """The id of the wager's jackpot; None if the wager is only counted."""
    kind: str | None = None
    """``bonus`` or ``progressive``."""
    amount: int | None = None
    """The fixed amount of the wager, in cents; None if players choose it."""
    lammer_amount: int | None = None
    """The larger amount, in cents, that a lammer beside the chips marks (BJ-20)."""


class LammerSensor(NamedTuple):
    """A sensor at every position for the lammer of a wager (sheet 002, Bonus Features' Procedures)."""

    wager_sensor: int
    """The number of the sensor that detects the wager."""


@dataclass(frozen=True, slots=True)
class TabulatorSetup:
    """A tabulator's setup. The sensors of a position are numbered from 1 in this order."""

    table: str
    game: str
    location: str
    tabulator: str
    positions: int
    sensors: tuple[WagerSensor | LammerSensor, ...]
    money: Currency = Currency.REAL
    """The currency of the table and all its jackpots."""


@dataclass(frozen=True, slots=True)
class CountedWager:
    """A wager that the tabulator counts."""

    sensor: int
    wager: str
    jackpot: str | None
    kind: JackpotKind | None
    removed: bool
    """A "for 1" wager is collected once it is recorded; a "to 1" wager stays on the layout (BJ-3)."""
    amount: int | None
    lammer_amount: int | None
    lammer_sensor: int | None
    """The number of the sensor that detects the lammer; None if the dealer enters lammers."""


@dataclass(frozen=True, slots=True)
class TabulatedTable:
    """A validated table with its tabulator. Only ``validate_tabulator`` makes one."""

    table: str
    game: str
    location: str
    tabulator: TabulatorType
    positions: int
    wagers: tuple[CountedWager, ...]
    money: Currency = Currency.REAL

    @property
    def model(self) -> BetTabulatorModel:
        """The model of the tabulator."""
        return bet_tabulator_model(self.tabulator)

    @property
    def without_jackpots(self) -> TabulatedTable:
        """The table without linked jackpots."""
        return replace(self, wagers=tuple(replace(wager, jackpot=None, kind=None) for wager in self.wagers))

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The ids of the linked jackpots."""
        return tuple(wager.jackpot for wager in self.wagers if wager.jackpot is not None)

    def is_disabled(self, wager: CountedWager) -> bool:
        """Whether it is a jackpot wager without a linked jackpot, which players cannot make."""
        return wager.jackpot is None and game(self.game).facts.wager(wager.wager).jackpot is not None


def make_sensor(offered: WagerOffer, jackpot: str | None, kind: JackpotKind | None) -> WagerSensor:
    """The sensor for a wager that a table offers. If the wager has two amounts, a lammer marks the larger one
    (BJ-20)."""
    limits = offered.limits
    fixed = offered.wager.jackpot is not None or limits.minimum == limits.maximum
    return WagerSensor(
        wager=offered.wager.slug,
        paytable=offered.paytable.name,
        jackpot=jackpot,
        kind=kind,
        amount=limits.minimum if fixed else None,
        lammer_amount=limits.maximum if fixed and limits.maximum > limits.minimum else None,
    )


def validate_tabulator(setup: TabulatorSetup) -> TabulatedTable:
    """Check a setup against the rules of its game and the limits of its model.

    >>> validate_tabulator(TabulatorSetup(
    ...     "table-1", "dueling-for-dollars", "main-street", "milky-way", 8,
    ...     (WagerSensor("tie-after-tie", "PT-BJS-DFD-TAT-02", "tat", "progressive", 1_00),)))
    Traceback (most recent call last):
    ...
    cardroom.room.setup.toml_reader.InvalidTabulator: The tabulator cannot be used. Its setup has 2 faults:
    tabulator: Milky Way is not approved for Dueling for Dollars: use Andromeda-3d. [BJ-2]
    positions: 8 positions are not possible: Milky Way has 1 to 7. [BJ-1]
    """
    faults = tuple(_find_faults(setup))
    if faults:
        raise InvalidTabulator(faults)
    lammers = {
        sensor.wager_sensor: number for number, sensor in _numbered_sensors(setup) if isinstance(sensor, LammerSensor)
    }
    return TabulatedTable(
        table=setup.table,
        game=setup.game,
        location=setup.location,
        tabulator=TabulatorType(setup.tabulator),
        positions=setup.positions,
        wagers=tuple(
            CountedWager(
                sensor=number,
                wager=sensor.wager,
                jackpot=sensor.jackpot,
                kind=JackpotKind(sensor.kind) if sensor.kind is not None else None,
                removed=_is_removed(setup.game, sensor),
                amount=sensor.amount,
                lammer_amount=sensor.lammer_amount,
                lammer_sensor=lammers.get(number),
            )
            for number, sensor in _wager_sensors(setup)
        ),
        money=setup.money,
    )


def _numbered_sensors(setup: TabulatorSetup) -> Iterable[tuple[int, WagerSensor | LammerSensor]]:
    return enumerate(setup.sensors, 1)


def _wager_sensors(setup: TabulatorSetup) -> list[tuple[int, WagerSensor]]:
    return [(number, sensor) for number, sensor in _numbered_sensors(setup) if isinstance(sensor, WagerSensor)]


def _is_removed(slug: str, sensor: WagerSensor) -> bool:
    return paytable(slug, sensor.wager, sensor.paytable).basis is Basis.FOR_ONE


# The faults, one function for each topic.


def _find_faults(setup: TabulatorSetup) -> Iterator[SetupFault]:
    for field_name, name in (("table", setup.table), ("location", setup.location)):
        if not name.strip():
            yield SetupFault(field_name, f"The {field_name} is empty: enter a name.", "setup")
    if setup.table.strip().casefold() == HOUSE:
        sentence = f"{quote(setup.table)} is the name of the house's accounts: give the table another name."
        yield SetupFault("table", sentence, "setup")
    try:
        facts = game(setup.game).facts
    except BadInput as fault:
        yield SetupFault("game", str(fault), "setup")
        return
    yield from _find_model_faults(setup, facts)
    yield from _find_jackpot_faults(setup)
    wagers = [sensor.wager for _, sensor in _wager_sensors(setup)]
    for wager in (wager for wager, times in Counter(wagers).items() if times > 1):
        yield SetupFault("sensors", f"{wager} is on more than one sensor: give it one sensor.", "BJ-1")
    for number, sensor in _numbered_sensors(setup):
        field_name = f"sensor {number}"
        if isinstance(sensor, LammerSensor):
            yield from _find_lammer_faults(field_name, sensor, setup)
        elif sensor.wager not in {wager.slug for wager in facts.wagers}:
            wager_names = ", ".join(wager.slug for wager in facts.wagers)
            yield SetupFault(
                field_name, f"{facts.name} has no wager {quote(sensor.wager)}: choose {wager_names}.", "setup"
            )
        else:
            yield from _find_wager_faults(field_name, sensor, facts.wager(sensor.wager), facts)


def _find_model_faults(setup: TabulatorSetup, facts: GameFacts) -> Iterator[SetupFault]:
    approved = ", ".join(bet_tabulator_model(tabulator).name for tabulator in facts.tabulators)
    if setup.tabulator not in set(TabulatorType):
        names = ", ".join(TabulatorType)
        yield SetupFault("tabulator", f"There is no model {quote(setup.tabulator)}: choose {names}.", "BJ-1")
        return
    chosen_model = bet_tabulator_model(TabulatorType(setup.tabulator))
    if chosen_model.tabulator not in facts.tabulators:
        yield SetupFault("tabulator", f"{chosen_model.name} is not approved for {facts.name}: use {approved}.", "BJ-2")
    if not 1 <= setup.positions <= chosen_model.positions:
        sentence = (
            f"{setup.positions} positions are not possible: {chosen_model.name} has 1 to {chosen_model.positions}."
        )
        yield SetupFault("positions", sentence, "BJ-1")
    if not 1 <= len(setup.sensors) <= chosen_model.sensors:
        sensor_limit_text = "one sensor" if chosen_model.sensors == 1 else f"1 to {chosen_model.sensors} sensors"
        sentence = (
            f"{len(setup.sensors)} sensors a position are not possible: {chosen_model.name} has {sensor_limit_text}."
        )
        yield SetupFault("sensors", sentence, "BJ-1")


def _find_jackpot_faults(setup: TabulatorSetup) -> Iterator[SetupFault]:
    jackpot_sensors = [sensor for _, sensor in _wager_sensors(setup) if sensor.jackpot is not None]
    if len(jackpot_sensors) > MOST_JACKPOTS:
        sentence = f"{len(jackpot_sensors)} jackpots are too many: link one or two."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")
    if len({sensor.kind for sensor in jackpot_sensors}) > 1:
        sentence = "A table's jackpots must be of one kind: choose only bonus or only progressive jackpots."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")
    for jackpot in (
        jackpot for jackpot, times in Counter(sensor.jackpot for sensor in jackpot_sensors).items() if times > 1
    ):
        sentence = f"Jackpot {quote(jackpot)} is on more than one sensor: give it one sensor."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")


def _find_lammer_faults(sensor_label: str, sensor: LammerSensor, setup: TabulatorSetup) -> Iterator[SetupFault]:
    wager_sensor = dict(_wager_sensors(setup)).get(sensor.wager_sensor)
    if wager_sensor is None or wager_sensor.lammer_amount is None:
        sentence = f"Sensor {sensor.wager_sensor} has no lammer: name the sensor of a wager with a 'lammer_amount'."
        yield SetupFault(sensor_label, sentence, "BJ-20")
    same_wager_sensors = [
        other_sensor
        for other_sensor in setup.sensors
        if isinstance(other_sensor, LammerSensor) and other_sensor.wager_sensor == sensor.wager_sensor
    ]
    if len(same_wager_sensors) > 1:
        yield SetupFault(
            sensor_label,
            f"The lammers of sensor {sensor.wager_sensor} have more than one sensor: keep one.",
            "BJ-20",
        )


def _find_wager_faults(sensor_label: str, sensor: WagerSensor, wager: Wager, facts: GameFacts) -> Iterator[SetupFault]:
    if (sensor.jackpot is None) != (sensor.kind is None):
        yield SetupFault(sensor_label, "Give both 'jackpot' and 'kind', or neither.", "BJ-5")
    if sensor.kind is not None and sensor.kind not in set(JackpotKind):
        yield SetupFault(
            sensor_label, f"{quote(sensor.kind)} is not a kind of jackpot: choose bonus or progressive.", "BJ-5"
        )
    if sensor.jackpot is not None and wager.jackpot is None:
        jackpots = ", ".join(game_wager.slug for game_wager in facts.wagers if game_wager.jackpot) or "none"
        yield SetupFault(sensor_label, f"{wager.name} is not a jackpot wager. Jackpot wagers: {jackpots}.", "BJ-6")
    try:
        removed = _is_removed(facts.slug, sensor)
    except UnknownPaytable as fault:
        yield SetupFault(sensor_label, str(fault), "paytables")
        return
    if sensor.amount is None and removed:
        sentence = "A wager that is removed before the deal needs one fixed amount: add 'amount'."
        yield SetupFault(sensor_label, sentence, "rule sheet, Equipment")
    yield from _find_amount_faults(sensor_label, sensor, wager)


def _find_amount_faults(sensor_label: str, sensor: WagerSensor, wager: Wager) -> Iterator[SetupFault]:
    allowed = wager.jackpot.amounts if wager.jackpot else ()
    rule = wager.jackpot.rule if wager.jackpot else "setup"
    for amount in (sensor.amount, sensor.lammer_amount):
        if amount is not None and amount <= 0:
            yield SetupFault(
                sensor_label, f"A wager of {format_cents(amount)} is not possible: enter an amount above zero.", rule
            )
        elif amount is not None and allowed and amount not in allowed:
            only = " or ".join(map(format_cents, allowed))
            yield SetupFault(sensor_label, f"A wager of {format_cents(amount)} is not allowed: enter {only}.", rule)
    if sensor.lammer_amount is not None and (sensor.amount is None or sensor.lammer_amount <= sensor.amount):
        yield SetupFault(
            sensor_label, "A lammer marks a larger amount: give 'amount' and a larger 'lammer_amount'.", "BJ-20"
        )
    if sensor.lammer_amount is not None and not wager.features:
        yield SetupFault(sensor_label, f"{wager.name} has no feature for a lammer: remove 'lammer_amount'.", "TS-6")


def read_tabulator_setup(text: str) -> TabulatorSetup:
    """Read a tabulator's setup from TOML."""
    return tabulator_setup_from_mapping(read_toml(text, "The tabulator's setup"))


def tabulator_setup_from_mapping(mapping: object) -> TabulatorSetup:
    """A tabulator's setup from a TOML or JSON mapping."""
    top = SetupSection(mapping, "the tabulator's setup")
    setup = TabulatorSetup(
        table=top.require("table", str),
        game=top.require("game", str),
        location=top.require("location", str),
        tabulator=top.require("tabulator", str),
        positions=top.require("positions", int),
        sensors=tuple(map(_read_sensor, top.sections("sensors"))),
        money=top.money(),
    )
    top.refuse_unread()
    return setup


def _read_sensor(section: SetupSection) -> WagerSensor | LammerSensor:
    sensor: WagerSensor | LammerSensor
    if "lammer_of" in section:
        sensor = LammerSensor(section.require("lammer_of", int))
    else:
        sensor = WagerSensor(
            wager=section.require("wager", str),
            paytable=section.require("paytable", str),
            jackpot=section.get("jackpot", str, None),
            kind=section.get("kind", str, None),
            amount=section.amount_or_none("amount"),
            lammer_amount=section.amount_or_none("lammer_amount"),
        )
    section.refuse_unread()
    return sensor
