"""Dealing all the cards up to the next decision gives the same round as dealing card by card."""

from __future__ import annotations

import json

import pytest

from cardroom.cards import ChaCha20Source, EmptyShoe, Shoe, parse_cards, shuffle_shoe
from cardroom.games import (
    BadRecord,
    ChanceTurn,
    Deal,
    Decide,
    IllegalAction,
    Pile,
    Place,
    Round,
    SeatTurn,
    advance,
    default_setup,
    dump_round,
    game,
    game_slugs,
    round_from_json,
)
from cardroom.games.round import make_full_bets

every_game = pytest.mark.parametrize("slug", game_slugs())
SEEDS = range(12)


def begin_round(slug: str) -> Round:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    return rules.begin(table, {seat: make_full_bets(rules, table, seat) for seat in (1, 2, 4)})


def deal_one_by_one(round_: Round, shoe: Shoe, known: list[Place]) -> tuple[Round, Shoe]:
    """Deal one card at a time and take the dealer's steps; add the places that the turns announce to ``known``."""
    while not isinstance(round_.turn, SeatTurn) and not round_.is_terminal:
        if isinstance(round_.turn, ChanceTurn):
            known += round_.turn.following_places
            card, shoe = shoe.deal()
            round_ = round_.apply(Deal(card))
        else:
            (step,) = round_.legal_actions()
            round_ = round_.apply(step)
    return round_, shoe


@every_game
def test_cards_dealt_together_and_one_by_one_lead_to_the_same_positions(slug: str) -> None:
    known: list[Place] = []
    for seed in SEEDS:
        dealt_together = dealt_singly = begin_round(slug)
        shoe = other_shoe = shuffle_shoe(dealt_together.table.deck, ChaCha20Source.from_seed(seed))
        while not dealt_together.is_terminal:
            if isinstance(dealt_together.turn, SeatTurn):
                decision = Decide(
                    dealt_together.turn.seat, dealt_together.turn.options[seed % len(dealt_together.turn.options)]
                )
                dealt_together, dealt_singly = dealt_together.apply(decision), dealt_singly.apply(decision)
            dealt_together, shoe = advance(dealt_together, shoe)
            dealt_singly, other_shoe = deal_one_by_one(dealt_singly, other_shoe, known)
            assert (dealt_together, shoe) == (dealt_singly, other_shoe)
            assert list(dealt_together.piles) == list(dealt_singly.piles)
    assert known


def test_a_card_that_the_deck_does_not_have_is_refused_when_it_is_dealt() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    with pytest.raises(IllegalAction):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c Kd 3c 4c 5c 6c")))
    with pytest.raises(IllegalAction):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c Jk 6c")))


def test_a_duplicate_card_deeper_in_the_shoe_does_not_stop_the_deal() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    round_, shoe = advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c 5c As")))
    assert isinstance(round_.turn, SeatTurn)
    assert shoe.remaining == 1
    assert round_.piles[Place(Pile.HAND)] == parse_cards("3c 4c 5c")


def test_a_shoe_that_runs_out_during_the_deal_is_refused() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    with pytest.raises(EmptyShoe):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c")))


def test_no_card_is_dealt_for_a_dealer_who_deals_by_hand() -> None:
    round_ = begin_round("three-card-double-play")
    round_, shoe = advance(round_, Shoe(()), deal=False)
    assert isinstance(round_.turn, ChanceTurn)
    assert shoe == Shoe(())


def test_a_recorded_round_with_a_duplicate_card_is_refused() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    round_, _ = advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c 5c")))
    record = json.loads(dump_round(round_))
    assert round_from_json(record) == round_
    record["cards"]["dealer"] = ["3c", "Kd", "5c"]
    sentence = "Kd is there twice but one deck has only one: look at 'dealer' and 'seat 1 hand'"
    with pytest.raises(BadRecord, match=sentence):
        round_from_json(record)


def test_a_recorded_round_continues_as_far_as_its_cards() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    record = json.loads(dump_round(round_)) | {"cards": {"seat 1 hand": ["As", "Kd"]}}
    assert round_from_json(record).piles == {Place(Pile.HAND, 1): parse_cards("As Kd")}


def test_several_cards_are_dealt_to_the_next_places() -> None:
    round_ = game("three-card-prime").begin(begin_round("three-card-prime").table, {1: {"ante-play": 10_00}})
    assert round_.deal_cards(parse_cards("As Kd Qh 2c")).piles == {
        Place(Pile.HAND, 1): parse_cards("As Kd Qh"),
        Place(Pile.FOURTH, 1): parse_cards("2c"),
    }
    assert round_.deal_cards(()) == round_
    with pytest.raises(IllegalAction):
        round_.deal_cards(parse_cards("As Kd Qh 2c 9d 3c 4c 5c 9h"))
