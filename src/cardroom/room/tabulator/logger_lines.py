"""The data logger's file: one opening line, then a line for each record and each acknowledgment.

Lines are only appended. Each line begins with a checksum, so a damaged one is recognized, and the digests give the
order of the records. A damaged, unexpected, or missing line leaves a gap: the lines after it are read, but wait until
two people accept the gap.

A last line without its line feed was cut short by a crash. It was never shown and is dropped. A crash cannot leave a
last line that is complete and wrong: the logger writes a line at once with the line feed last, and lights the lights
only when the disk has all of it. So such a line was changed later, and may be a count that was shown.

Lines sent over the network may be lost, changed, repeated, or late. The server checks each line and takes the records
as far as they follow one another; for the rest, the response says from which number the logger must send again. Only
records that the logger itself has lost, and records that cannot be counted, wait for people (BJ-34).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, NamedTuple

from cardroom.room.codec import DecodeError, decode, encode
from cardroom.room.jackpot.event_values import LoggerGap, LoggerMark
from cardroom.room.tabulator.data_logger import (
    BadLoggerRecord,
    DataLogger,
    LoggerRecord,
    acknowledge_records,
    canonical_json,
    first_mark,
    is_successor,
    last_taken_mark,
    strange_record_error,
    text_digest,
)
from cardroom.room.tabulator.events import RoundTabulated
from cardroom.room.tabulator.plausibility import PlayRate, TooManyRounds, allow_round
from cardroom.room.tabulator.state import TabulatorState, apply_tabulator_event
from cardroom.room.tabulator.unit import CannotTabulate, CounterDiffers, take_record


class DamagedLine(NamedTuple):
    """A line that was changed, or that does not belong in its place."""

    number: int
    content: bytes
    checks: bool = False
    """Whether its checksum is right, so that it belongs elsewhere."""

    def describe(self, file: str) -> str:
        """
        >>> DamagedLine(4, b"").describe("A1-77.log")
        'Line 4 of A1-77.log is damaged'
        """
        fault = "does not follow the lines before it" if self.checks else "is damaged"
        return f"Line {self.number} of {file} {fault}"


@dataclass(frozen=True, slots=True)
class LogGap:
    """A gap in the file, after which records wait."""

    lines: tuple[DamagedLine, ...]
    """The damaged lines; empty if lines are missing."""
    next: LoggerRecord | None
    """The first record after it; None if no good record follows."""
    behind: int
    """The number of records after it."""
    rest: bytes
    """The content of the file after it."""
    at: int = 0
    """The line of the first record after it."""
    missing: int = 0
    """The number of the missing record."""

    def describe(self, file: str) -> str:
        """What is wrong, without a period."""
        if self.lines:
            return self.lines[0].describe(file)
        if self.next is None:
            return f"{file} is empty: its content is lost"
        return f"Line {self.at} of {file} is record {self.next.number}, but record {self.missing} is missing"


@dataclass(frozen=True, slots=True)
class LogContent:
    """A logger restored from its file, up to the first gap."""

    logger: DataLogger
    """Without the number of its unit, if neither the file nor the caller names it."""
    good_bytes: int
    """The length of the file without a line that a crash cut short; the logger appends there."""
    gap: LogGap | None = None
    damaged: tuple[DamagedLine, ...] = ()
    """All lines up to the end of the gap that were changed or do not belong there."""
    doubled: tuple[int, ...] = ()
    """Repeated lines."""
    moved: tuple[int, ...] = ()
    """Lines that are not in the order of their digests."""
    rounds: Mapping[str, int] = field(default_factory=dict)
    """The rounds in the file with the numbers of their records, including acknowledged ones."""

    def notes(self, file: str) -> tuple[str, ...]:
        """Harmless irregularities of the file."""
        return (
            *(f"Line {number} of {file} is there twice: it counts once." for number in self.doubled),
            *(f"Line {number} of {file} is out of order: it is read in its place." for number in self.moved),
        )


def opening_line(logger: DataLogger) -> bytes:
    """The first line of a file. A new file may start at any time with this line and the waiting records."""
    mark = logger.acknowledged
    entry: dict[str, Any] = {"logger": logger.unit, "after": mark.number, "seal": mark.seal}
    if mark.before:
        entry["before"] = mark.before
    if logger.counter and not logger.waiting:
        entry["counter"] = logger.counter
    return _encode_line(entry)


def record_line(record: LoggerRecord) -> bytes:
    """The line of a record: it is on the disk before the unit lights its lights."""
    return _encode_line(encode(record))


def acknowledgment_line(mark: LoggerMark) -> bytes:
    """The line of an acknowledgment. If it is lost, the logger forwards records again and the server ignores them."""
    return _encode_line({"acknowledged": mark.number, "seal": mark.seal})


def log_bytes(logger: DataLogger) -> bytes:
    """A file with the content of the logger."""
    return opening_line(logger) + b"".join(map(record_line, logger.waiting))


def log_after_gap(unit: str, gap: LogGap) -> bytes:
    """A file that continues after a gap."""
    assert gap.next is not None
    return opening_line(DataLogger(unit, mark_after_gap(gap.next))) + gap.rest


def mark_after_gap(record: LoggerRecord) -> LoggerMark:
    """Where a logger continues that lost the records before this one."""
    return LoggerMark(record.number - 1, "", record.seal)


def read_log(content: bytes, unit: str = "") -> LogContent:
    """Read a logger's file after a restart. ``unit`` names the unit in case the first line is damaged."""
    texts = content.split(b"\n")
    good = len(content) - len(texts[-1])
    complete_lines = [text.removesuffix(b"\r") for text in texts[:-1]]
    lines = [_LogLine(number, text, decode_line(text)) for number, text in enumerate(complete_lines, 1) if text.strip()]
    unread = DataLogger(unit, first_mark(unit))
    if not content.strip():
        return LogContent(unread, good, LogGap((), None, 0, b""))
    if all(line.content is None for line in lines):
        raise BadLoggerRecord(
            "The file has no line of a data logger. If it was a data logger's file, move it away, put an empty file in "
            "its place, and accept the gap."
        )
    first = lines[0].content
    if first is None or "logger" not in first:
        return _assemble_log(unread, lines, good)
    mark = LoggerMark(first["after"], first["seal"], first.get("before", ""))
    counter = first.get("counter", None if mark.number else 0)
    doubled = [line.number for line in lines[1:] if line.content == first]
    other_lines = [line for line in lines if line.content != first]
    content_read = _assemble_log(DataLogger(first["logger"], mark, counter=counter), other_lines, good)
    return replace(content_read, doubled=(*doubled, *content_read.doubled))


