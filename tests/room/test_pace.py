"""How many rounds a table can have played, whatever a device says of its times."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.room.dual_control import SamePerson
from cardroom.room.setup.tabulator import TabulatorSetup, WagerSensor, validate_tabulator
from cardroom.room.tabulator.plausibility import (
    CLOCK_TOLERANCE,
    OLDEST_RECORD,
    PlayRate,
    TooManyRounds,
    accept_rounds,
    allow_round,
    earliest_record_time,
)
from cardroom.room.tabulator.state import TabulatorState, UnexpectedEvent, apply_installation, apply_tabulator_event
from cardroom.room.tabulator.unit import CannotTabulate, make_installation, press_button
from tests.examples import examples

HOUR, START = 3_600_000_000, 1_772_500_000_000_000


def table() -> TabulatorState:
    sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    setup = TabulatorSetup("prime-1", "three-card-prime", "Lakewood", "milky-way", 6, (sensor,))
    return apply_installation(None, make_installation(validate_tabulator(setup), "T-1"))


def press(
    state: TabulatorState, number: int, stated_time: int | None, now: int, rounds_an_hour: int = 120
) -> TabulatorState:
    """A record of a data logger, or a press without a stated time."""
    pace = PlayRate(rounds_an_hour, now, earliest_record_time(START, START, now))
    believed = allow_round(state, pace, now if stated_time is None else pace.effective_time(stated_time))
    (tabulated,) = press_button(state, f"r{number}", {1: [1, 2, 3]}, dealer="Kim")
    return apply_tabulator_event(state, replace(tabulated, **believed._asdict()))


def test_ten_thousand_presses_in_a_minute_count_for_what_a_table_plays_in_it() -> None:
    random, state, counted = Random(7), table(), 0
    for number in range(10_000):
        now = START + number * 60_000_000 // 10_000
        stated_time = random.choice([None, now, START - HOUR, now + HOUR, random.randrange(now)])
        try:
            state = press(state, number, stated_time, now)
            counted += 1
        except TooManyRounds:
            continue
    assert state.counters[0] // 3 == counted == 21 <= (CLOCK_TOLERANCE + 60_000_000) * 120 // HOUR


SHOWN = st.tuples(st.integers(0, HOUR), st.integers(-HOUR, HOUR) | st.none())


@settings(max_examples=examples(150))
@given(st.lists(SHOWN, max_size=60), st.integers(1, 900))
def test_no_times_bring_more_rounds_than_the_clock_allows(stated_time: list[tuple[int, int | None]], pace: int) -> None:
    state, now, counted = table(), START, 0
    for number, (passed, off) in enumerate(stated_time):
        now += passed
        try:
            state = press(state, number, None if off is None else now + off, now, pace)
            counted += 1
        except TooManyRounds:
            continue
        assert counted * (HOUR // pace) <= now - START + max(CLOCK_TOLERANCE, HOUR // pace)


def test_rounds_at_the_table_s_own_pace_are_believed_even_when_they_come_late() -> None:
    state = table()
    for number in range(1, 301):
        state = press(state, number, START + number * HOUR // 120, START + 3 * HOUR)
    assert state.counters == (900,)


WEEK = 7 * 24 * HOUR


def most(pace: PlayRate, time: int) -> int:
    """How many rounds of a time are believed at once."""
    state = table()
    for counted in range(10_000):
        try:
            believed = allow_round(state, pace, time)
        except TooManyRounds:
            return counted
        (tabulated,) = press_button(state, f"r{counted}", {1: [1]}, dealer="Kim")
        state = apply_tabulator_event(state, replace(tabulated, **believed._asdict()))
    raise AssertionError("There is no limit.")


@pytest.mark.parametrize(
    ("day_opened", "hours"),
    [(None, 0), (START + WEEK - 3 * HOUR, 3), (START, OLDEST_RECORD // HOUR)],
    ids=["no day is open", "the day is three hours old", "the day was left open for a week"],
)
def test_an_idle_week_brings_records_no_more_than_the_day_that_is_open(day_opened: int | None, hours: int) -> None:
    now = START + WEEK
    pace = PlayRate(120, now, earliest_record_time(day_opened, START, now))
    assert most(pace, pace.effective_time(START)) == (hours * HOUR + CLOCK_TOLERANCE) * 120 // HOUR


def test_an_idle_week_brings_a_press_nothing() -> None:
    assert most(PlayRate(120, START + WEEK, START + WEEK), START + WEEK) == CLOCK_TOLERANCE * 120 // HOUR


def test_a_table_that_plays_a_round_an_hour_plays_it() -> None:
    state = press(table(), 1, None, START, 1)
    with pytest.raises(TooManyRounds):
        press(state, 2, None, START + HOUR // 2, 1)
    press(state, 2, None, START + HOUR, 1)


def test_two_people_accept_so_many_rounds() -> None:
    state = table()
    for number in range(CLOCK_TOLERANCE * 120 // HOUR):
        state = press(state, number, None, START)
    with pytest.raises(TooManyRounds):
        press(state, 100, None, START)
    by: Any = {"device": "T-1", "why": "the network was down"}
    with pytest.raises(SamePerson):
        accept_rounds(state, 3, who="Olga", second="olga", **by)
    for wrong in (0, -1, 10_001):
        with pytest.raises(CannotTabulate):
            accept_rounds(state, wrong, who="Olga", second="Carl", **by)
    (accepted,) = accept_rounds(state, 50, who="Olga", second="Carl", **by)
    state = apply_tabulator_event(state, accepted)
    for number in range(200, 250):
        state = press(state, number, None, START)
    with pytest.raises(TooManyRounds):
        press(state, 250, None, START)
    (tabulated,) = press_button(state, "r250", {1: [1]}, dealer="Kim")
    with pytest.raises(UnexpectedEvent):
        apply_tabulator_event(state, replace(tabulated, accepted=True))
