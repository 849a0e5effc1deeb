"""What is simulated of a wager: how it can end, and the exact figures to hold the simulated ones against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Protocol

import numpy as np

from cardroom.games import Table
from cardroom.games.chosen_tables import chosen_table
from cardroom.odds.answers import answer
from cardroom.odds.at_table import features_at, limit_left_out, settings_at
from cardroom.odds.pricer import Progress, Settings, silent
from cardroom.odds.question import Question
from cardroom.odds.result import Ending
from cardroom.odds.rounds.deals import Places
from cardroom.paytables import Loss, Paytable, words


class Placing(Protocol):
    """Whoever knows where the endings of a wager stand, by the events that cards meet."""

    def place(self, events: tuple[str, ...]) -> int: ...

    def places(self, kinds: Sequence[tuple[str, ...]]) -> Places: ...


@dataclass(frozen=True)
class WagerPlan:
    """One wager of the simulated seat."""

    question: Question
    endings: tuple[Ending, ...]
    """As priced, with no combinations: net and wagered in base units."""
    exact: tuple[Fraction, ...] | None
    """The probability of each ending; None when nobody knows it for the strategy that is played."""
    initial_wager: int = 1
    priced_rounds: int | None = None
    """How many rounds the figures in ``exact`` were simulated with, where they are no exact ones."""
    policy: str = ""
    """How the player decides, where that is not proved to be the best play."""

    @property
    def slug(self) -> str:
        """The wager's own."""
        return self.question.wager

    @property
    def paytable(self) -> str:
        """The name of its table."""
        return self.question.table.name

    def place(self, events: tuple[str, ...]) -> int:
        """The place of the ending that cards which meet these events come to; -1 when there is none, because no deal
        does. For wagers that the paytable alone decides."""
        line = self.question.table.first(events)
        wanted = (line.event, words(line.pay)) if line else ("other", words(Loss()))
        return next((at for at, one in enumerate(self.endings) if (one.event, one.pays) == wanted), -1)

    def places(self, kinds: Sequence[tuple[str, ...]]) -> Places:
        """``place`` for each kind of cards."""
        return np.array([self.place(events) for events in kinds], np.int16)


def plan(
    table: Table,
    slug: str,
    settings: Settings | None = None,
    meter_cents: int | None = None,
    progress: Progress = silent,
) -> WagerPlan:
    """How a wager of the table ends under the best play, with the exact probabilities; where those are not known, under
    a policy found by simulation, with simulated ones."""
    question = Question(
        game=table.facts.slug,
        wager=slug,
        table=_table_for_one_dollar(table, slug),
        settings=settings_at(table, slug) if settings is None else settings,
        meter=None if meter_cents is None else Fraction(meter_cents, table.offered[slug].limits.minimum),
        features=(*features_at(table, slug), *limit_left_out(table, slug)),
    )
    odds = answer(question, progress=progress)
    found = planned(question, odds.endings, odds.initial_wager, odds.simulated_rounds)
    return replace(found, policy=odds.policy)


def planned(
    question: Question, endings: tuple[Ending, ...], initial_wager: int = 1, priced_rounds: int | None = None
) -> WagerPlan:
    """A plan from counted endings."""
    total = sum(ending.combinations for ending in endings)
    return WagerPlan(
        question=question,
        endings=tuple(replace(ending, combinations=0) for ending in endings),
        exact=tuple(Fraction(ending.combinations, total) for ending in endings),
        initial_wager=initial_wager,
        priced_rounds=priced_rounds,
    )


def _table_for_one_dollar(table: Table, slug: str) -> Paytable:
    """The paytable of a wager; prizes that grow with the wager are those for one dollar, as figures are given."""
    offered = table.offered[slug]
    if offered.wager.jackpot and offered.wager.jackpot.scales:
        chosen = table.setup.wagers[slug]
        return chosen_table(table.facts, slug, chosen).with_bonuses(chosen.bonuses)
    return offered.paytable
