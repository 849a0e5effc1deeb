"""The best strategy of the High and Low wagers: how to set six cards, when to double, and the outcomes.

The value of a setting depends on four figures: the number of the dealer's possible hands, the number that the low hand
beats or copies (both wagers win), the number that the high hand beats or copies (if only it does, one wager wins and
one loses), and the pay for the low hand. Doubling multiplies each of these results, so it is right exactly if the
setting has a positive value. What each outcome wins or loses is read from rounds that the game settles.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property
from math import lcm
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import parse_cards
from cardroom.errors import BadInput
from cardroom.games import Decision, Pile, Place, Verb
from cardroom.games.card_places import DEALER_HAND
from cardroom.games.three_card_double_play.divisions import divisions
from cardroom.games.three_card_double_play.rules import DOUBLE_QUESTION, LOW_HAND_EVENTS, RULES, SET_QUESTION
from cardroom.hands import THREE_CARD, Category
from cardroom.kernels import kernel
from cardroom.odds.payoffs import SEAT, WagerPayoff, example_table, settle_example
from cardroom.odds.result import WagerOutcome
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, ThreeCardTables, suit_classes, three_card_tables
from cardroom.paytables import Pay, Paytable, Percent, describe_pay

MAIN: Final = "high-low"

BOTH_WIN, HIGH_WINS_ALONE, DEALER_WINS = range(3)
_EXAMPLES: Final = (
    ("As Ad Ah", "Ks Kd Kh", "2c 4d 7h 9s Jc"),
    ("As Ad Ah", "9s 5d 2h", "Kc Kd 3h 6s 8c"),
    ("Js 9d 5h", "8s 4d 2h", "Ac Kc Qc 7h 7d"),
)
"""The high hand, the low hand, and the dealer's five cards, an example of each outcome."""


@cache
def example_payoff(outcome: int, is_doubled: bool = False) -> WagerPayoff:
    """One outcome of both wagers, with or without their double-down wagers."""
    high, low, dealer = map(parse_cards, _EXAMPLES[outcome])
    setting = next(division.decision for division in divisions(high + low) if set(division.high.cards) == set(high))
    decisions = {SET_QUESTION: setting, DOUBLE_QUESTION: Decision(Verb.DOUBLE if is_doubled else Verb.STAND)}
    piles = {Place(Pile.HAND, SEAT): high + low, DEALER_HAND: dealer}
    return settle_example(example_table(RULES.facts.slug), MAIN, piles, decisions)


@cache
def double_multiplier() -> int:
    """The factor of doubling for every stake and every result. Because it is the same for all, a hand has the same best
    setting whether it stands or is doubled."""
    plain, doubled = ([example_payoff(way, also) for way in range(len(_EXAMPLES))] for also in (False, True))
    times = int(doubled[0].wagered / plain[0].wagered)
    for plain_payoff, doubled_payoff in zip(plain, doubled, strict=True):
        assert (doubled_payoff.net, doubled_payoff.wagered) == (times * plain_payoff.net, times * plain_payoff.wagered)
    return times


KINDS: Final = THREE_CARD.order
"""The kinds of three-card hands, the lowest first (rule 5)."""
KIND_BY_STRENGTH: Final = np.array(
    [0, *(KINDS.index(hand_class.category) for hand_class in THREE_CARD.classes)], np.uint8
)
"""The index of a hand among the ``KINDS``, by strength."""
HIGH_ALONE_EVENT: Final = "high hand wins, low hand loses"
DEALER_EVENT: Final = "dealer wins"


class ScaledPayoffs(NamedTuple):
    """What both wagers win together, as integers."""

    both_win: NDArray[np.int64]
    """By the strength of the low hand."""
    high_wins_alone: int
    dealer_wins: int
    largest: int
    """The largest of these amounts, won or lost."""


@dataclass(frozen=True)
class LowHandPays:
    """A Low Hand table, in units of one of the two equal wagers."""

    table: Paytable
    wager_cents: int = 100
    """The wager, in cents, that prizes in dollars are compared with."""

    def pay(self, kind: Category) -> Pay:
        """The table's pay for a low hand of this kind if both hands win (rule 10(b), DP-1)."""
        pay = self.table.find_pay((LOW_HAND_EVENTS[kind],))
        if isinstance(pay, Percent):
            raise BadInput(
                f"The High and Low wagers have no meter, so a low hand cannot pay {describe_pay(pay)}: give odds or "
                "dollars."
            )
        return pay

    @cached_property
    def both_win(self) -> Mapping[Category, Fraction]:
        """What the two wagers win together if both hands win."""
        both = example_payoff(BOTH_WIN)
        return {kind: both.net_with_pay(self.pay(kind), self.table.basis, self.wager_cents).units for kind in KINDS}

    def net(self, low: Category, low_beats: int, high_beats: int, dealer_hands: int) -> Fraction:
        """The total of a setting over all of the dealer's hands, not doubled."""
        return (
            self.both_win[low] * low_beats
            + example_payoff(HIGH_WINS_ALONE).net * (high_beats - low_beats)
            + example_payoff(DEALER_WINS).net * (dealer_hands - high_beats)
        )

    # As integers, for the kernels

    @cached_property
    def scale(self) -> int:
        """The smallest number that makes all results integers."""
        others = example_payoff(HIGH_WINS_ALONE).net, example_payoff(DEALER_WINS).net
        return lcm(*(net.denominator for net in (*self.both_win.values(), *others)))

    @cached_property
    def scaled_payoffs(self) -> ScaledPayoffs:
        """All results times ``scale``."""
        by_kind = [int(net * self.scale) for net in self.both_win.values()]
        high_alone, lost = (int(example_payoff(way).net * self.scale) for way in (HIGH_WINS_ALONE, DEALER_WINS))
        most = max(map(abs, (*by_kind, high_alone, lost)))
        # In the kernels, a hand's value is at most this times the number of dealer's hands.
        if most * DEALER_HANDS > np.iinfo(np.int64).max:
            raise BadInput("The odds of this table have too many digits to compute with: write them with fewer digits.")
        return ScaledPayoffs(np.array(by_kind, np.int64)[KIND_BY_STRENGTH], high_alone, lost, most)


