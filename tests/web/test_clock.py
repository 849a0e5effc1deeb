"""The clock decides for those who do not: on time, once, after a restart, and whatever the wall's clock does."""

from __future__ import annotations

import threading
import time
from pathlib import Path

from cardroom.floor import FeltTerms, Floor
from cardroom.ledger import open_ledger
from cardroom.web.room.house import HouseRules
from cardroom.web.room.practice import usual_setup
from tests.web.rooms import QUICK, Served, an_id, done, eventually, served

TWO_SECONDS = FeltTerms(betting=2, deciding=2)
A_MINUTE = FeltTerms(betting=60, deciding=60)
SECOND = 1_000_000


class WallClock:
    """A clock that runs with time, and can be set."""

    def __init__(self) -> None:
        self._ahead = 0
        self._lock = threading.Lock()

    def __call__(self) -> int:
        with self._lock:
            return time.time_ns() // 1000 + self._ahead

    def set_ahead(self, seconds: float) -> None:
        with self._lock:
            self._ahead += int(seconds * SECOND)


def test_the_round_begins_and_the_safe_answer_is_given_when_time_is_up(room: Served) -> None:
    table = room.open_table("on-time", terms=TWO_SECONDS)
    ann, bob = room.guest(), room.guest()
    ann.sit(table)
    bob.sit(table)
    with ann.stream(table) as stream:
        laid = ann.wager(table, ante_play=10_00)
        began = time.monotonic()
        seen = stream.until(laid["version"])
        assert 0 < seen["deadline"] - time.time_ns() // 1000 <= 2 * SECOND
        playing = stream.until(laid["version"] + 1)
        assert playing["state"] == "playing"  # without bob, who laid nothing
        assert time.monotonic() - began > 1.8
        ended = stream.until(playing["version"] + 1)
        assert (ended["state"], ended["last_round"]) == ("betting", f"{table}.1")
        assert time.monotonic() - began > 3.6
    told = done(ann.get(f"/rounds/{table}.1"))
    assert [one["answer"] for one in told["record"]["decisions"]] == ["fold"]
    assert told["answered_by"] == [{"seat": 1, "question": "play", "by": "clock"}]


def test_an_answer_after_the_clock_is_too_late(folder: Path) -> None:
    clock = WallClock()
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("late", terms=A_MINUTE), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.set_ahead(61)
        answer = ann.post(f"/tables/{table}/decisions", id=an_id(), answer="play")
        assert answer.status_code == 409, answer.text
        eventually(lambda: ann.look(table)["last_round"] == f"{table}.1")
        decided = done(ann.get(f"/rounds/{table}.1"))["record"]["decisions"]
        assert [one["answer"] for one in decided] == ["fold"]


def test_a_clock_that_is_set_forward_is_noticed(folder: Path) -> None:
    clock = WallClock()
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("forward", terms=A_MINUTE), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        time.sleep(0.3)  # the timekeeper sleeps by now
        clock.set_ahead(3_600)
        began = time.monotonic()
        eventually(lambda: ann.look(table)["state"] == "betting")
        assert time.monotonic() - began < A_MINUTE.betting / 2


def test_a_clock_that_is_set_back_gives_more_time_and_no_more(folder: Path) -> None:
    clock = WallClock()
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("back", terms=TWO_SECONDS), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.set_ahead(-1.5)  # less than what the books hold
        began = time.monotonic()
        eventually(lambda: ann.look(table)["state"] == "betting")
        assert time.monotonic() - began > 2.5


def test_what_ran_out_while_nobody_was_there_is_decided_at_once(folder: Path) -> None:
    clock = WallClock()
    with open_ledger(f"sqlite:///{folder}/room.db", clock) as ledger:
        floor = Floor(ledger, clock)
        for table in ("first", "second"):
            floor.open_felt(an_id(), "Olga", table, usual_setup("three-card-prime"), A_MINUTE)
            player = floor.admit_guest(an_id()).player
            floor.take_seat(an_id(), player, table)
            floor.lay_wagers(an_id(), player, table, {"ante-play": 10_00})
    clock.set_ahead(61)
    with served(folder, QUICK, clock) as room:
        began = time.monotonic()
        eventually(lambda: {room.floor.felt(table).phase for table in ("first", "second")} == {"betting"})
        assert time.monotonic() - began < A_MINUTE.betting / 2


def test_a_restart_gives_nobody_more_time_than_was_announced(folder: Path) -> None:
    clock = WallClock()
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("restart", terms=A_MINUTE), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        announced = ann.look(table)["deadline"]
        cards = ann.look(table)["round"]["view"]["cards"]
        headers = dict(ann.client.headers)
    clock.set_ahead(30)
    with served(folder, QUICK, clock) as room:
        bob = room.guest()
        bob.client.headers.update(headers)  # the token is as good as before
        seen = bob.look(table)
        assert seen["deadline"] == announced
        assert seen["round"]["view"]["cards"] == cards
        clock.set_ahead(31)
        eventually(lambda: bob.look(table)["state"] == "betting")


def test_a_table_without_a_clock_waits(folder: Path) -> None:
    clock = WallClock()
    with served(folder, HouseRules(guests=True, coach=False), clock) as room:
        ann = room.guest()
        table = done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"]
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.set_ahead(1_000_000)
        time.sleep(1.5)
        assert ann.look(table)["state"] == "playing"
