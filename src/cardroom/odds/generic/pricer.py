"""The odds of any game from its rules alone: exact if all situations can be searched, otherwise simulated."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import hypot

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games import Decision, Game, Table, View
from cardroom.odds.generic import coach
from cardroom.odds.generic.policy_table import summarize_policy
from cardroom.odds.generic.pricing_table import (
    PricingTable,
    build_pricing_table,
    default_paytable,
    group_outcomes,
    settle_wager,
)
from cardroom.odds.generic.search import SITUATION_BUDGET, ExactPrice, Search, SearchTooLarge, price_exactly, utility
from cardroom.odds.generic.situation import situations_with_hand
from cardroom.odds.generic.trained_policy import (
    PRICING_ROUNDS,
    TRAINING_ROUNDS,
    ConstantPolicy,
    SimulatedPrice,
    SimulationJob,
    play_blocks,
    price_by_simulation,
)
from cardroom.odds.pricer import (
    Advice,
    BasicStrategy,
    PricedWager,
    Pricer,
    Progress,
    Settings,
    StrategyRule,
    ignore_progress,
)
from cardroom.odds.result import SIMULATED_POLICY, Setting
from cardroom.paytables import Paytable

_MAIN_POLICY_NOTE = "Played for the highest value of {}; of equal decisions, the better one for this wager."
_MONTE_CARLO_NOTE = (
    "Under a policy found by simulation from {:,} rounds of random decisions; it is not proved best: the game has "
    "more than {:,} situations."
)


class GenericPricer(Pricer):
    """The odds of a game that provides only its rules."""

    def __init__(
        self,
        rules: Game,
        budget: int = SITUATION_BUDGET,
        training_rounds: int = TRAINING_ROUNDS,
        rounds: int = PRICING_ROUNDS,
    ) -> None:
        """Search up to ``budget`` situations. Beyond that, ``training_rounds`` find a policy and ``rounds`` price
        it."""
        self.rules, self.budget, self._training_rounds, self._rounds = rules, budget, training_rounds, rounds
        self._prices: dict[tuple[object, ...], ExactPrice | SimulatedPrice] = {}

    @property
    def game(self) -> str:  # type: ignore[override]
        return self.rules.facts.slug

    # Which options change the figures

    def settings(self, wager: str) -> tuple[Settings, ...]:
        return self._settings(wager)

    @cache  # noqa: B019 (one pricer a game, for as long as the program runs)
    def _settings(self, wager: str) -> tuple[Settings, ...]:
        facts = self.rules.facts
        choices: dict[str, tuple[Setting, ...]] = {}
        if len(facts.decks) > 1:
            choices["decks"] = tuple(deck.decks for deck in facts.decks)
        for option in facts.options:
            if self._changes_price(wager, option.name, option.values):
                choices[option.name] = option.values
        return tuple(dict(zip(choices, values, strict=True)) for values in product(*choices.values()))

    def _changes_price(self, wager: str, name: str, values: tuple[Setting, ...]) -> bool:
        """Whether an option changes the figures of the usual table. If only a simulation could decide, it does."""
        table = default_paytable(self.rules.facts, wager)
        try:
            distributions = {
                price_exactly(build_pricing_table(self.rules, wager, table, {name: value}), budget=self.budget).outcomes
                for value in values
            }
        except SearchTooLarge:
            return True
        return len(distributions) > 1

    # Figures

    def price(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> PricedWager:
        price = self.solve(wager, table, settings, progress)
        main = [wager_facts.name for wager_facts in self.rules.facts.wagers if wager_facts.required]
        notes = []
        if not self.rules.facts.wager(wager).required and main and self._has_decisions(price):
            notes.append(_MAIN_POLICY_NOTE.format(" and ".join(main)))
        if isinstance(price, ExactPrice):
            return PricedWager(price.outcomes, self.rules.facts.wager(wager).stakes, notes=tuple(notes))
        if price.has_decisions:
            notes.append(_MONTE_CARLO_NOTE.format(price.training_rounds, self.budget))
        stakes = self.rules.facts.wager(wager).stakes
        policy = SIMULATED_POLICY if price.has_decisions else ""
        return PricedWager(price.outcomes, stakes, simulated_rounds=price.rounds, notes=tuple(notes), policy=policy)

    def solve(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> ExactPrice | SimulatedPrice:
        """The figures with their policy; computed once."""
        key = wager, table, tuple(sorted(settings.items()))
        if key not in self._prices:
            pricing_table = build_pricing_table(self.rules, wager, table, settings)
            try:
                self._prices[key] = price_exactly(pricing_table, progress, self.budget)
            except SearchTooLarge:
                job = SimulationJob(self.rules, wager, table, dict(settings))
                self._prices[key] = price_by_simulation(
                    pricing_table, job, progress, training_rounds=self._training_rounds, rounds=self._rounds
                )
        return self._prices[key]

    def _has_decisions(self, price: ExactPrice | SimulatedPrice) -> bool:
        return bool(price.policy_entries) if isinstance(price, ExactPrice) else price.has_decisions

    # The strategy

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        pricing_table = self._decision_table(wager, table, settings)
        search = Search(
            pricing_table.table.deck,
            lambda round_: settle_wager(pricing_table, round_),
            lambda settled: utility(pricing_table, settled),
            self.budget,
        )
        try:
            values = search.option_values(situations_with_hand(pricing_table, hand))
        except SearchTooLarge:
            raise BadInput(
                f"More than {self.budget:,} situations can follow these cards, too many to price here: use the "
                "coach at a table."
            ) from None
        return tuple(
            sorted(
                ((decision, value[0] / pricing_table.unit) for decision, value in values.items()),
                key=lambda pair: pair[1],
                reverse=True,
            )
        )

    def basic_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = ignore_progress
    ) -> BasicStrategy:
        pricing_table = self._decision_table(wager, table, settings)
        price = self.solve(wager, table, settings, progress)
        if not self._has_decisions(price):
            raise BadInput(f"The {wager} wager needs no decision after it is made.")
        if isinstance(price, ExactPrice):
            return BasicStrategy(summarize_policy(price.policy_entries), price.expected_return, price.expected_return)
        return self._constant_strategy(pricing_table, settings, price, progress)

    def _constant_strategy(
        self, pricing_table: PricingTable, settings: Settings, price: SimulatedPrice, progress: Progress
    ) -> BasicStrategy:
        """Always the same decision, compared with the learned policy over the same rounds."""
        job = SimulationJob(
            self.rules,
            pricing_table.wager.slug,
            pricing_table.paytable,
            dict(settings),
            ConstantPolicy(str(price.best_constant)),
        )
        rounds = play_blocks(job, price.seed, price.rounds, progress=progress)
        constant_price = price._replace(outcomes=group_outcomes(pricing_table, rounds.results))
        return BasicStrategy(
            (StrategyRule(f"always {price.best_constant}"),),
            constant_price.expected_return,
            price.expected_return,
            simulated_rounds=price.rounds,
            # The error for independent rounds; both play the same cards, so the true error is smaller.
            standard_error=hypot(constant_price.standard_error, price.standard_error),
            policy=SIMULATED_POLICY,
        )

    def _decision_table(self, wager: str, table: Paytable, settings: Settings) -> PricingTable:
        main = [wager_facts.slug for wager_facts in self.rules.facts.wagers if wager_facts.required]
        if main and wager not in main:
            raise BadInput(f"The {wager} wager needs no decision after it is made: choose {main[0]}.")
        return build_pricing_table(self.rules, wager, table, settings)

    def advise(self, table: Table, view: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        return coach.advise(self.rules, table, view, seat, meters)
