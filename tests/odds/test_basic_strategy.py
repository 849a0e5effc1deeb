"""The basic strategy decides at a table as in the simulator, from its own seat's view."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterator, Mapping

import pytest

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.games import Decide, Decision, Onlooker, SeatTurn, Table, Verb, View, advance, game, view
from cardroom.games.actions import ChanceTurn, Deal, DealerTurn, RoundEnd, TakeStep
from cardroom.hands import best_three
from cardroom.odds.pricer import BestAdvice, NothingToDecide, Policy, Pricer, advise, pricer
from cardroom.odds.simulation.rules_engine import group_bets
from cardroom.odds.simulation.runner import SimulatedRound, Simulator, simulator
from tests.odds.simulation.at_the_table import open_table

ROUNDS = 400
SEED = 11
QUESTIONS = {
    "three-card-prime": {"play"},
    "dueling-for-dollars": {"tie"},
    "deuces-wild": {"play", "fortune", "raise"},
    "three-card-double-play": {"set", "double"},
    "texas-shootout": {"hand", "bonus"},
}


def teachers(slug: str) -> tuple[Simulator, Pricer]:
    """The simulator and the pricer of the game."""
    return simulator(slug), pricer(slug)


def wagers(table: Table) -> Iterator[Mapping[str, int]]:
    """The wagers of the simulated seat, which bets as much on Quick Draw as on the main game: its ties push (TS-3)."""
    for bets in group_bets(table):
        yield {**bets, "quick-draw": bets["shootout"]} if "quick-draw" in bets else bets


def asked_in(laid: SimulatedRound, table: Table, bets: Mapping[str, int]) -> list[tuple[View, Decision]]:
    """The simulated seat's views and decisions."""
    calls = []
    round_ = game(table.facts.slug).begin(table, {1: bets})
    while not isinstance(round_.turn, RoundEnd):
        match round_.turn:
            case ChanceTurn(place):
                round_ = round_.apply(Deal(laid.cards[place][len(round_.piles.get(place, ()))]))
            case SeatTurn(_, question):
                calls.append((view(round_, 1), laid.decisions[question]))
                round_ = round_.apply(Decide(1, laid.decisions[question]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
    return calls


def as_good(one: Decision) -> object:
    """A decision without suits: equal settings may differ in suits."""
    if one.verb is Verb.SET:
        return tuple(best_three(group).strength for group in one.groups)
    return one


@pytest.mark.parametrize("slug", QUESTIONS)
def test_the_policy_decides_as_the_simulated_seat_does(slug: str) -> None:
    table, (simulated, teacher) = open_table(slug), teachers(slug)
    prepared = simulated.prepare(table, "simple")
    play: Policy = pickle.loads(pickle.dumps(teacher.basic_policy(table)))
    met = Counter[tuple[str, Verb]]()
    for bets in wagers(table):
        for turn in range(ROUNDS):
            for seen, answer in asked_in(prepared.simulated_round(SEED, 0, turn), table, bets):
                assert isinstance(seen.turn, SeatTurn)
                assert as_good(play(seen)) == as_good(answer), (seen, answer)
                met[seen.turn.question, answer.verb] += 1
    assert {question for question, _ in met} == QUESTIONS[slug]
    # Each question has more than one decision, except that ties always go to war.
    assert (len(met) > len(QUESTIONS[slug])) is (slug != "dueling-for-dollars")


@pytest.mark.parametrize("slug", QUESTIONS)
def test_every_seat_gets_a_legal_decision(slug: str) -> None:
    table, (_, teacher) = open_table(slug), teachers(slug)
    rules, play, met = game(slug), teacher.basic_policy(table), Counter[int]()
    bets = next(wagers(table))
    for seed in range(12):
        shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(seed))
        round_ = rules.begin(table, dict.fromkeys((2, 3, 5), bets))
        while True:
            round_, shoe = advance(round_, shoe)
            if not isinstance(round_.turn, SeatTurn):
                break
            seat = round_.turn.seat
            round_ = round_.apply(Decide(seat, play(view(round_, seat))))
            met[seat] += 1
    assert met.keys() == {2, 3, 5}


def test_a_game_without_a_basic_policy_follows_the_best_advice() -> None:
    table = open_table("three-card-prime")
    (seen, _), *_ = asked_in(
        simulator("three-card-prime").prepare(table).simulated_round(SEED, 0, 0), table, {"ante-play": 10_00}
    )
    assert Pricer.basic_policy(pricer("three-card-prime"), table) == BestAdvice(table)
    assert BestAdvice(table)(seen) == advise(table, seen)[0].decision


@pytest.mark.parametrize("viewer", [Onlooker.DEALER, 2])
def test_the_policy_decides_only_for_the_seat_whose_turn_it_is(viewer: int | Onlooker) -> None:
    table = open_table("three-card-prime")
    rules, bets = game("three-card-prime"), {"ante-play": 10_00}
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed(1))
    round_, _ = advance(rules.begin(table, {1: bets, 2: bets}), shoe)
    with pytest.raises(NothingToDecide):
        pricer("three-card-prime").basic_policy(table)(view(round_, viewer))
