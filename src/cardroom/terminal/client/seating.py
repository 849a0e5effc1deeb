"""The seats of a table in the terminal: the player has seat 1, and bots play the others.

Bots make the main wager and always stay in. The shuffles of a session come from a fresh secret key for each round, or
from a seed that plays the same again.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from typing import Final

from cardroom.cards.shuffle import KEY_BYTES, Seal, key_from_seed
from cardroom.games.actions import Decision, SeatTurn, Verb
from cardroom.games.game import Game
from cardroom.games.playable_table import Table
from cardroom.games.registry import default_setup, game
from cardroom.hands import best_three
from cardroom.terminal.client.prompts import BadSeating
from cardroom.translation import gettext

# In order of preference; bots never wager more than necessary to stay in.
_PREFERRED_VERBS: Final = (
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
    """The minimum wager on the first spot of the layout."""
    spot, offered = next(iter(table.spots.items()))
    return {spot: offered.limits.minimum}


def bot_decision(turn: SeatTurn) -> Decision:
    """A bot's decision: always the same for the same question; of several cards, the highest."""
    preferred_verb = next(
        (verb for verb in _PREFERRED_VERBS if any(option.verb is verb for option in turn.options)), None
    )
    if preferred_verb is None:
        return turn.options[0]
    return max((option for option in turn.options if option.verb is preferred_verb), key=_height)


def _height(decision: Decision) -> tuple[object, ...]:
    """Compares decisions: by the strongest High hand, else by the highest cards."""
    if decision.verb is Verb.SET:
        return tuple(best_three(group).strength for group in decision.groups)
    return decision.groups


OWN_SEAT: Final = 1


@dataclass(frozen=True, slots=True)
class Seating:
    """A table and the number of seats that play."""

    rules: Game
    table: Table
    seats: int = 1

    def __post_init__(self) -> None:
        if not 1 <= self.seats <= self.table.seats:
            sentence = gettext("{seats} seats cannot play: this table has 1 to {most} seats.")
            raise BadSeating(sentence.format(seats=self.seats, most=self.table.seats))

    def wagers(self, own_wagers: Mapping[str, int]) -> dict[int, Mapping[str, int]]:
        """The wagers of all seats."""
        return {OWN_SEAT: own_wagers} | {seat: main_wager(self.table) for seat in range(2, self.seats + 1)}


def open_default_seating(slug: str, seats: int = 1) -> Seating:
    """A seat at the default table of a game."""
    rules = game(slug)
    return Seating(rules, rules.open(default_setup(slug)), seats)


def open_seating(table: Table, seats: int = 1) -> Seating:
    """A seat at an open table."""
    return Seating(game(table.facts.slug), table, seats)


def seals(game: str, seed: str | None) -> Iterator[Seal]:
    """A sealed shuffle for each round.

    >>> first, again = next(seals("deuces-wild", "7")), next(seals("deuces-wild", "7"))
    >>> first.round_name, first.commitment == again.commitment
    ('deuces-wild, round 1', True)
    """
    for number in count(1):
        name = f"{game}, round {number}"
        yield Seal(secrets.token_bytes(KEY_BYTES) if seed is None else key_from_seed(f"{seed}, {name}"), name)
