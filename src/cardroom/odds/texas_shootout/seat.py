"""What a seat's choices are worth over all its wagers, from the cards that it sees.

The Texas Shootout wager is simulated; Shootout Bonus, Jackpot and their features are counted exactly over every board.
Envy Bonus and Share the Wealth count the seat's own hands only: what other seats hold is the same for every choice,
but for how many hands the Shootout Bonus rides on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card
from cardroom.games import Decision, Verb
from cardroom.hands import SIX_DECK
from cardroom.hands.tables import tables
from cardroom.odds.pricer import Advice
from cardroom.odds.texas_shootout.boards import BOARD, HAND_KINDS, kinds_of_pairs, same_color_boards
from cardroom.odds.texas_shootout.choice import joint_values
from cardroom.odds.texas_shootout.hands import (
    CHOICE_COUNT,
    COPIES,
    KEEPS,
    KINDS_OF_CARD,
    PAIRS_OF,
    codes_in_order,
    copies_of,
    decision,
    pair_places,
)
from cardroom.odds.texas_shootout.prizes import Stake
from cardroom.odds.texas_shootout.race import JOINT, Stream, hand_blocks, looked_up

SEAT_SEED = 19_980_801
BLOCKS = 24
"""Into how many streams the rounds of one hand are divided."""
SEAT_ROUNDS = BLOCKS * (1 << 12)
"""Simulated rounds behind a piece of advice: two cores play them in some ten milliseconds, busy ones in thirty."""


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


def simulated(hand: NDArray[np.uint8], gone: NDArray[np.int64], rounds: int, seed: int) -> NDArray[np.int64]:
    """The joint results of a hand's six pairs, with these cards out of the deck."""
    joint = np.zeros((BLOCKS, JOINT), np.int32)
    hand_blocks(Stream(seed, 0, 0, -(-rounds // BLOCKS)), hand, gone, joint, looked_up(1), tables(SIX_DECK))
    total: NDArray[np.int64] = joint.sum(axis=0, dtype=np.int64)
    return total


def main_values(joint: NDArray[np.int64], ties: str) -> list[tuple[Fraction, float]]:
    """By choice: the mean of what it wins in units, and its standard error."""
    values, rounds = joint_values(ties), int(joint.sum())
    found = []
    for choice in range(CHOICE_COUNT):
        mean = Fraction(int(joint @ values[:, choice]), rounds)
        square = int(joint @ values[:, choice] ** 2) / rounds
        found.append((mean, sqrt(max(square - float(mean) ** 2, 0) / rounds)))
    return found


def joint_choice_values(
    four: Sequence[Card],
    seen: Sequence[Card],
    wagers: SeatWagers,
    rounds: int = SEAT_ROUNDS,
    seed: int = SEAT_SEED,
) -> tuple[Advice, ...]:
    """Every choice for four cards with its value over all the seat's wagers, the best first; ``seen`` are the other
    cards that the seat can see. Later decisions are taken to be the best."""
    hand, gone = codes_in_order(four), copies_of((*four, *seen))
    sides = _side_values(hand, gone, wagers)
    main = main_values(simulated(hand, gone, rounds, seed), wagers.ties)
    found: dict[Decision, Advice] = {}
    for choice, (mean, error) in enumerate(main):
        one = decision(hand, choice)
        found.setdefault(one, Advice(one, mean * wagers.shootout + sides[choice], error * wagers.shootout))
    return tuple(sorted(found.values(), key=lambda one: -one.value))


def _side_values(hand: NDArray[np.uint8], gone: NDArray[np.int64], wagers: SeatWagers) -> list[Fraction]:
    """By choice: what the Shootout Bonus and the Jackpot are worth, in cents."""
    if wagers.bonus is None and wagers.jackpot is None:
        return [Fraction(0)] * CHOICE_COUNT
    splits = pair_places()[KEEPS:].astype(np.int64)
    counts = kinds_of_pairs(hand[splits], gone)
    found = [Fraction(0)] * CHOICE_COUNT
    for number, (one, other) in enumerate(PAIRS_OF[KEEPS:]):
        boards = _Boards(hand[splits[number]], gone, counts[number])
        found[KEEPS + number] = boards.split_value(wagers)
        found[one], found[other] = (boards.kept_value(wagers, which) for which in (0, 1))
    return found


def bonus_values(
    first: Sequence[Card], second: Sequence[Card], seen: Sequence[Card], bonus: Stake
) -> dict[Verb, Fraction]:
    """After a split: what it is worth to match the Shootout Bonus, or to let it ride on one of the hands; exact."""
    cards = np.array([card.code for card in (*first, *second)], np.uint8)
    gone = copies_of((*first, *second, *seen))
    return _Boards(cards, gone, kinds_of_pairs(cards[None, :], gone)[0]).bonus_values(bonus)


class _Boards:
    """Two pairs of cards and all boards, by what they make of both."""

    def __init__(self, cards: NDArray[np.uint8], gone: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
        self.total = comb(KINDS_OF_CARD * COPIES - int(gone.sum()), BOARD)
        self.colors = [same_color_boards(cards[at : at + 2], gone) for at in (0, 2)]
        self.joint = {(int(one), int(other)): int(counts[one, other]) for one, other in np.argwhere(counts)}
        self.single = (
            {int(kind): int(counts[kind].sum()) for kind in np.flatnonzero(counts.sum(axis=1))},
            {int(kind): int(counts[:, kind].sum()) for kind in np.flatnonzero(counts.sum(axis=0))},
        )

    def kept_value(self, wagers: SeatWagers, which: int) -> Fraction:
        """What the side wagers win on average when one of the pairs is kept and the other discarded."""
        won: int | Fraction = 0
        for kind, count in self.single[which].items():
            alone = (HAND_KINDS[kind],)
            if wagers.bonus:
                won += count * (wagers.bonus.bonus_net(alone[0]) + wagers.bonus.feature_cents(0, alone))
            if wagers.jackpot:
                won += count * (
                    wagers.jackpot.jackpot_net(alone, wagers.meter) + wagers.jackpot.feature_cents(0, alone)
                )
        if wagers.bonus:
            won += self.colors[which] * wagers.bonus.color_cents
        return Fraction(won) / self.total

    def split_value(self, wagers: SeatWagers) -> Fraction:
        """What they win when both are played, with the Shootout Bonus placed at its best."""
        value = max(self.bonus_values(wagers.bonus).values()) if wagers.bonus else Fraction(0)
        if wagers.jackpot:
            won: int | Fraction = 0
            for (one, other), count in self.joint.items():
                both = HAND_KINDS[one], HAND_KINDS[other]
                features = sum(wagers.jackpot.feature_cents(own, both) for own in (0, 1))
                won += count * (wagers.jackpot.jackpot_net(both, wagers.meter) + features)
            value += Fraction(won) / self.total
        return value

    def bonus_values(self, bonus: Stake) -> dict[Verb, Fraction]:
        """What the Shootout Bonus wins on one hand of a split, on the other, and matched."""
        won: list[int | Fraction] = [color * bonus.color_cents for color in self.colors]
        nets = [bonus.bonus_net(kind) for kind in HAND_KINDS]
        for which in (0, 1):
            won[which] += sum(count * nets[kind] for kind, count in self.single[which].items())
        if bonus.feature:
            for (one, other), count in self.joint.items():
                both = HAND_KINDS[one], HAND_KINDS[other]
                for which in (0, 1):
                    won[which] += count * bonus.feature_cents(which, both)
        first, second = (Fraction(one) / self.total for one in won)
        return {Verb.MATCH: first + second, Verb.FIRST_HAND: first, Verb.SECOND_HAND: second}
