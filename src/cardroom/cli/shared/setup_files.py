"""Read the setup file of a table with its tabulator, and write example setup files.

A sensor names its wager and its jackpot. The paytable, the amounts, and the jackpot's kind follow from the table and
the jackpot, unless the file contains them.

The examples (a jackpot, a table, and a promotion of a game) work as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from enum import StrEnum
from fractions import Fraction
from typing import Any, Final, NamedTuple

from cardroom.documents import read_toml
from cardroom.errors import BadInput
from cardroom.games import TableSetup, game
from cardroom.games.money import format_cents
from cardroom.games.playable_table import WagerOffer
from cardroom.games.setup import WagerSetup, setup_from_json
from cardroom.paytables import paytable
from cardroom.room.jackpot.lifecycle import with_displayed_bonuses
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.example import (
    AMOUNT,
    CEILING,
    CONTRIBUTION,
    LOCATION,
    MAIN_LEVEL,
    RESERVE,
    SEED,
    JackpotExample,
    has_logger,
    jackpot_example,
)
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor, make_sensor, tabulator_setup_from_mapping
from cardroom.room.tabulator.data_logger import PressDetails, new_logger, write_record
from cardroom.room.tabulator.logger_lines import log_bytes

TABLE_KEYS: Final = ("table", "location", "money", "unit", "counters", "positions", "sensors", "play")
"""The keys of the table, in addition to the game's."""


class BadTabulatorFile(BadInput):
    """A wrong or incomplete setup file of a table with a tabulator."""


class TabulatorFile(NamedTuple):
    """The contents of a setup file."""

    setup: TableSetup
    tabulator: TabulatorSetup
    unit: str
    counters: tuple[int, ...]


def read_tabulator_file(text: str, find_jackpot: Callable[[str], JackpotState]) -> TabulatorFile:
    """Read a table's file; ``find_jackpot`` returns the state of a jackpot."""
    content = read_toml(text, BadTabulatorFile, "The table's file")
    table_keys: dict[str, Any] = {name: content.pop(name) for name in TABLE_KEYS if name in content}
    table_keys.pop("play", None)  # what `cardroom table add` reads
    setup = setup_from_json(content)
    if setup.tabulator is None:
        raise BadTabulatorFile("The table's file has no 'tabulator': write the model, such as \"milky-way\".")
    unit, counters = table_keys.pop("unit", None), table_keys.pop("counters", [])
    if not isinstance(unit, str):
        raise BadTabulatorFile("The table's file needs 'unit': the number on the tabulator's case, as a text.")
    if not isinstance(counters, list) or not all(type(counter) is int for counter in counters):
        raise BadTabulatorFile("'counters' must be a list of whole numbers, one for each wager of the unit.")
    sensors = table_keys.get("sensors", [])
    if isinstance(sensors, list):
        table_keys["sensors"] = _complete_sensors(sensors, setup, find_jackpot)
    tabulator_keys: dict[str, Any] = {
        "game": setup.game,
        "tabulator": setup.tabulator,
        "positions": setup.seats,
        **table_keys,
    }
    return TabulatorFile(setup, tabulator_setup_from_mapping(tabulator_keys), unit, tuple(counters))


def _complete_sensors(
    sensor_sections: list[Any], setup: TableSetup, find_jackpot: Callable[[str], JackpotState]
) -> list[Any]:
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
    return _sensor_json(make_sensor(offered[wager], None, None), state.kind if state else None) | section


def _sensor_json(sensor: WagerSensor, kind: JackpotKind | None) -> dict[str, Any]:
    amounts = {"amount": sensor.amount, "lammer_amount": sensor.lammer_amount}
    data: dict[str, Any] = {"paytable": sensor.paytable}
    data |= {name: format_cents(cents) for name, cents in amounts.items() if cents is not None}
    return data if kind is None else data | {"kind": str(kind)}


EXAMPLE_TABLE: Final = "table-1"
EXAMPLE_UNIT: Final = "T-1001"
LOGGER_TABLE: Final = "logger-1"
LOGGER_UNIT: Final = "A1-77"
"""The example with a data logger has another table, so that both examples can be used together."""


class ExamplePart(StrEnum):
    """The files of an example, in the order in which they are used."""

    JACKPOT = "jackpot"
    TABLE = "table"
    PROMOTION = "promotion"


def example_files(
    slug: str, kind: str | None = None, *, year: int = 2026, tabulator: str | None = None
) -> dict[ExamplePart, str]:
    """The files by part. The jackpot is a progressive if a paytable of the game pays a percentage of a meter."""
    example_setup = jackpot_example(slug, kind, tabulator)
    return {
        ExamplePart.JACKPOT: "\n".join(_jackpot_lines(example_setup)) + "\n",
        ExamplePart.TABLE: "\n".join(_table_lines(example_setup)) + "\n",
        ExamplePart.PROMOTION: "\n".join(_promotion_lines(example_setup, year)) + "\n",
    }


def example_log(time: int) -> bytes:
    """A data logger's file with two rounds that wait; `cardroom data-logger press` adds more."""
    logger = new_logger(LOGGER_UNIT)
    for number, positions in enumerate(([1, 4], [2, 3, 4]), 1):
        counter = (logger.counter or 0) + len(positions)
        press: PressDetails = {"time": time, "dealer": "Kim", "counter": counter}
        logger = write_record(logger, f"sample-{number}", positions, **press)
    return log_bytes(logger)


# One function for each file; it yields lines of TOML.


