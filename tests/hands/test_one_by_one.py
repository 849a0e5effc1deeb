"""A hand at the table is read from the same tables as a million hands, and is as strong."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from cardroom.cards import STANDARD_DECK, card_from_code
from cardroom.hands import RANKINGS, THREE_CARD, Ranking, compute_strength, encode_hands, evaluate, evaluate_many

HANDS = 4_000


@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda one: one.name)
def test_a_hand_is_as_strong_alone_as_among_many(ranking: Ranking) -> None:
    dice = np.random.default_rng(11)
    deck = np.array([card.code for card in ranking.deck.cards()], np.uint8)
    flushes = 0
    for size in range(ranking.size, ranking.max_cards + 1):
        hands = np.array([dice.choice(deck, size, replace=False) for _ in range(HANDS)])
        # Few suits, so that there are enough flushes to meet.
        hands[::3] = np.where(hands[::3] < 52, hands[::3] & 0xFC | dice.integers(0, 2, (len(hands[::3]), 1)), 52)
        for row, among_many in zip(hands.tolist(), evaluate_many(ranking, hands).tolist(), strict=True):
            hand = [card_from_code(code) for code in row]
            assert compute_strength(ranking, hand) == among_many
            flushes += len({card.code & 3 for card in hand}) == 1
    assert flushes


def test_each_three_cards_are_as_strong_alone_as_among_many() -> None:
    hands = list(combinations(STANDARD_DECK, 3))
    assert [compute_strength(THREE_CARD, hand) for hand in hands] == evaluate_many(
        THREE_CARD, encode_hands(hands)
    ).tolist()


@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda one: one.name)
def test_the_cards_that_make_a_hand_are_that_strong_by_themselves(ranking: Ranking) -> None:
    dice = np.random.default_rng(12)
    deck = ranking.deck.cards()
    for size in range(ranking.size, ranking.max_cards + 1):
        for _ in range(HANDS // 10):
            dealt = [deck[at] for at in dice.choice(len(deck), size, replace=False)]
            hand = evaluate(ranking, dealt)
            assert len(hand.cards) == ranking.size
            assert evaluate(ranking, hand.cards) == hand
