"""How long a failed server delays the others: a frozen server that has locks, and a killed server.

The bounds are seconds, because people wait: a lease, and the time after which the database releases locks.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Final

from tests.attack.frozen_server import read_line, start_frozen_server
from tests.deadline import wait_until
from tests.ledger.play_commands import wager
from tests.ledger.server import fresh_database, postgresql_server
from tests.service.staff import with_first_operator
from tests.service.table_scenes import ANTE, open_prime
from tests.web.servers.pair import start_pair

from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms

SUBJECT: Final = "failures"
CORES: Final = 2
TURNS: Final = 3
FROZEN_S: Final = 3.0
KILLED_S: Final = 5.0
BETTING_S: Final = 1


def sheets() -> list[Sheet]:
    frozen, killed = list[float](), list[float]()
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder, postgresql_server() as postgresql:
        for turn in range(TURNS):
            with fresh_database(postgresql, f"frozen_{turn}") as url:
                frozen.append(_stalled_by_frozen_server(url))
            with fresh_database(postgresql, f"killed_{turn}") as url:
                (server_folder := Path(folder) / f"turn-{turn}").mkdir()
                killed.append(_stalled_by_killed_server(url, server_folder))
    return [
        Sheet(
            "One of two servers fails, PostgreSQL",
            (
                _figure("a command waits for a server that is frozen with its locks", frozen, FROZEN_S),
                _figure("a table waits for its round when its server is killed", killed, KILLED_S),
            ),
            f"The longest of {TURNS}; the medians are {median(frozen):.1f} s and {median(killed):.1f} s. "
            f"The second time includes the table's clock of {BETTING_S} s for wagers.",
        )
    ]


def _figure(what: str, seconds: list[float], bound_s: float) -> Figure:
    longest = max(seconds)
    return Figure(what, longest, "s", Promise(f"{bound_s:.0f} s", longest / bound_s, 1.0, at_least=False))


def _stalled_by_frozen_server(url: str) -> float:
    """Seconds that a command takes while another server is frozen with the locks that it needs."""
    with open_ledger(url) as ledger:
        ledger.execute(wager("first"))
        with start_frozen_server(url) as frozen:
            assert read_line(frozen) == "deciding"
            os.kill(frozen.pid, signal.SIGSTOP)
            began = time.perf_counter()
            ledger.execute(wager("second"))
            return time.perf_counter() - began


def _stalled_by_killed_server(url: str, folder: Path) -> float:
    """Seconds from the end of a server until the other one begins the round whose clock was running."""
    with_first_operator(url)
    with open_ledger(url) as ledger, start_pair(folder, url) as both:
        card_room = CardRoom(ledger)
        open_prime(card_room, PlayTerms(betting=BETTING_S, deciding=1), "prime-1")
        ann, bob = (card_room.players.admit_guest(f"admit {number}").player for number in range(2))
        for player in (ann, bob):
            card_room.take_seat(f"sit {player}", player, "prime-1")
        holder = wait_until(lambda: both.holder("prime-1"))
        assert holder is not None
        card_room.place_wagers("lay", ann, "prime-1", ANTE)
        both.kill(holder)
        began = time.perf_counter()
        wait_until(lambda: card_room.table("prime-1").playing)
        return time.perf_counter() - began
