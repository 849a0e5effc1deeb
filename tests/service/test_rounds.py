"""Rounds: counted by the tabulator or by hand, and void."""

from __future__ import annotations

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.errors import BadInput
from cardroom.room.dual_control import SamePerson
from cardroom.room.jackpot.wager_counts import BadCount
from cardroom.room.tabulator.state import LayoutMark
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service import ButtonPress, CardRoom, RoundCountResult, verify_card_room
from cardroom.service.queries.jackpot_history import list_change_lines
from tests.service.card_rooms import (
    DIAMOND_ROYAL,
    THREE_OF_A_KIND,
    WATCHED,
    final_four,
    is_covered,
    new_id,
    open_room,
    pay,
    play,
    play_fast,
    presses,
    shown,
    whole,
)


def test_a_round_is_counted_and_its_money_is_booked_once(card_room: CardRoom) -> None:
    open_room(card_room)
    answer = card_room.tabulate(new_id(), "Kim", "prime-1", {1: [2, 5, 6]})
    assert answer.counts == {"final-four": 3, "all-seven": 0}
    assert answer.counters == (3, 0)
    assert answer.lights == (LayoutMark(2, 1), LayoutMark(5, 1), LayoutMark(6, 1))
    balances = card_room.ledger.balances()
    assert balances[Account(AccountKind.CHIP_TRAY, "prime-1")] == 3 * DOLLAR
    assert balances[Account(AccountKind.GROSS_RECEIPTS, "prime-1")] == 3 * DOLLAR * 75 // 100
    assert balances[Account(AccountKind.DISPLAY, "final-four/main")] == 5_000 * DOLLAR + 60 * CENT
    assert is_covered(card_room)


def test_the_same_command_again_changes_nothing_and_gets_the_first_answer(card_room: CardRoom) -> None:
    open_room(card_room)
    press = ButtonPress("press-1", "Kim", "prime-1", {1: [1, 2]})
    (first,) = card_room.tabulate_all([press])
    play(card_room, "prime-2")
    before = whole(card_room)
    (again,) = CardRoom(card_room.ledger).tabulate_all([press])
    assert again == first
    assert whole(card_room) == before


