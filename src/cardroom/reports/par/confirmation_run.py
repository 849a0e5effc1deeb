"""Simulated rounds that confirm the figures of a PAR sheet. The sheet states the rounds and the seed, so a check plays
the same rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.games import Table, game
from cardroom.odds import Odds, pricer
from cardroom.odds.pricer import Progress
from cardroom.odds.simulation.runner import BLOCK_ROUNDS, BadSimulation, check_rounds, check_seed, simulate, simulator
from cardroom.odds.simulation.tally import Agreement, SimulationTally, find_disagreements, measure_agreement
from cardroom.odds.simulation.wager_plan import WagerPlan

DEFAULT_ROUNDS: Final = 1_000_000
DEFAULT_SEED: Final = 1


class ConfirmationRequest(NamedTuple):
    """The requested rounds."""

    rounds: int | None = None
    """None: as many as take some seconds; 0: none."""
    seed: int = DEFAULT_SEED

    def check(self) -> ConfirmationRequest:
        """Refuse a number of rounds or a seed that cannot be played."""
        if self.rounds:
            check_rounds(self.rounds)
        check_seed(self.seed)
        return self


DEFAULT_REQUEST: Final = ConfirmationRequest()


class Confirmation(NamedTuple):
    """The result of the confirmation."""

    rounds: int
    seed: int
    wagers: tuple[Agreement | None, ...]
    """For each line of the sheet's wagers; None if the strategy of its figures cannot be simulated at this table."""
    refusal: str = ""
    """The reason why the rounds could not be counted; empty if they were."""

    @property
    def differences(self) -> tuple[bool | None, ...]:
        """The wagers that differ from their figures; None if nothing was tested."""
        return find_disagreements(self.wagers)


def run_confirmation(
    table: Table, figures: Sequence[Odds], request: ConfirmationRequest, progress: Progress
) -> Confirmation | None:
    """Play the table by the strategy of its figures, and compare each wager with figures of a known return."""
    if request.rounds == 0:
        return None
    tallies: list[SimulationTally] = []
    agreements: list[Agreement | None] = [None] * len(figures)
    rounds = 0
    for layout in _layouts(table):
        if all(agreements):
            break
        prepared = simulator(layout.facts.slug).prepare(layout, progress=progress)
        rounds = request.rounds or (DEFAULT_ROUNDS if prepared.block_rounds == BLOCK_ROUNDS else prepared.block_rounds)
        try:
            worker_count = 1 if rounds <= prepared.block_rounds else None  # one block needs one worker
            tallies.append(simulate(prepared, rounds, request.seed, worker_count))
        except BadSimulation as fault:  # a round had an outcome that no simulated round of the price had
            return Confirmation(rounds, request.seed, (None,) * len(figures), str(fault))
        for index, odds in enumerate(figures):
            agreements[index] = agreements[index] or _agreement(odds, tallies[-1])
    return Confirmation(rounds, request.seed, tuple(agreements))


def _layouts(table: Table) -> Iterator[Table]:
    """The table as it is; then without each wager that changes the decisions of another one."""
    yield table
    pricing = pricer(table.facts.slug)
    besides = (pricing.linked_wager(wager, settings) for wager in table.offers for settings in pricing.settings(wager))
    for wager_slug in dict.fromkeys(
        companion.wager for companion in besides if companion and companion.wager in table.offers
    ):
        remaining = {slug: setup for slug, setup in table.setup.wagers.items() if slug != wager_slug}
        yield game(table.facts.slug).open(replace(table.setup, wagers=remaining))


def _agreement(odds: Odds, tally: SimulationTally) -> Agreement | None:
    for wager in tally.wagers:
        if wager.plan.slug == odds.wager and _is_same_play(wager.plan, odds):
            return measure_agreement(odds, wager.counts)
    return None


def _is_same_play(plan: WagerPlan, odds: Odds) -> bool:
    """Whether the simulated strategy is that of the figures: the same outcomes with the same probabilities."""
    if dict(plan.request.settings) != dict(odds.options) or len(plan.outcomes) != len(odds.distribution):
        return False
    events = all(
        planned.trigger == priced.trigger for planned, priced in zip(plan.outcomes, odds.distribution, strict=True)
    )
    chances = tuple(Fraction(outcome.combinations, odds.combinations) for outcome in odds.distribution)
    return events and plan.probabilities == chances
