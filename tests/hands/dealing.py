"""Hands for the rules to be tried on: some from the whole deck, more from corners of it where good hands are made."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st

from cardroom.cards import Card, Suit
from cardroom.hands import FIVE_CARD, FIVE_CARD_WILD, FOUR_CARD, SIX_DECK, THREE_CARD, THREE_CARD_WILD, Ranking
from tests.examples import examples
from tests.hands import reference
from tests.hands.reference import Sheet, counts_as_wild

MANY = settings(max_examples=examples(150), deadline=None)
SOME = settings(max_examples=examples(50), deadline=None)


class Pairing(NamedTuple):
    """A ranking of the house and the sheet that it has to follow."""

    ranking: Ranking
    sheet: Sheet

    @property
    def sizes(self) -> range:
        """How many cards may be given to it."""
        return range(self.ranking.size, self.ranking.max_cards + 1)


PAIRINGS = (
    Pairing(THREE_CARD, reference.THREE_CARD),
    Pairing(THREE_CARD_WILD, reference.THREE_CARD_WILD),
    Pairing(FOUR_CARD, reference.FOUR_CARD),
    Pairing(FIVE_CARD, reference.FIVE_CARD),
    Pairing(FIVE_CARD_WILD, reference.FIVE_CARD_WILD),
    Pairing(SIX_DECK, reference.SIX_DECK),
)


each_ranking = pytest.mark.parametrize("pairing", PAIRINGS, ids=lambda pairing: pairing.ranking.name)


def corners(ranking: Ranking) -> list[list[Card]]:
    """Parts of the deck, every copy of a card listed."""
    whole = list(ranking.deck.cards())
    wild = [card for card in whole if ranking.wild_deuces and counts_as_wild(card)]
    natural = [card for card in whole if card not in wild]
    one_suit = [[card for card in natural if card.suit == suit] + wild for suit in Suit]
    two_suits = [[card for card in natural if card.suit in pair] + wild for pair in ((0, 3), (1, 2))]
    runs = []
    for top in range(5, 15):
        ranks = {14 if rank == 1 else rank for rank in range(top - 4, top + 1)}
        runs.append([card for card in natural if card.rank in ranks] + wild)
    few_ranks = [[card for card in natural if card.rank in pair] + wild for pair in ((14, 13), (2, 14), (7, 8), (3, 9))]
    return [whole, *one_suit, *two_suits, *runs, *few_ranks]


_CORNERS = {ranking: [list(enumerate(part)) for part in corners(ranking)] for ranking, _ in PAIRINGS}


def hands_of(ranking: Ranking, size: int) -> st.SearchStrategy[tuple[Card, ...]]:
    """Hands of this many cards that the ranking's deck can give."""
    parts = [part for part in _CORNERS[ranking] if len(part) >= size]
    return st.sampled_from(parts).flatmap(
        lambda part: st.lists(st.sampled_from(part), min_size=size, max_size=size, unique_by=lambda one: one[0]).map(
            lambda drawn: tuple(card for _, card in drawn)
        )
    )


def hands(pairing: Pairing) -> st.SearchStrategy[tuple[Card, ...]]:
    """Hands of any number of cards that the ranking judges."""
    return st.sampled_from(pairing.sizes).flatmap(lambda size: hands_of(pairing.ranking, size))
