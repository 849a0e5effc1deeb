"""The shuffle report passes real shuffles and rejects broken ones, each for its fault."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise, permutations
from statistics import fmean, pstdev

import pytest

from cardroom.cards import ChaCha20Source, RandomSource, shuffle_items, shuffle_shoe
from cardroom.cards.deck import Deck
from cardroom.odds.shuffle_report import ShuffleReport, TooFewShuffles, shuffle_report

SHUFFLES = 2_000


def report(source: RandomSource, shuffles: int = SHUFFLES, cards: int = 52, **how: object) -> ShuffleReport:
    return shuffle_report(cards, shuffles, source, "", **how)  # type: ignore[arg-type]


def rejected(found: ShuffleReport) -> set[str]:
    return {test.name for test in found.tests if not test.passes}


def test_the_shuffled_places_are_those_of_a_shuffled_shoe() -> None:
    shoe = shuffle_shoe(Deck.ONE, ChaCha20Source.from_seed(3)).order
    places = shuffle_items(range(52), ChaCha20Source.from_seed(3))
    assert shoe == tuple(Deck.ONE.cards()[place] for place in places)


@pytest.mark.parametrize("cards", [52, 53])
def test_the_shuffles_of_the_program_pass(cards: int) -> None:
    assert report(ChaCha20Source.from_seed("passes"), cards=cards).passes


def test_of_a_hundred_sound_reports_only_a_few_are_rejected() -> None:
    """One in a hundred is expected; by chance, six or more occur once in two thousand such tests."""
    shuffles = [report(ChaCha20Source.from_seed(f"many {number}"), 260) for number in range(100)]
    assert sum(not one.passes for one in shuffles) < 6
    for test in range(5):
        # Each p is as often small as it should be: twenty of a hundred below 0.2, within three deviations.
        assert sum(one.tests[test].p < 0.2 for one in shuffles) < 20 + 3 * 4


def naive(items: Sequence[int], source: RandomSource) -> list[int]:
    """Every card changes places with any other: a common mistake."""
    order = list(items)
    for at in range(len(order)):
        other = source.draw_below(len(order))
        order[at], order[other] = order[other], order[at]
    return order


def test_cards_that_change_places_with_any_other_are_rejected_for_their_positions() -> None:
    assert "positions" in rejected(report(ChaCha20Source.from_seed(1), shuffle=naive))


class Counter:
    """A counter instead of random numbers."""

    def __init__(self) -> None:
        self.count = 0

    def draw_below(self, bound: int) -> int:
        self.count += 1
        return self.count % bound


def test_a_counter_in_place_of_random_numbers_is_rejected() -> None:
    assert not report(Counter()).passes


def test_a_few_seeds_used_again_and_again_are_rejected_for_their_collisions() -> None:
    seeds = ChaCha20Source.from_seed("few seeds")

    def from_few(items: Sequence[int], source: RandomSource) -> Sequence[int]:
        return shuffle_items(items, ChaCha20Source.from_seed(source.draw_below(1 << 14)))

    assert rejected(report(seeds, shuffle=from_few)) >= {"collisions"}


def test_too_few_riffles_are_rejected_for_their_runs_and_neighbors() -> None:
    def cut_once(items: Sequence[int], source: RandomSource) -> list[int]:
        depth = source.draw_below(len(items))
        return [*items[depth:], *items[:depth]]

    assert rejected(report(ChaCha20Source.from_seed(1), shuffle=cut_once)) >= {"runs", "serial correlation"}


def test_a_shuffle_that_starts_from_the_last_order_is_rejected_for_its_correlation() -> None:
    last = list(range(52))

    def go_on(_: Sequence[int], source: RandomSource) -> list[int]:
        for _again in range(40):
            one, other = source.draw_below(52), source.draw_below(52)
            last[one], last[other] = last[other], last[one]
        return list(last)

    assert "serial correlation" in rejected(report(ChaCha20Source.from_seed(1), shuffle=go_on))


def test_positions_that_are_too_even_are_rejected() -> None:
    turn = iter(range(52 * 38))

    def each_place_in_its_turn(items: Sequence[int], _: RandomSource) -> list[int]:
        shift = next(turn) % len(items)
        return [*items[shift:], *items[:shift]]

    shuffles = report(ChaCha20Source.from_seed(1), 52 * 38, shuffle=each_place_in_its_turn)
    assert shuffles.tests[0].statistic.startswith("chi-square 0.0 ")
    assert "positions" in rejected(shuffles)


def test_every_order_once_is_what_chance_gives_on_average() -> None:
    """All 720 orders of six cards: no deviation at all, so means and degrees of freedom are right."""
    every = iter(permutations(range(6)))
    shuffles = report(ChaCha20Source.from_seed(1), 720, 6, shuffle=lambda *_: next(every))
    positions, runs, neighbors, _, _ = shuffles.tests
    assert positions.statistic == "chi-square 0.0 of 25 degrees"
    assert (runs.statistic, neighbors.statistic) == ("z +0.00", "z +0.00")


def test_one_order_again_and_again_is_as_many_deviations_off_as_all_orders_say() -> None:
    """The report's deviations are those of all 720 orders of six cards, counted one by one."""
    times, value = 30, (-5, -3, -1, 1, 3, 5)
    orders = list(permutations(range(6)))
    rises = [sum(one < other for one, other in pairwise(order)) for order in orders]
    products = [sum(value[order[at]] * value[order[at - 1]] for at in range(6)) for order in orders]
    positions, runs, neighbors, _, _ = report(ChaCha20Source.from_seed(1), times, 6, shuffle=lambda *_: range(6)).tests
    # The chi-square of one permutation is (n - 1) squared; for equal permutations it is this many times as large.
    assert positions.statistic == f"chi-square {times * 25}.0 of 25 degrees"
    for test, counts in ((runs, rises), (neighbors, products)):
        z = math.sqrt(times) * (counts[0] - fmean(counts)) / pstdev(counts)
        assert test.statistic == f"z {z:+.2f}"


def test_too_few_shuffles_are_refused() -> None:
    with pytest.raises(TooFewShuffles, match=r"259.*52.*260"):
        report(ChaCha20Source.from_seed(1), 259)
