"""The other players: simple people who make the main wager and always stay in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cardroom.games.decisions import Decision, Verb
from cardroom.games.table import Table
from cardroom.games.turns import SeatTurn
from cardroom.hands import three_card

# What they like best; they never put down more than they must to stay in.
_LIKED: Final = (
    Verb.PLAY,
    Verb.RAISE,
    Verb.WAR,
    Verb.KEEP,
    Verb.SET,
    Verb.STAND,
    Verb.FIRST_HAND,
    Verb.CHOOSE,
)


def main_wager(table: Table) -> Mapping[str, int]:
    """The least that the first spot of the layout takes."""
    spot, offered = next(iter(table.spots.items()))
    return {spot: offered.limits.minimum}


def simple_choice(turn: SeatTurn) -> Decision:
    """The same answer to the same question every time; among cards, the highest."""
    liked = next((verb for verb in _LIKED if any(one.verb is verb for one in turn.options)), None)
    if liked is None:
        return turn.options[0]
    return max((one for one in turn.options if one.verb is liked), key=_height)


def _height(decision: Decision) -> tuple[object, ...]:
    """The strongest hand set high; elsewhere the highest cards."""
    if decision.verb is Verb.SET:
        return tuple(three_card(group).strength for group in decision.groups)
    return decision.groups
