from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.paytables import (
    BadPay,
    BadWager,
    Basis,
    BonusKind,
    Dollars,
    ForOne,
    Loss,
    NotWholeCents,
    OperatorBonus,
    Pay,
    Percent,
    Push,
    ToOne,
    UnknownAmount,
    compute_return,
    describe_pay,
    is_payable,
    parse_pay,
)

odds = st.fractions(min_value=Fraction(1, 100), max_value=1_000_000, max_denominator=100)
wagers = st.integers(min_value=0, max_value=400_00)
cents = st.integers(min_value=0, max_value=10**9)
shares = st.integers(min_value=1, max_value=10_000).map(lambda n: Fraction(n, 10_000))
fixed_pays = st.one_of(odds.map(ToOne), odds.map(ForOne), st.just(Push()), st.just(Loss()), cents.map(Dollars))
all_pays = st.one_of(fixed_pays, shares.map(Percent), st.sampled_from(BonusKind).map(OperatorBonus))


@pytest.mark.parametrize(
    ("cell", "pay"),
    [
        ("250", ToOne(Fraction(250))),
        ("1,000", ToOne(Fraction(1000))),
        ("200,000", ToOne(Fraction(200_000))),
        ("2.5", ToOne(Fraction(5, 2))),
        ("1.5", ToOne(Fraction(3, 2))),
        ("3:2", ToOne(Fraction(3, 2))),
        ("Push", Push()),
        ("loss", Loss()),
        ("Loss", Loss()),
        ("100%", Percent(Fraction(1))),
        ("25%", Percent(Fraction(1, 4))),
        ("2.5%", Percent(Fraction(1, 40))),
        ("$1,000", Dollars(1_000_00)),
        ("$2.50", Dollars(2_50)),
        ("$0", Dollars(0)),
        ("Bonus", OperatorBonus(BonusKind.BONUS)),
        ("Jackpot", OperatorBonus(BonusKind.JACKPOT)),
        ("Bonus or Jackpot", OperatorBonus(BonusKind.EITHER)),
        ("50 to 1", ToOne(Fraction(50))),
        ("3 to 2", ToOne(Fraction(3, 2))),
        ("500 for 1", ForOne(Fraction(500))),
        (" 1,000  for 1 ", ForOne(Fraction(1000))),
    ],
)
def test_a_printed_cell_is_read(cell: str, pay: Pay) -> None:
    assert parse_pay(cell, Basis.TO_ONE) == pay


def test_a_bare_number_takes_the_basis_of_its_table() -> None:
    assert parse_pay("500", Basis.FOR_ONE) == ForOne(Fraction(500))
    assert parse_pay("3:2", Basis.FOR_ONE) == ForOne(Fraction(3, 2))
    assert parse_pay("50 to 1", Basis.FOR_ONE) == ToOne(Fraction(50))


NOT_PAYS = [
    *("", " ", "n/a", "even", "nan", "bonuses", "5 percent", "25% of the meter", "٥", "1e3", "1/2", "5 1", "+5"),
    *("-5", "-$5", "$-5", "-1:2", "-5%"),
    *("0", "0 to 1", "0:1", "3:0", "5 for 0", "0%", "150%"),
    *("1,00", "10,00", "$1,000,00", "$1.5", "$", "%", "5 to", "to 1", "5 on 1"),
    "9" * 5_000,
]


@pytest.mark.parametrize("cell", NOT_PAYS)
def test_anything_else_is_refused_with_a_sentence(cell: str) -> None:
    with pytest.raises(BadPay) as refusal:
        parse_pay(cell, Basis.TO_ONE)
    assert len(str(refusal.value)) < 400


@given(st.text(max_size=60), st.sampled_from(Basis))
def test_any_text_is_read_or_refused(text: str, basis: Basis) -> None:
    try:
        pay = parse_pay(text, basis)
    except BadPay:
        return
    assert describe_pay(pay)


@given(fixed_pays, st.sampled_from(Basis))
def test_what_a_dealer_says_is_read_back_as_the_same_pay(pay: Pay, basis: Basis) -> None:
    assert parse_pay(describe_pay(pay), basis) == pay


@given(shares)
def test_a_share_of_the_meter_is_said_as_it_is_written(share: Fraction) -> None:
    said = describe_pay(Percent(share))
    assert parse_pay(said.removesuffix(" of the meter"), Basis.FOR_ONE) == Percent(share)


