"""The dealer presses the button; what follows, and what happens when something is broken."""

from __future__ import annotations

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.chart_of_accounts import DOLLAR, AccountKind
from cardroom.room.codec import decode, encode
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.events import JackpotReopened
from cardroom.room.setup.tabulator import LammerSensor
from cardroom.room.tabulator.state import (
    LayoutMark,
    TabulatorState,
    UnexpectedEvent,
    apply_tabulator_event,
    count_by_jackpot,
    lammers_for_failed_lights,
    lit_lights,
    tabulator_postings,
    wagers_left_on_layout,
)
from cardroom.room.tabulator.unit import (
    CannotTabulate,
    clear_fault,
    count_by_hand,
    press_button,
    report_fault,
    report_lights,
    void_round,
)
from tests.room.tabulators import SHOOTOUT_BONUS, after, deuces, installed, pressed, prime, read, shootout


def broken(state: TabulatorState) -> TabulatorState:
    return after(state, report_fault(state, who="Ann", reason="a cable is cut"))


def moved(event: DomainEvent) -> list[tuple[AccountKind, AccountKind, int]]:
    return [(line.debit.kind, line.credit.kind, line.amount) for line in tabulator_postings(event)]


def test_every_wager_that_is_there_is_recorded_by_position() -> None:
    (event,) = press_button(installed(prime()), "r1", {1: [6, 2], 2: [3]}, dealer="Kim")
    assert [one["positions"] for one in event.payload["wagers"]] == [[2, 6], [3]]
    assert [(one.jackpot, one.count) for one in count_by_jackpot(event)] == [("final-four", 2), ("all-seven", 1)]


def test_the_tabulator_tells_presence_and_nothing_about_the_amount() -> None:
    """A player with two chips on the sensor is counted once (BJ-3)."""
    state = installed(prime())
    assert press_button(state, "r1", {1: [2]}, dealer="Kim") == press_button(state, "r1", {1: [2, 2]}, dealer="Kim")


def test_a_removed_wager_lights_its_sensor_until_the_next_rounds_button() -> None:
    state = pressed(installed(prime()), "r1", {1: [2, 6], 2: [3]})
    assert lit_lights(state) == {LayoutMark(2, 1), LayoutMark(6, 1), LayoutMark(3, 2)}
    assert lit_lights(pressed(state, "r2", {1: [1]})) == {LayoutMark(1, 1)}
    assert lit_lights(pressed(state, "r2", {})) == frozenset()


def test_a_to_1_wager_is_counted_without_a_light_and_stays_on_the_layout() -> None:
    state = pressed(installed(shootout(SHOOTOUT_BONUS)), "r1", {1: [1], 2: [1, 4]})
    assert lit_lights(state) == {LayoutMark(1, 1)}
    assert wagers_left_on_layout(state) == {LayoutMark(1, 2), LayoutMark(4, 2)}
    assert [tally.wagers for tally in state.tallies] == [1, 2]


def test_a_to_1_wager_is_neither_booked_nor_for_a_jackpot() -> None:
    (event,) = press_button(installed(shootout(SHOOTOUT_BONUS)), "r1", {2: [1, 4]}, dealer="Kim")
    assert tabulator_postings(event) == ()
    assert count_by_jackpot(event) == ()


def test_collected_wagers_are_gross_receipts_of_the_table() -> None:
    (event,) = press_button(installed(prime()), "r1", {1: [1, 2], 2: [1]}, dealer="Kim")
    (line,) = tabulator_postings(event)
    assert (str(line.debit), str(line.credit), line.amount) == (
        "chip-tray:table-7", "gross-receipts:table-7", 3 * DOLLAR,
    )  # fmt: skip


def test_the_counter_adds_up_the_wagers_of_all_rounds() -> None:
    state = pressed(pressed(installed(prime("milky-way"), counter=1_000), "r1", {1: [1, 2]}), "r2", {1: [3]})
    assert state.counters == (1_003,)


def test_a_round_is_counted_once() -> None:
    state = pressed(installed(prime()), "r1", {1: [1]})
    with pytest.raises(CannotTabulate):
        press_button(state, "r1", {1: [1]}, dealer="Kim")


