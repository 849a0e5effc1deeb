"""What came of a simulation, ending by ending beside the exact figures."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import sqrt
from typing import Any

import numpy as np

from cardroom.odds.result import Ending, Odds, as_json
from cardroom.odds.rounds.agreement import priced_mean
from cardroom.odds.rounds.deals import Counts
from cardroom.odds.rounds.plan import WagerPlan


@dataclass(frozen=True)
class Line:
    """One ending of a wager, simulated and exact side by side."""

    ending: Ending
    count: int
    frequency: float
    net: Fraction | None
    """In base units, with its part of the meter; None when that was not given."""
    exact: float | None
    z: float | None
    """By how many standard errors the count differs from the exact probability."""


@dataclass(frozen=True)
class WagerTally:
    """How one wager fared."""

    plan: WagerPlan
    counts: tuple[int, ...]
    rounds: int

    @property
    def hangs_on_meter(self) -> bool:
        """Whether the return hangs on a meter that was not given. Its figures are then those of the fixed prizes."""
        return self.plan.question.meter is None and any(ending.percent for ending in self.plan.endings)

    @cached_property
    def odds(self) -> Odds:
        """The simulated figures; a meter that was not given counts as empty."""
        return self._odds(self.counts, self.rounds)

    @cached_property
    def exact_odds(self) -> Odds | None:
        """The exact figures, where they are known."""
        if self.plan.exact is None:
            return None
        whole = np.lcm.reduce([one.denominator for one in self.plan.exact], dtype=object)
        return self._odds(tuple(int(one * whole) for one in self.plan.exact), self.plan.priced_rounds)

    def _odds(self, counts: Sequence[int], rounds: int | None) -> Odds:
        question = self.plan.question
        endings = tuple(
            replace(ending, combinations=count) for ending, count in zip(self.plan.endings, counts, strict=True)
        )
        return Odds(
            game=question.game,
            wager=question.wager,
            paytable=question.table.name,
            options=dict(question.settings),
            endings=endings,
            initial_wager=self.plan.initial_wager,
            meter=question.meter or Fraction(0),
            jackpot=question.is_jackpot,
            simulated_rounds=rounds,
            policy=self.plan.policy,
            excludes=question.excludes,
        )

    @property
    def mean(self) -> Fraction:
        """Base units won or lost a round, without the prizes of a meter that was not given."""
        assert self.odds.expected_return is not None
        return self.odds.expected_return

    @property
    def exact_mean(self) -> Fraction | None:
        """What the mean comes to in the end; None where nobody knows."""
        return self.exact_odds.expected_return if self.exact_odds else None

    @property
    def standard_error(self) -> float:
        """Of the mean, from the simulated rounds."""
        assert self.odds.standard_error is not None
        return self.odds.standard_error

    @property
    def hit_frequency(self) -> Fraction:
        """The part of the simulated rounds that won."""
        return self.odds.hit_frequency

    @property
    def z(self) -> float | None:
        """By how many standard errors the mean differs from the exact one. The error is the exact one as well: that of
        the simulated rounds is too small while the rarest prizes have not been hit. A price that was simulated knows
        nothing of the prizes that its own rounds did not win: rounds that won one are not compared."""
        exact = self.exact_odds
        if exact is None or exact.variance is None or exact.expected_return is None:
            return None
        mean, rounds = priced_mean(exact, self.counts)
        error = _error(float(exact.variance), rounds, self.plan.priced_rounds) if rounds else 0.0
        return float(mean - exact.expected_return) / error if error else None

    @property
    def unpriced(self) -> int:
        """Rounds that won a prize which no round of a simulated price had won."""
        return self.rounds - priced_mean(self.exact_odds, self.counts)[1] if self.exact_odds else 0

    @cached_property
    def lines(self) -> tuple[Line, ...]:
        """Every ending in the order of the exact figures."""
        probabilities = self.plan.exact or (None,) * len(self.counts)
        return tuple(
            self._line(ending, count, exact)
            for ending, count, exact in zip(self.plan.endings, self.counts, probabilities, strict=True)
        )

    def _line(self, ending: Ending, count: int, exact: Fraction | None) -> Line:
        frequency, z = count / self.rounds, None
        if exact is not None:
            error = _error(float(exact * (1 - exact)), self.rounds, self.plan.priced_rounds)
            z = (frequency - float(exact)) / error if error else None
        meter = self.plan.question.meter
        net = None if ending.percent and meter is None else ending.net + ending.percent * (meter or 0)
        return Line(ending, count, frequency, net, None if exact is None else float(exact), z)


def _error(variance: float, rounds: int, priced_rounds: int | None) -> float:
    """The standard error of a difference; the price has one of its own when it was simulated."""
    return sqrt(variance / rounds + (variance / priced_rounds if priced_rounds else 0.0))


@dataclass(frozen=True)
class Tally:
    """What came of a simulation."""

    plans: tuple[WagerPlan, ...]
    counts: Counts
    """How often each ending of each wager happened: the wagers one after the other."""
    rounds: int
    """How many were played; fewer than were asked for when it was stopped."""
    seed: int

    @cached_property
    def wagers(self) -> tuple[WagerTally, ...]:
        """Each wager, in the order of the layout; nothing when no block was finished."""
        if not self.rounds:
            return ()
        ends = np.cumsum([0, *(len(one.endings) for one in self.plans)]).tolist()
        return tuple(
            WagerTally(one, tuple(self.counts[start:end].tolist()), self.rounds)
            for one, (start, end) in zip(self.plans, pairwise(ends), strict=True)
        )

    def wager(self, slug: str) -> WagerTally:
        """One wager."""
        return next(one for one in self.wagers if one.plan.slug == slug)


def tally_json(tally: Tally) -> list[dict[str, Any]]:
    """The list that ``cardroom simulate --json`` prints: as for exact odds, with the exact figures beside."""
    return [_entry(one) for one in tally.wagers]


def _entry(wager: WagerTally) -> dict[str, Any]:
    # A meter that was not given counts as empty, and the entry says so: its "meter" is 0.
    entry = as_json(wager.odds)
    if wager.exact_mean is not None:
        entry["exact_return"] = float(wager.exact_mean)
        entry["z"] = wager.z
        if wager.plan.priced_rounds:
            entry["unpriced_rounds"] = wager.unpriced
    entry["lines"] = [
        {
            "event": line.ending.event,
            "pays": line.ending.pays,
            "net": float(line.ending.net if line.net is None else line.net),
            "count": line.count,
            "frequency": line.frequency,
            "exact": line.exact,
            "z": line.z,
        }
        for line in wager.lines
    ]
    return entry