@pytest.mark.parametrize(
    ("pay", "said"),
    [
        (ToOne(Fraction(10)), "10 to 1"),
        (ToOne(Fraction(3, 2)), "3 to 2"),
        (ToOne(Fraction(5, 2)), "5 to 2"),
        (ToOne(Fraction(200_000)), "200,000 to 1"),
        (ForOne(Fraction(500)), "500 for 1"),
        (Push(), "push"),
        (Loss(), "loss"),
        (Percent(Fraction(1)), "100% of the meter"),
        (Percent(Fraction(1, 4)), "25% of the meter"),
        (Percent(Fraction(1, 8)), "12.5% of the meter"),
        (Percent(Fraction(1, 3)), "100/3% of the meter"),
        (Dollars(1_000_00), "$1,000"),
        (Dollars(2_50), "$2.50"),
        (OperatorBonus(BonusKind.BONUS), "operator's bonus"),
        (OperatorBonus(BonusKind.JACKPOT), "operator's jackpot"),
        (OperatorBonus(BonusKind.EITHER), "operator's bonus or jackpot"),
    ],
)
def test_a_pay_is_said_in_the_words_of_the_field(pay: Pay, said: str) -> None:
    assert describe_pay(pay) == said


def test_to_1_returns_the_wager_and_for_1_keeps_it() -> None:
    assert compute_return(ToOne(Fraction(3)), 5_00) == 20_00
    assert compute_return(ForOne(Fraction(3)), 5_00) == 15_00
    assert compute_return(Push(), 5_00) == 5_00
    assert compute_return(Loss(), 5_00) == 0
    assert compute_return(Dollars(40_00), 1_00) == 40_00


@given(odds, wagers)
def test_to_1_gives_back_exactly_one_wager_more_than_for_1(rate: Fraction, wager: int) -> None:
    if is_payable(ForOne(rate), wager):
        assert compute_return(ToOne(rate), wager) == compute_return(ForOne(rate), wager) + wager
        assert compute_return(ForOne(rate), wager) == wager * rate
    else:
        with pytest.raises(NotWholeCents):
            compute_return(ToOne(rate), wager)


@given(fixed_pays, wagers)
def test_a_fixed_pay_is_payable_exactly_when_it_can_be_returned(pay: Pay, wager: int) -> None:
    try:
        amount = compute_return(pay, wager)
    except NotWholeCents:
        assert not is_payable(pay, wager)
    else:
        assert is_payable(pay, wager)
        assert amount >= 0


@given(odds, st.integers(min_value=1, max_value=100))
def test_a_wager_of_the_step_that_the_refusal_names_is_payable(rate: Fraction, steps: int) -> None:
    assert is_payable(ToOne(rate), rate.denominator * steps)


def test_odds_that_do_not_come_out_in_cents_name_the_wager_and_the_odds() -> None:
    with pytest.raises(NotWholeCents, match=r"\$5\.05"):
        compute_return(ToOne(Fraction(3, 2)), 5_05)


def test_a_share_of_a_meter_needs_the_meter_but_suits_any_wager() -> None:
    with pytest.raises(UnknownAmount):
        compute_return(Percent(Fraction(1, 4)), 1_00)
    assert is_payable(Percent(Fraction(1, 4)), 1_00)


def test_an_operators_bonus_cannot_be_paid_before_it_is_set() -> None:
    with pytest.raises(UnknownAmount):
        compute_return(OperatorBonus(BonusKind.BONUS), 1_00)
    assert not is_payable(OperatorBonus(BonusKind.BONUS), 1_00)


@pytest.mark.parametrize("wager", [-1, 2.5])
@given(pay=all_pays)
def test_a_wager_is_whole_cents_and_not_negative(pay: Pay, wager: int) -> None:
    assert not is_payable(pay, wager)
    with pytest.raises(BadWager):
        compute_return(pay, wager)


@pytest.mark.parametrize(
    "make",
    [
        lambda: ToOne(Fraction(-1)),
        lambda: ForOne(Fraction(-1, 2)),
        lambda: Dollars(-1),
        lambda: Percent(Fraction(0)),
        lambda: Percent(Fraction(101, 100)),
        lambda: Percent(Fraction(-1, 4)),
    ],
)
def test_no_pay_is_negative_or_more_than_the_meter(make: object) -> None:
    assert callable(make)
    with pytest.raises(BadPay):
        make()
