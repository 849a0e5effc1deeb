"""One server and two on the same PostgreSQL: how many rounds they carry, as fast as it goes.

Each table has one player, who lays wagers and folds: two commands a round, each acknowledged when it is on disk. Nobody
looks on, because whoever plays shares the two cores with the servers and the database, and should need as little of
them as can be. One server keeps to one core, whatever it does: Python runs one thread at a time.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from tests.ledger.server import fresh_database, postgresql_server

from bench.live.crowd import Seat
from bench.live.room import RICH, TERMS, layout, serving
from bench.live.talk import Line
from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.ledger import open_ledger
from cardroom.service import CardRoom
from cardroom.web.services.sessions import GuestTokens

SUBJECT: Final = "servers"
CORES: Final = 2
SLUG: Final = "three-card-prime"
TABLES: Final = 100
WARMING_UP: Final = 3.0
SECONDS: Final = 8.0
TURNS: Final = 3
EVERY: Final = 30
"""Seconds between two rounds of people."""
MORE: Final = 1.05


def sheets() -> list[Sheet]:
    measured: dict[int, list[Carried]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder, postgresql_server() as postgresql:
        for turn in range(TURNS):
            for many, carried in measured.items():
                with fresh_database(postgresql, f"servers_{turn}_{many}") as books:
                    carried.append(_carried(books, many, Path(folder)))
    one, two = (median(turn.rate for turn in turns) for turns in measured.values())
    costs = [median(turn.cost for turn in turns) * 1_000 for turns in measured.values()]
    of_all = [f"{many}: {', '.join(f'{turn.rate:.0f}' for turn in turns)}" for many, turns in measured.items()]
    note = (
        f"{TABLES} tables of one player. In turns, the median of {TURNS}; rounds a second of each turn with one server "
        f"and with two: {'; '.join(of_all)}. Load of the machine meanwhile: {os.getloadavg()[0]:.1f}."
    )
    return [
        Sheet(
            "Several servers, PostgreSQL, two cores",
            (
                Figure("one server", one, "rounds/s"),
                Figure("two servers", two, "rounds/s", Promise("one server", two / one, MORE)),
                Figure("a round on one server takes of a core", costs[0], "ms"),
                Figure("a round on one of two takes of a core", costs[1], "ms"),
                Figure(f"tables with a round every {EVERY} s, one server", one * EVERY, "tables"),
                Figure(f"tables with a round every {EVERY} s, two servers", two * EVERY, "tables"),
            ),
            note,
        )
    ]


def _open(books: str) -> list[Seat]:
    seats = []
    with open_ledger(books) as ledger:
        floor = CardRoom(ledger)
        floor.add_first_operator("bench", "olga", "Olga", "four loud geese of the bench")
        tokens = GuestTokens(floor.get_room_secret())
        for number in range(1, TABLES + 1):
            table, player = f"{SLUG}-{number}", floor.admit_guest(f"admit {number}").player
            floor.add_table(f"open {table}", "Olga", table, layout(SLUG), TERMS)
            floor.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
            floor.take_seat(f"sit {player}", player, table, 1, RICH)
            seats.append(Seat(table, 1, tokens.issue(player)))
    return seats


class Carried(NamedTuple):
    """What was measured in one turn."""

    rate: float
    """Rounds a second."""
    cost: float
    """Seconds of a core that a round takes of its server: what else the machine does has little part in that."""


def _carried(books: str, many: int, folder: Path) -> Carried:
    """So many servers, each with its part of the tables."""
    seats = _open(books)
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(books, folder / f"server-{one}.log")) for one in range(many)]
        return asyncio.run(_play([at for at, _ in servers], [process for _, process in servers], seats))


async def _play(at: Sequence[tuple[str, int]], processes: Sequence[int], seats: Sequence[Seat]) -> Carried:
    since = time.perf_counter() + WARMING_UP
    players = [_player(at[number % len(at)], seat, since) for number, seat in enumerate(seats)]
    playing = asyncio.gather(*players)
    await asyncio.sleep(WARMING_UP)
    before = sum(map(_worked, processes))
    await asyncio.sleep(SECONDS)
    worked = sum(map(_worked, processes)) - before
    rounds = sum(await playing)
    return Carried(rounds / SECONDS, worked / rounds)


def _worked(process: int) -> float:
    """Seconds of a core that a process has had."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _player(at: tuple[str, int], seat: Seat, since: float) -> int:
    """How many rounds somebody has played to their end within the time."""
    line, path, rounds = Line(*at, seat.token), f"/api/v1/tables/{seat.table}", 0
    try:
        for number in range(1_000_000):
            for what, said in (("wagers", {"wagers": {"ante-play": 10_00}}), ("decisions", {"answer": "fold"})):
                status, answer = await line.post(f"{path}/{what}", {"id": f"{what}-{number}", **said})
                assert status == 200, answer
            now = time.perf_counter()
            if now > since + SECONDS:
                break
            rounds += now >= since
    finally:
        line.close()
    return rounds
