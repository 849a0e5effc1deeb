"""What somebody wants simulated, once it has been read and checked."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from cardroom.games import Table
from cardroom.odds.rounds.means import Pace
from cardroom.odds.rounds.sessions import SessionPlan


@dataclass(frozen=True, kw_only=True)
class SimulationOrder:
    """What every simulation needs."""

    table: Table
    strategy: str
    seed: int
    chart: Path | None
    """Where a chart is wanted."""
    policy: str = ""
    """How the player decides, where that is not proved to be the best play; known once the table is prepared."""


@dataclass(frozen=True, kw_only=True)
class RoundsOrder(SimulationOrder):
    """Rounds that are to be played."""

    rounds: int
    threads: int | None
    cluster: str | None
    wager: str | None
    meter: Fraction | None
    """In wagers of one dollar."""

    @property
    def by_a_file(self) -> bool:
        return self.strategy.endswith(".py")

    @property
    def charted(self) -> str:
        """The wager that a chart shows."""
        return self.wager or next(iter(self.table.offered))


@dataclass(frozen=True, kw_only=True)
class SessionsOrder(SimulationOrder):
    """Sessions that are to be played."""

    plan: SessionPlan
    sessions: int
    pace: int
    threads: int | None
    meter: int | None
    """In cents, of every jackpot wager."""


@dataclass(frozen=True, kw_only=True)
class YearsOrder(SimulationOrder):
    """Years of a progressive that are to be run."""

    wager: str
    days: int
    runs: int
    seed_cents: int
    contribution: Fraction
    """In cents a wager."""
    pace: Pace

    @property
    def wager_cents(self) -> int:
        return self.table.offered[self.wager].limits.minimum