def _jackpot_lines(example_setup: JackpotExample) -> Iterator[str]:
    facts, wager = example_setup.facts, example_setup.wager
    yield f"# A {example_setup.kind} jackpot for {facts.name}: cardroom jackpot add FILE.toml --by LOGIN"
    yield from _text_lines(id=example_setup.jackpot, name=example_setup.name, kind=example_setup.kind)
    yield _add_note(f"location = {_quote_text(LOCATION)}", "tables of one location share a meter")
    if len(example_setup.amounts) == 1:
        yield f"wager = {_quote_text(format_cents(example_setup.amounts[0]))}"
    else:
        yield f"wagers = [{', '.join(_quote_text(format_cents(cents)) for cents in example_setup.amounts)}]"
    yield _add_note('jurisdiction = "washington"', 'or "tribal"')
    yield ""
    yield "[[offers]]"
    yield from _text_lines(game=facts.slug, wager=wager.slug)
    yield _add_note(
        f"paytable = {_quote_text(example_setup.paytable.name)}", f"as printed: cardroom paytables {facts.slug}"
    )
    if example_setup.bonuses:
        yield _add_note("[offers.bonuses]", "the operator's amounts for open lines of the sheet")
        yield from _text_lines(**example_setup.bonuses)
    yield from _level_lines(example_setup)


def _level_lines(example_setup: JackpotExample) -> Iterator[str]:
    events = example_setup.events
    if not events:
        return
    yield ""
    yield _add_note("[[levels]]", "a meter; list several levels from the highest down")
    yield f"name = {_quote_text(MAIN_LEVEL)}"
    yield f"pays = [{', '.join(map(_quote_text, events))}]"
    if example_setup.kind is JackpotKind.BONUS:
        yield f"amount = {_quote_text(format_cents(AMOUNT))}"
        return
    yield _add_note(f"seed = {_quote_text(format_cents(SEED))}", "the card room starts and resets it with this")
    yield _add_note(f"contribution = {_format_percent(CONTRIBUTION)}", "of each wager, on the meter")
    yield _add_note(f"reserve = {_format_percent(RESERVE)}", "of each wager, saved for the next reset")
    yield _add_note(f"ceiling = {_quote_text(format_cents(CEILING))}", "may be left out; money above it is overflow")


def _table_lines(example_setup: JackpotExample) -> Iterator[str]:
    facts, setup = example_setup.facts, example_setup.setup
    yield f"# A table of {facts.name} with a tabulator: cardroom tabulator add FILE.toml --by LOGIN"
    logger = has_logger(setup.tabulator)
    yield from _text_lines(table=LOGGER_TABLE if logger else EXAMPLE_TABLE, location=LOCATION, game=facts.slug)
    yield f"seats = {setup.seats}"
    yield _add_note(f"tabulator = {_quote_text(setup.tabulator or '')}", f"approved: {', '.join(facts.tabulators)}")
    yield _add_note(
        f"unit = {_quote_text(LOGGER_UNIT if logger else EXAMPLE_UNIT)}", "the number on the tabulator's case"
    )
    yield ""
    yield _add_note("[[sensors]]", "the first sensor of every position")
    yield from _text_lines(wager=example_setup.wager.slug, jackpot=example_setup.jackpot)
    for slug, wager in setup.wagers.items():
        yield ""
        yield from _wager_lines(slug, wager)


def _wager_lines(slug: str, wager: WagerSetup) -> Iterator[str]:
    yield f"[wagers.{slug}]"
    if wager.paytable:
        yield f"paytable = {_quote_text(wager.paytable)}"
    limits = wager.limits
    spans = {"min": limits.minimum, "max": limits.maximum, "step": limits.step}
    yield f"limits = {{ {', '.join(f'{name} = {_quote_text(format_cents(cents))}' for name, cents in spans.items())} }}"
    if wager.bonuses:
        bonuses = ", ".join(f"{event} = {_quote_text(amount)}" for event, amount in wager.bonuses.items())
        yield f"bonuses = {{ {bonuses} }}"


def _promotion_lines(example_setup: JackpotExample, year: int) -> Iterator[str]:
    facts = example_setup.facts
    wager = facts.wagers[1]
    table = paytable(facts.slug, wager.slug, example_setup.setup.wagers[wager.slug].paytable)
    line = table.lines[0]
    yield f"# A promotion on {wager.name}: cardroom promotion add FILE.toml --by LOGIN"
    yield from _text_lines(id=f"more-for-{wager.slug}", name=f"More for {wager.name}")
    yield from _text_lines(game=facts.slug, wager=wager.slug, paytable=table.name, event=line.trigger)
    yield _add_note('prize = "$25"', 'or a raised pay, such as pay = "60 to 1"')
    yield f'first = "{year}-01-01"'
    yield f'last = "{year}-12-31"'
    yield "most_prizes = 100"
    yield 'most_dollars = "$2,500"'
    if facts.promotion_consent:
        consent = _quote_text(f"letter of {year}-01-01")
        yield _add_note(f"consent = {consent}", f"the written consent of {facts.promotion_consent}; name yours")
    yield f"rules = {_quote_text(f'Every {line.label} on {wager.name} wins $25 more, a hundred times at most.')}"


def _format_percent(rate: Fraction) -> str:
    return _quote_text(f"{rate * 100}%")


def _add_note(line: str, note: str) -> str:
    """A line with an aligned comment."""
    return f"{line:<36} # {note}"


def _text_lines(**texts: str) -> Iterator[str]:
    """A line for each text."""
    return (f"{name} = {_quote_text(text)}" for name, text in texts.items())


def _quote_text(text: str) -> str:
    """A TOML string. Only backslashes and quotes need escapes here."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
