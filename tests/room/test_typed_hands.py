"""A hand that a dealer types in is judged by the rules, like the round that it comes from."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffle_items
from cardroom.games import Decide, Round, RoundEnd, SeatTurn, advance, default_setup, game, game_slugs
from cardroom.games.round import find_bet_fault
from cardroom.room.claim.typed_hand import BadTypedHand, TypedHand, play_typed_hand

WAGERS = [(slug, wager.slug) for slug in game_slugs() for wager in game(slug).facts.wagers if wager.jackpot is not None]
# The cards that the sheets' appendices say each jackpot looks at.
LOOKED_AT = {
    "bonus-jackpot": {"seat 1 hand", "seat 1 fourth", "seat 1 fifth"},
    "final-four": {"seat 1 hand", "seat 1 fourth"},
    "all-seven": {"seat 1 hand", "seat 1 fourth", "dealer"},
    "jackpot": {"community"},
    "tie-after-tie": {"seat 1 hand", "seat 1 war", "community", "war community"},
    "two-plus-two": {"seat 1 hand", "community", "added community"},
    "super-3s": {"seat 1 hand"},
    "super-six": {"seat 1 hand"},
}

TABLES_PLACES = {"dealer", "community", "war community", "added community"}


@pytest.mark.parametrize(("slug", "wager"), WAGERS)
def test_a_game_says_what_its_jackpots_look_at(slug: str, wager: str) -> None:
    places = {place if place in TABLES_PLACES else f"seat 1 {place}" for place in game(slug).jackpot_places[wager]}
    assert places == LOOKED_AT[wager]


def played(slug: str, wager: str, seed: int) -> Round:
    """A round with one player on the jackpot, dealt by chance."""
    rules = game(slug)
    table = rules.open(default_setup(slug))
    bets = {wager: table.offers[wager].limits.minimum}
    for spot, offered in table.spots.items():
        if offered.wager.required and find_bet_fault(rules, table, 1, bets) is not None:
            bets |= {spot: offered.limits.minimum}
    source = ChaCha20Source.from_seed(f"typed {seed}")
    round_, shoe = advance(rules.begin(table, {1: bets}), Shoe(shuffle_items(table.deck.cards(), source)))
    while isinstance(round_.turn, SeatTurn):
        option = round_.turn.options[seed % len(round_.turn.options)]
        round_, shoe = advance(round_.apply(Decide(1, option)), shoe)
    assert isinstance(round_.turn, RoundEnd)
    return round_


def jackpot_payments(round_: Round, wager: str) -> list[tuple[str, object, int]]:
    payments = round_.game.settle(round_).payments
    return [(one.event, one.pay, one.returned) for one in payments if one.spot == wager]


def typed_from(round_: Round, wager: str) -> TypedHand:
    """Only what the jackpot looks at, as a dealer would type it."""
    cards = {
        str(place).removeprefix("seat 1 "): " ".join(map(str, pile))
        for place, pile in round_.piles.items()
        if str(place) in LOOKED_AT[wager]
    }
    decisions = {}
    if wager == "jackpot":
        cards["hand"] = " ".join(map(str, round_.hand(1)))
        decisions = {"hand": str(round_.decision(1, "hand"))}
    return TypedHand(wager, round_.wager_cents(1, wager), cards, decisions)


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(WAGERS), st.integers(0, 10**6))
def test_the_typed_cards_of_a_round_win_what_the_round_wins(which: tuple[str, str], seed: int) -> None:
    slug, wager = which
    round_ = played(slug, wager, seed)
    again = play_typed_hand(round_.table, typed_from(round_, wager))
    assert jackpot_payments(again, wager) == jackpot_payments(round_, wager)


@pytest.mark.parametrize(("slug", "wager"), WAGERS)
def test_a_card_that_the_jackpot_looks_at_must_be_typed(slug: str, wager: str) -> None:
    round_ = played(slug, wager, 3)
    typed = typed_from(round_, wager)
    place = "community" if wager == "jackpot" else "hand"
    fewer = {**typed.cards, place: " ".join(typed.cards[place].split()[1:])}
    with pytest.raises(BadTypedHand):
        play_typed_hand(round_.table, TypedHand(wager, typed.wagered, fewer, typed.decisions))


def test_the_two_cards_that_were_kept_are_enough_in_texas_shootout() -> None:
    table = game("texas-shootout").open(default_setup("texas-shootout"))
    typed = TypedHand("jackpot", 100, {"hand": "As Ks", "community": "Qs Js Ts 2d 3d"})
    round_ = play_typed_hand(table, typed)
    assert [event for event, _, _ in jackpot_payments(round_, "jackpot")] == ["royal-flush"]
    with pytest.raises(BadTypedHand):
        play_typed_hand(table, TypedHand("jackpot", 100, {"hand": "As Ks 2c", "community": "Qs Js Ts 2d 3d"}))


def test_a_tie_without_war_cards_was_surrendered() -> None:
    table = game("dueling-for-dollars").open(default_setup("dueling-for-dollars"))
    round_ = play_typed_hand(table, TypedHand("tie-after-tie", 100, {"hand": "Kd", "community": "Kh"}))
    assert [event for event, _, _ in jackpot_payments(round_, "tie-after-tie")] == ["one-tie-one-color"]


def test_cards_that_no_place_takes_are_refused() -> None:
    table = game("three-card-prime").open(default_setup("three-card-prime"))
    with pytest.raises(BadTypedHand):
        play_typed_hand(table, TypedHand("final-four", 100, {"hand": "Jd Qd Kd Td", "fourth": "Ad"}))
    with pytest.raises(BadTypedHand):
        play_typed_hand(table, TypedHand("prime", 100, {"hand": "Jd Qd Kd"}))
