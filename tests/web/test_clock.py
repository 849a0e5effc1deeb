"""The clock decides for those who do not: on time, once, after a restart, and whatever the wall's clock does.

The wall's clock goes on by hand. A timekeeper that slept until a deadline would sleep for longer than any test waits.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.service import CardRoom, PlayTerms, RoomTableSetup
from cardroom.web.services.app_context import ServerOptions
from cardroom.web.services.practice_tables import default_practice_setup
from tests.deadline import LIMIT, wait_until
from tests.service.table_scenes import HandClock
from tests.web.rooms import QUICK, ServedRoom, expect_success, new_id, serve_room

LONG = PlayTerms(betting=900, deciding=900)
SECOND = 1_000_000


@pytest.fixture
def clock() -> HandClock:
    assert LONG.betting > 2 * LIMIT
    return HandClock()


def look_at_the_clock(room: ServedRoom) -> None:
    """The timekeeper has looked at the clock as it is now, twice: once it may have been at it already."""
    looks = room.context.timekeeper.check_count
    wait_until(lambda: room.context.timekeeper.check_count >= looks + 2, "a look of the timekeeper")


def test_the_round_begins_and_the_safe_answer_is_given_when_time_is_up(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, QUICK, clock) as room:
        table = room.open_table("on-time", terms=PlayTerms(betting=2, deciding=3))
        ann, bob = room.admit_guest(), room.admit_guest()
        ann.sit(table)
        bob.sit(table)
        laid = ann.wager(table, ante_play=10_00)
        assert ann.view(table)["deadline"] == clock.now + 2 * SECOND
        clock.wait(2)  # on the deadline it has not passed yet
        room.wait_for_server(table)
        look_at_the_clock(room)
        assert ann.view(table)["version"] == laid["version"]
        clock.wait(0.000_001)
        wait_until(lambda: ann.view(table)["state"] == "playing")  # without bob, who laid nothing
        playing = ann.view(table)
        assert playing["deadline"] == clock.now + 3 * SECOND
        clock.wait(3)
        room.wait_for_server(table)
        look_at_the_clock(room)
        assert ann.view(table)["version"] == playing["version"]
        clock.wait(0.000_001)
        wait_until(lambda: ann.view(table)["last_round"] == f"{table}.1")
        assert ann.view(table)["state"] == "betting"
        result = expect_success(ann.get(f"/rounds/{table}.1"))
    assert [decision["answer"] for decision in result["record"]["decisions"]] == ["fold"]
    assert result["answered_by"] == [{"seat": 1, "question": "play", "by": "clock"}]


def test_an_answer_after_the_clock_is_too_late(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, QUICK, clock) as room:
        table, ann = room.open_table("late", terms=LONG), room.admit_guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(901)
        answer = ann.post(f"/tables/{table}/decisions", id=new_id(), answer="play")
        assert answer.status_code == 409, answer.text
        wait_until(lambda: ann.view(table)["last_round"] == f"{table}.1")
        decided = expect_success(ann.get(f"/rounds/{table}.1"))["record"]["decisions"]
        assert [decision["answer"] for decision in decided] == ["fold"]


def test_a_clock_that_is_set_forward_is_noticed(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, QUICK, clock) as room:
        table, ann = room.open_table("forward", terms=LONG), room.admit_guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        room.wait_for_server(table)
        look_at_the_clock(room)
        clock.wait(3_600)
        wait_until(lambda: ann.view(table)["state"] == "betting")


def test_a_clock_that_is_set_back_gives_more_time_and_no_more(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, QUICK, clock) as room:
        table, ann = room.open_table("back", terms=PlayTerms(betting=2, deciding=2)), room.admit_guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        deadline = ann.view(table)["deadline"]
        clock.wait(-1.5)  # less than what the books hold
        clock.wait(2.1)
        room.wait_for_server(table)
        look_at_the_clock(room)
        assert (ann.view(table)["state"], ann.view(table)["deadline"]) == ("playing", deadline)
        clock.wait(1.5)
        wait_until(lambda: ann.view(table)["state"] == "betting")


def test_what_ran_out_while_no_user_was_there_is_decided_at_once(folder: Path, clock: HandClock) -> None:
    with open_ledger(f"sqlite:///{folder}/room.db", clock) as ledger:
        card_room = CardRoom(ledger, clock)
        for table in ("first", "second"):
            card_room.add_table(
                new_id(), "Olga", RoomTableSetup(table, default_practice_setup("three-card-prime"), LONG)
            )
            player = card_room.players.admit_guest(new_id()).player
            card_room.take_seat(new_id(), player, table)
            card_room.place_wagers(new_id(), player, table, {"ante-play": 10_00})
    clock.wait(901)
    with serve_room(folder, QUICK, clock) as room:
        wait_until(lambda: {room.card_room.table(table).phase for table in ("first", "second")} == {"betting"})


def test_a_restart_gives_no_user_more_time_than_was_announced(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, QUICK, clock) as room:
        table, ann = room.open_table("restart", terms=LONG), room.admit_guest()
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        announced = ann.view(table)["deadline"]
        cards = ann.view(table)["round"]["view"]["cards"]
        headers = dict(ann.client.headers)
    clock.wait(450)
    with serve_room(folder, QUICK, clock) as room:
        bob = room.admit_guest()
        bob.client.headers.update(headers)  # the token is as good as before
        seen = bob.view(table)
        assert seen["deadline"] == announced
        assert seen["round"]["view"]["cards"] == cards
        clock.wait(451)
        wait_until(lambda: bob.view(table)["state"] == "betting")


def test_a_table_without_a_clock_waits(folder: Path, clock: HandClock) -> None:
    with serve_room(folder, ServerOptions(guests=True), clock) as room:
        ann = room.admit_guest()
        table = expect_success(ann.post("/tables", id=new_id(), game="three-card-prime"))["table"]
        ann.sit(table)
        ann.wager(table, ante_play=10_00)
        clock.wait(1_000_000)
        room.wait_for_server(table)
        look_at_the_clock(room)
        assert ann.view(table)["state"] == "playing"
