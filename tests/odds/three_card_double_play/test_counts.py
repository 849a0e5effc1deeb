"""How many of the dealer's hands each three of six cards beats: counted by classes, and one by one."""

from __future__ import annotations

from math import comb

import numba
import numpy as np
import pytest

from cardroom.cards import Card, card_from_code, format_cards
from cardroom.hands import THREE_CARD, compute_strength, evaluate_many
from cardroom.odds.three_card_double_play.counts import (
    DEALER_HANDS,
    THREES,
    class_numbers,
    count_threes,
    cumulative_dealer_hands,
    suit_classes,
    three_card_tables,
)
from tests.odds.three_card_double_play.by_hand import TELLING_HANDS, dealer_strengths, random_hands

# Published numbers of hands that differ in more than suits.
CLASSES = {1: 13, 2: 169, 3: 1_755, 4: 16_432, 5: 134_459, 6: 962_988}


@pytest.mark.parametrize("size", CLASSES)
def test_the_number_of_classes_is_as_published_and_they_contain_every_hand(size: int) -> None:
    hands, alike = suit_classes(size)
    assert len(hands) == CLASSES[size]
    assert alike.sum() == comb(52, size)


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_every_hand_is_in_the_class_that_counts_it(size: int) -> None:
    assert (np.bincount(class_numbers(size)) == suit_classes(size).sizes).all()


def test_the_hand_of_a_class_is_written_in_ascending_order() -> None:
    hands = suit_classes(6).hands
    assert (np.diff(hands.astype(int), axis=1) > 0).all()


def test_the_complement_of_three_cards_is_the_other_three() -> None:
    for number, chosen in enumerate(THREES.tolist()):
        assert sorted(chosen + THREES[len(THREES) - 1 - number].tolist()) == list(range(6))


def test_inclusion_and_exclusion_finds_what_counting_one_by_one_finds() -> None:
    strengths, beaten = three_card_tables()
    hands = suit_classes(6).hands
    # A few from the whole list, including both ends: six cards of four suits, and six of one.
    for at in np.linspace(0, len(hands) - 1, 12).astype(int).tolist():
        six = [card_from_code(code) for code in hands[at].tolist()]
        dealer = dealer_strengths(six)
        assert len(dealer) == DEALER_HANDS
        for number, chosen in enumerate(THREES.tolist()):
            assert strengths[at, number] == compute_strength(THREE_CARD, [six[card] for card in chosen])
            assert beaten[at, number] == (dealer <= strengths[at, number]).sum()


def test_the_numbers_do_not_depend_on_how_many_cores_count() -> None:
    some, cores = slice(None, None, 10), numba.get_num_threads()
    numba.set_num_threads(1)
    try:
        with_one_core = count_threes(suit_classes(6).hands[some])
    finally:
        numba.set_num_threads(cores)
    assert (with_one_core.strengths == three_card_tables().strengths[some]).all()
    assert (with_one_core.beaten_counts == three_card_tables().beaten_counts[some]).all()


@pytest.mark.parametrize("six", [*TELLING_HANDS, *random_hands(4, seed=1)], ids=format_cards)
def test_the_dealers_hands_are_as_many_of_each_strength_as_counted_one_by_one(six: tuple[Card, ...]) -> None:
    counted = np.bincount(dealer_strengths(six), minlength=len(THREE_CARD.classes) + 1)
    assert (cumulative_dealer_hands(six) == counted.cumsum()).all()


def test_cards_that_are_seen_elsewhere_are_not_in_the_dealers_hand() -> None:
    six, elsewhere = TELLING_HANDS[0], TELLING_HANDS[1]
    found = cumulative_dealer_hands((*six, *elsewhere))
    assert found[-1] == comb(40, 5)
    assert (np.diff(found, prepend=0) == np.bincount(dealer_strengths((*six, *elsewhere)), minlength=742)).all()


@pytest.mark.long
def test_all_the_numbers_add_up_to_what_three_cards_alone_would_have() -> None:
    """The reverse count: three cards, the dealer's five, and then any three of the 44 others."""
    hands, alike = suit_classes(3)
    strengths = evaluate_many(THREE_CARD, hands)
    expected = sum(
        count * int(cumulative_dealer_hands([card_from_code(code) for code in three])[strength]) * comb(44, 3)
        for three, count, strength in zip(hands.tolist(), alike.tolist(), strengths.tolist(), strict=True)
    )
    assert (three_card_tables().beaten_counts.sum(axis=1, dtype=np.int64) * suit_classes(6).sizes).sum() == expected
