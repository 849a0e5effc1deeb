"""Counts for Three Card Prime: six- and seven-card hands by strength, and the events of the bonus wagers.

One kernel visits all hands with the same lowest card. It keeps the sums of the cards' keys, so a hand costs one
addition and one lookup. The processor's cores share the lowest cards; each core counts separately, and integer sums are
the same in any order. The game's own functions decide which event a deal meets; this module counts the deals.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import combinations
from math import comb
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_code, card_from_rank_suit
from cardroom.games.three_card_prime.rules import (
    all_seven_event,
    all_six_event,
    final_four_event,
    pair_bonus_event,
    prime_event,
)
from cardroom.hands import FIVE_CARD, FOUR_CARD, THREE_CARD, Category, Ranking, compute_strength, evaluate_many
from cardroom.hands.lookup_tables import FLUSH_BITS, SUIT_SHIFTS, LookupTables, lookup_tables
from cardroom.hands.strength import Codes, look_up, suited_strength
from cardroom.kernels import core_count, kernel
from cardroom.odds.payoffs import TriggerCounts

_DECK = 52
# One more card of any suit.
_ONE_OF_EACH_SUIT = np.uint64(sum(1 << shift for shift in SUIT_SHIFTS))


@kernel
def _count_from(lowest: int, size: int, t: LookupTables, counts: NDArray[np.int64]) -> None:
    """Add every hand of ``size`` cards whose lowest card is ``lowest`` to the counts, by strength."""
    keys, rows, unsuited = t.keys, t.rows, t.unsuited
    shift, mask = t.row_shift, t.slot_mask
    last = size - 1
    hand = np.empty((1, size), np.uint8)
    sums = np.empty(last, np.uint64)  # of the keys up to and including this card
    hand[0, 0], sums[0] = lowest, t.start + keys[lowest]
    at, card = 1, lowest + 1
    while True:
        while at < last:  # the cards before the last one are ascending
            hand[0, at], sums[at] = card, sums[at - 1] + keys[card]
            at, card = at + 1, card + 1
        so_far = sums[last - 1]
        if (so_far + _ONE_OF_EACH_SUIT) & FLUSH_BITS:
            for final in range(card, _DECK):
                total = so_far + keys[final]
                strength = look_up(total, unsuited, rows, shift, mask)
                if total & FLUSH_BITS:
                    hand[0, last] = final
                    strength = max(strength, suited_strength(hand, 0, total, t))
                counts[strength] += 1
        else:  # no suit can have five cards, so any suit of the last card's rank makes the same hand
            while card < _DECK:
                suits = 4 - (card & 3)
                counts[look_up(so_far + keys[card], unsuited, rows, shift, mask)] += suits
                card += suits
        at = last - 1
        while at > 0 and hand[0, at] == _DECK - size + at:  # as high as it can be
            at -= 1
        if at == 0:
            return
        card = int(hand[0, at]) + 1


def count_by_strength(size: int, workers: int | None = None) -> NDArray[np.int64]:
    """The number of the 52 choose ``size`` hands of each strength; the strength is the index. The counts are at most
    133,784,560 for seven cards, far below 2**63.

    >>> int(count_by_strength(5)[-1]), int(count_by_strength(5).sum())
    (4, 2598960)
    """
    t = lookup_tables(FIVE_CARD)
    lowest_cards = range(_DECK - size + 1)
    counts = np.zeros((len(lowest_cards), len(FIVE_CARD.classes) + 1), np.int64)
    with ThreadPoolExecutor(workers or core_count()) as pool:
        list(pool.map(lambda lowest: _count_from(lowest, size, t, counts[lowest]), lowest_cards))
    total: NDArray[np.int64] = counts.sum(axis=0)
    return total


_REDS: Final = tuple(card for card in STANDARD_DECK if card.is_red)
_BLACKS: Final = tuple(card for card in STANDARD_DECK if not card.is_red)


@cache
def three_card_hands() -> Codes:
    """All 52 choose 3 hands, one row each."""
    return np.array(list(combinations(range(52), 3)), dtype=np.uint8)


@cache
def prime_event_counts() -> TriggerCounts:
    """The player's three cards and then the dealer's. Only the numbers of red cards matter, so one deal represents all
    with the same numbers."""
    event_counts: Counter[tuple[str, ...]] = Counter()
    for red in range(4):
        for dealer_red in range(4):
            player = _REDS[:red] + _BLACKS[: 3 - red]
            dealer = _REDS[3 : 3 + dealer_red] + _BLACKS[3 : 6 - dealer_red]
            ways = comb(26, red) * comb(26, 3 - red)
            ways *= comb(26 - red, dealer_red) * comb(26 - (3 - red), 3 - dealer_red)
            event_counts[(prime_event(player, dealer),)] += ways
    return event_counts


@cache
def _packet_counts() -> Counter[tuple[Category, Category, Card]]:
    """The player's 22,100 x 49 hands by category of the three cards, category of all four, and the fourth card."""
    three_cards, deck = three_card_hands(), np.arange(52, dtype=np.uint8)
    packets = np.column_stack([np.repeat(three_cards, 52, axis=0), np.tile(deck, len(three_cards))])
    packets = packets[(packets[:, :3] != packets[:, 3:]).all(axis=1)]
    three = np.repeat(_categories(THREE_CARD, three_cards), 49)
    four = _categories(FOUR_CARD, packets)
    counts = np.bincount((three * len(FOUR_CARD.order) + four) * 52 + packets[:, 3])
    packet_counts: Counter[tuple[Category, Category, Card]] = Counter()
    for kind in np.flatnonzero(counts).tolist():
        both, fourth = divmod(kind, 52)
        first_three, all_four = divmod(both, len(FOUR_CARD.order))
        packet_counts[THREE_CARD.order[first_three], FOUR_CARD.order[all_four], card_from_code(fourth)] = int(
            counts[kind]
        )
    return packet_counts


