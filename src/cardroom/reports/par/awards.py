"""The top award of each wager, and the most that one round of a full table can cost the house."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from cardroom.games.money import money
from cardroom.odds.netted import netted
from cardroom.reports.paper.blocks import Block, Grid, GridColumn, Heading, Paragraph, numbers
from cardroom.reports.paper.numbers import exactly, percent, spoken
from cardroom.reports.par.sheet import ParSheet, WagerFigures


class Award(NamedTuple):
    """The most that one wager can win."""

    figures: WagerFigures
    units: Fraction
    """Net, in fixed prizes, for one unit of the largest wager."""
    percent: Fraction
    """Of the meter, at most."""

    @property
    def largest(self) -> int:
        """Wager, in cents."""
        return self.figures.offered.limits.maximum

    @property
    def cents(self) -> Fraction:
        """Net, without the meter."""
        return self.units * self.largest


def award(figures: WagerFigures) -> Award:
    """Over every net result that can happen, with the largest wager of the set-up."""
    lines = netted(figures.at_maximum or figures.odds)
    return Award(figures, max(line.net for line in lines), max(line.percent for line in lines))


def most_of_a_seat(awards: list[Award], spots: int | None) -> Fraction:
    """What one player can win in a round at most: the required wagers and the best of the others, as many as a player
    may use. A bound: the cards of the best lines may not fit together."""
    best: dict[str, Award] = {}
    for one in awards:
        slug = one.figures.offered.wager.slug
        if slug not in best or best[slug].cents < one.cents:
            best[slug] = one
    required = [one.cents for one in best.values() if one.figures.offered.wager.required]
    others = sorted((one.cents for one in best.values() if not one.figures.offered.wager.required), reverse=True)
    free = len(others) if spots is None else max(spots - len(required), 0)
    return sum((*required, *(cents for cents in others[:free] if cents > 0)), Fraction(0))


def top_awards(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    awards = list(map(award, sheet.wagers))
    yield Heading(1, "Top awards")
    yield Grid(
        (GridColumn("Wager", wide=True), *numbers("Largest wager", "Net, units", "Net"), GridColumn("Off the meter")),
        tuple(_row(one) for one in awards),
    )
    table = sheet.table
    seat = most_of_a_seat(awards, table.spots_per_player)
    spots = "" if table.spots_per_player is None else f", {table.spots_per_player} spots each"
    meters = [one for one in awards if one.percent]
    told = (
        f"One round of a full table, {table.seats} seats with the largest wagers{spots}: the house loses at most "
        f"{_dollars(seat * table.seats)} in fixed prizes, {_dollars(seat)} to a seat. This is a bound and no exact "
        "maximum: it adds up the top awards as if the cards could give all of them at once."
    )
    if meters:
        told += " Beside it each percentage line pays its part of the meter once, however many seats win it (BJ-4)."
    yield Paragraph(told)
    yield Paragraph(
        "The top awards are exact. What features pay is not in them. The set-up has no limit on what a round pays in "
        "all; a limit that is posted at the table lowers what is paid, and is not part of this sheet.",
        quiet=True,
    )


def _row(one: Award) -> tuple[str, ...]:
    meter = "nothing"
    if one.percent:
        top = max(one.figures.odds.endings, key=lambda ending: ending.percent)
        meter = f"{percent(one.percent, 0)} with {spoken(top.event)}"
    return one.figures.name, money(one.largest), exactly(one.units), _dollars(one.cents), meter


def _dollars(cents: Fraction) -> str:
    return money(round(cents))
