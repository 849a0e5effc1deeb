"""Jackpot wagers of a finished live round are voided: the round shows that, and its payments stay the same."""

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


def finish_round(card_room: CardRoom) -> str:
    """Deal a round with a counted jackpot wager to its end, and pay it."""
    live_prime(card_room)
    round_id = begin(card_room, positions=(2,))
    steps(card_room, "wagers")
    tabulate(card_room, 2)
    wagers = {2: {"ante-play": 10_00, "final-four": 1_00}}
    card_room.type_cards(an_id(), "Kim", PRIME, CARDS, wagers=wagers, answers={2: {"play": "play"}})
    steps(card_room, *TO_THE_END)
    card_room.end_live_round(an_id(), "Kim", PRIME)
    return round_id


def get_past(card_room: CardRoom, round_id: str) -> PastLiveRound:
    past = card_room.get_round(round_id)
    assert isinstance(past, PastLiveRound)
    return past


def void(card_room: CardRoom, round_id: str) -> None:
    card_room.void_round(an_id(), "Rosa", PRIME, round_id, "the shuffler had jammed", second="Lee")


def reverse_trips(card_room: CardRoom) -> None:
    card_room.claims.reverse_prizes(
        an_id(), "Rosa", "final-four", "trips", "a test", second="Lee", chips=ChipsOutcome.RETURNED
    )


def test_a_round_shows_that_its_jackpot_wagers_are_void_and_keeps_its_payments(card_room: CardRoom) -> None:
    round_id = finish_round(card_room)
    before = get_past(card_room, round_id)
    whole_round(card_room)
    void(card_room, round_id)
    after = get_past(card_room, round_id)
    assert after.voided is not None
    assert (after.voided.who, after.voided.second, after.voided.why) == ("Rosa", "Lee", "the shuffler had jammed")
    assert (before.wagered[2] - after.wagered[2], after.returned) == (1_00, before.returned), "the wager was returned"
    assert (after.ended, after.live) == (before.ended, before.live)
    last, first = card_room.list_rounds(PRIME)
    assert isinstance(last, PastLiveRound)
    assert (last.voided, first) == (None, after)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_with_a_prize_can_be_voided_only_after_the_prize_is_reversed(in_a_file: CardRoom) -> None:
    round_id = finish_round(in_a_file)
    in_a_file.claims.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    with pytest.raises(CannotTabulate):
        void(in_a_file, round_id)
    assert get_past(in_a_file, round_id).voided is None
    reverse_trips(in_a_file)
    void(in_a_file, round_id)
    assert (shown(in_a_file), get_past(in_a_file, round_id).voided is not None) == (5_000_00, True)
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_verification_finds_a_void_round_with_a_paid_prize(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = finish_round(in_a_file)
    in_a_file.claims.claim_hand("trips", "Kim", "final-four", PRIME, round_id, TRIPS)
    reverse_trips(in_a_file)
    void(in_a_file, round_id)

    def drop_reversal(event: Event, _: Payload) -> Sequence[Rewritten] | None:
        return [] if event.kind == "prizes-reversed" else None

    sentence = found(in_a_file, tmp_path, drop_reversal)
    assert f"round {round_id} of {PRIME} is void, although its claim trips was not reversed" in sentence


def test_verification_finds_a_void_of_a_round_that_was_not_counted(in_a_file: CardRoom, tmp_path: Path) -> None:
    round_id = finish_round(in_a_file)
    void(in_a_file, round_id)

    def name_another_round(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        is_void = event.kind in ("round-voided", "wagers-reversed")
        return [(event.kind, payload | {"round": "prime-1.7"})] if is_void else None

    sentence = found(in_a_file, tmp_path, name_another_round)
    assert f"the void of round prime-1.7 reverses other wagers than {PRIME} counted" in sentence
