"""How many rounds a table can have played, whatever a device says of its times."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardroom.jackpots.people import SamePerson
from cardroom.jackpots.setup.tabulator import TabulatorSetup, WagerSensor, tabulated_table
from cardroom.jackpots.tabulator.pace import AHEAD, TooManyRounds, accept_rounds, taken_up_until
from cardroom.jackpots.tabulator.replay import tabulator_after, tabulator_installed
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, install, press_button
from tests.examples import examples

HOUR, START = 3_600_000_000, 1_772_500_000_000_000


def table() -> TabulatorState:
    sensor = WagerSensor("final-four", "F4P-1", "final-four", "progressive", 100)
    setup = TabulatorSetup("prime-1", "three-card-prime", "Lakewood", "milky-way", 6, (sensor,))
    return tabulator_installed(None, install(tabulated_table(setup), "T-1"))


def press(state: TabulatorState, number: int, told: int | None, now: int, pace: int = 120) -> TabulatorState:
    until = taken_up_until(state, pace, told, now, START)
    (tabulated,) = press_button(state, f"r{number}", {1: [1, 2, 3]}, dealer="Kim")
    return tabulator_after(state, replace(tabulated, taken_up=until))


def test_ten_thousand_presses_in_a_minute_count_for_what_a_table_plays_in_it() -> None:
    random, state, counted = Random(7), table(), 0
    for number in range(10_000):
        now = START + number * 60_000_000 // 10_000
        told = random.choice([None, now, START - HOUR, now + HOUR, random.randrange(now)])
        try:
            state = press(state, number, told, now)
            counted += 1
        except TooManyRounds:
            continue
    assert state.counters[0] // 3 == counted == 21 <= (AHEAD + 60_000_000) * 120 // HOUR


TOLD = st.tuples(st.integers(0, HOUR), st.integers(-HOUR, HOUR) | st.none())


@settings(max_examples=examples(150))
@given(st.lists(TOLD, max_size=60), st.integers(1, 900))
def test_no_times_bring_more_rounds_than_the_clock_allows(told: list[tuple[int, int | None]], pace: int) -> None:
    state, now, counted = table(), START, 0
    for number, (passed, off) in enumerate(told):
        now += passed
        try:
            state = press(state, number, None if off is None else now + off, now, pace)
            counted += 1
        except TooManyRounds:
            continue
        assert counted * (HOUR // pace) <= now - START + AHEAD


def test_rounds_at_the_table_s_own_pace_are_believed_even_when_they_come_late() -> None:
    state = table()
    for number in range(1, 301):
        state = press(state, number, START + number * HOUR // 120, START + 3 * HOUR)
    assert state.counters == (900,)


def test_two_people_accept_so_many_rounds() -> None:
    state = table()
    for number in range(AHEAD * 120 // HOUR):
        state = press(state, number, None, START)
    with pytest.raises(TooManyRounds, match="until two people accept or refuse them"):
        press(state, 100, None, START)
    by: Any = {"device": "T-1", "why": "the network was down", "rounds_an_hour": 120, "now": START}
    with pytest.raises(SamePerson):
        accept_rounds(state, 3, by="Olga", second="olga", **by)
    for wrong in (0, -1, 10_001):
        with pytest.raises(CannotTabulate, match="from 1 to 10,000"):
            accept_rounds(state, wrong, by="Olga", second="Carl", **by)
    (accepted,) = accept_rounds(state, 3, by="Olga", second="Carl", **by)
    state = tabulator_after(state, accepted)
    for number in range(200, 203):
        state = press(state, number, None, START)
    with pytest.raises(TooManyRounds):
        press(state, 203, None, START)
