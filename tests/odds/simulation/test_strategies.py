"""Rounds played with a strategy in Python, also from a user's file: fast, and with the same results as by the rules."""

from collections import Counter
from fractions import Fraction
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from cardroom.errors import BadInput
from cardroom.games import Decision, SeatTurn, Table, Verb, View, game, game_slugs
from cardroom.odds import advise
from cardroom.odds.simulation.batch import Masks, Observations, RoundBatch, batch_class
from cardroom.odds.simulation.own_strategy import BLOCK_ROUNDS, VectorStrategy, load_strategy, play_rounds
from cardroom.odds.simulation.policy_adapters import (
    CHECKED_SITUATIONS,
    BatchStrategy,
    CachedAdapter,
    LiveRounds,
    SequentialRounds,
)
from cardroom.odds.simulation.rules_engine import BadStrategy, Strategy, group_bets
from cardroom.odds.simulation.runner import ProgressMonitor
from cardroom.odds.simulation.tally import SimulationTally
from cardroom.odds.texas_shootout.simulator import ShootoutBatch
from tests.odds.simulation.at_the_table import open_table

PRIME = open_table("three-card-prime")
DUELS = open_table("dueling-for-dollars")


def saved(folder: Path, text: str) -> Path:
    file = folder / "strategy.py"
    file.write_text(text)
    return file


def always(verb: Verb) -> Strategy:
    return lambda _: Decision(verb)


def test_a_strategy_from_a_users_file_is_played(tmp_path: Path) -> None:
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
    assert [(line.outcome.trigger, line.count) for line in ante.lines if line.count] == [("fold", 50)]


def test_a_decision_may_be_text(tmp_path: Path) -> None:
    file = saved(tmp_path, "def decide(view):\n    return 'surrender'\n")
    tally = play_rounds(DUELS, load_strategy(file), 400, seed=2)
    duel = {line.outcome.trigger: line.count for line in tally.wager("duel").lines}
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
    ("text", "detail"),
    [
        ("def decide(view:\n", "SyntaxError"),
        ("import no_such_module\n", "no_such_module"),
        ("decide = 3\n", r"decide\(view\)"),
        ("", r"decide\(view\)"),
    ],
)
def test_a_file_without_a_strategy_is_refused(tmp_path: Path, text: str, detail: str) -> None:
    with pytest.raises(BadStrategy, match=detail):
        load_strategy(saved(tmp_path, text))


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"nothing\.py"):
        load_strategy(tmp_path / "nothing.py")


@pytest.mark.parametrize("decision", ["war", "dance", None, Decision(Verb.SURRENDER)])
def test_a_decision_that_is_not_allowed_is_refused(decision: object) -> None:
    with pytest.raises(BadStrategy, match="fold or play"):
        play_rounds(PRIME, lambda _: decision, 1, seed=1)  # type: ignore[arg-type,return-value]


def test_the_error_of_a_strategy_is_reported() -> None:
    def decide(view: View) -> Decision:
        raise ZeroDivisionError("division by zero")

    with pytest.raises(BadStrategy, match="'play': ZeroDivisionError: division"):
        play_rounds(PRIME, decide, 1, seed=1)


@pytest.mark.parametrize("rounds", [0, -5])
def test_a_number_of_rounds_that_cannot_be_played_is_refused(rounds: int) -> None:
    with pytest.raises(BadInput, match=f"{rounds}"):
        play_rounds(PRIME, always(Verb.PLAY), rounds, seed=1)


@pytest.mark.parametrize("slug", game_slugs())
def test_every_spot_gets_a_wager_within_the_limits(slug: str) -> None:
    table = open_table(slug)
    groups = group_bets(table)
    assert {table.spots[spot].wager.slug for bets in groups for spot in bets} == set(table.offers)
    for bets in groups:
        game(slug).begin(table, {1: bets})


def test_the_best_play_comes_out_as_its_price_says() -> None:
    tally = play_rounds(PRIME, lambda seen: advise(PRIME, seen)[0].decision, 600, seed=4)
    for wager in tally.wagers:
        assert sum(wager.counts) == 600
        assert wager.exact_mean is None
    ante = tally.wager("ante-play")
    assert abs(float(ante.mean) + 0.029) < 4 * ante.standard_error
    assert {outcome.wagered for outcome in ante.plan.outcomes} == {Fraction(1), Fraction(2)}


def test_the_same_seed_gives_the_same_rounds() -> None:
    counts = [play_rounds(DUELS, always(Verb.WAR), 200, seed).counts.tolist() for seed in (7, 7, 8)]
    assert counts[0] == counts[1] != counts[2]


def test_a_stopped_run_reports_what_was_played() -> None:
    done: list[int] = []
    stop = ProgressMonitor(lambda so_far, _: done.append(so_far), lambda: len(done) == 2)
    tally = play_rounds(DUELS, always(Verb.WAR), 5 * BLOCK_ROUNDS, 1, monitor=stop)
    assert tally.rounds == sum(tally.wager("combo").counts) == 2 * BLOCK_ROUNDS == done[-1]


