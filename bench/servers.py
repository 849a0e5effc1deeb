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
from typing import Final

from tests.ledger.server import fresh_database, postgresql_server

from bench.live.crowd import Seat
from bench.live.room import RICH, TERMS, layout, serving
from bench.live.talk import Line
from bench.measure import Figure, Promise
from bench.sheet import Sheet
from cardroom.accounts import Money
from cardroom.floor import Floor
from cardroom.ledger import open_ledger
from cardroom.web.room.tokens import Tokens

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
    rates: dict[int, list[float]] = {1: [], 2: []}
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder, postgresql_server() as postgresql:
        for turn in range(TURNS):
            for many, measured in rates.items():
                with fresh_database(postgresql, f"servers_{turn}_{many}") as books:
                    measured.append(_rate(books, many, Path(folder)))
    one, two = (median(measured) for measured in rates.values())
    of_all = [f"{many}: {', '.join(f'{rate:.0f}' for rate in measured)}" for many, measured in rates.items()]
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
                Figure(f"tables with a round every {EVERY} s, one server", one * EVERY, "tables"),
                Figure(f"tables with a round every {EVERY} s, two servers", two * EVERY, "tables"),
            ),
            note,
        )
    ]


def _open(books: str) -> list[Seat]:
    seats = []
    with open_ledger(books) as ledger:
        floor = Floor(ledger)
        tokens = Tokens(floor.secret())
        for number in range(1, TABLES + 1):
            table, player = f"{SLUG}-{number}", f"player-{number}"
            floor.open_felt(f"open {table}", "Olga", table, layout(SLUG), TERMS)
            floor.admit_player(f"admit {player}", "Olga", player, Money.PLAY)
            floor.pay_in(f"pay {player}", "Olga", player, RICH, "bench", second="Carl")
            floor.take_seat(f"sit {player}", player, table, 1, RICH)
            seats.append(Seat(table, 1, tokens.of(player)))
    return seats


def _rate(books: str, many: int, folder: Path) -> float:
    """Rounds a second on so many servers, each with its part of the tables."""
    seats = _open(books)
    with ExitStack() as stack:
        at = [stack.enter_context(serving(books, folder / f"server-{one}.log"))[0] for one in range(many)]
        return asyncio.run(_play(at, seats))


async def _play(at: Sequence[tuple[str, int]], seats: Sequence[Seat]) -> float:
    since = time.perf_counter() + WARMING_UP
    players = [_player(at[number % len(at)], seat, since) for number, seat in enumerate(seats)]
    return sum(await asyncio.gather(*players)) / SECONDS


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
