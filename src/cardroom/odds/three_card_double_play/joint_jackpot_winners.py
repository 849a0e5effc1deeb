"""Joint winners of the jackpots of 3 Card Double Play Poker.

Super-3's and Super-Six depend on a seat's own six cards.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_rank_suit
from cardroom.games.three_card_double_play.divisions import (
    SUPER_3S_EVENTS,
    division_line_bits,
    events_from_bits,
    line_tables,
)
from cardroom.games.three_card_double_play.rules import super_six_event
from cardroom.hands import Category
from cardroom.odds.pricer import Settings
from cardroom.odds.simulation.meter_winners import (
    JointProbabilities,
    LineCounts,
    UnknownWinners,
    WinnersCounter,
    WinningHand,
    build_joint,
    card_bits,
    count_joint_hands,
    joint_hand_probabilities,
    line_indexes,
    percentage_triggers,
)
from cardroom.odds.three_card_double_play.counts import suit_classes
from cardroom.paytables import Paytable

SUPER_SIX: Final = {"six-card-straight-flush", "five-card-royal-flush"}
SUPER_3S: Final = {"double-mini-royal", "mini-royal-with-straight-flush", "mini-royal-with-trips"}
_COUNTED_EVENTS: Final = {"super-3s": SUPER_3S, "super-six": SUPER_SIX}
_HAND: Final = 6
_RUN_RANKS: Final = (Rank.ACE, *Rank)
_MINI_ROYAL: Final = frozenset((Rank.QUEEN, Rank.KING, Rank.ACE))


class DoublePlayWinners(WinnersCounter):
    """Over all deals."""

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        others = set(percentage_triggers(table)) - _COUNTED_EVENTS[wager]
        if others:
            return UnknownWinners(f"Joint winners of {', '.join(sorted(others))} are not counted: they are not rare.")
        hands = _super_six() if wager == "super-six" else _super_3s()
        return build_joint(table, _chances(table, hands))


def _chances(table: Paytable, hands: Iterator[tuple[frozenset[Card], tuple[str, ...]]]) -> dict[LineCounts, Fraction]:
    holdings: dict[int, WinningHand] = {}
    for six, events in hands:
        (place,) = line_indexes(table, [events])
        if place is not None:
            holdings[card_bits(six)] = WinningHand(card_bits(six), place)
    hand_counts = count_joint_hands(tuple(holdings.values()), len(percentage_triggers(table)))
    return joint_hand_probabilities(hand_counts, len(STANDARD_DECK), _HAND)


def _super_six() -> Iterator[tuple[frozenset[Card], tuple[str, ...]]]:
    """Every hand with a royal or a run of six."""
    for suit in Suit:
        for low in range(len(_RUN_RANKS) - _HAND + 1):
            run = frozenset(card_from_rank_suit(rank, suit) for rank in _RUN_RANKS[low : low + _HAND])
            yield run, (super_six_event(tuple(run), Category.STRAIGHT_FLUSH),)
        royal = frozenset(card_from_rank_suit(rank, suit) for rank in Rank if rank >= Rank.TEN)
        for more in STANDARD_DECK:
            if more not in royal:
                six = royal | {more}
                yield six, (super_six_event(tuple(six), Category.ROYAL_FLUSH),)


def _super_3s() -> Iterator[tuple[frozenset[Card], tuple[str, ...]]]:
    """Every hand with a mini-royal, by the lines that its divisions meet (DP-3)."""
    hands, tables = suit_classes(_HAND).hands, line_tables()
    cards = {card.code: card for card in STANDARD_DECK}
    orders = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]
    high = np.array([card.rank in _MINI_ROYAL for card in STANDARD_DECK])[_places(hands)].sum(axis=1)
    for at in np.flatnonzero(high >= len(_MINI_ROYAL)).tolist():
        hand = [cards[code] for code in hands[at].tolist()]
        if not any(_has_mini_royal(hand, suit) for suit in Suit):
            continue
        events = events_from_bits(int(division_line_bits(hands, at, tables.kinds, tables.lines)), SUPER_3S_EVENTS)
        for order in orders:
            yield frozenset(card_from_rank_suit(card.rank, order[card.suit]) for card in hand), events


def _places(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The index of each card in the deck, by code."""
    places = np.zeros(256, np.int64)
    places[[card.code for card in STANDARD_DECK]] = np.arange(len(STANDARD_DECK))
    return places[hands]


def _has_mini_royal(hand: list[Card], suit: Suit) -> bool:
    return {card.rank for card in hand if card.suit is suit} >= _MINI_ROYAL


WINNERS: Final = DoublePlayWinners()
