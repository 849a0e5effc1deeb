"""How often each event of Three Card Prime happens, over all hands, against the data file."""

from __future__ import annotations

from collections import Counter
from math import comb

import numpy as np
import pytest

from cardroom.cards import of_code
from cardroom.games.three_card_prime.rules import (
    ALL_SEVEN_EVENTS,
    ALL_SIX_EVENTS,
    THREE_CARD_EVENTS,
    final_four_event,
    pair_bonus_event,
    prime_event,
)
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Ranking, batch
from cardroom.hands.straight_flush import run_in_suit
from cardroom.kernels import kernel
from tests.enumeration import combinations, section

SLUG = "three-card-prime"


def categories(ranking: Ranking, strengths: np.ndarray) -> Counter[Category]:
    """How many hands are in each category."""
    counted: Counter[Category] = Counter()
    for strength, count in enumerate(np.bincount(strengths)):
        if count:
            counted[ranking.classes[strength - 1].category] += int(count)
    return counted


@kernel
def straight_flush_rows(hands: np.ndarray, length: int) -> np.ndarray:
    """The top of the straight flush of this length in each row."""
    tops = np.zeros(len(hands), np.int64)
    for at in range(len(hands)):
        tops[at] = run_in_suit(hands, at, length)
    return tops


def test_the_three_card_hands_come_as_often_as_published() -> None:
    total, expected = section(SLUG, "three-cards")
    (hands,) = combinations(52, 3)
    assert len(hands) == total
    counted = categories(THREE_CARD, batch(THREE_CARD, hands))
    assert {THREE_CARD_EVENTS.get(one, "high-card"): count for one, count in counted.items()} == expected


def test_pair_bonus_events_come_as_often_with_and_without_a_deuce_as_derived() -> None:
    total, _ = section(SLUG, "pair-bonus")
    (hands,) = combinations(52, 3)
    found: Counter[str] = Counter()
    strengths = batch(THREE_CARD, hands)
    deuces = (hands < 4).sum(axis=1)
    for strength, held in zip(strengths.tolist(), deuces.tolist(), strict=True):
        category = THREE_CARD.classes[strength - 1].category
        found[pair_bonus_event(category, of_code(0))] += 4 - held
        found[pair_bonus_event(category, of_code(4))] += 45 + held
    assert found.total() == total
    # A mini-royal holds no deuce, so 4 of its 49 fourth cards are deuces; a straight flush holds one in A-2-3 and
    # 2-3-4 of four suits each; three deuces are 4 of the 52 trips.
    assert found["mini-royal-with-deuce"] == 4 * 4
    assert found["straight-flush-with-deuce"] == 44 * 4 - 8
    assert found["trips-with-deuce"] == 48 * 4 + 4 * 1
    _, three = section(SLUG, "three-cards")
    for event, count in three.items():
        assert found[event] + found[f"{event}-with-deuce"] == count * 49


def test_prime_colors_come_as_often_as_derived() -> None:
    total, expected = section(SLUG, "prime")
    assert comb(52, 3) * comb(49, 3) == total
    found: Counter[str] = Counter()
    # Only how many red cards each hand has matters, so one deal stands for all with the same numbers.
    for red in range(4):
        player = tuple(of_code(1 + 4 * i if i < red else 4 * i) for i in range(3))
        for dealer_red in range(4):
            dealer = tuple(of_code(21 + 4 * i if i < dealer_red else 20 + 4 * i) for i in range(3))
            ways = comb(26, red) * comb(26, 3 - red)
            ways *= comb(26 - red, dealer_red) * comb(23 + red, 3 - dealer_red)
            found[prime_event(player, dealer)] += ways
    assert found.total() == total
    assert found.pop("other") == total - sum(expected.values())
    assert found == expected


def test_all_six_events_come_as_often_as_published() -> None:
    total, expected = section(SLUG, "all-six")
    found: Counter[str] = Counter()
    seen = 0
    for hands in combinations(52, 6):
        seen += len(hands)
        royal = straight_flush_rows(hands, 6) == 14
        diamonds = hands[:, 0] % 4 == 1
        found["six-card-royal-diamonds"] += int((royal & diamonds).sum())
        found["six-card-royal"] += int((royal & ~diamonds).sum())
        for category, count in categories(FIVE_CARD, batch(FIVE_CARD, hands[~royal])).items():
            if category in ALL_SIX_EVENTS:
                found[ALL_SIX_EVENTS[category]] += count
    assert seen == total
    assert found == expected


def test_final_four_events_come_as_often_as_derived_by_hand() -> None:
    """48 straight flushes x 49 fourth cards: a royal from J-Q-K or Q-K-A of each suit, the ten other runs of four
    from two starts each. 52 trips x 49: one fourth card makes quads. 720 straights x 49: A-2-3 and Q-K-A extend at
    one end, the ten others at two, with four cards each: 60 x (2 x 4 + 10 x 8) four-card straights."""
    total, expected = section(SLUG, "final-four")
    (threes,) = combinations(52, 3)
    hands = np.column_stack([np.repeat(threes, 52, axis=0), np.tile(np.arange(52, dtype=np.uint8), len(threes))])
    hands = hands[(hands[:, :3] != hands[:, 3:]).all(axis=1)]
    three = batch(THREE_CARD, np.ascontiguousarray(hands[:, :3])).astype(np.int64)
    four = batch(FOUR_CARD, np.ascontiguousarray(hands)).astype(np.int64)
    diamonds = (hands[:, 3] % 4 == 1).astype(np.int64)
    kinds, counts = np.unique((three * 10_000 + four) * 2 + diamonds, return_counts=True)
    found: Counter[str] = Counter()
    for kind, count in zip(kinds.tolist(), counts.tolist(), strict=True):
        strengths, red = divmod(kind, 2)
        first, both = divmod(strengths, 10_000)
        found[
            final_four_event(
                THREE_CARD.classes[first - 1].category, FOUR_CARD.classes[both - 1].category, diamonds=bool(red)
            )
        ] += count
    assert found.total() == total
    assert found.pop("below-straight") == total - sum(expected.values())
    assert found == expected


@pytest.mark.long
def test_all_seven_events_come_as_often_as_published() -> None:
    total, expected = section(SLUG, "all-seven")
    found: Counter[str] = Counter()
    seen = 0
    for hands in combinations(52, 7):
        seen += len(hands)
        long = straight_flush_rows(hands, 7) > 0
        found["seven-card-straight-flush"] += int(long.sum())
        for category, count in categories(FIVE_CARD, batch(FIVE_CARD, hands[~long])).items():
            if category in ALL_SEVEN_EVENTS:
                found[ALL_SEVEN_EVENTS[category]] += count
    assert seen == total
    assert found == expected
