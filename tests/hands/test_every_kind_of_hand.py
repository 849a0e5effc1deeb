"""All hands that differ in more than the names of the suits, each compared with the sheet.

A kind of hand is its natural ranks, its number of wild cards, and whether its natural cards are of one suit: nothing
else can matter to a ranking. There are a few thousand kinds, so every one of them is looked at.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement

import pytest

from cardroom.cards import Card, Rank, Suit, card_from_rank_suit, parse_cards
from cardroom.hands import FIVE_CARD, FOUR_CARD, SIX_DECK, THREE_CARD, Ranking, encode_hands, evaluate, evaluate_many
from tests.hands.dealing import Pairing, each_ranking

WILD_CARDS = parse_cards("2c 2d 2h 2s Jk")


def kinds(ranking: Ranking) -> Iterator[tuple[Card, ...]]:
    """One hand of each kind, of as many cards as a hand holds."""
    ranks = [rank for rank in Rank if not (ranking.wild_deuces and rank == 2)]
    for wild in range(ranking.size + 1 if ranking.wild_deuces else 1):
        for natural in combinations_with_replacement(ranks, ranking.size - wild):
            for suited in (True, False):
                if can_be_dealt(natural, suited, ranking.deck.decks):
                    yield tuple(laid_out(natural, suited, ranking.deck.decks)) + WILD_CARDS[:wild]


def can_be_dealt(natural: tuple[Rank, ...], suited: bool, decks: int) -> bool:
    most_of_a_rank = max(Counter(natural).values(), default=0)
    if suited:
        return most_of_a_rank <= decks
    return len(natural) > 1 and most_of_a_rank <= 4 * decks


def laid_out(natural: tuple[Rank, ...], suited: bool, decks: int) -> Iterator[Card]:
    """These ranks in spades; where two suits are wanted, as few cards as can be are in other suits."""
    for place, rank in enumerate(natural):
        copies_before = natural[:place].count(rank)
        if suited or (decks > 1 and place):
            yield card_from_rank_suit(rank, Suit.SPADES)
        elif decks == 1 and max(Counter(natural).values()) > 1:
            yield card_from_rank_suit(rank, Suit(3 - copies_before))
        else:
            yield card_from_rank_suit(rank, Suit.SPADES if place else Suit.HEARTS)


@each_ranking
def test_every_kind_of_hand_stands_where_the_sheet_puts_it(pairing: Pairing) -> None:
    """One rank of the sheet after the other, copies on one place: the house numbers them in the same order."""
    hands = list(kinds(pairing.ranking))
    verdicts = [pairing.sheet.verdict(hand) for hand in hands]
    judged = [evaluate(pairing.ranking, hand) for hand in hands]
    place_on_sheet = {verdict: place for place, verdict in enumerate(sorted(set(verdicts)))}
    place_of_house = {strength: place for place, strength in enumerate(sorted({hand.strength for hand in judged}))}
    misplaced = [
        hand
        for hand, verdict, of_house in zip(hands, verdicts, judged, strict=True)
        if place_on_sheet[verdict] != place_of_house[of_house.strength] or verdict.line != of_house.category
    ]
    assert misplaced == []


@pytest.mark.parametrize(
    ("ranking", "classes"),
    [
        (THREE_CARD, 741),
        (FIVE_CARD, 7462),
        # Any four of 13 ranks, repeats allowed, of one suit or not: each is a hand of its own.
        (FOUR_CARD, 2 * 1820),
        # As above with five cards; but 156 suited fours of a kind and as many suited full houses copy unsuited ones.
        (SIX_DECK, 2 * 6188 - 2 * 156),
    ],
    ids=lambda value: value.name if isinstance(value, Ranking) else value,
)
def test_there_are_as_many_different_hands_as_the_arithmetic_says(ranking: Ranking, classes: int) -> None:
    strengths = evaluate_many(ranking, encode_hands(kinds(ranking)))
    assert sorted(set(strengths.tolist())) == list(range(1, classes + 1))
    assert len(ranking.classes) == classes
