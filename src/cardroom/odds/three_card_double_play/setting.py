"""How to set six cards and when to double, hand by hand, and how the main game ends when it is played so.

A setting has four figures: the hands that the dealer can have, how many of them the low hand beats or copies (both
wagers win), how many the high hand does (one wins and one loses where the low hand does not), and what the table pays
for the low hand. Doubling multiplies every one of these results, so it is right just when the setting is worth more
than nothing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.faults import BadInput
from cardroom.games.three_card_double_play.rules import LOW_HAND_EVENTS
from cardroom.hands import THREE_CARD, Category
from cardroom.kernels import kernel
from cardroom.odds.result import Ending
from cardroom.odds.three_card_double_play.classes import one_of_each
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, Threes, threes
from cardroom.odds.three_card_double_play.results import BOTH_WIN, DEALER_WINS, HIGH_WINS_ALONE, doubling, ended
from cardroom.paytables import Pay, Paytable, Percent, words

KINDS: Final = THREE_CARD.order
"""The kinds of three-card hands, the lowest first (rule 5)."""
KIND_OF: Final = np.array([0, *(KINDS.index(one.category) for one in THREE_CARD.classes)], np.uint8)
"""By strength: the place of the hand among the ``KINDS``."""
HIGH_ALONE_EVENT: Final = "high hand wins, low hand loses"
DEALER_EVENT: Final = "dealer wins"


class ScaledResults(NamedTuple):
    """What both wagers win together, as whole numbers."""

    both_win: NDArray[np.int64]
    """By the strength of the low hand."""
    high_wins_alone: int
    dealer_wins: int
    most: int
    """The largest of them, won or lost."""


@dataclass(frozen=True)
class LowHandPays:
    """A Low Hand table, in units of one of the two equal wagers."""

    table: Paytable
    wager_cents: int = 100
    """What a prize in dollars is held against."""

    def pay(self, kind: Category) -> Pay:
        """What the table pays for a low hand of this kind when both hands win (rule 10(b), DP-1)."""
        pay = self.table.pay((LOW_HAND_EVENTS[kind],))
        if isinstance(pay, Percent):
            raise BadInput(
                f"The High and Low wagers have no meter, so a low hand cannot pay {words(pay)}: give odds or dollars."
            )
        return pay

    @cached_property
    def both_win(self) -> Mapping[Category, Fraction]:
        """What the two wagers win together when both hands win."""
        both = ended(BOTH_WIN)
        return {kind: both.net_when(self.pay(kind), self.table.basis, self.wager_cents).units for kind in KINDS}

    def net(self, low: Category, low_beats: int, high_beats: int, dealer_hands: int) -> Fraction:
        """What a setting wins on all of the dealer's hands together, not doubled."""
        return (
            self.both_win[low] * low_beats
            + ended(HIGH_WINS_ALONE).net * (high_beats - low_beats)
            + ended(DEALER_WINS).net * (dealer_hands - high_beats)
        )

    # As whole numbers, for the kernels

    @cached_property
    def scale(self) -> int:
        """The smallest number that makes all of them whole."""
        others = ended(HIGH_WINS_ALONE).net, ended(DEALER_WINS).net
        return lcm(*(net.denominator for net in (*self.both_win.values(), *others)))

    @cached_property
    def scaled(self) -> ScaledResults:
        """All results times ``scale``."""
        by_kind = [int(net * self.scale) for net in self.both_win.values()]
        high_alone, lost = (int(ended(way).net * self.scale) for way in (HIGH_WINS_ALONE, DEALER_WINS))
        most = max(map(abs, (*by_kind, high_alone, lost)))
        # A hand's value in the kernels is at most this times the number of dealer's hands.
        if most * DEALER_HANDS > np.iinfo(np.int64).max:
            raise BadInput("The odds of this table are too long to count with: write them with fewer digits.")
        return ScaledResults(np.array(by_kind, np.int64)[KIND_OF], high_alone, lost, most)


