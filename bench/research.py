"""Research environments: decisions per second in a vector environment, steps per second of one round at a time, and
rounds per second with strategies in Python."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from time import process_time
from typing import Final

import numpy as np

from bench.measure import Figure, InTurns, Promise, count_to, in_turns
from bench.result_table import Sheet
from bench.simulation import draw_on_all_cores
from cardroom.games import Table, View, default_setup, game, game_slugs
from cardroom.odds.simulation.batch import Masks, Observations
from cardroom.odds.simulation.batch_deals import IntArray
from cardroom.odds.simulation.own_strategy import AnyStrategy, VectorStrategy, play_rounds
from cardroom_research import RoundEnv, RoundVectorEnv

SUBJECT: Final = "research"
CORES: Final = 2
ROWS: Final = 8_192
STEPS: Final = 40
SEED: Final = 2024
DRAWN: Final = 2**24
LONG_ENOUGH: Final = 2.0
MANY: Final = 2**20

MOST_DRAWS: Final = {
    "deuces-wild": 450.0,
    "three-card-prime": 350.0,
    "texas-shootout": 650.0,
    "dueling-for-dollars": 650.0,
    "three-card-double-play": 400.0,
}
"""The time limit of a decision, in draws of four random numbers. One duel in about a dozen has a decision."""
MOST_DRAWS_IN_BATCHES: Final = {
    "deuces-wild": 420.0,
    "three-card-prime": 800.0,
    "texas-shootout": 600.0,
    "dueling-for-dollars": 750.0,
    "three-card-double-play": 1000.0,
}
"""The same for a round with every wager of the table, decided in a batch."""
ROUND_STEPS: Final = 5_000
COUNTED_FOR_A_STEP: Final = 7_000
"""The time limit for a step of one round at a time, as a count of a plain Python loop: 0.1 milliseconds of an idle
core, or 10,000 steps a second."""
NOTE: Final = (
    f"{ROWS:,} rows, main wager, the first allowed action; observations, masks and the next rounds included. Duels "
    "without a decision are skipped."
)
ROUND_NOTE: Final = (
    "Main wager, random actions; the deal of the next round, observations, and the settlement included. Every round "
    "has a step, with or without a decision."
)
STRATEGY_NOTE: Final = (
    f"{MANY:,} rounds with every wager, the first allowed decision. One by one, the strategy is called once for each "
    "situation. In 3 Card Double Play almost all situations differ: there a sixteenth of the rounds is played."
)


def sheets() -> list[Sheet]:
    return [
        Sheet("Decisions in a vector environment, two cores", tuple(map(_decisions, game_slugs())), NOTE),
        Sheet("Steps of one round at a time, one core", tuple(map(_steps, game_slugs())), ROUND_NOTE),
        Sheet("Rounds with a strategy in Python, two cores", tuple(_strategies()), STRATEGY_NOTE),
    ]


def _decisions(slug: str) -> Figure:
    envs = RoundVectorEnv(slug, ROWS, asked_only=True, workers=CORES)
    _, info = envs.reset(seed=SEED)
    decision_count = 0

    def steps() -> None:
        nonlocal info, decision_count
        decision_count = 0
        for _ in range(STEPS):
            seen, _, _, _, info = envs.step(info["action_mask"].argmax(axis=1))
            decision_count += int((seen["question"] > 0).sum())

    timed = _beside_draws(steps)
    envs.close()
    promise = _promise(timed, decision_count, MOST_DRAWS[slug])
    return Figure(game(slug).facts.name, decision_count / timed.seconds, "decisions/s", promise)


def _steps(slug: str) -> Figure:
    env = RoundEnv(slug)
    actions = np.random.default_rng(SEED).random(ROUND_STEPS).tolist()

    def steps() -> None:
        _, info = env.reset(seed=SEED)
        for action in actions:
            _, _, over, _, info = env.step(int(action * max(1, len(info["options"]))))
            if over:
                _, info = env.reset()

    timed = in_turns(steps, lambda: count_to(ROUND_STEPS * COUNTED_FOR_A_STEP), LONG_ENOUGH, process_time)
    promise = Promise(f"counting to {COUNTED_FOR_A_STEP:,} in Python", timed.yardsticks, 1.0, at_least=False)
    return Figure(game(slug).facts.name, ROUND_STEPS / timed.seconds, "steps/s", promise)


def _beside_draws(work: Callable[[], object]) -> InTurns:
    return in_turns(work, lambda: draw_on_all_cores(DRAWN), LONG_ENOUGH, process_time)


def _promise(timed: InTurns, times: int, most: float) -> Promise:
    return Promise("drawing four numbers", timed.yardsticks * DRAWN / times, most, at_least=False)


def _strategies() -> list[Figure]:
    figures = []
    for slug in game_slugs():
        name, table = game(slug).facts.name, _table(slug)
        rounds = MANY // 16 if slug == "three-card-double-play" else MANY
        many = _beside_draws(_play(table, VectorStrategy(first_of_many), MANY))
        promise = _promise(many, MANY, MOST_DRAWS_IN_BATCHES[slug])
        one = _beside_draws(_play(table, first_of_all, rounds))
        figures += [
            Figure(f"{name}, in batches", MANY / many.seconds, "rounds/s", promise),
            Figure(f"{name}, one by one", rounds / one.seconds, "rounds/s"),
        ]
    return figures


@cache
def _table(slug: str) -> Table:
    return game(slug).open(default_setup(slug))


def _play(table: Table, strategy: AnyStrategy, rounds: int) -> Callable[[], object]:
    return lambda: play_rounds(table, strategy, rounds, SEED, workers=CORES)


def first_of_all(seen: View) -> str:
    return str(seen.turn.options[0])  # type: ignore[union-attr]


def first_of_many(_: Observations, masks: Masks) -> IntArray:
    actions: IntArray = masks.argmax(axis=1)
    return actions
