"""What an operator sets on a meter, and a change of it that waits for the reset."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from typing import Any, NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.meter.setup import LevelSetup

fraction = lru_cache(1024)(Fraction)


class Parameters(NamedTuple):
    """The parameters of one level. The seed of a bonus jackpot is what it shows."""

    contribution: Fraction
    reserve: Fraction
    seed: Amount
    ceiling: Amount | None
    minimum: int
    """The wager that takes part, in cents."""


class Waiting(NamedTuple):
    """A change that players would lose by, and that therefore waits for the reset."""

    level: str
    after: Parameters
    who: str
    why: str


def parameters_of(level: LevelSetup) -> Parameters:
    """The parameters that a set-up gives a level."""
    ceiling = None if level.ceiling is None else level.ceiling * CENT
    return Parameters(level.contribution, level.reserve, level.seed * CENT, ceiling, level.minimum)


def parameters_entry(parameters: Parameters) -> dict[str, Any]:
    """As plain values."""
    return parameters._asdict() | {
        "contribution": str(parameters.contribution),
        "reserve": str(parameters.reserve),
    }


def parameters_from(entry: dict[str, Any]) -> Parameters:
    """Read plain values again."""
    return Parameters(
        fraction(entry["contribution"]),
        fraction(entry["reserve"]),
        entry["seed"],
        entry["ceiling"],
        entry["minimum"],
    )


def waiting_entry(waiting: Waiting) -> dict[str, Any]:
    """As plain values."""
    return waiting._asdict() | {"after": parameters_entry(waiting.after)}


def waiting_from(entry: dict[str, Any]) -> Waiting:
    """Read plain values again."""
    return Waiting(entry["level"], parameters_from(entry["after"]), entry["who"], entry["why"])
