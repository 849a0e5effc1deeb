"""The players' money in the custody of the house."""

from __future__ import annotations

from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind
from cardroom.room.dual_control import NameMissing, SamePerson
from cardroom.room.jackpot.bank_reconciliation import UnconfirmedShortage
from cardroom.room.jackpot.custody import BadAdjustment
from cardroom.room.jackpot.lifecycle import BadParameterChange
from cardroom.room.jackpot.wager_counts import BadCount
from cardroom.room.site.malfunction_reports import UnknownReport
from cardroom.service import CardRoom, verify_card_room
from tests.room.test_custody import raised_above_the_ceiling
from tests.service.card_rooms import all_seven, final_four, is_covered, new_id, open_room, play, shown, whole
from tests.service.test_verification import _commit


def test_a_deposit_moves_money_from_the_cage_to_the_bank(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=4)
    result = card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 5_000_00, "slip 17")
    assert (result.escrow, result.undeposited) == (5_000 * DOLLAR, DOLLAR)
    with pytest.raises(BadAdjustment, match=r"\$1"):
        card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 2_00, "slip 18")


def test_a_confirmed_shortage_closes_the_jackpot_until_the_money_is_there(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 5_000_00, "slip 17")
    before = whole(card_room)
    for shortage in (0, 99_99, 4_900_00):  # a typing error closes nothing
        with pytest.raises(UnconfirmedShortage, match=r"\$100"):
            card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 4_900_00, day=None, shortage_cents=shortage)
    assert whole(card_room) == before
    closed = card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 4_900_00, day=None, shortage_cents=100_00)
    assert closed.summary.short == 100 * DOLLAR
    with pytest.raises(BadCount):
        play(card_room)
    with pytest.raises(SamePerson):
        card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 5_000_00, day=None)
    reopening: Any = {"second": "Olga", "why": "the teller's slip was misread"}
    opened = card_room.jackpots.reconcile(new_id(), "Carl", "final-four", 5_000_00, day=None, **reopening)
    assert opened.summary.short == 0
    play(card_room)


def test_every_reduction_has_a_reason_and_an_entry(in_a_file: CardRoom) -> None:
    card_room = in_a_file
    open_room(card_room, setup=final_four(ceiling="$5,000.50"))
    play(card_room, seats=6)  # 50 cents are shown, 70 are overflow
    assert shown(card_room) == 5_000_50
    raise_above_the_ceiling(card_room, 30_00)
    card_room.jackpots.lower_to_ceiling(
        new_id(), "Olga", "final-four", "main", "the sign showed too much", second="Carl"
    )
    report_malfunction(card_room)
    card_room.jackpots.correct_malfunction(
        new_id(), "Olga", "final-four", "main", -10, "stuck", second="Carl", report="R-4"
    )
    card_room.jackpots.recover_seed(new_id(), "Olga", "final-four", "main", 30, "as announced", second="Carl")
    card_room.jackpots.add_seed(new_id(), "Olga", "final-four", "main", 20, "the anniversary", second="Carl")
    card_room.jackpots.remove_undisplayed_money(
        new_id(), "Olga", "final-four", "main", "reserve", 30, "the end of the year", second="Carl"
    )
    result = card_room.jackpots.remove_undisplayed_money(
        new_id(), "Olga", "final-four", "main", "overflow", 30_70, "the end of the year", second="Carl"
    )
    (meter,) = result.meters
    assert (meter.shown, meter.reserve, meter.overflow) == (5_000_30, 0, 0)
    assert meter.seed_owed == 4_999_90 * CENT
    reasons = [
        event.payload["reason"]
        for event in card_room.history.list_jackpot_events("final-four")
        if event.kind == "adjusted"
    ]
    assert len(reasons) == 7
    assert is_covered(card_room)
    with pytest.raises(NameMissing):
        card_room.jackpots.correct_malfunction(
            new_id(), " ", "final-four", "main", -1, "stuck", second="Carl", report="R-4"
        )


def report_malfunction(card_room: CardRoom, number: str = "R-4", subject: str = "final-four") -> None:
    card_room.malfunctions.report(new_id(), "Olga", number, subject, found_at="00:00", why="The button stuck")


def raise_above_the_ceiling(card_room: CardRoom, cents: int) -> None:
    """Raise the meter above its ceiling, which no command does."""
    (raised,) = raised_above_the_ceiling(card_room.jackpot("final-four"), cents)
    _commit(card_room, "jackpot:final-four", raised.kind, raised.payload)


def test_an_adjustment_that_is_not_allowed_changes_nothing(card_room: CardRoom) -> None:
    open_room(card_room)
    report_malfunction(card_room)
    signed_report: Any = {"second": "Carl", "report": "R-4"}
    before = whole(card_room)
    with pytest.raises(BadAdjustment):
        card_room.jackpots.correct_malfunction(
            new_id(), "Olga", "final-four", "main", -5_001_00, "stuck", **signed_report
        )
    with pytest.raises(SamePerson):
        card_room.jackpots.correct_malfunction(new_id(), "Carl", "final-four", "main", -1, "stuck", **signed_report)
    assert whole(card_room) == before


def test_a_correction_needs_an_open_report_about_this_jackpot(card_room: CardRoom) -> None:
    open_room(card_room)
    card_room.jackpots.open(new_id(), "Olga", all_seven())
    report_malfunction(card_room, "R-4")
    report_malfunction(card_room, "R-5", "all-seven")
    report_malfunction(card_room, "R-6", "prime-1")

    def correct(number: str) -> None:
        signed_report: Any = {"second": "Carl", "report": number}
        card_room.jackpots.correct_malfunction(new_id(), "Olga", "final-four", "main", -1, "stuck", **signed_report)

    with pytest.raises(UnknownReport, match="R-3"):
        correct("R-3")
    with pytest.raises(UnknownReport, match="R-5"):
        correct("R-5")
    correct("R-4")
    correct("R-6")
    card_room.malfunctions.close(new_id(), "Olga", "R-4", "corrected")
    with pytest.raises(UnknownReport, match="R-5"):
        correct("R-4")
    events = card_room.history.list_jackpot_events("final-four")
    reports = [event.payload["report"] for event in events if event.kind == "adjusted"]
    assert reports == ["R-6", "R-4"]
    assert verify_card_room(card_room.ledger).is_consistent


def test_a_bonus_jackpot_can_be_removed_at_any_time_and_a_progressive_cannot(in_a_file: CardRoom) -> None:
    open_room(in_a_file)
    in_a_file.jackpots.open(new_id(), "Olga", all_seven("bonus"))
    assert (
        in_a_file.jackpots.remove(new_id(), "Olga", "all-seven", "no player wants it", second="Carl").unavailable
        == "it was removed"
    )
    with pytest.raises(BadParameterChange):
        in_a_file.jackpots.remove(new_id(), "Olga", "final-four", "no player wants it", second="Carl")


def test_debits_equal_credits_after_play_and_a_deposit(card_room: CardRoom) -> None:
    open_room(card_room)
    play(card_room, seats=6, rounds=3)
    card_room.jackpots.deposit_to_bank(new_id(), "Carl", "final-four", 12, "slip 1")
    balances = card_room.ledger.balances()
    debits = sum(amount for account, amount in balances.items() if account.kind.is_debit)
    assert debits == sum(amount for account, amount in balances.items() if not account.kind.is_debit)
    assert balances[Account(AccountKind.ESCROW, "final-four")] == 12 * CENT
