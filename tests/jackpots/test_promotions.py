"""Promotions: written rules, dates, a limit, and the same chance for all."""

from __future__ import annotations

from datetime import date

import pytest

from cardroom.accounts import DOLLAR, Account, AccountKind
from cardroom.jackpots import (
    BadFile,
    BadPromotion,
    NoPromotion,
    PaidOut,
    Promotion,
    PromotionState,
    apply_promotion,
    begin_promotion,
    end_promotion,
    open_promotion,
    pay_promotion,
    postings,
    promotion_entry,
    promotion_from,
    promotion_prize,
    promotion_state_entry,
    promotion_state_from,
    read_promotion,
)

EXTRA = """
id = "summer"
name = "Summer Straights"
game = "three-card-prime"
wager = "pair-bonus"
paytable = "PB 1+PB/LD 3"
event = "straight"
prize = "$25"
first = "2024-06-01"
last = "2024-08-31"
most_prizes = 3
most_dollars = "$60"
rules = "Every straight wins $25 more."
"""
RAISED = EXTRA.replace('prize = "$25"', 'pay = "9 to 1"')
JULY = date(2024, 7, 4)


def test_an_extra_prize_is_paid_between_its_dates_and_on_its_event() -> None:
    promotion = open_promotion(read_promotion(EXTRA))
    for when, event, prize in [
        (date(2024, 6, 1), "straight", 25_00),
        (date(2024, 8, 31), "straight", 25_00),
        (date(2024, 5, 31), "straight", 0),
        (date(2024, 9, 1), "straight", 0),
        (JULY, "flush", 0),
    ]:
        assert promotion_prize(promotion, event, when, PaidOut(), wagered=500) == prize


def test_a_raised_pay_adds_the_difference_to_the_printed_one() -> None:
    promotion = open_promotion(read_promotion(RAISED))
    printed = 6  # the table's straight
    assert promotion_prize(promotion, "straight", JULY, PaidOut(), wagered=500) == 500 * (9 - printed)


def test_a_prize_that_does_not_fit_the_limit_is_not_paid() -> None:
    promotion = open_promotion(read_promotion(EXTRA))
    assert promotion_prize(promotion, "straight", JULY, PaidOut(2, 35_00), wagered=500) == 25_00
    assert promotion_prize(promotion, "straight", JULY, PaidOut(2, 35_01), wagered=500) == 0
    assert promotion_prize(promotion, "straight", JULY, PaidOut(3, 0), wagered=500) == 0


@pytest.mark.parametrize(
    ("right", "wrong", "sentence"),
    [
        ('rules = "Every straight wins $25 more."', 'rules = " "', "must be written and displayed"),
        ('last = "2024-08-31"', 'last = "2024-05-31"', "before it begins"),
        ("most_prizes = 3", "most_prizes = 0", "needs a limit above zero"),
        ('prize = "$25"', "", "either an extra 'prize'"),
        ('prize = "$25"', 'prize = "$61"', "not over the limit"),
        ('event = "straight"', 'event = "five-aces"', "is no line of table"),
        ('paytable = "PB 1+PB/LD 3"', 'paytable = "PB 9"', "PB 9"),
        ('prize = "$25"', 'pay = "5 to 1"', "is no raise"),
        ('prize = "$25"', 'pay = "100%"', "cannot be raised to"),
        ('prize = "$25"', 'pay = "a car"', "is not a pay"),
    ],
)
def test_a_promotion_that_breaks_a_rule_does_not_begin(right: str, wrong: str, sentence: str) -> None:
    assert right in EXTRA
    with pytest.raises(BadPromotion, match=sentence):
        begin_promotion(read_promotion(EXTRA.replace(right, wrong)), who="Ada")


def test_a_date_that_is_none_is_refused() -> None:
    with pytest.raises(BadFile, match="must be a date"):
        read_promotion(EXTRA.replace("2024-06-01", "June"))


@pytest.mark.parametrize("text", [EXTRA, RAISED])
def test_a_promotion_is_written_down_and_read_again(text: str) -> None:
    promotion = read_promotion(text)
    assert promotion_from(promotion_entry(promotion)) == promotion


def begun(promotion: Promotion) -> PromotionState:
    (happening,) = begin_promotion(promotion, who="Ada")
    return apply_promotion(None, happening)


def test_the_house_pays_out_of_the_chip_tray_until_the_limit_is_reached() -> None:
    state = begun(read_promotion(EXTRA))
    for number in range(2):
        (happening,) = pay_promotion(state, "t1", "straight", JULY, wagered=500, round_id=str(number), dealer="Dan")
        (posting,) = postings(happening)
        assert posting.debit == Account(AccountKind.PRIZES, "t1")
        assert posting.credit == Account(AccountKind.CHIP_TRAY, "t1")
        assert posting.amount == 25 * DOLLAR
        state = apply_promotion(state, happening)
    assert state.paid == PaidOut(2, 50_00)
    assert promotion_state_from(promotion_state_entry(state)) == state
    assert pay_promotion(state, "t1", "straight", JULY, wagered=500, round_id="3", dealer="Dan") == ()


def test_a_promotion_can_be_ended_before_its_time() -> None:
    state = begun(read_promotion(EXTRA))
    (happening,) = end_promotion(state, who="Ada", why="the room closes")
    state = apply_promotion(state, happening)
    assert pay_promotion(state, "t1", "straight", JULY, wagered=500, round_id="3", dealer="Dan") == ()
    with pytest.raises(NoPromotion, match="has ended already"):
        end_promotion(state, who="Ada", why="again")
    with pytest.raises(NoPromotion):
        apply_promotion(None, happening)
