"""Hands: batches from raw cards, and one hand at a time."""

from __future__ import annotations

import numpy as np

from bench.measure import Figure, second_run
from cardroom.cards import cards
from cardroom.hands import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    SIX_DECK,
    THREE_CARD,
    THREE_CARD_WILD,
    Ranking,
    batch,
    best_five,
)

SUBJECT = "hands"
MILLION = 1e6
HANDS = 8_000_000


def figures() -> list[Figure]:
    return [
        _rate("best five of seven, one deck", FIVE_CARD, 7, promised=100),
        _rate("best five of seven, six decks", SIX_DECK, 7, promised=30),
        _rate("best five of six, one deck", FIVE_CARD, 6),
        _rate("five cards, wild", FIVE_CARD_WILD, 5),
        _rate("three cards", THREE_CARD, 3),
        _rate("best three of five", THREE_CARD, 5),
        _rate("three cards, wild", THREE_CARD_WILD, 3),
        _one_hand(),
    ]


def random_hands(ranking: Ranking, size: int, count: int = HANDS) -> np.ndarray:
    """Hands dealt without replacement from the ranking's deck, all different deals."""
    generator = np.random.default_rng(2024)
    deck = np.array([card.code for card in ranking.deck.cards()], dtype=np.uint8)
    each = len(deck) // size
    blocks = []
    for _ in range(-(-count // (each * 50_000))):
        order = generator.permuted(np.broadcast_to(deck, (50_000, len(deck))), axis=1)
        blocks.append(order[:, : each * size].reshape(-1, size))
    return np.ascontiguousarray(np.concatenate(blocks)[:count])


def _rate(what: str, ranking: Ranking, size: int, promised: float | None = None) -> Figure:
    hands = random_hands(ranking, size)
    seconds = second_run(lambda: batch(ranking, hands))
    return Figure(f"batch, {what}", len(hands) / seconds / MILLION, "million hands/s", promised)


def _one_hand() -> Figure:
    hand = cards("Kh 4d Ks 4c Kd 9s 2h")
    times = 2_000
    seconds = second_run(lambda: [best_five(hand) for _ in range(times)])
    return Figure("one hand in words, best five of seven", seconds / times * 1e6, "µs", more_is_better=False)
