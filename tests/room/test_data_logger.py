"""Andromeda-1's data logger: whatever crashes, every count is taken over exactly once."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardroom.room.codec import DecodeError, decode, encode
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.tabulator.data_logger import (
    BadLoggerRecord,
    DataLogger,
    LoggerRecord,
    acknowledge_records,
    last_taken_mark,
    new_logger,
    take_records,
    write_record,
)
from cardroom.room.tabulator.events import RoundTabulated
from cardroom.room.tabulator.logger_lines import acknowledgment_line, log_bytes, opening_line, read_log, record_line
from cardroom.room.tabulator.plausibility import PlayRate
from cardroom.room.tabulator.state import LayoutMark, TabulatorState, count_by_jackpot, lit_lights
from cardroom.room.tabulator.unit import CannotTabulate, clear_fault, report_fault, void_round
from tests.room.tabulators import after, deuces, installed, prime, read

UNIT = "unit-1"


def taken_over(state: TabulatorState, records: Sequence[LoggerRecord]) -> tuple[RoundTabulated, ...]:
    """Long after the records were written, so that the table can have played all of them."""
    return take_records(state, records, PlayRate(120, now=2**52, since=0))


def mark(record: LoggerRecord) -> LoggerMark:
    return LoggerMark(record.number, record.seal)


def pressed(logger: DataLogger, *rounds: list[int]) -> DataLogger:
    for positions in rounds:
        number = logger.last.number + 1
        counter = sum(len(record.positions) for record in logger.waiting) + len(positions)
        logger = write_record(logger, f"r{number}", positions, time=number, dealer="Kim", counter=counter)
    return logger


def three_rounds() -> tuple[TabulatorState, DataLogger]:
    return installed(deuces(), UNIT), pressed(new_logger(UNIT), [1, 2], [], [3, 4, 6])


def test_counts_are_kept_while_the_server_is_away_and_taken_over_later() -> None:
    server, logger = three_rounds()
    events = taken_over(server, logger.waiting)
    assert [event.payload["round"] for event in events] == ["r1", "r2", "r3"]
    assert [one.count for event in events for one in count_by_jackpot(event)] == [2, 3]
    server = after(server, events)
    assert server.counters == (5,)
    assert lit_lights(server) == {LayoutMark(3, 1), LayoutMark(4, 1), LayoutMark(6, 1)}
    assert acknowledge_records(logger, last_taken_mark(server)).waiting == ()


def test_what_is_sent_twice_is_taken_once() -> None:
    server, logger = three_rounds()
    server = after(server, taken_over(server, logger.waiting))
    assert taken_over(server, logger.waiting) == ()
    assert taken_over(server, (*logger.waiting, *logger.waiting)) == ()


def test_what_arrives_out_of_order_is_taken_in_order() -> None:
    server, logger = three_rounds()
    assert taken_over(server, logger.waiting[::-1]) == taken_over(server, logger.waiting)


def test_a_gap_is_refused_with_the_number_to_go_on_from() -> None:
    server, logger = three_rounds()
    server = after(server, taken_over(server, logger.waiting[:1]))
    with pytest.raises(BadLoggerRecord):
        taken_over(server, logger.waiting[2:])


def test_a_record_that_was_changed_on_its_way_is_refused() -> None:
    server, logger = three_rounds()
    changed = logger.waiting[0]._replace(positions=(1, 2, 3), counter=3)
    with pytest.raises(BadLoggerRecord):
        taken_over(server, (changed,))


def test_the_records_of_another_unit_are_refused() -> None:
    server, _ = three_rounds()
    with pytest.raises(BadLoggerRecord):
        taken_over(server, pressed(new_logger("unit-2"), [1]).waiting)


def test_an_exchanged_unit_begins_its_own_numbers() -> None:
    server, logger = three_rounds()
    server = after(server, taken_over(server, logger.waiting))
    server = after(server, report_fault(server, who="Ann", reason="smoke"))
    server = after(server, clear_fault(server, who="Bo", unit="unit-2"))
    server = after(server, taken_over(server, pressed(new_logger("unit-2"), [5]).waiting))
    assert (last_taken_mark(server).number, server.tallies[0].wagers) == (1, 6)


def test_what_was_counted_before_it_broke_is_still_taken_over() -> None:
    server, logger = three_rounds()
    server = after(server, report_fault(server, who="Ann", reason="smoke"))
    assert len(taken_over(server, logger.waiting)) == 3


def test_a_counter_that_knows_of_more_wagers_than_the_records_stops_the_forwarding_until_it_is_read() -> None:
    server = installed(deuces(), UNIT)
    logger = write_record(new_logger(UNIT), "r1", [1, 2], time=1, dealer="Kim", counter=6)
    with pytest.raises(CannotTabulate):
        taken_over(server, logger.waiting)
    server = after(server, read(server, [4]))
    assert after(server, taken_over(server, logger.waiting)).counters == (6,)


def test_a_round_that_was_void_while_the_server_was_away_is_taken_back_afterwards() -> None:
    server, logger = three_rounds()
    events = taken_over(server, logger.waiting)
    server = after(server, events)
    server = after(server, void_round(server, "r1", who="Ann", second="Bo", reason="jam", recorded=events[0]))
    assert (server.counters, server.tallies[0].wagers) == ((5,), 3)


def test_only_andromeda_1_has_a_data_logger() -> None:
    with pytest.raises(CannotTabulate):
        taken_over(installed(prime("milky-way")), ())


def test_an_older_acknowledgment_changes_nothing_and_a_foreign_one_is_refused() -> None:
    _, logger = three_rounds()
    first = logger.waiting[0]
    done = acknowledge_records(logger, mark(first))
    assert [record.number for record in done.waiting] == [2, 3]
    assert acknowledge_records(done, mark(first)) == done
    with pytest.raises(BadLoggerRecord):
        acknowledge_records(done, mark(first)._replace(number=2))


# The file.


def test_the_file_gives_back_what_was_written() -> None:
    _, logger = three_rounds()
    assert read_log(log_bytes(logger)).logger == logger
    content = log_bytes(logger) + acknowledgment_line(mark(logger.waiting[1]))
    assert [record.number for record in read_log(content).logger.waiting] == [3]


@pytest.mark.parametrize("cut", range(1, 40, 6))
def test_a_last_line_that_was_cut_short_is_dropped(cut: int) -> None:
    _, logger = three_rounds()
    whole = log_bytes(logger)
    read = read_log(whole[:-cut])
    assert [record.number for record in read.logger.waiting] == [1, 2]
    assert whole[: read.good_bytes] + record_line(logger.waiting[2]) == whole


def test_zeros_that_a_crash_left_at_the_end_are_dropped() -> None:
    _, logger = three_rounds()
    assert read_log(log_bytes(logger) + bytes(300)).logger == logger


def test_damage_inside_the_file_is_named_and_nothing_is_guessed() -> None:
    _, logger = three_rounds()
    content = bytearray(log_bytes(logger))
    content[len(opening_line(logger)) + 30] ^= 1
    read = read_log(bytes(content))
    assert (read.logger.waiting, [line.number for line in read.damaged]) == ((), [2])
    assert read.gap is not None
    assert (read.gap.next, read.gap.behind) == (logger.waiting[1], 2)


def test_a_line_that_is_missing_in_the_middle_is_a_gap() -> None:
    _, logger = three_rounds()
    content = opening_line(logger) + record_line(logger.waiting[0]) + record_line(logger.waiting[2])
    read = read_log(content)
    assert (read.logger.waiting, read.damaged) == (logger.waiting[:1], ())
    assert read.gap is not None
    assert (read.gap.next, read.gap.missing, read.gap.at) == (logger.waiting[2], 2, 3)


@given(st.permutations(range(3)), st.lists(st.integers(0, 2), max_size=4))
def test_whatever_is_doubled_or_exchanged_the_seals_say_what_was_written(order: list[int], again: list[int]) -> None:
    _, logger = three_rounds()
    content = opening_line(logger) + b"".join(record_line(logger.waiting[at]) for at in [*order, *again])
    read = read_log(content)
    assert (read.logger, read.gap, len(read.doubled)) == (logger, None, len(again))


def test_a_whole_last_line_that_was_changed_is_damaged() -> None:
    _, logger = three_rounds()
    content = log_bytes(logger).replace(b'"r3"', b'"r4"')
    read = read_log(content)
    assert (read.logger.waiting, [line.number for line in read.damaged]) == (logger.waiting[:2], [4])
    assert read.gap is not None
    assert (read.gap.next, read.good_bytes) == (None, len(content))


def test_an_empty_file_is_a_gap_and_a_file_of_something_else_is_refused() -> None:
    gap = read_log(b"").gap
    assert gap is not None
    assert gap.describe("A1-77.log") == "A1-77.log is empty: its content is lost"
    with pytest.raises(BadLoggerRecord):
        read_log(b"half a li")


def test_a_record_is_forwarded_as_plain_values() -> None:
    record = three_rounds()[1].waiting[2]
    assert decode(LoggerRecord, json.loads(json.dumps(encode(record)))) == record
    with pytest.raises(DecodeError):
        decode(LoggerRecord, {"number": 1})


class World:
    """A logger with its file, a server with its log, and a wire between them that does as it likes."""

    def __init__(self) -> None:
        self.pressed: list[tuple[int, ...]] = []
        self.file = opening_line(new_logger(UNIT))
        self.logger = new_logger(UNIT)
        self.stored: list[DomainEvent] = []
        self.server = installed(deuces(), UNIT)
        self.wire: list[LoggerRecord] = []

    @property
    def counter(self) -> int:
        return sum(map(len, self.pressed))

    def press(self, positions: set[int], torn: int | None) -> None:
        counter = self.counter + len(positions)
        round_id = f"r{len(self.pressed) + 1}"
        logger = write_record(self.logger, round_id, positions, time=1, dealer="Kim", counter=counter)
        line = record_line(logger.waiting[-1])
        if torn is not None and torn < len(line):  # the light never went on: the dealer presses again after the restart
            self.file += line[:torn]
            self.restart_logger()
            return
        self.file += line
        self.logger = logger
        self.pressed.append(tuple(sorted(positions)))

    def restart_logger(self) -> None:
        read = read_log(self.file)
        self.file, self.logger = self.file[: read.good_bytes], read.logger

    def send(self, order: list[int]) -> None:
        waiting = self.logger.waiting
        self.wire += [waiting[at % len(waiting)] for at in order if waiting]

    def arrive(self, *, stored: bool) -> None:
        arriving, self.wire = self.wire, []
        try:
            events = taken_over(self.server, arriving)
        except BadLoggerRecord:
            return
        if stored:
            self.stored += events
            self.server = after(self.server, events)

    def acknowledge(self, *, written: bool) -> None:
        last = last_taken_mark(self.server)
        if last.number <= self.logger.acknowledged.number:
            return
        self.logger = acknowledge_records(self.logger, last)
        if written:
            self.file += acknowledgment_line(last)

    def shorten(self) -> None:
        self.file = log_bytes(self.logger)


EVENTS = st.one_of(
    st.tuples(st.just("press"), st.sets(st.integers(1, 6)), st.none() | st.integers(0, 60)),
    st.tuples(st.just("send"), st.lists(st.integers(0, 20), max_size=12), st.none()),
    st.tuples(st.just("arrive"), st.booleans(), st.none()),
    st.tuples(st.just("acknowledge"), st.booleans(), st.none()),
    st.tuples(st.just("restart"), st.none(), st.none()),
    st.tuples(st.just("shorten"), st.none(), st.none()),
)


@given(st.lists(EVENTS, max_size=40))
def test_under_any_crashes_repetitions_and_disorder_every_count_is_taken_exactly_once(events: list[tuple]) -> None:  # type: ignore[type-arg]
    world = World()
    for name, value, more in events:
        match name:
            case "press":
                world.press(value, more)
            case "send":
                world.send(value)
            case "arrive":
                world.arrive(stored=value)
            case "acknowledge":
                world.acknowledge(written=value)
            case "restart":
                world.restart_logger()
            case "shorten":
                world.shorten()
    world.wire = list(world.logger.waiting)
    world.arrive(stored=True)
    world.acknowledge(written=True)
    assert [tuple(one.payload["wagers"][0]["positions"]) for one in world.stored] == world.pressed
    assert world.server.counters == (world.counter,)
    assert world.logger.waiting == ()