# A strategy of each sort for every game. It depends on suits and on the order of the options, to detect differences.


def by_the_cards(seen: View) -> Decision:
    """Decides by the visible cards and by its earlier decisions."""
    assert isinstance(seen.turn, SeatTurn)
    codes = sum(card.code * 7 for pile in seen.piles.values() for card in pile if card is not None)
    said = sum(map(len, map(str, seen.decisions.values())))
    answers = (*seen.turn.options, *seen.turn.unlisted_options)
    return answers[(codes + said) % len(answers)]


def by_the_numbers(seen: Observations, masks: Masks) -> np.ndarray:
    """A similar strategy for many rounds at once."""
    codes = np.where(seen["cards"] < 0, 0, seen["cards"]).astype(np.int64).sum(axis=1) + seen["question"]
    turn = codes % masks.sum(axis=1)
    return (masks.cumsum(axis=1) == 1 + turn[:, None]).argmax(axis=1)


def counted(tally: SimulationTally) -> dict[str, Counter[tuple[Fraction, Fraction]]]:
    """The counts of each wager's nets. Two hands of a split with the same results in another order count as one outcome
    each, if the rules name both."""
    found = {wager.plan.slug: Counter[tuple[Fraction, Fraction]]() for wager in tally.wagers}
    for wager in tally.wagers:
        for line in wager.lines:
            found[wager.plan.slug][line.outcome.net, line.outcome.wagered] += line.count
    return {slug: +counts for slug, counts in found.items()}


def every_time(strategy: Strategy) -> Strategy:
    def decide(seen: View) -> Decision | str:
        return strategy(seen)

    decide.every_time = True  # type: ignore[attr-defined]
    return decide


@pytest.mark.parametrize("slug", game_slugs())
def test_one_call_per_situation_gives_the_same_rounds_as_a_call_every_time(slug: str) -> None:
    table = open_table(slug)
    quick, slow = (play_rounds(table, one, 150, seed=5) for one in (by_the_cards, every_time(by_the_cards)))
    assert counted(quick) == counted(slow)


@pytest.mark.parametrize("slug", game_slugs())
def test_a_batch_plays_rounds_as_the_rules_do(slug: str) -> None:
    table = open_table(slug)
    quick = play_rounds(table, VectorStrategy(by_the_numbers), 150, seed=5)
    slow = play_rounds(table, every_time(lambda seen: _as_in_batch(table, seen)), 150, seed=5)
    assert counted(quick) == counted(slow)


def _as_in_batch(table: Table, seen: View) -> Decision:
    """The action of ``by_the_numbers`` for the seat's view, written as a row."""
    kind = batch_class(table.facts.slug)
    assert kind is not None
    assert isinstance(seen.turn, SeatTurn)
    batch = _batch(kind, table, tuple(seen.bets[1].items()))
    piles = {place: list(pile) for place, pile in seen.piles.items()}
    row = [piles[place].pop(0) if piles.get(place) else -2 for place in batch.card_places]
    codes = np.array([[one if isinstance(one, int) else -1 if one is None else one.code for one in row]], np.int8)
    cards = np.where(codes < 0, 0, codes).astype(np.uint8)
    node = next(at for at, node in enumerate(batch.flow.nodes) if node.question == seen.turn.question)
    observation = {"cards": codes, "question": np.array([1 + batch.questions.index(seen.turn.question)])}
    (action,) = by_the_numbers(observation, batch.masks(cards, np.array([node])))
    return batch.decision(cards[0], int(action))


@cache
def _batch(kind: type[RoundBatch], table: Table, bets: tuple[tuple[str, int], ...]) -> RoundBatch:
    return kind(table, dict(bets), {spot: 0 for spot, _ in bets if table.spots[spot].has_meter})


def test_the_hands_of_a_split_may_be_named_in_either_order() -> None:
    batch = _batch(ShootoutBatch, open_table("texas-shootout"), (("shootout", 10_00), ("shootout-bonus", 1_00)))
    nets = {}
    for name, strategy in {"quick": CachedAdapter(_turned_about), "listed": CachedAdapter(_as_listed)}.items():
        cards = np.stack([dealt_cards(batch, turn) for turn in range(60)])
        playing = LiveRounds(cards, batch.start_nodes(cards), np.full((60, 2), -1, np.int8), np.zeros(60, np.bool_))
        for question in (0, 1):
            said = strategy.choose_actions(batch, playing, np.arange(60))
            playing.answers[:, question] = said
            playing.nodes[:] = batch.next_nodes[playing.nodes, said]
        assert batch.is_over[playing.nodes].all()
        nets[name] = batch.nets(cards, playing.answers).tolist()
        for row, net in enumerate(nets[name]):
            round_ = SequentialRounds(batch.table, strategy.strategy, 3)._round(batch, row)
            assert batch.rules.settle(round_).net(1) == net
    assert nets["quick"] != nets["listed"], "the other hand has the bonus"


