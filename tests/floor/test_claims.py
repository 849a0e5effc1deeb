"""From the claim to the payout, on the floor."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.floor import Floor
from cardroom.games import Deal, DealerTurn, Decide, Over, SeatTurn, TakeStep, game, round_entry
from cardroom.games.actions import ChanceTurn
from cardroom.jackpots import BadClaim, SamePerson
from tests.floor.scenes import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    is_covered,
    new_id,
    open_room,
    play,
    prime_table,
    shown,
    whole,
)


def test_a_royal_is_locked_and_the_other_table_plays_on_a_new_meter(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=5)
    made = floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    assert (made.order, made.cents) == (1, 5_001_00)
    assert made.standing.claims == ("win",)
    assert play(floor, "prime-2", seats=1).meters == {"final-four": (5_000_20,)}
    assert is_covered(floor)


def test_a_claim_is_paid_after_a_second_person_and_the_surveillance(floor: Floor) -> None:
    open_room(floor)
    floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    with pytest.raises(SamePerson, match="second person"):
        floor.pay(new_id(), "kim", "final-four", "win", surveillance=WATCHED)
    with pytest.raises(BadClaim, match="over \\$3,000"):
        floor.pay(new_id(), "Vera", "final-four", "win")
    paid = floor.pay(new_id(), "Vera", "final-four", "win", surveillance=WATCHED)
    assert paid.cents == 5_000_00
    assert paid.standing.claims == ()
    assert floor.ledger.balances()[Account(AccountKind.PENDING, "final-four/main")] == 0
    assert is_covered(floor)


def test_a_fixed_prize_is_paid_at_once_out_of_the_chip_tray(floor: Floor) -> None:
    open_room(floor)
    made = floor.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)
    assert (made.order, made.cents, made.pending) == (None, 25_00, ())
    assert floor.ledger.balances()[Account(AccountKind.PRIZES, "prime-1")] == 25 * DOLLAR
    assert shown(floor) == 5_000_00


def test_a_refusal_gives_everything_back_and_keeps_what_came_in_since(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=5)
    before = floor.jackpot("final-four").meters[0]
    floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    play(floor, "prime-2", seats=2)
    refused = floor.refuse(new_id(), "Vera", "final-four", "win", "a card came from the floor")
    assert refused.cents == 5_001_00
    after = floor.jackpot("final-four").meters[0]
    assert after.display == before.display + 40 * CENT
    assert after.reserve == before.reserve + 10 * CENT
    assert (after.pending, after.seed_owed) == (0, before.seed_owed)
    assert is_covered(floor)


@pytest.mark.parametrize("first", ["prime-1", "prime-2"])
def test_two_wins_at_once_are_paid_in_the_order_of_their_claims(floor: Floor, first: str) -> None:
    open_room(floor)
    play(floor, seats=5)
    second = {"prime-1": "prime-2", "prime-2": "prime-1"}[first]
    one = floor.claim_hand("one", "Kim", "final-four", first, "r1", DIAMOND_ROYAL)
    two = floor.claim_hand("two", "Lou", "final-four", second, "r2", DIAMOND_ROYAL)
    assert [(one.order, one.cents), (two.order, two.cents)] == [(1, 5_001_00), (2, 5_000_00)]
    with pytest.raises(BadClaim, match="waits for one"):
        floor.pay(new_id(), "Vera", "final-four", "two", surveillance=WATCHED)
    floor.pay(new_id(), "Vera", "final-four", "one", surveillance=WATCHED)
    assert floor.pay(new_id(), "Vera", "final-four", "two", surveillance=WATCHED).cents == 5_000_00
    assert is_covered(floor)


def test_a_win_behind_one_that_is_refused_is_worth_what_it_would_have_been(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=5)
    floor.claim_hand("one", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    floor.claim_hand("two", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    floor.refuse(new_id(), "Vera", "final-four", "one", "the wager was placed late")
    assert floor.pay(new_id(), "Vera", "final-four", "two", surveillance=WATCHED).cents == 5_001_00
    assert shown(floor) == 5_000_00
    assert is_covered(floor)


def test_a_round_is_claimed_once_whatever_the_claim_is_called(floor: Floor) -> None:
    open_room(floor)
    made = floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    before = whole(floor)
    assert floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL) == made
    with pytest.raises(BadClaim, match="claimed already"):
        floor.claim_hand("again", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    assert whole(floor) == before


def test_the_system_judges_the_hand_itself(floor: Floor) -> None:
    open_room(floor)
    made = floor.claim("win", "Kim", "final-four", "prime-1", "r1", finished_round("Jc Qc Kc", "Ac"))
    (prize,) = made.pending
    assert (prize.event, prize.cents) == ("four-card-royal", 500_00)
    with pytest.raises(BadClaim, match="Nobody has won"):
        floor.claim(new_id(), "Kim", "final-four", "prime-1", "r2", finished_round("2c 5d 9h", "Ac"))


def test_a_change_that_players_would_lose_by_waits_for_the_reset(floor: Floor) -> None:
    open_room(floor)
    changed = floor.change_parameters(new_id(), "Olga", "final-four", "main", {"contribution": "10%"}, "new rates")
    assert changed.waiting == ("main",)
    assert play(floor, seats=5).meters == {"final-four": (5_001_00,)}
    assert floor.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL).standing.waiting == ()
    assert play(floor, seats=5).meters == {"final-four": (5_000_50,)}


def test_a_change_that_players_win_by_applies_at_once(in_a_file: Floor) -> None:
    open_room(in_a_file)
    in_a_file.change_parameters(new_id(), "Olga", "final-four", "main", {"contribution": "40%"}, "anniversary")
    assert play(in_a_file, seats=5).meters == {"final-four": (5_002_00,)}


def finished_round(hand: str, fourth: str) -> dict[str, Any]:
    """The record of a round in which seat 1 has these cards and a wager on the Final Four."""
    from cardroom.cards import cards

    rules = game("three-card-prime")
    round_ = rules.begin(rules.open(prime_table()), {1: {"ante-play": 10_00, "final-four": 1_00}})
    piles = {"hand": list(cards(hand)), "fourth": list(cards(fourth))}
    taken = {card for pile in piles.values() for card in pile}
    while not isinstance(round_.turn, Over):
        match round_.turn:
            case ChanceTurn(place):
                pile = piles.get(str(place.pile)) if place.seat else None
                card = pile.pop(0) if pile else next(card for card, _ in round_.outcomes() if card not in taken)
                round_ = round_.apply(Deal(card))
            case SeatTurn(seat, _, options):
                round_ = round_.apply(Decide(seat, options[0]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
    return round_entry(round_)
