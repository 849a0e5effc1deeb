"""Calls that arrive when time is up, and clocks that jump: each response says whether the call counts, and only one
decision counts."""

from __future__ import annotations

import random
from collections import Counter

from cardroom.service import PlayTerms
from tests.deadline import wait_until
from tests.service.table_scenes import HandClock
from tests.web.races.command_order import Call
from tests.web.races.served import TIMES, RaceRoom


def test_at_the_end_of_its_time_a_decision_counts_or_is_refused_and_the_default_action_counts(
    room: RaceRoom,
) -> None:
    """How many arrive in time depends on the machine; other tests below check what counts on the deadline and after
    it."""
    outcomes = Counter[str]()
    generator = random.Random(1)
    tables = [room.open_table(1, PlayTerms(betting=0, deciding=1)) for _ in range(2 * TIMES)]
    for table, (ann,) in tables:
        assert room.connections.send(room.wager(ann, table)).succeeded
    calls = [
        (room.get_table(table).deadline + generator.randrange(-200_000, 100_000), room.decide(ann, table, "play"))
        for table, (ann,) in tables
    ]
    for (table, (ann,)), response in zip(tables, room.connections.send_at(calls), strict=True):
        wait_until(lambda table=table: not room.get_table(table).playing)
        assert room.list_decisions(table) == [(1, "play", ann) if response.succeeded else (1, "fold", "clock")]
        if not response.succeeded:
            assert response.status == 409
        outcomes[
            response.body["state"] if response.succeeded else response.sentence.split(".")[0].split(" at ")[0]
        ] += 1
    assert outcomes.keys() <= {
        "betting",
        "Your time for this decision is over",
        "No round is in progress",
        "No round is played",
    }


def test_at_the_end_of_its_time_a_wager_is_in_the_round_or_is_refused(room: RaceRoom) -> None:
    generator = random.Random(2)
    tables = [room.open_table(2, PlayTerms(betting=1, deciding=0)) for _ in range(2 * TIMES)]
    for table, (ann, _) in tables:
        assert room.connections.send(room.wager(ann, table)).succeeded
    calls = [
        (room.get_table(table).deadline + generator.randrange(-200_000, 100_000), room.wager(bob, table))
        for table, (_, bob) in tables
    ]
    for (table, _), response in zip(tables, room.connections.send_at(calls), strict=True):
        wait_until(lambda table=table: room.get_table(table).playing)
        (started,) = room.payloads_of(table, "round-started")
        assert [wager["seat"] for wager in started["wagers"]] == ([1, 2] if response.succeeded else [1])
        if not response.succeeded:
            assert response.status == 409
            assert response.sentence in (
                f"Betting on round {table}.1 is over. Bet on the next round.",
                f"Round {table}.1 is in progress. Bet when it ends.",
            )


def test_on_its_deadline_a_decision_counts_and_a_microsecond_later_it_does_not(
    timed_room: RaceRoom, clock: HandClock
) -> None:
    table, (ann, bob) = timed_room.open_playing_table(2, PlayTerms(betting=20, deciding=20))
    clock.now = timed_room.get_table(table).deadline
    assert timed_room.connections.send(timed_room.decide(ann, table, "play")).status == 200
    clock.now = timed_room.get_table(table).deadline + 1
    late = timed_room.connections.send(timed_room.decide(bob, table, "play"))
    assert late.status == 409
    wait_until(lambda: not timed_room.get_table(table).playing)
    assert timed_room.list_decisions(table) == [(1, "play", ann), (2, "fold", "clock")]


def test_on_its_deadline_a_wager_counts_and_a_microsecond_later_it_does_not(
    timed_room: RaceRoom, clock: HandClock
) -> None:
    for late in (0, 1):
        table, (ann, bob) = timed_room.open_table(2, PlayTerms(betting=20, deciding=20))
        assert timed_room.connections.send(timed_room.wager(ann, table)).succeeded
        clock.now = timed_room.get_table(table).deadline + late
        assert timed_room.connections.send(timed_room.wager(bob, table)).status == (409 if late else 200)
        wait_until(lambda table=table: timed_room.get_table(table).playing)
        (started,) = timed_room.payloads_of(table, "round-started")
        assert [wager["seat"] for wager in started["wagers"]] == ([1] if late else [1, 2])


def test_a_clock_that_jumps_ahead_ends_only_the_current_turn(timed_room: RaceRoom, clock: HandClock) -> None:
    tables = [timed_room.open_playing_table(2, PlayTerms(betting=20, deciding=20)) for _ in range(5)]
    clock.wait(3_600)
    responses = timed_room.send_together(*(timed_room.decide(ann, table, "play") for table, (ann, _) in tables))
    assert [response.status for response in responses] == [409] * 5
    for table, _ in tables:
        # The clock decides for seat 1, and seat 2 has its full time from then on.
        wait_until(lambda table=table: timed_room.get_table(table).deciding_seat == 2)
        assert timed_room.list_decisions(table) == [(1, "fold", "clock")]
        assert timed_room.get_table(table).deadline == clock.now + 20_000_000


def test_a_clock_that_jumps_back_stops_the_table_until_it_is_right_again(
    timed_room: RaceRoom, clock: HandClock
) -> None:
    table, (ann, bob) = timed_room.open_playing_table(2, PlayTerms(betting=20, deciding=20))
    before = timed_room.get_table(table)
    clock.wait(-3_600)
    responses = timed_room.send_together(
        timed_room.decide(ann, table, "play", "late"), timed_room.leave(bob, table, "too")
    )
    assert [response.status for response in responses] == [503, 503]
    assert all("set the clock" in response.sentence for response in responses)
    assert timed_room.get_table(table) == before
    assert timed_room.connections.send(Call("GET", f"/tables/{table}")).status == 200
    clock.wait(3_600)
    assert timed_room.connections.send(timed_room.decide(ann, table, "play", "late")).status == 200, (
        "sent again with its id"
    )
    clock.wait(-1)
    assert timed_room.connections.send(timed_room.decide(bob, table, "fold")).status == 200, (
        "a small jump does not stop the table"
    )
    assert timed_room.list_decisions(table) == [(1, "play", ann), (2, "fold", bob)]
