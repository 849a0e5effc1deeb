"""The basic strategy: its play follows its text, its counts are right, and its cost."""

from __future__ import annotations

import random
from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from math import comb
from pathlib import Path

import numba
import numpy as np
import pytest

from cardroom.cards import card_from_code
from cardroom.games.three_card_double_play.divisions import divisions
from cardroom.hands import THREE_CARD, compute_strength
from cardroom.odds.three_card_double_play.basic_strategy import (
    MAX_POINTS,
    HandPoints,
    PointSteps,
    PointStrategy,
    basic_policy,
    basic_settings,
    evaluate_strategies,
    point_sums,
    search_strategy,
)
from cardroom.odds.three_card_double_play.best_strategy import KINDS, LowHandPays, best_settings
from cardroom.odds.three_card_double_play.counts import cumulative_dealer_hands, suit_classes, three_card_tables
from cardroom.paytables import Dollars, Paytable
from cardroom.reports.strategy_cards import strategy_cards
from tests.examples import examples
from tests.odds.three_card_double_play.by_hand import NUMERIC, PRICER, SLUG, UPSIDE_DOWN, low_hand_table, odds
from tests.odds.three_card_double_play.in_words import TIES, Hand, Reader, hand
from tests.odds.three_card_double_play.test_pricer import with_pay
from tests.reports.test_strategy_cards import fitted

DEALS = comb(52, 6) * comb(46, 5)
MOST_A_STRATEGY_MAY_COST = Fraction(4, 1000)
"""In units of one of the two wagers."""
COST_OF_LWB1 = Fraction(1039061719, 410390040060)
LWB1 = [
    "set your cards so that both hands together count the most points you can make",
    "high hand: trips or better count 10",
    "high hand: a straight counts 10 if queen high or better, 9 if seven high or better, else 8 (A-2-3 is three high)",
    "high hand: a flush counts 7 if ace high, 6 if queen high or better, 5 if ten high or better, else 4",
    "high hand: a pair counts 4 if queens or better, 3 if nines or better, else 2",
    "high hand: high cards count 1 if king high or better, else 0",
    "low hand: a straight or better counts 20, a flush counts 11",
    "low hand: a pair counts 6 if jacks or better, 5 if nines or better, 4 if fives or better, else 3",
    "low hand: high cards count 2 if ace high, 1 if queen high or better, else 0",
    *TIES,
    "double with 11 points or more, else stand",
]


def words(table: Paytable) -> list[str]:
    return [rule.text for rule in PRICER.basic_strategy("high-low", table, {}).rules]


def pays(name: str) -> LowHandPays:
    return LowHandPays(low_hand_table(name))


# The play follows the text


@cache
def hands_by_strength() -> dict[int, Hand]:
    """The text reader's hands, by the program's strength."""
    threes_of_each = suit_classes(3).hands.tolist()
    return {
        compute_strength(THREE_CARD, [card_from_code(code) for code in three]): hand(three) for three in threes_of_each
    }


def assert_played_in_words(table: Paytable, rows: Iterable[int]) -> None:
    """Check that the program sets and doubles these classes of hands as the text says, with cards in any order."""
    reader, settings, shuffling = Reader(words(table)), basic_settings(LowHandPays(table)), random.Random(3)
    hands, strengths = suit_classes(6).hands, three_card_tables().strengths
    for row in rows:
        setting = int(settings.settings[row])
        both = sorted((int(strengths[row, setting]), int(strengths[row, 19 - setting])))
        six = hands[row].tolist()
        shuffling.shuffle(six)
        high, low, doubled = reader.played(six)
        found = hands_by_strength()[both[1]], hands_by_strength()[both[0]], bool(settings.is_doubled[row])
        assert (high, low, doubled) == found, [str(card_from_code(code)) for code in six]


@pytest.mark.parametrize("table", [*map(low_hand_table, NUMERIC), UPSIDE_DOWN], ids=[*NUMERIC, "upside down"])
def test_hands_are_set_and_doubled_as_the_text_says(table: Paytable) -> None:
    assert_played_in_words(table, random.Random(1).sample(range(len(suit_classes(6).hands)), examples(400)))


@pytest.mark.long
@pytest.mark.parametrize("name", ["LWB1", "LWB6"])
def test_every_class_of_hands_is_set_and_doubled_as_the_text_says(name: str) -> None:
    assert_played_in_words(low_hand_table(name), range(len(suit_classes(6).hands)))


def test_the_reader_of_the_text_ranks_hands_as_the_program_does() -> None:
    """The text reader ranks all hands in the program's order."""
    found = hands_by_strength()
    assert sorted(found) == list(range(1, len(THREE_CARD.classes) + 1))
    assert [found[strength] for strength in sorted(found)] == sorted(found.values())
    assert len(set(found.values())) == len(found)


