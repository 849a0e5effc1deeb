"""The aggregate payout limit of a table: what one deal pays at most, and what a deal can come to without one.

The limit covers the odds-based prizes of those wagers whose paytable pays long odds (GEN-5). Jackpots, prizes in
dollars, and wagers that pay less are other kinds of prizes: the limit neither counts nor reduces them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from cardroom.games.jurisdiction import Jurisdiction, jurisdiction
from cardroom.games.money import money
from cardroom.paytables import Dollars, ForOne, Pay, Paytable, ToOne

if TYPE_CHECKING:
    from cardroom.games.setup import Limits
    from cardroom.games.spot import Wager
    from cardroom.games.table import Offered, Table

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


def most_won(offered: Offered, wagered: int) -> int:
    """What so many cents on a wager win by odds at most, over the wager: every unit at its longest odds."""
    return int(wagered * offered.wager.most_units * top_odds(offered.paytable))


def most_of_a_player(table: Table, spots: Collection[str]) -> int:
    """What one player can win by odds at most on these spots, before any payout limit: the largest wagers on as many
    of them as a player may use."""
    most = sorted((most_won(table.spots[spot], table.spots[spot].limits.maximum) for spot in spots), reverse=True)
    return sum(most[: table.spots_per_player])


# What a deal can come to


class Prize(NamedTuple):
    """A prize of a table: by odds on its largest wager, or fixed in dollars."""

    wager: str
    """The name of the wager, or of the feature that rides on one."""
    line: str
    cents: int
    """What one player can win with it in a deal, over the wager."""
    by_odds: bool = True
    limited: bool = False
    """Whether the table's payout limit covers it."""

    @property
    def words(self) -> str:
        return f"{self.wager}, {self.line}"


def prizes(table: Table) -> tuple[Prize, ...]:
    """The prizes of a table by odds and in dollars, the largest first, as far as its payout limit lets them grow. What
    is a share of a meter is not among them: it is the players' money, and kept apart."""
    return tuple(sorted(_prizes(table), key=lambda prize: -prize.cents))


def _prizes(table: Table) -> Iterator[Prize]:
    limit = table.payout_limit
    covered = {table.spots[spot].wager.slug for spot in limit.spots} if limit else set[str]()
    for slug, offered in table.offered.items():
        wager = offered.wager
        for line in offered.paytable.lines:
            if isinstance(line.pay, Dollars):
                yield Prize(wager.name, line.printed, line.pay.cents * wager.most_stakes, by_odds=False)
            elif (odds := odds_of(line.pay)) and wager.jackpot is None:
                cents = int(offered.limits.maximum * wager.most_units * odds)
                limited = limit is not None and slug in covered
                cents = min(cents, limit.cents) if limit and limited else cents
                yield Prize(wager.name, line.printed, cents, limited=limited)
        for line in offered.feature.paytable.lines if offered.feature else ():
            if offered.feature and isinstance(line.pay, Dollars):
                yield Prize(offered.feature.name, line.printed, line.pay.cents, by_odds=False)


def warnings(table: Table) -> tuple[str, ...]:
    """What an operator should know before the table opens. Nothing here is a fault."""
    return tuple(_warnings(table, jurisdiction(table.setup.jurisdiction)))


def _warnings(table: Table, law: Jurisdiction) -> Iterator[str]:
    if law.funded_over is None:
        return
    large = [prize for prize in prizes(table) if prize.cents > law.funded_over]
    unlimited = next((prize for prize in large if not prize.limited), None)
    if unlimited is not None:
        what = f"One player can win {money(unlimited.cents)} in one deal ({unlimited.words}), and "
        if unlimited.by_odds:
            what += "the table has no payout limit on it: set a payout limit, lower the largest wager"
        else:
            what += "no payout limit covers a fixed prize: lower the prize"
        yield f"{what}, or see that the room can pay it."
    if len(large) > 1:
        listed = ", ".join(f"{money(prize.cents)} ({prize.words})" for prize in large)
        yield (
            f"{len(large)} prizes are over {money(law.funded_over)}: keep the second highest, {money(large[1].cents)}, "
            f"in the bank or in a line of credit ({law.funded_source}). They are {listed}."
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
