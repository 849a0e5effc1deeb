"""``cardroom simulate``: rounds, sessions, or the years of a progressive."""

from __future__ import annotations

from rich.text import Text

from cardroom.cli.shared.answers import Answer
from cardroom.cli.simulate.request import Mode, mode_of, table_of
from cardroom.cli.simulate.rounds import simulated_rounds
from cardroom.cli.simulate.sessions import simulated_sessions
from cardroom.cli.simulate.simulated import Simulated
from cardroom.cli.simulate.typed import Typed
from cardroom.cli.simulate.years import simulated_years

_BY_MODE = {
    Mode.ROUNDS: simulated_rounds,
    Mode.SESSIONS: simulated_sessions,
    Mode.PROGRESSIVE: simulated_years,
}


def simulated(typed: Typed) -> Simulated:
    """Simulate what was asked for. Interrupted while everything is still being prepared, there is nothing to tell."""
    mode, table = mode_of(typed), table_of(typed)
    try:
        return _BY_MODE[mode](typed, table)
    except KeyboardInterrupt:
        nothing = Text("Interrupted before anything was played: there is nothing to tell.")
        return Simulated(Answer([], nothing), interrupted=True)
