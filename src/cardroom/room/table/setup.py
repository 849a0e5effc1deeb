"""The setup of one table of the card room: its game, its terms of play, and its tabulator.

A table may have a tabulator and no play: cards are dealt by hand and not recorded, and only the jackpot wagers are
counted. Or it may have play and no tabulator, if no jackpot is linked.

One reader serves setup files and programs. A sensor names its wager and its jackpot. The paytable, the amounts, and the
jackpot's kind follow from the table and the jackpot, unless the file contains them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.documents import read_toml
from cardroom.errors import quote
from cardroom.games import TableSetup, game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.games.setup import setup_from_json, setup_to_json, setup_to_toml, with_custom_paytables
from cardroom.paytables import Paytable
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind, currency_to_mapping
from cardroom.room.setup.tabulator import (
    LammerSensor,
    TabulatorSetup,
    WagerSensor,
    make_sensor,
    tabulator_setup_from_mapping,
)
from cardroom.room.setup.toml_reader import SetupSection, UnreadableSetup
from cardroom.room.table.terms import CLOCKS, DealingMode, PlayTerms, play_terms_to_mapping
from cardroom.room.tabulator.installation import sensors_to_mapping
from cardroom.room.tabulator.setup_changes import SetupText, list_setup_changes

FindJackpot = Callable[[str], JackpotState]
"""Returns the state of a jackpot."""


class UnitSetup(NamedTuple):
    """The tabulator of a table: its sensors, the number on its case, and what its counter shows for each wager if it
    is not new."""

    sensors: TabulatorSetup
    unit: str
    counters: tuple[int, ...] = ()

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The jackpots for which the sensors play."""
        sensors = [sensor for sensor in self.sensors.sensors if isinstance(sensor, WagerSensor)]
        return tuple(dict.fromkeys(sensor.jackpot for sensor in sensors if sensor.jackpot is not None))


class RoomTableSetup(NamedTuple):
    """Everything that an operator decides about one table."""

    table: str
    game: TableSetup
    play: PlayTerms | None = None
    """None if no round is dealt in the program."""
    tabulator: UnitSetup | None = None
    """None if no jackpot wager is counted."""

    @property
    def jackpots(self) -> tuple[str, ...]:
        """The linked jackpots."""
        return self.tabulator.jackpots if self.tabulator else ()

    @property
    def texts(self) -> SetupText:
        """The setup as JSON."""
        play = play_terms_to_mapping(self.play) if self.play else {}
        if self.tabulator is None:
            return SetupText(setup_to_json(self.game), play=play)
        sensors = sensors_to_mapping(self.tabulator.sensors)
        return SetupText(setup_to_json(self.game), sensors, self.tabulator.unit, play)


def list_table_changes(before: RoomTableSetup, after: RoomTableSetup) -> tuple[SetupChange, ...]:
    """Each line that differs."""
    return list_setup_changes(before.texts, after.texts)


# The setup file.

_UNIT_KEYS: Final = ("unit", "counters", "sensors")
TABLE_KEYS: Final = ("table", "location", "money", "positions", "play", *_UNIT_KEYS)
"""The keys of the table, in addition to the game's."""


class BadRoomTable(UnreadableSetup):
    """An incomplete or wrong setup file of a table."""


class _PlaySection(SetupSection):
    error_type = BadRoomTable


def read_room_table(
    text: str, find_jackpot: FindJackpot, paytables: Sequence[Paytable] = (), *, is_live: bool = False
) -> RoomTableSetup:
    """Read a table's setup file. ``paytables`` are custom ones for its wagers; ``is_live`` makes the table live,
    whatever the file says."""
    content = read_toml(text, BadRoomTable, "The table's file")
    table_keys: dict[str, Any] = {name: content.pop(name) for name in TABLE_KEYS if name in content}
    table = table_keys.get("table")
    if not isinstance(table, str):
        raise BadRoomTable("The table's file needs 'table': the table's name, as a text.")
    setup = setup_from_json(content)
    if paytables:
        setup = with_custom_paytables(setup, paytables, game(setup.game).facts)
    play_section = table_keys.pop("play", None)
    if is_live and isinstance(play_section or {}, Mapping):
        play_section = {**(play_section or {}), "mode": str(DealingMode.LIVE), "money": str(Currency.REAL)}
    has_tabulator = setup.tabulator is not None or any(name in table_keys for name in _UNIT_KEYS)
    if play_section is None and not has_tabulator:
        play_section = {}
    play = None if play_section is None else read_play_terms(play_section, table_keys.get("money"))
    if play is not None:
        table_keys.setdefault("money", str(play.money))
    return RoomTableSetup(table, setup, play, _read_unit(table_keys, setup, find_jackpot) if has_tabulator else None)


