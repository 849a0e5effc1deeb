"""The example that learns Three Card Prime without prior knowledge."""

import runpy
from pathlib import Path

from cardroom.games import default_setup, game
from cardroom.odds.simulation.wager_plan import plan_wager

EXAMPLE = Path(__file__).parents[2] / "examples" / "learn_three_card_prime.py"


def test_the_learned_policy_is_close_to_the_best_strategy(tmp_path: Path) -> None:
    example = runpy.run_path(str(EXAMPLE))
    looks, best = example["learn"](150_000, seed=3), example["best_worth"]()
    table = game("three-card-prime").open(default_setup("three-card-prime"))
    priced = plan_wager(table, "ante-play")
    assert priced.probabilities is not None
    exact = sum(share * one.net for share, one in zip(priced.probabilities, priced.outcomes, strict=True))
    assert abs(best - float(exact)) < 1e-12
    assert all(look.worth <= best for look in looks), "no policy is better than the best strategy"
    assert best - looks[0].worth > 0.03
    assert best - looks[-1].worth < 0.012
    shown = example["curve"](looks, best).splitlines()
    assert len(shown) == len(looks) + 2
    assert shown[-1].split()[:3] == ["best", "play", f"{best:+.5f}"]
    example["draw"](looks, best, tmp_path / "curve.svg")
    assert "<svg" in (tmp_path / "curve.svg").read_text("utf-8")
