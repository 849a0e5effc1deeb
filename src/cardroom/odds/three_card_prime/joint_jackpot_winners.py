"""Joint winners of the jackpots of Three Card Prime.

Final Four depends on a seat's own four cards. All Seven depends on them and on the dealer's three, which all seats
share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Final

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, card_from_rank_suit
from cardroom.games.three_card_prime.rules import all_seven_event, final_four_event
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
from cardroom.odds.three_card_prime.counts import straight_flush_runs
from cardroom.paytables import Paytable

FINAL_FOUR: Final = {"four-card-diamond-royal", "four-card-royal"}
ALL_SEVEN: Final = {"seven-card-straight-flush", "royal-flush"}
_COUNTED_EVENTS: Final = {"final-four": FINAL_FOUR, "all-seven": ALL_SEVEN}
_DEALER_CARDS: Final = 3
_SEAT_CARDS: Final = 4


class PrimeWinners(WinnersCounter):
    """Over all deals."""

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        others = set(percentage_triggers(table)) - _COUNTED_EVENTS[wager]
        if others:
            return UnknownWinners(f"Joint winners of {', '.join(sorted(others))} are not counted: they are not rare.")
        return build_joint(table, _final_four(table) if wager == "final-four" else _all_seven(table))


def _final_four(table: Paytable) -> dict[LineCounts, Fraction]:
    """A royal wins if the first three cards are in sequence: the fourth is then the ace or the jack (TP-5)."""
    holdings: list[WinningHand] = []
    for suit in Suit:
        royal = [card_from_rank_suit(rank, suit) for rank in (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)]
        for three in (Category.STRAIGHT_FLUSH, Category.MINI_ROYAL):
            event = final_four_event(three, Category.ROYAL_FLUSH, diamonds=suit is Suit.DIAMONDS)
            (place,) = line_indexes(table, [(event,)])
            if place is not None:
                holdings.append(WinningHand(card_bits(royal), place))
    # Any of a seat's four cards can be the fourth one.
    return joint_hand_probabilities(
        count_joint_hands(holdings, len(percentage_triggers(table))),
        len(STANDARD_DECK),
        _SEAT_CARDS,
        orders=_SEAT_CARDS,
    )


def _all_seven(table: Paytable) -> dict[LineCounts, Fraction]:
    counts: Counter[LineCounts] = Counter()
    lines = len(percentage_triggers(table))
    for dealer, class_size in _dealer_hands().items():
        holdings = [
            WinningHand(card_bits(own), place)
            for own, event in _winning_hands(frozenset(dealer))
            for place in line_indexes(table, [(event,)])
            if place is not None
        ]
        for each, ways in count_joint_hands(holdings, lines).items():
            counts[each] += class_size * ways
    with_dealer = joint_hand_probabilities(counts, len(STANDARD_DECK) - _DEALER_CARDS, _SEAT_CARDS)
    return {each: chance / comb(len(STANDARD_DECK), _DEALER_CARDS) for each, chance in with_dealer.items()}


@cache
def _dealer_hands() -> dict[tuple[Card, ...], int]:
    """The dealer's three cards, one hand for all that differ in suits only."""
    orders = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]
    suit_maps = [{card: card_from_rank_suit(card.rank, order[card.suit]) for card in STANDARD_DECK} for order in orders]
    counts: Counter[tuple[Card, ...]] = Counter()
    for three in combinations(STANDARD_DECK, _DEALER_CARDS):
        if any(card.rank >= Rank.TEN for card in three) or len({card.suit for card in three}) == 1:
            equivalents = (tuple(sorted((names[card] for card in three), key=_code)) for names in suit_maps)
            counts[min(equivalents, key=lambda cards: [card.code for card in cards])] += 1
    return counts


def _code(card: Card) -> int:
    return card.code


def _winning_hands(dealer: frozenset[Card]) -> Iterator[tuple[frozenset[Card], str]]:
    """A seat's four cards that make a royal or a run of seven with the dealer's, and what they win."""
    rest = [card for card in STANDARD_DECK if card not in dealer]
    visited: set[frozenset[Card]] = set()
    for royal in straight_flush_runs(5):
        missing = frozenset(royal) - dealer
        if royal[-1].rank is Rank.ACE and len(missing) <= _SEAT_CARDS:
            others = [card for card in rest if card not in missing]
            for more in combinations(others, _SEAT_CARDS - len(missing)):
                own = missing | frozenset(more)
                if own not in visited:
                    visited.add(own)
                    yield own, all_seven_event((*dealer, *own), Category.ROYAL_FLUSH)
    for run in straight_flush_runs(7):
        own = frozenset(run) - dealer
        if len(own) == _SEAT_CARDS and own not in visited:
            visited.add(own)
            yield own, all_seven_event((*dealer, *own), Category.STRAIGHT_FLUSH)


WINNERS: Final = PrimeWinners()
