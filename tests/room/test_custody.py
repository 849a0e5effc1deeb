"""The players' money in the house's keeping."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from cardroom.chart_of_accounts import CENT, DOLLAR, AccountKind
from cardroom.room.claim.new_claim import claim_record
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.dual_control import NameMissing, SamePerson, SecondPersonMissing
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.bank_reconciliation import BankStatement, reconcile_account
from cardroom.room.jackpot.custody import (
    BadAdjustment,
    add_seed,
    correct_malfunction,
    deposit_money,
    lower_to_ceiling,
    recover_seed,
    reimburse_cage,
    remove_undisplayed,
)
from cardroom.room.jackpot.event_values import Increase, Reduction
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState, StateContradiction, UnknownLevel
from cardroom.room.jackpot.wager_counts import BadCount, LaterEvents, count_wagers, reverse_wagers
from tests.room.jackpots import TIES, TIES_BONUS, JackpotLedger, duel_record

BY: Any = {"who": "Ada", "second": "Cy", "why": "the button stuck"}
DAY, LATER = date(2026, 3, 1), date(2026, 3, 2)
REPORTED: Any = BY | {"report": "R-7"}


def test_there_are_five_reasons_to_reduce_a_progressive() -> None:
    assert list(Reduction) == [
        "prize won",
        "correction of a malfunction",
        "display above the cap",
        "removal of money not displayed, booked as gross receipts",
        "recovery of seed money",
    ]


def test_every_change_has_a_beginning_amount_an_amount_and_a_reason() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 3_000))
    reductions = [
        correct_malfunction(ledger.state, "suit", -100, **REPORTED),
        remove_undisplayed(ledger.state, "suit", "reserve", 100, **BY),
        remove_undisplayed(ledger.state, "suit", "overflow", 100, **BY),
        recover_seed(ledger.state, "suit", 100, **BY),
    ]
    for (event,) in reductions:
        payload = event.payload
        assert payload["reason"] in set(Reduction)
        assert payload["before"] == getattr(ledger.state.meters[0], payload["of"])
        assert (payload["amount"], payload["change"]) == (1 * DOLLAR, -1 * DOLLAR)
        assert (payload["who"], payload["second"]) == ("Ada", "Cy")


@pytest.mark.parametrize(
    ("second", "refusal"),
    [
        ("", SecondPersonMissing),
        (" ADA ", SamePerson),
    ],
)
def test_an_adjustment_needs_two_people(second: str, refusal: type[Exception]) -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 3_000))
    above_the_cap = JackpotLedger(TIES)
    above_the_cap.do(raised_above_the_ceiling(above_the_cap.state, 250_00))
    alone: Any = BY | {"second": second}
    adjustments = (
        lambda: correct_malfunction(ledger.state, "suit", -100, **alone, report="R-7"),
        lambda: correct_malfunction(ledger.state, "color", 100, **alone, report="R-7"),
        lambda: remove_undisplayed(ledger.state, "suit", "reserve", 100, **alone),
        lambda: recover_seed(ledger.state, "suit", 100, **alone),
        lambda: add_seed(ledger.state, "color", 100, **alone),
        lambda: lower_to_ceiling(above_the_cap.state, "suit", **alone),
    )
    for adjust in adjustments:
        with pytest.raises(refusal):
            adjust()


def test_a_correction_names_the_report_of_its_malfunction() -> None:
    ledger = JackpotLedger(TIES)
    (event,) = correct_malfunction(ledger.state, "suit", -100, **REPORTED)
    assert event.payload["report"] == "R-7"
    with pytest.raises(NameMissing):
        correct_malfunction(ledger.state, "suit", -100, **REPORTED | {"report": " "})


def test_a_correction_never_lifts_a_meter_above_its_ceiling() -> None:
    ledger = JackpotLedger(TIES)
    with pytest.raises(BadAdjustment, match=r"\$200.01"):
        correct_malfunction(ledger.state, "suit", 200_01, **REPORTED)
    ledger.do(correct_malfunction(ledger.state, "suit", 200_00, **REPORTED))
    assert ledger.state.meters[0].displayed_cents == 1_200_00
    ledger.do(correct_malfunction(ledger.state, "color", 90_000_00, **REPORTED))  # it has no ceiling


def raised_above_the_ceiling(state: JackpotState, cents: int) -> tuple[DomainEvent, ...]:
    """A correction above the ceiling, which no command makes."""
    meter, amount = state.meters[0], cents * CENT
    figures = {"level": meter.name, "of": "display", "reason": str(Increase.MALFUNCTION), "before": meter.display}
    moved = {"amount": amount, "change": amount, "overflow": 0, "seed_owed": 0, "undeposited": 0}
    by = {"funded": amount, "who": "Ada", "second": "Cy", "why": "stuck", "report": "R-7"}
    return (decode_event("adjusted", 1, {"jackpot": state.id, **figures, **moved, **by}),)


def test_a_malfunction_is_corrected_up_and_down_at_the_house_s_cost() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(correct_malfunction(ledger.state, "suit", 150_00, **REPORTED))
    assert ledger.state.meters[0].displayed_cents == 1_150_00
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "house") == -150 * DOLLAR
    ledger.do(correct_malfunction(ledger.state, "suit", -200_00, **REPORTED))
    assert ledger.state.meters[0].displayed_cents == 950_00
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "house") == 50 * DOLLAR
    with pytest.raises(BadAdjustment, match=r"\$950"):
        correct_malfunction(ledger.state, "suit", -950_01, **REPORTED)


def test_what_is_shown_above_the_cap_goes_into_the_overflow_and_stays_the_players() -> None:
    ledger = JackpotLedger(TIES)
    owed = ledger.state.owed
    with pytest.raises(BadAdjustment):
        lower_to_ceiling(ledger.state, "suit", **BY)
    ledger.do(raised_above_the_ceiling(ledger.state, 250_00))
    ledger.do(lower_to_ceiling(ledger.state, "suit", **BY))
    meter = ledger.state.meters[0]
    assert (meter.displayed_cents, meter.overflow) == (1_200_00, 50 * DOLLAR)
    assert ledger.state.owed == owed + 250 * DOLLAR


def test_money_not_displayed_is_booked_as_gross_receipts() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 3_000))
    ledger.do(remove_undisplayed(ledger.state, "suit", "reserve", 100_00, **BY))
    assert ledger.state.meters[0].reserve == 0
    assert ledger.balance(AccountKind.GROSS_RECEIPTS, "house") == 100 * DOLLAR
    with pytest.raises(BadAdjustment):
        remove_undisplayed(ledger.state, "suit", "reserve", 1, **BY)
    with pytest.raises(BadAdjustment):
        remove_undisplayed(ledger.state, "suit", "display", 1, **BY)


def test_seed_money_is_recovered_but_no_more_than_is_owed() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 8 * 1_100))
    ledger.do(recover_seed(ledger.state, "color", 500_00, **BY))
    meter = ledger.state.meters[1]
    assert (meter.displayed_cents, meter.seed_owed) == (1_100_00, 0)
    with pytest.raises(BadAdjustment, match=r"\$0"):
        recover_seed(ledger.state, "color", 1, **BY)


def test_seed_money_is_recovered_only_from_what_the_meter_has_grown_above_its_reset_value() -> None:
    ledger = JackpotLedger(TIES)
    with pytest.raises(BadAdjustment, match=r"\$0"):
        recover_seed(ledger.state, "suit", 1, **BY)
    ledger.do(count_wagers(ledger.state, "t1", 700))
    with pytest.raises(BadAdjustment, match=r"\$100"):
        recover_seed(ledger.state, "suit", 100_01, **BY)
    ledger.do(recover_seed(ledger.state, "suit", 100_00, **BY))
    assert (ledger.state.meters[0].displayed_cents, ledger.state.meters[0].seed_owed) == (1_000_00, 900 * DOLLAR)
    ledger.do(count_wagers(ledger.state, "t1", 70))
    ledger.do(claim_record(ledger.state, duel_record("suit"), ledger.submission("c1", round_id="r1", dealer="Kim")))
    assert ledger.state.meters[0].seed_owed > ledger.state.meters[0].display
    assert ledger.state.meters[0].displayed_cents == 1_000_00


def test_a_void_round_is_taken_back_to_the_hundredth_of_a_cent() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 5))
    before = ledger.state
    (counted,) = ledger.do(count_wagers(before, "t1", 4, round_id="r2"))
    (back,) = ledger.do(reverse_wagers(ledger.state, counted, LaterEvents(), **BY))
    assert back.payload["reason"] == Reduction.MALFUNCTION
    assert ledger.state.meters == before.meters
    assert (ledger.state.counted, ledger.state.wagered) == (before.counted, before.wagered)
    assert ledger.state.undeposited == before.undeposited


def test_a_void_round_that_was_deposited_is_owed_back_and_leaves_the_bank_alone() -> None:
    ledger = JackpotLedger(TIES)
    (counted,) = ledger.do(count_wagers(ledger.state, "t1", 70, round_id="r1"))
    ledger.do(deposit_money(ledger.state, ledger.state.undeposited // CENT, who="Ada", reference="slip 1"))
    came_in = {level: tuple(amounts[1:4]) for level, amounts in counted.payload["levels"].items()}
    left_over, in_the_bank = ledger.state.undeposited, ledger.state.escrow
    (back,) = ledger.do(reverse_wagers(ledger.state, counted, LaterEvents(), **BY))
    assert back.payload["undeposited"] == sum(map(sum, came_in.values()))
    assert ledger.state.escrow == in_the_bank
    assert (ledger.state.undeposited, ledger.state.cage_advance) == (0, back.payload["undeposited"] - left_over)


def test_a_correction_after_a_deposit_is_owed_back_and_the_next_wagers_repay_it() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(deposit_money(ledger.state, 1_500_00, who="Cy", reference="slip 1"))
    ledger.do(correct_malfunction(ledger.state, "suit", -1_25, **REPORTED))
    assert (ledger.state.escrow, ledger.state.undeposited, ledger.state.cage_advance) == (
        1_500 * DOLLAR,
        0,
        1_25 * CENT,
    )
    ledger.do(correct_malfunction(ledger.state, "color", 3_00, **REPORTED))
    assert (ledger.state.escrow, ledger.state.undeposited, ledger.state.cage_advance) == (
        1_500 * DOLLAR,
        1_75 * CENT,
        0,
    )


def test_the_bank_account_pays_back_what_it_owes_the_cage_and_no_more() -> None:
    ledger = JackpotLedger(TIES)
    with pytest.raises(BadAdjustment):
        reimburse_cage(ledger.state, 1, who="Cy", second="Rosa", reference="T 1")
    ledger.do(deposit_money(ledger.state, 1_500_00, who="Cy", reference="slip 1"))
    ledger.do(correct_malfunction(ledger.state, "suit", -100_25, **REPORTED))
    for second in ("", None, " cy "):
        with pytest.raises(SamePerson):
            reimburse_cage(ledger.state, 1, who="Cy", second=second, reference="T 1")
    with pytest.raises(BadAdjustment, match=r"\$100.25"):
        reimburse_cage(ledger.state, 100_26, who="Cy", second="Rosa", reference="T 1")
    ledger.do(reimburse_cage(ledger.state, 100_00, who="Cy", second="Rosa", reference="T 1"))
    assert (ledger.state.escrow, ledger.state.cage_advance) == (1_400 * DOLLAR, 25 * CENT)
    assert ledger.balance(AccountKind.HOUSE_CASH, "house") == -1_500 * DOLLAR + 100_25 * CENT


def test_the_cage_is_paid_back_only_from_what_a_short_account_has() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(deposit_money(ledger.state, 1_500_00, who="Cy", reference="slip 1"))
    ledger.do(correct_malfunction(ledger.state, "suit", -100_25, **REPORTED))
    ledger.do(reconcile_account(ledger.state, statement(60_00), who="Ada", shortage_cents=1_440_00))
    with pytest.raises(BadAdjustment, match=r"\$1,440.00"):
        reimburse_cage(ledger.state, 60_01, who="Cy", second="Rosa", reference="T 1")
    ledger.do(reimburse_cage(ledger.state, 60_00, who="Cy", second="Rosa", reference="T 1"))
    with pytest.raises(BadAdjustment, match=r"\$0"):
        reimburse_cage(ledger.state, 1, who="Cy", second="Rosa", reference="T 2")


def test_more_seed_may_be_put_on_the_meter_up_to_the_ceiling() -> None:
    ledger = JackpotLedger(TIES)
    (event,) = ledger.do(add_seed(ledger.state, "suit", 200_00, **BY))
    assert event.payload["reason"] == Increase.SEED
    assert ledger.state.meters[0].seed_owed == 1_200 * DOLLAR
    with pytest.raises(BadAdjustment, match=r"\$0"):
        add_seed(ledger.state, "suit", 1, **BY)


def test_deposits_are_what_the_cage_holds_at_most() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(count_wagers(ledger.state, "t1", 1))
    with pytest.raises(BadAdjustment):
        deposit_money(ledger.state, 1_500_31, who="Cy", reference="slip 1")
    ledger.do(deposit_money(ledger.state, 1_500_30, who="Cy", reference="slip 1"))
    assert ledger.state.escrow == 1_500_30 * CENT
    assert 0 < ledger.state.undeposited < CENT


def statement(cents: int, day: date = DAY, **more: Any) -> BankStatement:
    """A statement that ends on the hour which is the number of its day."""
    return BankStatement(cents, day, day.toordinal(), **more)


def test_a_shortage_closes_the_jackpot_at_once_and_it_opens_when_it_is_made_good() -> None:
    ledger = JackpotLedger(TIES)
    ledger.do(deposit_money(ledger.state, 1_500_00, who="Cy", reference="slip 1"))
    done = ledger.do(reconcile_account(ledger.state, statement(1_499_99), who="Ada", shortage_cents=1))
    assert [event.kind for event in done] == ["reconciled", "jackpot-closed"]
    assert ledger.state.short == 1 * CENT
    with pytest.raises(BadCount):
        count_wagers(ledger.state, "t1", 1)
    with pytest.raises(BadClaim):
        claim_record(ledger.state, duel_record("suit"), ledger.submission("c", round_id="1", dealer="Dan"))
    for replaced in (1_499_99, 1_500_00):
        with pytest.raises(SecondPersonMissing):
            reconcile_account(ledger.state, statement(replaced), who="Ada")
    two = {"who": "Ada", "second": "Cy", "why": "a digit was wrong"}
    assert [one.kind for one in ledger.do(reconcile_account(ledger.state, statement(1_499_99), **two))] == [
        "reconciled"
    ]
    with pytest.raises(SecondPersonMissing):
        reconcile_account(ledger.state, statement(1_500_00, LATER), who="Ada")
    with pytest.raises(NameMissing):
        reconcile_account(ledger.state, statement(1_500_00, LATER), who="Ada", second="Cy")
    with pytest.raises(SamePerson):
        reconcile_account(ledger.state, statement(1_500_00, LATER), who="Ada", second="ada", why="made good")
    done = ledger.do(
        reconcile_account(ledger.state, statement(1_500_00, LATER), who="Ada", second="Cy", why="made good")
    )
    assert [event.kind for event in done] == ["reconciled", "jackpot-reopened"]
    assert [(one.payload["who"], one.payload["second"]) for one in done] == [("Ada", "Cy")] * 2
    ledger.do(count_wagers(ledger.state, "t1", 1))


def test_more_in_the_bank_than_in_the_books_is_noted_and_closes_nothing() -> None:
    ledger = JackpotLedger(TIES)
    (event,) = ledger.do(reconcile_account(ledger.state, statement(5_00), who="Ada"))
    assert event.payload["difference"] == 5 * DOLLAR


def test_a_bonus_jackpot_holds_no_money_of_the_players() -> None:
    ledger = JackpotLedger(TIES_BONUS)
    with pytest.raises(BadAdjustment):
        correct_malfunction(ledger.state, "suit", 100, **REPORTED)
    for act in (add_seed, recover_seed):
        with pytest.raises(BadAdjustment):
            act(ledger.state, "suit", 100, **BY)
    with pytest.raises(BadAdjustment):
        reconcile_account(ledger.state, statement(0), who="Ada")


@pytest.mark.parametrize("cents", [0, -5])
def test_amounts_are_above_zero(cents: int) -> None:
    ledger = JackpotLedger(TIES)
    for act in (add_seed, recover_seed):
        with pytest.raises(BadAdjustment):
            act(ledger.state, "suit", cents, **BY)
    with pytest.raises(BadAdjustment):
        deposit_money(ledger.state, cents, who="Cy", reference="slip")
    with pytest.raises(BadAdjustment):
        correct_malfunction(ledger.state, "suit", 0, **REPORTED)


def test_a_level_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownLevel):
        add_seed(JackpotLedger(TIES).state, "main", 100, **BY)


@pytest.mark.parametrize(
    "figures", [{"before": 1}, {"change": 5}, {"amount": 0}, {"funded": 1}, {"undeposited": 10**9}]
)
def test_a_replay_notices_an_adjustment_that_does_not_add_up(figures: dict[str, int]) -> None:
    ledger = JackpotLedger(TIES)
    (event,) = correct_malfunction(ledger.state, "suit", -100, **REPORTED)
    with pytest.raises(StateContradiction):
        apply_jackpot_event(ledger.state, decode_event("adjusted", 1, event.payload | figures))
