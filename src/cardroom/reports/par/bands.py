"""How far the actual return may lie from the expected one after some numbers of rounds."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil

from cardroom.odds.spread import COCHRAN, NORMAL, ROUNDS, band, fair_from, skewness
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Paragraph, numbers
from cardroom.reports.paper.numbers import fixed, percent
from cardroom.reports.par.sheet import WagerFigures


def confidence_bands(figures: WagerFigures) -> Iterator[Block]:
    """The table of one wager."""
    odds = figures.at_empty_meter
    fair = fair_from(odds)
    rows = []
    for rounds in ROUNDS:
        ends = (band(odds, rounds, deviations) for deviations in NORMAL.values())
        told = (f"{percent(one.low, 2)} to {percent(one.high, 2)}" for one in ends)
        rows.append((f"{rounds:,}", *told, "fair" if rounds >= fair else "poor"))
    yield Grid(
        (
            *numbers("Rounds"),
            *numbers(*(f"Return, {share}" for share in NORMAL)),
            GridColumn("Approximation"),
        ),
        tuple(rows),
    )
    empty = " and an empty meter" if figures.hangs_on_meter else ""
    yield Paragraph(
        f"Bands of the actual return to the player for one unit a round{empty}, by the normal distribution: the "
        f"expected return plus and minus {_deviations()} standard deviations divided by the root of the rounds. The "
        f"skewness of a round is {fixed(skewness(odds), 2)}; by Cochran's rule ({COCHRAN} times its square) the "
        f"approximation is fair from {_rounded(fair)} rounds on. Below that a band says little: rare prizes are "
        "missing in most such runs.",
        quiet=True,
    )


def _deviations() -> str:
    first, *others = (f"{float(one):.3f}" for one in NORMAL.values())
    return f"{', '.join((first, *others[:-1]))} and {others[-1]}"


def _rounded(rounds: int) -> str:
    """Upwards, to two digits.

    >>> _rounded(12_345), _rounded(7)
    ('13,000', '7')
    """
    scale = 10 ** max(len(str(rounds)) - 2, 0)
    return f"{ceil(rounds / scale) * scale:,}"
