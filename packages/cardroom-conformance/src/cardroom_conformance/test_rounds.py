"""A round of any game from the wagers to its end: legal actions, deals, records, and refused actions."""

from __future__ import annotations

import json
import random
import re
from collections import Counter
from fractions import Fraction

import pytest

from cardroom.cards import parse_card
from cardroom.games import (
    BadBet,
    BadRecord,
    ChanceTurn,
    Deal,
    DealerStep,
    Decide,
    Decision,
    IllegalAction,
    Round,
    RoundNotOver,
    SeatTurn,
    TakeStep,
    Verb,
    dump_round,
    game,
    load_round,
)
from cardroom.games.actions import RoundEnd
from cardroom_conformance.game_rounds import (
    FEW_SEEDS,
    MANY_SEEDS,
    ends,
    every_game,
    game_features,
    meters,
    sample_positions,
)
from cardroom_conformance.sample_rounds import begin_round, meter_rounds, play_random_round, positions


@every_game
def test_every_decision_that_a_game_offers_occurs_in_some_round(slug: str) -> None:
    verbs = {decision.verb for end in ends(slug) for decision in end.decisions.values()}
    assert verbs == {feature for feature in game_features(slug) if isinstance(feature, Verb)}


@every_game
def test_every_wager_with_a_meter_pays_a_share_in_some_round_and_a_prize_is_shared(slug: str) -> None:
    rounds = meter_rounds(slug)
    assert {wager for wager, _ in rounds.wins} == rounds.wagers
    shared_prizes = [
        payment
        for _, end in rounds.wins
        for payment in game(slug).settle(end, meters(end)).payments
        if payment.meter and payment.meter.winners > 1
    ]
    assert bool(shared_prizes) == bool(rounds.wagers)


@every_game
def test_every_round_ends_and_can_be_settled(slug: str) -> None:
    for end in ends(slug):
        assert end.legal_actions() == ()
        assert game(slug).settle(end, meters(end)).payments


@every_game
def test_every_legal_action_can_be_applied(slug: str) -> None:
    listed = Counter[type]()
    for position in sample_positions(slug):
        for action in position.legal_actions():
            listed[type(action)] += 1
            assert position.can(action)
            assert position.apply(action) != position
    assert listed[Deal] > 0
    assert listed[Decide] > 0
    assert (listed[TakeStep] > 0) == any(isinstance(feature, DealerStep) for feature in game_features(slug))


@every_game
def test_the_probabilities_of_the_next_card_sum_to_one(slug: str) -> None:
    due = 0
    for position in sample_positions(slug):
        chances = position.chance_outcomes()
        if isinstance(position.turn, ChanceTurn):
            due += 1
            assert sum(chance for _, chance in chances) == Fraction(1)
            gone = Counter(next_card for pile in position.piles.values() for next_card in pile)
            for next_card, _ in chances:
                assert gone[next_card] < position.table.deck.count_copies(next_card)
        else:
            assert chances == ()
    assert due


@every_game
def test_cards_dealt_together_are_placed_as_if_dealt_one_by_one(slug: str) -> None:
    for seed in MANY_SEEDS:
        *_, one_by_one = positions(slug, seed)
        together = play_random_round(slug, seed)
        assert together == one_by_one
        assert list(together.piles) == list(one_by_one.piles), "in the same order"


@every_game
def test_cards_go_to_the_announced_places_for_any_cards(slug: str) -> None:
    dice = random.Random(slug)
    for position in sample_positions(slug):
        if isinstance(position.turn, ChanceTurn):
            r, expected = position, (position.turn.place, *position.turn.following_places)
            for index, place in enumerate(expected):
                assert isinstance(r.turn, ChanceTurn)
                assert r.turn.place == place
                assert r.turn.following_places[: len(expected) - index - 1] == expected[index + 1 :]
                r = r.apply(Deal(dice.choice(r.chance_outcomes())[0]))


@every_game
def test_the_same_seed_plays_the_same_round_again(slug: str) -> None:
    for seed in FEW_SEEDS:
        assert play_random_round(slug, seed) == play_random_round(slug, seed)


@every_game
def test_a_round_restored_from_json_at_any_point_continues_identically(slug: str) -> None:
    turns = Counter[type]()
    for position in sample_positions(slug):
        turns[type(position.turn)] += 1
        restored = load_round(dump_round(position))
        assert restored == position
        assert restored.turn == position.turn
        assert restored.legal_actions() == position.legal_actions()
    assert turns.keys() >= {ChanceTurn, SeatTurn, RoundEnd}


