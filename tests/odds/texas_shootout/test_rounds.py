"""Simulated rounds of Texas Shootout: fair cards, the real game's results, the same counts on any machine."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations
from math import comb

import numba
import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import names, of_code
from cardroom.games import Decision, Verb
from cardroom.games.texas_shootout.house_way import CHOICES, house_way
from cardroom.hands import best_five_six_deck
from cardroom.odds.rounds.philox import draw, philox, refused_below
from cardroom.odds.texas_shootout.choice import run_race
from cardroom.odds.texas_shootout.contest import end_net, end_results, end_words, mean_and_error, play
from cardroom.odds.texas_shootout.hands import (
    CHOICE_COUNT,
    HANDS,
    KEEPS,
    PAIRS_OF,
    codes_in_order,
    copies_of,
    decision,
    every_hand,
    hand_classes,
    numbers,
    pair_places,
    recolored,
    ways_dealt,
)
from cardroom.odds.texas_shootout.race import ENDS, Stream, deal_round, fair_limits, full_deck
from cardroom.odds.texas_shootout.seat import BLOCKS, simulated
from tests.games.shootout_rounds import RULES, Seat, paid, played
from tests.odds.texas_shootout.quick import dealt

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


def test_a_draw_is_the_mixed_radix_number_that_its_64_bits_say() -> None:
    dice = random.Random(5)
    for _ in range(200):
        word = dice.getrandbits(64)
        deck = np.arange(250, dtype=np.uint8)
        rest = draw(deck, 3, 250, 4, np.uint64(word >> 32), np.uint64(word & 0xFFFFFFFF))
        expected, left = list(range(250)), word
        for place in range(3, 7):
            chosen, left = divmod(left * (250 - place), 1 << 64)
            expected[place], expected[place + chosen] = expected[place + chosen], expected[place]
        assert (deck.tolist(), int(rest)) == (expected, left)


def test_the_numbers_refused_leave_every_draw_equally_many() -> None:
    for cards, count in ((312, 4), (308, 4), (304, 5)):
        product = comb(cards, count) * [1, 1, 2, 6, 24, 120][count]
        assert int(refused_below(cards, count)) == (1 << 64) % product


def test_every_card_is_dealt_to_every_place_equally_often() -> None:
    deck, rounds = full_deck(), 30_000
    limits = fair_limits(len(deck), 4)
    seen = np.zeros((13, 52), np.int64)
    for turn in range(rounds):
        deal_round(deck, 4, limits, turn, Stream(99, 0, 0, 1))
        seen[np.arange(13), deck[:13]] += 1
    assert Counter(deck.tolist()) == dict.fromkeys(range(52), 6)
    chi_squared = ((seen - rounds / 52) ** 2 / (rounds / 52)).sum(axis=1)  # 51 degrees of freedom, sd about 10
    assert chi_squared.max() < 110
    assert chi_squared.min() > 15


# Hands and their classes


def test_there_are_22022_classes_of_hands_and_they_hold_every_deal() -> None:
    classes = hand_classes()
    assert len(classes) == 22_022
    assert HANDS == len(every_hand()) == 341_055
    assert int(classes.ways.sum()) == int(ways_dealt(every_hand()).sum()) == comb(312, 4)
    assert numbers(every_hand()).tolist() == list(range(HANDS))


def test_hands_of_one_class_make_the_same_choice_but_for_suits() -> None:
    classes, dice = hand_classes(), random.Random(11)
    choices = np.array([dice.randrange(CHOICE_COUNT) for _ in range(len(classes))], np.uint8)
    by_hand = classes.by_hand(choices)
    for _ in range(500):
        number = dice.randrange(len(classes))
        suits = dice.sample(range(4), 4)
        changed = np.sort(recolored(classes.hands[number], suits))
        at = int(numbers(changed[None, :])[0])
        assert classes.class_of[at] == number
        played_there = decision(changed, int(by_hand[at]))
        meant = decision(classes.hands[number], int(choices[number]))
        assert played_there.verb is meant.verb
        assert _as_a_class(played_there, changed) == _as_a_class(meant, classes.hands[number])


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


def test_a_choice_that_repeats_another_but_for_suits_is_not_raced() -> None:
    classes = hand_classes()
    number = int(classes.class_of[numbers(np.sort(np.array([[44, 45, 50, 3]], np.uint8), axis=1))[0]])
    # K K A and a two, all of different suits: each king makes the same hand with the ace and with the two.
    assert int(classes.different[number, :KEEPS].sum()) == 4
    assert int(classes.different[number, KEEPS:].sum()) == 2


# Rounds at a real table


@pytest.mark.parametrize("rounds", [600, pytest.param(10_000, marks=pytest.mark.long)])
def test_simulated_rounds_end_as_the_rules_settle_them(rounds: int) -> None:
    seed, stream = 31, 7
    dice = random.Random(17)
    choices = np.array([[dice.randrange(CHOICE_COUNT) for _ in range(HANDS)]], np.uint8)
    exact = Counter[int]()
    for block in range(rounds):
        thirteen = dealt(block, seed, stream)
        four, dealer, board = thirteen[:4], thirteen[4:8], thirteen[8:]
        codes = codes_in_order(four)
        answer = decision(codes, int(choices[0, numbers(codes[None, :])[0]]))
        end = played(Seat(names(four), str(answer)), dealer=names(dealer), board=names(board))
        results = {payment.stake: RESULTS[payment.event] for payment in paid(end, "shootout")}
        if answer.verb is Verb.SPLIT:
            exact[3 + 3 * min(results.values()) + max(results.values())] += 1
        else:
            exact[results["shootout"]] += 1
        assert RULES.settle(end).net(1) == 1000 * sum((-1, -1, 1)[one] for one in results.values())
    found = Counter[int]()
    for end, count in enumerate(play(choices, rounds, seed=seed, stream=stream, block=1).tolist()):
        first, *second = end_results(end)
        found[3 + 3 * min(first, *second) + max(first, *second) if second else first] += count
    assert +found == +exact
    assert len(+exact) >= 7


def test_all_six_pairs_of_a_hand_meet_the_dealer_that_the_house_way_sets() -> None:
    hand = codes_in_order(dealt(0, 5, 5)[:4])
    cards = dealt(0, 5, 5)[:4]
    gone = copies_of(cards)
    joint = simulated(hand, gone, BLOCKS, 77)
    expected = Counter[int]()
    for block in range(BLOCKS):
        kept = full_deck().tolist()
        for card in cards:
            kept.remove(card.code)
        deck = np.array(kept, np.uint8)
        deal_round(deck, 0, fair_limits(len(deck), 0), 0, Stream(77, 0, block, 1))
        nine = tuple(of_code(int(code)) for code in deck[:9])
        dealer = best_five_six_deck((*house_way(nine[:4]).kept, *nine[4:])).strength
        digits = 0
        for number, (one, other) in enumerate(CHOICES):
            own = best_five_six_deck((of_code(int(hand[one])), of_code(int(hand[other])), *nine[4:])).strength
            digits += 3**number * ((own >= dealer) + (own > dealer))
        expected[digits] += 1
    assert {place: count for place, count in enumerate(joint.tolist()) if count} == expected


def test_counts_do_not_depend_on_the_number_of_threads() -> None:
    choices = np.zeros((2, HANDS), np.uint8)
    choices[1] = 7
    before = numba.get_num_threads()
    try:
        found = []
        for threads in (1, min(2, before)):
            numba.set_num_threads(threads)
            race = run_race(first_lap=8, most=16)
            found.append((play(choices, 40_000, block=1 << 12), race.joint))
    finally:
        numba.set_num_threads(before)
    assert (found[0][0] == found[1][0]).all()
    assert (found[0][1] == found[1][1]).all()
    assert found[0][0].sum() == 40_960


def test_another_seed_deals_other_cards() -> None:
    assert dealt(0, 1, 0) != dealt(0, 2, 0) != dealt(0, 2, 1) != dealt(1, 2, 1)


# How rounds end


def test_a_split_round_ends_with_two_hands_in_any_order() -> None:
    assert [end_words(end) for end in range(3)] == ["dealer-wins", "tie", "player-wins"]
    assert end_words(3 + 3 * 2 + 0) == end_words(3 + 3 * 0 + 2) == "split-one-wins-one-loses"
    assert end_words(ENDS - 1) == "split-both-win"
    assert [end_net(3 + 3 * 1 + 2, ties) for ties in ("lose", "push")] == [0, 1]


def test_mean_and_standard_error_are_those_of_the_textbook() -> None:
    values, counts = np.array([-1, 0, 2]), np.array([5, 3, 2])
    every = np.repeat(values, counts)
    mean, error = mean_and_error(values, counts)
    assert float(mean) == pytest.approx(every.mean())
    assert error == pytest.approx(every.std() / len(every) ** 0.5)


def test_the_places_of_a_split_are_all_four_cards() -> None:
    for choice, (one, other) in enumerate(PAIRS_OF):
        assert pair_places()[choice].tolist() == [*CHOICES[one], *CHOICES[other]]
        assert (set(CHOICES[one]) | set(CHOICES[other]) == {0, 1, 2, 3}) is (choice >= KEEPS)
