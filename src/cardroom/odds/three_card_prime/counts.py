"""How often each event of Three Card Prime's bonus wagers happens, over all deals.

Which event it is, the game's own functions say; here the deals are gone through and counted.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, of, of_code
from cardroom.games.three_card_prime.rules import (
    all_seven_event,
    all_six_event,
    final_four_event,
    pair_bonus_event,
    prime_event,
)
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Ranking, batch, rank_strength
from cardroom.hands.strength import Codes
from cardroom.odds.endings import EventCounts
from cardroom.odds.three_card_prime.hands import count_by_strength

_REDS: Final = tuple(card for card in STANDARD_DECK if card.is_red)
_BLACKS: Final = tuple(card for card in STANDARD_DECK if not card.is_red)


@cache
def three_card_hands() -> Codes:
    """All 52 choose 3 hands, one row each."""
    return np.array(list(combinations(range(52), 3)), dtype=np.uint8)


@cache
def prime_kinds() -> EventCounts:
    """The player's three cards and then the dealer's. Only how many of each three are red matters, so one deal stands
    for all with the same numbers."""
    found: Counter[tuple[str, ...]] = Counter()
    for red in range(4):
        for dealer_red in range(4):
            player = _REDS[:red] + _BLACKS[: 3 - red]
            dealer = _REDS[3 : 3 + dealer_red] + _BLACKS[3 : 6 - dealer_red]
            ways = comb(26, red) * comb(26, 3 - red)
            ways *= comb(26 - red, dealer_red) * comb(26 - (3 - red), 3 - dealer_red)
            found[(prime_event(player, dealer),)] += ways
    return found


@cache
def _first_three_and_fourth() -> Counter[tuple[Category, Category, Card]]:
    """The player's 22,100 x 49 packets by the category of the three cards, that of all four, and the fourth card."""
    three_cards, deck = three_card_hands(), np.arange(52, dtype=np.uint8)
    packets = np.column_stack([np.repeat(three_cards, 52, axis=0), np.tile(deck, len(three_cards))])
    packets = packets[(packets[:, :3] != packets[:, 3:]).all(axis=1)]
    three = np.repeat(_categories(THREE_CARD, three_cards), 49)
    four = _categories(FOUR_CARD, packets)
    counts = np.bincount((three * len(FOUR_CARD.order) + four) * 52 + packets[:, 3])
    found: Counter[tuple[Category, Category, Card]] = Counter()
    for kind in np.flatnonzero(counts).tolist():
        both, fourth = divmod(kind, 52)
        first_three, all_four = divmod(both, len(FOUR_CARD.order))
        found[THREE_CARD.order[first_three], FOUR_CARD.order[all_four], of_code(fourth)] = int(counts[kind])
    return found


def _categories(ranking: Ranking, hands: Codes) -> NDArray[np.int64]:
    """The place of each hand's category in the order of the ranking."""
    places = np.array([-1, *(ranking.order.index(one.category) for one in ranking.classes)], dtype=np.int64)
    return places[batch(ranking, hands)]


@cache
def pair_bonus_kinds() -> EventCounts:
    """Over the player's three cards and the fourth."""
    found: Counter[tuple[str, ...]] = Counter()
    for (three, _, fourth), count in _first_three_and_fourth().items():
        found[(pair_bonus_event(three, fourth),)] += count
    return found


@cache
def final_four_kinds() -> EventCounts:
    """Over the player's three cards and the fourth."""
    found: Counter[tuple[str, ...]] = Counter()
    for (three, four, fourth), count in _first_three_and_fourth().items():
        found[(final_four_event(three, four, diamonds=fourth.suit is Suit.DIAMONDS),)] += count
    return found


@cache
def all_six_kinds() -> EventCounts:
    """Over the 52 choose 6 sets of the player's and the dealer's cards."""
    return _group_kinds(6, all_six_event)


@cache
def all_seven_kinds() -> EventCounts:
    """Over the 52 choose 7 sets of the player's four and the dealer's three cards."""
    return _group_kinds(7, all_seven_event)


def _group_kinds(size: int, event: Callable[[tuple[Card, ...], Category], str]) -> EventCounts:
    """The straight flushes that use every card are asked about one by one; of all others the category is enough."""
    counts = count_by_strength(size)
    found: Counter[tuple[str, ...]] = Counter()
    for run in whole_runs(size):
        strength = rank_strength(FIVE_CARD, run)
        counts[strength] -= 1
        found[(event(run, FIVE_CARD.classes[strength - 1].category),)] += 1
    no_run = STANDARD_DECK[:size]
    for strength in np.flatnonzero(counts).tolist():
        found[(event(no_run, FIVE_CARD.classes[strength - 1].category),)] += int(counts[strength])
    return found


def whole_runs(size: int) -> list[tuple[Card, ...]]:
    """Every straight flush of this many cards; the ace plays high and low."""
    ranks = (Rank.ACE, *Rank)
    return [
        tuple(of(rank, suit) for rank in ranks[low : low + size])
        for suit in Suit
        for low in range(len(ranks) - size + 1)
    ]
