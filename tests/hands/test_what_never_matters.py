"""What must not change a hand, and what may only improve it."""

from __future__ import annotations

from collections import Counter

from hypothesis import assume, given
from hypothesis import strategies as st

from cardroom.cards import Card, Suit, card_from_rank_suit, parse_cards
from cardroom.hands import FIVE_CARD_WILD, Ranking, encode_hands, evaluate, evaluate_many
from tests.hands.dealing import MANY, PAIRINGS, SOME, Pairing, each_ranking, hands, hands_of


def in_other_suits(hand: tuple[Card, ...], suits: list[Suit]) -> tuple[Card, ...]:
    return tuple(card if card.is_joker else card_from_rank_suit(card.rank, suits[card.suit]) for card in hand)


@each_ranking
@SOME
@given(table=st.data())
def test_the_order_of_the_cards_does_not_matter(pairing: Pairing, table: st.DataObject) -> None:
    hand = table.draw(hands(pairing))
    mixed = tuple(table.draw(st.permutations(hand)))
    before, after = evaluate(pairing.ranking, hand), evaluate(pairing.ranking, mixed)
    assert after == before
    assert after.description == before.description


@each_ranking
@SOME
@given(table=st.data())
def test_no_suit_is_better_than_another(pairing: Pairing, table: st.DataObject) -> None:
    hand = table.draw(hands(pairing))
    renamed = in_other_suits(hand, table.draw(st.permutations(list(Suit))))
    before, after = evaluate(pairing.ranking, hand), evaluate(pairing.ranking, renamed)
    assert after == before
    assert after.description == before.description


def test_a_hand_that_two_suits_make_is_shown_with_the_fewest_wild_cards() -> None:
    for text in ("2c 2d 2h Jk Ac Kh Qh", "2c 2d 2h Jk Ah Kc Qc"):
        assert evaluate(FIVE_CARD_WILD, parse_cards(text)).description == "wild royal flush, three wild"


@each_ranking
@MANY
@given(table=st.data())
def test_the_cards_shown_make_the_hand_by_themselves(pairing: Pairing, table: st.DataObject) -> None:
    given_cards = table.draw(hands(pairing))
    hand = evaluate(pairing.ranking, given_cards)
    assert len(hand.cards) == pairing.ranking.size
    assert Counter(hand.cards) <= Counter(given_cards)
    assert evaluate(pairing.ranking, hand.cards) == hand
    assert evaluate(pairing.ranking, hand.cards).description == hand.description


def rankings_of_more_cards() -> st.SearchStrategy[tuple[Ranking, tuple[Card, ...]]]:
    """A ranking that seeks the best hand among more cards, and as many cards as it takes."""
    several = [ranking for ranking, _ in PAIRINGS if ranking.max_cards > ranking.size]
    return st.sampled_from(several).flatmap(lambda one: st.tuples(st.just(one), hands_of(one, one.max_cards)))


@MANY
@given(dealt=rankings_of_more_cards())
def test_one_more_card_never_makes_a_hand_worse(dealt: tuple[Ranking, tuple[Card, ...]]) -> None:
    ranking, cards = dealt
    growing = [evaluate(ranking, cards[:count]).strength for count in range(ranking.size, ranking.max_cards + 1)]
    assert growing == sorted(growing)


@SOME
@given(dealt=rankings_of_more_cards())
def test_no_choice_of_cards_beats_the_best_one(dealt: tuple[Ranking, tuple[Card, ...]]) -> None:
    ranking, cards = dealt
    best = evaluate(ranking, cards).strength
    one_out = evaluate_many(ranking, encode_hands(cards[:out] + cards[out + 1 :] for out in range(len(cards))))
    assert one_out.max() == best


@SOME
@given(table=st.data())
def test_a_wild_card_in_place_of_a_natural_one_never_makes_a_hand_worse(table: st.DataObject) -> None:
    """Except that a royal flush loses its name of natural."""
    wild_pairings = [pairing for pairing in PAIRINGS if pairing.ranking.wild_deuces]
    pairing = table.draw(st.sampled_from(wild_pairings))
    hand = table.draw(hands(pairing))
    (joker,) = (card for card in pairing.ranking.deck.distinct_cards() if card.is_joker)
    assume(joker not in hand)
    before = evaluate(pairing.ranking, hand)
    after = evaluate(pairing.ranking, (joker, *hand[1:]))
    if before.category == "natural royal flush":
        assert after.category in ("natural royal flush", "wild royal flush")
    else:
        assert after.strength >= before.strength
