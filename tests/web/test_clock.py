"""The clock decides for those who do not: on time, once, after a restart, and whatever the wall's clock does.

The wall's clock goes on by hand. A timekeeper that slept until a deadline would sleep for longer than any test waits.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms
from cardroom.web.services.app_context import ServerOptions
from cardroom.web.services.practice_tables import default_practice_setup
from tests.deadline import LIMIT, wait_until
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, Served, an_id, done, served

LONG = PlayTerms(betting=900, deciding=900)
SECOND = 1_000_000


@pytest.fixture
def clock() -> HandClock:
    assert LONG.betting > 2 * LIMIT
    return HandClock()


def look_at_the_clock(room: Served) -> None:
    """The timekeeper has looked at the clock as it is now, twice: once it may have been at it already."""
    looks = room.house.timekeeper.check_count
    wait_until(lambda: room.house.timekeeper.check_count >= looks + 2, "a look of the timekeeper")


def test_the_round_begins_and_the_safe_answer_is_given_when_time_is_up(folder: Path, clock: HandClock) -> None:
    with served(folder, QUICK, clock) as room:
        table = room.open_table("on-time", terms=PlayTerms(betting=2, deciding=3))
        ann, bob = room.guest(), room.guest()
        ann.sit(table)
        bob.sit(table)
        laid = ann.wager(table, ante_play=10_00)
        assert ann.look(table)["deadline"] == clock.now + 2 * SECOND
        clock.wait(2)  # on the deadline it has not passed yet
        room.settle(table)
        look_at_the_clock(room)
        assert ann.look(table)["version"] == laid["version"]
        clock.wait(0.000_001)
        wait_until(lambda: ann.look(table)["state"] == "playing")  # without bob, who laid nothing
        playing = ann.look(table)
        assert playing["deadline"] == clock.now + 3 * SECOND
        clock.wait(3)
        room.settle(table)
        look_at_the_clock(room)
        assert ann.look(table)["version"] == playing["version"]
        clock.wait(0.000_001)
        wait_until(lambda: ann.look(table)["last_round"] == f"{table}.1")
        assert ann.look(table)["state"] == "betting"
        result = done(ann.get(f"/rounds/{table}.1"))
    assert [one["answer"] for one in result["record"]["decisions"]] == ["fold"]
    assert result["answered_by"] == [{"seat": 1, "question": "play", "by": "clock"}]


def test_an_answer_after_the_clock_is_too_late(folder: Path, clock: HandClock) -> None:
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("late", terms=LONG), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(901)
        answer = ann.post(f"/tables/{table}/decisions", id=an_id(), answer="play")
        assert answer.status_code == 409, answer.text
        wait_until(lambda: ann.look(table)["last_round"] == f"{table}.1")
        decided = done(ann.get(f"/rounds/{table}.1"))["record"]["decisions"]
        assert [one["answer"] for one in decided] == ["fold"]


def test_a_clock_that_is_set_forward_is_noticed(folder: Path, clock: HandClock) -> None:
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("forward", terms=LONG), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        room.settle(table)
        look_at_the_clock(room)
        clock.wait(3_600)
        wait_until(lambda: ann.look(table)["state"] == "betting")


def test_a_clock_that_is_set_back_gives_more_time_and_no_more(folder: Path, clock: HandClock) -> None:
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("back", terms=PlayTerms(betting=2, deciding=2)), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        deadline = ann.look(table)["deadline"]
        clock.wait(-1.5)  # less than what the books hold
        clock.wait(2.1)
        room.settle(table)
        look_at_the_clock(room)
        assert (ann.look(table)["state"], ann.look(table)["deadline"]) == ("playing", deadline)
        clock.wait(1.5)
        wait_until(lambda: ann.look(table)["state"] == "betting")


def test_what_ran_out_while_no_user_was_there_is_decided_at_once(folder: Path, clock: HandClock) -> None:
    with open_ledger(f"sqlite:///{folder}/room.db", clock) as ledger:
        card_room = CardRoom(ledger, clock)
        for table in ("first", "second"):
            card_room.add_table(an_id(), "Olga", table, default_practice_setup("three-card-prime"), LONG)
            player = card_room.admit_guest(an_id()).player
            card_room.take_seat(an_id(), player, table)
            card_room.place_wagers(an_id(), player, table, {"ante-play": 10_00})
    clock.wait(901)
    with served(folder, QUICK, clock) as room:
        wait_until(lambda: {room.card_room.table(table).phase for table in ("first", "second")} == {"betting"})


def test_a_restart_gives_no_user_more_time_than_was_announced(folder: Path, clock: HandClock) -> None:
    with served(folder, QUICK, clock) as room:
        table, ann = room.open_table("restart", terms=LONG), room.guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        announced = ann.look(table)["deadline"]
        cards = ann.look(table)["round"]["view"]["cards"]
        headers = dict(ann.client.headers)
    clock.wait(450)
    with served(folder, QUICK, clock) as room:
        bob = room.guest()
        bob.client.headers.update(headers)  # the token is as good as before
        seen = bob.look(table)
        assert seen["deadline"] == announced
        assert seen["round"]["view"]["cards"] == cards
        clock.wait(451)
        wait_until(lambda: bob.look(table)["state"] == "betting")


def test_a_table_without_a_clock_waits(folder: Path, clock: HandClock) -> None:
    with served(folder, ServerOptions(guests=True, coach=False), clock) as room:
        ann = room.guest()
        table = done(ann.post("/tables", id=an_id(), game="three-card-prime"))["table"]
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(1_000_000)
        room.settle(table)
        look_at_the_clock(room)
        assert ann.look(table)["state"] == "playing"
