"""What a decision costs is asked of the rules, so it holds for every game."""

from __future__ import annotations

import pytest

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffled
from cardroom.games import Decide, Round, SeatTurn, Verb, advance, default_setup, game, game_slugs
from cardroom.games.examples import example_wagers
from cardroom.terminal.felt.chips import chips_down, prices, put_down
from cardroom.terminal.felt.company import simple_choice


def dealt(slug: str, wagers: dict[str, int], seed: int = 0) -> tuple[Round, Shoe]:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    shoe = Shoe(shuffled(table.deck.cards(), ChaCha20Source.seeded(seed)))
    return advance(rules.begin(table, {1: wagers}), shoe)


def asked(round_: Round) -> dict[Verb, int]:
    assert isinstance(round_.turn, SeatTurn)
    return prices(round_, round_.turn)


def answered(round_: Round, shoe: Shoe, verb: Verb) -> tuple[Round, Shoe]:
    assert isinstance(round_.turn, SeatTurn)
    option = next(option for option in round_.turn.options if option.verb is verb)
    return advance(round_.apply(Decide(1, option)), shoe)


def test_play_costs_the_ante_and_raise_costs_ante_and_play() -> None:
    round_, shoe = dealt("deuces-wild", {"ante-play-raise": 10_00, "three-card-treasure": 5_00})
    assert asked(round_) == {Verb.FOLD: 0, Verb.PLAY: 10_00}
    round_, _ = answered(round_, shoe, Verb.PLAY)
    assert asked(round_) == {Verb.FOLD: 0, Verb.RAISE: 20_00}
    assert put_down(round_, 1) == 25_00


def test_a_split_costs_the_wager_again_and_matching_the_bonus_costs_the_bonus() -> None:
    round_, shoe = dealt("texas-shootout", {"shootout": 20_00, "shootout-bonus": 5_00})
    assert asked(round_) == {Verb.KEEP: 0, Verb.SPLIT: 20_00}
    round_, _ = answered(round_, shoe, Verb.SPLIT)
    assert asked(round_) == {Verb.MATCH: 5_00, Verb.FIRST_HAND: 0, Verb.SECOND_HAND: 0}


def test_high_and_low_are_two_wagers_and_doubling_doubles_both() -> None:
    round_, shoe = dealt("three-card-double-play", {"high-low": 10_00})
    assert put_down(round_, 1) == 20_00
    round_, _ = answered(round_, shoe, Verb.SET)
    assert asked(round_) == {Verb.DOUBLE: 20_00, Verb.STAND: 0}


def test_war_costs_the_wager_again() -> None:
    round_ = next(
        round_
        for seed in range(200)
        if isinstance((round_ := dealt("dueling-for-dollars", {"player": 10_00}, seed)[0]).turn, SeatTurn)
    )
    assert asked(round_) == {Verb.SURRENDER: 0, Verb.WAR: 10_00}


@pytest.mark.parametrize("slug", game_slugs())
def test_answers_of_one_kind_cost_the_same_whatever_their_cards(slug: str) -> None:
    rules = game(slug)
    wagers = example_wagers(rules, rules.open(default_setup(slug)), 1)
    for seed in range(4):
        round_, shoe = dealt(slug, dict(wagers), seed)
        while isinstance(round_.turn, SeatTurn):
            before, costs = put_down(round_, 1), asked(round_)
            for option in round_.turn.options:
                assert put_down(round_.apply(Decide(1, option)), 1) - before == costs[option.verb]
            round_, shoe = advance(round_.apply(Decide(1, simple_choice(round_.turn))), shoe)


@pytest.mark.parametrize("slug", game_slugs())
def test_the_chips_counted_along_the_way_are_the_wagers_of_the_settlement(slug: str) -> None:
    rules = game(slug)
    wagers = example_wagers(rules, rules.open(default_setup(slug)), 1)
    for seed in range(10):
        round_, shoe = dealt(slug, dict(wagers), seed)
        paid = put_down(round_, 1)
        while isinstance(round_.turn, SeatTurn):
            decision = simple_choice(round_.turn)
            paid += asked(round_)[decision.verb]
            round_, shoe = advance(round_.apply(Decide(1, decision)), shoe)
        assert paid == rules.settle(round_).wagered == sum(chips.cents for chips in chips_down(round_)[1])
