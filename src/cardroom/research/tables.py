"""The table that an environment is played at, and what lies on it."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.faults import BadInput
from cardroom.games import Table, TableSetup, default_setup, game


class BadEnvironment(BadInput):
    """An environment that cannot be made or used as it was asked for."""


def table_of(slug: str, setup: TableSetup | None) -> Table:
    """The customary table of a game, or one that somebody has set up."""
    rules = game(slug)
    if setup is not None and setup.game != slug:
        raise BadEnvironment(f"The set-up is for {setup.game}: an environment of {slug} needs one for {slug}.")
    return rules.open(default_setup(slug) if setup is None else setup)


def bets_of(table: Table, bets: Mapping[str, int] | None) -> dict[str, int]:
    """The wagers of every round by spot, in cents; the lowest wager on the main spot, when none are given."""
    if bets is not None:
        return dict(bets)
    spot, offered = next(iter(table.spots.items()))
    return {spot: offered.limits.minimum}


def seed_below_two_to_64(seed: int) -> int:
    """A seed that the cards can be drawn with; refused when it is none."""
    if isinstance(seed, bool) or not 0 <= int(seed) < 2**64 or int(seed) != seed:
        raise BadEnvironment(f"{seed} cannot be a seed: use a whole number from 0 to 2**64 - 1.")
    return int(seed)
