"""The confirmation by simulation on a PAR sheet."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

from cardroom.odds.rounds.agreement import FEWEST_EXPECTED, Agreement
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph, numbers
from cardroom.reports.paper.numbers import fixed, signed
from cardroom.reports.par.sheet import ParSheet


def confirmation(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    yield Heading(1, "Confirmation by simulation")
    made = sheet.confirmed
    if made is None:
        yield Paragraph("No rounds were simulated to confirm the figures of this sheet.")
        return
    yield Paragraph(
        f"{made.rounds:,} rounds were dealt with the seed {made.seed}, each decision played at its best, and settled "
        "by the rules that settle a live table. They confirm the figures; no figure of this sheet comes from them."
    )
    rows = tuple(_row(one.name, found) for one, found in zip(sheet.wagers, made.wagers, strict=True))
    columns = numbers("Simulated return", "z", "Chi-square", "Degrees", "p-value")
    yield Grid((GridColumn("Wager", wide=True), *columns), rows)
    yield Paragraph(
        "z is the difference of the mean from the expected return in standard errors; 95 of 100 lie between −1.96 and "
        f"+1.96. Chi-square is over the endings of the wager; those with fewer than {FEWEST_EXPECTED} expected are "
        "counted together. The p-value is the chance of a chi-square as large or larger when the figures are right. "
        "Returns that hang on a meter are without it. A figure that was simulated itself widens both by its own error.",
        quiet=True,
    )


def _row(name: str, found: Agreement | None) -> tuple[str, ...]:
    if found is None:
        return name, "not played", "", "", "", ""
    z = "" if found.z is None else signed(found.z, 3)
    p = "" if found.p is None else fixed(found.p, 4)
    return name, signed(found.mean, 6), z, _chi_square(found, 3), str(found.degrees), p


def _chi_square(found: Agreement, digits: int) -> str:
    """What cannot happen and happened is infinitely far off."""
    return "infinite" if found.chi_square == inf else fixed(found.chi_square, digits)
