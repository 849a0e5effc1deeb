"""The odds of 3 Card Double Play Poker: figures for every printed table, and the pricer's notes and errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.cards import Card, TooManyCopies, format_cards, parse_cards
from cardroom.errors import BadInput
from cardroom.games import Verb
from cardroom.hands import THREE_CARD, BadHand
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, suit_classes, three_card_tables
from cardroom.paytables import Dollars, Paytable, Percent, ToOne, paytable, paytables
from tests.enumeration import section
from tests.odds.three_card_double_play.by_hand import (
    JACKPOTS,
    NAMES,
    NUMERIC,
    PRICER,
    SLUG,
    TELLING_HANDS,
    UPSIDE_DOWN,
    UPSIDE_DOWN_PAYS,
    expected_nets,
    low_hand_table,
    odds,
    printed_pays,
    random_hands,
)

DEALS = {
    "high-low": comb(52, 6) * comb(46, 5),
    "pick-3": comb(52, 6),
    "pick-5": comb(52, 6),
    "super-3s": comb(52, 6),
    "super-six": comb(52, 6),
}
# The data file has two counts for Pick-3, because its tables have two sets of lines.
SECTIONS = {"pick-5": "pick-5", "super-3s": "super-3s", "super-six": "super-six"}
every_table = pytest.mark.parametrize(
    "table", [table for wager in DEALS for table in paytables(SLUG, wager)], ids=lambda one: f"{one.wager} {one.name}"
)
low_hand_tables = pytest.mark.parametrize("name", NUMERIC)


def expected_return(table: Paytable) -> Fraction:
    priced = odds(table).expected_return
    assert priced is not None
    return priced


# Figures


@every_table
def test_the_outcomes_of_every_table_sum_to_all_deals(table: Paytable) -> None:
    assert odds(table).combinations == DEALS[table.wager]


@every_table
def test_pricing_a_table_again_gives_the_same_fractions(table: Paytable) -> None:
    assert odds(table).distribution == odds(table).distribution


def best_return(pays: dict[str, Fraction]) -> Fraction:
    """The best strategy computed again, setting by setting for all hands at once."""
    strengths, beaten = three_card_tables()
    one, other = strengths[:, :10], strengths[:, :9:-1]
    low = np.minimum(one, other)
    low_beats = np.minimum(beaten[:, :10], beaten[:, :9:-1]).astype(np.int64)
    high_beats = np.maximum(beaten[:, :10], beaten[:, :9:-1]).astype(np.int64)
    scale = np.lcm.reduce([pay.denominator for pay in pays.values()])
    scaled = np.array(
        [0, *(int((1 + pays[NAMES[hand_class.category]]) * scale) for hand_class in THREE_CARD.classes)], np.int64
    )
    best = (scaled[low] * low_beats - 2 * scale * (DEALER_HANDS - high_beats)).max(axis=1)
    won = best + np.maximum(best, 0)  # doubled if the value is above zero
    alike = suit_classes(6).sizes
    total = sum(count * int(won[alike == count].sum()) for count in np.unique(alike).tolist())
    return Fraction(total, int(scale) * DEALS["high-low"])


@low_hand_tables
def test_the_expected_return_is_that_of_the_best_setting_of_every_hand(name: str) -> None:
    assert expected_return(low_hand_table(name)) == best_return(printed_pays(name))


def test_the_house_edges_of_the_low_hand_tables_are_unchanged() -> None:
    """These figures are not published; the tests of settings and counts support them, and this test detects a
    change."""
    edges = [odds(low_hand_table(name)).house_edge for name in NUMERIC]
    found = [round(float(edge) * 100, 4) for edge in edges if edge is not None]
    assert found == [0.5089, 0.9659, 1.4476, 2.2696, 2.4795, 3.5066]


@low_hand_tables
def test_two_units_are_wagered_before_the_deal_and_four_after_doubling(name: str) -> None:
    priced = odds(low_hand_table(name))
    assert priced.initial_wager == 2
    assert {outcome.wagered for outcome in priced.distribution} == {2, 4}
    doubled = sum(outcome.combinations for outcome in priced.distribution if outcome.wagered == 4)
    assert priced.average_wager == 2 + Fraction(2 * doubled, priced.combinations)


@low_hand_tables
def test_the_outcomes_are_the_lines_from_the_top_down_then_the_push_and_the_loss(name: str) -> None:
    table = low_hand_table(name)
    events = [outcome.trigger for outcome in odds(table).outcomes]
    assert events == [line.trigger for line in table.lines] + ["high hand wins, low hand loses", "dealer wins"]


@low_hand_tables
def test_a_round_counts_as_a_hit_only_when_both_hands_win(name: str) -> None:
    priced = odds(low_hand_table(name))
    both_win = sum(one.combinations for one in priced.outcomes[:-2])
    assert priced.hit_frequency == Fraction(both_win, priced.combinations)


def test_equal_lines_make_equal_figures_and_better_ones_better_figures() -> None:
    returns = {name: expected_return(low_hand_table(name)) for name in NUMERIC}
    assert sorted(returns, key=returns.__getitem__, reverse=True) == list(NUMERIC)


# Bonus wagers


@pytest.mark.parametrize("wager", SECTIONS)
def test_each_event_of_a_bonus_wager_is_as_frequent_as_the_data_file_says(wager: str) -> None:
    total, expected = section(SLUG, SECTIONS[wager])
    for table in paytables(SLUG, wager):
        outcomes = {outcome.trigger: outcome.combinations for outcome in odds(table).outcomes}
        assert outcomes == expected
        assert sum(outcomes.values()) == total


@pytest.mark.parametrize("table", paytables(SLUG, "pick-3"), ids=lambda table: table.name)
def test_each_event_of_pick_3_is_as_frequent_as_the_slow_count_says(table: Paytable) -> None:
    pairs = any(line.trigger == "double-pairs" for line in table.lines)
    _, expected = section(SLUG, "pick-3-double-pairs" if pairs else "pick-3-double-flush-or-straight")
    assert {outcome.trigger: outcome.combinations for outcome in odds(table).outcomes} == expected


@pytest.mark.parametrize(
    ("wager", "name", "counts"),
    [("pick-3", "P3-6", "pick-3-double-pairs"), ("pick-3", "P3-15", "pick-3-double-flush-or-straight")]
    + [("pick-5", f"P5-{number}", "pick-5") for number in range(1, 6)],
)
def test_a_bonus_wager_has_the_house_edge_that_the_data_file_gives(wager: str, name: str, counts: str) -> None:
    table = paytable(SLUG, wager, name)
    total, expected = section(SLUG, counts)
    won = sum(expected[line.trigger] * int(line.cell) for line in table.lines if line.trigger != "other")
    assert odds(table).house_edge == Fraction(expected["other"] - won, total)


def test_a_jackpot_without_a_meter_states_its_break_even_meter() -> None:
    priced = odds(paytable(SLUG, "super-six", "S6J-1"))
    assert priced.expected_return is None
    assert priced.break_even_meter is not None
    fair = replace(priced, meter=priced.break_even_meter)
    assert fair.expected_return == 0


def test_the_open_top_line_of_a_jackpot_counts_as_its_meter() -> None:
    for wager in JACKPOTS:
        table = paytables(SLUG, wager)[-1]
        assert odds(table).break_even_meter == Fraction(comb(52, 6), odds(table).outcomes[0].combinations)


# Tables that the operator completes, and custom paytables


def test_a_table_that_the_operator_fills_like_a_printed_one_has_its_figures() -> None:
    bonuses = {line.trigger: line.cell for line in low_hand_table("LWB3").lines}
    filled = low_hand_table("LWB7").with_bonuses(bonuses)
    assert odds(filled).distribution == odds(low_hand_table("LWB3")).distribution


def test_an_open_line_pays_nothing_until_it_is_filled() -> None:
    opened = low_hand_table("LWB7")
    assert expected_return(opened) == best_return(dict.fromkeys(NAMES.values(), Fraction(-1)))


def test_a_table_with_inverted_pays_is_played_as_it_pays() -> None:
    assert expected_return(UPSIDE_DOWN) == best_return(UPSIDE_DOWN_PAYS)
    assert (
        "Prizes in dollars are compared with a wager of one dollar." in PRICER.price("high-low", UPSIDE_DOWN, {}).notes
    )


def test_the_outcome_that_no_line_pays_is_below_the_lines() -> None:
    events = [outcome.trigger for outcome in odds(UPSIDE_DOWN).outcomes]
    assert events[:6] == [line.trigger for line in UPSIDE_DOWN.lines]
    assert events[6:] == ["straight-flush", "high hand wins, low hand loses", "dealer wins"]


def test_a_table_without_a_line_never_pays_the_low_hand_and_is_never_doubled() -> None:
    priced = odds(replace(UPSIDE_DOWN, name="nothing", lines=()))
    assert priced.expected_return == Fraction(-2 * priced.outcomes[-1].combinations, priced.combinations)
    assert priced.average_wager == 2
    assert priced.hit_frequency == 0


def with_pay(pay: object) -> Paytable:
    first, *others = low_hand_table("LWB1").lines
    return replace(low_hand_table("LWB1"), name="what if", lines=(replace(first, pay=pay), *others))


def test_a_low_hand_cannot_be_paid_from_a_meter() -> None:
    with pytest.raises(BadInput, match="10%"):
        PRICER.price("high-low", with_pay(Percent(Fraction(1, 10))), {})


def test_odds_with_too_many_digits_are_refused() -> None:
    with pytest.raises(BadInput):
        PRICER.price("high-low", with_pay(ToOne(Fraction(1, 10**15 + 37))), {})


def test_a_prize_of_a_million_dollars_can_be_priced() -> None:
    found = expected_return(with_pay(Dollars(1_000_000_00)))
    assert found == best_return({**printed_pays("LWB1"), "mini-royal": Fraction(1_000_000)})


def test_progress_ends_at_one() -> None:
    parts: list[float] = []
    for wager in DEALS:
        PRICER.price(wager, paytables(SLUG, wager)[0], {}, lambda _, part: parts.append(part))
        assert parts == sorted(parts)
        assert parts.pop() == 1.0
        parts.clear()


# One hand


@pytest.mark.parametrize("six", [*TELLING_HANDS, *random_hands(3, seed=2)], ids=format_cards)
def test_a_hand_has_the_values_that_every_hand_of_the_dealer_gives(six: tuple[Card, ...]) -> None:
    tables = [(low_hand_table(name), printed_pays(name)) for name in ("LWB1", "LWB6")]
    for table, pays in [*tables, (UPSIDE_DOWN, UPSIDE_DOWN_PAYS)]:
        expected = expected_nets(six, pays)
        values = PRICER.hand_values("high-low", table, {}, six)
        assert len(values) == len(expected) == 10
        for decision, value in values:
            net = expected[frozenset(map(frozenset, decision.groups))]
            assert decision.verb is (Verb.DOUBLE if net > 0 else Verb.STAND)
            assert value == max(net, 2 * net)
        assert [value for _, value in values] == sorted((value for _, value in values), reverse=True)


def test_the_higher_hand_of_a_setting_is_named_first() -> None:
    ((best, _), *_) = PRICER.hand_values("high-low", low_hand_table("LWB1"), {}, parse_cards("2c As Qd Ks Qh Qs"))
    assert str(best) == "double As Ks Qs | Qh Qd 2c"


def test_a_hand_without_six_cards_is_refused() -> None:
    with pytest.raises(BadHand, match=r"\b5\b"):
        PRICER.hand_values("high-low", low_hand_table("LWB1"), {}, parse_cards("As Ks Qs Qd Qh"))
    with pytest.raises(TooManyCopies):
        PRICER.hand_values("high-low", low_hand_table("LWB1"), {}, parse_cards("As As Qs Qd Qh 2c"))


@pytest.mark.parametrize("wager", ["pick-3", "pick-5", "super-3s", "super-six"])
def test_a_bonus_wager_needs_no_decision(wager: str) -> None:
    table = paytables(SLUG, wager)[0]
    with pytest.raises(BadInput, match="high-low"):
        PRICER.hand_values(wager, table, {}, TELLING_HANDS[0])
    with pytest.raises(BadInput):
        PRICER.basic_strategy(wager, table, {})


@pytest.mark.parametrize("wager", DEALS)
def test_no_option_changes_a_figure(wager: str) -> None:
    assert PRICER.settings(wager) == ({},)
