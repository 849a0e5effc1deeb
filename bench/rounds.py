"""Rounds: settling and playing one at a full table, and a complete round of five seats as a verification plays it."""

from __future__ import annotations

from collections.abc import Mapping
from time import process_time
from typing import Final

from bench.measure import Figure, Promise, count_to, in_turns, second_run
from bench.result_table import Sheet
from cardroom.cards import ChaCha20Source, Deck, Seal, Shoe, key_from_seed, shuffle_shoe
from cardroom.games import (
    Decide,
    Game,
    Round,
    SeatTurn,
    Table,
    advance,
    default_setup,
    dump_round,
    game,
    game_slugs,
    load_round,
)
from cardroom.games.game import FORFEIT_VERBS

SUBJECT: Final = "rounds"
CORES: Final = 1
TIMES: Final = 50
COUNTED: Final = 50_000
"""The time limit for settling a full table, as a count of a plain Python loop: between one and two milliseconds."""
SEATS: Final = 5
SPOTS: Final = 3
"""A main wager and two side wagers."""
COUNTED_FOR_A_ROUND: Final = 40_000
"""The time limit for a complete round, as a count of a plain Python loop: 0.8 milliseconds of an idle core."""


def sheets() -> list[Sheet]:
    figures = [figure for slug in game_slugs() for figure in _game(slug)] + [_shuffle()]
    whole = tuple(_whole(game(slug)) for slug in game_slugs())
    return [
        Sheet("Rounds at a full table, one core", tuple(figures)),
        Sheet(f"Complete rounds of {SEATS} seats with {SPOTS} wagers each, one core", whole),
    ]


def _game(slug: str) -> list[Figure]:
    rules = game(slug)
    end = _full_table(rules)
    text = dump_round(end)
    name = rules.facts.name
    settle = in_turns(
        lambda: [rules.settle(end) for _ in range(TIMES)], lambda: count_to(TIMES * COUNTED), 0.5, process_time
    )
    play = second_run(lambda: _full_table(rules))
    restore = second_run(lambda: load_round(text))
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


def _whole(rules: Game) -> Figure:
    """Shuffle, deal, play with given decisions, and settle a round."""
    slug = rules.facts.slug
    table = rules.open(default_setup(slug, seats=SEATS))
    bets = dict.fromkeys(range(1, SEATS + 1), _wagers(table, SPOTS))
    seals = [Seal(key_from_seed(number), f"round {number}") for number in range(TIMES)]
    known = [_played(rules, table, bets, seal) for seal in seals]

    def again() -> None:
        for seal, end in zip(seals, known, strict=True):
            round_, shoe = advance(rules.begin(table, bets), Shoe(seal.shuffle(table.deck)))
            for (seat, _), decision in end.decisions.items():
                round_, shoe = advance(round_.apply(Decide(seat, decision)), shoe)
            rules.settle(round_)

    timed = in_turns(again, lambda: count_to(TIMES * COUNTED_FOR_A_ROUND), 0.5, process_time)
    promise = Promise(f"counting to {COUNTED_FOR_A_ROUND:,} in Python", timed.yardsticks, 1.0, at_least=False)
    return Figure(f"shuffle, deal, play and settle {rules.facts.name}", timed.seconds / TIMES * 1e3, "ms", promise)


def _played(rules: Game, table: Table, bets: Mapping[int, Mapping[str, int]], seal: Seal) -> Round:
    """A round in which no seat folds or surrenders: the decisions come from the whole list, including the costly
    ones."""
    round_, shoe = advance(rules.begin(table, bets), Shoe(seal.shuffle(table.deck)))
    answers = ChaCha20Source.from_seed(seal.round_name)
    while isinstance(round_.turn, SeatTurn):
        staying = [option for option in round_.turn.options if option.verb not in FORFEIT_VERBS]
        decision = Decide(round_.turn.seat, staying[answers.draw_below(len(staying))])
        round_, shoe = advance(round_.apply(decision), shoe)
    return round_


def _wagers(table: Table, most: int | None) -> dict[str, int]:
    """The lowest wager on this many spots, from the main wager on."""
    spots = {}
    for offered in list(table.offers.values())[:most]:
        spot = next(name for name, one in table.spots.items() if one is offered)
        spots[spot] = offered.limits.minimum
    return spots


def _full_table(rules: Game) -> Round:
    """A round with every seat taken and as many spots in use as the table allows."""
    slug = rules.facts.slug
    table = rules.open(default_setup(slug, seats=min(7, rules.facts.seats(rules.facts.decks[0]))))
    round_ = rules.begin(table, dict.fromkeys(range(1, table.seats + 1), _wagers(table, table.spots_per_player)))
    shoe = shuffle_shoe(table.deck, ChaCha20Source.from_seed("bench"))
    while not round_.is_terminal:
        round_, shoe = advance(round_, shoe)
        if isinstance(round_.turn, SeatTurn):
            round_ = round_.apply(Decide(round_.turn.seat, round_.turn.options[-1]))
    return round_


def _shuffle() -> Figure:
    seal = Seal(bytes(32), "bench")
    seconds = second_run(lambda: [seal.shuffle(Deck.SIX) for _ in range(TIMES)]) / TIMES
    return Figure("shuffle six decks, commit and reveal", seconds * 1e3, "ms")
