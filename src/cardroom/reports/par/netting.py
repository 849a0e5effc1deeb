"""The outcomes of a wager by net result: a page on which each figure can be computed again."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardroom.odds.netted import NetLine, netted
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph
from cardroom.reports.paper.numbers import exactly, fixed, percent, signed
from cardroom.reports.par.sheet import WagerFigures

_DIGITS = 10
_SIMULATED_DIGITS = 6


def by_net(figures: WagerFigures) -> Iterator[Block]:
    """The section of one wager."""
    odds = figures.at_empty_meter
    lines, digits = netted(odds), _DIGITS if figures.is_exact else _SIMULATED_DIGITS
    yield Heading(2, f"{figures.name}: outcomes by net result")
    yield Paragraph(_how(figures), quiet=True)
    on_meter = any(line.percent for line in lines)
    returned = [Fraction(line.combinations, odds.combinations) * line.net for line in lines]
    squares = [part * line.net for part, line in zip(returned, lines, strict=True)]
    counted = "Combinations" if figures.is_exact else "Rounds"
    names = (
        "Net",
        *(("Of the meter",) if on_meter else ()),
        "Wagered",
        "Hit",
        counted,
        "Probability",
        "Return",
        "Square",
    )
    rows = [
        (
            exactly(line.net),
            *((_part(line),) if on_meter else ()),
            exactly(line.wagered).lstrip("+"),
            "yes" if line.hit else "no",
            f"{line.combinations:,}",
            fixed(Fraction(line.combinations, odds.combinations), digits),
            signed(part, digits),
            fixed(square, digits),
        )
        for line, part, square in zip(lines, returned, squares, strict=True)
    ]
    total = (
        "In all",
        *(("",) if on_meter else ()),
        fixed(odds.average_wager, 6),
        percent(odds.hit_frequency, 4),
        f"{odds.combinations:,}",
        fixed(1, digits),
        signed(sum(returned, Fraction(0)), digits),
        fixed(sum(squares, Fraction(0)), digits),
    )
    yield Grid(tuple(GridColumn(name, numeric=True) for name in names), (*rows, total), total=True)


def _part(line: NetLine) -> str:
    return percent(line.percent, 0) if line.percent else "none"


def _how(figures: WagerFigures) -> str:
    told = (
        "Net and wagered in units, exact. Return is net times probability, square is net times return. Expected "
        "return: the sum of net times combinations over all combinations. Standard deviation: the root of the squares' "
        "sum less the square of the expected return. Hit frequency: the combinations of lines that are a hit over all."
    )
    if figures.hangs_on_meter:
        told += " Nets stand for an empty meter; a line gains its part of the meter, in wagers."
    if not figures.is_exact:
        told += " The rounds are simulated, so each figure has the error that the method tells."
    return told
