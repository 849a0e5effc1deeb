"""The best play of Texas Shootout, from the counts of every deal: the choices, how rounds end with them, and the boards
they meet; and the strategy for people beside it."""

from __future__ import annotations

from functools import cache
from math import comb

import numpy as np
from numpy.typing import NDArray

from cardroom.kernels import kept_arrays
from cardroom.odds.pricer import SimpleStrategy
from cardroom.odds.texas_shootout.classes import hand_classes
from cardroom.odds.texas_shootout.sides import SideCounts, counts_for
from cardroom.odds.texas_shootout.strategy import Points, best_points, choices_by_points, rules_for
from cardroom.odds.texas_shootout.tablebase.file import tablebase
from cardroom.odds.texas_shootout.tablebase.whole import greatest
from cardroom.odds.texas_shootout.worth import class_values, ends_of, mean_net


@cache
def best_choices(ties: str) -> NDArray[np.uint8]:
    """By class: the best choice; of equal ones the first, which is one of a kind where others differ from it in suits
    alone."""
    return greatest(class_values(ties)).astype(np.uint8)


@cache
def best_ends(ties: str) -> tuple[int, ...]:
    """In how many of all deals a round ends how, by the number of the end."""
    return ends_of(best_choices(ties))


@cache
def best_boards(ties: str) -> SideCounts:
    """Every board for every class of hands as the main game sets it."""
    return counts_for(hand_classes(), best_choices(ties))


# The strategy for people


@cache
def points(ties: str) -> Points:
    """The points for two cards that lose least. The search tries thousands of them, so what it found stays in the
    user's cache folder."""

    def found() -> dict[str, NDArray[np.int64]]:
        low, middle, high = np.moveaxis(class_values(ties).astype(np.float64), -1, 0)
        mean = (low + middle * 2.0**24 + high * 2.0**48) / tablebase().deals
        classes = hand_classes()
        return {"points": np.array(best_points(classes.hands, classes.ways / comb(312, 4), mean), np.int64)}

    return Points(*kept_arrays(f"shootout-points-ties-{ties}", found)["points"].tolist())


@cache
def simple_choices(ties: str) -> NDArray[np.uint8]:
    """By class: what the points say."""
    return choices_by_points(hand_classes().hands, points(ties))


@cache
def simple_ends(ties: str) -> tuple[int, ...]:
    """In how many of all deals a round ends how when points are counted."""
    return ends_of(simple_choices(ties))


def simple_strategy(ties: str) -> SimpleStrategy:
    """The best points to count, and what they cost: both strategies play every deal."""
    return SimpleStrategy(
        rules=tuple(rules_for(points(ties))),
        expected_return=mean_net(simple_ends(ties), ties),
        best_return=mean_net(best_ends(ties), ties),
    )
