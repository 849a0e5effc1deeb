"""The strategy that the documentation shows plays well."""

import re
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any

from cardroom.cards import card_from_code
from cardroom.games import Pile, Place
from cardroom.hands import THREE_CARD, evaluate_many
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.own_strategy import load_strategy, play_rounds
from cardroom.odds.three_card_prime.best_strategy import PlayPays, best_play_outcomes, play_outcomes
from cardroom.odds.three_card_prime.counts import three_card_hands
from tests.odds.simulation.at_the_table import open_table

DOCUMENT = Path(__file__).parents[3] / "docs" / "simulation.md"
PRIME = open_table("three-card-prime")


def shown() -> str:
    match = re.search(r"    # queen_high.py\n(.*?)\n    cardroom simulate", DOCUMENT.read_text("utf-8"), re.DOTALL)
    assert match
    return dedent(match[1])


def worth(endings: list[WagerOutcome]) -> Fraction:
    return sum(outcome.combinations * outcome.net for outcome in endings) / Fraction(
        sum(outcome.combinations for outcome in endings)
    )


def exact_worth(decide: Callable[[Any], str]) -> Fraction:
    """The return of a strategy that depends on the three cards, over all hands of the player and the dealer."""
    played = {}
    for codes, strength in zip(
        three_card_hands().tolist(), evaluate_many(THREE_CARD, three_card_hands()).tolist(), strict=True
    ):
        hand = tuple(card_from_code(code) for code in codes)
        answer = decide(SimpleNamespace(viewer=1, piles={Place(Pile.HAND, 1): hand}))
        assert played.setdefault(strength, answer) == answer, "hands of one strength have the same decision"
    pays = PlayPays(PRIME.offers["ante-play"].paytable)
    return worth(list(play_outcomes(pays, lambda strength, _: played[strength] == "play")))


def test_the_strategy_of_the_docs_costs_less_than_a_thousandth_against_the_best_play() -> None:
    names: dict[str, Any] = {}
    exec(shown(), names)
    best = worth(list(best_play_outcomes(PlayPays(PRIME.offers["ante-play"].paytable))))
    assert 0 <= best - exact_worth(names["decide"]) < Fraction(1, 1000)


def test_the_file_of_the_docs_can_be_played_as_it_stands(tmp_path: Path) -> None:
    file = tmp_path / "queen_high.py"
    file.write_text(shown(), "utf-8")
    tally = play_rounds(PRIME, load_strategy(file), 3_000, seed=1)
    ante = tally.wager("ante-play")
    assert abs(float(ante.mean) + 0.029) < 4 * ante.standard_error


def test_the_docs_show_the_same_lines_as_a_file_and_in_python() -> None:
    text = DOCUMENT.read_text("utf-8")
    body = [line for line in shown().splitlines() if line.startswith("    ") and '"""' not in line]
    assert len(body) == 5
    assert all(f"... {line}" in text for line in body)
