"""The plan for one simulated wager: its outcomes, and the exact figures to compare with."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from cardroom.games import Table
from cardroom.games.setup import resolve_paytable
from cardroom.odds.pricer import Progress, Settings, ignore_progress
from cardroom.odds.prices import PriceRequest, compute_odds
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.deals import Places
from cardroom.odds.table_prices import features_at, limit_exclusion, settings_at
from cardroom.paytables import Loss, Paytable, describe_pay


class OutcomeIndex(Protocol):
    """Gives the index of a wager's outcome by the events that the cards meet."""

    def place(self, events: tuple[str, ...]) -> int: ...

    def places(self, kinds: Sequence[tuple[str, ...]]) -> Places: ...


@dataclass(frozen=True)
class WagerPlan:
    """One wager of the simulated seat."""

    request: PriceRequest
    outcomes: tuple[WagerOutcome, ...]
    """As priced, without combinations: net and wagered in base units."""
    probabilities: tuple[Fraction, ...] | None
    """The probability of each outcome; None if it is not known for the strategy."""
    initial_wager: int = 1
    priced_rounds: int | None = None
    """The number of rounds behind ``probabilities``, if they are simulated."""
    policy: str = ""
    """How the player decides, if that is not proved to be the best strategy."""

    @property
    def slug(self) -> str:
        """The slug of the wager."""
        return self.request.wager

    @property
    def paytable(self) -> str:
        """The name of its paytable."""
        return self.request.table.name

    def place(self, events: tuple[str, ...]) -> int:
        """The index of the outcome of cards that meet these events; -1 if no deal meets them. For wagers that the
        paytable alone decides."""
        line = self.request.table.find_matching_line(events)
        key = (line.trigger, describe_pay(line.pay)) if line else ("other", describe_pay(Loss()))
        return next(
            (index for index, outcome in enumerate(self.outcomes) if (outcome.trigger, outcome.pays) == key), -1
        )

    def places(self, kinds: Sequence[tuple[str, ...]]) -> Places:
        """``place`` for each kind of cards."""
        return np.array([self.place(events) for events in kinds], np.int16)


def plan_wager(
    table: Table,
    slug: str,
    settings: Settings | None = None,
    meter_cents: int | None = None,
    progress: Progress = ignore_progress,
) -> WagerPlan:
    """The outcomes of a wager of the table under the best strategy, with exact probabilities. If those are not known:
    under a policy found by simulation, with simulated probabilities."""
    request = PriceRequest(
        game=table.facts.slug,
        wager=slug,
        table=_table_for_one_dollar(table, slug),
        settings=settings_at(table, slug) if settings is None else settings,
        meter=None if meter_cents is None else Fraction(meter_cents, table.offers[slug].limits.minimum),
        features=(*features_at(table, slug), *limit_exclusion(table, slug)),
    )
    odds = compute_odds(request, progress=progress)
    wager_plan = plan_from_outcomes(request, odds.distribution, odds.initial_wager, odds.simulated_rounds)
    return replace(wager_plan, policy=odds.policy)


def plan_from_outcomes(
    request: PriceRequest, outcomes: tuple[WagerOutcome, ...], initial_wager: int = 1, priced_rounds: int | None = None
) -> WagerPlan:
    """A plan from counted outcomes."""
    total = sum(outcome.combinations for outcome in outcomes)
    return WagerPlan(
        request=request,
        outcomes=tuple(replace(outcome, combinations=0) for outcome in outcomes),
        probabilities=tuple(Fraction(outcome.combinations, total) for outcome in outcomes),
        initial_wager=initial_wager,
        priced_rounds=priced_rounds,
    )


def _table_for_one_dollar(table: Table, slug: str) -> Paytable:
    """The paytable of a wager; prizes that grow with the wager are for one dollar, as in all figures."""
    offered = table.offers[slug]
    if offered.wager.jackpot and offered.wager.jackpot.has_scaled_prizes:
        wager_setup = table.setup.wagers[slug]
        return resolve_paytable(table.facts, slug, wager_setup).with_bonuses(wager_setup.bonuses)
    return offered.paytable
