"""Write example setup files of a jackpot, a table, and a promotion of a game. They work as they are."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Final

from cardroom.games.money import format_cents
from cardroom.games.setup import WagerSetup
from cardroom.paytables import paytable
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
from cardroom.room.tabulator.data_logger import PressDetails, new_logger, write_record
from cardroom.room.tabulator.logger_lines import log_bytes

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
    yield f"# A table of {facts.name} with a tabulator: cardroom table add FILE.toml --by LOGIN"
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
