from fractions import Fraction

import pytest

from cardroom.paytables import (
    BadBonus,
    BonusKind,
    Dollars,
    ForOne,
    Loss,
    OperatorBonus,
    Pay,
    Percent,
    Push,
    ToOne,
    paytable,
    paytables,
)


def paid_line(game: str, wager: str, name: str, *events: str) -> str | None:
    line = paytable(game, wager, name).find_matching_line(events)
    return line.trigger if line else None


def test_only_the_highest_line_that_a_hand_meets_pays() -> None:
    events = ["two-pair", "full-house", "three-of-a-kind"]
    assert paid_line("deuces-wild", "ante-play-raise", "A", *events) == "full-house"


def test_a_blank_cell_falls_through_to_the_next_line() -> None:
    jacks = ["suited-pair", "pair-of-jacks-or-better", "pair-of-eights-or-better", "any-pair"]
    assert paid_line("texas-shootout", "quick-draw", "TS/QD 1", *jacks) == "suited-pair"
    assert paid_line("texas-shootout", "quick-draw", "TS/QD 3", *jacks) == "pair-of-jacks-or-better"


def test_a_hand_that_meets_no_line_loses() -> None:
    nines = ["pair-of-eights-or-better", "any-pair"]
    assert paid_line("texas-shootout", "quick-draw", "TS/QD 1", *nines) is None
    assert paid_line("texas-shootout", "shootout-bonus", "TS/SB 8", "flush") is None
    assert paid_line("texas-shootout", "shootout", "", "flush") is None


def test_a_pair_stands_above_a_straight_flush_on_the_first_combo_tables() -> None:
    assert paytable("dueling-for-dollars", "combo", "PT-FLT-DFD-CB-01").lines[0].trigger == "pair"


def test_a_single_event_must_come_in_a_collection() -> None:
    with pytest.raises(TypeError):
        paytable("three-card-double-play", "high-low", "LWB1").find_matching_line("pair")


@pytest.mark.parametrize("name", ["PW/BB 1", "PW/BB 2", "PW/BB 3", "PW/BB 4"])
def test_a_losing_flush_never_gets_the_bad_beat(name: str) -> None:
    line = paytable("three-card-prime", "ante-play", name).find_matching_line(["bad-beat-flush-and-lower"])
    assert line is not None
    assert line.pay == Loss()


@pytest.mark.parametrize(
    ("name", "cell", "ruling"),
    [("PW/BB 1", "loss", None), ("PW/BB 2", "1", "TP-2"), ("PW/BB 3", "loss", None), ("PW/BB 4", "1", "TP-2")],
)
def test_an_overruled_figure_stays_visible_with_its_ruling(name: str, cell: str, ruling: str | None) -> None:
    line = paytable("three-card-prime", "ante-play", name).lines[-1]
    assert (line.cell, line.ruling) == (cell, ruling)


def test_a_winning_flush_or_lower_is_paid_even_money() -> None:
    line = paytable("three-card-prime", "ante-play", "PW/BB 2").find_matching_line(["flush-and-lower"])
    assert line is not None
    assert (line.pay, line.ruling) == (ToOne(Fraction(1)), None)


def test_a_bad_beat_table_is_win_or_copy_above_its_own_column() -> None:
    table = paytable("three-card-prime", "ante-play", "PW/BB 3")
    assert [column.name for column in table.columns] == ["Win or Copy", "PW/BB 3"]
    assert [line.label for line in table.lines][3:7] == [
        "Straight",
        "Flush and lower",
        "Straight Flush (bad beat)",
        "Trips (bad beat)",
    ]


def test_a_mini_royal_has_no_bad_beat() -> None:
    for table in paytables("three-card-prime", "ante-play"):
        assert table.find_matching_line(["bad-beat-mini-royal"]) is None


def test_pair_bonus_has_ten_pairs_of_columns_and_eight_of_them_are_numeric() -> None:
    tables = paytables("three-card-prime", "pair-bonus")
    assert [table.name for table in tables] == [f"PB {n}+PB/LD {m}" for n in (1, 2) for m in range(1, 6)]
    assert sum(table.is_numeric for table in tables) == 8


def test_a_deuce_on_the_fourth_card_pays_by_the_deuce_column() -> None:
    table = paytable("three-card-prime", "pair-bonus", "PB 1+PB/LD 3")
    with_deuce, ordinary = table.find_matching_line(["pair", "pair-with-deuce"]), table.find_matching_line(["pair"])
    assert with_deuce is not None
    assert ordinary is not None
    assert (with_deuce.pay, ordinary.pay) == (ToOne(Fraction(2)), ToOne(Fraction(1)))


def test_a_table_with_percentages_alone_needs_nothing_from_the_operator() -> None:
    assert paytable("texas-shootout", "jackpot", "TS/JP 3").is_numeric
    assert not paytable("texas-shootout", "jackpot", "TS/JP 1").is_numeric


