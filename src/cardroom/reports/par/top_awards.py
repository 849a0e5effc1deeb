"""The top award of each wager, and the most that one round at a full table can cost the house."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

from cardroom.games.money import format_cents
from cardroom.games.payout_limit import odds_to_one
from cardroom.odds.payoffs import net_units
from cardroom.odds.result import Odds
from cardroom.odds.statistics import group_by_net
from cardroom.paytables import Percent
from cardroom.reports.documents.blocks import Block, Grid, GridColumn, Heading, Paragraph, number_columns
from cardroom.reports.documents.numbers import format_exact, format_percent, humanize_slug
from cardroom.reports.par.sheet import ParSheet, WagerFigures


class Award(NamedTuple):
    """The most that one wager can win, in units."""

    figures: WagerFigures
    units: Fraction
    """The net result in fixed prizes, for one unit of the largest wager."""
    percent: Fraction
    """The largest part of the meter."""
    is_counted: bool = True
    """Whether it is the highest of all outcomes; otherwise it is the highest line of the paytable."""
    shared_units: Fraction = Fraction(0)
    """The most by odds under the table's payout limit, in units before the limit; 0 if no limit covers the wager."""
    separate_units: Fraction = Fraction(0)
    """The most of other prizes, in units."""

    @property
    def largest_wager(self) -> int:
        """Wager, in cents."""
        return self.figures.offered.limits.maximum

    @property
    def cents(self) -> Fraction:
        """The net result without the meter."""
        return self.units * self.largest_wager


def compute_award(figures: WagerFigures) -> Award:
    """The top award over every possible net result, with the largest wager of the setup. Simulated rounds seldom hit
    the highest line, so beside simulated figures the paytable decides."""
    odds = figures.maximum_odds or figures.odds
    lines = group_by_net(odds)
    units, share = max(line.net for line in lines), max(line.percent for line in lines)
    shares = [*_shares(odds)]
    if not figures.is_exact:
        paytable_shares = [*_paytable_shares(figures, odds)]
        units = max(
            units,
            *(min(item.shared_units, _limit_units(odds, figures)) + item.separate_units for item in paytable_shares),
        )
        share = max(share, *(item.percent for item in paytable_shares))
        shares += paytable_shares
    if odds.limit is None:
        return Award(figures, units, share, figures.is_exact, separate_units=units)
    most_shared, most_apart = max(item.shared_units for item in shares), max(item.separate_units for item in shares)
    return Award(figures, units, share, figures.is_exact, most_shared, most_apart)


class _Share(NamedTuple):
    """An outcome in units: prizes under the payout limit, other prizes, and the part of a meter."""

    shared_units: Fraction
    separate_units: Fraction
    percent: Fraction = Fraction(0)


def _shares(odds: Odds) -> Iterator[_Share]:
    for outcome in odds.unlimited_distribution if odds.limit else ():
        if outcome.combinations and odds.limit:
            by_odds = odds.limit.odds_winnings(outcome)
            yield _Share(by_odds, outcome.net - by_odds)


def _paytable_shares(figures: WagerFigures, odds: Odds) -> Iterator[_Share]:
    """The awards of the paytable lines."""
    table, largest = figures.offered.paytable, figures.offered.limits.maximum
    for line in table.lines:
        net = net_units(line.pay, table.basis, largest)
        by_odds = odds_to_one(line.pay) if odds.limit else Fraction(0)
        yield _Share(by_odds, net.units - by_odds, net.percent)


def _limit_units(odds: Odds, figures: WagerFigures) -> Fraction:
    """A prize reduced to the payout limit, in units of the largest wager."""
    return Fraction(odds.limit.cents, figures.offered.limits.maximum) if odds.limit else Fraction(0)


class _Seat(NamedTuple):
    """The top awards of one player's wagers, in cents."""

    sole_total: Fraction
    """Each award as if it were the only one under the payout limit."""
    separate_total: Fraction
    shared_total: Fraction


def max_round_win(awards: list[Award], spots: int | None, seats: int = 1, limit: int | None = None) -> Fraction:
    """The most that these seats can win in a round: the required wagers and the best others that a player may use; by
    odds no more than the payout limit in all (GEN-5). A bound: the cards of the best lines may exclude each other."""
    best: dict[str, Award] = {}
    for item in awards:
        slug = item.figures.offered.wager.slug
        if slug not in best or best[slug].cents < item.cents:
            best[slug] = item
    required = [item for item in best.values() if item.figures.offered.wager.required]
    optional_awards = [item for item in best.values() if not item.figures.offered.wager.required and item.cents > 0]
    free = len(optional_awards) if spots is None else min(max(spots - len(required), 0), len(optional_awards))
    choices = {_seat((*required, *chosen_awards)) for chosen_awards in combinations(optional_awards, free)}
    if limit is None:
        return seats * max(item.sole_total for item in choices)
    return max(_limited_total(seat_choice, limit) for seat_choice in combinations_with_replacement(choices, seats))


