"""How often each kind of cards meets the bonus wagers of Dueling for Dollars, from a full shoe or from what is left.

Which lines the cards meet, the kernels of the game say. Deals are ordered: the player's card, the community card,
and then the war cards (Tie After Tie) or the two added community cards (2 + 2).
"""

from __future__ import annotations

from collections import Counter
from functools import cache
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from cardroom.games.dueling_for_dollars.bonuses import BONUSES, Codes, tie_after_tie, two_plus_two
from cardroom.kernels import kernel
from cardroom.odds.endings import EventCounts

Copies: TypeAlias = NDArray[np.int64]
"""How many copies of each card are left, by its code."""
KINDS_OF_CARD: Final = 52


# With eight decks there are 416 x 415 x 414 x 413 deals, some 3 x 10**10: far below what 64 bits hold.


@kernel
def _count_ways(four: Codes, left: Copies, at_war: bool, ways: NDArray[np.int64]) -> None:
    """Count every two cards that may follow the first two of ``four``: at war or added to the community."""
    for one in range(KINDS_OF_CARD):
        for other in range(KINDS_OF_CARD):
            four[0, 2], four[0, 3] = one, other
            kind = tie_after_tie(four, 0) if at_war else two_plus_two(four, 0)
            ways[kind] += left[one] * (left[other] - (one == other))


_FOLLOWED: Final = ("tie-after-tie", "two-plus-two")
"""The wagers that look at the two cards that follow."""


def ways_from(wager: str, first: int, community: int, left: Copies) -> EventCounts:
    """In how many ways the two cards that follow these make each kind, when so many copies are left."""
    kinds = BONUSES[wager].kinds
    ways = np.zeros(len(kinds), np.int64)
    four = np.array([[first, community, 0, 0]], np.uint8)
    _count_ways(four, left, wager == "tie-after-tie", ways)
    return {lines: count for lines, count in zip(kinds, ways.tolist(), strict=True) if count}


@cache
def bonus_kinds(wager: str, decks: int) -> EventCounts:
    """Over all deals from a full shoe."""
    bonus, rows = BONUSES[wager], _starts()
    found: Counter[tuple[str, ...]] = Counter()
    for at, (first, community) in enumerate(rows.tolist()):
        left = np.full(KINDS_OF_CARD, decks, np.int64)
        left[first] -= 1
        ways = decks * int(left[community])
        left[community] -= 1
        if wager in _FOLLOWED:
            for lines, count in ways_from(wager, first, community, left).items():
                found[lines] += ways * count
        else:
            found[bonus.kinds[bonus.kind(rows, at)]] += ways
    return found


def _starts() -> Codes:
    """Every first card with every community card."""
    deck = np.arange(KINDS_OF_CARD, dtype=np.uint8)
    return np.column_stack([np.repeat(deck, KINDS_OF_CARD), np.tile(deck, KINDS_OF_CARD)])
