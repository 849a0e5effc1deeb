"""Gymnasium names of the environments, such as ``cardroom/three-card-prime-v0``, and their tables."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import gymnasium

from cardroom.errors import BadInput
from cardroom.games import Table, TableSetup, default_setup, game, game_slugs
from cardroom.games.registry import built_in_folder


class BadEnvironment(BadInput):
    """The environment cannot be created or used as requested."""


def open_table(slug: str, setup: TableSetup | None) -> Table:
    """The default table of a game, or the table of a setup."""
    rules = game(slug)
    if setup is not None and setup.game != slug:
        raise BadEnvironment(f"This setup is for {setup.game}: an environment of {slug} needs a setup for {slug}.")
    return rules.open(default_setup(slug) if setup is None else setup)


def check_bets(table: Table, bets: Mapping[str, int] | None) -> dict[str, int]:
    """The wagers of every round by spot, in cents; by default the lowest wager on the main spot."""
    if bets is not None:
        return dict(bets)
    spot, offered = next(iter(table.spots.items()))
    return {spot: offered.limits.minimum}


def check_seed(seed: int) -> int:
    """Check a seed for the cards."""
    if isinstance(seed, bool) or not 0 <= int(seed) < 2**64 or int(seed) != seed:
        raise BadEnvironment(f"{seed} cannot be a seed: use a whole number from 0 to 2**64 - 1.")
    return int(seed)


VERSION: Final = 0
_PACKAGE: Final = __name__.rpartition(".")[0]


def env_id(slug: str) -> str:
    """The name of a game's environments.

    >>> env_id("red-dog")
    'cardroom/red-dog-v0'
    """
    return f"cardroom/{slug}-v{VERSION}"


def register_games() -> None:
    """Register every installed game with ``gymnasium.make``, and the built-in games with ``make_vec`` too."""
    for slug in game_slugs():
        if env_id(slug) not in gymnasium.registry:
            many = f"{_PACKAGE}.vector_env:RoundVectorEnv" if built_in_folder(slug) else None
            gymnasium.register(
                env_id(slug),
                entry_point=f"{_PACKAGE}.single_env:RoundEnv",
                vector_entry_point=many,
                kwargs={"game": slug},
                order_enforce=False,
            )