def dealt_cards(batch: RoundBatch, turn: int) -> np.ndarray:
    cards = np.empty((1, len(batch.card_places)), np.uint8)
    batch.deal(cards, np.zeros(1, np.int64), np.array([3], np.uint64), np.array([turn], np.uint64))
    return cards[0]


def _turned_about(seen: View) -> Decision:
    assert isinstance(seen.turn, SeatTurn)
    if seen.turn.question == "hand":
        return seen.turn.unlisted_options[-1]
    (split,) = seen.decisions.values()
    assert isinstance(split, Decision)
    assert split.groups[0] <= split.groups[1], "it is shown as it was decided"
    return Decision(Verb.FIRST_HAND)


def _as_listed(seen: View) -> Decision:
    assert isinstance(seen.turn, SeatTurn)
    return next(
        (option for option in reversed(seen.turn.options) if option.verb is Verb.SPLIT), Decision(Verb.FIRST_HAND)
    )


def test_a_strategy_is_called_once_for_each_situation() -> None:
    asked: list[tuple[object, ...]] = []

    def decide(seen: View) -> str:
        asked.append(tuple(seen.piles.values()))
        return "war"

    play_rounds(DUELS, decide, 60_000, seed=1, workers=2)
    # Two cards of one rank tie in 4 x 4 ways, and all occur. Each is decided in two rounds with different other wagers,
    # and the first ones twice, to check that the decision is the same.
    different = 13 * 4 * 4
    assert len(set(asked)) == different
    assert len(asked) == 2 * different + min(2 * different, CHECKED_SITUATIONS)


def test_a_strategy_with_two_decisions_for_the_same_cards_is_refused() -> None:
    decisions = iter(["play", "fold"] * 1000)
    with pytest.raises(BadStrategy, match=r"'play' and then 'fold'.*decide\.every_time"):
        play_rounds(PRIME, lambda _: next(decisions), 10, seed=1)


def test_a_strategy_with_every_time_is_called_in_every_round_in_order() -> None:
    asked: list[tuple[object, ...]] = []

    def decide(seen: View) -> str:
        asked.append(tuple(seen.piles.values()))
        return "play" if len(asked) % 2 else "fold"

    decide.every_time = True  # type: ignore[attr-defined]
    tally = play_rounds(PRIME, decide, 40, seed=1)
    groups = len(group_bets(PRIME))
    assert len(asked) == 40 * groups
    assert all(asked[at] == asked[at + 1] for at in range(0, len(asked), groups)), "a round is played to its end"
    assert sum(line.count for line in tally.wager("ante-play").lines if line.outcome.trigger == "fold") == 0


@pytest.mark.parametrize("strategy", [by_the_cards, VectorStrategy(by_the_numbers)])
def test_the_number_of_workers_changes_nothing(strategy: Strategy) -> None:
    one, several = (play_rounds(DUELS, strategy, 2 * BLOCK_ROUNDS + 77, 11, workers=workers) for workers in (1, 3))
    assert one.counts.tolist() == several.counts.tolist()
    assert [plan.outcomes for plan in one.plans] == [plan.outcomes for plan in several.plans]


@pytest.mark.parametrize(
    ("strategy", "detail"),
    [
        (
            lambda _, masks: masks.argmin(axis=1) + 40,
            r"4. at 'play'.*0 \(fold\) or 1 \(play\)",
        ),
        (lambda _, masks: masks[:, 0] * 1.0, "float64"),
        (lambda _, __: np.zeros(3, np.int64), r"\(3,\).* in 5 rounds"),
        (lambda seen, _: seen["card"], "'play': KeyError: 'card'"),
    ],
)
def test_wrong_actions_for_a_batch_are_refused(strategy: BatchStrategy, detail: str) -> None:
    with pytest.raises(BadStrategy, match=detail):
        play_rounds(PRIME, VectorStrategy(strategy), 5, seed=1)


def test_a_file_may_decide_many_rounds_at_once(tmp_path: Path) -> None:
    file = saved(tmp_path, "def decide_all(observations, masks):\n    return masks.argmax(axis=1)\n")
    tally = play_rounds(PRIME, load_strategy(file), 50, seed=1)
    assert tally.wager("ante-play").mean == -1
    both = saved(tmp_path, "def decide(view): ...\ndef decide_all(observations, masks): ...\n")
    with pytest.raises(BadStrategy, match=r"decide\(view\) and decide_all\(observations, masks\)"):
        load_strategy(both)


def test_a_number_of_threads_that_does_not_fit_is_refused() -> None:
    with pytest.raises(BadInput, match="0 threads"):
        play_rounds(PRIME, always(Verb.PLAY), 10, 1, workers=0)
    with pytest.raises(BadInput, match="every_time = True"):
        play_rounds(PRIME, every_time(always(Verb.PLAY)), 10, 1, workers=2)
