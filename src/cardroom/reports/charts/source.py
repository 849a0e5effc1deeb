"""Where the figures of a chart come from, in one line."""

from __future__ import annotations

from collections.abc import Sequence

from cardroom import __version__
from cardroom.games import game
from cardroom.odds import Odds


def source_of(answers: Sequence[Odds]) -> str:
    """Program, method, game and rule sheet of figures of one game."""
    facts = game(answers[0].game).facts
    return f"Cardroom {__version__}, {_method(answers)}, {facts.sheet_title}"


def _method(answers: Sequence[Odds]) -> str:
    simulated = [one.simulated_rounds for one in answers if one.simulated_rounds]
    if not simulated:
        return "exact enumeration"
    if len(simulated) < len(answers):
        return "partly simulated"
    return f"simulated over {min(simulated):,} rounds" + (" or more" if len(set(simulated)) > 1 else "")
