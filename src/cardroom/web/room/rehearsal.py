"""A rehearsal: a round of each game before the doors open, so that the first player does not wait for what is loaded
and compiled only when it is needed."""

from __future__ import annotations

from collections.abc import Iterable

from cardroom.cards import ChaCha20Source, shuffle_shoe
from cardroom.games import Decide, SeatTurn, Table, advance, game, view, view_to_json
from cardroom.web.room.company import least_wagers

ROUNDS = 3
"""Not every round asks every question."""


def rehearse(tables: Iterable[Table]) -> None:
    """Play some rounds that nobody sees, one table of each game."""
    for table in {one.facts.slug: one for one in tables}.values():
        for seed in range(ROUNDS):
            _round(table, seed)


def _round(table: Table, seed: int) -> None:
    rules = game(table.facts.slug)
    round_, shoe = (
        rules.begin(table, {1: least_wagers(table)}),
        shuffle_shoe(table.deck, ChaCha20Source.from_seed(seed)),
    )
    while True:
        round_, shoe = advance(round_, shoe)
        view_to_json(view(round_, 1))
        if not isinstance(round_.turn, SeatTurn):
            rules.settle(round_, dict.fromkeys(table.spots, 0))
            return
        round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[-1]))
