"""Environments under Gymnasium's names, such as ``cardroom/three-card-prime-v0``, and the tables that they play at."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import gymnasium

from cardroom.errors import BadInput
from cardroom.games import Table, TableSetup, default_setup, game, game_slugs
from cardroom.games.registry import built_in_folder


class BadEnvironment(BadInput):
    """An environment that cannot be made or used as it was asked for."""


def open_table(slug: str, setup: TableSetup | None) -> Table:
    """The customary table of a game, or one that somebody has set up."""
    rules = game(slug)
    if setup is not None and setup.game != slug:
        raise BadEnvironment(f"The set-up is for {setup.game}: an environment of {slug} needs one for {slug}.")
    return rules.open(default_setup(slug) if setup is None else setup)


def check_bets(table: Table, bets: Mapping[str, int] | None) -> dict[str, int]:
    """The wagers of every round by spot, in cents; the lowest wager on the main spot, when none are given."""
    if bets is not None:
        return dict(bets)
    spot, offered = next(iter(table.spots.items()))
    return {spot: offered.limits.minimum}


def check_seed(seed: int) -> int:
    """A seed that the cards can be drawn with; refused when it is none."""
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
    """Make every installed game known to ``gymnasium.make``, and those of the house to ``make_vec`` as well."""
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
