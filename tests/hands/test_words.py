"""What the dealer calls out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.cards import parse_cards
from cardroom.hands import (
    Category,
    Hand,
    best_five,
    best_five_six_deck,
    best_five_wild,
    best_four,
    best_three,
    best_three_wild,
    evaluate,
    is_wild,
)
from tests.hands.dealing import MANY, PAIRINGS, SOME, Pairing, each_ranking, hands

NUMBERS = ("no", "one", "two", "three", "four", "five")
wild_rankings = [pairing for pairing in PAIRINGS if pairing.ranking.wild_deuces]


@each_ranking
@SOME
@given(table=st.data())
def test_the_words_begin_with_what_the_hand_is_called(pairing: Pairing, table: st.DataObject) -> None:
    hand = evaluate(pairing.ranking, table.draw(hands(pairing)))
    called = hand.description.split(", ")[0]
    if hand.category is Category.HIGH_CARD:
        highest = max(card.rank for card in hand.cards)
        assert called == f"{highest.word} high"
    elif hand.category is Category.PAIR:
        assert called.startswith("pair of ")
    else:
        assert called == hand.category


@MANY
@given(table=st.data())
def test_the_words_say_how_many_of_the_cards_are_wild(table: st.DataObject) -> None:
    pairing = table.draw(st.sampled_from(wild_rankings))
    hand = evaluate(pairing.ranking, table.draw(hands(pairing)))
    wild = sum(map(is_wild, hand.cards))
    if hand.category is Category.FIVE_WILD_CARDS:
        assert (wild, hand.description) == (5, "five wild cards")
    elif wild:
        assert hand.description.endswith(f", {NUMBERS[wild]} wild")
    else:
        assert "wild" not in hand.description


@pytest.mark.parametrize(
    ("judge", "held", "words"),
    [
        (best_three, "As Ks Qs", "mini-royal"),
        (best_three, "Kh Qh Jh", "straight flush, king high"),
        (best_three, "2d 3c Ah", "straight, three high"),
        (best_three, "6c 6d 6h", "three of a kind, sixes"),
        (best_three, "6c 6d Ah", "pair of sixes, ace kicker"),
        (best_three, "Qh 6d 4c", "queen high, Q-6-4"),
        (best_three, "9h 8d 8c 2s 2h", "pair of eights, nine kicker"),
        (best_three_wild, "9s 2d Kh", "pair of kings, nine kicker, one wild"),
        (best_three_wild, "9s Jk 2h", "straight flush, jack high, two wild"),
        (best_three_wild, "As Ks Qs", "mini-royal"),
        (best_three_wild, "As Jk Qs", "mini-royal, one wild"),
        (best_three_wild, "2c 2d 2h", "mini-royal, three wild"),
        (best_four, "9s 9s 9s 9s", "suited four of a kind, nines"),
        (best_four, "9s 9s 9s 9h", "four of a kind, nines"),
        (best_four, "Ah Kh Qh Jh", "royal flush"),
        (best_four, "3h 3d 7c 7s", "two pair, sevens and threes"),
        (best_five, "Kh 4d Ks 4c Kd 9s 2h", "full house, kings over fours"),
        (best_five, "Ah 2h 3h 4h 5h", "straight flush, five high"),
        (best_five, "Ah Ad Kh Kd Qh Qd 2c", "two pair, aces and kings, queen kicker"),
        (best_five, "8h 8d 8c 8s Ah", "four of a kind, eights"),
        (best_five_wild, "Ts Js Qs Ks As", "natural royal flush"),
        (best_five_wild, "2s Jk Qs Ks As", "wild royal flush, two wild"),
        (best_five_wild, "2s 2h 2d 2c Jk", "five wild cards"),
        (best_five_wild, "9h 9d 2c Jk 9s", "five of a kind, nines, two wild"),
        (best_five_six_deck, "9h 9h 9h 9h 9h", "suited five of a kind, nines"),
        (best_five_six_deck, "Qc Qc 6c 6c 3c", "flush, queen high"),
    ],
)
def test_a_dealer_would_call_the_hand_so(judge: Callable[..., Hand], held: str, words: str) -> None:
    assert judge(parse_cards(held)).description == words


def test_a_hand_prints_its_description_and_its_repr_the_cards() -> None:
    hand = best_three("2h As Ks Qs")
    assert str(hand) == "mini-royal"
    assert repr(hand) == "Hand(THREE_CARD, '2h As Ks Qs')"
