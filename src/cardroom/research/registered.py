"""The environments under Gymnasium's names: ``cardroom/three-card-prime-v0`` and the like."""

from __future__ import annotations

from typing import Final

import gymnasium

from cardroom.games import game_slugs
from cardroom.games.book import house_folder

VERSION: Final = 0
_HERE: Final = __name__.rpartition(".")[0]


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
            many = f"{_HERE}.vector:RoundVectorEnv" if house_folder(slug) else None
            gymnasium.register(
                env_id(slug),
                entry_point=f"{_HERE}.plain:RoundEnv",
                vector_entry_point=many,
                kwargs={"game": slug},
                order_enforce=False,
            )
