"""Hands are ranked in three ways from the same tables: one at a time, by columns, compiled. They agree."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from cardroom.cards import card_from_code
from cardroom.hands import RANKINGS, THREE_CARD, Ranking, compute_strength
from cardroom.hands.hand import evaluator
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.hands.strength import BATCH_KERNELS, compute_strengths

MANY = 20_000  # more than are looked up at a time


@pytest.mark.parametrize("ranking", RANKINGS, ids=lambda one: one.name)
def test_columns_and_kernels_and_one_at_a_time_agree(ranking: Ranking) -> None:
    generator = np.random.default_rng(14)
    deck = np.array([card.code for card in ranking.deck.cards()], np.uint8)
    for size in range(ranking.size, ranking.max_cards + 1):
        hands = np.array([generator.choice(deck[: 60 + size], size, replace=False) for _ in range(300)], np.uint8)
        hands = np.concatenate([hands, _one_suit(deck, size), np.tile(hands, (MANY // len(hands), 1))])
        compiled = np.empty(len(hands), np.uint16)
        BATCH_KERNELS[size](hands, lookup_tables(ranking), compiled)
        assert compute_strengths(hands, lookup_tables(ranking)).tolist() == compiled.tolist()
        alone = [compute_strength(ranking, tuple(map(card_from_code, row))) for row in hands[:400].tolist()]
        assert alone == compiled[:400].tolist()


def _one_suit(deck: np.ndarray, size: int) -> np.ndarray:  # type: ignore[type-arg]
    """Hands of one suit each, wild cards among them where there are any."""
    by_suit = [[code for code in sorted(set(deck.tolist())) if code % 4 == suit or code == 52] for suit in range(4)]
    return np.array([codes[at : at + size] for codes in by_suit for at in range(len(codes) - size + 1)], np.uint8)


def test_a_few_hands_do_not_load_the_compiler_and_many_do() -> None:
    evaluator(THREE_CARD)  # the first program on a machine builds the tables, with the compiler
    asked = (
        "import sys, numpy as np; from cardroom.hands import THREE_CARD, evaluate_many\n"
        "hands = np.tile(np.array([[51, 47, 43]], np.uint8), (1_500_000, 1))\n"
        "for _ in range(3): print(set(evaluate_many(THREE_CARD, hands).tolist()), 'numba' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:3] == ["{741} False", "{741} False", "{741} True"]
