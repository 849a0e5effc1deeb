"""Complete example rounds, played by the rules with the default setup, so that they are never out of date."""

from __future__ import annotations

import json
from functools import cache
from typing import Any, Final

from cardroom.cards import Shoe
from cardroom.cards.shuffle import ChaCha20Source, shuffle_items
from cardroom.games.actions import Decide, Decision, SeatTurn
from cardroom.games.playable_table import Table
from cardroom.games.record import round_to_json
from cardroom.games.registry import default_setup, game
from cardroom.games.round import Round, advance, make_full_bets

EXAMPLE_METER: Final = 10_000_00
_SEATS: Final = 3
_TRIES: Final = 24


def example_json(slug: str) -> str:
    """A finished round of a game as the record that ``load_round`` reads, with what the meters show."""
    final_round = example_round(slug)
    record: dict[str, Any] = round_to_json(final_round)
    meters = example_meters(final_round.table)
    return json.dumps(record | {"meters": meters} if meters else record, indent=2)


@cache
def example_round(slug: str) -> Round:
    """Of a few seeded rounds the one with the most different events."""
    return max((_play_example(slug, seed) for seed in range(_TRIES)), key=_count_events)


def example_meters(table: Table) -> dict[str, int]:
    """An example value, in cents, for each meter that some line of the table pays a share of."""
    return {spot: EXAMPLE_METER for spot, offered in table.spots.items() if offered.has_meter}


def _play_example(slug: str, seed: int) -> Round:
    rules = game(slug)
    table = rules.open(default_setup(slug))
    round_ = rules.begin(table, {seat: make_full_bets(rules, table, seat) for seat in range(1, _SEATS + 1)})
    shoe = Shoe(shuffle_items(table.deck.cards(), ChaCha20Source.from_seed(f"example {seed}")))
    round_, shoe = advance(round_, shoe)
    while isinstance(round_.turn, SeatTurn):
        action = Decide(round_.turn.seat, _choose_decision(round_.turn))
        round_, shoe = advance(round_.apply(action), shoe)
    return round_


def _choose_decision(turn: SeatTurn) -> Decision:
    """A decision that differs from that of the seat beside."""
    verbs = tuple(dict.fromkeys(option.verb for option in turn.options))
    verb = verbs[turn.seat % len(verbs)]
    return next(option for option in turn.options if option.verb is verb)


def _count_events(round_: Round) -> int:
    return len({(payment.spot, payment.event) for payment in round_.game.settle(round_).payments if payment.returned})
