"""The load of the live tables: a room that opens, players who play, and latencies that are measured."""

from __future__ import annotations

from pathlib import Path

from bench.live import load
from bench.live.bots import Pace
from bench.live.past_rounds import fill
from bench.live.server import SEATS, open_room, serving

from cardroom.service import verify


def test_players_of_the_load_play_rounds_at_a_served_table(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/load.db"
    seats = open_room(url, 1)
    assert len(seats) == SEATS
    with serving(url, tmp_path / "server.log") as (address, _):
        result = load(address, seats, "three-card-prime", Pace(), 2.0, coming_in=1.0)
    assert not result.refused
    assert result.rounds > 0
    assert len(result.acknowledged) >= 2 * SEATS


def test_past_rounds_of_the_load_are_a_ledger_that_verifies(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/past.db"
    fill(url, "three-card-prime", tables=2, rounds=6, seats=3)
    report = verify(url)
    assert report.is_consistent, report.discrepancy
    assert report.rounds == 6
