"""Learn Three Card Prime from nothing: play at random, record what each hand won, and choose what won more.

    python examples/learn_three_card_prime.py
    python examples/learn_three_card_prime.py --rounds 20000000 --seed 7 --chart learning.svg

The learner knows only what its seat sees. The expected value of the learned policy is counted exactly, over every hand
of the player and the dealer, and compared with the exact value of the best strategy.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games import default_setup, game
from cardroom.hands import THREE_CARD, evaluate_many
from cardroom.odds.three_card_prime.best_strategy import PlayPays, best_play_outcomes, play_outcomes
from cardroom.odds.three_card_prime.counts import three_card_hands
from cardroom_research import RoundVectorEnv

GAME = "three-card-prime"
ROWS = 8_192
FIRST_LOOK = 2_000
WIDTH = 40


class Look(NamedTuple):
    """The expected value of the policy learned so far, in antes per round."""

    rounds: int
    worth: float


def kinds_of_hands(cards: NDArray[np.int64]) -> NDArray[np.int64]:
    """A number for each kind of hand: its ranks, and whether it is of one suit."""
    ranks, suits = cards // 4, cards % 4
    of_one_suit = (suits[:, 0] == suits[:, 1]) & (suits[:, 1] == suits[:, 2])
    return ((ranks[:, 0] * 13 + ranks[:, 1]) * 13 + ranks[:, 2]) * 2 + of_one_suit


class Learner:
    """Records, for each kind of hand and each decision, how often it was made and what it won."""

    def __init__(self, answers: int) -> None:
        self.won = np.zeros((13**3 * 2, answers))
        self.times = np.zeros((13**3 * 2, answers))

    def remember(self, kinds: NDArray[np.int64], answers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        np.add.at(self.won, (kinds, answers), rewards)
        np.add.at(self.times, (kinds, answers), 1)

    def best(self, kinds: NDArray[np.int64]) -> NDArray[np.int64]:
        """The decision that has won most on average; the first one without data."""
        means = self.won / np.maximum(self.times, 1)
        found: NDArray[np.int64] = means[kinds].argmax(axis=1)
        return found


def learn(rounds: int, seed: int) -> list[Look]:
    """Play rounds at random, and evaluate the policy each time their number has doubled."""
    env = RoundVectorEnv(GAME, ROWS)
    play = env.actions.index("play")
    chance, learner, looks = np.random.default_rng(seed), Learner(len(env.actions)), list[Look]()
    seen, _ = env.reset(seed=seed)
    played, next_look = 0, FIRST_LOOK
    while played < rounds:
        asked = seen["question"] > 0
        kinds = kinds_of_hands(seen["cards"][:, :3].astype(np.int64))
        answers = chance.integers(len(env.actions), size=ROWS)
        seen, rewards, ended, _, _ = env.step(answers)
        learner.remember(kinds[ended & asked], answers[ended & asked], rewards[ended & asked])
        played += int(ended.sum())
        if played >= min(next_look, rounds):
            looks.append(Look(played, worth_of(learner, play)))
            next_look = 2 * played
    env.close()
    return looks


# Exact expected values


def pays() -> PlayPays:
    return PlayPays(game(GAME).open(default_setup(GAME)).offers["ante-play"].paytable)


def worth_of(learner: Learner, play: int) -> float:
    """The expected value of the learned policy over all hands of the player and the dealer."""
    hands = np.sort(three_card_hands(), axis=1)[:, ::-1].astype(np.int64)
    played = learner.best(kinds_of_hands(hands)) == play
    by_strength = dict(zip(evaluate_many(THREE_CARD, three_card_hands()).tolist(), played.tolist(), strict=True))
    endings = list(play_outcomes(pays(), lambda strength, _: by_strength[strength]))
    return float(sum(one.combinations * one.net for one in endings) / sum(one.combinations for one in endings))


def best_worth() -> float:
    endings = list(best_play_outcomes(pays()))
    return float(sum(one.combinations * one.net for one in endings) / sum(one.combinations for one in endings))


# Output


def curve(looks: list[Look], best: float) -> str:
    """A line for each evaluation, with a bar for the loss compared with the best strategy."""
    most = max(best - look.worth for look in looks) or 1.0
    lines = [f"{'rounds':>12}  {'learnt':>9}  {'short of the best':>17}"]
    for look in looks:
        short = best - look.worth
        bar = "#" * round(WIDTH * short / most)
        lines.append(f"{look.rounds:>12,}  {look.worth:>+9.5f}  {short:>17.5f}  {bar}".rstrip())
    return "\n".join([*lines, f"{'best play':>12}  {best:>+9.5f}  (exact)"])


def draw(looks: list[Look], best: float, file: Path) -> None:
    import altair as alt

    values = [{"rounds": one.rounds, "worth": one.worth} for one in looks]
    line = (
        alt.Chart(alt.Data(values=values))
        .mark_line(point=True)
        .encode(
            x=alt.X("rounds:Q", scale=alt.Scale(type="log"), title="rounds played, logarithmic scale"),
            y=alt.Y("worth:Q", title="worth of the play that was learnt, antes a round"),
        )
    )
    exact = alt.Chart(alt.Data(values=[{"best": best}])).mark_rule(strokeDash=[5, 3]).encode(y="best:Q")
    title = f"Three Card Prime learnt from nothing; dashed: the best play, {best:+.5f}"
    (line + exact).properties(title=title, width=560, height=300).save(str(file))


def main() -> None:
    reader = argparse.ArgumentParser(description="Learn Three Card Prime from nothing.")
    reader.add_argument("--rounds", type=int, default=4_000_000, help="rounds to play (default: 4000000)")
    reader.add_argument("--seed", type=int, default=1, help="of the cards and the answers (default: 1)")
    reader.add_argument("--chart", type=Path, help="draw the curve into this file, .svg or .png")
    asked = reader.parse_args()
    if asked.rounds < FIRST_LOOK:
        reader.error(f"{asked.rounds} rounds teach nothing: play {FIRST_LOOK} or more.")
    looks, best = learn(asked.rounds, asked.seed), best_worth()
    print(curve(looks, best))
    if asked.chart:
        draw(looks, best, asked.chart)
        print(f"Drawn: {asked.chart}")


if __name__ == "__main__":
    main()