def read_play_terms(content: object, money: object = None) -> PlayTerms:
    """The terms in the section ``[play]``; missing ones have their defaults, and ``money`` is the table's."""
    section, defaults = _PlaySection(content, "[play]"), PlayTerms()
    mode = section.get("mode", str, str(DealingMode.AUTOMATIC))
    if mode not in set(DealingMode):
        raise BadRoomTable(f"'mode' in [play] is {' or '.join(map(quote, DealingMode))}, not {quote(mode)}.")
    usual = money if isinstance(money, str) else str(Currency.REAL if mode == DealingMode.LIVE else Currency.PLAY)
    currency = section.get("money", str, usual)
    if currency not in set(Currency):
        raise BadRoomTable(f"'money' in [play] is {' or '.join(map(quote, Currency))}, not {quote(currency)}.")
    clocks = {name: section.get(name, int, getattr(defaults, name)) for name in CLOCKS}
    terms = defaults._replace(
        mode=DealingMode(mode), money=Currency(currency), buy_in=section.amount("buy_in", defaults.buy_in), **clocks
    )
    section.refuse_unread()
    return terms


def _read_unit(table_keys: dict[str, Any], setup: TableSetup, find_jackpot: FindJackpot) -> UnitSetup:
    if setup.tabulator is None:
        raise BadRoomTable("The table's file has no 'tabulator': write the model, such as \"milky-way\".")
    unit, counters = table_keys.pop("unit", None), table_keys.pop("counters", [])
    if not isinstance(unit, str):
        raise BadRoomTable("The table's file needs 'unit': the number on the tabulator's case, as a text.")
    if not isinstance(counters, list) or not all(type(counter) is int for counter in counters):
        raise BadRoomTable("'counters' must be a list of whole numbers, one for each wager of the unit.")
    sensors = table_keys.get("sensors", [])
    if isinstance(sensors, list):
        table_keys["sensors"] = _complete_sensors(sensors, setup, find_jackpot)
    keys = {"game": setup.game, "tabulator": setup.tabulator, "positions": setup.seats, **table_keys}
    return UnitSetup(tabulator_setup_from_mapping(keys), unit, tuple(counters))


def _complete_sensors(sensor_sections: list[Any], setup: TableSetup, find_jackpot: FindJackpot) -> list[Any]:
    """The sensors with the values that follow from the table and its jackpots. Wrong sections are checked later."""
    sensors = [section for section in sensor_sections if isinstance(section, dict)]
    jackpot_ids = [section["jackpot"] for section in sensors if isinstance(section.get("jackpot"), str)]
    jackpots: dict[str, JackpotState] = {jackpot_id: find_jackpot(jackpot_id) for jackpot_id in jackpot_ids}
    displayed_setup = with_displayed_bonuses(setup, list(jackpots.values()))
    offered = game(setup.game).open(displayed_setup).offers
    return [_complete_sensor(section, offered, jackpots) for section in sensor_sections]


def _complete_sensor(section: Any, offered: Mapping[str, WagerOffer], jackpots: Mapping[str, JackpotState]) -> Any:
    wager = section.get("wager") if isinstance(section, dict) else None
    if not isinstance(wager, str) or wager not in offered or "lammer_of" in section:
        return section
    jackpot_id = section.get("jackpot")
    state = jackpots.get(jackpot_id) if isinstance(jackpot_id, str) else None
    return _implied_values(make_sensor(offered[wager], None, None), state.kind if state else None) | section


def _implied_values(sensor: WagerSensor, kind: JackpotKind | None) -> dict[str, Any]:
    amounts = {"amount": sensor.amount, "lammer_amount": sensor.lammer_amount}
    data: dict[str, Any] = {"paytable": sensor.paytable}
    data |= {name: format_cents(cents) for name, cents in amounts.items() if cents is not None}
    return data if kind is None else data | {"kind": str(kind)}


def room_table_to_toml(setup: RoomTableSetup) -> str:
    """The setup file of a table, which ``read_room_table`` reads again."""
    content: dict[str, Any] = {"table": setup.table}
    if (unit := setup.tabulator) is not None:
        sensors = [_sensor_to_file(sensor) for sensor in unit.sensors.sensors]
        content |= {"location": unit.sensors.location, "unit": unit.unit, "sensors": sensors}
        content |= currency_to_mapping(unit.sensors.money)
        content |= {"counters": list(unit.counters)} if unit.counters else {}
    play = {"play": play_terms_to_mapping(setup.play)} if setup.play else {}
    return setup_to_toml(setup.game, content | play)


def _sensor_to_file(sensor: WagerSensor | LammerSensor) -> dict[str, Any]:
    if isinstance(sensor, LammerSensor):
        return {"lammer_of": sensor.wager_sensor}
    return {"wager": sensor.wager} | ({"jackpot": sensor.jackpot} if sensor.jackpot else {})
