"""Who dealt a round is known by its count, or by its dealer at a live table, the user who claims what was won in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from cardroom.games.setup import setup_to_json
from cardroom.reports.accounting import claim_slips
from cardroom.room.claim.new_claim import ClaimSubmission, claim_typed_hand
from cardroom.room.claim.prior_claims import PriorClaims
from cardroom.room.claim.typed_hand import typed_hand_record
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.event_values import DeviceStamp
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.json_output import pending_claim_to_json
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.service.card_rooms import (
    CLUB_ROYAL,
    DIAMOND_ROYAL,
    WATCHED,
    new_id,
    open_room,
    pay,
    play,
    prime_table,
    whole,
)
from tests.service.forger import found, where
from tests.service.live_scenes import PRIME, begin, live_prime, steps, tabulate
from tests.service.test_verification import _commit, discrepancy


def test_who_dealt_neither_verifies_nor_watches_what_another_has_claimed(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=5, round_id="r1")  # Kim presses the button
    card_room.claims.claim_hand("win", "Lou", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    before = whole(card_room)
    for who, sentence in (("kim", "Kim dealt round r1"), ("Lou", "Lou claimed it")):
        with pytest.raises(SamePerson, match=f"{sentence}: another person must verify claim win"):
            pay(card_room, who, "final-four", "win", surveillance=WATCHED)
        with pytest.raises(SamePerson, match=sentence):
            card_room.claims.refuse(new_id(), who, "final-four", "win", "no wager")
    for by, did in (("KIM", "Kim dealt"), ("lou", "Lou claimed")):
        with pytest.raises(SamePerson, match=did):
            pay(card_room, "Vera", "final-four", "win", surveillance=replace(WATCHED, by=by))
    assert whole(card_room) == before
    assert any(
        "dealt by Kim" in line.note for line in list_change_lines(card_room.history.list_jackpot_events("final-four"))
    )
    assert pending_claim_to_json(card_room.jackpot("final-four").claim("win"))["dealt"] == "Kim"
    pay(card_room, "Vera", "final-four", "win", surveillance=WATCHED)
    (slip,) = claim_slips(card_room, "final-four", "win")
    assert (slip.dealer, slip.dealt) == ("Lou", "Kim")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_claim_that_names_another_dealer_is_found(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    record, counted = (
        typed_hand_record(setup_to_json(prime_table()), CLUB_ROYAL, {}),
        in_a_file.history.list_tabulator_rounds("prime-1", 1),
    )
    asked = ClaimSubmission("forged", "prime-1", "r1", "Eve", counted[0].sequence, 500_00, PriorClaims(), "Eve")
    for one in claim_typed_hand(in_a_file.jackpot("final-four"), record, 1, asked):
        _commit(in_a_file, "jackpot:final-four", one.kind, one.payload)
    assert "claim forged names a different dealer of round r1" in discrepancy(in_a_file)


@pytest.mark.parametrize("pressed", ["by another at the console", "by the unit"])
def test_at_a_live_table_the_dealer_of_the_round_dealt_it_any_user_pressed_the_button(
    card_room: CardRoom, pressed: str
) -> None:
    live_prime(card_room)
    round_id = begin(card_room, dealer="Kim")
    steps(card_room, "wagers")
    if pressed == "by the unit":
        card_room.tabulate(new_id(), "device T-1001", PRIME, {1: [1, 3]}, round_id=round_id)
    card_room.take_step(new_id(), "Lou", PRIME, "tabulate", covered={1: [1, 3]})
    card_room.claims.claim_hand("win", "Lou", "final-four", PRIME, round_id, DIAMOND_ROYAL)
    assert card_room.jackpot("final-four").claim("win").dealt == "Kim"
    with pytest.raises(SamePerson, match=r"Kim dealt round prime-1\.1: another person must verify claim win"):
        pay(card_room, "Kim", "final-four", "win", surveillance=WATCHED)
    pay(card_room, "Vera", "final-four", "win", surveillance=WATCHED)
    assert verify_card_room(card_room.ledger).is_consistent


def test_another_dealer_in_a_live_rounds_beginning_is_found(in_a_file: CardRoom, tmp_path: Path) -> None:
    live_prime(in_a_file)
    round_id = begin(in_a_file, dealer="Kim")
    steps(in_a_file, "wagers")
    tabulate(in_a_file, 1)
    in_a_file.claims.claim_hand("win", "Kim", "final-four", PRIME, round_id, DIAMOND_ROYAL)
    change = where(f"table:{PRIME}", "live-round-started", dealer="Eve")
    assert "claim win names a different dealer of round prime-1.1" in found(in_a_file, tmp_path, change)


def press_of_a_device(card_room: CardRoom, table: str, named: str, **more: Any) -> Any:
    """A press of T-1001, which names a dealer; gives what is stored of it."""
    card_room.tabulate(new_id(), named, table, {1: [1, 3]}, device=DeviceStamp("T-1001"), **more)
    return card_room.history.list_tabulator_rounds(table, 1)[0].payload


def test_a_dealer_whom_a_device_names_did_not_press_but_may_not_verify(card_room: CardRoom) -> None:
    open_room(card_room)
    result = press_of_a_device(card_room, "prime-1", "Kim", round_id="r1")
    assert (result["dealer"], result["device"]) == (
        "device T-1001",
        {"device": "T-1001", "dealer": "Kim", "time": None},
    )
    assert responsible_people(result) == "device T-1001 (the device names Kim)"
    card_room.claims.claim_hand("win", "Lou", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    with pytest.raises(SamePerson, match="r1"):
        pay(card_room, "Kim", "final-four", "win", surveillance=WATCHED)
    pay(card_room, "Vera", "final-four", "win", surveillance=WATCHED)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_press_is_recorded_under_the_dealer_at_the_console_whomever_the_device_names(card_room: CardRoom) -> None:
    live_prime(card_room)
    begin(card_room, dealer="Kim")
    steps(card_room, "wagers")
    result = press_of_a_device(card_room, PRIME, "Lee", round_id="of the device")
    assert (result["dealer"], result["device"]["dealer"]) == ("Kim", "Lee")
    assert responsible_people(result) == "Kim (the device names Lee)"
    result = press_of_a_device(card_room, PRIME, "device T-1001", round_id="and another")
    assert (result["dealer"], result["device"]) == ("Kim", {"device": "T-1001", "dealer": "", "time": None})
    assert responsible_people(result) == "Kim"
    assert verify_card_room(card_room.ledger).is_consistent
