"""Rounds: settling and playing one at a full table."""

from __future__ import annotations

from time import process_time
from typing import Final

from bench.measure import Figure, Promise, count_to, in_turns, second_run
from bench.sheet import Sheet
from cardroom.cards import ChaCha20Source, Deck, Seal, fresh_shoe
from cardroom.games import Decide, Game, Round, SeatTurn, advance, default_setup, from_json, game, game_slugs, to_json

SUBJECT: Final = "rounds"
CORES: Final = 1
TIMES: Final = 50
COUNTED: Final = 50_000
"""What Python counts to in the time in which a full table may be settled: between one and two milliseconds."""


def sheets() -> list[Sheet]:
    figures = [figure for slug in game_slugs() for figure in _game(slug)] + [_shuffle()]
    return [Sheet("Rounds at a full table, one core", tuple(figures))]


def _game(slug: str) -> list[Figure]:
    rules = game(slug)
    end = _full_table(rules)
    text = to_json(end)
    name = rules.facts.name
    settle = in_turns(
        lambda: [rules.settle(end) for _ in range(TIMES)], lambda: count_to(TIMES * COUNTED), 0.5, process_time
    )
    play = second_run(lambda: _full_table(rules))
    restore = second_run(lambda: from_json(text))
    seats = f"{len(end.seats)} seats"
    return [
        Figure(
            f"settle {name}, {seats}, most wagers",
            settle.seconds / TIMES * 1e3,
            "ms",
            Promise(f"counting to {COUNTED:,} in Python", settle.yardsticks, 1.0, at_least=False),
        ),
        Figure(f"deal and play {name}, {seats}", play * 1e3, "ms"),
        Figure(f"restore {name} from JSON, {seats}", restore * 1e3, "ms"),
    ]


def _full_table(rules: Game) -> Round:
    """A round with every seat taken and as many spots in use as the table allows."""
    slug = rules.facts.slug
    table = rules.open(default_setup(slug, seats=min(7, rules.facts.seats(rules.facts.decks[0]))))
    spots = {}
    for offered in list(table.offered.values())[: table.spots_per_player]:
        spot = next(name for name, one in table.spots.items() if one is offered)
        spots[spot] = offered.limits.minimum
    round_ = rules.begin(table, dict.fromkeys(range(1, table.seats + 1), spots))
    shoe = fresh_shoe(table.deck, ChaCha20Source.seeded("bench"))
    while not round_.is_over:
        round_, shoe = advance(round_, shoe)
        if isinstance(round_.turn, SeatTurn):
            round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[-1]))
    return round_


def _shuffle() -> Figure:
    seal = Seal(bytes(32), "bench")
    seconds = second_run(lambda: [seal.shuffle(Deck.SIX) for _ in range(TIMES)]) / TIMES
    return Figure("shuffle six decks, commit and reveal", seconds * 1e3, "ms")
