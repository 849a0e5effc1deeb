"""When the books cannot be reached everybody is shown so, nothing is half done, and what is sent again is done once."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import current_thread
from typing import Any

import httpx
import pytest

from cardroom.ledger import ConnectionLost, LedgerFull, LedgerLocked
from cardroom.ledger.sqlite import SqliteStore
from cardroom.service import PlayTerms
from tests.deadline import wait_until
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, ServedRoom, expect_success, new_id, serve_room


@contextmanager
def make_unreachable(fault: Exception, *methods: str, threads: str = "") -> Iterator[Counter[str]]:
    """The database fails: ``begin`` for commands that write, ``read`` for everything that reads; only in threads whose
    names begin like this. Gives how often each method was called."""
    tried = Counter[str]()

    def shut(name: str) -> Callable[..., Any]:
        method = getattr(SqliteStore, name)

        def refuse(*arguments: Any) -> Any:
            if not current_thread().name.startswith(threads):
                return method(*arguments)
            tried[name] += 1
            raise fault

        return refuse

    with pytest.MonkeyPatch.context() as patch:
        for name in methods:
            patch.setattr(SqliteStore, name, shut(name))
        yield tried


@pytest.mark.parametrize("fault", [LedgerLocked("The books are locked."), LedgerFull("The disk is full.")])
def test_a_command_is_refused_for_now_and_done_once_when_sent_again(room: ServedRoom, fault: Exception) -> None:
    table, ann = room.open_table(f"away-{type(fault).__name__}"), room.admit_guest()
    said = {"id": new_id(), "buy_in_cents": 100_00}
    with make_unreachable(fault, "begin"):
        refused = ann.post(f"/tables/{table}/seat", **said)
        assert (refused.status_code, refused.json()) == (503, {"error": str(fault)})
        assert refused.headers["retry-after"] == "1"
        assert ann.view(table)["seat"] is None
    first, again = (expect_success(ann.post(f"/tables/{table}/seat", **said)) for _ in range(2))
    assert first == again
    assert expect_success(ann.get("/players/me"))["balance_cents"] == 900_00


def test_looks_are_refused_for_now_and_health_is_bad(room: ServedRoom) -> None:
    table, ann = room.open_table("dark"), room.admit_guest()
    with make_unreachable(ConnectionLost("The books are away."), "begin", "read"):
        for path in (f"/tables/{table}", "/tables", "/players/me", f"/rounds/{table}.1", f"/tables/{table}/stream"):
            assert (ann.get(path).status_code, ann.get(path).json()) == (503, {"error": "The books are away."})
        # A check that began before shares its answer.
        wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 503)
        health = httpx.get(f"{room.url}/healthz")
        assert (health.status_code, health.json()) == (503, {"error": "The database is unreachable."})
    wait_until(lambda: httpx.get(f"{room.url}/healthz").status_code == 200)


def test_a_stream_goes_on_when_the_books_are_back(room: ServedRoom) -> None:
    table, ann = room.open_table("back-again"), room.admit_guest()
    with ann.stream(table) as stream:
        stream.next_view()
        with make_unreachable(ConnectionLost("The books are away."), "read", threads="query") as tried:
            version = ann.sit(table)["version"]  # written, but no view can be read
            wait_until(lambda: tried["read"] > 1)
        assert stream.wait_for(version)["version"] == version


def test_the_clock_decides_when_the_books_are_back(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    clock = HandClock()
    with serve_room(folder, QUICK, clock) as room:
        table, ann = room.open_table("clock-away", terms=PlayTerms(betting=20, deciding=20)), room.admit_guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        with make_unreachable(LedgerLocked("The books are locked."), "begin"):
            clock.wait(21)
            wait_until(lambda: "a timeout cannot be applied" in caplog.messages)
            assert ann.view(table)["state"] == "playing"
        wait_until(lambda: ann.view(table)["state"] == "betting")
