"""Two servers on the same books: what one stores the other shows at once, and each table is run by one of them."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import httpx
import psycopg
import pytest

from cardroom.ledger import Lease, LeaseLost, LedgerLocked, open_ledger
from cardroom.service import CardRoom, PlayTerms, TableResult, verify_card_room
from cardroom.web.services.app_context import ServerOptions
from cardroom.web.services.bots import BOT_NAMES, seat_bot
from cardroom.web.services.practice_tables import open_demo
from tests.deadline import LIMIT, Deadline, wait_until
from tests.service.table_scenes import ANTE, events_of
from tests.web.rooms import QUICK, ServedRoom, new_id, serve_room
from tests.web.servers.witness import watch_servers

SHOWN_ONLY = replace(QUICK, poll_seconds=120.0)
"""Servers that never ask by themselves what others have done."""


@contextmanager
def two(folder: Path, database: str, rules: ServerOptions = QUICK) -> Iterator[tuple[ServedRoom, ServedRoom]]:
    with serve_room(folder, rules, database=database) as first, serve_room(folder, rules, database=database) as other:
        yield first, other


@pytest.fixture(params=["sqlite", "postgresql"])
def either(request: pytest.FixtureRequest, folder: Path) -> str:
    """The books of an empty room, in a file and on a server."""
    if request.param == "sqlite":
        return f"sqlite:///{folder}/room.db"
    return str(request.getfixturevalue("books"))


def healthy(server: ServedRoom) -> dict[str, Any]:
    result: dict[str, Any] = httpx.get(f"{server.url}/healthz").json()
    return result


def running(*servers: ServedRoom) -> list[list[str]]:
    """Which tables each of them runs."""
    return [sorted(server.context.lease_manager.tables()) for server in servers]


def look_for_leases(*servers: ServedRoom) -> None:
    """Each has seen every table as it is now, and asked for leases twice since: once it may have been at it already."""
    for server in servers:
        for table in server.card_room.list_tables():
            server.wait_for_server(table)
    looks = [server.context.lease_manager.renewal_count + 2 for server in servers]
    wait_until(
        lambda: all(
            server.context.lease_manager.renewal_count >= times for server, times in zip(servers, looks, strict=True)
        )
    )


def test_what_one_server_stores_the_other_shows_without_having_asked(folder: Path, books: str) -> None:
    with two(folder, books, SHOWN_ONLY) as (first, other):
        table = first.open_table("prime-1")
        ann = first.players.admit_guest()
        wait_until(lambda: table in {look.state.table for look in other.context.change_feed.tables()})
        bob = other.players.admit_guest()
        with bob.stream(table) as stream:
            stream.next_view()
            version = ann.sit(table)["version"]
            assert stream.wait_for(version)["version"] == version
            version = ann.wager(table, ante_play=10_00)["version"]
            assert stream.wait_for(version)["round"] is not None


def test_a_server_whose_line_to_the_database_broke_hears_what_it_has_missed(folder: Path, books: str) -> None:
    with two(folder, books, SHOWN_ONLY) as (first, other):
        table = first.open_table("prime-1")
        ann, bob = first.players.admit_guest(), other.players.admit_guest()
        with bob.stream(table) as stream, psycopg.connect(books, autocommit=True) as operator:
            stream.next_view()
            wait_until(lambda: other.context.change_feed.is_notified)
            listening = "SELECT pid FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
            operator.execute(f"SELECT pg_terminate_backend(pid) FROM ({listening}) AS those")
            version = ann.sit(table)["version"]
            assert stream.wait_for(version)["version"] == version
            wait_until(lambda: other.context.change_feed.is_notified)


def test_a_table_is_run_by_one_server_and_its_clock_runs_there(folder: Path, either: str) -> None:
    with two(folder, either) as (first, other):
        table = first.open_table("prime-1", terms=PlayTerms(betting=1, deciding=1))
        look_for_leases(first, other)
        assert running(first, other) == [[], []], "nothing is to be run where nobody sits"
        ann, bob = first.players.admit_guest(), other.players.admit_guest()
        ann.sit(table)
        bob.sit(table)
        wait_until(lambda: sorted(running(first, other)) == [[], [table]])
        ann.wager(table, ante_play=10_00)
        wait_until(lambda: other.card_room.table(table).number == 2)
        report = verify_card_room(first.card_room.ledger)
        assert report.is_consistent, report.discrepancy


def test_tables_are_shared_and_go_to_the_other_server_when_one_stops(folder: Path, either: str) -> None:
    with serve_room(folder, database=either) as first:
        tables = [first.open_table(f"prime-{number}", terms=PlayTerms(betting=1, deciding=1)) for number in range(4)]
        for table in tables:
            seat_bot(first.card_room, new_id(), table, 2, BOT_NAMES[0])
        wait_until(lambda: running(first) == [tables])
        with serve_room(folder, database=either) as other:
            wait_until(lambda: sorted(map(len, running(first, other))) == [2, 2])
            wait_until(lambda: sorted(running(first)[0] + running(other)[0]) == tables)
            wait_until(lambda: [healthy(server)["tables"] for server in (first, other)] == [2, 2])
            health = [healthy(server) for server in (first, other)]
            assert health[0]["server"] != health[1]["server"]
            players = [other.players.admit_guest() for _ in tables]
            for table, player in zip(tables, players, strict=True):
                player.sit(table)
        wait_until(lambda: running(first) == [tables])
        for table, player in zip(tables, players, strict=True):
            first.card_room.place_wagers(new_id(), player.name, table, ANTE)
        wait_until(lambda: all(first.card_room.table(table).number > 1 for table in tables))
        assert {
            result["by"]
            for table in tables
            for kind, result in events_of(first.card_room, f"table:{table}")
            if kind == "decision-made"
        } >= {"clock"}


def test_a_server_that_is_thought_gone_runs_nothing_any_more_whatever_it_believes(
    folder: Path, books: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first server cannot say that it is there, but works on: the second takes its table over, and from then on
    whatever the first wants to do there by itself is refused."""
    with two(folder, books) as (first, other):
        table = first.open_table("prime-1", terms=PlayTerms(betting=1, deciding=1))
        ann, bob = first.players.admit_guest(), first.players.admit_guest()
        ann.sit(table)
        bob.sit(table)
        wait_until(lambda: sorted(map(len, running(first, other))) == [0, 1])
        owner, successor = (first, other) if running(first) == [[table]] else (other, first)
        stale = owner.context.lease_manager.lease(table)
        assert stale is not None
        refused = Counter[str]()
        decide, tried = successor.card_room.apply_timeout, threading.Event()

        def decide_later(table: str, *, lease: Lease | None = None) -> TableResult | None:
            assert tried.wait(LIMIT), "the first server was never refused"
            return decide(table, lease=lease)

        monkeypatch.setattr(successor.card_room, "apply_timeout", decide_later)
        monkeypatch.setattr(owner.context.lease_manager._lease_book, "_renew", _locked_out)
        wait_until(lambda: owner.context.lease_manager.fault is not None)
        with watch_servers(books) as seen, psycopg.connect(books) as operator:
            operator.execute("UPDATE servers SET until = 1 WHERE name = %s", (owner.context.lease_manager.name,))
            operator.commit()
            operator.execute("SELECT FROM servers WHERE name = %s FOR UPDATE", (owner.context.lease_manager.name,))
            wait_until(lambda: running(successor) == [[table]])
            assert owner.context.lease_manager.lease(table) == stale, "it has not heard of it"
            deadline = Deadline()
            for number in (1, 2):
                ann.wager(table, ante_play=10_00)
                while first.card_room.table(table).number == number:
                    deadline.check(f"round {number + 1}")
                    # As often as it can: the clock of the first server runs out at the same instant.
                    try:
                        owner.card_room.apply_timeout(table, lease=stale)
                    except LeaseLost as fault:
                        refused[type(fault).__name__] += 1
                        tried.set()
            operator.rollback()
        assert refused["LeaseLost"] > 0
        assert seen.without_lease == seen.out_of_order == []
        assert seen.play_commands[f"cardroom {successor.context.lease_manager.name}"] >= 4
        report = verify_card_room(first.card_room.ledger)
        assert report.is_consistent, report.discrepancy


def _locked_out(_: object) -> NoReturn:
    raise LedgerLocked("Another program has kept the database locked.")


def test_the_demonstration_that_two_servers_open_at_once_is_opened_once(either: str) -> None:
    start, faults = threading.Barrier(2), list[BaseException]()

    def opening() -> None:
        try:
            with open_ledger(either) as ledger:
                card_room = CardRoom(ledger)
                start.wait(LIMIT)
                open_demo(card_room)
        except BaseException as fault:
            faults.append(fault)

    open_ledger(either).close()
    threads = [threading.Thread(target=opening) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults
    with open_ledger(either) as ledger:
        card_room = CardRoom(ledger)
        assert len(card_room.list_tables()) == len(card_room.list_jackpots()) == 5
        assert {len(card_room.table(table).seats) for table in card_room.list_tables()} == {2}
        assert verify_card_room(ledger).is_consistent
