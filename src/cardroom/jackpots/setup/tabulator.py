"""A table with a bet tabulator: what the operator writes down, and the checked door that it has to pass.

``TabulatorSetup`` may be wrong. ``tabulated_table`` gives a ``TabulatedTable``, or every fault at once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

from cardroom.accounts import HOUSE, Currency
from cardroom.errors import BadInput, quote
from cardroom.games import GameFacts, SetupFault, TabulatorType, Wager, game
from cardroom.games.money import format_cents
from cardroom.games.table import WagerOffer
from cardroom.jackpots.setup.faults import BadTabulatorSetup
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.models import Model, model
from cardroom.paytables import Basis, UnknownPaytable, paytable

MOST_JACKPOTS: Final = 2
"""On one table (sheet 003, Bonus and Progressive Jackpots)."""


@dataclass(frozen=True, slots=True)
class WagerSensor:
    """A sensor at every position that looks at one wager."""

    wager: str
    paytable: str
    jackpot: str | None = None
    """The id of the jackpot that the wager plays for; None when the wager is only counted."""
    kind: str | None = None
    """``bonus`` or ``progressive``."""
    amount: int | None = None
    """The one amount that the wager has, in cents; None where players choose it."""
    lammer_amount: int | None = None
    """The larger amount, in cents, that a lammer beside the chips stands for (BJ-20)."""


class LammerSensor(NamedTuple):
    """A sensor at every position on which the lammer of a wager is put (sheet 002, Bonus Features' Procedures)."""

    of: int
    """The number of the sensor that looks at the wager."""


@dataclass(frozen=True, slots=True)
class TabulatorSetup:
    """What the operator decides. The sensors of a position are numbered from 1 in the order given."""

    table: str
    game: str
    location: str
    tabulator: str
    positions: int
    sensors: tuple[WagerSensor | LammerSensor, ...]
    money: Currency = Currency.REAL
    """What the table plays for, and all its jackpots."""


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
    """The number of the sensor that sees the lammer; without one the dealer says where lammers lie."""


@dataclass(frozen=True, slots=True)
class TabulatedTable:
    """A table whose tabulator may be used. Only ``tabulated_table`` makes one."""

    table: str
    game: str
    location: str
    tabulator: TabulatorType
    positions: int
    wagers: tuple[CountedWager, ...]
    money: Currency = Currency.REAL

    @property
    def model(self) -> Model:
        """What the unit at this table can do."""
        return model(self.tabulator)

    @property
    def without_jackpots(self) -> TabulatedTable:
        """The same table when it plays for no jackpot."""
        return replace(self, wagers=tuple(replace(wager, jackpot=None, kind=None) for wager in self.wagers))

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The ids of the jackpots that this table plays for."""
        return tuple(wager.jackpot for wager in self.wagers if wager.jackpot is not None)

    def is_dark(self, wager: CountedWager) -> bool:
        """Whether it is a jackpot's wager while the table plays for no jackpot with it: nobody can make it."""
        return wager.jackpot is None and game(self.game).facts.wager(wager.wager).jackpot is not None


def sensor_for(offered: WagerOffer, jackpot: str | None, kind: JackpotKind | None) -> WagerSensor:
    """The sensor for a wager that an open table offers. Where the wager may be one of two amounts, a lammer marks
    the larger one (BJ-20)."""
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


def tabulated_table(setup: TabulatorSetup) -> TabulatedTable:
    """Check a set-up against the rules of its game and the limits of its model.

    >>> tabulated_table(TabulatorSetup(
    ...     "table-1", "dueling-for-dollars", "main-street", "milky-way", 8,
    ...     (WagerSensor("tie-after-tie", "PT-BJS-DFD-TAT-02", "tat", "progressive", 1_00),)))
    Traceback (most recent call last):
    ...
    cardroom.jackpots.setup.faults.BadTabulatorSetup: The tabulator cannot be used: its set-up has 2 faults.
    tabulator: Milky Way is not approved for Dueling for Dollars: use Andromeda-3d. [BJ-2]
    positions: 8 positions are not possible: Milky Way has 1 to 7. [BJ-1]
    """
    faults = tuple(_faults(setup))
    if faults:
        raise BadTabulatorSetup(faults)
    lammers = {one.of: number for number, one in _numbered(setup) if isinstance(one, LammerSensor)}
    return TabulatedTable(
        table=setup.table,
        game=setup.game,
        location=setup.location,
        tabulator=TabulatorType(setup.tabulator),
        positions=setup.positions,
        wagers=tuple(
            CountedWager(
                sensor=number,
                wager=one.wager,
                jackpot=one.jackpot,
                kind=JackpotKind(one.kind) if one.kind is not None else None,
                removed=_removed(setup.game, one),
                amount=one.amount,
                lammer_amount=one.lammer_amount,
                lammer_sensor=lammers.get(number),
            )
            for number, one in _wager_sensors(setup)
        ),
        money=setup.money,
    )


def _numbered(setup: TabulatorSetup) -> Iterable[tuple[int, WagerSensor | LammerSensor]]:
    return enumerate(setup.sensors, 1)


def _wager_sensors(setup: TabulatorSetup) -> list[tuple[int, WagerSensor]]:
    return [(number, one) for number, one in _numbered(setup) if isinstance(one, WagerSensor)]


def _removed(slug: str, sensor: WagerSensor) -> bool:
    return paytable(slug, sensor.wager, sensor.paytable).basis is Basis.FOR_ONE


# The faults, one function a subject.


def _faults(setup: TabulatorSetup) -> Iterator[SetupFault]:
    for where, name in (("table", setup.table), ("location", setup.location)):
        if not name.strip():
            yield SetupFault(where, f"The {where} needs a name.", "set-up")
    if setup.table.strip().casefold() == HOUSE:
        sentence = f"{quote(setup.table)} names the house's own accounts: name the table otherwise."
        yield SetupFault("table", sentence, "set-up")
    try:
        facts = game(setup.game).facts
    except BadInput as fault:
        yield SetupFault("game", str(fault), "set-up")
        return
    yield from _model_faults(setup, facts)
    yield from _jackpot_faults(setup)
    wagers = [one.wager for _, one in _wager_sensors(setup)]
    for wager in (wager for wager, times in Counter(wagers).items() if times > 1):
        yield SetupFault("sensors", f"{wager} lies on more than one sensor: one sensor counts one wager.", "BJ-1")
    for number, one in _numbered(setup):
        where = f"sensor {number}"
        if isinstance(one, LammerSensor):
            yield from _lammer_faults(where, one, setup)
        elif one.wager not in {wager.slug for wager in facts.wagers}:
            known = ", ".join(wager.slug for wager in facts.wagers)
            yield SetupFault(where, f"{facts.name} has no wager {quote(one.wager)}: choose {known}.", "set-up")
        else:
            yield from _wager_faults(where, one, facts.wager(one.wager), facts)


def _model_faults(setup: TabulatorSetup, facts: GameFacts) -> Iterator[SetupFault]:
    approved = ", ".join(model(one).name for one in facts.tabulators)
    if setup.tabulator not in set(TabulatorType):
        names = ", ".join(TabulatorType)
        yield SetupFault("tabulator", f"There is no model {quote(setup.tabulator)}: choose one of {names}.", "BJ-1")
        return
    chosen = model(TabulatorType(setup.tabulator))
    if chosen.tabulator not in facts.tabulators:
        yield SetupFault("tabulator", f"{chosen.name} is not approved for {facts.name}: use {approved}.", "BJ-2")
    if not 1 <= setup.positions <= chosen.positions:
        sentence = f"{setup.positions} positions are not possible: {chosen.name} has 1 to {chosen.positions}."
        yield SetupFault("positions", sentence, "BJ-1")
    if not 1 <= len(setup.sensors) <= chosen.sensors:
        most = "one sensor" if chosen.sensors == 1 else f"1 to {chosen.sensors} sensors"
        sentence = f"{len(setup.sensors)} sensors a position are not possible: {chosen.name} has {most}."
        yield SetupFault("sensors", sentence, "BJ-1")


def _jackpot_faults(setup: TabulatorSetup) -> Iterator[SetupFault]:
    played = [one for _, one in _wager_sensors(setup) if one.jackpot is not None]
    if len(played) > MOST_JACKPOTS:
        sentence = f"{len(played)} jackpots are too many: a table offers one or two."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")
    if len({one.kind for one in played}) > 1:
        sentence = "All jackpots of a table must be of one kind: make all of them bonus, or all of them progressive."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")
    for jackpot in (jackpot for jackpot, times in Counter(one.jackpot for one in played).items() if times > 1):
        sentence = f"Jackpot {quote(jackpot)} lies on more than one sensor: each sensor is a game of its own."
        yield SetupFault("sensors", sentence, "rule sheet, Bonus and Progressive Jackpots")


def _lammer_faults(where: str, sensor: LammerSensor, setup: TabulatorSetup) -> Iterator[SetupFault]:
    of = dict(_wager_sensors(setup)).get(sensor.of)
    if of is None or of.lammer_amount is None:
        sentence = f"No lammer belongs to sensor {sensor.of}: name the sensor of a wager that has an amount for one."
        yield SetupFault(where, sentence, "BJ-20")
    others = [one for one in setup.sensors if isinstance(one, LammerSensor) and one.of == sensor.of]
    if len(others) > 1:
        yield SetupFault(where, f"The lammers of sensor {sensor.of} have more than one sensor: one is enough.", "BJ-20")


def _wager_faults(where: str, sensor: WagerSensor, wager: Wager, facts: GameFacts) -> Iterator[SetupFault]:
    if (sensor.jackpot is None) != (sensor.kind is None):
        yield SetupFault(where, "A jackpot and its kind belong together: give both or neither.", "BJ-5")
    if sensor.kind is not None and sensor.kind not in set(JackpotKind):
        yield SetupFault(where, f"{quote(sensor.kind)} is no kind of jackpot: choose bonus or progressive.", "BJ-5")
    if sensor.jackpot is not None and wager.jackpot is None:
        jackpots = ", ".join(one.slug for one in facts.wagers if one.jackpot) or "none"
        yield SetupFault(where, f"{wager.name} plays for no jackpot: the wagers that do are {jackpots}.", "BJ-6")
    try:
        removed = _removed(facts.slug, sensor)
    except UnknownPaytable as fault:
        yield SetupFault(where, str(fault), "paytables")
        return
    if sensor.amount is None and removed:
        sentence = "A wager that is removed before the deal must have one fixed amount: give it."
        yield SetupFault(where, sentence, "rule sheet, Equipment")
    yield from _amount_faults(where, sensor, wager)


def _amount_faults(where: str, sensor: WagerSensor, wager: Wager) -> Iterator[SetupFault]:
    allowed = wager.jackpot.amounts if wager.jackpot else ()
    rule = wager.jackpot.rule if wager.jackpot else "set-up"
    for amount in (sensor.amount, sensor.lammer_amount):
        if amount is not None and amount <= 0:
            yield SetupFault(
                where, f"A wager of {format_cents(amount)} cannot be made: give an amount above zero.", rule
            )
        elif amount is not None and allowed and amount not in allowed:
            only = " or ".join(map(format_cents, allowed))
            yield SetupFault(where, f"A wager of {format_cents(amount)} is not allowed: it must be {only}.", rule)
    if sensor.lammer_amount is not None and (sensor.amount is None or sensor.lammer_amount <= sensor.amount):
        yield SetupFault(where, "A lammer stands for a larger amount than the wager without one: give both.", "BJ-20")
    if sensor.lammer_amount is not None and not wager.features:
        yield SetupFault(where, f"{wager.name} has no feature that a lammer could stand for.", "TS-6")
