"""`cardroom serve`: one line when it is ready, a log for programs, and an end at which no user loses a decision."""

from __future__ import annotations

import json
import re
import signal
import socket
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import httpx
import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, verify_card_room
from cardroom.web.server import UNACKNOWLEDGED_MS, listen
from tests.deadline import LIMIT, wait_until
from tests.ports import reserved_port
from tests.service.staff import with_first_operator
from tests.web.processes import ServerProcess, expect_start_refused, start_server

GAMES = ("deuces-wild", "dueling-for-dollars", "texas-shootout", "three-card-double-play", "three-card-prime")


def test_the_demonstration_is_played_at_and_leaves_whole_books(folder: Path) -> None:
    with start_server(folder, "--demo") as server:
        assert re.fullmatch(r"Cardroom is open at http://127\.0\.0\.1:[1-9][0-9]+\n", server.line)
        with httpx.Client(base_url=f"{server.url}/api/v1") as ann:
            came = ann.post("/guests", json={"id": "ann"}).json()
            ann.headers["Authorization"] = f"Bearer {came['token']}"
            tables = ann.get("/tables").json()
            assert [listing["table"] for listing in tables] == [f"{game}-1" for game in GAMES]
            assert {listing["money"] for listing in tables} == {"play"}
            for listing in tables:
                assert list(listing["jackpots"].values()) == [5_000_00]
                assert len([name for name in listing["seats"].values() if name]) == 2  # company
            table = "/tables/dueling-for-dollars-1"
            assert ann.post(f"{table}/seat", json={"id": "sit"}).status_code == 200
            laid = ann.post(f"{table}/wagers", json={"id": "lay", "wagers": {"player": 10_00, "tie-after-tie": 1_00}})
            assert laid.status_code == 200
            version = laid.json()["version"]
            wait_until(lambda: ann.get(table).json()["version"] > version, "company")
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(LIMIT) == 0
        assert server.process.stdout is not None
        assert server.process.stdout.read() == "", "one line, and nothing else"
        for line in server.log():
            result = json.loads(line)
            assert {"time", "level", "logger", "event"} <= set(result)
            assert came["token"].split(".")[2] not in line
        calls = [json.loads(line) for line in server.log() if '"request"' in line]
        assert {
            "method": "POST",
            "path": "/api/v1/tables/{table}/wagers",
            "status": 200,
            "player": came["player"],
        }.items() <= next(call for call in calls if call["path"].endswith("wagers")).items()
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        assert verify_card_room(ledger).is_consistent
    with start_server(folder, "--demo", "--log-level", "error") as again, httpx.Client(base_url=again.url) as ann:
        ann.headers["Authorization"] = f"Bearer {came['token']}"
        seats = ann.get("/api/v1/players/me").json()["seats"]
        assert [seat["table"] for seat in seats] == ["dueling-for-dollars-1"]
        assert again.log() == []


def test_without_the_demonstration_no_guests_are_admitted(folder: Path) -> None:
    with_first_operator(f"sqlite:///{folder}/room.db")
    with start_server(folder) as server:
        answer = httpx.post(f"{server.url}/api/v1/guests", json={"id": "ann"})
        assert answer.status_code == 403
        assert answer.json() == {"error": "This server admits no guests. A demo server does."}
        assert httpx.get(f"{server.url}/api/v1/tables").json() == []


@contextmanager
def held_up(folder: Path) -> Iterator[tuple[ServerProcess, sqlite3.Connection, str]]:
    """A server whose database another program has locked, that program, and where the server's figures are."""
    with (
        reserved_port() as port,
        start_server(folder, "--demo", "--metrics", f"127.0.0.1:{port}") as server,
        closing(sqlite3.connect(folder / "room.db", isolation_level=None)) as held,
    ):
        yield server, held, f"http://127.0.0.1:{port}/metrics"


def has_a_command_under_way(figures: str) -> bool:
    return "cardroom_commands_waiting 1.0" in httpx.get(figures).text


