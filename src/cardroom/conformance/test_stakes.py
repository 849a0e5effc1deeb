"""What every game puts on the layout: the chips of each answer, and the answer that puts none down."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator

import pytest

from cardroom.conformance.play import answered_safely, played_again
from cardroom.conformance.test_rules import ends, every_game, has, meters
from cardroom.games import Decide, Game, NotAllowed, Round, SeatTurn, Verb, game, price, put_down

IN_ALL_ROUNDS = slice(None)
IN_SOME_ROUNDS = slice(None, None, 7)


def questions(slug: str, which: slice = IN_ALL_ROUNDS) -> Iterator[tuple[Round, SeatTurn]]:
    """Every question of random and of rigged rounds."""
    for end in ends(slug)[which]:
        for position in played_again(end):
            if isinstance(position.turn, SeatTurn):
                yield position, position.turn


def verbs(slug: str) -> set[Verb]:
    return {one for one in has(slug) if isinstance(one, Verb)}


@every_game
def test_before_the_deal_the_wagers_lie_there_each_on_as_many_stakes_as_it_has(slug: str) -> None:
    several = False
    for end in ends(slug):
        begun = game(slug).begin(end.table, end.bets)
        for seat, spots in begun.bets.items():
            wagers = [(end.table.spots[spot].wager, amount) for spot, amount in spots.items()]
            several = several or any(wager.stakes > 1 for wager, _ in wagers)
            assert put_down(begun, seat) == sum(wager.stakes * amount for wager, amount in wagers)
    assert several == any(wager.stakes > 1 for wager in game(slug).facts.wagers)


@every_game
def test_an_answer_adds_its_price_to_the_chips_of_its_seat_and_to_no_others(slug: str) -> None:
    met = set[Verb]()
    costly = False
    for position, turn in questions(slug):
        before = {seat: put_down(position, seat) for seat in position.seats}
        for option in turn.options:
            cost = price(position, option)
            met.add(option.verb)
            costly = costly or cost > 0
            after = position.apply(Decide(turn.seat, option))
            assert cost >= 0
            assert {seat: put_down(after, seat) for seat in after.seats} == before | {
                turn.seat: before[turn.seat] + cost
            }
    assert met == verbs(slug)
    assert costly


@every_game
def test_answers_with_one_verb_cost_the_same_whatever_their_cards(slug: str) -> None:
    several = 0
    for position, turn in questions(slug):
        costs = Counter({(option.verb, price(position, option)) for option in (*turn.options, *turn.also)})
        assert len(costs) == len({verb for verb, _ in costs})
        several += len(turn.options) > len(costs)
    assert bool(several) == any(verb in has(slug) for verb in (Verb.KEEP, Verb.SET, Verb.CHOOSE))


@every_game
def test_the_chips_that_lie_there_in_the_end_are_those_that_are_taken_or_paid(slug: str) -> None:
    taken = 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        for seat in end.seats:
            on_the_layout = [(one.spot, one.stake, one.wagered) for one in settlement.of(seat) if one.wagered]
            assert [tuple(chips) for chips in game(slug).chips(end, seat)] == on_the_layout
            assert put_down(end, seat) == sum(one.wagered for one in settlement.of(seat))
            taken += len(on_the_layout)
    assert taken


@every_game
def test_the_chips_that_a_game_names_are_those_that_its_own_take_or_pay_finds(slug: str) -> None:
    """Played to the end with answers that cost nothing, the round takes or pays what lies there now."""
    asked = 0
    for position, _ in questions(slug, IN_SOME_ROUNDS):
        asked += 1
        for seat in position.seats:
            assert tuple(game(slug).chips(position, seat)) == tuple(Game.chips(game(slug), position, seat))
    assert asked


@every_game
def test_nobody_is_asked_for_a_price_out_of_turn(slug: str) -> None:
    end = ends(slug)[0]
    (answer, *_) = end.decisions.values() or [next(questions(slug))[1].options[0]]
    with pytest.raises(NotAllowed, match="No seat is asked anything now: the round is over"):
        price(end, answer)
    with pytest.raises(NotAllowed, match="No seat is asked anything now: the round is over"):
        game(slug).safe_answer(end)


# When a player's time is up


@every_game
def test_the_safe_answer_may_be_given_and_costs_nothing(slug: str) -> None:
    asked = set[str]()
    for position, turn in questions(slug):
        safe = game(slug).safe_answer(position)
        asked.add(turn.question)
        assert safe in turn.options
        assert price(position, safe) == 0
    assert asked == {question for end in ends(slug) for _, question in end.decisions}


@every_game
def test_who_answers_safely_has_no_more_taken_or_paid_than_what_lay_there(slug: str) -> None:
    dice, asked = random.Random(slug), 0
    for position, turn in questions(slug):
        end = answered_safely(position, turn.seat, dice)
        asked += 1
        wagered = sum(one.wagered for one in game(slug).settle(end, meters(end)).of(turn.seat))
        assert wagered == put_down(position, turn.seat)
    assert asked


@every_game
def test_a_game_that_names_no_safe_answer_gives_one_that_costs_nothing(slug: str) -> None:
    gave_up = Counter[bool]()
    for position, turn in questions(slug, IN_SOME_ROUNDS):
        safe = Game.safe_answer(game(slug), position)
        gave_up[safe.verb in (Verb.FOLD, Verb.SURRENDER)] += 1
        assert safe in turn.options
        assert price(position, safe) == 0
        free = [one for one in turn.options if price(position, one) == 0]
        assert (safe.verb in (Verb.FOLD, Verb.SURRENDER)) == all(
            one.verb in (Verb.FOLD, Verb.SURRENDER) for one in free
        )
    assert gave_up.total()
