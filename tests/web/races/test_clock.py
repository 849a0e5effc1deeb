"""Things that happen when time is up, and clocks that jump: a call is shown whether it counts, and one thing counts."""

from __future__ import annotations

import random
from collections import Counter

from cardroom.service import PlayTerms
from tests.deadline import wait_until
from tests.service.table_scenes import HandClock
from tests.web.races.command_order import Call
from tests.web.races.served import TIMES, Served


def test_an_answer_at_the_very_end_of_its_time_counts_or_the_safe_one_does_and_the_player_is_shown_which(
    room: Served,
) -> None:
    """How many come in time depends on the machine; what counts on the deadline and after it is tried below."""
    met = Counter[str]()
    chance = random.Random(1)
    tables = [room.table(1, PlayTerms(betting=0, deciding=1)) for _ in range(2 * TIMES)]
    for table, (ann,) in tables:
        assert room.lines.say(room.wager(ann, table)).done
    calls = [
        (room.play_table(table).deadline + chance.randrange(-200_000, 100_000), room.answer(ann, table, "play"))
        for table, (ann,) in tables
    ]
    for (table, (ann,)), said in zip(tables, room.lines.at(calls), strict=True):
        wait_until(lambda table=table: not room.play_table(table).playing)
        assert room.answers(table) == [(1, "play", ann) if said.done else (1, "fold", "clock")]
        if not said.done:
            assert said.status == 409
        met[said.body["state"] if said.done else said.sentence.split(".")[0].split(" at ")[0]] += 1
    assert met.keys() <= {
        "betting",
        "Your time for this decision is over",
        "No round is in progress",
        "No round is played",
    }


def test_a_wager_at_the_very_end_of_its_time_is_in_the_round_or_is_refused(room: Served) -> None:
    chance = random.Random(2)
    tables = [room.table(2, PlayTerms(betting=1, deciding=0)) for _ in range(2 * TIMES)]
    for table, (ann, _) in tables:
        assert room.lines.say(room.wager(ann, table)).done
    calls = [
        (room.play_table(table).deadline + chance.randrange(-200_000, 100_000), room.wager(bob, table))
        for table, (_, bob) in tables
    ]
    for (table, _), said in zip(tables, room.lines.at(calls), strict=True):
        wait_until(lambda table=table: room.play_table(table).playing)
        (begun,) = room.happened(table, "round-started")
        assert [one["seat"] for one in begun["wagers"]] == ([1, 2] if said.done else [1])
        if not said.done:
            assert said.status == 409
            assert said.sentence in (
                f"Betting on round {table}.1 is over. Bet on the next round.",
                f"Round {table}.1 is in progress. Bet when it ends.",
            )


def test_on_its_deadline_an_answer_counts_and_a_microsecond_later_it_does_not(
    by_hand: Served, clock: HandClock
) -> None:
    table, (ann, bob) = by_hand.playing(2, PlayTerms(betting=20, deciding=20))
    clock.now = by_hand.play_table(table).deadline
    assert by_hand.lines.say(by_hand.answer(ann, table, "play")).status == 200
    clock.now = by_hand.play_table(table).deadline + 1
    late = by_hand.lines.say(by_hand.answer(bob, table, "play"))
    assert late.status == 409
    wait_until(lambda: not by_hand.play_table(table).playing)
    assert by_hand.answers(table) == [(1, "play", ann), (2, "fold", "clock")]


def test_on_its_deadline_a_wager_counts_and_a_microsecond_later_it_does_not(by_hand: Served, clock: HandClock) -> None:
    for late in (0, 1):
        table, (ann, bob) = by_hand.table(2, PlayTerms(betting=20, deciding=20))
        assert by_hand.lines.say(by_hand.wager(ann, table)).done
        clock.now = by_hand.play_table(table).deadline + late
        assert by_hand.lines.say(by_hand.wager(bob, table)).status == (409 if late else 200)
        wait_until(lambda table=table: by_hand.play_table(table).playing)
        (begun,) = by_hand.happened(table, "round-started")
        assert [one["seat"] for one in begun["wagers"]] == ([1] if late else [1, 2])


def test_a_clock_that_jumps_ahead_lets_all_time_run_out_once(by_hand: Served, clock: HandClock) -> None:
    tables = [by_hand.playing(2, PlayTerms(betting=20, deciding=20)) for _ in range(5)]
    clock.wait(3_600)
    said = by_hand.together(*(by_hand.answer(ann, table, "play") for table, (ann, _) in tables))
    assert [one.status for one in said] == [409] * 5
    for table, _ in tables:
        # The clock decides for seat 1, and seat 2 has its whole time from then on.
        wait_until(lambda table=table: by_hand.play_table(table).deciding_seat == 2)
        assert by_hand.answers(table) == [(1, "fold", "clock")]
        assert by_hand.play_table(table).deadline == clock.now + 20_000_000


def test_a_clock_that_jumps_back_stops_the_table_until_it_is_right(by_hand: Served, clock: HandClock) -> None:
    table, (ann, bob) = by_hand.playing(2, PlayTerms(betting=20, deciding=20))
    before = by_hand.play_table(table)
    clock.wait(-3_600)
    said = by_hand.together(by_hand.answer(ann, table, "play", "late"), by_hand.leave(bob, table, "too"))
    assert [one.status for one in said] == [503, 503]
    assert all("set the clock" in one.sentence for one in said)
    assert by_hand.play_table(table) == before
    assert by_hand.lines.say(Call("GET", f"/tables/{table}")).status == 200
    clock.wait(3_600)
    assert by_hand.lines.say(by_hand.answer(ann, table, "play", "late")).status == 200, "sent again with its id"
    clock.wait(-1)
    assert by_hand.lines.say(by_hand.answer(bob, table, "fold")).status == 200, "a little is not worth a stop"
    assert by_hand.answers(table) == [(1, "play", ann), (2, "fold", bob)]
