"""A strategy for people: points for two cards, as Texas Shootout players count them in their heads.

The two cards with the most points are kept. When the other two have enough points themselves, both are played.

How many points for what was searched for among all that read like this: the figures that lose least, hand by hand,
when ties lose and when they push taken together. A step away from them nothing is better, so they stand here.
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

_NUMBERS: Final = {1: "one rank", 2: "one or two ranks", 3: "one to three ranks", 4: "one to four ranks"}


class PairPoints(NamedTuple):
    """What two cards count. A rank up to ten counts as it is written. Cards are close that differ in rank, but by no
    more than ``max_gap``; an ace is above the king only. When the cards that are not kept count ``split`` or more, the
    hand is split."""

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
"""The strategy to remember, whatever ties do."""


def _points_by_pair(points: PairPoints) -> NDArray[np.int64]:
    """What any two cards count, by their codes."""
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
    """What the strategy does with each hand. Choices that are still equal differ in the names of suits only."""
    places = np.array(CHOICES)
    low, high = hands[:, places[:, 0]], hands[:, places[:, 1]]
    pair_points = _points_by_pair(points)[low, high]
    # The last choice leaves the cards that the first one keeps, and so on.
    leaves_suited = ((low & 3) == (high & 3))[:, ::-1]
    preference = ((pair_points << 4 | high >> 2) << 4 | low >> 2) << 1 | leaves_suited
    keep = preference.argmax(axis=1)
    left = KEEPS - 1 - keep
    splits = pair_points[np.arange(len(hands)), left] >= points.split
    chosen: NDArray[np.uint8] = np.where(splits, KEEPS + np.minimum(keep, left), keep).astype(np.uint8)
    return chosen


def strategy_rules(points: PairPoints) -> Iterator[StrategyRule]:
    """The strategy in words."""
    faces = zip((Rank.JACK, Rank.QUEEN, Rank.KING, Rank.ACE), points, strict=False)
    counts = ", ".join(f"{rank.word} {count}" for rank, count in faces)
    close = f"{points.close} for cards {_NUMBERS[points.max_gap]} apart (ace high)"
    yield StrategyRule(
        f"Points for two cards: both ranks added up ({counts}); add {points.suited} for suited cards, {close}, "
        f"{points.pair} for a pair."
    )
    yield StrategyRule(
        "Keep the two cards with the most points; of equals those with the highest card, then the higher second "
        "card, then those that leave suited cards."
    )
    yield StrategyRule(f"If the other two have {points.split} points or more, split.")
