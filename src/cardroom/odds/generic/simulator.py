"""Simulates any game by its rules, thousands of rounds per second, on all cores.

A block of rounds is the same on any core. The winners of such a game's jackpots are not counted.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, cached_property
from multiprocessing import current_process, get_context
from typing import Final

import numpy as np

from cardroom.games import Decision, Game, Round, Table, View, game
from cardroom.games.setup import setup_from_json, setup_to_json
from cardroom.odds.generic.policy_table import PolicyTable
from cardroom.odds.generic.pricer import GenericPricer
from cardroom.odds.generic.pricing_table import PricingTable, SettledWager, build_pricing_table, settle_wager
from cardroom.odds.generic.search import ExactPrice
from cardroom.odds.generic.trained_policy import ConstantPolicy, MonteCarloPolicy
from cardroom.odds.pricer import Progress, Settings, advise, ignore_progress, pricer
from cardroom.odds.prices import BadPriceRequest
from cardroom.odds.simulation.deals import Counts, Places
from cardroom.odds.simulation.meter_winners import JointProbabilities, UnknownWinners, WinnersCounter
from cardroom.odds.simulation.rules_engine import RoundRandom, play_round, shuffle_shoe
from cardroom.odds.simulation.runner import BadSimulation, PreparedTable, SimulatedRound, Simulator, check_strategy
from cardroom.odds.simulation.wager_plan import WagerPlan, plan_wager
from cardroom.paytables import Paytable

BLOCK_ROUNDS: Final = 2_000


@dataclass(frozen=True)
class CoachPolicy:
    """The policy that the coach advises, for a game with a pricer of its own but no other policy."""

    setup: str

    def __call__(self, view: View) -> Decision:
        return max(advise(_open_table(self.setup), view), key=lambda option: option.value).decision


@dataclass(frozen=True)
class RulesPreparedTable(PreparedTable):
    """A table whose rounds are played by the rules."""

    wagers: tuple[WagerPlan, ...]
    setup: str
    """Of the table, as JSON: small enough to send; each process opens the table from it."""
    strategy: PolicyTable | MonteCarloPolicy | ConstantPolicy | CoachPolicy

    @property
    def block_rounds(self) -> int:
        return BLOCK_ROUNDS

    def executor(self, worker_count: int) -> Executor:
        """Processes, because the rules are plain Python; spawned, because threads may be running. A server's worker
        cannot start processes and plays the blocks itself, as one worker does."""
        if worker_count == 1 or current_process().daemon:
            return ThreadPoolExecutor(1)
        return ProcessPoolExecutor(worker_count, mp_context=get_context("spawn"))

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        counts = np.zeros(self.starts[-1], np.int64)
        places = self.round_outcomes(seed, block, rounds)
        for index, start in enumerate(self.starts[:-1]):
            np.add.at(counts, start + places[:, index].astype(np.int64), 1)
        return counts

    def round_outcomes(self, seed: int, block: int, rounds: int) -> Places:
        places = np.empty((rounds, len(self.wagers)), np.int16)
        for turn in range(rounds):
            for pricing_tables in self._pricing_table_groups:
                round_ = self._round(next(iter(pricing_tables.values())), seed, block, turn)
                for column, pricing_table in pricing_tables.items():
                    places[turn, column] = _outcome_index(
                        self.wagers[column], pricing_table, settle_wager(pricing_table, round_)
                    )
        return places

    def simulated_round(self, seed: int, block: int, turn: int) -> SimulatedRound:
        round_ = self._round(self._pricing_table_groups[0][0], seed, block, turn)
        return SimulatedRound(
            dict(round_.piles), {question: decision for (_, question), decision in round_.decisions.items()}
        )

    def _round(self, pricing_table: PricingTable, seed: int, block: int, turn: int) -> Round:
        shoe = shuffle_shoe(pricing_table.table, RoundRandom(seed, block << 32 | turn))
        return play_round(pricing_table.rules, pricing_table.table, pricing_table.bets, shoe, self.strategy)

    @cached_property
    def _pricing_table_groups(self) -> tuple[dict[int, PricingTable], ...]:
        """The wagers, by number, that can be made in one round; if not all can, each has a round of its own with the
        same cards."""
        rules, table = game(self.game), _open_table(self.setup)
        settings: Settings = {"decks": table.deck.decks, **table.options}
        tables = {wager.slug: wager.request.table for wager in self.wagers}

        def build(slug: str, other_paytables: Mapping[str, Paytable]) -> PricingTable:
            return build_pricing_table(rules, slug, tables[slug], settings, other_paytables)

        try:
            return ({index: build(slug, tables) for index, slug in enumerate(tables)},)
        except BadPriceRequest:
            return tuple({index: build(slug, {})} for index, slug in enumerate(tables))

    def __getstate__(self) -> dict[str, object]:
        return {"wagers": self.wagers, "setup": self.setup, "strategy": self.strategy}


@cache
def _open_table(setup: str) -> Table:
    table_setup = setup_from_json(json.loads(setup))
    return game(table_setup.game).open(table_setup)


def _outcome_index(wager: WagerPlan, pricing_table: PricingTable, settled: SettledWager) -> int:
    """The index of the outcome in the list. A simulated list may lack a rare outcome: then the one with the same net
    result, or the next lower one."""
    net, wagered = Fraction(settled.net, pricing_table.unit), Fraction(settled.wagered, pricing_table.unit)
    matches = [
        index
        for index, outcome in enumerate(wager.outcomes)
        if (outcome.net, outcome.wagered, outcome.percent) == (net, wagered, settled.percent)
    ]
    exact_matches = [
        index
        for index in matches
        if (wager.outcomes[index].trigger, wager.outcomes[index].pays) == (settled.trigger, settled.pays)
    ]
    if matches:
        return (exact_matches or matches)[0]
    if wager.priced_rounds is None:
        raise BadSimulation(f"The price of {wager.slug} has no outcome {settled.trigger!r} that pays {settled.pays}.")
    order = sorted(range(len(wager.outcomes)), key=lambda index: wager.outcomes[index].net)
    return next((index for index in reversed(order) if wager.outcomes[index].net <= net), order[0])


class GenericSimulator(Simulator):
    """The simulated rounds of a game that provides only its rules."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules

    @property
    def game(self) -> str:  # type: ignore[override]
        return self.rules.facts.slug

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = ignore_progress) -> RulesPreparedTable:
        check_strategy(strategy)
        plans = {slug: plan_wager(table, slug, progress=progress) for slug in table.offers}
        policy = self._strategy(table, plans, strategy, progress)
        if isinstance(policy, ConstantPolicy):
            # The probabilities under a constant decision are unknown.
            plans = {slug: replace(wager_plan, probabilities=None, policy="") for slug, wager_plan in plans.items()}
        return RulesPreparedTable(tuple(plans.values()), json.dumps(setup_to_json(table.setup)), policy)

    def _strategy(
        self, table: Table, plans: Mapping[str, WagerPlan], strategy: str, progress: Progress
    ) -> PolicyTable | MonteCarloPolicy | ConstantPolicy | CoachPolicy:
        pricing = pricer(self.game)
        if not isinstance(pricing, GenericPricer):
            return CoachPolicy(json.dumps(setup_to_json(table.setup)))
        main = next((slug for slug in plans if self.rules.facts.wager(slug).required), next(iter(plans)))
        request = plans[main].request
        price = pricing.solve(main, request.table, request.settings, progress)
        if isinstance(price, ExactPrice):
            return PolicyTable(price.policy_entries)  # few lines, and they are the best strategy
        if strategy == "best" or price.best_constant is None:
            return price.strategy
        return ConstantPolicy(price.best_constant)


class UncountedWinners(WinnersCounter):
    """No count: it would need to know which cards seats share. Bounds apply to any cards."""

    def __init__(self, rules: Game) -> None:
        self._name = rules.facts.name

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        return UnknownWinners(f"How often several seats of {self._name} win together has not been counted.")
