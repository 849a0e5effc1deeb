"""Set-ups to start from: a jackpot, a table and a promotion of a game that work as they are, never out of date."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from cardroom.faults import BadInput, quoted
from cardroom.games import GameFacts, TableSetup, Tabulator, Wager, default_setup, game
from cardroom.games.money import money
from cardroom.games.setup import WagerSetup
from cardroom.jackpots import JackpotKind
from cardroom.jackpots.setup.models import model
from cardroom.jackpots.setup.opening import percentages
from cardroom.jackpots.tabulator.log_lines import log_bytes
from cardroom.jackpots.tabulator.logger import Told, new_logger, write
from cardroom.paytables import Accepts, OperatorBonus, Paytable, paytable, paytables

LOCATION: Final = "Main Street"
TABLE: Final = "table-1"
UNIT: Final = "T-1001"
LOGGER_TABLE: Final = "logger-1"
LOGGER_UNIT: Final = "A1-77"
"""A table whose tabulator has a data logger is another one, so that both examples can stand side by side."""
MAIN_LEVEL: Final = "main"
_BONUS: Final = "$1,000"
_WHOLE_METER: Final = "100%"


class ExamplePart(StrEnum):
    """The files of an example, in the order in which they are used."""

    JACKPOT = "jackpot"
    TABLE = "table"
    PROMOTION = "promotion"


class NoExample(BadInput):
    """An example that cannot be had."""


@dataclass(frozen=True, slots=True)
class _Chosen:
    """What the example is about."""

    facts: GameFacts
    wager: Wager
    paytable: Paytable
    bonuses: dict[str, str]
    """The operator's amounts, by the event of the line that the sheet leaves open."""
    kind: JackpotKind
    setup: TableSetup

    @property
    def jackpot(self) -> str:
        """An id for the jackpot: the wager's slug, unless that says no more than that it is a jackpot."""
        return f"{self.facts.slug}-jackpot" if "jackpot" in self.wager.slug else self.wager.slug

    @property
    def amounts(self) -> tuple[int, ...]:
        limits = self.setup.wagers[self.wager.slug].limits
        return tuple(range(limits.minimum, limits.maximum + 1, limits.step))


def example_files(
    slug: str, kind: str | None = None, *, year: int = 2026, tabulator: str | None = None
) -> dict[ExamplePart, str]:
    """The files by part. A progressive wherever the game has a table that prints a percentage of a meter."""
    chosen = _choose(slug, kind)
    if tabulator is not None:
        chosen = replace(chosen, setup=replace(chosen.setup, tabulator=_approved(chosen.facts, tabulator)))
    return {
        ExamplePart.JACKPOT: "\n".join(_jackpot(chosen)) + "\n",
        ExamplePart.TABLE: "\n".join(_table(chosen)) + "\n",
        ExamplePart.PROMOTION: "\n".join(_promotion(chosen, year)) + "\n",
    }


def _choose(slug: str, kind: str | None) -> _Chosen:
    facts = game(slug).facts
    wager = next(wager for wager in facts.wagers if wager.jackpot)  # every game has one
    tables = paytables(slug, wager.slug)
    growing = next((table for table in tables if percentages(table)), None)
    if kind not in (None, *JackpotKind):
        raise NoExample(f"A jackpot is of the kind {' or '.join(JackpotKind)}, not {quoted(kind)}.")
    chosen = JackpotKind(kind) if kind else JackpotKind.PROGRESSIVE if growing else JackpotKind.BONUS
    table = growing or tables[0]
    bonuses = dict.fromkeys(table.missing_bonuses({}), _BONUS)
    if chosen is JackpotKind.PROGRESSIVE and growing is None:
        bonuses |= {_line_for_a_meter(facts, table): _WHOLE_METER}
    return _Chosen(facts, wager, table, bonuses, chosen, _setup(facts, wager, table))


def _line_for_a_meter(facts: GameFacts, table: Paytable) -> str:
    """The highest line that the operator may let a meter pay, where no table prints a percentage."""
    for line in table.operator_lines:
        if isinstance(line.pay, OperatorBonus) and line.pay.accepts is not Accepts.BONUS:
            return line.event
    raise NoExample(f"{facts.name} has bonus jackpots only: none of its tables can pay a part of a meter.")


def _approved(facts: GameFacts, tabulator: str) -> str:
    if tabulator not in facts.tabulators:
        approved = ", ".join(facts.tabulators)
        raise NoExample(f"{quoted(tabulator)} is not approved for {facts.name}: choose {approved}.")
    return tabulator


