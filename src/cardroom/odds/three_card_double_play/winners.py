"""Seats of 3 Card Double Play Poker that win a jackpot together.

Super-3's and Super-Six look at a seat's own six cards."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import permutations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, of
from cardroom.games.three_card_double_play.divisions import SUPER_3S_EVENTS, events_of, line_tables, lines_met
from cardroom.games.three_card_double_play.rules import super_six_event
from cardroom.hands import Category
from cardroom.odds.pricer import Settings
from cardroom.odds.rounds.holdings import Holding, bits, chances, seats_holding
from cardroom.odds.rounds.winners import Each, Joint, Uncounted, WinnersCount, joint_of, line_places, percentage_events
from cardroom.odds.three_card_double_play.classes import one_of_each
from cardroom.paytables import Paytable

SUPER_SIX: Final = {"six-card-straight-flush", "five-card-royal-flush"}
SUPER_3S: Final = {"double-mini-royal", "mini-royal-with-straight-flush", "mini-royal-with-trips"}
_COUNTED: Final = {"super-3s": SUPER_3S, "super-six": SUPER_SIX}
_HAND: Final = 6
_RUN_RANKS: Final = (Rank.ACE, *Rank)
_MINI_ROYAL: Final = frozenset((Rank.QUEEN, Rank.KING, Rank.ACE))


class DoublePlayWinners(WinnersCount):
    """Over all deals."""

    def joint(self, wager: str, table: Paytable, settings: Settings) -> Joint | Uncounted:  # noqa: ARG002
        others = set(percentage_events(table)) - _COUNTED[wager]
        if others:
            return Uncounted(f"Winners of {', '.join(sorted(others))} have not been counted: they are not rare.")
        hands = _super_six() if wager == "super-six" else _super_3s()
        return joint_of(table, _chances(table, hands))


def _chances(table: Paytable, hands: Iterator[tuple[frozenset[Card], tuple[str, ...]]]) -> dict[Each, Fraction]:
    holdings: dict[int, Holding] = {}
    for six, events in hands:
        (place,) = line_places(table, [events])
        if place is not None:
            holdings[bits(six)] = Holding(bits(six), place)
    named = seats_holding(tuple(holdings.values()), len(percentage_events(table)))
    return chances(named, len(STANDARD_DECK), _HAND)


def _super_six() -> Iterator[tuple[frozenset[Card], tuple[str, ...]]]:
    """Every hand with a royal or a run of six."""
    for suit in Suit:
        for low in range(len(_RUN_RANKS) - _HAND + 1):
            run = frozenset(of(rank, suit) for rank in _RUN_RANKS[low : low + _HAND])
            yield run, (super_six_event(tuple(run), Category.STRAIGHT_FLUSH),)
        royal = frozenset(of(rank, suit) for rank in Rank if rank >= Rank.TEN)
        for more in STANDARD_DECK:
            if more not in royal:
                six = royal | {more}
                yield six, (super_six_event(tuple(six), Category.ROYAL_FLUSH),)


def _super_3s() -> Iterator[tuple[frozenset[Card], tuple[str, ...]]]:
    """Every hand with a mini-royal, by the lines that its divisions meet (DP-3)."""
    hands, tables = one_of_each(_HAND).hands, line_tables()
    cards = {card.code: card for card in STANDARD_DECK}
    orders = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]
    high = np.array([card.rank in _MINI_ROYAL for card in STANDARD_DECK])[_places(hands)].sum(axis=1)
    for at in np.flatnonzero(high >= len(_MINI_ROYAL)).tolist():
        held = [cards[code] for code in hands[at].tolist()]
        if not any(_has_mini_royal(held, suit) for suit in Suit):
            continue
        events = events_of(int(lines_met(hands, at, tables.kinds, tables.lines)), SUPER_3S_EVENTS)
        for order in orders:
            yield frozenset(of(card.rank, order[card.suit]) for card in held), events


def _places(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """Where each card stands in the deck, by its code."""
    places = np.zeros(256, np.int64)
    places[[card.code for card in STANDARD_DECK]] = np.arange(len(STANDARD_DECK))
    return places[hands]


def _has_mini_royal(held: list[Card], suit: Suit) -> bool:
    return {card.rank for card in held if card.suit is suit} >= _MINI_ROYAL


WINNERS: Final = DoublePlayWinners()
