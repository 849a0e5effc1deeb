"""Hands compare within one ranking, and only there."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import Card
from cardroom.hands import FIVE_CARD, RANKINGS, SIX_DECK, THREE_CARD, BadHand, Hand, Ranking, best_five, best_three

names = {repr(ranking): ranking for ranking in RANKINGS} | {"Hand": Hand}


@st.composite
def hands(draw: st.DrawFn, ranking: Ranking) -> Hand:
    deck = ranking.deck.distinct_cards()
    size = draw(st.integers(ranking.size, ranking.max_cards))
    return Hand(ranking, draw(st.lists(st.sampled_from(deck), min_size=size, max_size=size, unique=True)))


@given(data=st.data(), ranking=st.sampled_from(RANKINGS))
def test_hands_of_one_ranking_compare_as_their_strengths(data: st.DataObject, ranking: Ranking) -> None:
    first, second = data.draw(hands(ranking)), data.draw(hands(ranking))
    assert (first < second) == (first.strength < second.strength)
    assert (first >= second) == (first.strength >= second.strength)
    assert (first == second) == (first.strength == second.strength)
    assert max(first, second).strength == max(first.strength, second.strength)
    if first == second:
        assert hash(first) == hash(second)


@given(data=st.data(), ranking=st.sampled_from(RANKINGS))
def test_the_repr_of_a_hand_makes_the_same_hand(data: st.DataObject, ranking: Ranking) -> None:
    hand = data.draw(hands(ranking))
    again = eval(repr(hand), dict(names))
    assert again == hand
    assert (again.cards, again.description) == (hand.cards, hand.description)


def test_hands_of_two_rankings_are_not_equal_and_have_no_order() -> None:
    cards = "9h 9d 9c 9s Ah"
    one_deck, six_decks = Hand(FIVE_CARD, cards), Hand(SIX_DECK, cards)
    assert one_deck != six_decks
    assert len({one_deck, six_decks}) == 2
    for compare in (one_deck.__lt__, one_deck.__ge__, one_deck.__gt__, one_deck.__le__):
        with pytest.raises(TypeError):
            compare(six_decks)
    with pytest.raises(TypeError):
        _ = best_three("As Ks Qs") < 700  # type: ignore[operator]


def test_a_hand_is_itself_in_a_copy_and_in_a_pickle() -> None:
    hand = best_five("Kh 4d Ks 4c Kd 9s 2h")
    for again in (copy.copy(hand), copy.deepcopy(hand), pickle.loads(pickle.dumps(hand))):
        assert again == hand
        assert again.ranking is FIVE_CARD


def test_a_hand_checks_its_cards() -> None:
    with pytest.raises(BadHand):
        Hand(THREE_CARD, "As Ks")
    assert Hand(THREE_CARD, [Card("As"), "Ks", "Qs"]) == best_three("AsKsQs")
