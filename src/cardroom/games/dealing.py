"""Deal a round from a seed, without a shoe to carry along.

>>> r = deal("deuces-wild", {1: {"ante-play-raise": 10_00}}, seed=3)
>>> print(r)
Deuces Wild
community  ?? ?? ??
seat 1     Jc 8h 7h    Ante $10
Seat 1 decides: fold, play
>>> print(deal(r.decide("play"), seed=3))
Deuces Wild
community  ?? ?? ?? ??
seat 1     Jc 8h 7h | fourth card 9d    Ante $10, Play $10
Seat 1 decides: fold, raise
"""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.cards import ChaCha20Source, Shoe, shuffle_shoe
from cardroom.errors import BadInput
from cardroom.games.playable_table import Table
from cardroom.games.registry import default_setup, game
from cardroom.games.round import Bets, Round, advance


def deal(game_or_round: str | Round, bets: Bets | None = None, *, seed: int | str, table: Table | None = None) -> Round:
    """Deal cards and take the dealer's steps until a seat has to decide, or to the end of the round.

    Pass a game to begin a round: at ``table``, or at one with the game's default setup, and with ``bets`` in cents by
    seat and spot, or with the smallest main wager on seat 1. Pass a round to continue it. The seed decides the order of
    the cards: with the seed that a round began with, the cards of the same shoe follow.
    """
    if isinstance(game_or_round, Round):
        if bets is not None or table is not None:
            raise BadInput("A round has its wagers and its table already: pass the round and the seed alone.")
        r = game_or_round
    else:
        rules = game(game_or_round if table is None else table.facts.slug)
        table = table or rules.open(default_setup(rules.facts.slug))
        r = rules.begin(table, _smallest_bets(table) if bets is None else bets)
    return advance(r, _remaining_shoe(r, seed))[0]


def _smallest_bets(table: Table) -> Mapping[int, Mapping[str, int]]:
    spot, offer = next(iter(table.spots.items()))
    return {1: {spot: offer.limits.minimum}}


def _remaining_shoe(r: Round, seed: int | str) -> Shoe:
    """The shuffled deck without the cards on the layout: those after them when they came from the same seed."""
    remaining = list(shuffle_shoe(r.table.deck, ChaCha20Source.from_seed(seed)).order)
    for cards in r.piles.values():
        for card in cards:
            remaining.remove(card)
    return Shoe(tuple(remaining))
