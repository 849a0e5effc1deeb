"""Rounds played through the rules with any strategy, a user's file among them."""

from fractions import Fraction
from pathlib import Path

import pytest

from cardroom.faults import BadInput
from cardroom.games import Decision, Verb, View, game, game_slugs
from cardroom.odds import advise
from cardroom.odds.rounds.by_the_rules import (
    BadStrategy,
    Strategy,
    bets_together,
    load_strategy,
    play_rounds,
)
from cardroom.odds.rounds.watch import Watch
from tests.odds.rounds.at_the_table import open_table

PRIME = open_table("three-card-prime")
DUELS = open_table("dueling-for-dollars")


def saved(folder: Path, text: str) -> Path:
    file = folder / "strategy.py"
    file.write_text(text)
    return file


def always(verb: Verb) -> Strategy:
    return lambda _: Decision(verb)


def test_a_strategy_from_a_file_of_ones_own_is_played(tmp_path: Path) -> None:
    file = saved(
        tmp_path,
        "from cardroom.games import Decision, Verb\n"
        "def decide(view):\n"
        "    assert [str(one) for one in view.turn.options] == ['fold', 'play']\n"
        "    return Decision(Verb.FOLD)\n",
    )
    tally = play_rounds(PRIME, load_strategy(file), 50, seed=1)
    ante = tally.wager("ante-play")
    assert ante.mean == -1
    assert [(line.ending.event, line.count) for line in ante.lines if line.count] == [("fold", 50)]


def test_an_answer_may_be_text(tmp_path: Path) -> None:
    file = saved(tmp_path, "def decide(view):\n    return 'surrender'\n")
    tally = play_rounds(DUELS, load_strategy(file), 400, seed=2)
    duel = {line.ending.event: line.count for line in tally.wager("duel").lines}
    assert duel["surrender"] > 10
    assert duel["war-win"] == duel["war-loss"] == 0
    assert tally.rounds == sum(duel.values()) == 400


def test_the_strategy_sees_its_own_cards_and_not_the_dealers() -> None:
    seen: list[View] = []

    def decide(view: View) -> Decision:
        seen.append(view)
        return Decision(Verb.PLAY)

    play_rounds(PRIME, decide, 3, seed=1)
    cards = {str(place): pile for place, pile in seen[0].piles.items()}
    assert None not in cards["seat 1 hand"]
    assert set(cards["dealer"]) == set(cards["seat 1 fourth"]) == {None}


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("def decide(view:\n", "cannot be loaded: SyntaxError"),
        ("import no_such_module\n", "cannot be loaded: ModuleNotFoundError: No module named 'no_such_module'"),
        ("decide = 3\n", r"has no function decide\(view\): write one"),
        ("", r"has no function decide\(view\): write one"),
    ],
)
def test_a_file_that_is_no_strategy_is_refused(tmp_path: Path, text: str, sentence: str) -> None:
    with pytest.raises(BadStrategy, match=sentence):
        load_strategy(saved(tmp_path, text))


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"There is no file .*nothing\.py: give a Python file"):
        load_strategy(tmp_path / "nothing.py")


@pytest.mark.parametrize("answer", ["war", "dance", None, Decision(Verb.SURRENDER)])
def test_an_answer_that_is_not_allowed_is_refused(answer: object) -> None:
    with pytest.raises(BadStrategy, match="when asked 'play': it can answer fold or play"):
        play_rounds(PRIME, lambda _: answer, 1, seed=1)  # type: ignore[arg-type,return-value]


def test_a_strategy_that_fails_is_told_so() -> None:
    def decide(view: View) -> Decision:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(BadStrategy, match="The strategy failed when asked 'play': ZeroDivisionError: division"):
        play_rounds(PRIME, decide, 1, seed=1)


@pytest.mark.parametrize("rounds", [0, -5])
def test_a_number_of_rounds_that_cannot_be_played_is_refused(rounds: int) -> None:
    with pytest.raises(BadInput, match=f"{rounds} rounds cannot be played"):
        play_rounds(PRIME, always(Verb.PLAY), rounds, seed=1)


@pytest.mark.parametrize("slug", game_slugs())
def test_every_spot_gets_a_wager_within_the_limits(slug: str) -> None:
    table = open_table(slug)
    groups = bets_together(table)
    assert {table.spots[spot].wager.slug for bets in groups for spot in bets} == set(table.offered)
    for bets in groups:
        game(slug).begin(table, {1: bets})


def test_the_best_play_comes_out_as_its_price_says() -> None:
    tally = play_rounds(PRIME, lambda seen: advise(PRIME, seen)[0].decision, 600, seed=4)
    for wager in tally.wagers:
        assert sum(wager.counts) == 600
        assert wager.exact_mean is None
    ante = tally.wager("ante-play")
    assert abs(float(ante.mean) + 0.029) < 4 * ante.standard_error
    assert {ending.wagered for ending in ante.plan.endings} == {Fraction(1), Fraction(2)}


def test_the_same_seed_gives_the_same_rounds() -> None:
    counts = [play_rounds(DUELS, always(Verb.WAR), 200, seed).counts.tolist() for seed in (7, 7, 8)]
    assert counts[0] == counts[1] != counts[2]


def test_stopped_early_it_tells_what_was_played() -> None:
    done: list[int] = []
    tally = play_rounds(
        DUELS, always(Verb.WAR), 1000, 1, watch=Watch(lambda so_far, _: done.append(so_far), lambda: len(done) == 30)
    )
    assert tally.rounds == 30
    assert sum(tally.wager("combo").counts) == 30
