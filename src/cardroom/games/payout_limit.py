"""The aggregate payout limit of a table, and the largest prizes of a deal.

The limit covers the odds-based prizes of those wagers whose paytable pays long odds (GEN-5). Jackpots, prizes in
dollars, and wagers that pay less are other kinds of prizes: the limit neither counts nor reduces them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.money import format_cents
from cardroom.paytables import Dollars, ForOne, Pay, Paytable, ToOne

if TYPE_CHECKING:
    from cardroom.games.game_facts import Wager
    from cardroom.games.playable_table import Table, WagerOffer
    from cardroom.games.setup import WagerLimits

LONG_ODDS: Final = 50
"""To 1: a wager that pays less has no payout limit, and the least limit counts odds up to this (WAC 230-15-490)."""


class PayoutLimit(NamedTuple):
    """The limit in force at a table."""

    cents: int
    """The most that covered wagers win in one deal, over the wagers themselves."""
    spots: frozenset[str]
    """The spots of the layout that it covers."""

    @property
    def text(self) -> str:
        """
        >>> PayoutLimit(20_000_00, frozenset()).text
        'The table pays at most $20,000 a deal on wagers that pay 50 to 1 or more; winners of one deal share it.'
        """
        return (
            f"The table pays at most {format_cents(self.cents)} a deal on wagers that pay {LONG_ODDS} to 1 or more; "
            "winners "
            "of one deal share it."
        )


def odds_to_one(pay: Pay) -> Fraction:
    """The odds of a pay, to 1; zero for a prize without odds."""
    match pay:
        case ToOne(odds):
            return odds
        case ForOne(odds):
            return odds - 1  # the wager is not returned
    return Fraction(0)


def top_odds(table: Paytable) -> Fraction:
    """The longest odds of a paytable, to 1."""
    return max((odds_to_one(line.pay) for line in table.lines), default=Fraction(0))


def is_covered(wager: Wager, table: Paytable) -> bool:
    """Whether a payout limit covers a wager: it plays for no jackpot, and its paytable has long odds (GEN-5)."""
    return wager.jackpot is None and top_odds(table) >= LONG_ODDS


def min_payout_limit(wager: Wager, limits: WagerLimits, table: Paytable) -> int:
    """The least payout limit that this wager allows, in cents: its largest wager at its longest odds, which count up to
    ``LONG_ODDS``. A raise is one wager (GEN-2)."""
    return int(limits.maximum * wager.largest_raise * min(top_odds(table), Fraction(LONG_ODDS)))


def max_win(offered: WagerOffer, wagered: int) -> int:
    """What so many cents on a wager win by odds at most, over the wager: every unit at its longest odds."""
    return int(wagered * offered.wager.most_units * top_odds(offered.paytable))


def max_player_win(table: Table, spots: Collection[str]) -> int:
    """What one player can win by odds at most on these spots, before any payout limit: the largest wagers on as many
    of them as a player may use."""
    wins = sorted((max_win(table.spots[spot], table.spots[spot].limits.maximum) for spot in spots), reverse=True)
    return sum(wins[: table.spots_per_player])


# The prizes of a deal


class TablePrize(NamedTuple):
    """A prize of a table: by odds on its largest wager, or fixed in dollars."""

    wager: str
    """The name of the wager, or of the feature that rides on one."""
    line: str
    cents: int
    """What one player can win with it in a deal, over the wager."""
    is_odds_based: bool = True
    is_limited: bool = False
    """Whether the table's payout limit covers it."""

    @property
    def text(self) -> str:
        return f"{self.wager}, {self.line}"


def list_prizes(table: Table) -> tuple[TablePrize, ...]:
    """The prizes of a table by odds and in dollars under its payout limit, the largest first. Shares of a meter are
    left out: they are the players' money."""
    return tuple(sorted(_iterate_prizes(table), key=lambda prize: -prize.cents))


def _iterate_prizes(table: Table) -> Iterator[TablePrize]:
    limit = table.payout_limit
    covered_slugs = {table.spots[spot].wager.slug for spot in limit.spots} if limit else set[str]()
    for slug, offered in table.offers.items():
        wager = offered.wager
        for line in offered.paytable.lines:
            if isinstance(line.pay, Dollars):
                yield TablePrize(wager.name, line.label, line.pay.cents * wager.most_stakes, is_odds_based=False)
            elif (odds := odds_to_one(line.pay)) and wager.jackpot is None:
                cents = int(offered.limits.maximum * wager.most_units * odds)
                limited = limit is not None and slug in covered_slugs
                cents = min(cents, limit.cents) if limit and limited else cents
                yield TablePrize(wager.name, line.label, cents, is_limited=limited)
        for line in offered.feature.paytable.lines if offered.feature else ():
            if offered.feature and isinstance(line.pay, Dollars):
                yield TablePrize(offered.feature.name, line.label, line.pay.cents, is_odds_based=False)


def list_payout_warnings(table: Table) -> tuple[str, ...]:
    """Warnings for the operator before the table opens; none of them is a fault."""
    return tuple(_iterate_warnings(table, jurisdiction(table.setup.jurisdiction)))


def _iterate_warnings(table: Table, law: Jurisdiction) -> Iterator[str]:
    if law.funding_threshold is None:
        return
    large_prizes = [prize for prize in list_prizes(table) if prize.cents > law.funding_threshold]
    unlimited_prize = next((prize for prize in large_prizes if not prize.is_limited), None)
    if unlimited_prize is not None:
        sentence = (
            f"One player can win {format_cents(unlimited_prize.cents)} in one deal ({unlimited_prize.text}), and "
        )
        if unlimited_prize.is_odds_based:
            sentence += "the table has no payout limit on it: set a payout limit, lower the largest wager"
        else:
            sentence += "no payout limit covers a fixed prize: lower the prize"
        yield f"{sentence}, or make sure that the card room can pay it."
    if len(large_prizes) > 1:
        prize_list = ", ".join(f"{format_cents(prize.cents)} ({prize.text})" for prize in large_prizes)
        yield (
            f"{len(large_prizes)} prizes are over {format_cents(law.funding_threshold)}: keep the second highest, "
            f"{format_cents(large_prizes[1].cents)}, "
            f"in the bank or in a line of credit ({law.funding_source}). They are {prize_list}."
        )


def limit_faults(
    cents: int, wagers: Mapping[str, tuple[Wager, WagerLimits, Paytable]], law: Jurisdiction
) -> Iterator[tuple[str, str]]:
    """The faults of a payout limit: sentence and rule."""
    covered_wagers = {slug: key for slug, key in wagers.items() if is_covered(key[0], key[2])}
    if not covered_wagers:
        yield (
            f"No wager of this table pays {LONG_ODDS} to 1 or more, so it may have no payout limit: leave it out.",
            law.aggregate_source or "GEN-5",
        )
        return
    if cents <= 0:
        yield f"A payout limit must be more than zero; {format_cents(cents)} is not.", "GEN-5"
    if law.aggregate_odds is None:
        return
    slug = max(covered_wagers, key=lambda key: min_payout_limit(*covered_wagers[key]))
    wager, limits, table = covered_wagers[slug]
    min_cents = min_payout_limit(wager, limits, table)
    if cents < min_cents:
        largest = format_cents(limits.maximum * wager.largest_raise)
        sentence = (
            f"The payout limit of {format_cents(cents)} is below {format_cents(min_cents)}: it must cover the "
            "largest wager on "
            f"{wager.name}, {largest}, at {LONG_ODDS} to 1."
        )
        yield sentence, law.aggregate_source