class _LogLine(NamedTuple):
    number: int
    text: bytes
    content: dict[str, Any] | None

    @property
    def mark(self) -> tuple[int, str]:
        """The number and digest of its record, or of the record that it acknowledges."""
        entry = self.content or {}
        return entry.get("number", entry.get("acknowledged", 0)), entry.get("seal", "")

    @property
    def is_record(self) -> bool:
        return self.content is not None and "number" in self.content

    @property
    def is_acknowledgment(self) -> bool:
        return self.content is not None and "acknowledged" in self.content


def _assemble_log(initial_logger: DataLogger, lines: Sequence[_LogLine], good: int) -> LogContent:
    """Put the records in the order of their digests as far as they follow one another; the rest is after a gap."""
    chain = _record_chain(initial_logger.acknowledged, lines)
    records = tuple(decode(LoggerRecord, line.content) for line in chain)
    logger = replace(
        initial_logger, waiting=records, counter=records[-1].counter if records else initial_logger.counter
    )
    last, known_marks = logger.last.number, {initial_logger.acknowledged[:2], *(line.mark for line in chain)}
    used = {line.number for line in chain}
    other_lines = [line for line in lines if line.number not in used]
    later_records = [line for line in other_lines if line.is_record and line.mark[0] > last]
    waiting = {line.mark for line in later_records}
    strange_lines = list[_LogLine]()
    doubled = list[int]()
    for line in other_lines:
        if line.is_record and line.mark in known_marks:
            doubled.append(line.number)
        elif line.is_acknowledgment and (
            line.mark in known_marks or line.mark[0] <= initial_logger.acknowledged.number
        ):
            logger = acknowledge_records(logger, LoggerMark(*line.mark))
        elif line.mark not in waiting:
            strange_lines.append(line)
    gap = _find_gap(strange_lines, later_records, other_lines, max(used, default=0), last)
    end = gap.at if gap and gap.next else None
    rounds = {record.round: record.number for record in records}
    return LogContent(
        logger,
        good,
        gap,
        _damaged_between(strange_lines, 0, end),
        tuple(doubled),
        tuple(_misplaced_lines(chain)),
        rounds,
    )


