"""What workers think about when somebody asks what a wager is worth. Nothing is loaded here but what that needs."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from cardroom.odds import answer
from cardroom.odds.at_table import question_at
from cardroom.web.room.thoughts import table_of


class Edge(NamedTuple):
    """What the house keeps of a wager."""

    wager: str
    """Its name."""
    edge: Fraction
    """Of what is wagered before the deal."""
    standard_error: float | None
    """Of the edge, when it was simulated; None when it is exact."""


def edge_at(setup: str) -> Edge | None:
    """The edge of a table's main wager; None where it hangs on a meter."""
    table = table_of(setup)
    main = next(iter(table.offered))
    odds = answer(question_at(table, main))
    if odds.house_edge is None:
        return None
    error = None if odds.standard_error is None else odds.standard_error / odds.initial_wager
    return Edge(table.offered[main].wager.name, odds.house_edge, error)
