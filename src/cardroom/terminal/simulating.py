"""``cardroom simulate``: rounds, sessions, or the years of a progressive."""

from __future__ import annotations

from rich.text import Text

from cardroom.terminal.simulated_rounds import simulated_rounds
from cardroom.terminal.simulated_sessions import simulated_sessions
from cardroom.terminal.simulated_years import simulated_years
from cardroom.terminal.simulation_request import Mode, Typed, mode_of, table_of
from cardroom.terminal.simulation_words import Told

__all__ = ["Told", "Typed", "simulated"]

_BY_MODE = {
    Mode.ROUNDS: simulated_rounds,
    Mode.SESSIONS: simulated_sessions,
    Mode.PROGRESSIVE: simulated_years,
}


def simulated(typed: Typed) -> Told:
    """Simulate what was asked for. Interrupted while everything is still being prepared, there is nothing to tell."""
    mode, table = mode_of(typed), table_of(typed)
    try:
        return _BY_MODE[mode](typed, table)
    except KeyboardInterrupt:
        return Told(Text("Interrupted before anything was played: there is nothing to tell."), [], interrupted=True)