def lets_no_user_in(server: ServerProcess) -> bool:
    """Whether it takes no new connections, because it stops."""
    host, _, port = server.url.removeprefix("http://").partition(":")
    with suppress(ConnectionRefusedError), socket.create_connection((host, int(port))):
        return False
    return True


def test_a_decision_under_way_is_answered_before_the_end(folder: Path) -> None:
    """The database is held by another program while the signal comes: the command waits, and so does the server."""
    with held_up(folder) as (server, held, figures):
        with httpx.Client(base_url=f"{server.url}/api/v1") as ann:
            token = ann.post("/guests", json={"id": "ann"}).json()["token"]
            ann.headers["Authorization"] = f"Bearer {token}"
            held.execute("BEGIN IMMEDIATE")
            answers: list[httpx.Response] = []
            table = "/tables/three-card-prime-1"
            sitting = threading.Thread(
                target=lambda: answers.append(ann.post(f"{table}/seat", json={"id": "sit", "seat": 2}))
            )
            sitting.start()
            wait_until(lambda: has_a_command_under_way(figures))
            server.process.send_signal(signal.SIGTERM)
            wait_until(lambda: lets_no_user_in(server))
            assert server.process.poll() is None
            held.execute("ROLLBACK")
            sitting.join(LIMIT)
        assert [response.status_code for response in answers] == [200]
        assert server.process.wait(LIMIT) == 0
    with open_ledger(f"sqlite:///{folder}/room.db") as ledger:
        seated = CardRoom(ledger).table("three-card-prime-1").occupant(2)
        assert seated is not None
        assert seated.chips == answers[0].json()["chips_cents"]


def test_no_user_is_let_in_while_it_stops_and_a_second_signal_ends_at_once(folder: Path) -> None:
    with held_up(folder) as (server, held, figures):
        held.execute("BEGIN IMMEDIATE")

        def come_in() -> None:
            with suppress(httpx.HTTPError):
                httpx.post(f"{server.url}/api/v1/guests", json={"id": "ann"})

        coming = threading.Thread(target=come_in)
        coming.start()
        wait_until(lambda: has_a_command_under_way(figures))
        server.process.send_signal(signal.SIGINT)
        wait_until(lambda: lets_no_user_in(server))
        assert server.process.poll() is None
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(LIMIT) == -signal.SIGTERM, "it did not wait for the command"
        coming.join(LIMIT)


def test_an_address_in_use_is_one_sentence(folder: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        result = expect_start_refused("--port", str(port), "--database", f"sqlite:///{folder}/room.db")
    assert result == (
        f"The address 127.0.0.1:{port} cannot be used (Address already in use). Choose another port with --port, or 0 "
        "for a free one.\n"
    )
    assert not (folder / "room.db").exists()


def test_books_that_are_none_are_one_sentence(folder: Path) -> None:
    (folder / "letter.db").write_text("Dear Sir, " * 1000)
    for database in ("mysql://somewhere", f"sqlite:///{folder}/letter.db"):
        result = expect_start_refused("--port", "0", "--database", database)
        assert result.count("\n") == 1
        assert result.endswith(".\n")
    assert "nowhere.invalid" in expect_start_refused(
        "--host", "nowhere.invalid", "--database", f"sqlite:///{folder}/room.db"
    )


def test_a_machine_that_says_no_good_bye_is_given_up_soon() -> None:
    with listen("127.0.0.1", 0) as bound:
        bound.listen()
        with socket.create_connection(bound.getsockname()) as _:
            accepted, _address = bound.accept()
            with accepted:
                assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == UNACKNOWLEDGED_MS


def test_a_server_without_the_rooms_key_says_so_in_a_sentence_and_does_not_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = f"sqlite:///{tmp_path}/room.db"
    with_first_operator(url)
    with open_ledger(url) as ledger:
        CardRoom(ledger).get_room_secret()
    monkeypatch.delenv("CARDROOM_KEY")
    *logged, said = expect_start_refused("--port", "0", "--database", url).splitlines()
    assert said.startswith("The key of this room (")
    assert all(json.loads(line)["level"] in ("info", "warning") for line in logged)
    assert not (tmp_path / "room.db.key").exists()
