"""Claims in the card room, from the claim to the payout."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.errors import BadInput
from cardroom.games import Deal, DealerTurn, Decide, RoundEnd, SeatTurn, TakeStep, game, round_to_json
from cardroom.games.actions import ChanceTurn
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.dual_control import SamePerson
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    SEVEN_SPADES,
    THREE_OF_A_KIND,
    WATCHED,
    all_seven,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    play_fast,
    prime_sensors,
    prime_table,
    shown,
    whole,
)


def test_a_royal_is_locked_and_the_other_table_plays_on_a_new_meter(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    result = card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    assert (result.order, result.cents) == (1, 5_001_00)
    assert result.summary.claims == ("win",)
    assert play(card_room, "prime-2", seats=1).meters == {"final-four": (5_000_20,)}
    assert is_covered(card_room)


def test_a_large_claim_is_paid_with_a_second_person_and_surveillance(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    with pytest.raises(SamePerson):
        pay(card_room, "kim", "final-four", "win", surveillance=WATCHED)
    with pytest.raises(BadClaim, match=r"\$3,000"):
        pay(card_room, "Vera", "final-four", "win")
    paid = pay(card_room, "Vera", "final-four", "win", surveillance=WATCHED)
    assert paid.cents == 5_001_00
    assert paid.summary.claims == ()
    assert card_room.ledger.balances()[Account(AccountKind.PENDING, "final-four/main")] == 0
    assert is_covered(card_room)


def test_a_fixed_prize_is_paid_at_once_out_of_the_chip_tray(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=1, round_id="r1")
    result = card_room.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)
    assert (result.order, result.cents, result.pending) == (None, 25_00, ())
    assert card_room.ledger.balances()[Account(AccountKind.PRIZES, "prime-1")] == 25 * DOLLAR
    assert shown(card_room) == 5_000_20


def test_a_refusal_restores_the_meter_and_keeps_later_contributions(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    before = card_room.jackpot("final-four").meters[0]
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    play(card_room, "prime-2", seats=2)
    refused = card_room.claims.refuse(new_id(), "Vera", "final-four", "win", "a card came from the floor")
    assert refused.cents == 5_001_00
    after = card_room.jackpot("final-four").meters[0]
    assert after.display == before.display + 40 * CENT
    assert after.reserve == before.reserve + 10 * CENT
    assert (after.pending, after.seed_owed) == (0, before.seed_owed)
    assert is_covered(card_room)


@pytest.mark.parametrize("first", ["prime-1", "prime-2"])
def test_two_wins_at_once_are_paid_in_the_order_of_their_claims(card_room: CardRoom, first: str) -> None:
    open_room(card_room)
    second = {"prime-1": "prime-2", "prime-2": "prime-1"}[first]
    play(card_room, first, seats=3, round_id="r1")
    play(card_room, second, seats=2, round_id="r2")
    first_claim = card_room.claims.claim_hand("one", "Kim", "final-four", first, "r1", DIAMOND_ROYAL)
    second_claim = card_room.claims.claim_hand("two", "Lou", "final-four", second, "r2", DIAMOND_ROYAL)
    assert (first_claim.order, first_claim.cents) == (1, 5_001_00)
    assert (second_claim.order, second_claim.cents) == (2, 5_000_00)
    with pytest.raises(BadClaim):
        pay(card_room, "Vera", "final-four", "two", surveillance=WATCHED)
    pay(card_room, "Vera", "final-four", "one", surveillance=WATCHED)
    assert pay(card_room, "Vera", "final-four", "two", surveillance=WATCHED).cents == 5_000_00
    assert is_covered(card_room)


def test_a_win_after_a_refused_win_gets_the_full_meter(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=3, round_id="r1")
    play(card_room, "prime-2", seats=2, round_id="r2")
    card_room.claims.claim_hand("one", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    card_room.claims.claim_hand("two", "Lou", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    card_room.claims.refuse(new_id(), "Vera", "final-four", "one", "the wager was placed late")
    assert pay(card_room, "Vera", "final-four", "two", surveillance=WATCHED).cents == 5_001_00
    assert shown(card_room) == 5_000_00
    assert is_covered(card_room)


def test_a_round_is_claimed_once_under_any_claim_id(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    result = card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    before = whole(card_room)
    assert card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL) == result
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand("again", "Kim", "final-four", "prime-1", "r1", CLUB_ROYAL)
    assert whole(card_room) == before


def test_a_round_is_claimed_once_even_after_many_later_claims(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room)
    play_fast(card_room)
    play(card_room, seats=1, round_id="won")
    play(card_room, seats=1, round_id="paid")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "won", CLUB_ROYAL)
    pay(card_room, "Vera", "final-four", "win")
    card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "paid", THREE_OF_A_KIND)
    for number in range(55):
        play(card_room, seats=1, round_id=f"later-{number}")
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", f"later-{number}", THREE_OF_A_KIND)
    before = whole(card_room)
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "won", CLUB_ROYAL)
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "paid", THREE_OF_A_KIND)
    for round_id in ("won", "paid"):
        with pytest.raises(CannotTabulate):
            card_room.void_round(new_id(), "Sam", "prime-1", round_id, "the shuffler jammed", second="Flo")
    assert whole(card_room) == before


def test_the_system_evaluates_the_hand_itself(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")
    play(card_room, seats=5, round_id="r2")
    result = card_room.claims.claim_prizes("win", "Kim", "final-four", "prime-1", "r1", finished_round("Jc Qc Kc Ac"))
    (prize,) = result.pending
    assert (prize.event, prize.cents) == ("four-card-royal", 500_20)  # a tenth of $5,002
    with pytest.raises(BadClaim):
        card_room.claims.claim_prizes(new_id(), "Kim", "final-four", "prime-1", "r2", finished_round("2c 5d 9h Ac"))


# Only a wager that was counted can win (BJ-19).


def test_a_round_that_was_never_counted_cannot_be_claimed(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    before = whole(card_room)
    for table, round_id in (("prime-1", "r2"), ("prime-2", "r1")):
        with pytest.raises(BadClaim, match=f"Round {round_id} was not counted at {table}: tabulate it"):
            card_room.claims.claim_hand(new_id(), "Kim", "final-four", table, round_id, DIAMOND_ROYAL)
    with pytest.raises(BadClaim, match="prime-1"):
        card_room.claims.claim_prizes(new_id(), "Kim", "final-four", "prime-1", "r2", finished_round("Jc Qc Kc Ac"))
    assert whole(card_room) == before


def test_a_void_round_cannot_be_claimed(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    card_room.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    before = whole(card_room)
    with pytest.raises(BadClaim, match="prime-1"):
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    assert whole(card_room) == before


def test_a_seat_without_a_counted_wager_wins_nothing(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [2, 5]}, round_id="r1")
    before = whole(card_room)
    with pytest.raises(BadClaim) as refused:
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    assert str(refused.value) == "No wager for final-four was counted at position 1 in round r1, only at 2, 5."
    with pytest.raises(BadClaim):
        card_room.claims.claim_prizes(new_id(), "Kim", "final-four", "prime-1", "r1", finished_round("Jc Qc Kc Ac"))
    assert whole(card_room) == before
    result = card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", replace(DIAMOND_ROYAL, seat=5))
    assert [prize.seat for prize in result.pending] == [5]


def test_a_round_without_a_jackpot_wager_cannot_be_won(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=0, round_id="r1")
    with pytest.raises(BadClaim):
        in_a_file.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", THREE_OF_A_KIND)


def test_a_round_that_was_counted_by_hand_can_be_won(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "no light")
    card_room.count_by_hand(new_id(), "Sam", "prime-1", {1: [1, 3]}, round_id="r1")
    result = card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    assert result.cents == 5_000_40
    assert card_room.claims.list_wagered_positions("final-four", "prime-1", "r1") == (1, 3)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_claim_that_is_sent_again_gets_its_first_result_even_after_the_round_is_void(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    result = card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    card_room.claims.refuse(new_id(), "Vera", "final-four", "win", "the seal was broken")
    card_room.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    before = whole(card_room)
    assert card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL) == result
    assert whole(card_room) == before
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_winner_can_still_claim_after_the_bonus_jackpot_is_removed(card_room: CardRoom) -> None:
    open_room(card_room, tables=0)
    card_room.jackpots.open(new_id(), "Olga", all_seven("bonus"))
    card_room.add_table(
        new_id(),
        "Olga",
        RoomTableSetup(
            "prime-1", prime_table(), tabulator=UnitSetup(prime_sensors("prime-1", "all-seven", kind="bonus"), "unit-1")
        ),
    )
    card_room.tabulate(new_id(), "Kim", "prime-1", {2: [1]}, round_id="r1")
    card_room.jackpots.remove(new_id(), "Olga", "all-seven", "no player wants it", second="Carl")
    card_room.jackpots.disable(new_id(), "Olga", "all-seven", "an audit")
    before = whole(card_room)
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "all-seven", "prime-1", "r1", SEVEN_SPADES)
    with pytest.raises(BadInput):
        card_room.tabulate(new_id(), "Kim", "prime-1", {2: [1]}, round_id="r2")
    assert whole(card_room) == before
    card_room.jackpots.enable(new_id(), "Olga", "all-seven")
    assert card_room.claims.claim_hand("win", "Kim", "all-seven", "prime-1", "r1", SEVEN_SPADES).cents == 10_000_00
    assert pay(card_room, "Vera", "all-seven", "win", surveillance=WATCHED).cents == 10_000_00
    assert verify_card_room(card_room.ledger).is_consistent


def test_each_jackpot_counts_only_the_positions_of_its_own_sensor(card_room: CardRoom) -> None:
    open_room(card_room, tables=1)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    card_room.link_table(new_id(), "Olga", "prime-1", "all-seven", "as the operator wants it")
    card_room.tabulate(new_id(), "Kim", "prime-1", {1: [1, 2], 2: [3]}, round_id="r1")
    assert card_room.claims.list_wagered_positions("final-four", "prime-1", "r1") == (1, 2)
    assert card_room.claims.list_wagered_positions("all-seven", "prime-1", "r1") == (3,)
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "all-seven", "prime-1", "r1", SEVEN_SPADES)
    with pytest.raises(BadClaim):
        card_room.claims.claim_hand(new_id(), "Kim", "final-four", "prime-1", "r1", replace(DIAMOND_ROYAL, seat=3))
    result = card_room.claims.claim_hand("win", "Kim", "all-seven", "prime-1", "r1", replace(SEVEN_SPADES, seat=3))
    assert result.cents == 10_000_14  # and two sevenths of a cent
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_change_to_the_disadvantage_of_players_waits_for_the_reset(card_room: CardRoom) -> None:
    open_room(card_room)
    changed = card_room.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", {"contribution": "10%"}, "new rates", second="Carl"
    )
    assert changed.waiting == ("main",)
    assert play(card_room, seats=5, round_id="r1").meters == {"final-four": (5_001_00,)}
    assert card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r1", DIAMOND_ROYAL).summary.waiting == ()
    assert play(card_room, seats=5).meters == {"final-four": (5_000_50,)}


def test_a_change_to_the_advantage_of_players_applies_at_once(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.change_parameters(
        new_id(), "Olga", "final-four", "main", {"contribution": "40%"}, "anniversary", second="Carl"
    )
    assert play(in_a_file, seats=5).meters == {"final-four": (5_002_00,)}


def finished_round(*hands: str) -> dict[str, Any]:
    """The record of a round. Seats 1 and up have these hands with a fourth card, and a wager on the Final Four."""
    from cardroom.cards import parse_cards

    rules = game("three-card-prime")
    wagers = {seat: {"ante-play": 10_00, "final-four": 1_00} for seat, _ in enumerate(hands, 1)}
    round_ = rules.begin(rules.open(prime_table()), wagers)
    piles = {}
    for seat, hand in enumerate(hands, 1):
        *three, fourth = parse_cards(hand)
        piles |= {(seat, "hand"): three, (seat, "fourth"): [fourth]}
    taken = {card for pile in piles.values() for card in pile}
    while not isinstance(round_.turn, RoundEnd):
        match round_.turn:
            case ChanceTurn(place):
                pile = piles.get((place.seat, str(place.pile))) if place.seat else None
                card = pile.pop(0) if pile else next(card for card, _ in round_.chance_outcomes() if card not in taken)
                round_ = round_.apply(Deal(card))
            case SeatTurn(seat, _, options):
                round_ = round_.apply(Decide(seat, options[0]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
    return round_to_json(round_)
