"""Any game by thousands of rounds a second, through its rules: on all cores, and the same whoever plays which block."""

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
from cardroom.games.setup import setup_entry, setup_from
from cardroom.odds.any.book import AnswerBook
from cardroom.odds.any.ending import End, end_of
from cardroom.odds.any.exact import Exact
from cardroom.odds.any.layout import Layout, layout
from cardroom.odds.any.learned import LearnedPlay
from cardroom.odds.any.pricer import AnyGame
from cardroom.odds.any.simulated import Constant
from cardroom.odds.coach import advise
from cardroom.odds.pricer import Progress, Settings, pricer, silent
from cardroom.odds.question import UnknownQuestion
from cardroom.odds.rounds.by_the_rules import Numbers, dealt_shoe, played
from cardroom.odds.rounds.simulation import (
    BadSimulation,
    Counts,
    Laid,
    Places,
    Prepared,
    Simulator,
    WagerPlan,
    check_strategy,
    plan,
)
from cardroom.paytables import Paytable

BLOCK: Final = 2_000


@dataclass(frozen=True)
class Coached:
    """The play that the coach advises, for a game whose own pricer tells no more than that."""

    setup: str

    def __call__(self, seen: View) -> Decision:
        return max(advise(_opened(self.setup), seen), key=lambda one: one.value).decision


@dataclass(frozen=True)
class RoundsByTheRules(Prepared):
    """A table whose rounds are played through the rules."""

    wagers: tuple[WagerPlan, ...]
    setup: str
    """Of the table, as JSON: small enough to send, and every player opens it for itself."""
    strategy: AnswerBook | LearnedPlay | Constant | Coached

    @property
    def block_rounds(self) -> int:
        return BLOCK

    def players(self, width: int) -> Executor:
        """Processes, because the rules are plain Python; spawned, because threads may be running. A server's worker may
        start none, and plays the blocks itself, as does a single player."""
        if width == 1 or current_process().daemon:
            return ThreadPoolExecutor(1)
        return ProcessPoolExecutor(width, mp_context=get_context("spawn"))

    def run_block(self, seed: int, block: int, rounds: int) -> Counts:
        counts = np.zeros(self.starts[-1], np.int64)
        places = self.each_round(seed, block, rounds)
        for at, start in enumerate(self.starts[:-1]):
            np.add.at(counts, start + places[:, at].astype(np.int64), 1)
        return counts

    def each_round(self, seed: int, block: int, rounds: int) -> Places:
        places = np.empty((rounds, len(self.wagers)), np.int16)
        for turn in range(rounds):
            for layouts in self._together:
                round_ = self._round(next(iter(layouts.values())), seed, block, turn)
                for column, where in layouts.items():
                    places[turn, column] = _place(self.wagers[column], where, end_of(where, round_))
        return places

    def laid(self, seed: int, block: int, turn: int) -> Laid:
        round_ = self._round(self._together[0][0], seed, block, turn)
        return Laid(dict(round_.dealt), {question: said for (_, question), said in round_.decisions.items()})

    def _round(self, where: Layout, seed: int, block: int, turn: int) -> Round:
        shoe = dealt_shoe(where.table, Numbers(seed, block << 32 | turn))
        return played(where.rules, where.table, where.bets, shoe, self.strategy)

    @cached_property
    def _together(self) -> tuple[dict[int, Layout], ...]:
        """The wagers, by their numbers, that can be made in one round; else each in a round of its own with the same
        cards."""
        rules, table = game(self.game), _opened(self.setup)
        settings: Settings = {"decks": table.deck.decks, **table.options}
        tables = {one.slug: one.question.table for one in self.wagers}

        def laid_out(slug: str, beside: Mapping[str, Paytable]) -> Layout:
            return layout(rules, slug, tables[slug], settings, beside)

        try:
            return ({at: laid_out(slug, tables) for at, slug in enumerate(tables)},)
        except UnknownQuestion:
            return tuple({at: laid_out(slug, {})} for at, slug in enumerate(tables))

    def __getstate__(self) -> dict[str, object]:
        return {"wagers": self.wagers, "setup": self.setup, "strategy": self.strategy}


@cache
def _opened(setup: str) -> Table:
    found = setup_from(json.loads(setup))
    return game(found.game).open(found)


def _place(wager: WagerPlan, where: Layout, end: End) -> int:
    """Where the ending stands in the list. A list that was simulated may lack a rare one: then one of the same net, or
    else the next lower one."""
    net, wagered = Fraction(end.net, where.unit), Fraction(end.wagered, where.unit)
    alike = [
        at for at, one in enumerate(wager.endings) if (one.net, one.wagered, one.percent) == (net, wagered, end.percent)
    ]
    named = [at for at in alike if (wager.endings[at].event, wager.endings[at].pays) == (end.event, end.pays)]
    if alike:
        return (named or alike)[0]
    if wager.priced_rounds is None:
        raise BadSimulation(f"The price of {wager.slug} does not know the ending {end.event!r} that pays {end.pays}.")
    order = sorted(range(len(wager.endings)), key=lambda at: wager.endings[at].net)
    return next((at for at in reversed(order) if wager.endings[at].net <= net), order[0])


class AnyGameSimulator(Simulator):
    """The simulated rounds of a game that brings nothing but its rules."""

    def __init__(self, rules: Game) -> None:
        self.rules = rules

    @property
    def game(self) -> str:  # type: ignore[override]
        return self.rules.facts.slug

    def prepare(self, table: Table, strategy: str = "best", progress: Progress = silent) -> RoundsByTheRules:
        check_strategy(strategy)
        plans = {slug: plan(table, slug, progress=progress) for slug in table.offered}
        chosen = self._strategy(table, plans, strategy, progress)
        if isinstance(chosen, Constant):
            # What the same answer to everything is worth, nobody has counted.
            plans = {slug: replace(one, exact=None, policy="") for slug, one in plans.items()}
        return RoundsByTheRules(tuple(plans.values()), json.dumps(setup_entry(table.setup)), chosen)

    def _strategy(
        self, table: Table, plans: Mapping[str, WagerPlan], strategy: str, progress: Progress
    ) -> AnswerBook | LearnedPlay | Constant | Coached:
        pricing = pricer(self.game)
        if not isinstance(pricing, AnyGame):
            return Coached(json.dumps(setup_entry(table.setup)))
        main = next((slug for slug in plans if self.rules.facts.wager(slug).required), next(iter(plans)))
        question = plans[main].question
        found = pricing.found(main, question.table, question.settings, progress)
        if isinstance(found, Exact):
            return AnswerBook(found.answers)  # few lines, and they are the best play: simple is best
        if strategy == "best" or found.constant is None:
            return found.strategy
        return Constant(found.constant)
