"""What an operator sets on a meter, and a change of it that waits for the reset."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.setup.jackpot import LevelSetup


class Parameters(NamedTuple):
    """The parameters of one level. The seed of a bonus jackpot is what it shows."""

    contribution: Fraction
    reserve: Fraction
    seed: Amount
    ceiling: Amount | None
    minimum: int
    """The wager that takes part, in cents."""


class WaitingChange(NamedTuple):
    """A change that players would lose by, and that therefore waits for the reset."""

    level: str
    after: Parameters
    who: str
    why: str
    second: str
    """Who answers for it too."""


def parameters_of(level: LevelSetup) -> Parameters:
    """The parameters that a set-up gives a level."""
    ceiling = None if level.ceiling is None else level.ceiling * CENT
    return Parameters(level.contribution, level.reserve, level.seed * CENT, ceiling, level.minimum)
