"""The exact odds of a wager: its outcomes, the combinations of each, and the figures that follow.

>>> sides = WagerOutcome("heads", "1 to 1", 1, Fraction(1)), WagerOutcome("tails", "loss", 1, Fraction(-1))
>>> coin = Odds("toss", "heads", "", {}, sides)
>>> coin.expected_return, coin.hit_frequency, coin.standard_deviation
(Fraction(0, 1), Fraction(1, 2), 1.0)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from math import isqrt
from typing import Any, Final

Setting = str | bool | int

RULE_OF_THREE: Final = 3
"""An event that no simulated round hit happens, with 95% confidence, at most this often in as many rounds."""

SIMULATED_POLICY: Final = "a policy found by simulation, not proved best"
"""The label of simulated figures whose decisions no search has proved best."""


def first_policy(policies: Iterable[str]) -> str:
    """The first policy of several wagers that is not empty. Wagers without decisions have none.

    >>> first_policy(["", SIMULATED_POLICY]), first_policy(["", ""])
    ('a policy found by simulation, not proved best', '')
    """
    return next(filter(None, policies), "")


@dataclass(frozen=True, slots=True)
class WagerOutcome:
    """One outcome of a wager, in units of the base wager."""

    trigger: str
    pays: str
    combinations: int
    net: Fraction
    wagered: Fraction = Fraction(1)
    """The total wager at the end, raises included."""
    percent: Fraction = Fraction(0)
    """The part of the meter that it wins; ``net`` does not include it."""
    hit: bool | None = None
    """Whether it counts as a win; None: when the net is above zero."""
    stake_wins: tuple[tuple[str, Fraction], ...] = ()
    """What each of its stakes wins, in units over the wager, by event; empty if one event decides the whole wager."""

    @property
    def is_hit(self) -> bool:
        """Whether it counts as a win."""
        return self.hit if self.hit is not None else self.net > 0


@dataclass(frozen=True, slots=True)
class OutcomeLine:
    """A line of the outcome table."""

    trigger: str
    pays: str
    combinations: int
    probability: Fraction
    contribution: Fraction
    """Its part of the expected return; without a given meter, the meter counts as empty."""
    depends_on_meter: bool = False
    """Whether it pays a percentage of a meter that is not given, so that its return is unknown."""


@dataclass(frozen=True, slots=True)
class UnhitLine:
    """A prize that no simulated round won."""

    trigger: str
    pays: str
    return_bound: Fraction
    """The most that it adds to the return, by the rule of three."""


@dataclass(frozen=True, slots=True)
class WagerLimit:
    """A table's payout limit for one player's wager (GEN-5)."""

    cents: int
    wager_cents: int
    """The wager that the figures are for."""
    largest_cents: int
    """The largest wager of the table."""
    triggers: frozenset[str]
    """Paytable lines that pay by odds; the limit covers no other prize."""

    def apply(self, outcome: WagerOutcome, wager_cents: int) -> WagerOutcome:
        """The outcome with its odds-based prizes reduced to the limit."""
        excess = self.odds_winnings(outcome) - Fraction(self.cents, wager_cents)
        if excess <= 0:
            return outcome
        pay_text = f"{outcome.pays}, limited to ${self.cents / 100:,.2f}".removesuffix(".00")
        return replace(outcome, net=outcome.net - excess, pays=pay_text)

    def odds_winnings(self, outcome: WagerOutcome) -> Fraction:
        """What an outcome wins by odds, in units over the wager."""
        if outcome.stake_wins:
            return sum((units for event, units in outcome.stake_wins if event in self.triggers), Fraction(0))
        if outcome.trigger not in self.triggers:
            return Fraction(0)
        return max(outcome.net, Fraction(0))


@dataclass(frozen=True)
class Odds:
    """The figures of one wager under one paytable: exact under the best strategy, or simulated under the named
    policy."""

    game: str
    wager: str
    paytable: str
    options: Mapping[str, Setting]
    distribution: tuple[WagerOutcome, ...]
    initial_wager: int = 1
    """Units wagered before the deal."""
    meter: Fraction | None = None
    """The meter in wagers, if given."""
    is_jackpot: bool = False
    """Whether prizes can come from a meter or from the operator."""
    simulated_rounds: int | None = None
    """The number of simulated rounds; None for an exact result."""
    policy: str = ""
    """How the player decides, where that is not proved to be the best play."""
    notes: tuple[str, ...] = field(default=())
    exclusions: tuple[str, ...] = ()
    """What the table pays and the figures leave out: bonus features, amounts that the operator sets."""
    limit: WagerLimit | None = None
    """The payout limit in the figures, which are for one player who makes this wager alone."""
    unlimited_distribution: tuple[WagerOutcome, ...] = ()
    """The outcomes without the limit, if there is one."""

    @cached_property
    def combinations(self) -> int:
        """The number of equally likely combinations over all outcomes."""
        return sum(outcome.combinations for outcome in self.distribution)

    def _mean(self, values: Iterable[Fraction]) -> Fraction:
        # Sums use a common denominator, because adding fractions of large counts one by one is slow.
        sums: dict[int, int] = {}
        for outcome, value in zip(self.distribution, values, strict=True):
            sums[value.denominator] = sums.get(value.denominator, 0) + outcome.combinations * value.numerator
        total = sum((Fraction(numerator, denominator) for denominator, numerator in sums.items()), Fraction(0))
        return total / self.combinations

    @cached_property
    def net_without_meter(self) -> Fraction:
        """The expected return with an empty meter."""
        return self._mean(outcome.net for outcome in self.distribution)

    @cached_property
    def meter_part(self) -> Fraction:
        """The part of the meter that the wager wins on average."""
        return self._mean(outcome.percent for outcome in self.distribution)

    @cached_property
    def depends_on_meter(self) -> bool:
        """Whether the return depends on a meter that is not given. A simulated return does, even if no round won the
        meter's prizes."""
        return self.meter is None and any(
            outcome.percent and (outcome.combinations or self.simulated_rounds) for outcome in self.distribution
        )

    @property
    def fixed_return(self) -> Fraction:
        """The return of the fixed prizes per unit."""
        return self.net_without_meter + self.average_wager

    @property
    def break_even_meter(self) -> Fraction | None:
        """The meter, in wagers, at which the expected return is zero; None if no prize is a percentage."""
        return -self.net_without_meter / self.meter_part if self.meter_part else None

    @property
    def expected_return(self) -> Fraction | None:
        """Net units per base unit; None if it depends on a meter that is not given."""
        if self.depends_on_meter:
            return None
        return self.net_without_meter + self.meter_part * (self.meter or 0)

    @cached_property
    def average_wager(self) -> Fraction:
        """Units wagered by the end of the round, raises included."""
        return self._mean(outcome.wagered for outcome in self.distribution)

    @property
    def house_edge(self) -> Fraction | None:
        """Minus the expected return, per unit wagered before the deal."""
        return None if self.expected_return is None else -self.expected_return / self.initial_wager

    @property
    def element_of_risk(self) -> Fraction | None:
        """Minus the expected return, per unit wagered by the end of the round."""
        return None if self.expected_return is None else -self.expected_return / self.average_wager

    @cached_property
    def variance(self) -> Fraction | None:
        """Of the round's net result."""
        if self.expected_return is None:
            return None
        meter = self.meter or Fraction(0)
        return (
            self._mean((outcome.net + outcome.percent * meter) ** 2 for outcome in self.distribution)
            - self.expected_return**2
        )

    @property
    def standard_deviation(self) -> float | None:
        """Of the round's net result, in base units."""
        return None if self.variance is None else _square_root(self.variance)

    @cached_property
    def hit_frequency(self) -> Fraction:
        """The share of rounds that win."""
        hits = sum(outcome.combinations for outcome in self.distribution if outcome.is_hit or outcome.percent)
        return Fraction(hits, self.combinations)

    @property
    def standard_error(self) -> float | None:
        """Of a simulated expected return."""
        if self.simulated_rounds is None or self.variance is None:
            return None
        return _square_root(self.variance / self.simulated_rounds)

    @property
    def largest_wager_odds(self) -> Odds | None:
        """The figures for one player with the table's largest wager, if a payout limit applies."""
        if self.limit is None:
            return None
        largest = self.limit.largest_cents
        limit = replace(self.limit, wager_cents=largest)
        distribution = tuple(limit.apply(outcome, largest) for outcome in self.unlimited_distribution)
        return replace(self, limit=limit, distribution=distribution)

    @cached_property
    def unhit_lines(self) -> tuple[UnhitLine, ...]:
        """The prizes that no simulated round won; none for exact figures."""
        if self.simulated_rounds is None:
            return ()
        meter = self.meter or Fraction(0)
        hit = {outcome.trigger for outcome in self.distribution if outcome.combinations}
        best_nets: dict[tuple[str, str], Fraction] = {}
        for outcome in self.distribution:
            net = outcome.net + outcome.percent * meter
            if outcome.trigger not in hit and net > 0:
                key = outcome.trigger, outcome.pays
                best_nets[key] = max(net, best_nets.get(key, net))
        frequency_bound = Fraction(RULE_OF_THREE, self.simulated_rounds)
        return tuple(UnhitLine(*key, net * min(frequency_bound, Fraction(1))) for key, net in best_nets.items())

    @property
    def unhit_return_bound(self) -> Fraction:
        """The most that all prizes that no simulated round won can add to the return. Together they happen no more
        often than each may alone."""
        return max((line.return_bound for line in self.unhit_lines), default=Fraction(0))

    @property
    def unhit_sentence(self) -> str:
        """A sentence about the prizes that no simulated round won; empty if there are none."""
        if not self.unhit_lines:
            return ""
        prizes = ", ".join(f"{line.trigger.replace('-', ' ')} ({line.pays})" for line in self.unhit_lines)
        object_word, subject_words = ("it", "It") if len(self.unhit_lines) == 1 else ("them", "Together they")
        return (
            f"No simulated round won {prizes}: the standard error does not cover {object_word}. {subject_words} can "
            "add up to "
            f"{float(self.unhit_return_bound):.6f} units to the return (95% bound: {RULE_OF_THREE} in "
            f"{self.simulated_rounds:,} rounds)."
        )

    @property
    def is_exact(self) -> bool:
        """Whether the figures are exact; otherwise they are simulated."""
        return self.simulated_rounds is None

    @property
    def method_text(self) -> str:
        """The method as text: ``exact``, or the simulated rounds with their error and policy."""
        if self.simulated_rounds is None:
            return "exact"
        error = "" if self.standard_error is None else f", standard error {self.standard_error:.6f} units"
        policy = f", under {self.policy}" if self.policy else ""
        return f"simulated over {self.simulated_rounds:,} rounds{error}{policy}"

    @cached_property
    def outcomes(self) -> tuple[OutcomeLine, ...]:
        """The outcome table: one line for outcomes with the same event and pay, in their order."""
        meter = self.meter or Fraction(0)
        counts: dict[tuple[str, str], int] = {}
        nets: dict[tuple[str, str], Fraction] = {}
        meter_keys = {
            (outcome.trigger, outcome.pays) for outcome in self.distribution if outcome.percent and self.meter is None
        }
        for outcome in self.distribution:
            key = outcome.trigger, outcome.pays
            counts[key] = counts.get(key, 0) + outcome.combinations
            net = outcome.combinations * (outcome.net + outcome.percent * meter)
            nets[key] = nets.get(key, Fraction(0)) + net
        return tuple(
            OutcomeLine(
                *key,
                count,
                Fraction(count, self.combinations),
                nets[key] / self.combinations,
                depends_on_meter=key in meter_keys,
            )
            for key, count in counts.items()
        )


