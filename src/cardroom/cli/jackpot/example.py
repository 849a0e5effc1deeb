"""Set-ups to start from: a jackpot, a table and a promotion of a game that work as they are, never out of date."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from fractions import Fraction
from typing import Final

from cardroom.games.money import format_cents
from cardroom.games.setup import WagerSetup
from cardroom.jackpots import JackpotKind
from cardroom.jackpots.setup.example import (
    AMOUNT,
    CEILING,
    CONTRIBUTION,
    LOCATION,
    MAIN_LEVEL,
    RESERVE,
    SEED,
    Example,
    example,
    has_logger,
)
from cardroom.jackpots.tabulator.log_lines import log_bytes
from cardroom.jackpots.tabulator.logger import Told, new_logger, write
from cardroom.paytables import paytable

TABLE: Final = "table-1"
UNIT: Final = "T-1001"
LOGGER_TABLE: Final = "logger-1"
LOGGER_UNIT: Final = "A1-77"
"""A table whose tabulator has a data logger is another one, so that both examples can stand side by side."""


class ExamplePart(StrEnum):
    """The files of an example, in the order in which they are used."""

    JACKPOT = "jackpot"
    TABLE = "table"
    PROMOTION = "promotion"


def example_files(
    slug: str, kind: str | None = None, *, year: int = 2026, tabulator: str | None = None
) -> dict[ExamplePart, str]:
    """The files by part. A progressive wherever the game has a table that prints a percentage of a meter."""
    chosen = example(slug, kind, tabulator)
    return {
        ExamplePart.JACKPOT: "\n".join(_jackpot(chosen)) + "\n",
        ExamplePart.TABLE: "\n".join(_table(chosen)) + "\n",
        ExamplePart.PROMOTION: "\n".join(_promotion(chosen, year)) + "\n",
    }


def example_log(time: int) -> bytes:
    """A data logger's file with two rounds that wait, pressed at some time: `cardroom jackpot press` writes more."""
    logger = new_logger(LOGGER_UNIT)
    for number, positions in enumerate(([1, 4], [2, 3, 4]), 1):
        counter = (logger.counter or 0) + len(positions)
        told: Told = {"time": time, "dealer": "Kim", "counter": counter}
        logger = write(logger, f"sample-{number}", positions, **told)
    return log_bytes(logger)


# One function for each file; a line of TOML a line.


def _jackpot(chosen: Example) -> Iterator[str]:
    facts, wager = chosen.facts, chosen.wager
    yield f"# A {chosen.kind} jackpot for {facts.name}: cardroom jackpot open FILE.toml --by LOGIN"
    yield from _texts(id=chosen.jackpot, name=chosen.name, kind=chosen.kind)
    yield _noted(f"location = {_text(LOCATION)}", "tables of one location share a meter")
    if len(chosen.amounts) == 1:
        yield f"wager = {_text(format_cents(chosen.amounts[0]))}"
    else:
        yield f"wagers = [{', '.join(_text(format_cents(cents)) for cents in chosen.amounts)}]"
    yield _noted('jurisdiction = "washington"', 'or "tribal"')
    yield ""
    yield "[[offers]]"
    yield from _texts(game=facts.slug, wager=wager.slug)
    yield _noted(f"paytable = {_text(chosen.paytable.name)}", f"as printed: cardroom paytables {facts.slug}")
    if chosen.bonuses:
        yield _noted("[offers.bonuses]", "the operator's amounts for the lines that the sheet leaves open")
        yield from _texts(**chosen.bonuses)
    yield from _level(chosen)


def _level(chosen: Example) -> Iterator[str]:
    events = chosen.events
    if not events:
        return
    yield ""
    yield _noted("[[levels]]", "a meter; several levels stand from the highest down")
    yield f"name = {_text(MAIN_LEVEL)}"
    yield f"pays = [{', '.join(map(_text, events))}]"
    if chosen.kind is JackpotKind.BONUS:
        yield f"amount = {_text(format_cents(AMOUNT))}"
        return
    yield _noted(f"seed = {_text(format_cents(SEED))}", "the house starts and resets it with this")
    yield _noted(f"contribution = {_percent(CONTRIBUTION)}", "of each wager, on the meter")
    yield _noted(f"reserve = {_percent(RESERVE)}", "of each wager, saved for the next reset")
    yield _noted(f"ceiling = {_text(format_cents(CEILING))}", "may be left out; what comes in above it is overflow")


def _table(chosen: Example) -> Iterator[str]:
    facts, setup = chosen.facts, chosen.setup
    yield f"# A table of {facts.name} with a tabulator: cardroom jackpot table FILE.toml --by LOGIN"
    logger = has_logger(setup.tabulator)
    yield from _texts(table=LOGGER_TABLE if logger else TABLE, location=LOCATION, game=facts.slug)
    yield f"seats = {setup.seats}"
    yield _noted(f"tabulator = {_text(setup.tabulator or '')}", f"approved: {', '.join(facts.tabulators)}")
    yield _noted(f"unit = {_text(LOGGER_UNIT if logger else UNIT)}", "the number on the tabulator's case")
    yield ""
    yield _noted("[[sensors]]", "the first sensor of every position")
    yield from _texts(wager=chosen.wager.slug, jackpot=chosen.jackpot)
    for slug, wager in setup.wagers.items():
        yield ""
        yield from _wager(slug, wager)


def _wager(slug: str, wager: WagerSetup) -> Iterator[str]:
    yield f"[wagers.{slug}]"
    if wager.paytable:
        yield f"paytable = {_text(wager.paytable)}"
    limits = wager.limits
    spans = {"min": limits.minimum, "max": limits.maximum, "step": limits.step}
    yield f"limits = {{ {', '.join(f'{name} = {_text(format_cents(cents))}' for name, cents in spans.items())} }}"
    if wager.bonuses:
        bonuses = ", ".join(f"{event} = {_text(amount)}" for event, amount in wager.bonuses.items())
        yield f"bonuses = {{ {bonuses} }}"


def _promotion(chosen: Example, year: int) -> Iterator[str]:
    facts = chosen.facts
    wager = facts.wagers[1]
    table = paytable(facts.slug, wager.slug, chosen.setup.wagers[wager.slug].paytable)
    line = table.lines[0]
    yield f"# A promotion on {wager.name}: cardroom jackpot promotion announce FILE.toml --by LOGIN"
    yield from _texts(id=f"more-for-{wager.slug}", name=f"More for {wager.name}")
    yield from _texts(game=facts.slug, wager=wager.slug, paytable=table.name, event=line.trigger)
    yield _noted('prize = "$25"', 'or a raised pay, such as pay = "60 to 1"')
    yield f'first = "{year}-01-01"'
    yield f'last = "{year}-12-31"'
    yield "most_prizes = 100"
    yield 'most_dollars = "$2,500"'
    if facts.promotion_consent:
        consent = _text(f"letter of {year}-01-01")
        yield _noted(f"consent = {consent}", f"the written consent of {facts.promotion_consent}; name yours")
    yield f"rules = {_text(f'Every {line.label} on {wager.name} wins $25 more, a hundred times at most.')}"


def _percent(rate: Fraction) -> str:
    return _text(f"{rate * 100}%")


def _noted(line: str, note: str) -> str:
    """A line with a remark, all of them below one another."""
    return f"{line:<36} # {note}"


def _texts(**texts: str) -> Iterator[str]:
    """A line for each text."""
    return (f"{name} = {_text(text)}" for name, text in texts.items())


def _text(text: str) -> str:
    """A text as TOML; none of ours holds a sign that would have to be escaped otherwise."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
