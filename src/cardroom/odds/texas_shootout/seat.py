"""What a seat's choices are worth over all its wagers, from its four cards; exact.

The Texas Shootout wager is looked up in the tablebase; Shootout Bonus, Jackpot and their features are counted over
every board. Envy Bonus and Share the Wealth count the seat's own hands only: what other seats hold is the same for
every choice, but for how many hands the Shootout Bonus rides on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.games import Decision, Verb
from cardroom.odds.pricer import Advice
from cardroom.odds.texas_shootout.boards import BOARD, same_color_boards
from cardroom.odds.texas_shootout.hands import (
    CHOICE_COUNT,
    COPIES,
    KEEPS,
    KINDS_OF_CARD,
    PAIRS_OF,
    codes_in_order,
    decision,
    pair_places,
)
from cardroom.odds.texas_shootout.pairs_on_boards import kinds_of_split, kinds_of_splits
from cardroom.odds.texas_shootout.prize_tables import Both, bonus_prizes, jackpot_prizes, won
from cardroom.odds.texas_shootout.prizes import Cents, Stake
from cardroom.odds.texas_shootout.worth import values_of_hand

_BOARDS = comb(KINDS_OF_CARD * COPIES - 4, BOARD)


@dataclass(frozen=True, slots=True)
class SeatWagers:
    """What a seat has on the table, in cents."""

    shootout: int
    ties: str = "lose"
    """``push`` when the Quick Draw wager is at least the Texas Shootout wager (TS-3)."""
    bonus: Stake | None = None
    jackpot: Stake | None = None
    meter: int = 0
    """What the jackpot's meter shows, in cents."""


def joint_choice_values(four: Sequence[Card], wagers: SeatWagers) -> tuple[Advice, ...]:
    """Every choice for four cards with its value over all the seat's wagers, the best first. Later decisions are taken
    to be the best."""
    hand = codes_in_order(four)
    sides = _side_values(hand, wagers)
    found: dict[Decision, Advice] = {}
    for choice, mean in enumerate(values_of_hand(hand.tolist(), wagers.ties)):
        one = decision(hand, choice)
        found.setdefault(one, Advice(one, mean * wagers.shootout + sides[choice]))
    return tuple(sorted(found.values(), key=lambda one: -one.value))


def _side_values(hand: NDArray[np.uint8], wagers: SeatWagers) -> list[Fraction]:
    """By choice: what the Shootout Bonus and the Jackpot are worth, in cents."""
    if wagers.bonus is None and wagers.jackpot is None:
        return [Fraction(0)] * CHOICE_COUNT
    counts = kinds_of_splits(hand)
    found = [Fraction(0)] * CHOICE_COUNT
    for number, (one, other) in enumerate(PAIRS_OF[KEEPS:]):
        boards = _Boards(hand[pair_places()[KEEPS + number]], counts[number])
        found[KEEPS + number] = boards.split_value(wagers)
        found[one], found[other] = (boards.kept_value(wagers, which) for which in (0, 1))
    return found


def bonus_values(first: Sequence[Card], second: Sequence[Card], bonus: Stake) -> dict[Verb, Fraction]:
    """After a split: what it is worth to match the Shootout Bonus, or to let it ride on one of the hands."""
    cards = np.array([card.code for card in (*first, *second)], np.uint8)
    return _Boards(cards, kinds_of_split(cards)).bonus_values(bonus)


class _Boards:
    """Two pairs of cards and all boards, by what they make of both."""

    def __init__(self, cards: NDArray[np.uint8], counts: NDArray[np.int64]) -> None:
        self._cards = cards
        self._joint = [(one, other, int(counts[one, other])) for one, other in np.argwhere(counts).tolist()]
        self._single: tuple[list[int], list[int]] = counts.sum(axis=1).tolist(), counts.sum(axis=0).tolist()

    def _colored(self, which: int, bonus: Stake) -> int:
        """What seven cards of one color win on one of the hands, over all boards."""
        pair = self._cards[2 * which : 2 * which + 2]
        return bonus.color_cents * same_color_boards(pair, self._cards) if bonus.color_cents else 0

    def kept_value(self, wagers: SeatWagers, which: int) -> Fraction:
        """What the side wagers win on average when one of the pairs is kept and the other discarded."""
        total: Cents = 0
        if wagers.bonus:
            total += won(self._single[which], bonus_prizes(wagers.bonus).kept) + self._colored(which, wagers.bonus)
        if wagers.jackpot:
            total += won(self._single[which], jackpot_prizes(wagers.jackpot, wagers.meter).kept)
        return Fraction(total) / _BOARDS

    def split_value(self, wagers: SeatWagers) -> Fraction:
        """What they win when both are played, with the Shootout Bonus placed at its best."""
        value = max(self.bonus_values(wagers.bonus).values()) if wagers.bonus else Fraction(0)
        if wagers.jackpot:
            value += Fraction(self._won_by_both(jackpot_prizes(wagers.jackpot, wagers.meter).split)) / _BOARDS
        return value

    def bonus_values(self, bonus: Stake) -> dict[Verb, Fraction]:
        """What the Shootout Bonus wins on one hand of a split, on the other, and matched."""
        prizes = bonus_prizes(bonus)
        totals = [won(self._single[which], prizes.riding) + self._colored(which, bonus) for which in (0, 1)]
        if prizes.features is not None:
            totals = [total + self._won_by_both(more) for total, more in zip(totals, prizes.features, strict=True)]
        first, second = (Fraction(one) / _BOARDS for one in totals)
        return {Verb.MATCH: first + second, Verb.FIRST_HAND: first, Verb.SECOND_HAND: second}

    def _won_by_both(self, prizes: Both) -> Cents:
        return sum(count * prizes[one][other] for one, other, count in self._joint)