def _square_root(value: Fraction) -> float:
    """The root to the last digit of a float, whatever the size of the fraction."""
    scaled = isqrt((value.numerator << 240) // value.denominator)
    return scaled / (1 << 120)


def to_json(odds: Odds) -> dict[str, Any]:
    """One object of the list that ``cardroom odds --json`` prints."""
    entry: dict[str, Any] = {
        "game": odds.game,
        "wager": odds.wager,
        "paytable": odds.paytable,
        "options": dict(odds.options),
        "method": "exact" if odds.simulated_rounds is None else "simulated",
    }
    if odds.simulated_rounds is not None:
        entry |= {"standard_error": odds.standard_error, "rounds": odds.simulated_rounds}
        entry["unhit_lines"] = [
            {"event": line.trigger, "pays": line.pays, "return_at_most": float(line.return_bound)}
            for line in odds.unhit_lines
        ]
        entry["unhit_return_at_most"] = float(odds.unhit_return_bound)
    if odds.policy:
        entry["policy"] = odds.policy
    if odds.expected_return is not None:
        entry["expected_return"] = {
            "value": float(odds.expected_return),
            "fraction": _fraction(odds.expected_return),
        }
    entry["initial_wager"] = odds.initial_wager
    for name in ("house_edge", "average_wager", "element_of_risk", "standard_deviation", "hit_frequency"):
        value = getattr(odds, name)
        if value is not None:
            entry[name] = float(value)
    if odds.is_jackpot:
        entry["fixed_return"] = float(odds.fixed_return)
        entry["fixed_return_fraction"] = _fraction(odds.fixed_return)
        if odds.break_even_meter is not None:
            entry["break_even_meter"] = float(odds.break_even_meter)
            entry["break_even_meter_fraction"] = _fraction(odds.break_even_meter)
        if odds.meter is not None:
            entry["meter"] = float(odds.meter)
    entry["outcomes"] = [
        {
            "event": outcome.trigger,
            "pays": outcome.pays,
            "combinations": outcome.combinations,
            "probability": float(outcome.probability),
            "return": float(outcome.contribution),  # with an empty meter if none is given
        }
        for outcome in odds.outcomes
    ]
    entry["combinations"] = odds.combinations
    if odds.notes:
        entry["notes"] = list(odds.notes)
    if odds.limit is not None:
        entry["payout_limit"] = _limit_to_json(odds, odds.limit)
    if odds.exclusions:
        entry["excludes"] = list(odds.exclusions)
    return entry


def _limit_to_json(odds: Odds, limit: WagerLimit) -> dict[str, Any]:
    """The limit, the wager that the figures are for, and the figures for the largest one."""
    entry: dict[str, Any] = {
        "cents": limit.cents,
        "wager_cents": limit.wager_cents,
        "largest_wager_cents": limit.largest_cents,
    }
    largest_odds = odds.largest_wager_odds
    if largest_odds is not None and largest_odds.expected_return is not None and largest_odds.house_edge is not None:
        expected_return = largest_odds.expected_return
        entry["at_largest_wager"] = {
            "expected_return": {"value": float(expected_return), "fraction": _fraction(expected_return)},
            "house_edge": float(largest_odds.house_edge),
        }
    return entry


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"
