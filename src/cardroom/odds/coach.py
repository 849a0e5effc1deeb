"""A coach: what each answer is worth to the seat that is asked."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.games import Table, View
from cardroom.odds.play import NotAsked, asked
from cardroom.odds.pricer import Advice, pricer

__all__ = ["NotAsked", "advise"]


def advise(table: Table, seen: View, meters: Mapping[str, int] | None = None) -> tuple[Advice, ...]:
    """Every legal decision of the seat that is asked, with its value in cents, from what that seat may see.

    >>> from cardroom.games import default_setup, game, round_from, view
    >>> from cardroom.games.setup import setup_entry
    >>> rules = game("three-card-prime")
    >>> setup = default_setup("three-card-prime")
    >>> position = round_from({
    ...     "table": setup_entry(setup),
    ...     "wagers": {"1": {"ante-play": 1000}},
    ...     "cards": {"seat 1 hand": ["Qh", "6d", "4c"], "seat 1 fourth": ["2s"], "burn": ["9c"],
    ...               "dealer": ["Kd", "8c", "5h"]},
    ... })
    >>> [(str(one.decision), round(float(one.value))) for one in advise(rules.open(setup), view(position, 1))]
    [('play', -991), ('fold', -1000)]
    """
    return pricer(table.facts.slug).advise(table, seen, asked(seen).seat, meters or {})