@pytest.mark.parametrize("covered", [{1: [7]}, {1: [0]}, {3: [1]}])
def test_a_position_that_the_table_does_not_have_is_refused(covered: dict[int, list[int]]) -> None:
    with pytest.raises(CannotTabulate):
        press_button(installed(prime()), "r1", covered, dealer="Kim")


def test_an_andromeda_1_counts_through_its_data_logger() -> None:
    with pytest.raises(CannotTabulate):
        press_button(installed(deuces()), "r1", {1: [1]}, dealer="Kim")


# Lammers.


def test_a_lammer_marks_the_wager_of_two_dollars() -> None:
    (event,) = press_button(installed(shootout()), "r1", {1: [1, 2, 5]}, dealer="Kim", lammers={1: [2]})
    (count,) = count_by_jackpot(event)
    assert count.stakes == ((1 * DOLLAR, 2), (2 * DOLLAR, 1))
    assert tabulator_postings(event)[0].amount == 4 * DOLLAR


def test_a_sensor_of_its_own_sees_the_lammer() -> None:
    state = installed(shootout(LammerSensor(1)))
    (event,) = press_button(state, "r1", {1: [1, 2], 2: [2]}, dealer="Kim")
    assert event.payload["wagers"][0]["lammers"] == [2]
    assert count_by_jackpot(event)[0].count == 2
    with pytest.raises(CannotTabulate):
        press_button(state, "r1", {1: [1]}, dealer="Kim", lammers={1: [1]})


def test_a_lammer_without_a_wager_stops_the_count() -> None:
    with pytest.raises(CannotTabulate):
        press_button(installed(shootout(LammerSensor(1))), "r1", {1: [1], 2: [3]}, dealer="Kim")


def test_a_wager_of_one_amount_has_no_lammer() -> None:
    with pytest.raises(CannotTabulate):
        press_button(installed(prime()), "r1", {1: [1]}, dealer="Kim", lammers={1: [1]})


def test_a_lammer_stands_in_for_a_light_that_has_failed() -> None:
    state = installed(prime())
    state = after(state, report_lights(state, {1: [2]}, who="Kim"))
    state = pressed(state, "r1", {1: [1, 2], 2: [2]})
    assert lit_lights(state) == {LayoutMark(1, 1), LayoutMark(2, 2)}
    assert lammers_for_failed_lights(state) == {LayoutMark(2, 1)}
    assert lammers_for_failed_lights(after(state, report_lights(state, {}, who="Kim"))) == frozenset()


def test_when_it_breaks_in_a_round_lammers_mark_what_was_collected() -> None:
    state = broken(pressed(installed(prime()), "r1", {1: [1]}))
    assert lit_lights(state) == frozenset()
    assert lammers_for_failed_lights(state) == {LayoutMark(1, 1)}


# Broken and repaired.


def test_while_it_is_broken_wagers_are_counted_by_hand_and_stay_on_their_spots() -> None:
    state = broken(installed(prime(), counter=50))
    with pytest.raises(CannotTabulate):
        press_button(state, "r1", {1: [1]}, dealer="Kim")
    (event,) = count_by_hand(state, "r1", {1: [1, 4]}, who="Ann")
    state = apply_tabulator_event(state, event)
    assert event.payload["by"] == "Ann"
    assert wagers_left_on_layout(state) == {LayoutMark(1, 1), LayoutMark(4, 1)}
    assert (lit_lights(state), lammers_for_failed_lights(state)) == (frozenset(), frozenset())
    assert (state.counters, state.tallies[0].by_hand) == ((50, 50), 2)


def test_wagers_counted_by_hand_count_for_the_jackpot_and_the_books_alike() -> None:
    """A "for 1" wager ends in the chip tray whatever the cards are."""
    (event,) = count_by_hand(broken(installed(prime())), "r1", {1: [1, 4]}, who="Ann")
    assert [one.count for one in count_by_jackpot(event)] == [2]
    assert moved(event) == [(AccountKind.CHIP_TRAY, AccountKind.GROSS_RECEIPTS, 2 * DOLLAR)]


