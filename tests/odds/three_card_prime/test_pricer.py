"""The odds of Three Card Prime: figures for every printed table, and the pricer's notes and errors."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb

import numpy as np
import pytest

from cardroom.cards import TooManyCopies, parse_cards
from cardroom.errors import BadInput
from cardroom.games import Verb
from cardroom.hands import FIVE_CARD, BadHand, evaluate_many
from cardroom.odds.pricer import pricer
from cardroom.odds.result import Odds
from cardroom.odds.three_card_prime.counts import count_by_strength
from cardroom.paytables import Paytable, load_paytable, paytable, paytables
from tests.enumeration import combinations, section

SLUG = "three-card-prime"
PRICER = pricer(SLUG)
JACKPOTS = ("final-four", "all-seven")
DEALS = {
    "ante-play": comb(52, 3) * comb(49, 3),
    "prime": comb(52, 3) * comb(49, 3),
    "pair-bonus": comb(52, 3) * 49,
    "all-six": comb(52, 6),
    "final-four": comb(52, 3) * 49,
    "all-seven": comb(52, 7),
}

every_table = pytest.mark.parametrize(
    "table", [table for wager in DEALS for table in paytables(SLUG, wager)], ids=lambda one: f"{one.wager} {one.name}"
)


def odds(table: Paytable) -> Odds:
    priced = PRICER.price(table.wager, table, {})
    jackpot = table.wager in JACKPOTS
    return Odds(SLUG, table.wager, table.name, {}, priced.outcomes, priced.initial_wager, is_jackpot=jackpot)


def figures(wager: str, name: str) -> Odds:
    return odds(paytable(SLUG, wager, name))


# Figures


@every_table
def test_the_outcomes_of_every_table_sum_to_all_deals(table: Paytable) -> None:
    assert odds(table).combinations == DEALS[table.wager]


@every_table
def test_pricing_a_table_again_gives_the_same_fractions(table: Paytable) -> None:
    assert odds(table).distribution == odds(table).distribution


def test_ante_and_play_has_the_expected_return_of_the_contract() -> None:
    found = figures("ante-play", "PW/BB 1")
    assert found.expected_return is not None
    assert float(found.expected_return) == pytest.approx(-0.0289574978, abs=1e-10)
    assert str(float(found.average_wager)).startswith("1.67")
    assert str(found.standard_deviation).startswith("1.64")
    assert found.initial_wager == 1


def test_a_losing_flush_makes_no_difference_between_the_bad_beat_columns_one_and_two() -> None:
    """TP-2: columns 2 and 4 print a 1 that rule 5 sets aside."""
    returns = [figures("ante-play", f"PW/BB {number}").expected_return for number in (1, 2, 3, 4)]
    assert returns[0] == returns[1]
    assert returns[2] == returns[3]
    assert returns[0] > returns[2]


def test_the_prime_wager_has_the_published_house_edge() -> None:
    edge = figures("prime", "PRW-1").house_edge
    assert edge is not None
    assert round(float(edge) * 100, 4) == 3.6206


@pytest.mark.parametrize("wager", ["prime", "all-six", "final-four", "all-seven"])
def test_each_event_is_as_frequent_as_published(wager: str) -> None:
    total, expected = section(SLUG, wager)
    for table in paytables(SLUG, wager):
        outcomes = {outcome.trigger: outcome.combinations for outcome in odds(table).outcomes}
        paid = {line.trigger for line in table.lines}
        assert {event: outcomes.get(event, 0) for event in expected} == expected
        assert sum(outcomes[event] for event in outcomes if event not in expected) == total - sum(expected.values())
        assert set(outcomes) <= paid | {"other"}


def test_pair_bonus_pays_each_three_card_hand_with_and_without_a_deuce() -> None:
    three = {"mini-royal": 4, "straight-flush": 44, "trips": 52, "straight": 720, "flush": 1096, "pair": 3744}
    outcomes = {outcome.trigger: outcome.combinations for outcome in figures("pair-bonus", "PB 1+PB/LD 3").outcomes}
    for event, hands in three.items():
        assert outcomes[event] + outcomes[f"{event}-with-deuce"] == hands * 49
    assert outcomes["other"] == (comb(52, 3) - sum(three.values())) * 49


def test_all_ten_pair_bonus_pairs_can_be_priced() -> None:
    tables = paytables(SLUG, "pair-bonus")
    assert len(tables) == 10
    for table in tables:
        filled = table.with_bonuses({line.trigger: "30" for line in table.operator_lines})
        assert odds(filled).expected_return is not None


def test_a_bonus_of_the_operator_changes_the_figure_by_just_its_share() -> None:
    table = paytable(SLUG, "pair-bonus", "PB 1+PB/LD 5")
    with_bonus = odds(table.with_bonuses({"trips-with-deuce": "60"})).expected_return
    without = odds(table).expected_return
    assert with_bonus is not None
    assert without is not None
    # 48 trips of other ranks with 4 deuces, and 4 trips of deuces with one left.
    assert with_bonus - without == Fraction(61 * (48 * 4 + 4), comb(52, 3) * 49)


def test_a_jackpots_expected_return_depends_on_the_meter() -> None:
    found = figures("final-four", "F4P-1")
    assert found.expected_return is None
    assert found.break_even_meter is not None
    # Two diamond royals take all of the meter and six others a tenth.
    assert found.meter_part == (2 + Fraction(6, 10)) / DEALS["final-four"]
    assert replace(found, meter=found.break_even_meter).expected_return == 0


def test_an_open_top_line_of_a_jackpot_counts_as_the_meter() -> None:
    assert figures("all-seven", "A7P-4").break_even_meter == Fraction(DEALS["all-seven"], 32)


def test_the_fixed_prizes_of_all_seven_return_what_their_counts_say() -> None:
    _, counts = section(SLUG, "all-seven")
    prizes = {"straight-flush": 200, "four-of-a-kind": 50, "full-house": 10, "flush": 4}
    paid = sum(counts[event] * prize for event, prize in prizes.items())
    assert figures("all-seven", "A7P-2").fixed_return == Fraction(paid, DEALS["all-seven"])


def test_a_custom_bonus_paytable_is_priced() -> None:
    table = load_paytable(
        """
        game = "three-card-prime"
        wager = "prime"
        name = "generous"
        basis = "to 1"
        lines = { same-color-player-and-dealer = "7:2", same-color-player = "push" }
        """
    )
    both, player, total = 9_209_200, 86_595_600, 407_170_400
    expected = Fraction(7, 2) * both - (total - both - player)
    assert odds(table).expected_return == expected / total


# All hands of six and seven cards


def judged_one_by_one(size: int) -> np.ndarray:
    return sum(np.bincount(evaluate_many(FIVE_CARD, hands), minlength=7463) for hands in combinations(52, size))


def test_the_five_card_hands_are_counted_as_when_each_is_judged_by_itself() -> None:
    assert (count_by_strength(5) == judged_one_by_one(5)).all()


@pytest.mark.long
@pytest.mark.parametrize("size", [6, 7])
def test_hands_of_more_cards_are_counted_as_when_each_is_judged_by_itself(size: int) -> None:
    assert (count_by_strength(size) == judged_one_by_one(size)).all()


@pytest.mark.parametrize("workers", [2, 3])
def test_counts_do_not_depend_on_the_number_of_threads(workers: int) -> None:
    assert (count_by_strength(6, workers) == count_by_strength(6, 1)).all()


# The pricer's notes and errors


def test_no_figure_depends_on_an_option() -> None:
    for wager in DEALS:
        assert PRICER.settings(wager) == ({},)


def test_the_better_decision_comes_first() -> None:
    table = paytable(SLUG, "ante-play", "PW/BB 1")
    for hand, best in (("Qh 6d 4c", Verb.PLAY), ("Qh 5d 4c", Verb.FOLD)):
        (first, value), (second, other) = PRICER.hand_values("ante-play", table, {}, parse_cards(hand))
        assert first.verb is best
        assert {first.verb, second.verb} == {Verb.PLAY, Verb.FOLD}
        assert value > other
        assert -1 in (value, other)


@pytest.mark.parametrize("hand", ["Qh 6d", "Qh 6d 4c 3c"])
def test_a_hand_without_three_cards_is_refused(hand: str) -> None:
    with pytest.raises(BadHand):
        PRICER.hand_values("ante-play", paytable(SLUG, "ante-play", "PW/BB 1"), {}, parse_cards(hand))


@pytest.mark.parametrize("hand", ["Qh Qh 4c", "Jk Qh 4c"])
def test_a_hand_that_is_impossible_with_one_deck_is_refused(hand: str) -> None:
    with pytest.raises(TooManyCopies):
        PRICER.hand_values("ante-play", paytable(SLUG, "ante-play", "PW/BB 1"), {}, parse_cards(hand))


@pytest.mark.parametrize("wager", [wager for wager in DEALS if wager != "ante-play"])
def test_a_bonus_wager_needs_no_decision(wager: str) -> None:
    table = paytables(SLUG, wager)[0]
    with pytest.raises(BadInput):
        PRICER.hand_values(wager, table, {}, parse_cards("Qh 6d 4c"))
    with pytest.raises(BadInput):
        PRICER.basic_strategy(wager, table, {})
