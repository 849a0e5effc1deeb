"""Joint winners of the jackpots of Dueling for Dollars.

Seats share the community cards. For Tie After Tie each seat has a card and a war card of its own, and needs four cards
of one rank; for 2 + 2 each has one card. Cards that do not matter may be dealt or not: the probabilities stay the same.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from math import perm, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.games.dueling_for_dollars.bonuses import TIE_AFTER_TIE, TWO_PLUS_TWO, tie_after_tie, two_plus_two
from cardroom.kernels import kernel
from cardroom.odds.dueling_for_dollars.pricer import KINDS_OF_CARD
from cardroom.odds.pricer import Settings
from cardroom.odds.simulation.meter_winners import (
    MAX_SEATS,
    JointProbabilities,
    LineCounts,
    UnknownWinners,
    WinnersCounter,
    build_joint,
    line_indexes,
    percentage_triggers,
)
from cardroom.paytables import Paytable

QUADS: Final = {"quads-same-suit", "quads-same-color", "quads-two-color"}
_SUITS: Final = 4


class DuelingWinners(WinnersCounter):
    """Over all deals from a full shoe."""

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        decks = int(settings["decks"])
        if wager == "two-plus-two":
            return build_joint(table, _two_plus_two(table, decks))
        others = set(percentage_triggers(table)) - QUADS
        if others:
            return UnknownWinners(f"Joint winners of {', '.join(sorted(others))} are not counted: they are not rare.")
        return build_joint(table, _tie_after_tie(table, decks))


def _tie_after_tie(table: Paytable, decks: int) -> dict[LineCounts, Fraction]:
    """All ranks are equivalent, so one rank is counted: the two community cards by suit, then, seat after seat, the
    suits of its card and its war card, as long as there are copies."""
    places, lines = line_indexes(table, TIE_AFTER_TIE), len(percentage_triggers(table))
    ways: Counter[LineCounts] = Counter()
    for shared_suits in product(range(_SUITS), repeat=2):
        remaining = [decks] * _SUITS
        dealt = _take_card(remaining, shared_suits[0]) * _take_card(remaining, shared_suits[1])
        seats = {(tuple(remaining), (0,) * lines): dealt}
        wins = _quads(places, shared_suits)
        for _ in range(MAX_SEATS):
            seats = _add_seat(seats, wins)
            for (_, each), weight in seats.items():
                ways[each] += weight
    shoe = KINDS_OF_CARD * decks
    return {
        each: Fraction(len(Rank) * weight, perm(shoe, 2 + 2 * sum(each))) for each, weight in ways.items() if weight
    }


def _take_card(remaining: list[int], suit: int) -> int:
    """Take a card of the suit. Returns the number of ways."""
    remaining[suit] -= 1
    return remaining[suit] + 1


def _quads(places: tuple[int | None, ...], shared_suits: tuple[int, ...]) -> list[tuple[int, int, int]]:
    """The suits of a winning card and war card of a seat, and the line."""
    wins = []
    for own, war in product(range(_SUITS), repeat=2):
        place = places[tie_after_tie(np.array([[own, shared_suits[0], war, shared_suits[1]]], np.uint8), 0)]
        if place is not None:
            wins.append((own, war, place))
    return wins


def _add_seat(
    seats: dict[tuple[tuple[int, ...], LineCounts], int], wins: list[tuple[int, int, int]]
) -> dict[tuple[tuple[int, ...], LineCounts], int]:
    """The number of ways if the next seat wins too, by the cards left and the lines won. Winning seats are ordered by
    line, so a line never comes before one that an earlier seat has won."""
    more: dict[tuple[tuple[int, ...], LineCounts], int] = {}
    for (remaining, each), weight in seats.items():
        last = max((line for line, count in enumerate(each) if count), default=0)
        for own, war, line in wins:
            if line < last:
                continue
            rest = list(remaining)
            ways = _take_card(rest, own) * _take_card(rest, war)
            if ways > 0 and min(rest) >= 0:
                key = tuple(rest), tuple(count + (at == line) for at, count in enumerate(each))
                more[key] = more.get(key, 0) + weight * ways
    return more


def _two_plus_two(table: Paytable, decks: int) -> dict[LineCounts, Fraction]:
    """For given community cards: the number of cards left in the shoe that win each line for a seat with one card."""
    lines = len(percentage_triggers(table))
    places = np.array([-1 if place is None else place for place in line_indexes(table, TWO_PLUS_TWO)], np.int64)
    boards: Counter[LineCounts] = Counter()
    for community in range(KINDS_OF_CARD):
        winning = np.zeros((KINDS_OF_CARD, KINDS_OF_CARD, lines + 1), np.int64)
        _winning_cards(community, decks, places, winning)
        for row in winning.reshape(-1, lines + 1).tolist():
            if any(row[1:]):
                boards[tuple(row[1:])] += row[0]
    shoe = KINDS_OF_CARD * decks
    chances: dict[LineCounts, Fraction] = {}
    for each in product(range(MAX_SEATS + 1), repeat=lines):
        if 0 < sum(each) <= MAX_SEATS:
            ways = sum(weight * prod(map(perm, cards, each)) for cards, weight in boards.items())
            if ways:
                chances[each] = Fraction(ways, perm(shoe, 3 + sum(each)))
    return chances


@kernel
def _winning_cards(community: int, decks: int, places: NDArray[np.int64], winning: NDArray[np.int64]) -> None:
    """For each two added cards: the number of ways to deal the three community cards, and the number of cards left that
    win each line."""
    four = np.zeros((1, 4), np.uint8)
    four[0, 1] = community
    for first_added in range(KINDS_OF_CARD):
        for second_added in range(KINDS_OF_CARD):
            four[0, 2], four[0, 3] = first_added, second_added
            second = decks - (first_added == community)
            third = decks - (second_added == community) - (second_added == first_added)
            winning[first_added, second_added, 0] = decks * second * third
            for own in range(KINDS_OF_CARD):
                four[0, 0] = own
                place = places[two_plus_two(four, 0)]
                if place >= 0:
                    remaining = decks - (own == community) - (own == first_added) - (own == second_added)
                    winning[first_added, second_added, 1 + place] += remaining


WINNERS: Final = DuelingWinners()
