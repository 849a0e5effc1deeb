"""Simulated rounds of Texas Shootout: fair numbers, hands and their classes, the real game's results."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from functools import cache
from itertools import permutations
from math import comb, perm

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.games import Decision, Table
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.result import WagerOutcome
from cardroom.odds.simulation.deals import philox, rejection_limit
from cardroom.odds.simulation.rules_engine import WagerResult
from cardroom.odds.texas_shootout.hand_values import hand_choice, hand_classes
from cardroom.odds.texas_shootout.hands_and_boards import (
    CHOICE_COUNT,
    CHOICE_PAIRS,
    HANDS,
    KEEPS,
    choice_decision,
    deal_counts,
    every_hand,
    exchange_suits,
    hand_numbers,
    pair_places,
)
from cardroom.odds.texas_shootout.kernels import encode_plays
from cardroom.odds.texas_shootout.payoffs import OUTCOME_COUNT, outcome_event, outcome_net
from cardroom.odds.texas_shootout.simulator import SIMULATOR
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from tests.odds.simulation.at_the_table import open_table
from tests.odds.simulation.replayed import assert_settled_alike, without

RESULTS = {"dealer-wins": 0, "tie": 1, "player-wins": 2}


# Random numbers


@pytest.mark.parametrize(
    ("counter", "key", "expected"),
    [  # the known answers that the authors of Random123 publish for philox4x32, 10 rounds
        ((0, 0, 0, 0), (0, 0), (0x6627E8D5, 0xE169C58D, 0xBC57AC4C, 0x9B00DBD8)),
        ((0xFFFFFFFF,) * 4, (0xFFFFFFFF,) * 2, (0x408F276D, 0x41C83B0E, 0xA20BC7C6, 0x6D5451FD)),
        (
            (0x243F6A88, 0x85A308D3, 0x13198A2E, 0x03707344),
            (0xA4093822, 0x299F31D0),
            (0xD16CFE09, 0x94FDCCEB, 0x5001E420, 0x24126EA1),
        ),
    ],
)
def test_philox_gives_the_published_numbers(
    counter: tuple[int, ...], key: tuple[int, ...], expected: tuple[int, ...]
) -> None:
    assert tuple(map(int, philox(*map(np.uint64, counter), *map(np.uint64, key)))) == expected


def test_rejected_numbers_leave_every_draw_equally_likely() -> None:
    for cards, count in ((312, 7), (305, 6), (52, 5)):
        product = perm(cards, count)
        assert int(rejection_limit(cards, count)) == (1 << 64) % product


# Hands and their classes


def test_there_are_22022_classes_of_hands_and_they_contain_every_deal() -> None:
    classes = hand_classes()
    assert len(classes) == 22_022
    assert HANDS == len(every_hand()) == 341_055
    assert int(classes.combinations.sum()) == int(deal_counts(every_hand()).sum()) == comb(312, 4)
    assert hand_numbers(every_hand()).tolist() == list(range(HANDS))


def test_hands_of_one_class_make_the_same_choice_apart_from_suits() -> None:
    classes, dice = hand_classes(), random.Random(11)
    choices = np.array([dice.randrange(CHOICE_COUNT) for _ in range(len(classes))], np.uint8)
    by_hand = classes.choices_by_hand(choices)
    for _ in range(500):
        number = dice.randrange(len(classes))
        suits = dice.sample(range(4), 4)
        changed = np.sort(exchange_suits(classes.hands[number], suits))
        at = int(hand_numbers(changed[None, :])[0])
        assert classes.members.class_of[at] == number
        played_there = choice_decision(changed, int(by_hand[at]))
        meant = choice_decision(classes.hands[number], int(choices[number]))
        assert played_there.verb is meant.verb
        assert _as_a_class(played_there, changed) == _as_a_class(meant, classes.hands[number])
        assert tablebase().locate(changed.tolist()) == (number, classes.members.order[at].tolist())
        assert hand_choice(int(choices[number]), classes.members.order[at].tolist()) == by_hand[at]


def _as_a_class(one: Decision, hand: NDArray[np.uint8]) -> list[list[int]]:
    """The groups of a decision and the whole hand, in the order of the suits that writes them lowest."""
    groups = [[card.code for card in group] for group in one.groups]
    return min(
        [
            *sorted(sorted(code & ~3 | suits[code & 3] for code in group) for group in groups),
            sorted(int(code) & ~3 | suits[code & 3] for code in hand),
        ]
        for suits in permutations(range(4))
    )


# Rounds at a real table


@cache
def table() -> Table:
    return without(open_table("texas-shootout"), "quick-draw", "shootout-bonus", "jackpot")


def same(_: str, ending: WagerOutcome, outcome: WagerResult) -> bool:
    results = tuple(RESULTS[event] for event in outcome.triggers)
    return ending.trigger == outcome_event(results[0] if len(results) == 1 else 3 + 3 * results[0] + results[1])


@pytest.mark.parametrize("rounds", [600, pytest.param(10_000, marks=pytest.mark.long)])
def test_simulated_rounds_end_as_the_rules_settle_them_for_any_choices(rounds: int) -> None:
    dice = np.random.default_rng(17)
    choices = dice.integers(CHOICE_COUNT, size=HANDS, dtype=np.uint8)
    nothing = np.zeros(HANDS, np.uint8)
    prepared = replace(SIMULATOR.prepare(table()), play_bytes=encode_plays(choices, nothing, nothing))
    assert_settled_alike(prepared, table(), [{"shootout": 10_00}], 31, range(rounds), same)
    ends = Counter(prepared.round_outcomes(31, 0, rounds)[:, 0].tolist())
    assert len(ends) >= 7


# The ends of rounds


def test_a_split_round_ends_with_two_hands_in_any_order() -> None:
    assert [outcome_event(end) for end in range(3)] == ["dealer-wins", "tie", "player-wins"]
    assert outcome_event(3 + 3 * 2 + 0) == outcome_event(3 + 3 * 0 + 2) == "split-one-wins-one-loses"
    assert outcome_event(OUTCOME_COUNT - 1) == "split-both-win"
    assert [outcome_net(3 + 3 * 1 + 2, ties) for ties in ("lose", "push")] == [0, 1]


def test_the_places_of_a_split_are_all_four_cards() -> None:
    for choice, (one, other) in enumerate(CHOICE_PAIRS):
        assert pair_places()[choice].tolist() == [*CHOICES[one], *CHOICES[other]]
        assert (set(CHOICES[one]) | set(CHOICES[other]) == {0, 1, 2, 3}) is (choice >= KEEPS)