@pytest.mark.parametrize(
    ("given", "pay"),
    [
        ("50", ToOne(Fraction(50))),
        ("50 to 1", ToOne(Fraction(50))),
        ("50 for 1", ForOne(Fraction(50))),
        ("$500", Dollars(500_00)),
        ("Push", Push()),
        ("loss", Loss()),
        (ToOne(Fraction(7, 2)), ToOne(Fraction(7, 2))),
    ],
)
def test_a_bonus_is_any_fixed_pay(given: str | Pay, pay: Pay) -> None:
    table = paytable("three-card-prime", "prime", "PRW-2").with_bonuses({"same-color-player": given})
    assert table.lines[1].pay == pay
    assert table.lines[1].cell == "Bonus"


def test_a_bare_bonus_takes_the_basis_of_its_table() -> None:
    table = paytable("deuces-wild", "bonus-jackpot", "A").with_bonuses({"five-wild-cards": "5,000"})
    assert table.lines[0].pay == ForOne(Fraction(5000))


def test_open_lines_are_filled_one_by_one_until_the_table_is_numeric() -> None:
    printed = paytable("three-card-prime", "prime", "PRW-2")
    some = {"same-color-player-and-dealer": "4", "other": "loss"}
    assert [line.trigger for line in printed.operator_lines] == [line.trigger for line in printed.lines]
    assert printed.missing_bonuses(some) == ("same-color-player",)
    assert not printed.with_bonuses(some).is_numeric
    every = some | {"same-color-player": "3"}
    assert printed.missing_bonuses(every) == ()
    assert printed.with_bonuses(every).is_numeric
    assert not printed.is_numeric


def test_bonus_or_jackpot_is_shown_apart_line_by_line() -> None:
    accepted = [line.pay for line in paytable("three-card-double-play", "super-3s", "S3J-5").operator_lines]
    assert accepted == [
        OperatorBonus(BonusKind.JACKPOT),
        OperatorBonus(BonusKind.EITHER),
        *[OperatorBonus(BonusKind.BONUS)] * 5,
    ]


@pytest.mark.parametrize(
    ("game", "wager", "name"),
    [("deuces-wild", "bonus-jackpot", "D"), ("texas-shootout", "jackpot", "TS/JP 2")],
)
def test_a_bonus_that_may_be_a_progressive_takes_a_share_of_the_meter_or_a_fixed_amount(
    game: str, wager: str, name: str
) -> None:
    table = paytable(game, wager, name)
    assert {line.pay for line in table.lines} == {OperatorBonus(BonusKind.EITHER)}
    assert {line.cell for line in table.lines} == {"Bonus"}
    top, second = table.lines[0].trigger, table.lines[1].trigger
    filled = table.with_bonuses({top: "100%", second: "$500"})
    assert [line.pay for line in filled.lines[:2]] == [Percent(Fraction(1)), Dollars(500_00)]


@pytest.mark.parametrize(
    ("wager", "feature", "name"),
    [("jackpot", "five-ace-frenzy", "TS/FAF 1"), ("jackpot", "envy-or-share", "TS/BF 3")],
)
def test_the_features_take_fixed_bonuses_only(wager: str, feature: str, name: str) -> None:
    table = paytable("texas-shootout", wager, name, feature)
    with pytest.raises(BadBonus):
        table.with_bonuses({table.lines[0].trigger: "100%"})


def test_a_bonus_is_no_share_of_a_meter() -> None:
    with pytest.raises(BadBonus):
        paytable("three-card-prime", "prime", "PRW-2").with_bonuses({"other": "25%"})


@pytest.mark.parametrize("given", ["$500", "50", "push", Loss()])
def test_a_jackpot_is_nothing_but_a_share_of_the_meter(given: str | Pay) -> None:
    table = paytable("three-card-double-play", "super-six", "S6J-5")
    with pytest.raises(BadBonus):
        table.with_bonuses({"six-card-straight-flush": given})
    assert table.with_bonuses({"six-card-straight-flush": "100%"}).lines[0].pay == Percent(Fraction(1))


def test_a_printed_figure_is_not_the_operators_to_change() -> None:
    with pytest.raises(BadBonus):
        paytable("deuces-wild", "bonus-jackpot", "A").with_bonuses({"four-wild-cards": "300"})


@pytest.mark.parametrize("given", ["lots", "-5", "0"])
def test_a_bonus_that_cannot_be_read_names_its_line(given: str) -> None:
    with pytest.raises(BadBonus):
        paytable("three-card-prime", "prime", "PRW-2").with_bonuses({"other": given})


def test_an_open_amount_does_not_fill_an_open_line() -> None:
    with pytest.raises(BadBonus):
        paytable("three-card-prime", "prime", "PRW-2").with_bonuses({"other": "bonus"})