def _seat(awards: Sequence[Award]) -> _Seat:
    return _Seat(
        sum((item.cents for item in awards), Fraction(0)),
        sum((item.separate_units * item.largest_wager for item in awards), Fraction(0)),
        sum((item.shared_units * item.largest_wager for item in awards), Fraction(0)),
    )


def _limited_total(seats: Sequence[_Seat], limit: int) -> Fraction:
    sole_total, separate_total, shared_total = (sum(amounts, Fraction(0)) for amounts in zip(*seats, strict=True))
    return min(sole_total, separate_total + min(shared_total, Fraction(limit)))


_METER_COLUMNS: Final = GridColumn("From the meter"), GridColumn("From")


def top_awards(sheet: ParSheet) -> Iterator[Block]:
    """The section."""
    awards = list(map(compute_award, sheet.wagers))
    yield Heading(1, "Top awards")
    yield Grid(
        (GridColumn("Wager", wide=True), *number_columns("Largest wager", "Net, units", "Net"), *_METER_COLUMNS),
        tuple(_row(item) for item in awards),
    )
    table = sheet.table
    limit = table.payout_limit.cents if table.payout_limit else None
    seat = max_round_win(awards, table.spots_per_player, limit=limit)
    deal = max_round_win(awards, table.spots_per_player, table.seats, limit)
    seats = f"{_dollars(seat)} to a seat" if limit is None else f"and at most {_dollars(seat)} to one seat"
    spots = "" if table.spots_per_player is None else f", {table.spots_per_player} spots each"
    meters = [item for item in awards if item.percent]
    bound = "the house loses at most" if sheet.is_exact else "the top awards come to"
    limit_note = (
        f"One round of a full table, {table.seats} seats with the largest wagers{spots}: {bound} "
        f"{_dollars(deal)} in fixed prizes, {seats}. This is "
        f"{'a bound' if sheet.is_exact else 'a sum'}, not an exact maximum: it adds up the top awards as if the cards "
        "could give all of them at once."
    )
    if meters:
        limit_note += (
            " In addition, each percentage line pays its part of the meter once, for any number of winning seats "
            "(BJ-4)."
        )
    yield Paragraph(limit_note)
    yield Paragraph(
        f"{_exactness(sheet)} They do not include what features pay. {_limit(sheet)}",
        quiet=True,
    )


def _limit(sheet: ParSheet) -> str:
    limit = sheet.table.payout_limit
    if limit is None:
        return (
            "The setup has no limit on the total payout of a round; a limit posted at the table lowers the payout "
            "and is not part of this sheet."
        )
    return (
        f"{limit.text} (GEN-5) Figures and top awards of these wagers include the limit, for one player who makes the "
        "wager alone and decides as without the limit; with more winners in one deal, each gets less."
    )


def _exactness(sheet: ParSheet) -> str:
    if sheet.is_exact:
        return "The top awards are exact."
    return (
        "Top awards from all outcomes are exact. Those from the paytable are its highest line for the first wager; a "
        "wager that can be raised can win more."
    )


def _row(top_award: Award) -> tuple[str, ...]:
    meter = "nothing"
    if top_award.percent:
        meter = f"{format_percent(top_award.percent, 0)} with {humanize_slug(_top_of_meter(top_award))}"
    source = "all outcomes" if top_award.is_counted else "paytable"
    return (
        top_award.figures.name,
        format_cents(top_award.largest_wager),
        format_exact(top_award.units),
        _dollars(top_award.cents),
        meter,
        source,
    )


def _top_of_meter(top_award: Award) -> str:
    """The event with the largest part of a meter."""
    if top_award.is_counted:
        return max(top_award.figures.odds.distribution, key=lambda outcome: outcome.percent).trigger
    lines = top_award.figures.offered.paytable.lines
    return max(lines, key=lambda line: line.pay.share if isinstance(line.pay, Percent) else Fraction(0)).trigger


def _dollars(cents: Fraction) -> str:
    return format_cents(round(cents))
