"""A claim of a live round agrees with the cards, wagers, and decisions that the dealer typed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from cardroom.room.claim.typed_hand import BadTypedHand, TypedHand
from cardroom.room.setup.example import jackpot_example
from cardroom.room.table.claim_contradictions import ClaimContradictsInput, InputContradictsClaim
from cardroom.service import CardRoom, RoomTableSetup, UnitSetup, verify_card_room
from tests.service.card_rooms import WATCHED, pay, shown
from tests.service.forger import found, where
from tests.service.live_scenes import PRIME, begin, live_prime, open_live, steps, tabulate
from tests.service.table_scenes import an_id

ROYAL = TypedHand("final-four", 100, {"hand": "Jd Qd Kd", "fourth": "Ad"}, {}, 2)
TRIPS = TypedHand("final-four", 100, {"hand": "9d 9h 9c", "fourth": "2d"}, {}, 2)
DUEL = "duel-1"
STRAIGHT = {"seat 2 hand": "9c Td Jh", "seat 2 fourth": "Ac", "dealer": "Kd 4d 2s"}


def count_round_with_cards(card_room: CardRoom, cards: dict[str, str] | None = None) -> str:
    """Count jackpot wagers at seats 2 and 3 in a round, and type these cards."""
    live_prime(card_room)
    round_id = begin(card_room, positions=(2, 3))
    steps(card_room, "wagers")
    tabulate(card_room, 2, 3)
    steps(card_room, "deal", "decide", "reveal")
    if cards:
        card_room.type_cards(an_id(), "Kim", PRIME, cards)
    return round_id


def end_current_round(card_room: CardRoom) -> None:
    steps(card_room, "take-or-pay", "collect")
    card_room.end_live_round(an_id(), "Kim", PRIME)


def claim(card_room: CardRoom, round_id: str, hand: TypedHand = ROYAL, id: str = "royal") -> Any:
    return card_room.claims.claim_hand(id, "Kim", "final-four", PRIME, round_id, hand)


@pytest.mark.parametrize("hand", [ROYAL, TRIPS], ids=["locked", "paid at once"])
def test_a_claim_with_cards_other_than_those_typed_is_refused_and_changes_nothing(
    card_room: CardRoom, hand: TypedHand
) -> None:
    round_id, before = count_round_with_cards(card_room, STRAIGHT), shown(card_room)
    with pytest.raises(ClaimContradictsInput) as refused:
        claim(card_room, round_id, hand)
    assert "9c Td Jh" in str(refused.value)
    assert hand.cards["hand"] in str(refused.value)
    assert (shown(card_room), card_room.jackpot("final-four").claims) == (before, ())
    card_room.type_cards(
        an_id(), "Kim", PRIME, {f"seat 2 {place}": pile for place, pile in hand.cards.items()} | {"dealer": ""}
    )
    result = claim(card_room, round_id, hand)
    assert result.pending or result.paid
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_claim_after_the_round_is_compared_with_the_typed_cards(in_a_file: CardRoom) -> None:
    round_id = count_round_with_cards(in_a_file, STRAIGHT)
    end_current_round(in_a_file)
    with pytest.raises(ClaimContradictsInput):
        claim(in_a_file, round_id)


def test_a_claim_with_a_card_that_was_typed_elsewhere_is_refused(in_a_file: CardRoom) -> None:
    round_id = count_round_with_cards(in_a_file, {"dealer": "Kd 4d 2s", "seat 3 hand": "2c 3c 4c"})
    with pytest.raises(ClaimContradictsInput, match="Kd"):
        claim(in_a_file, round_id)
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"dealer": "Ks 4d 2s"})
    claim(in_a_file, round_id)


def test_a_card_of_a_claim_cannot_be_typed_elsewhere(in_a_file: CardRoom) -> None:
    round_id = count_round_with_cards(in_a_file)
    claim(in_a_file, round_id)
    with pytest.raises(InputContradictsClaim, match="Kd"):
        in_a_file.type_cards(an_id(), "Kim", PRIME, {"dealer": "Kd 4d 2s"})
    in_a_file.type_cards(an_id(), "Kim", PRIME, {"dealer": "Ks 4d 2s", "seat 2 hand": "Jd Qd Kd"})
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_record_that_contradicts_the_typed_round_is_refused(in_a_file: CardRoom) -> None:
    wagers = {2: {"ante-play": 10_00, "final-four": 1_00}}
    card_room, typed = in_a_file, {"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad", "dealer": "2c 3c 5h"}
    round_id = count_round_with_cards(card_room, typed)
    card_room.type_cards(an_id(), "Kim", PRIME, wagers=wagers, answers={2: {"play": "play"}})
    record = card_room.get_typed_record(PRIME, round_id)
    other_decision = {**record, "decisions": [{**decision, "answer": "fold"} for decision in record["decisions"]]}
    other_cards = {**record, "cards": {**record["cards"], "dealer": ["2c", "3c", "5s"]}}
    other_wager = {**record, "wagers": {"2": {"ante-play": 20_00, "final-four": 1_00}}}
    for contradicting, difference in (
        (other_decision, "seat 2's decision on play"),
        (other_cards, "'dealer'"),
        (other_wager, "seat 2's wager on ante-play"),
    ):
        with pytest.raises(ClaimContradictsInput, match=f"{difference} w"):
            card_room.claims.claim_prizes(an_id(), "Kim", "final-four", PRIME, round_id, contradicting)
    assert card_room.claims.claim_prizes("royal", "Kim", "final-four", PRIME, round_id, record).pending


def type_duel(card_room: CardRoom, cards: dict[str, str], answers: dict[int, dict[str, str]] | None = None) -> str:
    """Begin a duel with six decks, and type these cards and decisions."""
    example = jackpot_example("dueling-for-dollars")
    card_room.jackpots.open(an_id(), "Olga", example.jackpot_setup())
    card_room.add_table(
        an_id(),
        "Olga",
        RoomTableSetup(DUEL, example.table_setup, tabulator=UnitSetup(example.tabulator_setup(DUEL), "A3-9")),
    )
    open_live(card_room, DUEL, example.table_setup)
    round_id = begin(card_room, DUEL, positions=(1, 2, 3, 4, 5, 6))
    steps(card_room, "wagers", table=DUEL)
    tabulate(card_room, 1, table=DUEL)
    card_room.type_cards(an_id(), "Kim", DUEL, cards, answers=answers)
    return round_id


def claim_tie(card_room: CardRoom, round_id: str, **cards: str) -> Any:
    hand = TypedHand("tie-after-tie", 100, cards, {}, 1)
    return card_room.claims.claim_hand(
        an_id(), "Kim", jackpot_example("dueling-for-dollars").jackpot, DUEL, round_id, hand
    )


def test_six_decks_have_each_card_six_times(in_a_file: CardRoom) -> None:
    typed = {f"seat {seat} hand": "Kd" for seat in (2, 3, 4, 5, 6)}
    round_id = type_duel(in_a_file, typed)
    with pytest.raises(ClaimContradictsInput):
        claim_tie(in_a_file, round_id, hand="Kd", community="Kd")
    in_a_file.type_cards(an_id(), "Kim", DUEL, {"seat 6 hand": "Kh"})
    assert [prize.event for prize in claim_tie(in_a_file, round_id, hand="Kd", community="Kd").paid] == [
        "one-tie-one-color"
    ]
    with pytest.raises(InputContradictsClaim):
        in_a_file.type_cards(an_id(), "Kim", DUEL, {"seat 6 hand": "Kd"})
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_claim_without_decisions_uses_the_typed_decisions(in_a_file: CardRoom) -> None:
    """A player who surrendered did not go to war, so a war cannot be claimed."""
    tie = {"seat 1 hand": "Kd", "community": "Kd"}
    round_id = type_duel(in_a_file, tie, {1: {"tie": "surrender"}})
    war = {"war": "9d", "war community": "9d"}
    with pytest.raises(BadTypedHand):
        claim_tie(in_a_file, round_id, hand="Kd", community="Kd", **war)
    (prize,) = claim_tie(in_a_file, round_id, hand="Kd", community="Kd").paid
    assert prize.event == "one-tie-one-color"


def test_a_round_without_typed_cards_can_still_be_claimed(in_a_file: CardRoom) -> None:
    round_id = count_round_with_cards(in_a_file)
    claim(in_a_file, round_id)
    pay(in_a_file, "Sue", "final-four", "royal", WATCHED)
    end_current_round(in_a_file)
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_verification_finds_a_claim_with_cards_other_than_those_typed(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = count_round_with_cards(
        in_a_file, {"seat 2 hand": "Jd Qd Kd", "seat 2 fourth": "Ad", "dealer": "Ks 4d 2s"}
    )
    claim(in_a_file, round_id)
    pay(in_a_file, "Sue", "final-four", "royal", WATCHED)
    end_current_round(in_a_file)
    assert verify_card_room(in_a_file.ledger).is_consistent
    cards = {"seat 2 hand": ["9c", "Td", "Jh"], "seat 2 fourth": ["Ac"], "dealer": ["Ks", "4d", "2s"]}
    sentence = found(in_a_file, tmp_path, where(f"table:{PRIME}", "cards-typed", 1, cards=cards))
    assert f"claim royal contradicts the cards at 'seat 2 fourth' as entered in round {round_id}" in sentence


def test_verification_finds_a_claimed_card_that_was_typed_elsewhere(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = count_round_with_cards(in_a_file, {"dealer": "Ks 4d 2s"})
    claim(in_a_file, round_id, TRIPS, "trips")
    assert verify_card_room(in_a_file.ledger).is_consistent
    sentence = found(
        in_a_file, tmp_path, where(f"table:{PRIME}", "cards-typed", 1, cards={"dealer": ["9h", "4d", "2s"]})
    )
    assert f"claim trips has 9h, entered at 'dealer' in round {round_id}" in sentence
