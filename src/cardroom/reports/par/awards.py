"""The top award of each wager, and the most that one round of a full table can cost the house."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.games.money import money
from cardroom.odds.endings import net_units
from cardroom.odds.netted import netted
from cardroom.paytables import Percent
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
    counted: bool = True
    """Whether it is the highest of all outcomes; else the highest line of the paytable."""

    @property
    def largest(self) -> int:
        """Wager, in cents."""
        return self.figures.offered.limits.maximum

    @property
    def cents(self) -> Fraction:
        """Net, without the meter."""
        return self.units * self.largest


def award(figures: WagerFigures) -> Award:
    """Over every net result that can happen, with the largest wager of the set-up. Simulated rounds seldom meet the
    highest line, so that beside simulated figures the paytable says what it pays."""
    lines = netted(figures.at_maximum or figures.odds)
    units, share = max(line.net for line in lines), max(line.percent for line in lines)
    if figures.is_exact:
        return Award(figures, units, share)
    table, largest = figures.offered.paytable, figures.offered.limits.maximum
    printed = [net_units(line.pay, table.basis, largest) for line in table.lines]
    return Award(
        figures,
        max((units, *(net.units for net in printed))),
        max((share, *(net.percent for net in printed))),
        counted=False,
    )


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


_TOLD: Final = GridColumn("Off the meter"), GridColumn("From")


def top_awards(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    awards = list(map(award, sheet.wagers))
    yield Heading(1, "Top awards")
    yield Grid(
        (GridColumn("Wager", wide=True), *numbers("Largest wager", "Net, units", "Net"), *_TOLD),
        tuple(_row(one) for one in awards),
    )
    table = sheet.table
    seat = most_of_a_seat(awards, table.spots_per_player)
    spots = "" if table.spots_per_player is None else f", {table.spots_per_player} spots each"
    meters = [one for one in awards if one.percent]
    bound = "the house loses at most" if sheet.is_exact else "the top awards come to"
    told = (
        f"One round of a full table, {table.seats} seats with the largest wagers{spots}: {bound} "
        f"{_dollars(seat * table.seats)} in fixed prizes, {_dollars(seat)} to a seat. This is "
        f"{'a bound' if sheet.is_exact else 'a sum'} and no exact maximum: it adds up the top awards as if the cards "
        "could give all of them at once."
    )
    if meters:
        told += " Beside it each percentage line pays its part of the meter once, however many seats win it (BJ-4)."
    yield Paragraph(told)
    yield Paragraph(
        f"{_exactness(sheet)} What features pay is not in them. {_limit(sheet)}",
        quiet=True,
    )


def _limit(sheet: ParSheet) -> str:
    limit = sheet.table.payout_limit
    if limit is None:
        return (
            "The set-up has no limit on what a round pays in all; a limit that is posted at the table lowers what is "
            "paid, and is not part of this sheet."
        )
    return (
        f"{limit.words} (GEN-5) Figures and top awards of these wagers have it, for one player who makes the wager "
        "alone, decided as without the limit; what more winners in one deal get is less."
    )


def _exactness(sheet: ParSheet) -> str:
    if sheet.is_exact:
        return "The top awards are exact."
    return (
        "Top awards from all outcomes are exact. Those from the paytable are its highest line for the first wager; a "
        "wager that can be raised may win more."
    )


def _row(one: Award) -> tuple[str, ...]:
    meter = "nothing"
    if one.percent:
        meter = f"{percent(one.percent, 0)} with {spoken(_top_of_meter(one))}"
    source = "all outcomes" if one.counted else "paytable"
    return one.figures.name, money(one.largest), exactly(one.units), _dollars(one.cents), meter, source


def _top_of_meter(one: Award) -> str:
    """The event that wins the most of a meter."""
    if one.counted:
        return max(one.figures.odds.endings, key=lambda ending: ending.percent).event
    lines = one.figures.offered.paytable.lines
    return max(lines, key=lambda line: line.pay.share if isinstance(line.pay, Percent) else Fraction(0)).event


def _dollars(cents: Fraction) -> str:
    return money(round(cents))
