"""The tabulator that a table gets: its model, its unit, and which jackpot each sensor plays for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.errors import BadInput, quote
from cardroom.floor import Floor
from cardroom.floor.kept.table import TableState
from cardroom.games import TableSetup, TabulatorType, default_setup, game
from cardroom.games.money import format_cents
from cardroom.games.setup import WagerLimits, WagerSetup
from cardroom.games.table import BadSetup, WagerOffer
from cardroom.games.view import wager_name
from cardroom.jackpots import (
    JackpotState,
    LammerSensor,
    TabulatorSetup,
    WagerSensor,
    model,
    sensor_for,
    tabulated_table,
)
from cardroom.jackpots.setup.faults import BadTabulatorSetup
from cardroom.jackpots.setup.jackpot import money_entry
from cardroom.web.pages.office.fields import Fields

SENSOR: Final = "sensor."
LAMMER: Final = "lammer"
_JOINT: Final = "="
"""Between a wager and its jackpot in what is chosen for a sensor."""


class FilledTabulator(NamedTuple):
    """A tabulator as it is filled in."""

    setup: TabulatorSetup
    unit: str
    counters: tuple[int, ...]

    @property
    def file(self) -> dict[str, Any]:
        """What a table's file says of it."""
        sensors = [_entry(one) for one in self.setup.sensors]
        told = {"location": self.setup.location, "unit": self.unit, "sensors": sensors, **money_entry(self.setup.money)}
        return told | ({"counters": list(self.counters)} if self.counters else {})


def _entry(sensor: WagerSensor | LammerSensor) -> dict[str, Any]:
    if isinstance(sensor, LammerSensor):
        return {"lammer_of": sensor.of}
    return {"wager": sensor.wager} | ({"jackpot": sensor.jackpot} if sensor.jackpot else {})


class SensorForm(NamedTuple):
    """What one sensor can look at."""

    field: str
    number: int
    options: tuple[tuple[str, str], ...]


def standing_tabulator(floor: Floor, table: str) -> TableState | None:
    """The table as its tabulator knows it; None where it has none."""
    if table not in floor.tables() or (counted := floor.table(table)).closed:
        return None
    return counted


def jackpots_chosen(floor: Floor, reading: Fields) -> tuple[str, ...]:
    """The jackpots that the sensors play for, as far as there are such; none without a tabulator."""
    if not reading.text("tabulator"):
        return ()
    chosen = [text.partition(_JOINT)[2] for text in reading.beginning(SENSOR).values() if not text.startswith(LAMMER)]
    known = set(floor.jackpots())
    return tuple(dict.fromkeys(one for one in chosen if one in known))


def read_tabulator(floor: Floor, reading: Fields, table: str, shown: TableSetup, money: Currency) -> FilledTabulator:
    """What the form says of the tabulator, with every fault of it noted. ``shown`` has the amounts that the jackpots
    display."""
    try:
        offered: Mapping[str, WagerOffer] = game(shown.game).open(shown).offers
    except BadSetup:  # which is told beside its fields
        offered = {}
    sensors = tuple(_sensors(floor, reading, shown, offered))
    setup = TabulatorSetup(
        table, shown.game, reading.text("location"), shown.tabulator or "", shown.seats, sensors, money
    )
    filled = FilledTabulator(setup, reading.text("unit"), _counters(reading))
    try:
        tabulated_table(setup)
    except BadTabulatorSetup as bad:
        reading.faults += [one._replace(section=_place(one.section)) for one in bad.faults]
    return filled


def _place(where: str) -> str:
    """Where the form has what the tabulator's door names."""
    return "seats" if where == "positions" else where.replace("sensor ", SENSOR)


def _sensors(
    floor: Floor, reading: Fields, shown: TableSetup, offered: Mapping[str, WagerOffer]
) -> Iterator[WagerSensor | LammerSensor]:
    chosen = sorted(
        (int(key), text) for key, text in reading.beginning(SENSOR).items() if key.isascii() and key.isdigit()
    )
    for _, text in chosen:
        wager, _, of = text.partition(_JOINT)
        if wager == LAMMER:
            yield LammerSensor(int(of) if of.isascii() and of.isdigit() else 0)
            continue
        kind = str(floor.jackpot(of).kind) if of else None
        if wager in offered:
            yield replace(sensor_for(offered[wager], of or None, None), kind=kind)
        else:
            there = shown.wagers.get(wager)
            least = there.limits.minimum if there else None
            yield WagerSensor(wager, there.paytable if there else "", of or None, kind, least)


