"""Simulated rounds in which the dealer has equal choices: the dealer keeps the cards dealt first (TS-1)."""

from __future__ import annotations

import random
from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code, format_cards, parse_cards
from cardroom.games.texas_shootout.house_way import equal_choices
from cardroom.odds.texas_shootout.hands_and_boards import (
    CHOICE_COUNT,
    HANDS,
    choice_decision,
    hand_numbers,
    sorted_codes,
)
from cardroom.odds.texas_shootout.kernels import (
    CARDS,
    DEALT_ORDER,
    PATTERN_COUNT,
    ROUNDS,
    count_rounds,
    deal_to_buffer,
    decode_play,
    encode_plays,
    house_way_choices,
    judge_shootout,
    list_rounds,
    new_deal_buffer,
    round_patterns,
    seat_tables,
)
from tests.games.shootout_equals import deal_equal_choices
from tests.games.shootout_rounds import Seat, find_payments, play_round

RESULTS = {"dealer-wins": 0, "tie": 1, "player-wins": 2}


@cache
def some_plays() -> NDArray[np.uint8]:
    """A random choice and placement of the bonus for each hand."""
    rng = np.random.default_rng(3)
    choices, placements = rng.integers(0, CHOICE_COUNT, HANDS), rng.integers(0, 3, HANDS)
    return encode_plays(choices.astype(np.uint8), placements.astype(np.uint8), np.zeros(HANDS, np.uint8))


def play_for(four: tuple[Card, ...]) -> int:
    return int(some_plays()[hand_numbers(sorted_codes(four)[None, :])[0]])


def settled(thirteen: tuple[Card, ...], dealer: tuple[Card, ...]) -> list[int]:
    """The result of each hand of the player by the rules, with the dealer's cards in this order."""
    four, board = thirteen[:4], thirteen[8:]
    choice, _ = decode_play(play_for(four))
    answer = choice_decision(sorted_codes(four), choice)
    end = play_round(Seat(format_cards(four), str(answer)), dealer=format_cards(dealer), board=format_cards(board))
    return sorted(RESULTS[payment.event] for payment in find_payments(end, "shootout"))


def simulated(way: int) -> list[int]:
    every = round_patterns()
    return sorted(every.results[way, : 2 if every.splits[way] else 1].tolist())


def assert_alike(rounds: list[tuple[Card, ...]], ways: list[int]) -> int:
    """Simulated rounds end as the rules settle them. Returns the number of rounds that would end differently with the
    dealer's cards in reverse order."""
    hung_on_it = 0
    for thirteen, way in zip(rounds, ways, strict=True):
        dealer = thirteen[4:8]
        assert len(equal_choices(dealer)) > 1
        assert simulated(way) == settled(thirteen, dealer), (format_cards(thirteen), way)
        hung_on_it += simulated(way) != settled(thirteen, dealer[::-1])
    return hung_on_it


def test_hands_with_equal_choices_are_marked_and_no_others() -> None:
    # Three suits of a rank and another card, two suits of a rank twice, four suits of a rank.
    assert int((house_way_choices() == DEALT_ORDER).sum()) == 13 * 4 * 48 + 13 * 6 + 13
    for four in ("7c 7d 7h 2s", "7c 7c 7h 7h", "7c 7d 7h 7s"):
        assert house_way_choices()[number_of(four)] == DEALT_ORDER
    for four in ("7c 7c 7h 2s", "7c 7c 7c 2s", "7c 7c 7c 7h", "7c 7c 7d 7h", "7c 7d 2h 2s"):
        assert house_way_choices()[number_of(four)] != DEALT_ORDER


def number_of(four: str) -> int:
    return int(hand_numbers(sorted_codes(parse_cards(four))[None, :])[0])


def test_rounds_that_are_dealt_elsewhere_follow_the_order_of_dealing() -> None:
    dice = random.Random(12)
    rounds = [deal_equal_choices(dice).cards for _ in range(400)]
    dealt = np.array([[card.code for card in thirteen] for thirteen in rounds], np.uint8)
    play = np.array([play_for(thirteen[:4]) & 15 for thirteen in rounds], np.uint8)
    quick, ways = np.empty(len(rounds), np.int32), np.empty(len(rounds), np.int32)
    judge_shootout(dealt, play, np.zeros(HANDS, np.uint8), seat_tables(), quick, ways)
    assert assert_alike(rounds, ways.tolist()) > 60


def test_rounds_of_a_simulation_follow_the_order_of_dealing() -> None:
    seed, count = np.uint64(8), 240 * ROUNDS
    quick, ways = np.empty(count, np.uint8), np.empty(count, np.int32)
    list_rounds(3, seed, some_plays(), seat_tables(), quick, ways)
    counted = count_rounds(3, count, seed, some_plays(), seat_tables(), np.zeros(16, np.int64))
    assert (counted == np.bincount(ways, minlength=PATTERN_COUNT)).all()
    tray, codes = new_deal_buffer(), np.empty((count, CARDS), np.uint8)
    for first in range(0, count, ROUNDS):
        deal_to_buffer(tray, first, 3, seed)
        codes[first : first + ROUNDS] = tray.codes.T
    equal = np.flatnonzero(house_way_choices()[hand_numbers(np.sort(codes[:, 4:8], axis=1))] == DEALT_ORDER)
    assert 430 < len(equal) < 600  # one round in 120
    rounds = [tuple(card_from_code(int(code)) for code in codes[at]) for at in equal]
    assert assert_alike(rounds, ways[equal].tolist()) > 2
