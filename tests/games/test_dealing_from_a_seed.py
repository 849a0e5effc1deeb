"""``deal`` needs no shoe, and deals the same cards as a shoe from the same seed."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.errors import BadInput
from cardroom.games import Round, advance, deal, default_setup, game, game_slugs
from cardroom.games.round import make_full_bets

every_game = pytest.mark.parametrize("slug", game_slugs())


def make_bets_of_three_seats(slug: str) -> dict[int, dict[str, int]]:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    return {seat: make_full_bets(rules, table, seat) for seat in (1, 2, 3)}


@every_game
@pytest.mark.parametrize("seed", range(5))
def test_the_same_seed_deals_the_same_round_as_one_shoe(slug: str, seed: int) -> None:
    bets = make_bets_of_three_seats(slug)
    rules = game(slug)
    table = rules.open(default_setup(slug))
    expected, shoe = advance(rules.begin(table, bets), shuffle_shoe(table.deck, ChaCha20Source.from_seed(seed)))
    r = deal(slug, bets, seed=seed)
    while not r.is_terminal:
        assert r == expected
        decision = expected.seat_turn.options[-1]
        expected, shoe = advance(expected.decide(decision), shoe)
        r = deal(r.decide(decision), seed=seed)
    assert r == expected


@given(seed=st.integers() | st.text(), other_seed=st.integers())
def test_another_seed_deals_only_from_the_remaining_cards(seed: int | str, other_seed: int) -> None:
    r = deal("deuces-wild", seed=seed).decide("play")
    r = deal(r, seed=other_seed)
    r.table.deck.check([card for pile in r.piles.values() for card in pile])


@every_game
def test_without_wagers_seat_one_makes_the_smallest_main_wager(slug: str) -> None:
    r = deal(slug, seed=1)
    assert r.seats == (1,)
    (cents,) = r.bets[1].values()
    assert cents == 10_00


def test_a_round_in_progress_refuses_wagers() -> None:
    r = deal("three-card-prime", seed=1)
    with pytest.raises(BadInput):
        deal(r, {1: {"ante-play": 10_00}}, seed=1)


@every_game
def test_the_text_of_a_round_shows_only_cards_that_a_seat_may_see(slug: str) -> None:
    rules = game(slug)
    r = deal(slug, make_bets_of_three_seats(slug), seed=2)
    while True:
        text = str(r)
        assert text.startswith(str(rules))
        for seat in r.seats:
            assert f"seat {seat} " in text
        hidden = {
            str(card)
            for place, cards in r.piles.items()
            if place.seat is None and not rules.is_face_up(r, place)
            for card in cards
        }
        cards_of_seats = {str(card) for seat in r.seats for card in r.hand(seat)}
        assert not [card for card in hidden - cards_of_seats if card in text.replace("decides", "").split()]
        if r.is_terminal:
            break
        assert f"Seat {r.current_player} decides" in text
        r = deal(r.decide(r.seat_turn.options[0]), seed=2)
    assert text.endswith("The round is over.")


@every_game
def test_returns_are_the_net_payments_of_each_seat(slug: str) -> None:
    r: Round = deal(slug, make_bets_of_three_seats(slug), seed=4)
    while not r.is_terminal:
        r = deal(r.decide(r.seat_turn.options[0]), seed=4)
    meters = dict.fromkeys(r.table.spots, 10_000_00)
    returns = r.returns(meters)
    assert tuple(returns) == r.seats
    assert sum(returns.values()) == -game(slug).settle(r, meters).house_net
    assert r.current_player is None
    assert r.legal_actions() == ()
