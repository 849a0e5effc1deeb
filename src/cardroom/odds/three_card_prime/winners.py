"""Seats of Three Card Prime that win a jackpot together.

Final Four looks at a seat's own four cards. All Seven looks at them and at the dealer's three, which all seats share.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations, permutations
from math import comb
from typing import Final

from cardroom.cards import STANDARD_DECK, Card, Rank, Suit, of
from cardroom.games.three_card_prime.rules import all_seven_event, final_four_event
from cardroom.hands import Category
from cardroom.odds.pricer import Settings
from cardroom.odds.rounds.holdings import Holding, bits, chances, seats_holding
from cardroom.odds.rounds.winners import Each, Joint, Uncounted, WinnersCount, joint_of, line_places, percentage_events
from cardroom.odds.three_card_prime.counts import whole_runs
from cardroom.paytables import Paytable

FINAL_FOUR: Final = {"four-card-diamond-royal", "four-card-royal"}
ALL_SEVEN: Final = {"seven-card-straight-flush", "royal-flush"}
_COUNTED: Final = {"final-four": FINAL_FOUR, "all-seven": ALL_SEVEN}
_DEALER: Final = 3
_OWN: Final = 4


class PrimeWinners(WinnersCount):
    """Over all deals."""

    def joint(self, wager: str, table: Paytable, settings: Settings) -> Joint | Uncounted:  # noqa: ARG002
        others = set(percentage_events(table)) - _COUNTED[wager]
        if others:
            return Uncounted(f"Winners of {', '.join(sorted(others))} have not been counted: they are not rare.")
        return joint_of(table, _final_four(table) if wager == "final-four" else _all_seven(table))


def _final_four(table: Paytable) -> dict[Each, Fraction]:
    """A royal wins when the first three cards are in sequence: the fourth is then the ace or the jack (TP-5)."""
    holdings: list[Holding] = []
    for suit in Suit:
        royal = [of(rank, suit) for rank in (Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE)]
        for three in (Category.STRAIGHT_FLUSH, Category.MINI_ROYAL):
            event = final_four_event(three, Category.ROYAL_FLUSH, diamonds=suit is Suit.DIAMONDS)
            (place,) = line_places(table, [(event,)])
            if place is not None:
                holdings.append(Holding(bits(royal), place))
    # Each of a seat's four cards may be the one that is set apart.
    return chances(seats_holding(holdings, len(percentage_events(table))), len(STANDARD_DECK), _OWN, orders=_OWN)


def _all_seven(table: Paytable) -> dict[Each, Fraction]:
    found: Counter[Each] = Counter()
    lines = len(percentage_events(table))
    for dealer, alike in _dealers().items():
        holdings = [
            Holding(bits(own), place)
            for own, event in _winning(frozenset(dealer))
            for place in line_places(table, [(event,)])
            if place is not None
        ]
        for each, ways in seats_holding(holdings, lines).items():
            found[each] += alike * ways
    with_dealer = chances(found, len(STANDARD_DECK) - _DEALER, _OWN)
    return {each: chance / comb(len(STANDARD_DECK), _DEALER) for each, chance in with_dealer.items()}


@cache
def _dealers() -> dict[tuple[Card, ...], int]:
    """The dealer's three cards, one hand for all that differ in the names of the suits only."""
    orders = [dict(zip(Suit, order, strict=True)) for order in permutations(Suit)]
    named = [{card: of(card.rank, order[card.suit]) for card in STANDARD_DECK} for order in orders]
    found: Counter[tuple[Card, ...]] = Counter()
    for three in combinations(STANDARD_DECK, _DEALER):
        if any(card.rank >= Rank.TEN for card in three) or len({card.suit for card in three}) == 1:
            alike = (tuple(sorted((names[card] for card in three), key=_code)) for names in named)
            found[min(alike, key=lambda cards: [card.code for card in cards])] += 1
    return found


def _code(card: Card) -> int:
    return card.code


def _winning(dealer: frozenset[Card]) -> Iterator[tuple[frozenset[Card], str]]:
    """A seat's four cards that make a royal or a run of seven with the dealer's, and what they win."""
    rest = [card for card in STANDARD_DECK if card not in dealer]
    seen: set[frozenset[Card]] = set()
    for royal in whole_runs(5):
        missing = frozenset(royal) - dealer
        if royal[-1].rank is Rank.ACE and len(missing) <= _OWN:
            others = [card for card in rest if card not in missing]
            for more in combinations(others, _OWN - len(missing)):
                own = missing | frozenset(more)
                if own not in seen:
                    seen.add(own)
                    yield own, all_seven_event((*dealer, *own), Category.ROYAL_FLUSH)
    for run in whole_runs(7):
        own = frozenset(run) - dealer
        if len(own) == _OWN and own not in seen:
            seen.add(own)
            yield own, all_seven_event((*dealer, *own), Category.STRAIGHT_FLUSH)


WINNERS: Final = PrimeWinners()
