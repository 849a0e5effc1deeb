"""The strategy for people: that it is counted right, that none of its family is better, and how it is said."""

from __future__ import annotations

from collections import defaultdict
from fractions import Fraction
from math import comb

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import cards, of_code
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.hands import THREE_CARD, rank_strength
from cardroom.odds.three_card_double_play.classes import one_of_each
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, STRENGTHS, Threes, threes
from cardroom.odds.three_card_double_play.dealer import hands_up_to
from cardroom.odds.three_card_double_play.setting import KIND_OF, KINDS
from cardroom.odds.three_card_double_play.strategy import Doubling, hand_or_better
from cardroom.odds.three_card_double_play.ways import Family, Way, _add_ways, all_ways, sums
from cardroom.paytables import Dollars
from tests.odds.three_card_double_play.by_hand import NUMERIC, PRICER, UPSIDE_DOWN, low_hand_table, odds
from tests.odds.three_card_double_play.test_pricer import with_pay

DEALS = comb(52, 6) * comb(46, 5)


def set_by(way: Way, ten: tuple[Division, ...]) -> Division:
    """Follow the aims one after the other, as a person would."""
    left = list(ten)
    for aim in way.aims:
        numbers = [aim.number(KINDS.index(one.high.category), KINDS.index(one.low.category)) for one in left]
        left = [one for one, number in zip(left, numbers, strict=True) if number == max(numbers)]
    if way.low_first:
        return max(left, key=lambda one: (one.low.strength, one.high.strength))
    return max(left, key=lambda one: (one.high.strength, one.low.strength))


