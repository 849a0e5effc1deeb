"""The players' money in the house's keeping."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from cardroom.accounts import CENT, DOLLAR, AccountKind
from cardroom.room.claim.new_claim import claim_record
from cardroom.room.claim.prizes import BadClaim
from cardroom.room.dual_control import NameMissing, SamePerson, SecondPersonMissing
from cardroom.room.event_types import DomainEvent, decode_event
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
from cardroom.room.jackpot.reconciliation import BankStatement, reconcile_account
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState, StateContradiction, UnknownLevel
from cardroom.room.jackpot.wager_counts import BadCount, LaterEvents, count_wagers, reverse_wagers
from tests.room.jackpots import TIES, TIES_BONUS, Books, duel_record

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
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 3_000))
    reductions = [
        correct_malfunction(books.state, "suit", -100, **REPORTED),
        remove_undisplayed(books.state, "suit", "reserve", 100, **BY),
        remove_undisplayed(books.state, "suit", "overflow", 100, **BY),
        recover_seed(books.state, "suit", 100, **BY),
    ]
    for (happening,) in reductions:
        payload = happening.payload
        assert payload["reason"] in set(Reduction)
        assert payload["before"] == getattr(books.state.meters[0], payload["of"])
        assert (payload["amount"], payload["change"]) == (1 * DOLLAR, -1 * DOLLAR)
        assert (payload["who"], payload["second"]) == ("Ada", "Cy")


@pytest.mark.parametrize(
    ("second", "sentence"),
    [
        ("", "name the second one beside Ada"),
        (" ADA ", "ADA cannot be the second one beside Ada"),
    ],
)
def test_nobody_adjusts_a_meter_alone(second: str, sentence: str) -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 3_000))
    above_the_cap = Books(TIES)
    above_the_cap.do(raised_above_the_ceiling(above_the_cap.state, 250_00))
    alone: Any = BY | {"second": second}
    adjustments = (
        lambda: correct_malfunction(books.state, "suit", -100, **alone, report="R-7"),
        lambda: correct_malfunction(books.state, "color", 100, **alone, report="R-7"),
        lambda: remove_undisplayed(books.state, "suit", "reserve", 100, **alone),
        lambda: recover_seed(books.state, "suit", 100, **alone),
        lambda: add_seed(books.state, "color", 100, **alone),
        lambda: lower_to_ceiling(above_the_cap.state, "suit", **alone),
    )
    for adjust in adjustments:
        with pytest.raises(SamePerson, match=f"Two people answer for an adjustment: {sentence}"):
            adjust()


def test_a_correction_names_the_report_of_its_malfunction() -> None:
    books = Books(TIES)
    (happening,) = correct_malfunction(books.state, "suit", -100, **REPORTED)
    assert happening.payload["report"] == "R-7"
    with pytest.raises(NameMissing, match="number of the malfunction's report is missing"):
        correct_malfunction(books.state, "suit", -100, **REPORTED | {"report": " "})


def test_a_correction_never_lifts_a_meter_above_its_ceiling() -> None:
    books = Books(TIES)
    with pytest.raises(BadAdjustment, match=r"\$200.01 is not possible: the ceiling of level suit leaves \$200,"):
        correct_malfunction(books.state, "suit", 200_01, **REPORTED)
    books.do(correct_malfunction(books.state, "suit", 200_00, **REPORTED))
    assert books.state.meters[0].displayed_cents == 1_200_00
    books.do(correct_malfunction(books.state, "color", 90_000_00, **REPORTED))  # it has no ceiling


def raised_above_the_ceiling(state: JackpotState, cents: int) -> tuple[DomainEvent, ...]:
    """A correction above the ceiling, which no command makes."""
    meter, amount = state.meters[0], cents * CENT
    told = {"level": meter.name, "of": "display", "reason": str(Increase.MALFUNCTION), "before": meter.display}
    moved = {"amount": amount, "change": amount, "overflow": 0, "seed_owed": 0, "undeposited": 0}
    by = {"funded": amount, "who": "Ada", "second": "Cy", "why": "stuck", "report": "R-7"}
    return (decode_event("adjusted", 1, {"jackpot": state.id, **told, **moved, **by}),)


def test_a_malfunction_is_corrected_up_and_down_at_the_house_s_cost() -> None:
    books = Books(TIES)
    books.do(correct_malfunction(books.state, "suit", 150_00, **REPORTED))
    assert books.state.meters[0].displayed_cents == 1_150_00
    assert books.balance(AccountKind.GROSS_RECEIPTS, "house") == -150 * DOLLAR
    books.do(correct_malfunction(books.state, "suit", -200_00, **REPORTED))
    assert books.state.meters[0].displayed_cents == 950_00
    assert books.balance(AccountKind.GROSS_RECEIPTS, "house") == 50 * DOLLAR
    with pytest.raises(BadAdjustment, match=r"level suit shows \$950"):
        correct_malfunction(books.state, "suit", -950_01, **REPORTED)


def test_what_is_shown_above_the_cap_goes_into_the_overflow_and_stays_the_players() -> None:
    books = Books(TIES)
    owed = books.state.owed
    with pytest.raises(BadAdjustment, match="not above a cap"):
        lower_to_ceiling(books.state, "suit", **BY)
    books.do(raised_above_the_ceiling(books.state, 250_00))
    books.do(lower_to_ceiling(books.state, "suit", **BY))
    meter = books.state.meters[0]
    assert (meter.displayed_cents, meter.overflow) == (1_200_00, 50 * DOLLAR)
    assert books.state.owed == owed + 250 * DOLLAR


def test_money_not_displayed_is_booked_as_gross_receipts() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 3_000))
    books.do(remove_undisplayed(books.state, "suit", "reserve", 100_00, **BY))
    assert books.state.meters[0].reserve == 0
    assert books.balance(AccountKind.GROSS_RECEIPTS, "house") == 100 * DOLLAR
    with pytest.raises(BadAdjustment):
        remove_undisplayed(books.state, "suit", "reserve", 1, **BY)
    with pytest.raises(BadAdjustment, match="not in 'display'"):
        remove_undisplayed(books.state, "suit", "display", 1, **BY)


def test_seed_money_is_recovered_but_no_more_than_is_owed() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 8 * 1_100))
    books.do(recover_seed(books.state, "color", 500_00, **BY))
    meter = books.state.meters[1]
    assert (meter.displayed_cents, meter.seed_owed) == (1_100_00, 0)
    with pytest.raises(BadAdjustment, match=r"level color owes the house \$0"):
        recover_seed(books.state, "color", 1, **BY)


def test_seed_money_is_recovered_only_from_what_the_meter_has_grown_above_its_reset_value() -> None:
    books = Books(TIES)
    with pytest.raises(BadAdjustment, match=r"level suit is above its reset value by \$0"):
        recover_seed(books.state, "suit", 1, **BY)
    books.do(count_wagers(books.state, "t1", 700))
    with pytest.raises(BadAdjustment, match=r"level suit is above its reset value by \$100"):
        recover_seed(books.state, "suit", 100_01, **BY)
    books.do(recover_seed(books.state, "suit", 100_00, **BY))
    assert (books.state.meters[0].displayed_cents, books.state.meters[0].seed_owed) == (1_000_00, 900 * DOLLAR)
    books.do(count_wagers(books.state, "t1", 70))
    books.do(claim_record(books.state, duel_record("suit"), books.asked("c1", round_id="r1", dealer="Kim")))
    assert books.state.meters[0].seed_owed > books.state.meters[0].display
    assert books.state.meters[0].displayed_cents == 1_000_00


def test_a_void_round_is_taken_back_to_the_hundredth_of_a_cent() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 5))
    before = books.state
    (counted,) = books.do(count_wagers(before, "t1", 4, round_id="r2"))
    (back,) = books.do(reverse_wagers(books.state, counted, LaterEvents(), **BY))
    assert back.payload["reason"] == Reduction.MALFUNCTION
    assert books.state.meters == before.meters
    assert (books.state.counted, books.state.wagered) == (before.counted, before.wagered)
    assert books.state.undeposited == before.undeposited


def test_a_void_round_that_was_deposited_is_owed_back_and_leaves_the_bank_alone() -> None:
    books = Books(TIES)
    (counted,) = books.do(count_wagers(books.state, "t1", 70, round_id="r1"))
    books.do(deposit_money(books.state, books.state.undeposited // CENT, who="Ada", reference="slip 1"))
    came_in = {level: tuple(amounts[1:4]) for level, amounts in counted.payload["levels"].items()}
    left_over, in_the_bank = books.state.undeposited, books.state.escrow
    (back,) = books.do(reverse_wagers(books.state, counted, LaterEvents(), **BY))
    assert back.payload["undeposited"] == sum(map(sum, came_in.values()))
    assert books.state.escrow == in_the_bank
    assert (books.state.undeposited, books.state.cage_advance) == (0, back.payload["undeposited"] - left_over)


def test_a_correction_after_a_deposit_is_owed_back_and_the_next_wagers_repay_it() -> None:
    books = Books(TIES)
    books.do(deposit_money(books.state, 1_500_00, who="Cy", reference="slip 1"))
    books.do(correct_malfunction(books.state, "suit", -1_25, **REPORTED))
    assert (books.state.escrow, books.state.undeposited, books.state.cage_advance) == (1_500 * DOLLAR, 0, 1_25 * CENT)
    books.do(correct_malfunction(books.state, "color", 3_00, **REPORTED))
    assert (books.state.escrow, books.state.undeposited, books.state.cage_advance) == (1_500 * DOLLAR, 1_75 * CENT, 0)


def test_the_bank_account_pays_back_what_it_owes_the_cage_and_no_more() -> None:
    books = Books(TIES)
    with pytest.raises(BadAdjustment, match="owes the cage nothing"):
        reimburse_cage(books.state, 1, who="Cy", second="Rosa", reference="T 1")
    books.do(deposit_money(books.state, 1_500_00, who="Cy", reference="slip 1"))
    books.do(correct_malfunction(books.state, "suit", -100_25, **REPORTED))
    for second in ("", None, " cy "):
        with pytest.raises(SamePerson):
            reimburse_cage(books.state, 1, who="Cy", second=second, reference="T 1")
    with pytest.raises(BadAdjustment, match=r"owes the cage \$100.25"):
        reimburse_cage(books.state, 100_26, who="Cy", second="Rosa", reference="T 1")
    books.do(reimburse_cage(books.state, 100_00, who="Cy", second="Rosa", reference="T 1"))
    assert (books.state.escrow, books.state.cage_advance) == (1_400 * DOLLAR, 25 * CENT)
    assert books.balance(AccountKind.HOUSE_CASH, "house") == -1_500 * DOLLAR + 100_25 * CENT


def test_the_cage_is_paid_back_only_from_what_a_short_account_has() -> None:
    books = Books(TIES)
    books.do(deposit_money(books.state, 1_500_00, who="Cy", reference="slip 1"))
    books.do(correct_malfunction(books.state, "suit", -100_25, **REPORTED))
    books.do(reconcile_account(books.state, told(60_00), who="Ada", shortage_cents=1_440_00))
    with pytest.raises(BadAdjustment, match=r"the bank account of ties, which is \$1,440.00 short, has \$60"):
        reimburse_cage(books.state, 60_01, who="Cy", second="Rosa", reference="T 1")
    books.do(reimburse_cage(books.state, 60_00, who="Cy", second="Rosa", reference="T 1"))
    with pytest.raises(BadAdjustment, match=r"has \$0"):
        reimburse_cage(books.state, 1, who="Cy", second="Rosa", reference="T 2")


def test_more_seed_may_be_put_on_the_meter_up_to_the_ceiling() -> None:
    books = Books(TIES)
    (happening,) = books.do(add_seed(books.state, "suit", 200_00, **BY))
    assert happening.payload["reason"] == Increase.SEED
    assert books.state.meters[0].seed_owed == 1_200 * DOLLAR
    with pytest.raises(BadAdjustment, match=r"the ceiling of level suit leaves \$0"):
        add_seed(books.state, "suit", 1, **BY)


def test_deposits_are_what_the_cage_holds_at_most() -> None:
    books = Books(TIES)
    books.do(count_wagers(books.state, "t1", 1))
    with pytest.raises(BadAdjustment, match="still has to deposit"):
        deposit_money(books.state, 1_500_31, who="Cy", reference="slip 1")
    books.do(deposit_money(books.state, 1_500_30, who="Cy", reference="slip 1"))
    assert books.state.escrow == 1_500_30 * CENT
    assert 0 < books.state.undeposited < CENT


def told(cents: int, day: date = DAY, **more: Any) -> BankStatement:
    """A statement that ends on the hour which is the number of its day."""
    return BankStatement(cents, day, day.toordinal(), **more)


def test_a_shortage_closes_the_jackpot_at_once_and_it_opens_when_it_is_made_good() -> None:
    books = Books(TIES)
    books.do(deposit_money(books.state, 1_500_00, who="Cy", reference="slip 1"))
    done = books.do(reconcile_account(books.state, told(1_499_99), who="Ada", shortage_cents=1))
    assert [happening.kind for happening in done] == ["reconciled", "jackpot-closed"]
    assert books.state.short == 1 * CENT
    with pytest.raises(BadCount, match="bank account is short"):
        count_wagers(books.state, "t1", 1)
    with pytest.raises(BadClaim, match="bank account is short"):
        claim_record(books.state, duel_record("suit"), books.asked("c", round_id="1", dealer="Dan"))
    for replaced in (1_499_99, 1_500_00):
        with pytest.raises(SecondPersonMissing, match="which replaces one that was entered"):
            reconcile_account(books.state, told(replaced), who="Ada")
    two = {"who": "Ada", "second": "Cy", "why": "a digit was wrong"}
    assert [one.kind for one in books.do(reconcile_account(books.state, told(1_499_99), **two))] == ["reconciled"]
    with pytest.raises(SecondPersonMissing, match="opens a jackpot again"):
        reconcile_account(books.state, told(1_500_00, LATER), who="Ada")
    with pytest.raises(NameMissing, match="reason is missing"):
        reconcile_account(books.state, told(1_500_00, LATER), who="Ada", second="Cy")
    with pytest.raises(SamePerson):
        reconcile_account(books.state, told(1_500_00, LATER), who="Ada", second="ada", why="made good")
    done = books.do(reconcile_account(books.state, told(1_500_00, LATER), who="Ada", second="Cy", why="made good"))
    assert [happening.kind for happening in done] == ["reconciled", "jackpot-reopened"]
    assert [(one.payload["who"], one.payload["second"]) for one in done] == [("Ada", "Cy")] * 2
    books.do(count_wagers(books.state, "t1", 1))


def test_more_in_the_bank_than_in_the_books_is_noted_and_closes_nothing() -> None:
    books = Books(TIES)
    (happening,) = books.do(reconcile_account(books.state, told(5_00), who="Ada"))
    assert happening.payload["difference"] == 5 * DOLLAR


def test_a_bonus_jackpot_holds_no_money_of_the_players() -> None:
    books = Books(TIES_BONUS)
    with pytest.raises(BadAdjustment, match="holds no money of the players"):
        correct_malfunction(books.state, "suit", 100, **REPORTED)
    for act in (add_seed, recover_seed):
        with pytest.raises(BadAdjustment, match="holds no money of the players"):
            act(books.state, "suit", 100, **BY)
    with pytest.raises(BadAdjustment, match="no bank account"):
        reconcile_account(books.state, told(0), who="Ada")


@pytest.mark.parametrize("cents", [0, -5])
def test_amounts_are_above_zero(cents: int) -> None:
    books = Books(TIES)
    for act in (add_seed, recover_seed):
        with pytest.raises(BadAdjustment):
            act(books.state, "suit", cents, **BY)
    with pytest.raises(BadAdjustment):
        deposit_money(books.state, cents, who="Cy", reference="slip")
    with pytest.raises(BadAdjustment):
        correct_malfunction(books.state, "suit", 0, **REPORTED)


def test_a_level_that_does_not_exist_is_named() -> None:
    with pytest.raises(UnknownLevel, match="it has suit, color"):
        add_seed(Books(TIES).state, "main", 100, **BY)


@pytest.mark.parametrize(
    "figures", [{"before": 1}, {"change": 5}, {"amount": 0}, {"funded": 1}, {"undeposited": 10**9}]
)
def test_a_replay_notices_an_adjustment_that_does_not_add_up(figures: dict[str, int]) -> None:
    books = Books(TIES)
    (happening,) = correct_malfunction(books.state, "suit", -100, **REPORTED)
    with pytest.raises(StateContradiction):
        apply_jackpot_event(books.state, decode_event("adjusted", 1, happening.payload | figures))
