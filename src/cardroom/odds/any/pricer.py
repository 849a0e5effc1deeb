"""The odds of any game, from its rules alone: exact where all situations can be walked, else simulated."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import hypot

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games import Decision, Game, Table, View
from cardroom.odds.any import coach
from cardroom.odds.any.asked import with_hand
from cardroom.odds.any.ending import end_of, endings
from cardroom.odds.any.exact import BUDGET, Exact, exact, worth
from cardroom.odds.any.layout import Layout, layout, usual_table
from cardroom.odds.any.search import Search, TooLarge
from cardroom.odds.any.simulated import LESSONS, ROUNDS, Constant, Job, Simulated, play, simulated
from cardroom.odds.any.words import in_few_lines
from cardroom.odds.pricer import Advice, Priced, Pricer, Progress, Rule, Settings, SimpleStrategy, silent
from cardroom.odds.result import FOUND_BY_SIMULATION, Setting
from cardroom.paytables import Paytable

_UNDER_THE_MAIN_PLAY = "Played so that {} is worth the most; between equal answers the better one for this wager."
_LEARNED = (
    "Under a policy found by simulation from {:,} rounds of answers at random; it is not proved best: the game has "
    "more than {:,} situations."
)


class AnyGame(Pricer):
    """The odds of a game that brings nothing but its rules."""

    def __init__(self, rules: Game, budget: int = BUDGET, lessons: int = LESSONS, rounds: int = ROUNDS) -> None:
        """``budget`` situations are walked at most; else ``lessons`` rounds find a policy and ``rounds`` price it."""
        self.rules, self.budget, self._lessons, self._rounds = rules, budget, lessons, rounds
        self._found: dict[tuple[object, ...], Exact | Simulated] = {}

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
            if self._matters(wager, option.name, option.values):
                choices[option.name] = option.values
        return tuple(dict(zip(choices, values, strict=True)) for values in product(*choices.values()))

    def _matters(self, wager: str, name: str, values: tuple[Setting, ...]) -> bool:
        """Tried on the usual table; where only a simulation could tell, an option counts."""
        table = usual_table(self.rules.facts, wager)
        try:
            found = {
                exact(layout(self.rules, wager, table, {name: value}), budget=self.budget).endings for value in values
            }
        except TooLarge:
            return True
        return len(found) > 1

    # Figures

    def price(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Priced:
        found = self.found(wager, table, settings, progress)
        main = [one.name for one in self.rules.facts.wagers if one.required]
        notes = []
        if not self.rules.facts.wager(wager).required and main and self._asks(found):
            notes.append(_UNDER_THE_MAIN_PLAY.format(" and ".join(main)))
        if isinstance(found, Exact):
            return Priced(found.endings, self.rules.facts.wager(wager).stakes, notes=tuple(notes))
        if found.asked:
            notes.append(_LEARNED.format(found.lessons, self.budget))
        stakes = self.rules.facts.wager(wager).stakes
        policy = FOUND_BY_SIMULATION if found.asked else ""
        return Priced(found.endings, stakes, simulated_rounds=found.rounds, notes=tuple(notes), policy=policy)

    def found(self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent) -> Exact | Simulated:
        """The figures with the play that they rest on; searched for once."""
        key = wager, table, tuple(sorted(settings.items()))
        if key not in self._found:
            where = layout(self.rules, wager, table, settings)
            try:
                self._found[key] = exact(where, progress, self.budget)
            except TooLarge:
                job = Job(self.rules, wager, table, dict(settings))
                self._found[key] = simulated(where, job, progress, lessons=self._lessons, rounds=self._rounds)
        return self._found[key]

    def _asks(self, found: Exact | Simulated) -> bool:
        return bool(found.answers) if isinstance(found, Exact) else found.asked

    # How to play

    def hand_values(
        self, wager: str, table: Paytable, settings: Settings, hand: tuple[Card, ...]
    ) -> tuple[tuple[Decision, Fraction], ...]:
        where = self._decided_here(wager, table, settings)
        search = Search(where.table.deck, lambda r: end_of(where, r), lambda end: worth(where, end), self.budget)
        try:
            values = search.values(with_hand(where, hand))
        except TooLarge:
            raise BadInput(
                f"What can follow these cards are more than {self.budget:,} situations: ask the coach at a table."
            ) from None
        return tuple(
            sorted(
                ((decision, value[0] / where.unit) for decision, value in values.items()),
                key=lambda pair: pair[1],
                reverse=True,
            )
        )

    def simple_strategy(
        self, wager: str, table: Paytable, settings: Settings, progress: Progress = silent
    ) -> SimpleStrategy:
        where = self._decided_here(wager, table, settings)
        found = self.found(wager, table, settings, progress)
        if not self._asks(found):
            raise BadInput(f"The {wager} wager asks the player nothing once it is made.")
        if isinstance(found, Exact):
            return SimpleStrategy(in_few_lines(found.answers), found.expected_return, found.expected_return)
        return self._one_answer(where, settings, found, progress)

    def _one_answer(self, where: Layout, settings: Settings, found: Simulated, progress: Progress) -> SimpleStrategy:
        """The same answer to everything, held against the play that was learned, over the same rounds."""
        job = Job(self.rules, where.wager.slug, where.paytable, dict(settings), Constant(str(found.constant)))
        rounds = play(job, found.seed, found.rounds, progress=progress)
        always = found._replace(endings=endings(where, rounds.ends))
        return SimpleStrategy(
            (Rule(f"always {found.constant}"),),
            always.expected_return,
            found.expected_return,
            simulated_rounds=found.rounds,
            # As if the two had been dealt different cards; with the same cards it is smaller.
            standard_error=hypot(always.standard_error, found.standard_error),
            policy=FOUND_BY_SIMULATION,
        )

    def _decided_here(self, wager: str, table: Paytable, settings: Settings) -> Layout:
        main = [one.slug for one in self.rules.facts.wagers if one.required]
        if main and wager not in main:
            raise BadInput(f"The {wager} wager asks the player nothing once it is made: ask about {main[0]}.")
        return layout(self.rules, wager, table, settings)

    def advise(self, table: Table, seen: View, seat: int, meters: Mapping[str, int]) -> tuple[Advice, ...]:
        return coach.advise(self.rules, table, seen, seat, meters)
