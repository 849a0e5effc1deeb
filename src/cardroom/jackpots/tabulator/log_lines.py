"""The data logger's file: a line for the beginning, a line for each record, a line for each acknowledgement.

It is only ever added to. Each line begins with a check of what it says, so a damaged one is known. A last line that a
crash cut short was never shown to anybody and is dropped; damage in the middle leaves a gap, and what comes behind it
is read, but waits until two people have accepted the gap.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.plain import read_as, written
from cardroom.jackpots.tabulator.logger import BadLog, Logger, Record, acknowledge, digest, follows, plain


class DamagedLine(NamedTuple):
    """A line that is not what was written."""

    number: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Gap:
    """Where the file is damaged."""

    lines: tuple[DamagedLine, ...]
    next: Record | None
    """The first record behind it; None when nothing that is good comes behind it."""
    behind: int
    """How many records come behind it."""
    rest: bytes
    """The file from there on, as it is."""


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A logger as its file gives it back, up to the first gap."""

    logger: Logger
    good_bytes: int
    """The length of the file without the line that a crash cut short; it goes on from there."""
    gap: Gap | None = None
    damaged: tuple[DamagedLine, ...] = ()
    """All lines up to the end of the gap that are not what was written."""


def opening_line(logger: Logger) -> bytes:
    """The first line of a file. A new file may be begun at any time with this line and the records that wait."""
    mark = logger.acknowledged
    entry: dict[str, Any] = {"logger": logger.unit, "after": mark.number, "seal": mark.seal}
    if mark.before:
        entry["before"] = mark.before
    if logger.counter and not logger.waiting:
        entry["counter"] = logger.counter
    return _line(entry)


def record_line(record: Record) -> bytes:
    """The line of a record: written and made safe before its lights are lit."""
    return _line(written(record))


def acknowledged_line(mark: LoggerMark) -> bytes:
    """The line of an acknowledgement. If it is lost, records are forwarded again and the server ignores them."""
    return _line({"acknowledged": mark.number, "seal": mark.seal})


def log_bytes(logger: Logger) -> bytes:
    """A whole file that holds what the logger holds."""
    return opening_line(logger) + b"".join(map(record_line, logger.waiting))


def log_behind(unit: str, gap: Gap) -> bytes:
    """A whole file that goes on behind a gap."""
    assert gap.next is not None
    return opening_line(Logger(unit, mark_behind(gap.next))) + gap.rest


def mark_behind(record: Record) -> LoggerMark:
    """Where a logger goes on that has lost what came before this record."""
    return LoggerMark(record.number - 1, "", record.seal)


def read_log(content: bytes) -> ReadLog:
    """Read a logger's file after a restart."""
    texts = content.split(b"\n")
    lines = [_Line(number, text, _entry(text)) for number, text in enumerate(texts[:-1], 1)]
    good = len(content) - len(texts[-1])
    if lines and lines[-1].entry is None:
        good -= len(lines.pop().text) + 1
    if not lines:
        raise BadLog("The logger's file has no beginning: begin it anew with the number of the unit.")
    if lines[0].entry is None or "logger" not in lines[0].entry:
        raise BadLog("The logger's file does not begin with the number of its unit: keep it, and begin a new one.")
    logger, gap, damaged = _up_to_the_gap(lines)
    return ReadLog(logger, good, gap, damaged)


class _Line(NamedTuple):
    number: int
    text: bytes
    entry: dict[str, Any] | None


def _up_to_the_gap(lines: Sequence[_Line]) -> tuple[Logger, Gap | None, tuple[DamagedLine, ...]]:
    """What is read before the first gap, the gap, and all damaged lines up to its end. Where the records behind a
    damaged line follow on those before it, only an acknowledgement was lost, which the server gives again."""
    damaged: tuple[DamagedLine, ...] = ()
    while True:
        first = next((at for at, line in enumerate(lines) if line.entry is None), len(lines))
        logger = _replayed([line.entry for line in lines[:first] if line.entry is not None])
        if first == len(lines):
            return logger, None, damaged
        gap = _gap(lines, first)
        damaged += gap.lines
        if gap.next is None or gap.next.number != logger.last.number + 1 or not follows(logger.last, gap.next):
            return _acknowledged_behind(logger, lines[first:]), gap, damaged
        lines = [line for line in lines if line.number not in {one.number for one in gap.lines}]


def _acknowledged_behind(logger: Logger, behind: Sequence[_Line]) -> Logger:
    """What a server took over after the damage was done."""
    known = {(record.number, record.seal) for record in logger.waiting}
    for line in behind:
        entry = line.entry or {}
        if (entry.get("acknowledged"), entry.get("seal")) in known:
            logger = acknowledge(logger, LoggerMark(entry["acknowledged"], entry["seal"]))
    return logger


def _gap(lines: Sequence[_Line], first: int) -> Gap:
    """The damaged lines, and what comes behind them."""
    behind = [line for line in lines[first:] if line.entry is not None and "number" in line.entry]
    end = behind[0].number if behind else lines[-1].number + 1
    damaged = tuple(DamagedLine(one.number, one.text) for one in lines if one.entry is None and one.number < end)
    rest = b"".join(line.text + b"\n" for line in lines if line.number >= end)
    return Gap(damaged, read_as(Record, behind[0].entry) if behind else None, len(behind), rest)


def _replayed(entries: Sequence[dict[str, Any]]) -> Logger:
    first = entries[0]
    mark = LoggerMark(first["after"], first["seal"], first.get("before", ""))
    counter = first.get("counter", None if mark.number else 0)
    logger = Logger(first["logger"], mark)
    acknowledged, waiting, last = mark, list[Record](), mark
    for entry in entries[1:]:
        if "acknowledged" in entry:
            acknowledged = LoggerMark(entry["acknowledged"], entry["seal"])
            continue
        record = read_as(Record, entry)
        if record.number != last.number + 1 or not follows(last, record):
            raise BadLog(f"After record {last.number} the logger's file goes on with something else.")
        waiting.append(record)
        last, counter = LoggerMark(record.number, record.seal), record.counter
    return acknowledge(replace(logger, waiting=tuple(waiting), counter=counter), acknowledged)


def _line(entry: dict[str, Any]) -> bytes:
    text = plain(entry)
    return f"{digest(text)[:8]} {text}\n".encode()


def _entry(line: bytes) -> dict[str, Any] | None:
    """What a line says; None when it is not what was written."""
    try:
        check, text = line.decode().split(" ", 1)
        entry: dict[str, Any] | None = json.loads(text) if digest(text)[:8] == check else None
    except ValueError:
        return None
    return entry