def _record_chain(mark: LoggerMark, lines: Sequence[_LogLine]) -> list[_LogLine]:
    """The lines of the records that follow one another, anywhere in the file."""
    by_number: dict[int, list[_LogLine]] = {}
    for line in lines:
        if line.is_record:
            by_number.setdefault(line.mark[0], []).append(line)
    chain = list[_LogLine]()
    while True:
        candidates = by_number.get(mark.number + 1, ())
        next_line = next((line for line in candidates if is_successor(mark, decode(LoggerRecord, line.content))), None)
        if next_line is None:
            return chain
        chain.append(next_line)
        mark = LoggerMark(*next_line.mark)


def _find_gap(
    strange_lines: Sequence[_LogLine],
    later_records: Sequence[_LogLine],
    other_lines: Sequence[_LogLine],
    end_of_chain: int,
    last: int,
) -> LogGap | None:
    """The first gap. If a record after an unexpected line follows the records before that line, no record was lost
    there, only an acknowledgment, which the server sends again."""
    if not later_records:
        lines = _damaged_between(strange_lines, end_of_chain)
        return LogGap(lines, None, 0, b"") if lines else None
    first = min(later_records, key=lambda line: line.mark[0])
    lines = _damaged_between(strange_lines, end_of_chain, first.number)
    later_marks = {line.mark for line in later_records}
    later = {line.number for line in strange_lines if line.number > first.number}
    rest = b"".join(line.text + b"\n" for line in other_lines if line.mark in later_marks or line.number in later)
    return LogGap(lines, decode(LoggerRecord, first.content), len(later_records), rest, first.number, last + 1)


def _damaged_between(lines: Iterable[_LogLine], after: int, before: int | None = None) -> tuple[DamagedLine, ...]:
    """The lines between two others."""
    return tuple(
        DamagedLine(line.number, line.text, line.content is not None)
        for line in lines
        if after < line.number and (before is None or line.number < before)
    )


def _misplaced_lines(chain: Sequence[_LogLine]) -> Iterable[int]:
    """The lines that come before a line that they follow."""
    furthest = 0
    for line in chain:
        if line.number < furthest:
            yield line.number
        furthest = max(furthest, line.number)


def _encode_line(content: dict[str, Any]) -> bytes:
    text = canonical_json(content)
    return f"{text_digest(text)[:8]} {text}\n".encode()


def decode_line(line: bytes) -> dict[str, Any] | None:
    """The content of a line; None if it was changed."""
    try:
        check, text = line.decode().split(" ", 1)
        entry = json.loads(text) if text_digest(text)[:8] == check else None
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None


_LARGEST: Final = 1 << 53
_LONGEST: Final = 200


class ForwardedLines(NamedTuple):
    """The lines that a logger has sent."""

    records: tuple[LoggerRecord, ...]
    """In the order of their numbers, each once."""
    damaged: tuple[int, ...] = ()
    """The numbers of changed lines, from 1."""
    units: frozenset[str] = frozenset()
    """The units named in opening lines."""


class RecordIntake(NamedTuple):
    """The records that were taken, and why the rest was not."""

    tabulated: tuple[RoundTabulated, ...]
    known: int
    """The number of records that were already in the ledger."""
    held_up: str = ""
    """Why the rest was not taken; empty if all were."""
    for_people: bool = False
    """Whether people must act, because sending again does not help."""
    gap: LoggerGap | None = None
    """Where the logger continues if two people accept the gap."""
    too_many: bool = False
    """Whether the table cannot have dealt so many rounds: two people accept or refuse them."""


def read_forwarded(lines: Sequence[str]) -> ForwardedLines:
    """The records of lines that ``record_line`` wrote. The server ignores acknowledgments.

    >>> read_forwarded(["9a1b2c3d {}"])
    ForwardedLines(records=(), damaged=(1,), units=frozenset())
    """
    records, damaged, units = dict[tuple[int, str], LoggerRecord](), list[int](), set[str]()
    for number, line in enumerate(lines, 1):
        entry = decode_line(line.removesuffix("\n").encode("utf-8", "replace"))
        if entry is not None and "logger" in entry:
            units.add(str(entry["logger"]))
        elif entry is None or "acknowledged" not in entry:
            try:
                record = _require_storable(decode(LoggerRecord, entry))
            except DecodeError:
                damaged.append(number)
            else:
                records[record.number, record.seal] = record
    return ForwardedLines(tuple(records[key] for key in sorted(records)), tuple(damaged), frozenset(units))


