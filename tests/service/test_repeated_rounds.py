"""A round that was counted is known for as long as the books are: it is never counted again, and it is always found."""

from __future__ import annotations

import pytest

from cardroom.ledger import BadCommand
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import ButtonPress, CardRoom, RoundCountResult, verify_card_room
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    final_four,
    new_id,
    open_room,
    play,
    presses,
    whole,
)


def test_a_round_is_never_counted_again_however_many_came_after_it(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.tabulate("press-1", "Kim", "prime-1", {1: [1, 2]}, round_id="r1")
    play(card_room, round_id="r2")
    before = whole(card_room)
    with pytest.raises(CannotTabulate, match=r"r1.*press-1.*2"):
        play(card_room, round_id="r1")
    with pytest.raises(CannotTabulate, match=r"r2.*prime-1.*20"):
        play(CardRoom(card_room.ledger), round_id="r2")
    assert whole(card_room) == before
    assert play(card_room, round_id="r3").counters == (14, 0)
    assert verify_card_room(card_room.ledger).is_consistent


def test_the_same_command_still_gets_its_first_answer(card_room: CardRoom) -> None:
    open_room(card_room)
    first = card_room.tabulate("press-1", "Kim", "prime-1", {1: [1, 2]}, round_id="r1")
    play(card_room, round_id="r2")
    assert card_room.tabulate("press-1", "Kim", "prime-1", {1: [1, 2]}, round_id="r1") == first


def test_each_table_has_rounds_of_its_own(card_room: CardRoom) -> None:
    open_room(card_room)
    assert play(card_room, "prime-1", round_id="r1").counters == (6, 0)
    assert play(card_room, "prime-2", round_id="r1").counters == (6, 0)


def test_a_round_is_not_counted_twice_within_one_commit(card_room: CardRoom) -> None:
    open_room(card_room)
    rounds = [
        ButtonPress(f"p{at}", "Kim", "prime-1", {1: [1]}, round_id=id) for at, id in enumerate(("r1", "r2", "r1"))
    ]
    first, second, again = card_room.tabulate_all(rounds)
    assert isinstance(first, RoundCountResult)
    assert isinstance(second, RoundCountResult)
    assert isinstance(again, CannotTabulate)
    assert "by command p0 (event 2" in str(again)
    assert card_room.tabulator("prime-1").tabulator.counters == (2, 0)
    assert verify_card_room(card_room.ledger).is_consistent


def test_what_was_tabulated_is_not_counted_by_hand_and_the_other_way_round(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "the button sticks")
    card_room.count_by_hand(new_id(), "Sam", "prime-1", {1: [1]}, round_id="by-hand")
    card_room.count_by_hand(new_id(), "Sam", "prime-1", {1: [1]}, round_id="r2")
    with pytest.raises(CannotTabulate, match="r1"):
        card_room.count_by_hand(new_id(), "Sam", "prime-1", {1: [1]}, round_id="r1")
    card_room.clear_tabulator_fault(new_id(), "Ted", "prime-1")
    with pytest.raises(CannotTabulate):
        play(card_room, round_id="by-hand")


def test_a_void_round_stays_known(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, round_id="r1")
    play(card_room, round_id="r2")
    card_room.void_round(new_id(), "Sam", "prime-1", "r1", "the shuffler jammed", second="Flo")
    play(card_room, round_id="r3")
    with pytest.raises(CannotTabulate, match="r1"):
        play(card_room, round_id="r1")


def test_a_round_that_was_refused_is_not_known(card_room: CardRoom) -> None:
    open_room(card_room)
    with pytest.raises(CannotTabulate):
        card_room.tabulate(new_id(), "Kim", "prime-1", {1: [9]}, round_id="r1")
    assert play(card_room, round_id="r1").counters == (6, 0)


def test_a_round_of_long_ago_is_found_to_be_claimed_or_void(card_room: CardRoom) -> None:
    open_room(card_room, tables=1, setup=final_four())
    play(card_room, seats=3, round_id="won")
    play(card_room, seats=2, round_id="void")
    card_room.tabulate_all(presses("prime-1", 600))
    assert card_room.claims.list_wagered_positions("final-four", "prime-1", "won") == (1, 2, 3)
    assert card_room.claims.list_wagered_positions("final-four", "prime-1", "never") == ()
    assert card_room.claims.claim_hand("c1", "Kim", "final-four", "prime-1", "won", THREE_OF_A_KIND).cents == 25_00
    answer = card_room.void_round(new_id(), "Sam", "prime-1", "void", "a card was exposed", second="Flo")
    assert answer.counts["final-four"] == -2
    with pytest.raises(CannotTabulate):
        card_room.void_round(new_id(), "Sam", "prime-1", "never", "a card was exposed", second="Flo")
    assert card_room.claims.claim_hand("c2", "Kim", "final-four", "prime-1", "prime-1-7", DIAMOND_ROYAL).order == 1
    assert verify_card_room(card_room.ledger).is_consistent


@pytest.mark.parametrize("round_id", ["r\n1", "r\0", "x" * 201])
def test_a_round_has_an_id_that_can_be_kept(card_room: CardRoom, round_id: str) -> None:
    open_room(card_room)
    with pytest.raises(BadCommand, match="printable"):
        play(card_room, round_id=round_id)
