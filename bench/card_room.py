"""The card room: tabulated rounds that are on disk before their acknowledgment, and the replay of the whole ledger."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Final

from tests.ledger.server import fresh_database, postgresql_server

from bench.ledger import HASHED, PLAIN_COMMIT, commits_a_second, hash_events
from bench.measure import Figure, Promise
from bench.result_table import Sheet
from cardroom.games import TableSetup, WagerLimits, WagerSetup, default_setup
from cardroom.ledger import open_ledger
from cardroom.room.setup.jackpot import JackpotSetup, read_jackpot_setup
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor
from cardroom.service import ButtonPress, CardRoom, RoomTableSetup, RoundCountResult, UnitSetup, verify

SUBJECT: Final = "card-room"
CORES: Final = 2

SEATS: Final = 6
TABLES: Final = 16
"""Tables of one server, each with a waiting round."""
SERVERS: Final = 4
SECONDS: Final = 5.0
FEW: Final = 16_000
"""Rounds of the shorter history; each is one event of the table and one of the jackpot."""
TIMES: Final = 4
MOST_GROWTH: Final = 1.5
MOST_HASHING: Final = 6.0


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder:
        note = (
            f"Rounds of {SEATS} seats for one progressive, each on disk before it is acknowledged; a server commits "
            f"the rounds that wait at its {TABLES} tables together. A verification checks hashes and postings and "
            "replays every event through the rules."
        )
        return [Sheet("Card room, two cores", tuple(figures(Path(folder))), note)]


def figures(folder: Path) -> list[Figure]:
    return [*_tabulated(folder), *_verified(folder)]


def _tabulated(folder: Path) -> list[Figure]:
    alone = f"sqlite:///{folder}/alone.db"
    _open_room(alone, TABLES)
    plain = folder / "commits.db"
    before = commits_a_second(plain)
    one = _rate([alone])
    commits = (before + commits_a_second(plain)) / 2
    with postgresql_server() as server, fresh_database(server, "bench") as shared:
        _open_room(shared, SERVERS * TABLES)
        single, many = _rate([shared]), _rate([shared] * SERVERS)
    return [
        Figure("tabulated rounds, SQLite, one process", one, "rounds/s", Promise(PLAIN_COMMIT, one / commits, 0.3)),
        Figure("tabulated rounds, PostgreSQL, one process", single, "rounds/s"),
        Figure(
            f"tabulated rounds, PostgreSQL, {SERVERS} processes on one meter",
            many,
            "rounds/s",
            Promise("one process", many / single, 1.0),
        ),
    ]


def _verified(folder: Path) -> list[Figure]:
    short, long = f"sqlite:///{folder}/short.db", f"sqlite:///{folder}/long.db"
    for url, rounds in ((short, FEW), (long, TIMES * FEW)):
        _open_room(url, TABLES)
        _play(url, 0, rounds)
    # In its own process, as the command runs it: a process with several threads would stay on one core.
    with ProcessPoolExecutor(1, get_context("spawn")) as alone:
        few, seconds, _ = alone.submit(_timed, short).result()
        many, more_seconds, hashing = alone.submit(_timed, long).result()
    growth = (more_seconds / many) / (seconds / few)
    return [
        Figure(
            "verified events, SQLite",
            many / more_seconds,
            "events/s",
            Promise(HASHED, more_seconds / hashing, MOST_HASHING, at_least=False),
        ),
        Figure(
            f"time to verify {TIMES} times the events",
            more_seconds,
            "s",
            Promise("the time per event", growth, MOST_GROWTH, at_least=False),
        ),
    ]


def _timed(url: str) -> tuple[int, float, float]:
    """The number of events of a card room, and the times to verify them and to hash as many: the better of two
    alternating runs."""
    verified, hashed = [], []
    for _ in range(2):
        start = time.perf_counter()
        report = verify(url)
        verified.append(time.perf_counter() - start)
        assert report.is_consistent, report.discrepancy
        start = time.perf_counter()
        hash_events(report.events)
        hashed.append(time.perf_counter() - start)
    return report.events, min(verified), min(hashed)


def _rate(urls: Sequence[str]) -> float:
    """Rounds per second of these servers together, each in its own process."""
    with ProcessPoolExecutor(len(urls), get_context("spawn")) as servers:
        list(servers.map(_play, urls, range(len(urls)), [TABLES] * len(urls)))  # loads and warms up everything
        start = time.perf_counter()
        played = sum(servers.map(_play_on, urls, range(len(urls))))
        return played / (time.perf_counter() - start)


def _play_on(url: str, server: int) -> int:
    """Play at the tables of one server for some seconds. Returns the number of acknowledged rounds."""
    with open_ledger(url) as ledger:
        card_room, played, end = CardRoom(ledger), 0, time.perf_counter() + SECONDS
        while time.perf_counter() < end:
            played += _press_all(card_room, server, f"on-{played}")
        return played


def _play(url: str, server: int, rounds: int) -> None:
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        for played in range(0, rounds, TABLES):
            _press_all(card_room, server, f"first-{played}")


def _press_all(card_room: CardRoom, server: int, name: str) -> int:
    """Press the dealers' buttons at all tables of a server."""
    tables = range(server * TABLES, (server + 1) * TABLES)
    presses = [ButtonPress(f"{name}-{number}", "Kim", f"prime-{number}", {1: range(1, SEATS + 1)}) for number in tables]
    results = card_room.tabulate_all(presses)
    assert all(isinstance(result, RoundCountResult) for result in results), results
    return len(results)


def _open_room(url: str, tables: int) -> None:
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        card_room.jackpots.open("jackpot", "Olga", _jackpot())
        for number in range(tables):
            unit = UnitSetup(_sensors(number), f"unit-{number}")
            card_room.add_table(f"table-{number}", "Olga", RoomTableSetup(unit.sensors.table, _table(), tabulator=unit))


def _jackpot() -> JackpotSetup:
    return read_jackpot_setup("""
        id = "final-four"
        name = "Final Four Progressive"
        kind = "progressive"
        location = "Lakewood"
        wager = "$1"
        [[offers]]
        game = "three-card-prime"
        wager = "final-four"
        paytable = "F4P-1"
        [[levels]]
        name = "main"
        pays = ["four-card-diamond-royal", "four-card-royal"]
        contribution = "1/7"
        reserve = "5%"
        seed = "$5,000"
    """)


def _table() -> TableSetup:
    setup = default_setup("three-card-prime", seats=SEATS)
    wagers = dict(setup.wagers) | {"final-four": WagerSetup(WagerLimits(100, 100, 100), "F4P-1")}
    return TableSetup(setup.game, wagers, seats=SEATS)


def _sensors(number: int) -> TabulatorSetup:
    sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    return TabulatorSetup(f"prime-{number}", "three-card-prime", "Lakewood", "milky-way", SEATS, (sensor,))