def _categories(ranking: Ranking, hands: Codes) -> NDArray[np.int64]:
    """The index of each hand's category in the order of the ranking."""
    places = np.array(
        [-1, *(ranking.order.index(hand_class.category) for hand_class in ranking.classes)], dtype=np.int64
    )
    return places[evaluate_many(ranking, hands)]


@cache
def pair_bonus_event_counts() -> TriggerCounts:
    """Over the player's three cards and the fourth."""
    event_counts: Counter[tuple[str, ...]] = Counter()
    for (three, _, fourth), count in _packet_counts().items():
        event_counts[(pair_bonus_event(three, fourth),)] += count
    return event_counts


@cache
def final_four_event_counts() -> TriggerCounts:
    """Over the player's three cards and the fourth."""
    event_counts: Counter[tuple[str, ...]] = Counter()
    for (three, four, fourth), count in _packet_counts().items():
        event_counts[(final_four_event(three, four, diamonds=fourth.suit is Suit.DIAMONDS),)] += count
    return event_counts


@cache
def all_six_event_counts() -> TriggerCounts:
    """Over the 52 choose 6 sets of the player's and the dealer's cards."""
    return _group_event_counts(6, all_six_event)


@cache
def all_seven_event_counts() -> TriggerCounts:
    """Over the 52 choose 7 sets of the player's four and the dealer's three cards."""
    return _group_event_counts(7, all_seven_event)


def _group_event_counts(size: int, event: Callable[[tuple[Card, ...], Category], str]) -> TriggerCounts:
    """Counts by event. Straight flushes that use every card are judged one by one; for all other hands the category is
    enough."""
    counts = count_by_strength(size)
    event_counts: Counter[tuple[str, ...]] = Counter()
    for run in straight_flush_runs(size):
        strength = compute_strength(FIVE_CARD, run)
        counts[strength] -= 1
        event_counts[(event(run, FIVE_CARD.classes[strength - 1].category),)] += 1
    no_run = STANDARD_DECK[:size]
    for strength in np.flatnonzero(counts).tolist():
        event_counts[(event(no_run, FIVE_CARD.classes[strength - 1].category),)] += int(counts[strength])
    return event_counts


def straight_flush_runs(size: int) -> list[tuple[Card, ...]]:
    """Every straight flush of this many cards; the ace plays high and low."""
    ranks = (Rank.ACE, *Rank)
    return [
        tuple(card_from_rank_suit(rank, suit) for rank in ranks[low : low + size])
        for suit in Suit
        for low in range(len(ranks) - size + 1)
    ]
