"""Leaving in the middle of a round, pausing and closing a table, calling a round off."""

from __future__ import annotations

import pytest

from cardroom.cards import Seal
from cardroom.room.dual_control import SamePerson
from cardroom.service import (
    CardRoom,
    TablePhase,
    WrongPhase,
    verify_card_room,
)
from tests.service.table_scenes import (
    ANTE,
    PRIME,
    all_wager,
    an_id,
    asked,
    events_of,
    guests,
    open_prime,
    play_on,
    stacked,
    worth,
)


def test_any_user_leaves_in_the_middle_of_a_round_gets_the_chips_at_once_and_the_wagers_stay(
    card_room: CardRoom,
) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    all_wager(card_room, [ann, bob])
    standing = card_room.leave_seat(an_id(), ann, PRIME)
    assert card_room.player_account(ann).balance == 990_00
    assert standing.state is TablePhase.PLAYING
    assert asked(card_room) == bob
    with pytest.raises(WrongPhase):
        card_room.leave_seat(an_id(), ann, PRIME)
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        card_room.take_seat(an_id(), ann, PRIME)
    card_room.make_decision(an_id(), bob, PRIME, "fold")
    assert card_room.table(PRIME).seat_of(ann) is None
    assert (card_room.player_account(ann).balance, dict(card_room.player_account(ann).seats)) == (990_00, {})
    past = card_room.get_round_json("prime-1.1")
    assert [one["by"] for one in past["answered_by"]] == ["left", bob]
    assert verify_card_room(card_room.ledger).is_consistent


def test_what_the_wagers_of_some_user_who_left_bring_goes_to_the_balance(
    in_a_file: CardRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    stacked(in_a_file, monkeypatch, {1: "As Ah Ad", 2: "2c 4d 7h"}, dealer="Kc Qd 9s")
    all_wager(in_a_file, [ann, bob])
    in_a_file.make_decision(an_id(), ann, PRIME, "play")
    in_a_file.leave_seat(an_id(), ann, PRIME)
    assert in_a_file.player_account(ann).balance == 980_00
    in_a_file.make_decision(an_id(), bob, PRIME, "fold")
    assert in_a_file.player_account(ann).balance > 1_000_00
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_when_the_last_who_has_not_wagered_leaves_the_round_begins(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    in_a_file.place_wagers(an_id(), ann, PRIME, ANTE)
    in_a_file.leave_seat(an_id(), bob, PRIME)
    assert asked(in_a_file) == ann


def test_wagers_of_a_round_that_has_not_begun_go_back_with_any_user_leaves(in_a_file: CardRoom) -> None:
    open_prime(in_a_file)
    ann, _ = guests(in_a_file, 2)
    in_a_file.place_wagers(an_id(), ann, PRIME, ANTE)
    in_a_file.leave_seat(an_id(), ann, PRIME)
    assert in_a_file.player_account(ann).balance == 1_000_00
    assert in_a_file.table(PRIME).seat_wagers == ()
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_a_paused_table_plays_its_round_to_the_end_and_begins_no_other(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    card_room.place_wagers(an_id(), ann, PRIME, ANTE)
    card_room.pause_table(an_id(), "Olga", PRIME, "a fire drill")
    assert card_room.table(PRIME).seat_of(ann).chips == 200_00  # type: ignore[union-attr]
    with pytest.raises(WrongPhase):
        card_room.place_wagers(an_id(), bob, PRIME, ANTE)
    card_room.resume_table(an_id(), "Olga", PRIME)
    all_wager(card_room, [ann, bob])
    card_room.pause_table(an_id(), "Olga", PRIME, "a fire drill")
    assert card_room.table(PRIME).phase is TablePhase.PLAYING
    play_on(card_room, answer="fold")
    assert card_room.table(PRIME).phase is TablePhase.PAUSED
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_closes_between_rounds_everybody_gets_the_chips_back_and_the_last_key_is_shown(
    card_room: CardRoom,
) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    all_wager(card_room, [ann, bob])
    with pytest.raises(WrongPhase, match=r"prime-1\.1"):
        card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    play_on(card_room, answer="fold")
    seal = card_room.table(PRIME).seal
    card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    assert [card_room.player_account(one).balance for one in (ann, bob)] == [990_00, 990_00]
    kind, closed = events_of(card_room, f"table:{PRIME}")[-1]
    assert kind == "table-closed"
    assert Seal(bytes.fromhex(closed["key"]), "prime-1.2").matches(seal)
    with pytest.raises(WrongPhase):
        card_room.take_seat(an_id(), ann, PRIME)
    open_prime(card_room)
    assert card_room.table(PRIME).round == "prime-1.3"
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_table_that_closes_without_play_has_no_rounds(card_room: CardRoom) -> None:
    for _ in range(2):
        open_prime(card_room)
        card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    assert (card_room.table(PRIME).rounds, card_room.table(PRIME).last_round) == (0, None)
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    all_wager(card_room, [ann, bob])
    play_on(card_room, answer="fold")
    card_room.remove_table(an_id(), "Olga", PRIME, "the evening is over")
    assert (card_room.table(PRIME).rounds, card_room.table(PRIME).last_round) == (1, "prime-1.3")
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_that_two_people_void_gives_every_wager_back(card_room: CardRoom) -> None:
    open_prime(card_room)
    ann, bob = guests(card_room, 2)
    all_wager(card_room, [ann, bob])
    card_room.make_decision(an_id(), ann, PRIME, "play")
    for second in (None, "olga"):
        with pytest.raises(SamePerson):
            card_room.void_automatic_round(an_id(), "Olga", PRIME, "the screen went dark", second=second)
    card_room.void_automatic_round(an_id(), "Olga", PRIME, "the screen went dark", second="Vera")
    assert [worth(card_room, one) for one in (ann, bob)] == [1_000_00, 1_000_00]
    past = card_room.get_round_json("prime-1.1")
    assert (past["payments"], past["void"]["second"]) == ([], "Vera")
    assert verify_card_room(card_room.ledger).is_consistent
