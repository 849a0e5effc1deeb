"""The confirmation by simulation on a PAR sheet: what it says follows from the tests."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import Final

from cardroom.odds.rounds.agreement import FEWEST_EXPECTED, LEVEL, Agreement
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph, numbers
from cardroom.reports.paper.numbers import fixed, percent, signed
from cardroom.reports.par.confirming import Confirmation
from cardroom.reports.par.sheet import ParSheet

_VERDICTS: Final = {None: "not tested", False: "agrees", True: "differs"}


def confirmation(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    yield Heading(1, "Confirmation by simulation")
    made = sheet.confirmed
    if made is None:
        yield Paragraph("No rounds were simulated to confirm the figures of this sheet.")
        return
    if made.refused:
        yield Paragraph(f"The figures are not confirmed: the rounds could not be counted. {made.refused}")
        return
    decided = f"each decision by {sheet.policy}," if sheet.policy else "each decision played at its best,"
    yield Paragraph(
        f"{made.rounds:,} rounds were dealt with the seed {made.seed}, {decided} and settled by the rules that settle "
        f"a live table. No figure of this sheet comes from them. {_judged(sheet, made)}"
    )
    judged = zip(sheet.wagers, made.wagers, made.differing, strict=True)
    rows = tuple((*_row(one.name, found), _VERDICTS[differs]) for one, found, differs in judged)
    columns = numbers("Simulated return", "z", "Chi-square", "Degrees", "p-value")
    yield Grid((GridColumn("Wager", wide=True), *columns, GridColumn("Result")), rows)
    yield Paragraph(
        "z is the difference of the mean from the expected return in standard errors; 95 of 100 lie between −1.96 and "
        f"+1.96. Chi-square is over the endings of the wager; those with fewer than {FEWEST_EXPECTED} expected are "
        "counted together. The p-value is the chance of a chi-square as large or larger when the figures are right. "
        f"A wager differs when its z or its chi-square is rejected at the {percent(LEVEL, 0)} level, all tests of the "
        "sheet judged together by Holm's method. "
        "Returns that hang on a meter are without it. A figure that was simulated itself widens both by its own error.",
        quiet=True,
    )


def _judged(sheet: ParSheet, made: Confirmation) -> str:
    """What the tests say, and no more."""
    level = f"at the {percent(LEVEL, 0)} level"
    named = zip(sheet.wagers, made.differing, strict=True)
    differ = [one.name for one, differs in named if differs]
    if differ:
        return (
            f"They differ from the figures of {', '.join(differ)} {level}: do not use these figures before the "
            "difference is explained."
        )
    if not any(differs is False for differs in made.differing):
        return "No wager could be tested, so they confirm nothing."
    return f"They agree with the figures {level}."


def _row(name: str, found: Agreement | None) -> tuple[str, ...]:
    if found is None:
        return name, "not played", "", "", "", ""
    z = "" if found.z is None else signed(found.z, 3)
    p = "" if found.p is None else fixed(found.p, 4)
    return name, signed(found.mean, 6), z, _chi_square(found, 3), str(found.degrees), p


def _chi_square(found: Agreement, digits: int) -> str:
    """What cannot happen and happened is infinitely far off."""
    return "infinite" if found.chi_square == inf else fixed(found.chi_square, digits)
