"""What the coach says, in words and figures.

>>> from fractions import Fraction
>>> dollars(Fraction(-991)), dollars(Fraction(-1, 3)), price_of(Fraction(1, 3)), price_of(Fraction(42))
('-$9.91', '$0.00', 'less than a cent', '$0.42')
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from rich.table import Table as Grid
from rich.text import Text

from cardroom.games.decisions import Decision
from cardroom.odds.pricer import Advice
from cardroom.terminal.felt.coach import Judged, best_of, cost_against, worth_of
from cardroom.terminal.names import answer
from cardroom.terminal.palette import ASKED_AGAIN, COST, HINT, NUMBER, QUIET


def dollars(cents: Fraction) -> str:
    """An average to the cent."""
    whole = round(cents)
    return f"{'-' if whole < 0 else ''}${abs(whole) // 100:,}.{abs(whole) % 100:02}"


def price_of(cost: Fraction) -> str:
    """What an answer costs; a small cost is not nothing."""
    return "less than a cent" if cost > 0 and not round(cost) else dollars(cost)


def plus_minus(error: float | None) -> str:
    """The standard error of an amount in cents; nothing where it is exact."""
    return "" if error is None else f" ± ${error / 100:.2f}"


def verdict(one: Judged) -> Text:
    """What the last answer cost."""
    said = Text.assemble("Coach: “", answer(one.given), "” ")
    if one.is_best:
        known = "was the best answer." if one.error is None else "was as good as any, as far as a simulation can tell."
        return said.append(known, HINT)
    said.append(f"cost you {price_of(one.cost)}{plus_minus(one.error)} on average: ", ASKED_AGAIN)
    return said.append("“").append(answer(one.best)).append("” was better.")


def hint_table(numbered: Iterable[Decision], advice: Sequence[Advice], covered: Sequence[Decision]) -> Grid:
    """The answers with their numbers, what each is worth and what it costs against the best."""
    best = best_of(advice, covered)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right")
    grid.add_column(no_wrap=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column()
    for number, option in enumerate(numbered, 1):
        one = worth_of(option, advice)
        if one.decision == best.decision:
            remark = Text("best", HINT)
        elif option not in covered:
            remark = Text("your balance does not cover it", QUIET)
        elif cost := cost_against(best, one):
            remark = Text(f"costs {price_of(cost)}", COST)
        else:
            remark = Text("too close to tell" if one.standard_error else "as good", HINT)
        worth = f"{dollars(one.value)}{plus_minus(one.standard_error)}"
        grid.add_row(str(number), answer(option), worth, remark)
    return grid


def hint_words(advice: Sequence[Advice]) -> str:
    """What the figures of a hint are."""
    simulated = any(one.standard_error is not None for one in advice)
    how = "simulated, ± one standard error" if simulated else "exact"
    return f"What your wagers on this answer win or lose on average, {how}."
