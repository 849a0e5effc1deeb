"""Figures of wagers as the lab prints them: rounded from the exact fraction, simulated ones with their error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.games.game_facts import Wager
from cardroom.odds import Odds
from cardroom.odds.prices import JACKPOT_WAGER_CENTS
from cardroom.odds.result import OutcomeLine, Setting
from cardroom.reports.documents.numbers import (
    capitalize_slug,
    format_dollars,
    format_fixed,
    format_fraction,
    format_percent,
    format_signed,
)

UNKNOWN: Final = "hangs on the meter"
_RAISED: Final = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Row(NamedTuple):
    """One figure, for each table that is looked at."""

    name: str
    values: tuple[str, ...]


class OutcomeRow(NamedTuple):
    """A line of the outcome table, with its bar."""

    event: str
    pays: str
    combinations: str
    probability: str
    contribution: str
    left: float
    """Where the bar begins, and how wide it is: parts of a hundred on either side of nothing."""
    wide: float
    gains: bool


class TableRow(NamedTuple):
    """A printed table in the overview of a wager."""

    name: str
    edge: str
    risk: str
    deviation: str
    hits: str
    fixed_return: str
    break_even: str
    exact: bool
    part: float
    """How long its bar is, in parts of a hundred: of the house edge, or of what a jackpot's fixed prizes give back."""


def digits_of(odds: Odds) -> int:
    """How many digits of a percentage are known: a simulation does not know more."""
    return 4 if odds.simulated_rounds is None else 3


def with_error(odds: Odds, value: Fraction | None) -> str:
    """A percentage of what is wagered before the deal; ± is one standard error."""
    if value is None:
        return UNKNOWN
    told = format_percent(value, digits_of(odds))
    if odds.standard_error is None:
        return told
    return f"{told} ± {format_percent(odds.standard_error / odds.initial_wager, digits_of(odds))}"


def rows(answers: Sequence[Odds]) -> Iterator[Row]:
    """The figures side by side."""

    def row(name: str, value: Sequence[str]) -> Row:
        return Row(name, tuple(value))

    yield row("House edge", [with_error(one, one.house_edge) for one in answers])
    yield row("Method", ["exact" if one.is_exact else "simulated" for one in answers])
    yield row("Expected return", [_expected(one) for one in answers])
    yield row("Standard deviation", [_plain(one.standard_deviation) for one in answers])
    yield row("Hit frequency", [format_percent(one.hit_frequency, digits_of(one)) for one in answers])
    yield row("Element of risk", [with_error(one, one.element_of_risk) for one in answers])
    yield row("Average wager", [f"{format_fixed(one.average_wager, 4)} units" for one in answers])
    if any(one.is_jackpot for one in answers):
        yield row("Fixed return", [format_percent(one.fixed_return) for one in answers])
        yield row("Break-even meter", [break_even(one) for one in answers])


def _plain(value: float | None) -> str:
    return UNKNOWN if value is None else f"{format_fixed(value, 4)} units"


def _expected(odds: Odds) -> str:
    if odds.expected_return is None:
        return UNKNOWN
    return f"{format_signed(odds.expected_return, 6)} units"


def exactly(odds: Odds) -> str:
    """Where the return comes from: the fraction, or the rounds, the error and the policy of a simulation."""
    if not odds.is_exact:
        return f"{odds.method_text}. {odds.unhit_sentence}".rstrip(" .")
    if odds.expected_return is None:
        return ""
    return f"exactly {format_fraction(odds.expected_return)}"


def break_even(odds: Odds) -> str:
    """The meter at which the wager is fair, for a one-dollar wager."""
    even = odds.break_even_meter
    if even is None:
        return "no meter"
    return format_dollars(even, JACKPOT_WAGER_CENTS) if even > 0 else "always above fair"


def left_out(wager: Wager, answers: Sequence[Odds]) -> str:
    """A sentence about what the figures of a wager leave out; empty where they leave out nothing."""
    excludes = dict.fromkeys(one for odds in answers for one in odds.exclusions)
    told = f"These figures leave out {', '.join(excludes)}. " if excludes else ""
    features = [feature.name for feature in wager.features]
    if features:
        told += f"A table may add {' or '.join(features)} to this wager: these figures leave that out too."
    return told.strip()


def outcomes(odds: Odds) -> list[OutcomeRow]:
    """Every outcome, with a bar that shows what it adds to the return and takes from it."""
    most = max((abs(one.contribution) for one in odds.outcomes), default=Fraction(0)) or Fraction(1)
    shown = []
    for one in odds.outcomes:
        wide = float(abs(one.contribution) / most) * 100
        shown.append(
            OutcomeRow(
                event=capitalize_slug(one.trigger),
                pays=one.pays,
                combinations=f"{one.combinations:,}",
                probability=_probability(odds, one),
                contribution="meter" if one.depends_on_meter else format_signed(one.contribution, 6),
                left=0.0 if one.contribution > 0 else -wide,
                wide=wide,
                gains=one.contribution > 0,
            )
        )
    return shown


def _probability(odds: Odds, outcome: OutcomeLine) -> str:
    """Rounds that never came to an outcome do not say that it never happens."""
    if odds.simulated_rounds is None:
        return likely(outcome.probability, 8)
    return likely(outcome.probability, 6) if outcome.combinations else f"not in {odds.simulated_rounds:,} rounds"


def likely(probability: Fraction, digits: int) -> str:
    """A probability; one that is too small for its digits as a power of ten.

    >>> likely(Fraction(1, 8), 8), likely(Fraction(1, 6 * 10**9), 8), likely(Fraction(0), 8)
    ('0.12500000', '1.67 × 10⁻¹⁰', 'never')
    """
    if not probability:
        return "never"
    if probability * 10**digits >= 10:
        return format_fixed(probability, digits)
    shown, _, power = f"{float(probability):.2e}".partition("e")
    return f"{shown} × 10{str(int(power)).translate(_RAISED)}"


def drawn_part(odds: Odds) -> Fraction:
    """What the bar of a table shows."""
    return odds.fixed_return if odds.is_jackpot else max(odds.house_edge or Fraction(0), Fraction(0))


def table_rows(answers: Sequence[Odds]) -> tuple[TableRow, ...]:
    """The printed tables of a wager, drawn on one scale: the longest bar is as long as can be."""
    most = max(map(drawn_part, answers), default=Fraction(0)) or Fraction(1)
    return tuple(_table_row(one, round(float(drawn_part(one) / most) * 100, 1)) for one in answers)


def _table_row(odds: Odds, part: float) -> TableRow:
    return TableRow(
        name=odds.paytable,
        edge=with_error(odds, odds.house_edge),
        risk=with_error(odds, odds.element_of_risk),
        deviation="" if odds.standard_deviation is None else format_fixed(odds.standard_deviation, 4),
        hits=format_percent(odds.hit_frequency, 2),
        fixed_return=format_percent(odds.fixed_return) if odds.is_jackpot else "",
        break_even=break_even(odds) if odds.is_jackpot else "",
        exact=odds.simulated_rounds is None,
        part=part,
    )


def setting_words(name: str, value: Setting) -> str:
    """An option and its value as people say them.

    >>> setting_words("decks", 6), setting_words("tie_after_tie_bonus", False), setting_words("ties", "lose")
    ('6 decks', 'no tie after tie bonus', 'ties lose')
    """
    spoken = name.replace("_", " ")
    if isinstance(value, bool):
        return f"with {spoken}" if value else f"no {spoken}"
    return f"{value} decks" if name == "decks" else f"{spoken} {value}"
