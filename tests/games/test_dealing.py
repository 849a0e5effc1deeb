"""Cards that come from a shoe together: the same as one by one, and a card that cannot be is named."""

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


def begun(slug: str) -> Round:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    return rules.begin(table, {seat: make_full_bets(rules, table, seat) for seat in (1, 2, 4)})


def by_hand(round_: Round, shoe: Shoe, known: list[Place]) -> tuple[Round, Shoe]:
    """One card at a time, and the dealer's steps; notes the places that were known before their turn came."""
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
def test_a_round_comes_to_the_same_points_however_its_cards_are_dealt(slug: str) -> None:
    known: list[Place] = []
    for seed in SEEDS:
        at_once = one_by_one = begun(slug)
        shoe = other = shuffle_shoe(at_once.table.deck, ChaCha20Source.from_seed(seed))
        while not at_once.is_terminal:
            if isinstance(at_once.turn, SeatTurn):
                answer = Decide(at_once.turn.seat, at_once.turn.options[seed % len(at_once.turn.options)])
                at_once, one_by_one = at_once.apply(answer), one_by_one.apply(answer)
            at_once, shoe = advance(at_once, shoe)
            one_by_one, other = by_hand(one_by_one, other, known)
            assert (at_once, shoe) == (one_by_one, other)
            assert list(at_once.piles) == list(one_by_one.piles)
    assert known


def test_a_card_too_many_in_the_shoe_is_named_when_it_comes() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    with pytest.raises(IllegalAction):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c Kd 3c 4c 5c 6c")))
    with pytest.raises(IllegalAction):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c Jk 6c")))


def test_a_card_too_many_behind_those_that_are_dealt_harms_no_user() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    round_, shoe = advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c 5c As")))
    assert isinstance(round_.turn, SeatTurn)
    assert shoe.remaining == 1
    assert round_.piles[Place(Pile.HAND)] == parse_cards("3c 4c 5c")


def test_a_shoe_that_ends_in_the_middle_of_a_deal_says_so() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    with pytest.raises(EmptyShoe):
        advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c")))


def test_a_dealer_who_deals_by_hand_is_left_to_it() -> None:
    round_ = begun("three-card-double-play")
    round_, shoe = advance(round_, Shoe(()), deal=False)
    assert isinstance(round_.turn, ChanceTurn)
    assert shoe == Shoe(())


def test_a_written_round_with_a_card_twice_is_refused() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    round_, _ = advance(round_, Shoe(parse_cards("As Kd Qh 2c 9d 3c 4c 5c")))
    record = json.loads(dump_round(round_))
    assert round_from_json(record) == round_
    record["cards"]["dealer"] = ["3c", "Kd", "5c"]
    where = "Kd is there twice but one deck has only one: look at 'dealer' and 'seat 1 hand'"
    with pytest.raises(BadRecord, match=where):
        round_from_json(record)


def test_a_written_round_goes_as_far_as_its_cards_do() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    record = json.loads(dump_round(round_)) | {"cards": {"seat 1 hand": ["As", "Kd"]}}
    assert round_from_json(record).piles == {Place(Pile.HAND, 1): parse_cards("As Kd")}


def test_several_cards_fall_at_the_next_places() -> None:
    round_ = game("three-card-prime").begin(begun("three-card-prime").table, {1: {"ante-play": 10_00}})
    assert round_.deal_cards(parse_cards("As Kd Qh 2c")).piles == {
        Place(Pile.HAND, 1): parse_cards("As Kd Qh"),
        Place(Pile.FOURTH, 1): parse_cards("2c"),
    }
    assert round_.deal_cards(()) == round_
    with pytest.raises(IllegalAction):
        round_.deal_cards(parse_cards("As Kd Qh 2c 9d 3c 4c 5c 9h"))