def _counters(reading: Fields) -> tuple[int, ...]:
    def understand(text: str) -> tuple[int, ...]:
        numbers = [one.strip() for one in text.split(",") if one.strip()]
        if not all(one.isascii() and one.isdigit() and len(one) < 16 for one in numbers):
            raise BadInput(f"{quote(text)} is no list of counters: write whole numbers with commas, or nothing.")
        return tuple(map(int, numbers))

    return reading.read("counters", understand, ())


def sensor_forms(floor: Floor, setup: TableSetup) -> tuple[SensorForm, ...]:
    """What each sensor of the chosen model can look at: a wager, for one of its jackpots, or a lammer."""
    if setup.tabulator not in set(TabulatorType):
        return ()
    facts, jackpots = game(setup.game).facts, [floor.jackpot(one) for one in floor.jackpots()]
    wagers = list[tuple[str, str]]()
    for slug in setup.wagers:
        name = wager_name(facts, slug)
        wagers += [
            (f"{slug}{_JOINT}{one.id}", f"{name} for {_told(one)}") for one in _jackpots_of(jackpots, setup, slug)
        ]
        wagers.append((slug, f"{name}, for no jackpot"))
    forms = []
    for number in range(1, model(TabulatorType(setup.tabulator)).sensors + 1):
        lammers = [(f"{LAMMER}{_JOINT}{one}", f"the lammer of sensor {one}") for one in range(1, number)]
        forms.append(SensorForm(f"{SENSOR}{number}", number, (("", "nothing"), *wagers, *lammers)))
    return tuple(forms)


def _jackpots_of(jackpots: list[JackpotState], setup: TableSetup, wager: str) -> Iterator[JackpotState]:
    for one in jackpots:
        if not one.removed and (setup.game, wager) in [(of["game"], of["wager"]) for of in one.setup["offers"]]:
            yield one


def _told(state: JackpotState) -> str:
    return f"{state.id} ({state.kind}, {state.money.label})"


def table_for(state: JackpotState, slug: str) -> tuple[TableSetup, dict[str, str]]:
    """A table that can play for a jackpot: its set-up, and what the form says beside it."""
    offer = next(one for one in state.setup["offers"] if one["game"] == slug)
    facts, usual, wager = game(slug).facts, default_setup(slug), str(offer["wager"])
    least, most = state.wagers[0], state.wagers[-1]
    limits = WagerLimits(least, most, least)
    wagers = {one: of for one, of in usual.wagers.items() if one == wager or not facts.wager(one).jackpot}
    wagers[wager] = WagerSetup(limits, offer["paytable"], dict(offer["bonuses"]))
    order = [one.slug for one in facts.wagers if one.slug in wagers]
    played = state.money is Currency.PLAY
    models = [one for one in facts.tabulators if not (played and model(one).data_logger)] or list(facts.tabulators)
    setup = replace(
        usual,
        wagers={one: wagers[one] for one in order},
        tabulator=str(models[0]),
        jurisdiction=state.jackpot.setup.jurisdiction,
    )
    return setup, {
        "location": state.jackpot.setup.location,
        "unit": f"T-{state.id}",
        f"{SENSOR}1": f"{wager}{_JOINT}{state.id}",
        "money": str(state.money),
        "mode": "automatic" if played else "live",
    }


def tabulator_words(standing: TableState) -> Iterator[str]:
    """A tabulator that stands at a table, in sentences."""
    at = standing.tabulator
    yield f"It has its tabulator: {at.table.model.name}, unit {at.unit}, in {at.table.location}."
    for one in at.table.wagers:
        amount = f" of {format_cents(one.amount)}" if one.amount is not None else ""
        yield f"Sensor {one.sensor}: {one.wager}{amount}, for {one.jackpot or 'no jackpot'}."
