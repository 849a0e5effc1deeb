"""An evening at tables of all five games is consistent on one core and on several; rounds pay promotions."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from cardroom.ledger import Event
from cardroom.service import CardRoom, verify, verify_card_room
from cardroom.service.verification import run as verification_run
from tests.service.card_rooms import new_id
from tests.service.forger import Payload, Rewritten, found, where
from tests.service.table_evening import an_evening_at_five_games
from tests.service.table_scenes import all_wager, guests, play_on, stack, worth
from tests.service.test_automatic_claims import STRAIGHTS
from tests.service.test_table_jackpots import PLAY, WAGERS, open_room

ROUNDS = 6


def test_an_evening_is_consistent_on_one_core_and_on_two(
    url: str, card_room: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    random = Random("an evening")
    an_evening_at_five_games(CardRoom(card_room.ledger, keys=lambda: random.randbytes(32)), random, ROUNDS)
    one_core = verify_card_room(card_room.ledger)
    assert one_core.discrepancy is None
    assert (one_core.play_tables, one_core.players, one_core.rounds) == (5, 15, 5 * ROUNDS)
    assert one_core.claims > 0
    monkeypatch.setattr(verification_run, "MIN_EVENTS_FOR_PARALLEL", 0)
    assert verify(url, cores=2) == one_core


def test_two_cores_find_the_same_discrepancy_as_one(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_room(in_a_file)
    players = guests(in_a_file, 2, PLAY)
    all_wager(in_a_file, players, PLAY, WAGERS)
    play_on(in_a_file, PLAY)
    prize = where(
        f"table:{PLAY}",
        "round-played",
        prizes=[[1, 9_00]],
        returned=lambda rows: [[1, dict(map(tuple, rows)).get(1, 0) + 9_00], *(row for row in rows if row[0] != 1)],
        filled=lambda cents: cents,
    )
    sentence = found(in_a_file, tmp_path, prize)
    monkeypatch.setattr(verification_run, "MIN_EVENTS_FOR_PARALLEL", 0)
    assert str(verify(f"sqlite:///{tmp_path}/forged.db", cores=2).discrepancy) == sentence


def win_straight(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> str:
    """Deal a four-card straight on the Final Four, for which a promotion pays $600."""
    open_room(card_room)
    card_room.promotions.announce(new_id(), "Olga", STRAIGHTS)
    (ann,) = guests(card_room, 1, PLAY)
    stack(card_room, monkeypatch, PLAY, WAGERS, {"seat 1 hand": "5c 6d 7h", "seat 1 fourth": "8c"}, seats=1)
    all_wager(card_room, [ann], PLAY, WAGERS)
    play_on(card_room, PLAY, "play")
    return ann


def test_a_promotion_is_paid_with_the_round_at_the_seat(card_room: CardRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = win_straight(card_room, monkeypatch)
    past = card_room.get_past_round(f"{PLAY}.1")
    assert [(prize.seat, prize.cents > 600_00) for prize in past.prizes] == [(1, True)]
    assert worth(card_room, ann) == 1_000_00 + past.returned[1] - past.wagered[1]
    report = verify_card_room(card_room.ledger)
    assert (report.discrepancy, report.promotions, report.rounds) == (None, 1, 1)


def test_a_promotion_that_never_paid_is_found(
    in_a_file: CardRoom, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    win_straight(in_a_file, monkeypatch)

    def drop_payment(event: Event, _: Payload) -> list[Rewritten] | None:
        return [] if event.kind == "promotion-prize-paid" else None

    sentence = found(in_a_file, tmp_path, drop_payment)
    assert f"disagree about prizes paid at once to seat 1 of round {PLAY}.1" in sentence