def _setup(facts: GameFacts, wager: Wager, table: Paytable) -> TableSetup:
    """The usual table without its other jackpot wagers: those would need jackpots of their own."""
    usual = default_setup(facts.slug)
    wagers = {one.slug: usual.wagers[one.slug] for one in facts.wagers if not one.jackpot or one is wager}
    wagers[wager.slug] = replace(wagers[wager.slug], paytable=table.name, bonuses={})
    return replace(usual, wagers=wagers, tabulator=facts.tabulators[0])


def has_logger(tabulator: str | None) -> bool:
    """Whether a model keeps its counts in a data logger."""
    return tabulator is not None and model(Tabulator(tabulator)).data_logger


def example_log(time: int) -> bytes:
    """A data logger's file with two rounds that wait, pressed at some time: `cardroom jackpot press` writes more."""
    logger = new_logger(LOGGER_UNIT)
    for number, positions in enumerate(([1, 4], [2, 3, 4]), 1):
        counter = (logger.counter or 0) + len(positions)
        told: Told = {"time": time, "dealer": "Kim", "counter": counter}
        logger = write(logger, f"sample-{number}", positions, **told)
    return log_bytes(logger)


# One function for each file; a line of TOML a line.


def _jackpot(chosen: _Chosen) -> Iterator[str]:
    facts, wager = chosen.facts, chosen.wager
    yield f'# A {chosen.kind} jackpot for {facts.name}: cardroom jackpot open FILE.toml --by "Your name"'
    yield from _texts(id=chosen.jackpot, name=f"{facts.name} {wager.name}", kind=chosen.kind)
    yield _noted(f"location = {_text(LOCATION)}", "tables of one location share a meter")
    if len(chosen.amounts) == 1:
        yield f"wager = {_text(money(chosen.amounts[0]))}"
    else:
        yield f"wagers = [{', '.join(_text(money(cents)) for cents in chosen.amounts)}]"
    yield _noted('jurisdiction = "washington"', 'or "tribal"')
    yield ""
    yield "[[offers]]"
    yield from _texts(game=facts.slug, wager=wager.slug)
    yield _noted(f"paytable = {_text(chosen.paytable.name)}", f"as printed: cardroom paytables {facts.slug}")
    if chosen.bonuses:
        yield _noted("[offers.bonuses]", "the operator's amounts for the lines that the sheet leaves open")
        yield from _texts(**chosen.bonuses)
    yield from _level(chosen)


def _level(chosen: _Chosen) -> Iterator[str]:
    events = tuple(percentages(chosen.paytable.with_bonuses(chosen.bonuses)))
    if not events:
        return
    yield ""
    yield _noted("[[levels]]", "a meter; several levels stand from the highest down")
    yield f"name = {_text(MAIN_LEVEL)}"
    yield f"pays = [{', '.join(map(_text, events))}]"
    if chosen.kind is JackpotKind.BONUS:
        yield 'amount = "$10,000"'
        return
    yield _noted('seed = "$5,000"', "the house starts and resets it with this")
    yield _noted('contribution = "20%"', "of each wager, on the meter")
    yield _noted('reserve = "5%"', "of each wager, saved for the next reset")
    yield _noted('ceiling = "$50,000"', "may be left out; what comes in above it is overflow")


def _table(chosen: _Chosen) -> Iterator[str]:
    facts, setup = chosen.facts, chosen.setup
    yield f'# A table of {facts.name} with a tabulator: cardroom jackpot table FILE.toml --by "Your name"'
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
    yield f"limits = {{ {', '.join(f'{name} = {_text(money(cents))}' for name, cents in spans.items())} }}"
    if wager.bonuses:
        bonuses = ", ".join(f"{event} = {_text(amount)}" for event, amount in wager.bonuses.items())
        yield f"bonuses = {{ {bonuses} }}"


def _promotion(chosen: _Chosen, year: int) -> Iterator[str]:
    facts = chosen.facts
    wager = facts.wagers[1]
    table = paytable(facts.slug, wager.slug, chosen.setup.wagers[wager.slug].paytable)
    line = table.lines[0]
    yield f'# A promotion on {wager.name}: cardroom jackpot promotion announce FILE.toml --by "Your name"'
    yield from _texts(id=f"more-for-{wager.slug}", name=f"More for {wager.name}")
    yield from _texts(game=facts.slug, wager=wager.slug, paytable=table.name, event=line.event)
    yield _noted('prize = "$25"', 'or a raised pay, such as pay = "60 to 1"')
    yield f'first = "{year}-01-01"'
    yield f'last = "{year}-12-31"'
    yield "most_prizes = 100"
    yield 'most_dollars = "$2,500"'
    if facts.promotion_consent:
        consent = _text(f"letter of {year}-01-01")
        yield _noted(f"consent = {consent}", f"the written consent of {facts.promotion_consent}; name yours")
    yield f"rules = {_text(f'Every {line.printed} on {wager.name} wins $25 more, a hundred times at most.')}"


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