class MainGameCounts(NamedTuple):
    """The counts of the main game's outcomes, over all hands of six cards and all of the dealer's: not doubled and
    doubled."""

    both_win: NDArray[np.int64]
    """By kind of the low hand."""
    high_wins_alone: NDArray[np.int64]
    dealer_wins: NDArray[np.int64]

    def outcomes(self, pays: LowHandPays) -> Iterator[WagerOutcome]:
        """The lines of the table from the top down, then what is lost."""
        lines = [line.trigger for line in pays.table.lines]
        for kind in sorted(LOW_HAND_EVENTS, key=lambda kind: _line_place(LOW_HAND_EVENTS[kind], lines)):
            counts = self.both_win[:, KINDS.index(kind)]
            yield from _line_outcomes(LOW_HAND_EVENTS[kind], describe_pay(pays.pay(kind)), counts, pays.both_win[kind])
        yield from _line_outcomes(HIGH_ALONE_EVENT, "push", self.high_wins_alone, example_payoff(HIGH_WINS_ALONE).net)
        yield from _line_outcomes(DEALER_EVENT, "loss", self.dealer_wins, example_payoff(DEALER_WINS).net)


def _line_place(event: str, lines: list[str]) -> int:
    return lines.index(event) if event in lines else len(lines)


def _line_outcomes(event: str, pays: str, counts: NDArray[np.int64], net: Fraction) -> Iterator[WagerOutcome]:
    for times, count in zip((1, double_multiplier()), counts.tolist(), strict=True):
        if count:
            yield WagerOutcome(event, pays, count, times * net, wagered=times * example_payoff(BOTH_WIN).wagered)


class HandSettings(NamedTuple):
    """The setting of each row of ``suit_classes(6)``, and whether the player doubles."""

    settings: NDArray[np.uint8]
    """Which of the first ten of ``THREES`` is one of the two hands."""
    is_doubled: NDArray[np.bool_]

    def count_outcomes(self) -> MainGameCounts:
        """The counts of the main game's outcomes under these settings."""
        counts = MainGameCounts(np.zeros((2, len(KINDS)), np.int64), np.zeros(2, np.int64), np.zeros(2, np.int64))
        _count_outcomes(suit_classes(6).sizes, three_card_tables(), self, counts)
        return counts


def best_outcome_counts(pays: LowHandPays) -> MainGameCounts:
    """Set every hand the best way, and double if its value is positive."""
    return best_settings(pays).count_outcomes()


def best_settings(pays: LowHandPays) -> HandSettings:
    """The best setting of every hand, doubled if its value is positive."""
    hands = len(suit_classes(6).sizes)
    settings = HandSettings(np.empty(hands, np.uint8), np.empty(hands, np.bool_))
    _set_best(three_card_tables(), pays.scaled_payoffs, settings)
    return settings


@kernel
def _set_best(three_tables: ThreeCardTables, payoffs: ScaledPayoffs, out: HandSettings) -> None:
    strengths, beaten, settings, doubled = (
        three_tables.strengths,
        three_tables.beaten_counts,
        out.settings,
        out.is_doubled,
    )
    both_win, high_wins_alone, dealer_wins = payoffs.both_win, payoffs.high_wins_alone, payoffs.dealer_wins
    for at in range(len(settings)):
        best, best_low, best_high = np.int64(0), np.int64(-1), np.int64(-1)
        for setting in range(10):
            low, high = setting, 19 - setting
            if strengths[at, low] > strengths[at, high]:
                low, high = high, low
            low_strength, high_strength = np.int64(strengths[at, low]), np.int64(strengths[at, high])
            value = both_win[low_strength] * beaten[at, low] + high_wins_alone * (beaten[at, high] - beaten[at, low])
            value += dealer_wins * (DEALER_HANDS - beaten[at, high])
            # Of settings with the same value, the one with the better low hand, then the better high hand.
            if best_low < 0 or (value, low_strength, high_strength) > (best, best_low, best_high):
                best, best_low, best_high = value, low_strength, high_strength
                settings[at] = setting
        doubled[at] = best > 0


@kernel
def _count_outcomes(
    class_sizes: NDArray[np.int64], three_tables: ThreeCardTables, hands: HandSettings, out: MainGameCounts
) -> None:
    """Counts stay below 52 choose 6 times 46 choose 5, which is 2.8e13."""
    strengths, beaten, settings, doubled = (
        three_tables.strengths,
        three_tables.beaten_counts,
        hands.settings,
        hands.is_doubled,
    )
    wins, pushes, losses = out.both_win, out.high_wins_alone, out.dealer_wins
    for at in range(len(class_sizes)):
        low, high = np.int64(settings[at]), 19 - np.int64(settings[at])
        if strengths[at, low] > strengths[at, high]:
            low, high = high, low
        stakes = int(doubled[at])
        wins[stakes, KIND_BY_STRENGTH[strengths[at, low]]] += class_sizes[at] * np.int64(beaten[at, low])
        pushes[stakes] += class_sizes[at] * np.int64(beaten[at, high] - beaten[at, low])
        losses[stakes] += class_sizes[at] * np.int64(DEALER_HANDS - beaten[at, high])
