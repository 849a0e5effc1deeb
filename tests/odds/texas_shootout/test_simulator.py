"""Simulated rounds of Texas Shootout against its rules and its odds."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import card_from_code
from cardroom.games import Decision, Table, Verb
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.deals import philox
from cardroom.odds.simulation.rules_engine import WagerResult
from cardroom.odds.simulation.runner import BadSimulation, simulate, simulator
from cardroom.odds.texas_shootout.basic_strategy import POINTS, choices_by_points
from cardroom.odds.texas_shootout.hands_and_boards import every_hand, pair_places
from cardroom.odds.texas_shootout.kernels import CARDS, ROUNDS, STREAM, deal_to_buffer, decode_play, new_deal_buffer
from cardroom.odds.texas_shootout.pricer import PRICER
from cardroom.odds.texas_shootout.simulator import SIMULATOR, PreparedShootout
from tests.odds.simulation.at_the_table import open_table
from tests.odds.simulation.replayed import (
    assert_close,
    assert_counts_do_not_depend_on_who_counts,
    assert_settled_alike,
    turns_worth_a_look,
    without,
)

SLUG = "texas-shootout"
BETS = {"shootout": 10_00, "quick-draw": 10_00, "shootout-bonus": 1_00, "jackpot": 1_00}
SPLITS = {
    ("player-wins", "player-wins"): "split-both-win",
    ("player-wins", "tie"): "split-one-wins-one-ties",
    ("dealer-wins", "player-wins"): "split-one-wins-one-loses",
    ("tie", "tie"): "split-both-tie",
    ("dealer-wins", "tie"): "split-one-ties-one-loses",
    ("dealer-wins", "dealer-wins"): "split-both-lose",
}


@cache
def table() -> Table:
    return open_table(SLUG)


@cache
def prepared() -> PreparedShootout:
    return SIMULATOR.prepare(table())


@cache
def simple() -> PreparedShootout:
    return SIMULATOR.prepare(table(), "simple")


def same(slug: str, ending: WagerOutcome, outcome: WagerResult) -> bool:
    if slug == "shootout":
        one_hand = len(outcome.triggers) == 1
        first, *second = sorted(outcome.triggers)
        return ending.trigger == (first if one_hand else SPLITS[first, second[0]])
    lines = [line.trigger for line in table().offers[slug].paytable.lines]
    first, *rest = sorted(event if event in lines else "other" for event in outcome.triggers)
    if not rest:
        return ending.trigger == first
    return ending.trigger == (f"both hands {first}" if rest == [first] else f"{first} and {rest[0]}")


# Cards


def drawn_by_hand(seed: int, block: int, turn: int) -> tuple[list[int], int]:
    """The 13 cards of a round, one after the other from those that are left, and the number of rejected numbers."""
    attempt = 0
    while True:
        counter = (np.uint64(one) for one in (turn, block, STREAM, attempt, seed & 0xFFFFFFFF, seed >> 32))
        w, x, y, z = (int(word) for word in philox(*counter))
        deck, cards, fair = list(range(312)), [], True
        for number, count in (((w << 32) + x, 7), ((y << 32) + z, 6)):
            ways = 1
            for _ in range(count):
                ways *= len(deck)
                place, number = divmod(number * len(deck), 2**64)
                cards.append(deck.pop(place) // 6)
            fair &= number >= 2**64 % ways
        if fair:
            return cards, attempt
        attempt += 1


def test_cards_are_drawn_one_after_the_other_from_six_decks_and_unfair_numbers_are_refused() -> None:
    tray, refused = new_deal_buffer(), 0
    for first in range(0, 8 * ROUNDS, ROUNDS):
        deal_to_buffer(tray, first, 5, np.uint64(2**64 - 99))
        for at in range(ROUNDS):
            cards, attempts = drawn_by_hand(2**64 - 99, 5, first + at)
            assert tray.codes[:, at].tolist() == cards
            refused += attempts
    assert refused > 5


def test_every_place_gets_every_card_equally_often() -> None:
    tray, counts, batches = new_deal_buffer(), np.zeros((CARDS, 52)), 2000
    for number in range(batches):
        deal_to_buffer(tray, number * ROUNDS, 0, np.uint64(1))
        for card in range(CARDS):
            counts[card] += np.bincount(tray.codes[card], minlength=52)
    expected = batches * ROUNDS / 52
    chi_square = ((counts - expected) ** 2 / expected).sum(axis=1)
    assert (chi_square < 51 + 5 * sqrt(2 * 51)).all()


# Rounds


def test_the_game_has_a_simulator() -> None:
    assert simulator(SLUG) is SIMULATOR


def test_simulated_rounds_end_as_the_game_settles_them() -> None:
    assert_settled_alike(prepared(), table(), [BETS], 7, turns_worth_a_look(prepared(), 7, 400), same)


def test_split_hands_end_as_the_game_settles_them_for_any_placement_of_the_bonus() -> None:
    places = prepared().round_outcomes(9, 0, 40_000)
    splits = [at for at, outcome in enumerate(prepared().wagers[0].outcomes) if outcome.trigger.startswith("split")]
    turns = np.flatnonzero(np.isin(places[:, 0], splits))[:500].tolist()
    placed = Counter(prepared().simulated_round(9, 0, turn).decisions["bonus"].verb for turn in turns)
    assert min(placed[verb] for verb in (Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND)) > 5
    assert_settled_alike(prepared(), table(), [BETS], 9, turns, same)


def test_the_bonus_of_a_split_is_placed_for_the_highest_value() -> None:
    bonus = table().offers["shootout-bonus"].paytable
    known = np.array([decode_play(int(play_byte)) for play_byte in prepared().play_bytes])
    rng = np.random.default_rng(3)
    for number in rng.choice(np.flatnonzero(known[:, 0] >= 6), 40, replace=False):
        hand = tuple(card_from_code(int(code)) for code in every_hand()[number])
        choice, placement = known[number].tolist()
        partner = choice - 5
        first, second = (hand[0], hand[partner]), tuple(hand[at] for at in (1, 2, 3) if at != partner)
        values = dict(PRICER.hand_values("shootout-bonus", bonus, {}, first + second))
        verb = (Verb.MATCH, Verb.FIRST_HAND, Verb.SECOND_HAND)[placement]
        assert values[Decision(verb)] == max(values.values())


def test_without_a_quick_draw_wager_ties_lose_and_with_it_they_push() -> None:
    bare = without(table(), "quick-draw")
    ready = SIMULATOR.prepare(bare)
    assert [(wager.slug, dict(wager.request.settings)) for wager in ready.wagers] == [
        ("shootout", {"ties": "lose"}),
        ("shootout-bonus", {}),
        ("jackpot", {}),
    ]
    assert dict(prepared().wagers[0].request.settings) == {"ties": "push"}
    bets = {spot: cents for spot, cents in BETS.items() if spot != "quick-draw"}
    ties = [at for at, outcome in enumerate(ready.wagers[0].outcomes) if outcome.trigger == "tie"]
    turns = np.flatnonzero(np.isin(ready.round_outcomes(4, 0, 4000)[:, 0], ties)).tolist()
    assert_settled_alike(ready, bare, [bets], 4, [*range(100), *turns], same)
    assert_close(simulate(ready, 5_000_000, 12))


def test_a_table_with_the_main_game_alone_can_be_simulated() -> None:
    ready = SIMULATOR.prepare(without(table(), "quick-draw", "shootout-bonus", "jackpot"))
    assert_settled_alike(ready, without(table(), "jackpot"), [{"shootout": 10_00}], 1, range(100), same)


def test_ten_million_rounds_come_close_to_the_odds_of_every_wager() -> None:
    assert_close(simulate(prepared(), 10_000_000, 20_260_703))


def test_counts_do_not_depend_on_threads_pieces_or_machines() -> None:
    assert_counts_do_not_depend_on_who_counts(prepared(), 2_500_000, 5)


# The basic strategy


def test_rounds_by_the_basic_strategy_end_as_the_game_settles_them() -> None:
    assert_settled_alike(simple(), table(), [BETS], 7, turns_worth_a_look(simple(), 7, 150), same)


def test_the_basic_strategy_is_played_by_its_points() -> None:
    """The seat may take other cards that differ in suits only."""
    wanted = choices_by_points(every_hand(), POINTS)
    played = np.array([decode_play(int(play_byte))[0] for play_byte in simple().play_bytes], np.uint8)
    assert ((played < 6) == (wanted < 6)).all()
    ranks = every_hand() >> 2

    def hands_of_ranks(choices: NDArray[np.uint8]) -> NDArray[np.uint8]:
        both = np.take_along_axis(ranks, pair_places()[choices].astype(np.int64), axis=1)
        first, second = np.sort(both[:, :2], axis=1), np.sort(both[:, 2:], axis=1)
        return np.sort(np.column_stack([first[:, 1] * 16 + first[:, 0], second[:, 1] * 16 + second[:, 0]]), axis=1)

    assert (hands_of_ranks(played) == hands_of_ranks(wanted)).all()


def test_the_basic_strategy_returns_what_its_price_says_and_the_side_wagers_with_it() -> None:
    tally = simulate(simple(), 10_000_000, 20_260_704)
    assert_close(tally)
    strategy = PRICER.basic_strategy("shootout", table().offers["shootout"].paytable, {"ties": "push"})
    main = tally.wager("shootout")
    assert main.plan.priced_rounds is None
    assert main.exact_odds is not None
    assert main.exact_odds.expected_return == strategy.expected_return


def test_on_the_same_cards_the_basic_strategy_costs_what_its_price_says() -> None:
    nets = [
        np.array([float(outcome.net) for outcome in ready.wagers[0].outcomes])[
            ready.round_outcomes(3, 0, 1_000_000)[:, 0]
        ]
        for ready in (prepared(), simple())
    ]
    cost = nets[0] - nets[1]
    strategy = PRICER.basic_strategy("shootout", table().offers["shootout"].paytable, {"ties": "push"})
    error = sqrt(cost.var() / len(cost))
    assert error < 0.001
    assert abs(cost.mean() - float(strategy.cost)) < 4 * error


def test_the_basic_strategy_needs_no_side_wagers() -> None:
    ready = SIMULATOR.prepare(without(table(), "quick-draw", "shootout-bonus", "jackpot"), "simple")
    assert_settled_alike(ready, without(table(), "jackpot"), [{"shootout": 10_00}], 1, range(100), same)


def test_an_unknown_strategy_is_refused() -> None:
    with pytest.raises(BadSimulation, match="'bold'"):
        SIMULATOR.prepare(table(), "bold")
