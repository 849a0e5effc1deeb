"""Leaving in the middle of a round, pausing and closing a table, calling a round off."""

from __future__ import annotations

import pytest

from cardroom.cards import Seal
from cardroom.floor import (
    Floor,
    NotNow,
    Phase,
    verify_floor,
)
from cardroom.jackpots.people import SamePerson
from tests.floor.felt_scenes import (
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


def test_whoever_leaves_in_the_middle_of_a_round_gets_the_chips_at_once_and_the_wagers_stay(floor: Floor) -> None:
    open_prime(floor)
    ann, bob = guests(floor, 2)
    all_wager(floor, [ann, bob])
    standing = floor.leave_seat(an_id(), ann, PRIME)
    assert floor.player(ann).balance == 990_00
    assert standing.state is Phase.PLAYING
    assert asked(floor) == bob
    with pytest.raises(NotNow, match="was left already"):
        floor.leave_seat(an_id(), ann, PRIME)
    with pytest.raises(NotNow, match=r"Your wagers of round prime-1\.1 are still played at seat 1"):
        floor.take_seat(an_id(), ann, PRIME)
    floor.answer(an_id(), bob, PRIME, "fold")
    assert floor.felt(PRIME).seat_of(ann) is None
    assert (floor.player(ann).balance, dict(floor.player(ann).seats)) == (990_00, {})
    past = floor.round_played("prime-1.1")
    assert [one["by"] for one in past["answered_by"]] == ["left", bob]
    assert verify_floor(floor.ledger).is_whole


def test_what_the_wagers_of_somebody_who_left_bring_goes_to_the_balance(
    in_a_file: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    stacked(in_a_file, monkeypatch, {1: "As Ah Ad", 2: "2c 4d 7h"}, dealer="Kc Qd 9s")
    all_wager(in_a_file, [ann, bob])
    in_a_file.answer(an_id(), ann, PRIME, "play")
    in_a_file.leave_seat(an_id(), ann, PRIME)
    assert in_a_file.player(ann).balance == 980_00
    in_a_file.answer(an_id(), bob, PRIME, "fold")
    assert in_a_file.player(ann).balance > 1_000_00
    assert verify_floor(in_a_file.ledger).is_whole


def test_when_the_last_who_has_not_wagered_leaves_the_round_begins(in_a_file: Floor) -> None:
    open_prime(in_a_file)
    ann, bob = guests(in_a_file, 2)
    in_a_file.lay_wagers(an_id(), ann, PRIME, ANTE)
    in_a_file.leave_seat(an_id(), bob, PRIME)
    assert asked(in_a_file) == ann


def test_wagers_of_a_round_that_has_not_begun_go_back_with_whoever_leaves(in_a_file: Floor) -> None:
    open_prime(in_a_file)
    ann, _ = guests(in_a_file, 2)
    in_a_file.lay_wagers(an_id(), ann, PRIME, ANTE)
    in_a_file.leave_seat(an_id(), ann, PRIME)
    assert in_a_file.player(ann).balance == 1_000_00
    assert in_a_file.felt(PRIME).laid == ()
    assert verify_floor(in_a_file.ledger).is_whole


def test_a_paused_table_plays_its_round_to_the_end_and_begins_no_other(floor: Floor) -> None:
    open_prime(floor)
    ann, bob = guests(floor, 2)
    floor.lay_wagers(an_id(), ann, PRIME, ANTE)
    floor.pause_felt(an_id(), "Olga", PRIME, "a fire drill")
    assert floor.felt(PRIME).seat_of(ann).chips == 200_00  # type: ignore[union-attr]
    with pytest.raises(NotNow, match="is paused \\(a fire drill\\)"):
        floor.lay_wagers(an_id(), bob, PRIME, ANTE)
    floor.resume_felt(an_id(), "Olga", PRIME)
    all_wager(floor, [ann, bob])
    floor.pause_felt(an_id(), "Olga", PRIME, "a fire drill")
    assert floor.felt(PRIME).phase is Phase.PLAYING
    play_on(floor, answer="fold")
    assert floor.felt(PRIME).phase is Phase.PAUSED
    assert verify_floor(floor.ledger).is_whole


def test_a_table_closes_between_rounds_everybody_gets_the_chips_back_and_the_last_key_is_told(floor: Floor) -> None:
    open_prime(floor)
    ann, bob = guests(floor, 2)
    all_wager(floor, [ann, bob])
    with pytest.raises(NotNow, match=r"Round prime-1\.1 is played"):
        floor.close_felt(an_id(), "Olga", PRIME, "the evening is over")
    play_on(floor, answer="fold")
    seal = floor.felt(PRIME).seal
    floor.close_felt(an_id(), "Olga", PRIME, "the evening is over")
    assert [floor.player(one).balance for one in (ann, bob)] == [990_00, 990_00]
    kind, closed = events_of(floor, f"felt:{PRIME}")[-1]
    assert kind == "felt-closed"
    assert Seal(bytes.fromhex(closed["key"]), "prime-1.2").matches(seal)
    with pytest.raises(NotNow, match="is closed: the evening is over"):
        floor.take_seat(an_id(), ann, PRIME)
    open_prime(floor)
    assert floor.felt(PRIME).round == "prime-1.3"
    assert verify_floor(floor.ledger).is_whole


def test_a_table_that_closes_without_play_has_no_rounds(floor: Floor) -> None:
    for _ in range(2):
        open_prime(floor)
        floor.close_felt(an_id(), "Olga", PRIME, "the evening is over")
    assert (floor.felt(PRIME).rounds, floor.felt(PRIME).last_round) == (0, None)
    open_prime(floor)
    ann, bob = guests(floor, 2)
    all_wager(floor, [ann, bob])
    play_on(floor, answer="fold")
    floor.close_felt(an_id(), "Olga", PRIME, "the evening is over")
    assert (floor.felt(PRIME).rounds, floor.felt(PRIME).last_round) == (1, "prime-1.3")
    assert verify_floor(floor.ledger).is_whole


def test_a_round_that_two_people_call_off_gives_every_wager_back(floor: Floor) -> None:
    open_prime(floor)
    ann, bob = guests(floor, 2)
    all_wager(floor, [ann, bob])
    floor.answer(an_id(), ann, PRIME, "play")
    for second in (None, "olga"):
        with pytest.raises(SamePerson):
            floor.call_off(an_id(), "Olga", PRIME, "the screen went dark", second=second)
    floor.call_off(an_id(), "Olga", PRIME, "the screen went dark", second="Vera")
    assert [worth(floor, one) for one in (ann, bob)] == [1_000_00, 1_000_00]
    past = floor.round_played("prime-1.1")
    assert (past["payments"], past["void"]["second"]) == ([], "Vera")
    assert verify_floor(floor.ledger).is_whole
