"""``cardroom simulate``: rounds, sessions, or the years of a progressive."""

from __future__ import annotations

from rich.text import Text

from cardroom.cli.simulate.request import Mode, Typed, mode_of, table_of
from cardroom.cli.simulate.rounds import simulated_rounds
from cardroom.cli.simulate.sessions import simulated_sessions
from cardroom.cli.simulate.words import Told
from cardroom.cli.simulate.years import simulated_years

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
