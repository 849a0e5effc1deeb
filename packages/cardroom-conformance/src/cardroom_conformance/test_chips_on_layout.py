"""The chips on the layout in every game: those of each decision, and the default action, which adds none."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from cardroom.games import Decide, Game, IllegalAction, Round, SeatTurn, Verb, cents_on_layout, decision_cost, game
from cardroom_conformance.game_rounds import ends, every_game, game_features, meters
from cardroom_conformance.sample_rounds import finish_with_default_action, replay_positions

EVERY_ROUND = slice(None)
SOME_ROUNDS = slice(None, None, 7)


def questions(slug: str, sample: slice = EVERY_ROUND) -> Iterator[tuple[Round, SeatTurn]]:
    """Every decision of random and rigged rounds, with its position."""
    for end in ends(slug)[sample]:
        for position in replay_positions(end):
            if isinstance(position.turn, SeatTurn):
                yield position, position.turn


def verbs(slug: str) -> set[Verb]:
    return {feature for feature in game_features(slug) if isinstance(feature, Verb)}


@every_game
def test_before_the_deal_each_wager_is_on_all_its_stakes(slug: str) -> None:
    several = False
    for end in ends(slug):
        new_round = game(slug).begin(end.table, end.bets)
        for seat, spots in new_round.bets.items():
            wagers = [(end.table.spots[spot].wager, amount) for spot, amount in spots.items()]
            several = several or any(wager.stakes > 1 for wager, _ in wagers)
            assert cents_on_layout(new_round, seat) == sum(wager.stakes * amount for wager, amount in wagers)
    assert several == any(wager.stakes > 1 for wager in game(slug).facts.wagers)


@every_game
def test_a_decision_adds_its_cost_to_the_chips_of_its_seat_only(slug: str) -> None:
    met = set[Verb]()
    costly = False
    for position, turn in questions(slug):
        chips_before = {seat: cents_on_layout(position, seat) for seat in position.seats}
        for option in turn.options:
            cost = decision_cost(position, option)
            met.add(option.verb)
            costly = costly or cost > 0
            next_round = position.apply(Decide(turn.seat, option))
            assert cost >= 0
            assert {seat: cents_on_layout(next_round, seat) for seat in next_round.seats} == chips_before | {
                turn.seat: chips_before[turn.seat] + cost
            }
    assert met == verbs(slug)
    assert costly


@every_game
def test_decisions_with_one_verb_cost_the_same_for_any_cards(slug: str) -> None:
    several = 0
    for position, turn in questions(slug):
        costs = Counter(
            {(option.verb, decision_cost(position, option)) for option in (*turn.options, *turn.unlisted_options)}
        )
        assert len(costs) == len({verb for verb, _ in costs})
        several += len(turn.options) > len(costs)
    assert bool(several) == any(verb in game_features(slug) for verb in (Verb.KEEP, Verb.SET, Verb.CHOOSE))


@every_game
def test_the_chips_on_the_layout_at_the_end_are_taken_or_paid(slug: str) -> None:
    stake_count = 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        for seat in end.seats:
            on_the_layout = [
                (payment.spot, payment.stake, payment.wagered)
                for payment in settlement.seat_payments(seat)
                if payment.wagered
            ]
            assert [tuple(chips) for chips in game(slug).chips(end, seat)] == on_the_layout
            assert cents_on_layout(end, seat) == sum(payment.wagered for payment in settlement.seat_payments(seat))
            stake_count += len(on_the_layout)
    assert stake_count


@every_game
def test_the_chips_that_a_game_states_equal_those_that_its_settlement_finds(slug: str) -> None:
    """A round finished with decisions that cost nothing takes or pays the chips that are on the layout now."""
    question_count = 0
    for position, _ in questions(slug, SOME_ROUNDS):
        question_count += 1
        for seat in position.seats:
            assert tuple(game(slug).chips(position, seat)) == tuple(Game.chips(game(slug), position, seat))
    assert question_count


@every_game
def test_a_decision_out_of_turn_has_no_cost(slug: str) -> None:
    end = ends(slug)[0]
    (answer, *_) = end.decisions.values() or [next(questions(slug))[1].options[0]]
    with pytest.raises(IllegalAction):
        decision_cost(end, answer)
    with pytest.raises(IllegalAction):
        game(slug).default_decision(end)


# When the decision clock runs out


@every_game
def test_the_default_action_is_legal_and_costs_nothing(slug: str) -> None:
    question_names = set[str]()
    for position, turn in questions(slug):
        default = game(slug).default_decision(position)
        question_names.add(turn.question)
        assert default in turn.options
        assert decision_cost(position, default) == 0
    assert question_names == {question for end in ends(slug) for _, question in end.decisions}


@every_game
def test_default_actions_risk_only_the_chips_already_on_the_layout(slug: str) -> None:
    dice, question_count = random.Random(slug), 0
    for position, turn in questions(slug):
        end = finish_with_default_action(position, turn.seat, dice)
        question_count += 1
        wagered = sum(payment.wagered for payment in game(slug).settle(end, meters(end)).seat_payments(turn.seat))
        assert wagered == cents_on_layout(position, turn.seat)
    assert question_count


@every_game
def test_a_game_without_a_stated_default_action_has_one_that_costs_nothing(slug: str) -> None:
    gave_up = Counter[bool]()
    for position, turn in questions(slug, SOME_ROUNDS):
        default = Game.default_decision(game(slug), position)
        gave_up[default.verb in (Verb.FOLD, Verb.SURRENDER)] += 1
        assert default in turn.options
        assert decision_cost(position, default) == 0
        free = [option for option in turn.options if decision_cost(position, option) == 0]
        assert (default.verb in (Verb.FOLD, Verb.SURRENDER)) == all(
            option.verb in (Verb.FOLD, Verb.SURRENDER) for option in free
        )
    assert gave_up.total()
