"""A Monte Carlo policy and its figures, for games whose best strategy takes too long to find.

Training plays many rounds with random decisions and keeps, for each kind of hand, the decision that did best. The
face-up cards define the kind of hand: all ranks, or only the highest with the number of equal ranks, and how many cards
share a suit. Training starts without knowledge of the game, so this is not the best strategy, and its figures say so.

Several processes play the rounds that price the policy, in blocks. The cards of a block depend on the seed and the
block's number alone, and only counts are stored, so the figures are the same for any number of processes.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field, replace
from fractions import Fraction
from math import sqrt
from multiprocessing import current_process, get_context
from typing import Final, NamedTuple, TypeAlias

from cardroom.cards import Card
from cardroom.games import Decision, Game, SeatTurn, View
from cardroom.odds.generic.pricing_table import (
    PricingTable,
    SettledWager,
    add_unhit_prizes,
    build_pricing_table,
    group_outcomes,
    settle_wager,
)
from cardroom.odds.generic.search import utility
from cardroom.odds.pricer import Progress, Settings, ignore_progress
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.rules_engine import RoundRandom, Strategy, play_round, shuffle_shoe
from cardroom.paytables import Paytable

MIN_TRIALS: Final = 50
"""Tries of each decision from which a kind of hand is judged by itself and not as part of a coarser kind."""

HandClass: TypeAlias = tuple[object, ...]


class Trial(NamedTuple):
    """A decision for a kind of hand."""

    hand_class: HandClass
    decision_class: HandClass


def hand_classes(view: View) -> tuple[HandClass, ...]:
    """The kinds of hand that a seat sees, from fine to coarse: all ranks, the highest rank with the number of equal
    ranks, and the question alone."""
    assert isinstance(view.turn, SeatTurn)
    open_piles = {place: [card for card in pile if card] for place, pile in view.piles.items() if any(pile)}
    ranks = {place: sorted(map(_rank, pile)) for place, pile in open_piles.items()}
    suits = {place: _most_of_one_suit(pile) for place, pile in open_piles.items()}
    fine = tuple((place, tuple(ranks[place]), suits[place]) for place in open_piles)
    coarse = tuple((place, *_shape(ranks[place]), suits[place]) for place in open_piles)
    return ("ranks", view.turn.question, *fine), ("highest", view.turn.question, *coarse), (view.turn.question,)


def _shape(ranks: list[int]) -> tuple[int, tuple[int, ...], bool]:
    """The highest card, the numbers of equal ranks (two and one for a pair and another card), and whether the cards are
    in sequence."""
    multiplicities = tuple(sorted(Counter(ranks).values(), reverse=True))
    return ranks[-1], multiplicities, len(multiplicities) == len(ranks) and ranks[-1] - ranks[0] == len(ranks) - 1


def _rank(card: Card) -> int:
    return 0 if card.is_joker else int(card.rank)


def _most_of_one_suit(pile: list[Card]) -> int:
    suits = Counter(card.suit for card in pile if not card.is_joker)
    return max(suits.values(), default=0)


def decision_class(decision: Decision) -> HandClass:
    """A decision by the ranks of the cards that it names."""
    return (decision.verb, *(tuple(sorted(map(_rank, group))) for group in decision.groups))


@dataclass
class Experience:
    """The results of a decision."""

    trials: Counter[Trial] = field(default_factory=Counter)
    winnings: Counter[Trial] = field(default_factory=Counter)
    """In cents."""

    def record(self, hand_class: HandClass, decision: Decision, cents: int) -> None:
        for action_class in {decision_class(decision), (decision.verb,)}:
            self.trials[Trial(hand_class, action_class)] += 1
            self.winnings[Trial(hand_class, action_class)] += cents

    def add(self, other: Experience) -> None:
        self.trials.update(other.trials)
        self.winnings.update(other.winnings)


@dataclass(frozen=True)
class MonteCarloPolicy:
    """The decisions with the best results in training."""

    experience: Experience

    def __call__(self, view: View) -> Decision:
        assert isinstance(view.turn, SeatTurn)
        options = view.turn.options
        for hand_class in hand_classes(view):
            for action_classes in (
                {option: decision_class(option) for option in options},
                {option: (option.verb,) for option in options},
            ):
                trials = {option: Trial(hand_class, action_class) for option, action_class in action_classes.items()}
                if all(self.experience.trials[option] >= MIN_TRIALS for option in trials.values()):
                    return max(options, key=lambda option: self._mean(trials[option]))
        return options[0]

    def _mean(self, trial: Trial) -> float:
        return self.experience.winnings[trial] / self.experience.trials[trial]


TRAINING_ROUNDS: Final = 20_000
"""Rounds of training."""
PRICING_ROUNDS: Final = 40_000
"""Rounds that price the learned policy."""
BLOCK_ROUNDS: Final = 1_000
INLINE_BLOCKS: Final = 2
_TRAINING_SEED, _PRICING_SEED = 1, 2


@dataclass(frozen=True)
class SimulationJob:
    """What a block of rounds needs; small enough to send to another process."""

    rules: Game
    wager: str
    paytable: Paytable
    settings: Settings
    strategy: MonteCarloPolicy | ConstantPolicy | None = None
    """None for random decisions."""


@dataclass(frozen=True)
class ConstantPolicy:
    """Always the same kind of decision; if it is not allowed, the first that is."""

    verb: str

    def __call__(self, view: View) -> Decision:
        assert isinstance(view.turn, SeatTurn)
        return next((option for option in view.turn.options if option.verb == self.verb), view.turn.options[0])


@dataclass
class RoundCounts:
    """The results of some rounds."""

    results: Counter[SettledWager] = field(default_factory=Counter)
    experience: Experience = field(default_factory=Experience)

    def add(self, other: RoundCounts) -> None:
        self.results.update(other.results)
        self.experience.add(other.experience)


def play_block(job: SimulationJob, seed: int, block: int, rounds: int) -> RoundCounts:
    """Play the rounds of one block."""
    pricing_table = build_pricing_table(job.rules, job.wager, job.paytable, job.settings)
    counts = RoundCounts()
    for round_number in range(block * BLOCK_ROUNDS, block * BLOCK_ROUNDS + rounds):
        numbers = RoundRandom(seed, round_number)
        shoe = shuffle_shoe(pricing_table.table, numbers)
        seat = _RecordingPolicy(job.strategy or _RandomPolicy(numbers), records=job.strategy is None)
        settled = settle_wager(
            pricing_table, play_round(pricing_table.rules, pricing_table.table, pricing_table.bets, shoe, seat)
        )
        counts.results[settled] += 1
        for hand_class, decision in seat.decisions:
            counts.experience.record(hand_class, decision, int(utility(pricing_table, settled)[0]))
    return counts


class _RandomPolicy:
    def __init__(self, numbers: RoundRandom) -> None:
        self._numbers = numbers

    def __call__(self, view: View) -> Decision:
        assert isinstance(view.turn, SeatTurn)
        return view.turn.options[self._numbers.below(len(view.turn.options))]


class _RecordingPolicy:
    """Plays a policy and records its decisions."""

    def __init__(self, strategy: Strategy, records: bool) -> None:
        self._strategy, self._records = strategy, records
        self.decisions: list[tuple[HandClass, Decision]] = []

    def __call__(self, view: View) -> Decision | str:
        decision = self._strategy(view)
        if self._records and isinstance(decision, Decision):
            self.decisions += [(hand_class, decision) for hand_class in hand_classes(view)]
        return decision


def play_blocks(
    job: SimulationJob, seed: int, rounds: int, processes: int | None = None, progress: Progress = ignore_progress
) -> RoundCounts:
    """Play all blocks with one process per core. A server's worker cannot start processes and plays the blocks itself.
    So does a caller with few blocks, because starting processes would take longer."""
    counts, done_rounds = RoundCounts(), 0
    if current_process().daemon or (processes is None and rounds <= INLINE_BLOCKS * BLOCK_ROUNDS):
        processes = 1
    for block, size in enumerate(_sizes(rounds)) if processes == 1 else ():
        counts.add(play_block(job, seed, block, size))
        progress(_PROGRESS_TEXT, (done_rounds := done_rounds + size) / rounds)
    if processes == 1:
        return counts
    worker_count = processes or os.cpu_count() or 1
    # Spawned, not forked: a process that is forked while kernels run on threads may wait for them without end.
    with ProcessPoolExecutor(worker_count, mp_context=get_context("spawn")) as pool:
        pending = [pool.submit(play_block, job, seed, block, size) for block, size in enumerate(_sizes(rounds))]
        for future in pending:
            block_counts = future.result()
            counts.add(block_counts)
            progress(_PROGRESS_TEXT, (done_rounds := done_rounds + sum(block_counts.results.values())) / rounds)
    return counts


_PROGRESS_TEXT: Final = "rounds by the rules"


def _sizes(rounds: int) -> Iterator[int]:
    for start in range(0, rounds, BLOCK_ROUNDS):
        yield min(BLOCK_ROUNDS, rounds - start)


class SimulatedPrice(NamedTuple):
    """The policy and its figures."""

    outcomes: tuple[WagerOutcome, ...]
    rounds: int
    seed: int
    training_rounds: int
    """Rounds of training."""
    has_decisions: bool
    """Whether the player had any decision."""
    best_constant: str | None
    """The decision that does best if the player always makes it."""
    strategy: MonteCarloPolicy

    @property
    def expected_return(self) -> Fraction:
        return sum((outcome.combinations * outcome.net for outcome in self.outcomes), Fraction(0)) / self.rounds

    @property
    def standard_error(self) -> float:
        squares = sum((outcome.combinations * outcome.net**2 for outcome in self.outcomes), Fraction(0)) / self.rounds
        return sqrt((squares - self.expected_return**2) / self.rounds)


def price_by_simulation(
    pricing_table: PricingTable,
    job: SimulationJob,
    progress: Progress = ignore_progress,
    processes: int | None = None,
    training_rounds: int = TRAINING_ROUNDS,
    rounds: int = PRICING_ROUNDS,
) -> SimulatedPrice:
    """Train a policy, then price it."""
    training = play_blocks(job, _TRAINING_SEED, training_rounds, processes, progress)
    policy = MonteCarloPolicy(training.experience)
    counts = play_blocks(replace(job, strategy=policy), _PRICING_SEED, rounds, processes, progress)
    return SimulatedPrice(
        outcomes=add_unhit_prizes(pricing_table, group_outcomes(pricing_table, counts.results)),
        rounds=rounds,
        seed=_PRICING_SEED,
        training_rounds=training_rounds,
        has_decisions=bool(training.experience.trials),
        best_constant=_best_constant(training),
        strategy=policy,
    )


def _best_constant(training: RoundCounts) -> str | None:
    """The best constant decision over all hands, by the results of training."""
    trials, winnings = training.experience.trials, training.experience.winnings
    constants = [trial for trial in trials if len(trial.hand_class) == 1 and len(trial.decision_class) == 1]
    if not constants:
        return None
    return str(max(constants, key=lambda trial: winnings[trial] / trials[trial]).decision_class[0])