def _require_storable(record: LoggerRecord) -> LoggerRecord:
    """The record; refuse one that the ledger cannot store."""
    numbers = (record.number, record.time, record.counter, *record.positions, *record.lammers)
    texts = (record.round, record.dealer, record.seal)
    if not all(0 <= value < _LARGEST for value in numbers) or not all(_is_valid_text(value) for value in texts):
        raise DecodeError(f"Record {record.number} has values that no logger writes.")
    return record


def _is_valid_text(text: str) -> bool:
    return 0 < len(text) <= _LONGEST and text.isprintable()


def take_forwarded(
    state: TabulatorState,
    forwarded: ForwardedLines,
    refuse_counted: Callable[[str], None],
    pace: PlayRate,
    *,
    lost_up_to: int = 0,
) -> RecordIntake:
    """Take the records that follow the last one. ``refuse_counted`` refuses a round that was counted already; a round
    that the table cannot have dealt at its ``pace`` is not taken; ``lost_up_to`` is the last record that the logger
    itself has lost and cannot forward."""
    if not state.table.model.data_logger:
        raise CannotTabulate(f"{state.table.model.name} has no data logger.")
    for unit in forwarded.units - {state.unit}:
        raise BadLoggerRecord(f"The lines are from unit {unit}, but {state.table.table} has unit {state.unit}.")
    take = RecordIntake((), 0)
    for record in forwarded.records:
        last = last_taken_mark(state)
        if record.number < last.number or (record.number == last.number and record.seal == last.seal):
            take = take._replace(known=take.known + 1)
            continue
        take = _take_next(take, state, record, refuse_counted, pace)
        if take.held_up:
            break
        state = apply_tabulator_event(state, take.tabulated[-1])
    if take.gap and take.gap.mark.before and take.gap.mark.number != lost_up_to:
        take = take._replace(for_people=False, gap=None)
    if forwarded.damaged:
        take = take._replace(held_up=_describe_damaged(forwarded.damaged) + f" {take.held_up}" * bool(take.held_up))
    return take


def _take_next(
    take: RecordIntake,
    state: TabulatorState,
    record: LoggerRecord,
    refuse_counted: Callable[[str], None],
    pace: PlayRate,
) -> RecordIntake:
    """Take one record, or say why it is not taken."""
    last = last_taken_mark(state)
    if record.number > last.number + 1:
        gap = LoggerGap(mark_after_gap(record), max(record.counter - len(record.positions), 0))
        missing = f"Record {record.number} of {state.unit} arrived, but record {last.number + 1} is missing"
        return take._replace(held_up=f"{missing}: forward from {last.number + 1} on.", for_people=True, gap=gap)
    if record.number == last.number or not is_successor(last, record):
        return take._replace(held_up=str(strange_record_error(record, state)), for_people=True)
    try:
        refuse_counted(record.round)
        allowance = allow_round(state, pace, pace.effective_time(record.time))
        tabulated = replace(take_record(state, record), **allowance._asdict())
        return take._replace(tabulated=(*take.tabulated, tabulated))
    except TooManyRounds as fault:
        return take._replace(held_up=str(fault), for_people=True, too_many=True)
    except CounterDiffers as fault:
        return take._replace(held_up=str(fault), for_people=True)
    except CannotTabulate as fault:
        gap_after = LoggerGap(LoggerMark(record.number, record.seal), record.counter)
        return take._replace(held_up=f"Record {record.number}: {fault}", for_people=True, gap=gap_after)


def _describe_damaged(lines: Sequence[int]) -> str:
    """
    >>> _describe_damaged([3])
    'Line 3 of the request is damaged: send it again.'
    """
    numbers = ", ".join(map(str, lines))
    if len(lines) == 1:
        return f"Line {numbers} of the request is damaged: send it again."
    return f"Lines {numbers} of the request are damaged: send them again."
