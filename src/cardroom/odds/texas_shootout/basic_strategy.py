"""The basic strategy: points for two cards that a Texas Shootout player can count mentally.

The player keeps the two cards with the most points, and splits if the other two have enough points too.

A search over all point systems of this form found these points: they lose the least, hand by hand, with ties that lose
and ties that push taken together. No single step away from them is better.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Rank
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.odds.pricer import StrategyRule
from cardroom.odds.texas_shootout.hands_and_boards import KEEPS, KINDS_OF_CARD
from cardroom.translation import gettext

_NUMBERS: Final = {1: "one rank", 2: "one or two ranks", 3: "one to three ranks", 4: "one to four ranks"}


class PairPoints(NamedTuple):
    """The points of two cards. A rank up to ten counts its number. Cards are close if their ranks differ by 1 to
    ``max_gap``; an ace ranks above the king only. If the cards that are not kept have ``split`` points or more, the
    player splits the hand."""

    jack: int
    queen: int
    king: int
    ace: int
    suited: int
    close: int
    max_gap: int
    pair: int
    split: int


POINTS: Final = PairPoints(jack=12, queen=15, king=18, ace=22, suited=6, close=3, max_gap=3, pair=26, split=40)
"""The basic strategy, for ties that lose and ties that push."""


def _points_by_pair(points: PairPoints) -> NDArray[np.int64]:
    """The points of any two cards, by their codes."""
    codes = np.arange(KINDS_OF_CARD)
    ranks, suits = (codes >> 2) + 2, codes & 3
    counts = np.array([*range(2, 11), points.jack, points.queen, points.king, points.ace])[codes >> 2]
    apart = abs(ranks[:, None] - ranks)
    more_by_ranks = np.where(apart == 0, points.pair, np.where(apart <= points.max_gap, points.close, 0))
    pair_points: NDArray[np.int64] = (
        counts[:, None] + counts + more_by_ranks + points.suited * (suits[:, None] == suits)
    )
    return pair_points


def choices_by_points(hands: NDArray[np.uint8], points: PairPoints) -> NDArray[np.uint8]:
    """The strategy's choice for each hand. Choices that are still equal differ in suits only."""
    places = np.array(CHOICES)
    low, high = hands[:, places[:, 0]], hands[:, places[:, 1]]
    pair_points = _points_by_pair(points)[low, high]
    # The last choice leaves the cards that the first choice keeps, and so on.
    leaves_suited = ((low & 3) == (high & 3))[:, ::-1]
    preference = ((pair_points << 4 | high >> 2) << 4 | low >> 2) << 1 | leaves_suited
    keep = preference.argmax(axis=1)
    left = KEEPS - 1 - keep
    splits = pair_points[np.arange(len(hands)), left] >= points.split
    chosen: NDArray[np.uint8] = np.where(splits, KEEPS + np.minimum(keep, left), keep).astype(np.uint8)
    return chosen


def strategy_rules(points: PairPoints) -> Iterator[StrategyRule]:
    """The strategy as text."""
    faces = zip((Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE), points, strict=False)
    counts = ", ".join(f"{rank.word} {count}" for rank, count in faces)
    values = gettext(
        "Points for two cards: both ranks added up ({faces}); add {suited} for suited cards, {close} for cards {gap} "
        "apart (ace high), {pair} for a pair."
    )
    yield StrategyRule(
        values.format(
            faces=counts, suited=points.suited, close=points.close, gap=_NUMBERS[points.max_gap], pair=points.pair
        )
    )
    yield StrategyRule(
        gettext(
            "Keep the two cards with the most points; of equals those with the highest card, then the higher second "
            "card, then those that leave suited cards."
        )
    )
    yield StrategyRule(gettext("If the other two have {points} points or more, split.").format(points=points.split))
