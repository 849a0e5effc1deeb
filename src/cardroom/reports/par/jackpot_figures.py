"""The figures that a jackpot's setup adds to those of its wager: contributions, resets, and the total return.

In the long run a meter pays out what comes in: the contributions, and the seeds of its resets. A round takes on average
a fixed part of the meter at any amount, so this is exact for a meter without a ceiling. Money above a ceiling is
overflow, which pays for resets; then the total is a bound.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from cardroom.errors import BadInput
from cardroom.games import Table
from cardroom.odds import Odds
from cardroom.odds.simulation.meter_winners import (
    JointProbabilities,
    MeterPrize,
    RoundWins,
    WinCombination,
    single_seat_wins,
)
from cardroom.room.setup.jackpot import JackpotKind, JackpotSetup, LevelSetup
from cardroom.room.setup.jackpot_validation import Jackpot, meter_shares, validate_jackpot


class BadParJackpot(BadInput):
    """The jackpot's setup does not belong to the table of the sheet."""


def match_jackpots(table: Table, setups: Sequence[JackpotSetup]) -> dict[str, Jackpot]:
    """The jackpots of a table by wager, after a check that they belong to it."""
    matches: dict[str, Jackpot] = {}
    for setup in setups:
        jackpot = validate_jackpot(setup)
        offer = next((item for item in setup.offers if item.game == table.facts.slug), None)
        if offer is None:
            games = ", ".join(item.game for item in setup.offers)
            raise BadParJackpot(f"The jackpot {setup.id} is for {games}, not for {table.facts.slug}: name another one.")
        if offer.wager not in table.offers:
            raise BadParJackpot(f"The table does not offer {offer.wager}, which the jackpot {setup.id} is for.")
        if offer.wager in matches:
            raise BadParJackpot(f"Two jackpots are given for {offer.wager}: a wager has one jackpot.")
        table_paytable, jackpot_paytable = table.offers[offer.wager].paytable, jackpot.offers[table.facts.slug].paytable
        if table_paytable.name != jackpot_paytable.name or meter_shares(table_paytable) != meter_shares(
            jackpot_paytable
        ):
            raise BadParJackpot(
                f"The jackpot {setup.id} pays by table {jackpot_paytable.name}, and the setup of the table by "
                f"{table_paytable.name} for "
                f"{offer.wager}: their percentages must be the same."
            )
        matches[offer.wager] = jackpot
    return matches


@dataclass(frozen=True)
class LevelFigures:
    """One meter, for a wager of this many cents by each of these seats."""

    level: LevelSetup
    wager_cents: int
    seats: int
    wins: RoundWins
    """The wins of a round from this meter."""

    @property
    def resets(self) -> Fraction:
        """The probability that a wager takes the whole meter."""
        return self.wins.reset_probability / self.seats

    @property
    def seeds(self) -> Fraction:
        """The seeds of resets, as a part of each wager."""
        return self.resets * self.level.seed / self.wager_cents

    @property
    def meter_return(self) -> Fraction:
        """The meter's long-run payout, as a part of each wager. Lines won together can pay more than the meter has
        (BJ-8)."""
        coming_in = self.level.contribution + self.seeds
        return coming_in * self.wins.mean_paid / self.wins.mean_taken if self.wins.mean_taken else Fraction(0)

    @property
    def average_meter(self) -> Fraction | None:
        """The long-run average of the meter at the end of a round, in cents."""
        if not self.wins.mean_taken:
            return None
        return (self.level.contribution + self.seeds) * self.wager_cents * self.seats / self.wins.mean_taken


def level_figures(
    jackpot: Jackpot, odds: Odds, wager_cents: int, joint: JointProbabilities | None, seats: int
) -> list[LevelFigures]:
    """Each meter. A hand is paid on the first level that lists its event and takes its wager (BJ-9)."""
    figures = []
    listed: set[str] = set()
    for level in jackpot.setup.levels:
        if level.minimum > wager_cents:
            continue
        events = {event for event in level.pays if event not in listed}
        listed |= events
        figures.append(LevelFigures(level, wager_cents, seats, _wins(odds, joint, events, seats)))
    return figures


def _wins(odds: Odds, joint: JointProbabilities | None, events: set[str], seats: int) -> RoundWins:
    if joint is not None and seats > 1:
        ways = joint.winners(seats).round_wins.combinations
        line_wins = ((tuple(prize for prize in way.prizes if prize.trigger in events), way.probability) for way in ways)
        return RoundWins(tuple(WinCombination(prizes, chance) for prizes, chance in line_wins if prizes))
    assert seats == 1
    chances = (
        (item.trigger, item.percent, Fraction(item.combinations, odds.combinations)) for item in odds.distribution
    )
    return single_seat_wins([MeterPrize(*item) for item in chances if item[1] and _has_event(item[0], events)])


def _has_event(outcome: str, events: set[str]) -> bool:
    """Two hands of one seat make an outcome with the names of both."""
    return any(event in outcome for event in events)


@dataclass(frozen=True)
class JackpotFigures:
    """A jackpot wager with its meter."""

    jackpot: Jackpot
    odds: Odds
    wager_cents: int
    seats: int
    levels: tuple[LevelFigures, ...]

    @property
    def is_progressive(self) -> bool:
        return self.jackpot.kind is JackpotKind.PROGRESSIVE

    @property
    def contribution(self) -> Fraction:
        return sum((figures.level.contribution for figures in self.levels), Fraction(0))

    @property
    def reserve(self) -> Fraction:
        return sum((figures.level.reserve for figures in self.levels), Fraction(0))

    @property
    def seeds(self) -> Fraction:
        return sum((figures.seeds for figures in self.levels), Fraction(0))

    @property
    def reset_return(self) -> Fraction:
        """The return right after a reset of every meter, or with the fixed amount of a bonus jackpot."""
        parts = (figures.wins.mean_paid / self.seats * figures.level.seed / self.wager_cents for figures in self.levels)
        return self.odds.fixed_return + sum(parts, Fraction(0))

    @property
    def has_ceiling(self) -> bool:
        """Whether a meter has a ceiling: the total is then a bound."""
        return any(figures.level.ceiling is not None for figures in self.levels)

    @property
    def total_return(self) -> Fraction:
        """The long-run return of a wager: fixed prizes and all payouts of the meters. A meter with a ceiling pays no
        more than one without, and no more than one that is always at its ceiling."""
        if not self.is_progressive:
            return self.reset_return
        return self.odds.fixed_return + sum((self._max_return(figures) for figures in self.levels), Fraction(0))

    def _max_return(self, figures: LevelFigures) -> Fraction:
        if figures.level.ceiling is None:
            return figures.meter_return
        return min(figures.meter_return, figures.wins.mean_paid / self.seats * figures.level.ceiling / self.wager_cents)


def jackpot_figures(
    jackpot: Jackpot, odds: Odds, wager_cents: int, joint: JointProbabilities | None, seats: int
) -> JackpotFigures:
    """For a round of this many seats that all make the wager; more than one seat needs a count of their winners."""
    return JackpotFigures(
        jackpot, odds, wager_cents, seats, tuple(level_figures(jackpot, odds, wager_cents, joint, seats))
    )
