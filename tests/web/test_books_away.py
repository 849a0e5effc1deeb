"""When the books cannot be reached everybody is told so, nothing is half done, and what is sent again is done once."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

import httpx
import pytest

from cardroom.floor import FeltTerms
from cardroom.ledger import ConnectionLost, LedgerFull, LedgerLocked
from cardroom.ledger.sqlite import SqliteStore
from tests.web.rooms import Served, an_id, done, eventually


@contextmanager
def away(fault: Exception, *doors: str) -> Iterator[None]:
    """The database does not open its doors: ``begin`` for those who write, ``reading`` for those who read."""

    def shut(*_: Any) -> NoReturn:
        raise fault

    with pytest.MonkeyPatch.context() as patch:
        for door in doors:
            patch.setattr(SqliteStore, door, shut)
        yield


@pytest.mark.parametrize("fault", [LedgerLocked("The books are locked."), LedgerFull("The disk is full.")])
def test_a_command_is_refused_for_now_and_done_once_when_sent_again(room: Served, fault: Exception) -> None:
    table, ann = room.open_table(f"away-{type(fault).__name__}"), room.guest()
    said = {"id": an_id(), "buy_in_cents": 100_00}
    with away(fault, "begin"):
        refused = ann.post(f"/tables/{table}/seat", **said)
        assert (refused.status_code, refused.json()) == (503, {"error": str(fault)})
        assert refused.headers["retry-after"] == "1"
        assert ann.look(table)["seat"] is None
    first, again = (done(ann.post(f"/tables/{table}/seat", **said)) for _ in range(2))
    assert first == again
    assert done(ann.get("/players/me"))["balance_cents"] == 900_00


def test_looks_are_refused_for_now_and_health_is_bad(room: Served) -> None:
    table, ann = room.open_table("dark"), room.guest()
    with away(ConnectionLost("The books are away."), "begin", "reading"):
        for path in (f"/tables/{table}", "/tables", "/players/me", f"/rounds/{table}.1", f"/tables/{table}/stream"):
            assert (ann.get(path).status_code, ann.get(path).json()) == (503, {"error": "The books are away."})
        health = httpx.get(f"{room.url}/healthz")
        assert (health.status_code, health.json()) == (503, {"error": "The books of this room are not to be reached."})
    assert httpx.get(f"{room.url}/healthz").status_code == 200


def test_a_stream_goes_on_when_the_books_are_back(room: Served) -> None:
    table, ann = room.open_table("back-again"), room.guest()
    with ann.stream(table) as stream:
        stream.view()
        with away(ConnectionLost("The books are away."), "reading"):
            version = ann.sit(table)["version"]  # written, but nobody can read it
            time.sleep(0.7)
        assert stream.until(version)["version"] == version


def test_the_clock_decides_when_the_books_are_back(room: Served) -> None:
    table, ann = room.open_table("clock-away", terms=FeltTerms(betting=1, deciding=1)), room.guest()
    ann.sit(table)
    ann.wager(table, ante_play=10_00)
    with away(LedgerLocked("The books are locked."), "begin"):
        time.sleep(1.8)
        assert ann.look(table)["state"] == "playing"
    eventually(lambda: ann.look(table)["state"] == "betting")
