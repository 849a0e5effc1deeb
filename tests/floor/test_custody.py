"""The players' money in the house's keeping."""

from __future__ import annotations

import pytest

from cardroom.accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.floor import Floor
from cardroom.jackpots import BadAdjustment, BadChange, BadCount, NobodyNamed
from tests.floor.scenes import all_seven, final_four, is_covered, new_id, open_room, play, shown, whole


def test_a_deposit_moves_money_from_the_cage_to_the_bank(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=4)
    answer = floor.deposit(new_id(), "Carl", "final-four", 5_000_00, "slip 17")
    assert (answer.escrow, answer.undeposited) == (5_000 * DOLLAR, DOLLAR)
    with pytest.raises(BadAdjustment, match="still has to deposit \\$1"):
        floor.deposit(new_id(), "Carl", "final-four", 2_00, "slip 18")


def test_a_bank_account_that_is_short_closes_the_jackpot_until_it_is_made_good(floor: Floor) -> None:
    open_room(floor)
    floor.deposit(new_id(), "Carl", "final-four", 5_000_00, "slip 17")
    closed = floor.reconcile(new_id(), "Carl", "final-four", 4_900_00)
    assert closed.short == 100 * DOLLAR
    with pytest.raises(BadCount, match="bank account is short"):
        play(floor)
    opened = floor.reconcile(new_id(), "Carl", "final-four", 5_000_00)
    assert opened.short == 0
    play(floor)


def test_every_reduction_has_a_reason_and_an_entry(in_a_file: Floor) -> None:
    floor = in_a_file
    open_room(floor, setup=final_four(ceiling="$5,000.50"))
    play(floor, seats=6)  # 50 cents are shown, 70 are overflow
    assert shown(floor) == 5_000_50
    floor.correct_malfunction(new_id(), "Olga", "final-four", "main", 30_00, "report 4")
    floor.lower_to_the_cap(new_id(), "Olga", "final-four", "main", "the sign showed too much")
    floor.correct_malfunction(new_id(), "Olga", "final-four", "main", -10, "report 5")
    floor.recover_seed(new_id(), "Olga", "final-four", "main", 30, "as announced")
    floor.add_seed(new_id(), "Olga", "final-four", "main", 20, "the anniversary")
    floor.remove_hidden(new_id(), "Olga", "final-four", "main", "reserve", 30, "the end of the year")
    answer = floor.remove_hidden(new_id(), "Olga", "final-four", "main", "overflow", 30_70, "the end of the year")
    (meter,) = answer.meters
    assert (meter.shown, meter.reserve, meter.overflow) == (5_000_30, 0, 0)
    assert meter.seed_owed == 4_999_90 * CENT
    reasons = [event.payload["reason"] for event in floor.recall_jackpot("final-four") if event.kind == "adjusted"]
    assert len(reasons) == 7
    assert is_covered(floor)
    with pytest.raises(NobodyNamed):
        floor.correct_malfunction(new_id(), " ", "final-four", "main", -1, "report 6")


def test_an_adjustment_that_is_not_allowed_changes_nothing(floor: Floor) -> None:
    open_room(floor)
    before = whole(floor)
    with pytest.raises(BadAdjustment):
        floor.correct_malfunction(new_id(), "Olga", "final-four", "main", -5_001_00, "report 4")
    assert whole(floor) == before


def test_a_bonus_jackpot_may_go_at_any_time_and_a_progressive_may_not(in_a_file: Floor) -> None:
    open_room(in_a_file)
    in_a_file.open_jackpot(new_id(), "Olga", all_seven("bonus"))
    assert in_a_file.remove(new_id(), "Olga", "all-seven", "nobody plays it").unavailable == "it was removed"
    with pytest.raises(BadChange, match="the players'"):
        in_a_file.remove(new_id(), "Olga", "final-four", "nobody plays it")


def test_debits_equal_credits_whatever_happened(floor: Floor) -> None:
    open_room(floor)
    play(floor, seats=6, rounds=3)
    floor.deposit(new_id(), "Carl", "final-four", 12, "slip 1")
    balances = floor.ledger.balances()
    debits = sum(amount for account, amount in balances.items() if account.kind.is_debit)
    assert debits == sum(amount for account, amount in balances.items() if not account.kind.is_debit)
    assert balances[Account(AccountKind.ESCROW, "final-four")] == 12 * CENT
