"""The best play of Texas Shootout, from the counts of every deal: the choices, how rounds end with them, and the boards
they meet; and the strategy for people beside it."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardroom.odds.pricer import SimpleStrategy
from cardroom.odds.texas_shootout.classes import hand_classes
from cardroom.odds.texas_shootout.sides import SideCounts, counts_for
from cardroom.odds.texas_shootout.strategy import POINTS, choices_by_points, rules_for
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
def simple_choices() -> NDArray[np.uint8]:
    """By class: what the points say, whatever ties do."""
    return choices_by_points(hand_classes().hands, POINTS)


@cache
def simple_ends() -> tuple[int, ...]:
    """In how many of all deals a round ends how when points are counted."""
    return ends_of(simple_choices())


def simple_strategy(ties: str) -> SimpleStrategy:
    """The points to count, and what they cost: both strategies play every deal."""
    return SimpleStrategy(
        rules=tuple(rules_for(POINTS)),
        expected_return=mean_net(simple_ends(), ties),
        best_return=mean_net(best_ends(ties), ties),
    )