def test_a_working_tabulator_is_not_replaced_by_a_count_by_hand() -> None:
    with pytest.raises(CannotTabulate):
        count_by_hand(installed(prime()), "r1", {1: [1]}, who="Ann")


def test_a_count_by_hand_says_who_counted() -> None:
    with pytest.raises(CannotTabulate):
        count_by_hand(broken(installed(prime())), "r1", {1: [1]}, who=" ")


def test_a_repaired_unit_keeps_its_counter_and_another_unit_has_its_own() -> None:
    state = broken(pressed(installed(prime("milky-way"), counter=10), "r1", {1: [1]}))
    assert after(state, clear_fault(state, who="Bo")).counters == (11,)
    with pytest.raises(CannotTabulate):
        clear_fault(state, who="Bo", counters=[3])
    exchanged = after(state, clear_fault(state, who="Bo", unit="unit-2", counters=[3]))
    assert (exchanged.unit, exchanged.counters, exchanged.tallies[0].counted) == ("unit-2", (3,), 1)


def test_nothing_is_broken_twice_or_repaired_unbroken() -> None:
    with pytest.raises(CannotTabulate):
        broken(broken(installed(prime())))
    with pytest.raises(CannotTabulate):
        clear_fault(installed(prime()), who="Bo")


# The counter.


def test_a_counter_reading_records_wagers_that_were_not_counted() -> None:
    state = pressed(installed(prime("milky-way"), counter=100), "r1", {1: [1, 2]})
    (event,) = read(state, [107])
    assert [one.count for one in count_by_jackpot(event)] == [5]
    assert moved(event) == [(AccountKind.CHIP_TRAY, AccountKind.GROSS_RECEIPTS, 5 * DOLLAR)]
    assert apply_tabulator_event(state, event).counters == (107,)


def test_a_counter_that_shows_what_is_known_brings_in_nothing() -> None:
    state = pressed(installed(prime()), "r1", {1: [1, 2]})
    (event,) = read(state, state.counters)
    assert (count_by_jackpot(event), tabulator_postings(event)) == ((), ())


def test_the_counter_never_goes_back() -> None:
    state = pressed(installed(prime("milky-way"), counter=100), "r1", {1: [1, 2]})
    with pytest.raises(CannotTabulate, match="102"):
        read(state, [101])


def test_a_counter_cannot_tell_beside_which_wager_a_lammer_lay() -> None:
    with pytest.raises(CannotTabulate):
        read(installed(shootout()), [4])


# Void rounds.


def test_a_void_round_takes_its_wagers_back_and_leaves_the_counter_alone() -> None:
    state = pressed(installed(shootout()), "r1", {1: [1, 2]}, {1: [2]})
    (event,) = void_round(state, "r1", who="Ann", second="Bo", reason="the shuffler jammed")
    assert [(one.count, one.stakes) for one in count_by_jackpot(event)] == [(-2, ((1 * DOLLAR, -1), (2 * DOLLAR, -1)))]
    assert moved(event) == [(AccountKind.GROSS_RECEIPTS, AccountKind.CHIP_TRAY, 3 * DOLLAR)]
    voided = apply_tabulator_event(state, event)
    assert (voided.counters, voided.tallies[0].wagers) == ((2,), 0)
    assert lit_lights(voided) == lit_lights(state)


def test_a_round_is_void_once_and_cannot_be_counted_again() -> None:
    state = pressed(installed(prime()), "r1", {1: [1]})
    state = after(state, void_round(state, "r1", who="Ann", second="Bo", reason="jam"))
    with pytest.raises(CannotTabulate):
        void_round(state, "r1", who="Ann", second="Bo", reason="jam")
    with pytest.raises(CannotTabulate):
        press_button(pressed(state, "r2", {}), "r1", {1: [1]}, dealer="Kim")


def test_an_earlier_round_is_voided_from_what_was_recorded_of_it() -> None:
    state = installed(prime())
    (first,) = press_button(state, "r1", {1: [1, 2]}, dealer="Kim")
    state = pressed(apply_tabulator_event(state, first), "r2", {1: [1]})
    with pytest.raises(CannotTabulate):
        void_round(state, "r1", who="Ann", second="Bo", reason="jam")
    (event,) = void_round(state, "r1", who="Ann", second="Bo", reason="jam", recorded=first)
    assert [one.count for one in count_by_jackpot(event)] == [-2]
    assert apply_tabulator_event(state, event).tallies[0].wagers == 1
    with pytest.raises(CannotTabulate, match="table-7"):
        void_round(state, "r2", who="Ann", second="Bo", reason="jam", recorded=first)