@every_game
def test_a_restored_round_is_settled_to_the_same_cent(slug: str) -> None:
    decision_count, shares = 0, 0
    for end in ends(slug):
        settlement = game(slug).settle(end, meters(end))
        assert game(slug).settle(load_round(dump_round(end)), meters(end)) == settlement
        decision_count += len(end.decisions)
        shares += sum(payment.meter is not None for payment in settlement.payments)
    assert decision_count
    assert bool(shares) == bool(meter_rounds(slug).wagers)


@every_game
def test_a_finished_round_can_be_read_without_the_dealers_steps(slug: str) -> None:
    left_out = 0
    for seed in FEW_SEEDS:
        end = play_random_round(slug, seed)
        record = json.loads(dump_round(end))
        left_out += len(record.pop("steps"))
        assert load_round(json.dumps(record)) == end
    assert bool(left_out) == any(isinstance(feature, DealerStep) for feature in game_features(slug))


@every_game
def test_an_action_out_of_turn_is_refused_and_changes_nothing(slug: str) -> None:
    refused = Counter[type]()
    for position in sample_positions(slug):
        saved = dump_round(position)
        for action in _wrong_actions(position):
            refused[type(action)] += 1
            reason = position.why_not(action)
            assert reason
            assert not position.can(action)
            with pytest.raises(IllegalAction, match=re.escape(reason)):
                position.apply(action)
        assert dump_round(position) == saved
    assert refused.keys() == {Deal, Decide, TakeStep}


def _wrong_actions(position: Round) -> list[Deal | Decide | TakeStep]:
    wrong: list[Deal | Decide | TakeStep] = []
    turn = position.turn
    if not isinstance(turn, ChanceTurn):
        wrong.append(Deal(parse_card("As")))
    else:
        gone = Counter(dealt_card for pile in position.piles.values() for dealt_card in pile)
        wrong += [
            Deal(dealt_card)
            for dealt_card, count in gone.items()
            if count == position.table.deck.count_copies(dealt_card)
        ]
    turn_seat = turn.seat if isinstance(turn, SeatTurn) else None
    wrong += [Decide(seat, Decision(Verb.FOLD)) for seat in position.seats if seat != turn_seat]
    if isinstance(turn, SeatTurn):
        verbs = {option.verb for option in turn.options}
        wrong += [Decide(turn.seat, Decision(verb)) for verb in Verb if verb not in verbs]
    if isinstance(turn, RoundEnd | ChanceTurn | SeatTurn):
        wrong += [TakeStep(step) for step in DealerStep]
    return wrong


@every_game
def test_an_unfinished_round_is_not_settled(slug: str) -> None:
    rules, play, _ = begin_round(slug, 0)
    with pytest.raises(RoundNotOver):
        rules.settle(play.round)


@every_game
def test_a_record_with_an_extra_card_is_refused(slug: str) -> None:
    record = json.loads(dump_round(play_random_round(slug, 3)))
    place = next(iter(record["cards"]))
    kinds = game(slug).facts.decks[0].distinct_cards()
    dealt = Counter(record_card for pile in record["cards"].values() for record_card in pile)
    spare = next(str(record_card) for record_card in kinds if not dealt[str(record_card)])
    record["cards"][place].append(spare)
    with pytest.raises(BadRecord):
        load_round(json.dumps(record))


@every_game
def test_random_wagers_are_accepted_and_wagers_outside_the_limits_are_refused(slug: str) -> None:
    refused = 0
    for seed in FEW_SEEDS:
        rules, play, dice = begin_round(slug, seed)
        seat = dice.choice(play.round.seats)
        spot = random.Random(seed).choice(list(play.round.bets[seat]))
        limits = play.round.table.spots[spot].limits
        wrong = (limits.maximum + limits.step, limits.minimum - limits.step, limits.minimum + 1, 0, -limits.minimum)
        for amount in wrong:
            bets = {seat_number: dict(spots) for seat_number, spots in play.round.bets.items()}
            bets[seat][spot] = amount
            refused += 1
            with pytest.raises(BadBet):
                rules.begin(play.round.table, bets)
    assert refused == 5 * len(FEW_SEEDS)
