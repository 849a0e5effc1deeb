"""Rounds that are simulated to confirm the figures of a PAR sheet. Rounds and seed stand on the sheet, so that whoever
checks it plays the very same rounds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Final, NamedTuple

from cardroom.games import Table, game
from cardroom.odds import Odds, pricer
from cardroom.odds.pricer import Progress
from cardroom.odds.rounds.agreement import Agreement, agreement, differing
from cardroom.odds.rounds.plan import WagerPlan
from cardroom.odds.rounds.simulation import BLOCK, BadSimulation, Tally, check_rounds, check_seed, simulate, simulator

USUAL_ROUNDS: Final = 1_000_000
USUAL_SEED: Final = 1


class Confirm(NamedTuple):
    """What is to be played."""

    rounds: int | None = None
    """None for as many as take seconds; 0 for none."""
    seed: int = USUAL_SEED

    def checked(self) -> Confirm:
        """Refuses what cannot be played."""
        if self.rounds:
            check_rounds(self.rounds)
        check_seed(self.seed)
        return self


USUAL: Final = Confirm()


class Confirmation(NamedTuple):
    """What came of it."""

    rounds: int
    seed: int
    wagers: tuple[Agreement | None, ...]
    """For each line of the sheet's wagers; None where the play of its figures cannot be simulated at this table."""
    refused: str = ""
    """Why the rounds could not be counted; empty when they were."""

    @property
    def differing(self) -> tuple[bool | None, ...]:
        """Which wagers differ from their figures; None where nothing was tested."""
        return differing(self.wagers)


def confirmed(table: Table, figures: Sequence[Odds], asked: Confirm, progress: Progress) -> Confirmation | None:
    """Play the table as its figures say, and compare each wager with its figures, which have a known return."""
    if asked.rounds == 0:
        return None
    tallies: list[Tally] = []
    found: list[Agreement | None] = [None] * len(figures)
    rounds = 0
    for layout in _layouts(table):
        if all(found):
            break
        prepared = simulator(layout.facts.slug).prepare(layout, progress=progress)
        rounds = asked.rounds or (USUAL_ROUNDS if prepared.block_rounds == BLOCK else prepared.block_rounds)
        try:
            alone = 1 if rounds <= prepared.block_rounds else None  # one block has one player
            tallies.append(simulate(prepared, rounds, asked.seed, alone))
        except BadSimulation as fault:  # a round ended as no simulated round of the price had ended
            return Confirmation(rounds, asked.seed, (None,) * len(figures), str(fault))
        for at, odds in enumerate(figures):
            found[at] = found[at] or _agreement(odds, tallies[-1])
    return Confirmation(rounds, asked.seed, tuple(found))


def _layouts(table: Table) -> Iterator[Table]:
    """The table as it is; then without each wager that changes how another one is decided."""
    yield table
    pricing = pricer(table.facts.slug)
    besides = (pricing.beside(wager, settings) for wager in table.offered for settings in pricing.settings(wager))
    for other in dict.fromkeys(beside.wager for beside in besides if beside and beside.wager in table.offered):
        left = {slug: setup for slug, setup in table.setup.wagers.items() if slug != other}
        yield game(table.facts.slug).open(replace(table.setup, wagers=left))


def _agreement(odds: Odds, tally: Tally) -> Agreement | None:
    for wager in tally.wagers:
        if wager.plan.slug == odds.wager and _same(wager.plan, odds):
            return agreement(odds, wager.counts)
    return None


def _same(plan: WagerPlan, odds: Odds) -> bool:
    """Whether the simulated play is the one that the figures are for: the same endings, as probable."""
    if dict(plan.question.settings) != dict(odds.options) or len(plan.endings) != len(odds.endings):
        return False
    events = all(one.event == other.event for one, other in zip(plan.endings, odds.endings, strict=True))
    chances = tuple(Fraction(ending.combinations, odds.combinations) for ending in odds.endings)
    return events and plan.exact == chances