def test_a_void_round_that_was_counted_by_hand_goes_back_too() -> None:
    state = broken(installed(prime()))
    state = after(state, count_by_hand(state, "r1", {1: [3]}, who="Ann"))
    assert after(state, void_round(state, "r1", who="Ann", second="Bo", reason="jam")).tallies[0].wagers == 0


# Replay.


def test_an_event_of_another_aggregate_is_refused() -> None:
    with pytest.raises(UnexpectedEvent):
        apply_tabulator_event(installed(prime()), JackpotReopened("final-four", "Ada", "Cy"))


def test_a_state_is_written_down_and_read_again() -> None:
    state = broken(pressed(installed(shootout(LammerSensor(1))), "r1", {1: [1, 2], 2: [2]}))
    state = after(state, void_round(state, "r1", who="Ann", second="Bo", reason="jam"))
    assert decode(TabulatorState, json.loads(json.dumps(encode(state)))) == state


@dataclass
class Story:
    """A table's day, with an independent count of it."""

    state: TabulatorState
    events: list[DomainEvent]
    standing: int = 0
    counters: list[int] = field(default_factory=list)
    units: list[str] = field(default_factory=list)

    def happen(self, events: tuple[DomainEvent, ...]) -> None:
        for event in events:
            self.state = apply_tabulator_event(self.state, event)
            self.events.append(event)
            self.counters.append(sum(self.state.counters))
            self.units.append(self.state.unit)


STEPS = st.lists(
    st.tuples(
        st.sampled_from(["round", "round", "round", "void", "break", "repair", "exchange", "read"]),
        st.sets(st.integers(1, 6)),
        st.sets(st.integers(1, 6)),
    ),
    max_size=40,
)


def take(story: Story, step: str, first: set[int], second: set[int], number: int) -> None:
    state, covered = story.state, {1: first, 2: second}
    match step:
        case "round" if state.broken is None:
            story.happen(press_button(state, f"r{number}", covered, dealer="Kim"))
            story.standing += len(first) + len(second)
        case "round":
            story.happen(count_by_hand(state, f"r{number}", covered, who="Ann"))
            story.standing += len(first) + len(second)
        case "void" if state.round is not None and state.round.round not in state.voided:
            story.happen(void_round(state, state.round.round, who="Ann", second="Bo", reason="jam"))
            story.standing -= sum(map(len, state.round.positions))
        case "break" if state.broken is None:
            story.happen(report_fault(state, who="Ann", reason="dark"))
        case "repair" if state.broken is not None:
            story.happen(clear_fault(state, who="Bo"))
        case "exchange" if state.broken is not None:
            story.happen(clear_fault(state, who="Bo", unit=f"unit-{number + 2}"))
        case "read":
            more = [len(first), len(second)]
            story.happen(read(state, [a + b for a, b in zip(state.counters, more, strict=True)]))
            story.standing += sum(more)


@given(STEPS)
def test_whatever_happens_the_counter_never_goes_back_and_every_wager_is_accounted_for(
    steps: list[tuple[str, set[int], set[int]]],
) -> None:
    beginning = installed(prime())
    story = Story(beginning, [])
    for number, (step, first, second) in enumerate(steps):
        take(story, step, first, second, number)
    for at in range(1, len(story.counters)):
        assert story.counters[at] >= story.counters[at - 1] or story.units[at] != story.units[at - 1]
    assert sum(tally.wagers for tally in story.state.tallies) == story.standing
    assert sum(one.count for event in story.events for one in count_by_jackpot(event)) == story.standing
    booked = sum(
        line.amount if line.debit.kind is AccountKind.CHIP_TRAY else -line.amount
        for event in story.events
        for line in tabulator_postings(event)
    )
    assert booked == story.standing * DOLLAR
    assert after(beginning, story.events) == story.state
