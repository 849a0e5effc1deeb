"""Typed cards that a claim of a live round depends on cannot change while the claim is in force."""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.table.claim_contradictions import InputContradictsClaim
from cardroom.service import CardRoom, verify_card_room
from tests.service.card_rooms import WATCHED, pay
from tests.service.forger import found, where
from tests.service.live_scenes import PRIME, begin, live_prime, steps, tabulate
from tests.service.table_scenes import an_id

CARDS = {"seat 1 hand": "Ad Kd Qd", "seat 1 fourth": "Jd"}
ROYAL = TypedHand("final-four", 100, {"hand": "Ad Kd Qd", "fourth": "Jd"}, {}, 1)
TRIPS = TypedHand("final-four", 100, {"hand": "9d 9h 9c", "fourth": "2d"}, {}, 1)


def claim_royal(card_room: CardRoom) -> str:
    """Claim a royal flush of the first seat, whose prize from the meter is not paid yet."""
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    card_room.type_cards(an_id(), "Kim", PRIME, CARDS, wagers={1: {"ante-play": 10_00, "final-four": 1_00}})
    card_room.claims.claim_hand("royal", "Kim", "final-four", PRIME, round_id, ROYAL)
    return round_id


def read_cards(card_room: CardRoom) -> dict[str, tuple[str, ...]]:
    live = card_room.table(PRIME).live
    assert live is not None
    return dict(live.cards)


def test_cards_of_a_pending_claim_cannot_be_changed(in_a_file: CardRoom) -> None:
    claim_royal(in_a_file)
    before = read_cards(in_a_file)
    refuse_first = "refuse claim royal on jackpot final-four first."
    sentence = f"The cards at 'seat 1 fourth': Jd in claim royal of final-four, now typed as 2h.*{refuse_first}"
    with pytest.raises(InputContradictsClaim, match=sentence):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "2h"})
    with pytest.raises(InputContradictsClaim):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": ""})
    assert read_cards(in_a_file) == before
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_input_that_no_claim_depends_on_can_still_be_typed(in_a_file: CardRoom) -> None:
    claim_royal(in_a_file)
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"dealer": "2c 3c 4c", "seat 2 hand": "9d 9h 9c"})
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 2 hand": "9d 9h 8c", "seat 1 fourth": "Jd"})
    in_a_file.type_cards(an_id(), "Kim", PRIME, wagers={1: {"ante-play": 20_00, "final-four": 1_00}})
    assert read_cards(in_a_file)["seat 2 hand"] == ("9d", "9h", "8c")
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_cards_of_a_paid_claim_cannot_be_changed(in_a_file: CardRoom) -> None:
    claim_royal(in_a_file)
    pay(in_a_file, "Sue", "final-four", "royal", WATCHED)
    with pytest.raises(InputContradictsClaim):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "2h"})
    assert read_cards(in_a_file)["seat 1 fourth"] == ("Jd",)


def test_cards_can_be_changed_after_the_claim_is_refused(in_a_file: CardRoom) -> None:
    claim_royal(in_a_file)
    in_a_file.claims.refuse(an_id(), "Sue", "final-four", "royal", "the fourth card was misread")
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "2h"})
    assert read_cards(in_a_file)["seat 1 fourth"] == ("2h",)


def test_cards_of_a_prize_that_the_dealer_paid_at_once_cannot_be_changed(
    in_a_file: CardRoom,
) -> None:
    card_room = in_a_file
    live_prime(card_room)
    round_id = begin(card_room)
    steps(card_room, "wagers")
    tabulate(card_room, 1)
    card_room.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": "9d 9h 9c", "seat 1 fourth": "2d"})
    card_room.claims.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    with pytest.raises(InputContradictsClaim):
        card_room.type_cards(an_id(), "Kim", PRIME, {"seat 1 hand": "9d 9h 8c"})


def test_verification_finds_cards_that_were_changed_while_a_claim_depended_on_them(
    in_a_file: CardRoom, tmp_path: Path
) -> None:
    claim_royal(in_a_file)
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"seat 1 fourth": "Jd"})
    change = where(f"table:{PRIME}", "cards-typed", 2, cards={"seat 1 fourth": ["2h"]}, corrects=["seat 1 fourth"])
    sentence = found(in_a_file, tmp_path, change)
    assert "changes the cards at 'seat 1 fourth' of round prime-1.1, on which claim royal of final-four" in sentence
