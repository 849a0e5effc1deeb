"""Every hand of six cards set by points, and how the main game ends then."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kernel, parallel_kernel, prange
from cardroom.odds.three_card_double_play.classes import one_of_each
from cardroom.odds.three_card_double_play.counts import DEALER_HANDS, Threes, threes
from cardroom.odds.three_card_double_play.points import FLUSH, MOST, RANK_OF, Points
from cardroom.odds.three_card_double_play.setting import KIND_OF, KINDS


class SetByPoints(NamedTuple):
    """How every row of ``one_of_each(6)`` is set."""

    settings: NDArray[np.uint8]
    """Which of the first ten of ``THREES`` is one of the two hands."""
    points: NDArray[np.int64]
    """What both hands count."""


def set_by_points(points: Points) -> SetByPoints:
    """Set every hand."""
    strengths = threes().strengths
    found = SetByPoints(np.empty(len(strengths), np.uint8), np.empty(len(strengths), np.int64))
    _set(strengths, points.by_strength, found)
    return found


def sums_of(family: Sequence[Points]) -> NDArray[np.int64]:
    """For each of some ways to count, by the points that a hand counts and the kind of its low hand: deals in which the
    low hand wins, in which the high hand wins, and all of them. They add up to 2.8e13 at most."""
    found = np.zeros((len(family), MOST + 1, len(KINDS), 3), np.int64)
    _add(one_of_each(6).alike, threes(), np.array([one.by_strength for one in family]), found)
    return found


@kernel
def _chosen(strengths: NDArray[np.uint16], at: int, counts: NDArray[np.int64]) -> tuple[int, int]:
    """The setting of the most points, and the points."""
    best, best_key, most = 0, np.int64(-1), np.int64(0)
    for setting in range(10):
        low, high = np.int64(strengths[at, setting]), np.int64(strengths[at, 19 - setting])
        if low > high:
            low, high = high, low
        points = counts[0, low] + counts[1, high]
        # Beside less than a flush in the high hand, the low hand is less than one too: so a flush goes first.
        last = high << 10 | low if KIND_OF[high] >= FLUSH else low << 10 | high
        key = ((points << 3 | np.int64(KIND_OF[low])) << 4 | np.int64(RANK_OF[low])) << 20 | last
        if key > best_key:
            best, best_key, most = setting, key, points
    return best, int(most)


@kernel
def _set(strengths: NDArray[np.uint16], counts: NDArray[np.int64], out: SetByPoints) -> None:
    settings, points = out.settings, out.points
    for at in range(len(strengths)):
        settings[at], points[at] = _chosen(strengths, at, counts)


@parallel_kernel
def _add(alike: NDArray[np.int64], known: Threes, family: NDArray[np.int64], out: NDArray[np.int64]) -> None:
    """Each way to count is added up by one core alone."""
    for one in prange(len(family)):
        strengths, beaten, counts = known.strengths, known.beaten, family[one]
        for at in range(len(alike)):
            setting, points = _chosen(strengths, at, counts)
            low, high = setting, 19 - setting
            if strengths[at, low] > strengths[at, high]:
                low, high = high, low
            cell = out[one, points, KIND_OF[strengths[at, low]]]
            cell[0] += alike[at] * beaten[at, low]
            cell[1] += alike[at] * beaten[at, high]
            cell[2] += alike[at] * DEALER_HANDS
