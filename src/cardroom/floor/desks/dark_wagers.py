"""Wagers that play for no jackpot at present although they should: nobody can make them (BJ-36)."""

from __future__ import annotations

from cardroom.floor.desks.standings import Standings
from cardroom.floor.kept.table import TableState
from cardroom.jackpots.setup.tabulator import CountedWager


def why_dark(at: Standings, unit: TableState, wager: CountedWager) -> str:
    """Why no wager can be made there now; empty where one can. ``wager`` is one of those that the table plays with."""
    if unit.closed:
        return f"the tabulator of {unit.id} is closed"
    if unit.playing.is_dark(wager):
        return f"{unit.id} plays for no jackpot with it"
    return (at.jackpot(wager.jackpot).unavailable or "") if wager.jackpot is not None else ""


def dark_wagers(at: Standings, unit: TableState) -> dict[str, str]:
    """The wagers of a table that cannot be made now, and why."""
    told = {one.wager: why_dark(at, unit, one) for one in unit.playing.wagers}
    return {wager: why for wager, why in told.items() if why}