def test_the_text_for_the_usual_table() -> None:
    assert words(low_hand_table("LWB1")) == LWB1


@pytest.mark.parametrize("name", NUMERIC)
def test_a_strategy_has_twelve_lines_at_most_and_the_high_hand_counts_the_same_for_all_tables(name: str) -> None:
    rules = words(low_hand_table(name))
    assert len(rules) <= 12
    assert [rule for rule in rules if rule.startswith("high hand")] == LWB1[1:6]


# The counts


def net_by_hand(found: PointStrategy, row: int, table: LowHandPays) -> Fraction:
    """The result of a class of hands against every hand of the dealer, by the text."""
    six = suit_classes(6).hands[row].tolist()
    high, low, doubled = Reader(found.rule_texts()).played(six)
    strength = {one: strength for strength, one in hands_by_strength().items()}
    up_to = cumulative_dealer_hands([card_from_code(code) for code in six])
    beats = int(up_to[strength[low]]), int(up_to[strength[high]])
    net = table.net(KINDS[low[0]], *beats, int(up_to[-1]))
    return net * (2 if doubled else 1) * int(suit_classes(6).sizes[row])


def test_the_sums_equal_the_results_of_the_text_class_by_class() -> None:
    strategy, low_pays = search_strategy(pays("LWB1")), pays("LWB1")
    rows = random.Random(2).sample(range(len(suit_classes(6).hands)), 12)
    hands = basic_settings(low_pays)
    for row in rows:
        setting = int(hands.settings[row])
        low_beats, high_beats = sorted(
            int(three_card_tables().beaten_counts[row, which]) for which in (setting, 19 - setting)
        )
        low = min(three_card_tables().strengths[row, setting], three_card_tables().strengths[row, 19 - setting])
        net = low_pays.net(THREE_CARD.classes[int(low) - 1].category, low_beats, high_beats, comb(46, 5))
        net *= (2 if hands.is_doubled[row] else 1) * int(suit_classes(6).sizes[row])
        assert net == net_by_hand(strategy, row, low_pays)


@pytest.mark.parametrize("name", ["LWB1", "LWB4"])
def test_the_return_is_that_of_every_hand_played_so(name: str) -> None:
    """Once by sums over points, once by the counts of outcomes that a simulation is compared with."""
    outcomes = list(basic_settings(pays(name)).count_outcomes().outcomes(pays(name)))
    assert sum(outcome.combinations for outcome in outcomes) == DEALS
    total = sum((outcome.combinations * outcome.net for outcome in outcomes), Fraction(0))
    assert search_strategy(pays(name)).expected_return == total / DEALS


def test_every_point_system_sets_every_hand() -> None:
    assert (point_sums([search_strategy(pays("LWB1")).points])[..., 2].sum() == DEALS).all()


def test_the_sums_do_not_depend_on_how_many_cores_count() -> None:
    family, cores = [search_strategy(pays(name)).points for name in ("LWB1", "LWB2")], numba.get_num_threads()
    with_all_cores = point_sums(family)
    numba.set_num_threads(1)
    try:
        assert (point_sums(family) == with_all_cores).all()
    finally:
        numba.set_num_threads(cores)


# The cost


@pytest.mark.parametrize("name", NUMERIC)
def test_the_basic_strategy_costs_less_than_four_thousandths_of_a_unit_and_never_gains(name: str) -> None:
    table = low_hand_table(name)
    strategy = PRICER.basic_strategy("high-low", table, {})
    assert strategy.best_return == odds(table).expected_return
    assert 0 < strategy.cost < MOST_A_STRATEGY_MAY_COST
    assert strategy.simulated_rounds is None


def test_the_cost_for_the_usual_table_to_the_last_digit() -> None:
    assert PRICER.basic_strategy("high-low", low_hand_table("LWB1"), {}).cost == COST_OF_LWB1


def test_the_guide_states_the_cost_for_every_printed_table() -> None:
    costs = [PRICER.basic_strategy("high-low", low_hand_table(name), {}).cost for name in NUMERIC]
    rows = f"| table | {' | '.join(NUMERIC)} |\n|---|---|---|---|---|---|---|\n| cost | "
    rows += " | ".join(f"{float(cost):.3%}" for cost in costs) + " |"
    assert rows in (Path(__file__).parents[3] / "docs" / "odds.md").read_text("utf-8")


def test_no_other_rank_is_better() -> None:
    """The neighbors of every rank in the low hand's lines cost as much or more."""
    found = search_strategy(pays("LWB1"))
    neighbors = evaluate_strategies(pays("LWB1"), list(found.points.neighbors()))
    assert len(neighbors) == 2 * sum(len(steps.ranks) for steps in found.points.low)
    assert all(other.expected_return <= found.expected_return for other in neighbors)


