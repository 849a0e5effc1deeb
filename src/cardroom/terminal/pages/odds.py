"""Odds and strategies for people."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games import Decision, game
from cardroom.games.money import money
from cardroom.odds.pricer import Settings, SimpleStrategy, pricer
from cardroom.odds.result import Odds, WagerLimit
from cardroom.paytables import Paytable
from cardroom.reports.definitions import PLUS_MINUS, defined
from cardroom.terminal.palette import QUIET, TITLE


def percentage(value: Fraction | float | None, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return "" if value is None else f"{float(value) * 100:.{digits}f}%"


def settings_words(settings: Settings) -> str:
    """Options in short: ``6 decks, tie-after-tie bonus``."""
    told = []
    for name, value in settings.items():
        spoken = name.replace("_", " ")
        if isinstance(value, bool):
            told.append(f"with {spoken}" if value else f"no {spoken}")
        elif name == "decks":
            told.append(f"{value} decks")
        else:
            told.append(f"{spoken} {value}")
    return ", ".join(told)


def beside_note(slug: str, wager: str, settings: Settings) -> Iterator[str]:
    """Which other wager brings a combination of options about, where one does."""
    beside = pricer(slug).beside(wager, settings)
    if beside is not None:
        yield beside.words


def own_tables(tables: Iterable[Paytable]) -> str:
    """A sentence where some of the tables are not printed anywhere."""
    names = dict.fromkeys(table.name for table in tables if table.is_own)
    return f"Not from the sheet but the operator's own: {', '.join(names)}." if names else ""


def summary(answers: Sequence[Odds]) -> RenderableType:
    """One line for each wager, table and combination of options; jackpots that hang on a meter stand apart."""
    return Group(*_tables(answers), *_told_below(answers))


def _told_below(answers: Sequence[Odds]) -> Iterator[RenderableType]:
    return (Text(note, QUIET) for note in dict.fromkeys(_notes(answers)))


def _tables(answers: Sequence[Odds]) -> Iterator[RenderableType]:
    for slug, group in groupby(answers, key=lambda odds: odds.game):
        of_game = list(group)
        yield Text(game(slug).facts.name, TITLE)
        known = [odds for odds in of_game if odds.expected_return is not None]
        on_a_meter = [odds for odds in of_game if odds.jackpot]
        if known:
            yield _edges(known)
        if on_a_meter:
            yield _meters(on_a_meter)


def _grid(*figures: str) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    grid.add_column("wager", no_wrap=True)
    grid.add_column("table", min_width=10)
    for name in figures:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid


def _edges(answers: Sequence[Odds]) -> RenderableType:
    grid = _grid("house edge", "elem. of risk", "st. dev.", "hits")
    for odds in answers:
        edge = percentage(odds.house_edge)
        if odds.standard_error is not None:
            edge += f"\n±{percentage(odds.standard_error / odds.initial_wager)}"
        figures = (
            edge,
            percentage(odds.element_of_risk),
            f"{odds.standard_deviation:.4f}",
            percentage(odds.hit_frequency, 2),
        )
        grid.add_row(odds.wager, _table_words(odds), *figures)
    return grid


def _meters(answers: Sequence[Odds]) -> RenderableType:
    grid = _grid("fixed return", "break-even", "hits")
    for odds in answers:
        even = "" if odds.break_even_meter is None else f"{float(odds.break_even_meter):,.2f}"
        grid.add_row(
            odds.wager, _table_words(odds), percentage(odds.fixed_return), even, percentage(odds.hit_frequency, 2)
        )
    return grid


def _table_words(odds: Odds) -> str:
    return ", ".join(filter(None, (odds.paytable, settings_words(odds.options))))


def _notes(answers: Sequence[Odds]) -> Iterator[str]:
    if any(odds.simulated_rounds for odds in answers):
        yield from defined("±")
    if any(odds.hangs_on_meter for odds in answers):
        yield "The return hangs on the meter: --meter DOLLARS says what it shows."
    if any(odds.jackpot for odds in answers):
        yield "Break-even is the meter, or the bonus on an open top line, in wagers; other open bonuses count as 0."
    yield from defined("Unit", "House edge", "Element of risk", "Standard deviation", "Hit frequency")
    for odds in answers:
        yield from beside_note(odds.game, odds.wager, odds.options)
    for odds in answers:
        if odds.simulated_rounds:
            told = f"{odds.wager}{' ' * bool(odds.paytable)}{odds.paytable}: {odds.method_words}. {odds.unhit_words}"
            yield told.rstrip()
    for odds in answers:
        yield from odds.notes
    for odds in answers:
        if odds.limit is not None:
            yield _limit_words(odds, odds.limit)
    for odds in answers:
        if odds.excludes:
            yield f"Not in the figures of {odds.wager}: {', '.join(odds.excludes)}."


def _limit_words(odds: Odds, limit: WagerLimit) -> str:
    told = (
        f"{odds.wager}: the payout limit of {money(limit.cents)} a deal is in these figures, for one player with "
        f"{money(limit.wager_cents)}"
    )
    at_largest = odds.at_largest
    if at_largest is not None and at_largest.expected_return is not None:
        told += (
            f"; with the largest wager, {money(limit.largest_cents)}, the expected return is "
            f"{float(at_largest.expected_return):+.10f} and the house edge {percentage(at_largest.house_edge)}"
        )
    return f"{told}. More winners in one deal share the limit."


def detail(odds: Odds) -> RenderableType:
    """One wager with its outcome table."""
    parts: list[RenderableType] = [*_tables([odds])]
    if odds.expected_return is not None:
        exact = odds.expected_return
        down = "1 unit is" if odds.initial_wager == 1 else f"{odds.initial_wager} units are"
        told = f"Expected return {float(exact):+.10f} units a round; {down} down before the deal"
        told += f", average wager {float(odds.average_wager):.6f}."
        if odds.simulated_rounds is None:
            told += f" Exactly {exact.numerator}/{exact.denominator}."
        else:
            told += f" {odds.method_words[0].upper()}{odds.method_words[1:]}. {odds.unhit_words}".rstrip()
        parts.append(Text(told))
    grid = Grid(box=box.SIMPLE_HEAD)
    grid.add_column("outcome", min_width=10)
    grid.add_column("pays", min_width=6)
    counted = "combinations" if odds.is_exact else "rounds"
    grid.add_column(counted, justify="right", overflow="fold")  # there can be as many as there are digits
    for name in ("probability", "return"):
        grid.add_column(name, justify="right", no_wrap=True)
    for outcome in odds.outcomes:
        grid.add_row(
            outcome.event.replace("-", " "),
            outcome.pays,
            f"{outcome.combinations:,}",
            f"{float(outcome.probability):.10f}",
            "meter" if outcome.hangs_on_meter else f"{float(outcome.contribution):+.8f}",
        )
    grid.add_section()
    total = "" if odds.expected_return is None else f"{float(odds.expected_return):+.8f}"
    grid.add_row("in all", "", f"{odds.combinations:,}", "1", total)
    parts.append(grid)
    return Group(*parts, *_told_below([odds]))


def hand_table(hand: str, values: Sequence[tuple[Decision, Fraction]]) -> RenderableType:
    """What each decision is worth with a hand, the best first."""
    grid = Grid(title=hand, title_style=TITLE, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("decision")
    grid.add_column("expected net, units", justify="right")
    grid.add_column("against the best", justify="right")
    best = values[0][1]
    for decision, value in values:
        behind = "best" if value == best else f"{float(value - best):+.6f}"
        grid.add_row(str(decision), f"{float(value):+.6f}", behind)
    return grid


def strategy_text(title: str, strategy: SimpleStrategy) -> RenderableType:
    """The rules to remember, and what they cost."""
    rules = Grid.grid(padding=(0, 1, 0, 0))
    rules.add_column(justify="right", min_width=4)
    rules.add_column()
    for number, rule in enumerate(strategy.rules, 1):
        rules.add_row(f"{number}.", rule.words)
    error = "" if strategy.standard_error is None else f" ± {float(strategy.standard_error) * 100:.3g}%"
    cost = (
        f"Expected return {float(strategy.expected_return):+.6f}; {strategy.compared_with} has "
        f"{float(strategy.best_return):+.6f}. It costs {float(strategy.cost) * 100:.3g}%{error} of the base wager."
    )
    return Group(Text(title, TITLE), rules, Text(f"{cost} {PLUS_MINUS}" if error else cost))
