"""Who dealt a round is known by its count, whoever claims what was won in it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cardroom.floor import Floor, verify_floor
from cardroom.floor.entries import pending_claim_entry
from cardroom.floor.history import change_lines
from cardroom.games.setup import setup_entry
from cardroom.jackpots import Asked, ClaimedBefore, SamePerson, claim_typed, typed_entry
from cardroom.reports.books import claim_slips
from tests.floor.scenes import CLUB_ROYAL, DIAMOND_ROYAL, WATCHED, new_id, open_room, pay, play, prime_table, whole
from tests.floor.test_verification import _commit, discrepancy


def test_who_dealt_neither_verifies_nor_watches_what_another_has_claimed(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=5, round_id="r1")  # Kim presses the button
    floor.claim_hand("win", "Lou", "final-four", "prime-1", "r1", DIAMOND_ROYAL)
    before = whole(floor)
    for who, sentence in (("kim", "Kim dealt round r1"), ("Lou", "Lou claimed it")):
        with pytest.raises(SamePerson, match=f"{sentence}: a second person verifies claim win"):
            pay(floor, who, "final-four", "win", surveillance=WATCHED)
        with pytest.raises(SamePerson, match=sentence):
            floor.refuse(new_id(), who, "final-four", "win", "no wager")
    for by, did in (("KIM", "Kim dealt"), ("lou", "Lou claimed")):
        with pytest.raises(SamePerson, match=f"The surveillance checks what {did}"):
            pay(floor, "Vera", "final-four", "win", surveillance=replace(WATCHED, by=by))
    assert whole(floor) == before
    assert any("dealt by Kim" in line.note for line in change_lines(floor.recall_jackpot("final-four")))
    assert pending_claim_entry(floor.jackpot("final-four").claim("win"))["dealt"] == "Kim"
    pay(floor, "Vera", "final-four", "win", surveillance=WATCHED)
    (slip,) = claim_slips(floor, "final-four", "win")
    assert (slip.dealer, slip.dealt) == ("Lou", "Kim")
    assert verify_floor(floor.ledger).is_whole


def test_a_claim_that_names_another_dealer_is_found(in_a_file: Floor) -> None:
    open_room(in_a_file)
    play(in_a_file, round_id="r1")
    record, counted = typed_entry(setup_entry(prime_table()), CLUB_ROYAL, {}), in_a_file.recall_rounds("prime-1", 1)
    asked = Asked("forged", "prime-1", "r1", "Eve", counted[0].sequence, 500_00, ClaimedBefore(), "Eve")
    for one in claim_typed(in_a_file.jackpot("final-four"), record, 1, asked):
        _commit(in_a_file, "jackpot:final-four", one.kind, one.payload)
    assert "claim forged names another dealer of round r1" in discrepancy(in_a_file)