def test_an_id_that_meant_something_else_is_refused(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.tabulate("press-1", "Kim", "prime-1", {1: [1, 2]})
    with pytest.raises(BadInput, match="press-1 belongs to an earlier command"):
        card_room.tabulate("press-1", "Kim", "prime-1", {1: [1, 2, 3]})


def test_a_round_that_is_refused_leaves_those_beside_it_untouched(card_room: CardRoom) -> None:
    open_room(card_room)
    good, bad, unknown, later = card_room.tabulate_all(
        [
            ButtonPress("one", "Kim", "prime-1", {1: [1]}),
            ButtonPress("two", "Kim", "prime-1", {1: [9]}),
            ButtonPress("three", "Kim", "prime-9", {1: [1]}),
            ButtonPress("four", "Kim", "prime-1", {1: [1, 2]}),
        ]
    )
    assert isinstance(good, RoundCountResult)
    assert isinstance(bad, CannotTabulate)
    assert "no position 9" in str(bad)
    assert isinstance(unknown, BadInput)
    assert isinstance(later, RoundCountResult)
    assert later.counters == (3, 0)


def test_a_thousand_rounds_lose_no_fraction_of_a_cent(in_a_file: CardRoom) -> None:
    open_room(in_a_file, tables=1, setup=final_four(contribution="1/7"))
    in_a_file.tabulate_all(presses("prime-1", 1_000, seats=5))
    (meter,) = in_a_file.jackpot("final-four").meters
    assert meter.display * 7 + meter.carry * 7 // meter.over == 5_000 * DOLLAR * 7 + 5_000 * DOLLAR
    assert is_covered(in_a_file)


def test_wagers_are_counted_by_hand_while_the_tabulator_is_broken(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=2)
    card_room.report_tabulator_fault(new_id(), "Kim", "prime-1", "the button sticks")
    with pytest.raises(CannotTabulate):
        play(card_room)
    answer = card_room.count_by_hand(new_id(), "Sam", "prime-1", {1: [1, 3]})
    assert answer.counts == {"final-four": 2, "all-seven": 0}
    assert answer.counters == (2, 0)  # the counter did not see them
    assert shown(card_room) == 5_000_80
    assert card_room.clear_tabulator_fault(new_id(), "Ted", "prime-1").broken is None
    assert play(card_room, seats=1).counters == (3, 0)


def test_a_counter_that_shows_more_than_is_known_brings_it_to_the_meter(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=2)
    answer = in_a_file.read_counter(new_id(), "Sam", "prime-1", [7, 0])
    assert answer.counts == {"final-four": 5, "all-seven": 0}
    assert shown(in_a_file) == 5_001_40


def test_a_void_round_is_taken_off_the_meter_again(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=4)
    before = card_room.jackpot("final-four")
    counted = play(card_room, seats=5)
    play(card_room, "prime-2", seats=1)
    answer = card_room.void_round(new_id(), "Sam", "prime-1", counted.round, "the shuffler jammed", second="Flo")
    assert answer.counts == {"final-four": -5, "all-seven": 0}
    assert answer.counters == (9, 0)  # the counter never goes back
    after = card_room.jackpot("final-four")
    assert after.meters[0].display == before.meters[0].display + 20 * CENT
    assert after.meters[0].reserve == before.meters[0].reserve + 5 * CENT
    assert card_room.ledger.balances()[Account(AccountKind.CHIP_TRAY, "prime-1")] == 4 * DOLLAR
    assert is_covered(card_room)


def test_a_round_before_the_last_can_be_void_too_but_only_once(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play_fast(in_a_file)
    first = play(in_a_file, seats=3)
    play(in_a_file, seats=2, rounds=300)
    id = new_id()
    answer = in_a_file.void_round(id, "Sam", "prime-1", first.round, "a card was exposed", second="Flo")
    assert answer.counts["final-four"] == -3
    assert in_a_file.void_round(id, "Sam", "prime-1", first.round, "a card was exposed", second="Flo") == answer
    with pytest.raises(CannotTabulate):
        in_a_file.void_round(new_id(), "Sam", "prime-1", first.round, "a card was exposed", second="Flo")
    with pytest.raises(CannotTabulate):
        in_a_file.void_round(new_id(), "Sam", "prime-1", "never", "a card was exposed", second="Flo")


def test_what_a_void_round_put_on_a_meter_stays_there_only_if_it_was_won_since(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room)
    round_ = play(card_room, seats=5).round
    play(card_room, "prime-2", seats=1, round_id="r")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-2", "r", DIAMOND_ROYAL)
    before = card_room.jackpot("final-four").meters
    card_room.void_round(new_id(), "Sam", "prime-1", round_, "the shuffler jammed", second="Flo")
    assert card_room.jackpot("final-four").meters == before
    pay(card_room, "Vera", "final-four", "win", surveillance=WATCHED)
    play(card_room, "prime-2", seats=1, round_id="r2")
    before = card_room.jackpot("final-four").meters
    later = play(card_room, seats=5).round
    card_room.claims.claim_hand("win-2", "Kim", "final-four", "prime-2", "r2", DIAMOND_ROYAL)
    card_room.claims.refuse(new_id(), "Vera", "final-four", "win-2", "the seal was broken")
    card_room.void_round(new_id(), "Sam", "prime-1", later, "the shuffler jammed", second="Flo")
    assert (
        card_room.jackpot("final-four").meters[0].display == before[0].display
    )  # a claim that was refused took nothing
    assert is_covered(card_room)


def test_a_round_before_or_after_a_pending_claim_can_be_void_and_the_history_tells(card_room: CardRoom) -> None:
    open_room(card_room)
    earlier = play(card_room, seats=5).round
    play(card_room, "prime-2", seats=1, round_id="r")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-2", "r", DIAMOND_ROYAL)
    after = play(card_room, seats=5).round
    for round_id in (earlier, after):
        card_room.void_round(new_id(), "Sam", "prime-1", round_id, "the shuffler jammed", second="Flo")
    assert shown(card_room) == 5_000_00
    assert card_room.jackpot("final-four").claims[0].cents == 5_001_20
    card_room.claims.refuse(new_id(), "Vera", "final-four", "win", "the seal was broken")
    assert shown(card_room) == 5_000_20
    newest, *_, remembered = (
        line.note
        for line in list_change_lines(card_room.history.list_jackpot_events("final-four"))
        if "comes off" in line.note
    )
    assert f"void round {earlier} of prime-1 comes off main" in newest
    assert "comes off main only if claim win is refused" in remembered
    assert is_covered(card_room)
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_round_that_was_claimed_and_refused_can_be_void(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r")
    in_a_file.claims.claim_hand("win", "Kim", "final-four", "prime-1", "r", DIAMOND_ROYAL)
    in_a_file.claims.refuse(new_id(), "Vera", "final-four", "win", "the seal was broken")
    in_a_file.void_round(new_id(), "Sam", "prime-1", "r", "the shuffler jammed", second="Flo")
    assert shown(in_a_file) == 5_000_00
    assert verify_card_room(in_a_file.ledger).is_consistent


def test_one_person_alone_cannot_declare_a_round_void(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    play(in_a_file, seats=5, round_id="r")
    before = whole(in_a_file)
    for second in (None, "sam"):
        with pytest.raises(SamePerson):
            in_a_file.void_round(new_id(), "Sam", "prime-1", "r", "the shuffler jammed", second=second)
    assert whole(in_a_file) == before


def test_a_disabled_jackpot_takes_no_wagers_and_comes_back_as_it_was(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room)
    before = card_room.jackpot("final-four")
    answer = card_room.jackpots.disable(new_id(), "Olga", "final-four", "new signs are put up")
    assert answer.unavailable == "new signs are put up"
    with pytest.raises(BadCount):
        play(card_room)
    assert card_room.jackpots.enable(new_id(), "Olga", "final-four").unavailable is None
    assert card_room.jackpot("final-four") == before


def test_a_round_in_which_something_was_won_is_void_only_when_the_claim_is_refused(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room)
    play(card_room, seats=5, round_id="won")
    play(card_room, seats=5, round_id="paid")
    card_room.claims.claim_hand("win", "Kim", "final-four", "prime-1", "won", DIAMOND_ROYAL)
    card_room.claims.claim_hand("trips", "Kim", "final-four", "prime-1", "paid", THREE_OF_A_KIND)
    for round_id in ("won", "paid"):
        with pytest.raises(CannotTabulate):
            card_room.void_round(new_id(), "Sam", "prime-1", round_id, "the shuffler jammed", second="Flo")
    card_room.claims.refuse(new_id(), "Vera", "final-four", "win", "the seal was broken")
    card_room.void_round(new_id(), "Sam", "prime-1", "won", "the shuffler jammed", second="Flo")
    assert is_covered(card_room)
