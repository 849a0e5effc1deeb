"""Complete rounds to learn from, played by the rules on the default set-up, so that they are never out of date."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffled
from cardroom.games.actions import Decide
from cardroom.games.bets import full_wagers
from cardroom.games.book import game
from cardroom.games.decisions import Decision
from cardroom.games.defaults import default_setup
from cardroom.games.record import round_entry
from cardroom.games.round import Round, advance
from cardroom.games.table import Table
from cardroom.games.turns import SeatTurn

EXAMPLE_METER: Final = 10_000_00
_SEATS: Final = 3
_TRIES: Final = 24


def example_json(slug: str) -> str:
    """A finished round of a game as the record that ``from_json`` reads, with what the meters show."""
    played = example_round(slug)
    entry: dict[str, Any] = round_entry(played)
    meters = example_meters(played.table)
    return json.dumps(entry | {"meters": meters} if meters else entry, indent=2)


@cache
def example_round(slug: str) -> Round:
    """Of a few seeded rounds the one in which the most different things happen."""
    return max((_played(slug, seed) for seed in range(_TRIES)), key=_events)


def example_meters(table: Table) -> dict[str, int]:
    """An example value, in cents, for each meter that some line of the table pays a share of."""
    return {spot: EXAMPLE_METER for spot, offered in table.spots.items() if offered.has_meter}


def _played(slug: str, seed: int) -> Round:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    round_ = rules.begin(table, {seat: full_wagers(rules, table, seat) for seat in range(1, _SEATS + 1)})
    shoe = Shoe(shuffled(table.deck.cards(), ChaCha20Source.seeded(f"example {seed}")))
    round_, shoe = advance(round_, shoe)
    while isinstance(round_.turn, SeatTurn):
        answered = Decide(round_.turn.seat, _answer(round_.turn))
        round_, shoe = advance(round_.apply(answered), shoe)
    return round_


def _answer(turn: SeatTurn) -> Decision:
    """Neighbours answer the same question in different ways."""
    verbs = tuple(dict.fromkeys(option.verb for option in turn.options))
    verb = verbs[turn.seat % len(verbs)]
    return next(option for option in turn.options if option.verb is verb)


def _events(round_: Round) -> int:
    return len({(payment.spot, payment.event) for payment in round_.game.settle(round_).payments if payment.returned})