def sums_over(rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """What the ways do to some classes of hands."""
    found = np.zeros((len(all_ways()), len(KINDS), STRENGTHS, 3), np.int64)
    some = Threes(threes().strengths[rows], threes().beaten[rows])
    _add_ways(one_of_each(6).alike[rows], some, Family.of(all_ways()), found)
    return found


def test_the_kernel_sets_hands_as_a_person_who_follows_the_aims() -> None:
    hands, alike = one_of_each(6)
    rows = np.linspace(0, len(hands) - 1, 25).astype(np.int64)
    expected: defaultdict[tuple[int, int, int], list[int]] = defaultdict(lambda: [0, 0, 0])
    for row in rows.tolist():
        six = [of_code(code) for code in hands[row].tolist()]
        ten, up_to, count = divisions(six), hands_up_to(six), int(alike[row])
        for number, way in enumerate(all_ways()):
            one = set_by(way, ten)
            cell = expected[number, KINDS.index(one.high.category), one.low.strength]
            cell[0] += count * int(up_to[one.low.strength])
            cell[1] += count * int(up_to[one.high.strength])
            cell[2] += count * DEALER_HANDS
    found = sums_over(rows)
    assert {cell: found[cell].tolist() for cell in expected} == expected
    assert found.sum() == sum(map(sum, expected.values()))


def test_every_way_sets_every_hand() -> None:
    assert (sums()[..., 2].sum(axis=(1, 2)) == DEALS).all()


def test_the_sums_do_not_depend_on_how_many_cores_count() -> None:
    rows, cores = np.arange(0, len(one_of_each(6).hands), 10), numba.get_num_threads()
    with_all_cores = sums_over(rows)
    numba.set_num_threads(1)
    try:
        assert (sums_over(rows) == with_all_cores).all()
    finally:
        numba.set_num_threads(cores)


def test_no_two_ways_of_the_family_are_the_same() -> None:
    assert len({(way.order, way.low_first) for way in all_ways()}) == len(all_ways())


@pytest.mark.parametrize("name", NUMERIC)
def test_the_strategy_for_people_costs_a_little_and_never_gains(name: str) -> None:
    table = low_hand_table(name)
    found = PRICER.simple_strategy("high-low", table, {})
    assert found.best_return == odds(table).expected_return
    assert 0 < found.cost < Fraction(1, 40)
    assert found.simulated_rounds is None


def net_of(way: int, lowest: dict[int, int], pays: dict[int, Fraction]) -> Fraction:
    """What a way wins when it is doubled from these low hands on, by the kind of the high hand."""
    total = Fraction(0)
    for kind, strength in np.argwhere(sums()[way, ..., 2]).tolist():
        both, high, deals = sums()[way, kind, strength].tolist()
        net = (1 + pays[int(KIND_OF[strength])]) * both - 2 * (deals - high)
        total += net * (2 if strength >= lowest[kind] else 1)
    return total / DEALS


def test_the_strategy_returns_what_its_words_win() -> None:
    """The words for LWB1, followed by hand: the kind of the low hand, then of the high hand, then the higher low."""
    found = PRICER.simple_strategy("high-low", low_hand_table("LWB1"), {})
    assert [rule.words for rule in found.rules] == [
        "setting, first: make the low hand the best kind of hand you can",
        "then: make the high hand the best kind of hand you can",
        "then: make the low hand as high as you can, and then the high hand",
        "with a straight or better in the high hand, double when the low hand is ace high or better",
        "with less in the high hand, double when the low hand is a pair of jacks or better",
        "else stand",
    ]
    (way,) = (
        number
        for number, way in enumerate(all_ways())
        if way.low_first and [aim.words for aim in way.aims] == [rule.words.split(": ")[1] for rule in found.rules[:2]]
    )
    jacks, ace_high = (rank_strength(THREE_CARD, cards(text)) for text in ("Jc Jd 2h", "Ac 4d 2h"))
    pays = dict(enumerate(Fraction(line.cell) for line in reversed(low_hand_table("LWB1").lines)))
    lowest = {kind: jacks if kind < 3 else ace_high for kind in range(len(KINDS))}
    assert found.expected_return == net_of(way, lowest, pays)
    # Neither hand could be named better: the neighbours of both cost more.
    for lower, higher in ((jacks - 1, ace_high), (jacks + 1, ace_high), (jacks, ace_high - 1), (jacks, ace_high + 1)):
        other = {kind: lower if kind < 3 else higher for kind in range(len(KINDS))}
        assert net_of(way, other, pays) < found.expected_return


def test_a_strategy_for_a_table_that_nobody_printed_follows_what_it_pays() -> None:
    found = PRICER.simple_strategy("high-low", UPSIDE_DOWN, {})
    assert found.best_return == odds(UPSIDE_DOWN).expected_return
    assert found.cost >= 0
    assert found.rules != PRICER.simple_strategy("high-low", low_hand_table("LWB1"), {}).rules


def test_a_strategy_under_prizes_too_large_for_the_fast_numbers_is_exact_all_the_same() -> None:
    table = with_pay(Dollars(1_000_000_00))
    found = PRICER.simple_strategy("high-low", table, {})
    assert found.best_return == odds(table).expected_return
    assert found.cost > 0


def test_progress_is_told_to_the_end() -> None:
    told: list[float] = []
    PRICER.simple_strategy("high-low", low_hand_table("LWB2"), {}, lambda _, part: told.append(part))
    assert told == sorted(told)
    assert told[-1] == 1.0


@pytest.mark.parametrize(
    ("hand", "said"),
    [
        ("5c 3d 2h", "high cards or better"),
        ("Kc 3d 2h", "king high or better"),
        ("Kc 4d 2h", "K-4-2 or better"),
        ("2c 2d 3h", "a pair or better"),
        ("6c 6d 2h", "a pair of sixes or better"),
        ("6c 6d Kh", "6-6-K or better"),
        ("5c 3c 2c", "a flush or better"),
        ("Jc 7c 3c", "a flush of J-7-3 or better"),
        ("3c 2d Ah", "a straight or better"),
        ("9c 8d 7h", "straight, nine high, or better"),
        ("2c 2d 2h", "trips or better"),
        ("Ac Kc Qc", "a mini-royal"),
    ],
)
def test_a_hand_to_double_with_is_said_in_few_words(hand: str, said: str) -> None:
    assert hand_or_better(rank_strength(THREE_CARD, cards(hand))) == said


def test_doubling_always_or_never_is_said_so() -> None:
    assert list(Doubling(STRENGTHS).words()) == ["double never", "else stand"]
    assert list(Doubling(0, kind=4, lowest_with_kind=STRENGTHS).words()) == [
        "with trips or better in the high hand, double never",
        "with less in the high hand, double always",
        "else stand",
    ]
