"""One server and two servers on the same PostgreSQL database: the most rounds per second that they carry.

Each table has one player, who wagers and folds: two commands per round, each acknowledged when it is on disk. There are
no other viewers, because the players share the two cores with the servers and the database and should use as little of
them as possible. One server stays on one core, because Python runs one thread at a time.
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

from bench.live.bots import Seat
from bench.live.http_client import Connection
from bench.live.server import RICH, TERMS, layout, serving
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
"""Seconds between two rounds of people at a table."""
MORE: Final = 1.05


def sheets() -> list[Sheet]:
    measured: dict[int, list[Carried]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder, postgresql_server() as postgresql:
        for turn in range(TURNS):
            for many, carried in measured.items():
                with fresh_database(postgresql, f"servers_{turn}_{many}") as url:
                    carried.append(_carried(url, many, Path(folder)))
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
                Figure("processor time per round, one server", costs[0], "ms"),
                Figure("processor time per round, two servers", costs[1], "ms"),
                Figure(f"tables with a round every {EVERY} s, one server", one * EVERY, "tables"),
                Figure(f"tables with a round every {EVERY} s, two servers", two * EVERY, "tables"),
            ),
            note,
        )
    ]


def _open(url: str) -> list[Seat]:
    seats = []
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        card_room.users.add_first_operator("bench", "olga", "Olga", "four loud geese of the bench")
        tokens = GuestTokens(card_room.get_room_secret())
        for number in range(1, TABLES + 1):
            table, player = f"{SLUG}-{number}", card_room.players.admit_guest(f"admit {number}").player
            card_room.add_table(f"open {table}", "Olga", table, layout(SLUG), TERMS)
            card_room.players.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
            card_room.take_seat(f"sit {player}", player, table, 1, RICH)
            seats.append(Seat(table, 1, tokens.issue(player)))
    return seats


class Carried(NamedTuple):
    """The measurements of one run."""

    rate: float
    """Rounds per second."""
    cost: float
    """Processor seconds of the server per round; other load on the machine has little effect on it."""


def _carried(url: str, many: int, folder: Path) -> Carried:
    """Measure this many servers, each with its part of the tables."""
    seats = _open(url)
    with ExitStack() as stack:
        servers = [stack.enter_context(serving(url, folder / f"server-{one}.log")) for one in range(many)]
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
    """Processor seconds of a process."""
    fields = Path(f"/proc/{process}/stat").read_text("utf-8").rpartition(") ")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def _player(at: tuple[str, int], seat: Seat, since: float) -> int:
    """Play one seat. Returns the number of rounds completed in the measured time."""
    connection, path, rounds = Connection(*at, seat.token), f"/api/v1/tables/{seat.table}", 0
    try:
        for number in range(1_000_000):
            for what, body in (("wagers", {"wagers": {"ante-play": 10_00}}), ("decisions", {"answer": "fold"})):
                status, response = await connection.post(f"{path}/{what}", {"id": f"{what}-{number}", **body})
                assert status == 200, response
            now = time.perf_counter()
            if now > since + SECONDS:
                break
            rounds += now >= since
    finally:
        connection.close()
    return rounds
