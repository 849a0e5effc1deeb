"""What is not a hand is refused with a sentence, never judged."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from cardroom.cards import JOKER_CODE, TooManyCopies, parse_cards
from cardroom.errors import BadInput
from cardroom.hands import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    RANKINGS,
    THREE_CARD,
    THREE_CARD_WILD,
    BadHand,
    Hand,
    Ranking,
    best_five,
    best_five_six_deck,
    best_five_wild,
    best_four,
    best_three,
    encode_hands,
    evaluate,
    evaluate_many,
)

Judge = Callable[..., Hand]
each_ranking = pytest.mark.parametrize("ranking", RANKINGS, ids=lambda ranking: ranking.name)


@each_ranking
def test_too_few_and_too_many_cards_are_refused(ranking: Ranking) -> None:
    dealt = parse_cards("3c 4d 6h 8s Tc Qd Kh As")
    for count in (0, ranking.size - 1, ranking.max_cards + 1):
        with pytest.raises(BadHand):
            evaluate(ranking, dealt[:count])


@pytest.mark.parametrize(
    ("judge", "held"),
    [
        (best_three, "As Ks Jk"),
        (best_four, "As Ks Qs Jk"),
        (best_five, "As Ks Qs Js Jk"),
        (best_five_six_deck, "As Ks Qs Js Jk"),
    ],
)
def test_the_joker_is_refused_where_the_deck_has_none(judge: Judge, held: str) -> None:
    with pytest.raises(TooManyCopies):
        judge(parse_cards(held))


@pytest.mark.parametrize(
    ("judge", "held"),
    [
        (best_three, "As As Ks"),
        (best_five, "As Ks Qs As Ts"),
        (best_five_wild, "Jk Ks Qs Jk Ts"),
        (best_five_wild, "2c 2c Qs Js Ts"),
        (best_five_six_deck, "7d 7d 7d 7d 7d 7d 7d"),
    ],
)
def test_more_copies_than_the_deck_has_are_refused(judge: Judge, held: str) -> None:
    with pytest.raises(TooManyCopies):
        judge(parse_cards(held))


def test_six_copies_are_there_in_six_decks() -> None:
    assert best_five_six_deck(parse_cards("7d 7d 7d 7d 7d 7d As")).description == "suited five of a kind, sevens"


@each_ranking
def test_an_array_of_anything_but_bytes_is_refused(ranking: Ranking) -> None:
    for dtype in (np.int64, np.int8, np.uint16, np.float64):
        with pytest.raises(BadHand):
            evaluate_many(ranking, np.zeros((2, ranking.size), dtype))


@each_ranking
def test_an_array_of_another_shape_is_refused(ranking: Ranking) -> None:
    size, most = ranking.size, ranking.max_cards
    for shape in ((size,), (2, size - 1), (2, most + 1), (2, size, 1), ()):
        with pytest.raises(BadHand):
            evaluate_many(ranking, np.zeros(shape, np.uint8))


@each_ranking
def test_a_code_that_is_no_card_is_refused_wherever_it_stands(ranking: Ranking) -> None:
    for code in (53, 64, 255):
        for row, column in ((0, 0), (1, ranking.size - 1)):
            hands = np.arange(2 * ranking.size, dtype=np.uint8).reshape(2, ranking.size)
            hands[row, column] = code
            with pytest.raises(BadHand):
                evaluate_many(ranking, hands)


@each_ranking
def test_the_code_of_the_joker_counts_only_where_the_joker_is_played(ranking: Ranking) -> None:
    hands = np.arange(JOKER_CODE - ranking.size + 1, JOKER_CODE + 1, dtype=np.uint8)[np.newaxis]
    if ranking in (THREE_CARD_WILD, FIVE_CARD_WILD):
        assert evaluate_many(ranking, hands).shape == (1,)
    else:
        with pytest.raises(BadHand):
            evaluate_many(ranking, hands)


@each_ranking
def test_no_hands_at_all_have_no_strengths(ranking: Ranking) -> None:
    none: NDArray[np.uint8] = np.empty((0, ranking.size), np.uint8)
    assert evaluate_many(ranking, none).tolist() == []


def test_many_hands_are_judged_without_being_changed() -> None:
    hands = encode_hands([parse_cards("As Ks Qs"), parse_cards("2c 3d 5h")])
    before = hands.copy()
    evaluate_many(THREE_CARD, hands)
    assert (hands == before).all()


def test_hands_of_every_second_row_or_turned_round_are_judged_alike() -> None:
    """An array need not lie in one piece."""
    hands = encode_hands(
        [
            parse_cards("As Ks Qs Js Ts"),
            parse_cards("2c 3d 5h 7s 9c"),
            parse_cards("Kc Kd Kh Ks 2c"),
            parse_cards("Ac Ad 5h 7s 9c"),
        ]
    )
    whole = evaluate_many(FIVE_CARD, hands).tolist()
    assert evaluate_many(FIVE_CARD, hands[::2]).tolist() == whole[::2]
    assert evaluate_many(FIVE_CARD, hands[:, ::-1]).tolist() == whole
    assert evaluate_many(FIVE_CARD, np.asfortranarray(hands)).tolist() == whole


def test_every_refusal_is_a_fault_of_what_came_in() -> None:
    assert issubclass(BadHand, BadInput)
    assert issubclass(TooManyCopies, BadInput)