def test_no_other_number_of_points_is_better_to_double_with() -> None:
    found, table = search_strategy(pays("LWB2")), pays("LWB2")
    nets = [
        sum((table.net(KINDS[kind], *deals) for kind, deals in enumerate(kinds)), Fraction(0))
        for kinds in point_sums([found.points])[0].tolist()
    ]
    returns = [(sum(nets) + sum(nets[start:])) / DEALS for start in range(MAX_POINTS + 2)]
    assert max(returns) == returns[found.double_threshold] == found.expected_return


def test_a_hand_played_best_is_never_worth_less_than_one_played_by_points() -> None:
    best, simple = best_settings(pays("LWB1")), basic_settings(pays("LWB1"))
    differently = (best.settings != simple.settings) | (best.is_doubled != simple.is_doubled)
    share = suit_classes(6).sizes[differently].sum() / suit_classes(6).sizes.sum()
    assert 0.01 < share < 0.25  # the basic strategy differs seldom, and with a small cost


def test_a_strategy_for_a_custom_paytable_follows_its_pays() -> None:
    strategy = PRICER.basic_strategy("high-low", UPSIDE_DOWN, {})
    assert strategy.best_return == odds(UPSIDE_DOWN).expected_return
    assert strategy.cost >= 0
    assert [rule.text for rule in strategy.rules] != LWB1


def test_a_strategy_under_prizes_too_large_for_the_fast_numbers_is_exact_all_the_same() -> None:
    table = with_pay(Dollars(1_000_000_00))
    strategy = PRICER.basic_strategy("high-low", table, {})
    assert strategy.best_return == odds(table).expected_return
    assert strategy.cost > 0


def test_progress_is_reported_to_the_end() -> None:
    parts: list[float] = []
    PRICER.basic_strategy("high-low", low_hand_table("LWB2"), {}, lambda _, part: parts.append(part))
    assert parts == sorted(parts)
    assert parts[-1] == 1.0


def test_the_strategy_card_of_double_play_states_cost_and_edge_exactly() -> None:
    (one,) = strategy_cards(SLUG)
    strategy = PRICER.basic_strategy("high-low", low_hand_table("LWB1"), {})
    assert [rule.lower() for rule in one.rules] == [f"{rule.lower()}." for rule in LWB1]
    assert one.assumed == "Paytable LWB1"
    assert (one.cost, one.exactly) == (
        "Costs 0.253% of a unit against the best play",
        f"Exactly {strategy.cost} of a unit",
    )
    # Two units are down before the deal.
    assert one.edges == f"House edge {float(-strategy.expected_return) / 2:.3%} with it, 0.509% at best"
    assert one.unit == "A unit is one High wager with the Low equal"
    assert [side["size"] >= 7.5 for side in fitted(one)] == [True]


# The text

SAME = PointSteps(3)


def low_words(*low: PointSteps) -> list[str]:
    return [one.removeprefix("low hand: ") for one in HandPoints(low).rule_texts() if one.startswith("low hand")]


def test_kinds_with_equal_points_share_a_line_only_if_no_higher_kind_differs() -> None:
    assert low_words(*7 * [SAME]) == ["high cards or better count 3"]
    assert low_words(
        SAME, PointSteps(2, (14,)), PointSteps(1), PointSteps(4), PointSteps(4), PointSteps(9), PointSteps(9)
    ) == [
        "a straight flush or better counts 9, trips count 4, a straight counts 4, a flush counts 1",
        "a pair counts 3 if aces, else 2",
        "high cards count 3",
    ]
    assert low_words(PointSteps(0), PointSteps(2, (5, 5)), *5 * [SAME]) == [
        "a flush or better counts 3",
        "a pair counts 4 if fives or better, else 2",
        "high cards count 0",
    ]


def test_the_text_states_doubling_always_or_never() -> None:
    points = search_strategy(pays("LWB1")).points
    assert PointStrategy(Fraction(0), points, MAX_POINTS + 1).rule_texts()[-1] == "never double"
    assert PointStrategy(Fraction(0), points, 0).rule_texts()[-1] == "double always"


def test_one_hand_at_a_time_is_played_as_the_text_says() -> None:
    play, reader = basic_policy(pays("LWB1")), Reader(LWB1)
    for six in np.random.default_rng(5).permuted(np.tile(np.arange(52), (300, 1)), axis=1)[:, :6].tolist():
        one = max(divisions([card_from_code(code) for code in six]), key=play._preference)
        high, low, doubled = reader.played(six)
        assert (hands_by_strength()[one.high.strength], hands_by_strength()[one.low.strength]) == (high, low)
        assert (play._count_points(one) >= play.double_threshold) == doubled
