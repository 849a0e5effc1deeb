"""The aggregate payout limit of a table: what one deal pays at most, and what a deal can come to without one.

The limit covers the odds-based prizes of those wagers whose paytable pays long odds (GEN-5). Jackpots, prizes in
dollars, and wagers that pay less are other kinds of prizes: the limit neither counts nor reduces them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.money import money
from cardroom.paytables import ForOne, Pay, Paytable, ToOne

if TYPE_CHECKING:
    from cardroom.games.setup import Limits
    from cardroom.games.spot import Wager
    from cardroom.games.table import Table

LONG_ODDS: Final = 50
"""To 1: a wager that pays less has no payout limit, and the least limit counts odds up to this (WAC 230-15-490)."""


class PayoutLimit(NamedTuple):
    """The limit in force at a table."""

    cents: int
    """All that covered wagers win in one deal, over the wagers themselves."""
    spots: frozenset[str]
    """The spots of the layout that it covers."""

    @property
    def words(self) -> str:
        """
        >>> PayoutLimit(20_000_00, frozenset()).words
        'The table pays at most $20,000 a deal on wagers that pay 50 to 1 or more; winners of one deal share it.'
        """
        return (
            f"The table pays at most {money(self.cents)} a deal on wagers that pay {LONG_ODDS} to 1 or more; winners "
            "of one deal share it."
        )


def odds_of(pay: Pay) -> Fraction:
    """The odds of a pay, to 1; zero for what is no odds-based prize."""
    match pay:
        case ToOne(odds):
            return odds
        case ForOne(odds):
            return odds - 1  # the wager is not given back
    return Fraction(0)


def top_odds(table: Paytable) -> Fraction:
    """The longest odds of a paytable, to 1."""
    return max((odds_of(line.pay) for line in table.lines), default=Fraction(0))


def is_covered(wager: Wager, table: Paytable) -> bool:
    """Whether a payout limit covers a wager: it plays for no jackpot, and its paytable has long odds (GEN-5)."""
    return wager.jackpot is None and top_odds(table) >= LONG_ODDS


def least_limit(wager: Wager, limits: Limits, table: Paytable) -> int:
    """The least payout limit that this wager allows, in cents: its largest wager at its longest odds, which count up to
    ``LONG_ODDS``. A raise is one wager (GEN-2)."""
    return int(limits.maximum * wager.largest_raise * min(top_odds(table), Fraction(LONG_ODDS)))


# What a deal can come to


class Prize(NamedTuple):
    """An odds-based prize at the largest wager of a table."""

    wager: str
    """Its name."""
    line: str
    cents: int
    """What one player can win with it in a deal, over the wager."""


def prizes(table: Table) -> tuple[Prize, ...]:
    """The odds-based prizes of a table, the largest first, as far as its payout limit lets them grow."""
    limit = table.payout_limit

    def capped(prize: Prize, spots: frozenset[str]) -> Prize:
        covered = limit is not None and not spots.isdisjoint(limit.spots)
        return prize._replace(cents=min(prize.cents, limit.cents)) if limit is not None and covered else prize

    found = []
    for slug, offered in table.offered.items():
        if offered.wager.jackpot is not None:
            continue
        spots = frozenset(spot for spot, one in table.spots.items() if one.wager.slug == slug)
        units = offered.wager.most_units
        for line in offered.paytable.lines:
            if odds := odds_of(line.pay):
                prize = Prize(offered.wager.name, line.printed, int(offered.limits.maximum * units * odds))
                found.append(capped(prize, spots))
    return tuple(sorted(found, key=lambda prize: -prize.cents))


def warnings(table: Table) -> tuple[str, ...]:
    """What an operator should know before the table opens. Nothing here is a fault."""
    return tuple(_warnings(table, jurisdiction(table.setup.jurisdiction)))


def _warnings(table: Table, law: Jurisdiction) -> Iterator[str]:
    if law.funded_over is None:
        return
    large = [prize for prize in prizes(table) if prize.cents > law.funded_over]
    if large and (table.payout_limit is None or large[0].cents > table.payout_limit.cents):
        top = large[0]
        yield (
            f"One player can win {money(top.cents)} in one deal ({top.wager}, {top.line}), and the table has no payout "
            f"limit on it: set a payout limit, lower the largest wager, or see that the room can pay it."
        )
    if len(large) > 1:
        yield (
            f"{len(large)} prizes by odds are over {money(law.funded_over)}: keep the second highest, "
            f"{money(large[1].cents)}, in the bank or in a line of credit ({law.funded_source})."
        )


def limit_faults(
    cents: int, wagers: Mapping[str, tuple[Wager, Limits, Paytable]], law: Jurisdiction
) -> Iterator[tuple[str, str]]:
    """What is against a payout limit: the sentence, and the rule."""
    covered = {slug: one for slug, one in wagers.items() if is_covered(one[0], one[2])}
    if not covered:
        yield (
            f"No wager of this table pays {LONG_ODDS} to 1 or more, so it may have no payout limit: leave it out.",
            law.aggregate_source or "GEN-5",
        )
        return
    if cents <= 0:
        yield f"A payout limit is more than nothing; {money(cents)} is not.", "GEN-5"
    if law.aggregate_odds is None:
        return
    slug = max(covered, key=lambda one: least_limit(*covered[one]))
    wager, limits, table = covered[slug]
    least = least_limit(wager, limits, table)
    if cents < least:
        largest = money(limits.maximum * wager.largest_raise)
        sentence = (
            f"The payout limit of {money(cents)} is below {money(least)}: it must cover the largest wager on "
            f"{wager.name}, {largest}, at {LONG_ODDS} to 1."
        )
        yield sentence, law.aggregate_source