class Played(NamedTuple):
    """How often the main game ends how, over all hands of six and all of the dealer's: not doubled and doubled."""

    both_win: NDArray[np.int64]
    """By the kind of the low hand."""
    high_wins_alone: NDArray[np.int64]
    dealer_wins: NDArray[np.int64]

    def endings(self, pays: LowHandPays) -> Iterator[Ending]:
        """The lines of the table from the top down, then what is lost."""
        lines = [line.event for line in pays.table.lines]
        for kind in sorted(LOW_HAND_EVENTS, key=lambda kind: _place(LOW_HAND_EVENTS[kind], lines)):
            counts = self.both_win[:, KINDS.index(kind)]
            yield from _endings(LOW_HAND_EVENTS[kind], words(pays.pay(kind)), counts, pays.both_win[kind])
        yield from _endings(HIGH_ALONE_EVENT, "push", self.high_wins_alone, ended(HIGH_WINS_ALONE).net)
        yield from _endings(DEALER_EVENT, "loss", self.dealer_wins, ended(DEALER_WINS).net)


def _place(event: str, lines: list[str]) -> int:
    return lines.index(event) if event in lines else len(lines)


def _endings(event: str, pays: str, counts: NDArray[np.int64], net: Fraction) -> Iterator[Ending]:
    for times, count in zip((1, doubling()), counts.tolist(), strict=True):
        if count:
            yield Ending(event, pays, count, times * net, wagered=times * ended(BOTH_WIN).wagered)


class SetHands(NamedTuple):
    """For each row of ``one_of_each(6)``: how it is set, and whether it is doubled then."""

    settings: NDArray[np.uint8]
    """Which of the first ten of ``THREES`` is one of the two hands."""
    doubled: NDArray[np.bool_]

    def played(self) -> Played:
        """How the main game ends when every hand is set and doubled so."""
        found = Played(np.zeros((2, len(KINDS)), np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64))
        _count_played(one_of_each(6).alike, threes(), self, found)
        return found


def best_play(pays: LowHandPays) -> Played:
    """Set every hand the best way, and double when that is worth more than nothing."""
    return best_settings(pays).played()


def best_settings(pays: LowHandPays) -> SetHands:
    """The best setting of every hand; doubled when that is worth more than nothing."""
    hands = len(one_of_each(6).alike)
    found = SetHands(np.empty(hands, np.uint8), np.empty(hands, np.bool_))
    _set_best(threes(), pays.scaled, found)
    return found


@kernel
def _set_best(known: Threes, results: ScaledResults, out: SetHands) -> None:
    strengths, beaten, settings, doubled = known.strengths, known.beaten, out.settings, out.doubled
    both_win, high_wins_alone, dealer_wins = results.both_win, results.high_wins_alone, results.dealer_wins
    for at in range(len(settings)):
        best, best_low, best_high = np.int64(0), np.int64(-1), np.int64(-1)
        for setting in range(10):
            low, high = setting, 19 - setting
            if strengths[at, low] > strengths[at, high]:
                low, high = high, low
            low_strength, high_strength = np.int64(strengths[at, low]), np.int64(strengths[at, high])
            value = both_win[low_strength] * beaten[at, low] + high_wins_alone * (beaten[at, high] - beaten[at, low])
            value += dealer_wins * (DEALER_HANDS - beaten[at, high])
            # Of settings that are worth the same, the one with the better low hand, then the better high hand.
            if best_low < 0 or (value, low_strength, high_strength) > (best, best_low, best_high):
                best, best_low, best_high = value, low_strength, high_strength
                settings[at] = setting
        doubled[at] = best > 0


@kernel
def _count_played(alike: NDArray[np.int64], known: Threes, hands: SetHands, out: Played) -> None:
    """Counts stay below 52 choose 6 times 46 choose 5, which is 2.8e13."""
    strengths, beaten, settings, doubled = known.strengths, known.beaten, hands.settings, hands.doubled
    wins, pushes, losses = out.both_win, out.high_wins_alone, out.dealer_wins
    for at in range(len(alike)):
        low, high = np.int64(settings[at]), 19 - np.int64(settings[at])
        if strengths[at, low] > strengths[at, high]:
            low, high = high, low
        stakes = int(doubled[at])
        wins[stakes, KIND_OF[strengths[at, low]]] += alike[at] * np.int64(beaten[at, low])
        pushes[stakes] += alike[at] * np.int64(beaten[at, high] - beaten[at, low])
        losses[stakes] += alike[at] * np.int64(DEALER_HANDS - beaten[at, high])
