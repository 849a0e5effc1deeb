"""The top award of each wager, and the most that one round of a full table can cost the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from cardroom.games.money import money
from cardroom.games.payout_limit import odds_of
from cardroom.odds.endings import net_units
from cardroom.odds.netted import netted
from cardroom.odds.result import Odds
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
    shared: Fraction = Fraction(0)
    """The most by odds that shares the table's payout limit, in units before the limit; nothing where none covers the
    wager."""
    apart: Fraction = Fraction(0)
    """The most beside that, in units."""

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
    odds = figures.at_maximum or figures.odds
    lines = netted(odds)
    units, share = max(line.net for line in lines), max(line.percent for line in lines)
    shares = [*_shares(odds)]
    if not figures.is_exact:
        printed = [*_printed(figures, odds)]
        units = max(units, *(min(one.shared, _most(odds, figures)) + one.apart for one in printed))
        share = max(share, *(one.percent for one in printed))
        shares += printed
    if odds.limit is None:
        return Award(figures, units, share, figures.is_exact, apart=units)
    most_shared, most_apart = max(one.shared for one in shares), max(one.apart for one in shares)
    return Award(figures, units, share, figures.is_exact, most_shared, most_apart)


class _Share(NamedTuple):
    """An outcome, in units: what shares the payout limit, what is beside it, and what comes off a meter."""

    shared: Fraction
    apart: Fraction
    percent: Fraction = Fraction(0)


def _shares(odds: Odds) -> Iterator[_Share]:
    for one in odds.unlimited if odds.limit else ():
        if one.combinations and odds.limit:
            by_odds = odds.limit.by_odds(one)
            yield _Share(by_odds, one.net - by_odds)


def _printed(figures: WagerFigures, odds: Odds) -> Iterator[_Share]:
    """The lines of the paytable."""
    table, largest = figures.offered.paytable, figures.offered.limits.maximum
    for line in table.lines:
        net = net_units(line.pay, table.basis, largest)
        by_odds = odds_of(line.pay) if odds.limit else Fraction(0)
        yield _Share(by_odds, net.units - by_odds, net.percent)


def _most(odds: Odds, figures: WagerFigures) -> Fraction:
    """What the payout limit leaves of a prize, in units of the largest wager."""
    return Fraction(odds.limit.cents, figures.offered.limits.maximum) if odds.limit else Fraction(0)


class _Seat(NamedTuple):
    """The top awards of one player's wagers, in cents."""

    alone: Fraction
    """Each as if it were the only one under the payout limit."""
    apart: Fraction
    shared: Fraction


def most_of_a_deal(awards: list[Award], spots: int | None, seats: int = 1, limit: int | None = None) -> Fraction:
    """What these seats can win in a round at most: the required wagers and the best of the others, as many as a player
    may use; by odds no more than the payout limit in all (GEN-5). A bound: the cards of the best lines may not fit
    together."""
    best: dict[str, Award] = {}
    for one in awards:
        slug = one.figures.offered.wager.slug
        if slug not in best or best[slug].cents < one.cents:
            best[slug] = one
    required = [one for one in best.values() if one.figures.offered.wager.required]
    others = [one for one in best.values() if not one.figures.offered.wager.required and one.cents > 0]
    free = len(others) if spots is None else min(max(spots - len(required), 0), len(others))
    choices = {_seat((*required, *some)) for some in combinations(others, free)}
    if limit is None:
        return seats * max(one.alone for one in choices)
    return max(_within(chosen, limit) for chosen in combinations_with_replacement(choices, seats))


def _seat(awards: Sequence[Award]) -> _Seat:
    return _Seat(
        sum((one.cents for one in awards), Fraction(0)),
        sum((one.apart * one.largest for one in awards), Fraction(0)),
        sum((one.shared * one.largest for one in awards), Fraction(0)),
    )


def _within(seats: Sequence[_Seat], limit: int) -> Fraction:
    alone, apart, shared = (sum(amounts, Fraction(0)) for amounts in zip(*seats, strict=True))
    return min(alone, apart + min(shared, Fraction(limit)))


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
    limit = table.payout_limit.cents if table.payout_limit else None
    seat = most_of_a_deal(awards, table.spots_per_player, limit=limit)
    deal = most_of_a_deal(awards, table.spots_per_player, table.seats, limit)
    seats = f"{_dollars(seat)} to a seat" if limit is None else f"and at most {_dollars(seat)} to one seat"
    spots = "" if table.spots_per_player is None else f", {table.spots_per_player} spots each"
    meters = [one for one in awards if one.percent]
    bound = "the house loses at most" if sheet.is_exact else "the top awards come to"
    told = (
        f"One round of a full table, {table.seats} seats with the largest wagers{spots}: {bound} "
        f"{_dollars(deal)} in fixed prizes, {seats}. This is "
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
