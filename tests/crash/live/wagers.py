"""What guests wager: a main wager, and some others beside it."""

from __future__ import annotations

from random import Random
from typing import NamedTuple


class Spots(NamedTuple):
    """Of a game."""

    main: tuple[str, ...]
    """One of these."""
    beside: tuple[str, ...]
    jackpot: str


SPOTS = {
    "three-card-prime": Spots(("ante-play",), ("prime", "pair-bonus", "all-six"), "final-four"),
    "dueling-for-dollars": Spots(("player", "dealer"), ("tie-plus", "combo"), "tie-after-tie"),
    "three-card-double-play": Spots(("high-low",), ("pick-3", "pick-5"), "super-3s"),
    "deuces-wild": Spots(("ante-play-raise",), ("three-card-treasure", "five-card-fortune"), "bonus-jackpot"),
}


def some_wagers(game: str, random: Random) -> dict[str, int]:
    """Four at most, none of them beside the main one above five dollars; the jackpot's more often than not."""
    spots = SPOTS[game]
    wagers = {random.choice(spots.main): random.choice((10_00, 10_00, 20_00))}
    for spot in random.sample(spots.beside, random.randint(0, 2)):
        wagers[spot] = random.randint(1, 5) * 1_00
    if random.random() < 0.7:
        wagers[spots.jackpot] = 1_00
    return wagers
