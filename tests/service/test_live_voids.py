"""The jackpot wagers of a live round that was dealt to its end are voided: the round says so, and its payments stay."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from cardroom.ledger import Event
from cardroom.room.claim.typed_hand import TypedHand
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.queries.past_live_rounds import PastLiveRound
from tests.service.card_rooms import shown
from tests.service.forger import Payload, Rewritten, found
from tests.service.live_scenes import PRIME, TO_THE_END, begin, live_prime, steps, tabulate, whole_round
from tests.service.table_scenes import an_id

TRIPS = TypedHand("final-four", 100, {"hand": "9d 9h 9c", "fourth": "2d"}, {}, 2)
CARDS = {"seat 2 hand": "9d 9h 9c", "seat 2 fourth": "2d", "dealer": "Ac 4d 2s"}


def ended(card_room: CardRoom) -> str:
    """A round with a counted wager for the jackpot, dealt to its end and paid."""
    live_prime(card_room)
    round_id = begin(card_room, positions=(2,))
    steps(card_room, "wagers")
    tabulate(card_room, 2)
    wagers = {2: {"ante-play": 10_00, "final-four": 1_00}}
    card_room.type_cards(an_id(), "Kim", PRIME, CARDS, wagers=wagers, answers={2: {"play": "play"}})
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    return round_id


def past(card_room: CardRoom, round_id: str) -> PastLiveRound:
    one = card_room.get_round(round_id)
    assert isinstance(one, PastLiveRound)
    return one


def void(card_room: CardRoom, round_id: str) -> None:
    card_room.void_round(an_id(), "Rosa", PRIME, round_id, "the shuffler had jammed", second="Lee")


def take_back(card_room: CardRoom) -> None:
    card_room.reverse_prizes(
        an_id(), "Rosa", "final-four", "trips", "a test", second="Lee", chips=ChipsOutcome.RETURNED
    )


def test_a_round_says_that_its_jackpot_wagers_were_voided_and_keeps_its_payments(card_room: CardRoom) -> None:
    round_id = ended(card_room)
    before = past(card_room, round_id)
    whole_round(card_room)
    void(card_room, round_id)
    after = past(card_room, round_id)
    assert after.voided is not None
    assert (after.voided.who, after.voided.second, after.voided.why) == ("Rosa", "Lee", "the shuffler had jammed")
    assert (before.wagered[2] - after.wagered[2], after.returned) == (1_00, before.returned), "the wager went back"
    assert (after.ended, after.live) == (before.ended, before.live)
    last, first = card_room.list_rounds(PRIME)
    assert isinstance(last, PastLiveRound)
    assert (last.voided, first) == (None, after)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_with_a_prize_is_void_only_when_the_prize_was_taken_back(in_a_file: CardRoom) -> None:
    round_id = ended(in_a_file)
    in_a_file.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    with pytest.raises(CannotTabulate):
        void(in_a_file, round_id)
    assert past(in_a_file, round_id).voided is None
    take_back(in_a_file)
    void(in_a_file, round_id)
    assert (shown(in_a_file), past(in_a_file, round_id).voided is not None) == (5_000_00, True)
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_verification_finds_a_void_round_of_which_a_prize_was_paid(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = ended(in_a_file)
    in_a_file.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    take_back(in_a_file)
    void(in_a_file, round_id)

    def without_that(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind == "prizes-reversed" else None

    sentence = found(in_a_file, tmp_path, without_that)
    assert f"round {round_id} of {PRIME} is void, although its claim trips was not reversed" in sentence


def test_a_verification_finds_a_void_of_a_round_that_was_not_counted(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = ended(in_a_file)
    void(in_a_file, round_id)

    def of_another_round(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        is_void = event.kind in ("round-voided", "wagers-reversed")
        return [(event.kind, payload | {"round": "prime-1.7"})] if is_void else None

    sentence = found(in_a_file, tmp_path, of_another_round)
    assert f"the void of round prime-1.7 reverses other wagers than {PRIME} counted" in sentence
