"""Odds and strategies as terminal pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.games import Decision, game
from cardroom.games.money import format_cents
from cardroom.odds.pricer import BasicStrategy, Settings, pricer
from cardroom.odds.result import Odds, WagerLimit
from cardroom.paytables import Paytable
from cardroom.reports.definitions import PLUS_MINUS, definition_sentences
from cardroom.terminal.console import QUIET, TITLE


def percentage(value: Fraction | float | None, digits: int = 4) -> str:
    """A share of one as a percentage."""
    return "" if value is None else f"{float(value) * 100:.{digits}f}%"


def settings_text(settings: Settings) -> str:
    """Options in short: ``6 decks, tie-after-tie bonus``."""
    parts = []
    for name, value in settings.items():
        label = name.replace("_", " ")
        if isinstance(value, bool):
            parts.append(f"with {label}" if value else f"no {label}")
        elif name == "decks":
            parts.append(f"{value} decks")
        else:
            parts.append(f"{label} {value}")
    return ", ".join(parts)


def required_wager_note(slug: str, wager: str, settings: Settings) -> Iterator[str]:
    """The other wager that causes a combination of options, if any."""
    required_wager = pricer(slug).linked_wager(wager, settings)
    if required_wager is not None:
        yield required_wager.text


def custom_tables_note(tables: Iterable[Paytable]) -> str:
    """A sentence that names custom paytables, if any."""
    names = dict.fromkeys(table.name for table in tables if table.is_custom)
    return f"Custom paytables, not from the sheet: {', '.join(names)}." if names else ""


def summary(prices: Sequence[Odds]) -> RenderableType:
    """One line for each wager, paytable, and combination of options; jackpots with a meter are separate."""
    return Group(*_tables(prices), *_summary_notes(prices))


def _summary_notes(prices: Sequence[Odds]) -> Iterator[RenderableType]:
    return (Text(note, QUIET) for note in dict.fromkeys(_notes(prices)))


def _tables(prices: Sequence[Odds]) -> Iterator[RenderableType]:
    for slug, group in groupby(prices, key=lambda odds: odds.game):
        of_game = list(group)
        yield Text(game(slug).facts.name, TITLE)
        priced_odds = [odds for odds in of_game if odds.expected_return is not None]
        on_a_meter = [odds for odds in of_game if odds.is_jackpot]
        if priced_odds:
            yield _edges(priced_odds)
        if on_a_meter:
            yield _meters(on_a_meter)


def _grid(*figures: str) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False)
    grid.add_column("wager", no_wrap=True)
    grid.add_column("table", min_width=10)
    for name in figures:
        grid.add_column(name, justify="right", no_wrap=True)
    return grid


def _edges(prices: Sequence[Odds]) -> RenderableType:
    grid = _grid("house edge", "elem. of risk", "st. dev.", "hits")
    for odds in prices:
        edge = percentage(odds.house_edge)
        if odds.standard_error is not None:
            edge += f"\n±{percentage(odds.standard_error / odds.initial_wager)}"
        figures = (
            edge,
            percentage(odds.element_of_risk),
            f"{odds.standard_deviation:.4f}",
            percentage(odds.hit_frequency, 2),
        )
        grid.add_row(odds.wager, _table_text(odds), *figures)
    return grid


def _meters(prices: Sequence[Odds]) -> RenderableType:
    grid = _grid("fixed return", "break-even", "hits")
    for odds in prices:
        even = "" if odds.break_even_meter is None else f"{float(odds.break_even_meter):,.2f}"
        grid.add_row(
            odds.wager, _table_text(odds), percentage(odds.fixed_return), even, percentage(odds.hit_frequency, 2)
        )
    return grid


def _table_text(odds: Odds) -> str:
    return ", ".join(filter(None, (odds.paytable, settings_text(odds.options))))


def _notes(prices: Sequence[Odds]) -> Iterator[str]:
    if any(odds.simulated_rounds for odds in prices):
        yield from definition_sentences("±")
    if any(odds.depends_on_meter for odds in prices):
        yield "The return depends on the meter: add --meter DOLLARS."
    if any(odds.is_jackpot for odds in prices):
        yield "Break-even is the meter, or the bonus on an open top line, in wagers; other open bonuses count as 0."
    yield from definition_sentences("Unit", "House edge", "Element of risk", "Standard deviation", "Hit frequency")
    for odds in prices:
        yield from required_wager_note(odds.game, odds.wager, odds.options)
    for odds in prices:
        if odds.simulated_rounds:
            method_note = (
                f"{odds.wager}{' ' * bool(odds.paytable)}{odds.paytable}: {odds.method_text}. {odds.unhit_sentence}"
            )
            yield method_note.rstrip()
    for odds in prices:
        yield from odds.notes
    for odds in prices:
        if odds.limit is not None:
            yield _limit_text(odds, odds.limit)
    for odds in prices:
        if odds.exclusions:
            yield f"Not in the figures of {odds.wager}: {', '.join(odds.exclusions)}."


def _limit_text(odds: Odds, limit: WagerLimit) -> str:
    text = (
        f"{odds.wager}: these figures include the payout limit of {format_cents(limit.cents)} a deal, for one player "
        f"with {format_cents(limit.wager_cents)}"
    )
    at_largest = odds.largest_wager_odds
    if at_largest is not None and at_largest.expected_return is not None:
        text += (
            f"; with the largest wager, {format_cents(limit.largest_cents)}, the expected return is "
            f"{float(at_largest.expected_return):+.10f} and the house edge {percentage(at_largest.house_edge)}"
        )
    return f"{text}. More winners in one deal share the limit."


def detail(odds: Odds) -> RenderableType:
    """One wager with its outcome table."""
    parts: list[RenderableType] = [*_tables([odds])]
    if odds.expected_return is not None:
        exact = odds.expected_return
        initial_text = "1 unit is" if odds.initial_wager == 1 else f"{odds.initial_wager} units are"
        text = f"Expected return {float(exact):+.10f} units a round; {initial_text} down before the deal"
        text += f", average wager {float(odds.average_wager):.6f}."
        if odds.simulated_rounds is None:
            text += f" Exactly {exact.numerator}/{exact.denominator}."
        else:
            text += f" {odds.method_text[0].upper()}{odds.method_text[1:]}. {odds.unhit_sentence}".rstrip()
        parts.append(Text(text))
    grid = Grid(box=box.SIMPLE_HEAD)
    grid.add_column("outcome", min_width=10)
    grid.add_column("pays", min_width=6)
    count_name = "combinations" if odds.is_exact else "rounds"
    grid.add_column(count_name, justify="right", overflow="fold")  # there can be as many as there are digits
    for name in ("probability", "return"):
        grid.add_column(name, justify="right", no_wrap=True)
    for outcome in odds.outcomes:
        grid.add_row(
            outcome.trigger.replace("-", " "),
            outcome.pays,
            f"{outcome.combinations:,}",
            f"{float(outcome.probability):.10f}",
            "meter" if outcome.depends_on_meter else f"{float(outcome.contribution):+.8f}",
        )
    grid.add_section()
    total = "" if odds.expected_return is None else f"{float(odds.expected_return):+.8f}"
    grid.add_row("total", "", f"{odds.combinations:,}", "1", total)
    parts.append(grid)
    return Group(*parts, *_summary_notes([odds]))


def hand_table(hand: str, values: Sequence[tuple[Decision, Fraction]]) -> RenderableType:
    """The value of each decision with a hand, best first."""
    grid = Grid(title=hand, title_style=TITLE, title_justify="left", box=box.SIMPLE_HEAD)
    grid.add_column("decision")
    grid.add_column("expected net, units", justify="right")
    grid.add_column("against the best", justify="right")
    best = values[0][1]
    for decision, value in values:
        behind = "best" if value == best else f"{float(value - best):+.6f}"
        grid.add_row(str(decision), f"{float(value):+.6f}", behind)
    return grid


def strategy_text(title: str, strategy: BasicStrategy) -> RenderableType:
    """The rules of a basic strategy and their cost."""
    rules = Grid.grid(padding=(0, 1, 0, 0))
    rules.add_column(justify="right", min_width=4)
    rules.add_column()
    for number, rule in enumerate(strategy.rules, 1):
        rules.add_row(f"{number}.", rule.text)
    error = "" if strategy.standard_error is None else f" ± {float(strategy.standard_error) * 100:.3g}%"
    cost = (
        f"Expected return {float(strategy.expected_return):+.6f}; {strategy.baseline_text} has "
        f"{float(strategy.best_return):+.6f}. It costs {float(strategy.cost) * 100:.3g}%{error} of the base wager."
    )
    return Group(Text(title, TITLE), rules, Text(f"{cost} {PLUS_MINUS}" if error else cost))
