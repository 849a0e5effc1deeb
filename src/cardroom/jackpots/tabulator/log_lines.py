"""The data logger's file: a line for the beginning, a line for each record, a line for each acknowledgement.

It is only ever added to. Each line begins with a check of what it says, so a damaged one is known, and the seals say in
which order the records belong. A line that is damaged or strange, or one that is missing, leaves a gap: what comes
behind it is read, but waits until two people have accepted the gap.

A last line without its end was cut short by a crash. It was never shown to anybody and is dropped. A crash leaves no
last line that has its end and is wrong: a line goes to the disk with one write, its end comes last, and the lights are
lit only when the disk has all of it. So such a line was changed later, and may be a count that was shown.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.plain import read_as, written
from cardroom.jackpots.tabulator.logger import BadLog, Logger, Record, acknowledge, beginning, digest, follows, plain


class DamagedLine(NamedTuple):
    """A line that is not what was written, or that does not belong where it is."""

    number: int
    content: bytes
    checks: bool = False
    """Whether it is what somebody wrote, though not here."""

    def told(self, file: str) -> str:
        """
        >>> DamagedLine(4, b"").told("A1-77.log")
        'Line 4 of A1-77.log is damaged'
        """
        fault = "does not follow on the lines before it" if self.checks else "is damaged"
        return f"Line {self.number} of {file} {fault}"


@dataclass(frozen=True, slots=True)
class Gap:
    """Where the file cannot be gone on with."""

    lines: tuple[DamagedLine, ...]
    """None of them where lines are missing."""
    next: Record | None
    """The first record behind it; None when nothing that is good comes behind it."""
    behind: int
    """How many records come behind it."""
    rest: bytes
    """The file from there on, as it is."""
    at: int = 0
    """The line of the first record behind it."""
    missing: int = 0
    """The number of the record that should come first."""

    def told(self, file: str) -> str:
        """What is wrong, without a full stop."""
        if self.lines:
            return self.lines[0].told(file)
        if self.next is None:
            return f"{file} is empty: what it held is lost"
        return f"Line {self.at} of {file} is record {self.next.number}, but record {self.missing} is missing"


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A logger as its file gives it back, up to the first gap."""

    logger: Logger
    """Without the number of its unit where neither the file nor the reader knew it."""
    good_bytes: int
    """The length of the file without the line that a crash cut short; it goes on from there."""
    gap: Gap | None = None
    damaged: tuple[DamagedLine, ...] = ()
    """All lines up to the end of the gap that are not what was written, or do not belong there."""
    doubled: tuple[int, ...] = ()
    """Lines that are there for a second time."""
    moved: tuple[int, ...] = ()
    """Lines that are not in the place where their seals say that they belong."""
    rounds: Mapping[str, int] = field(default_factory=dict)
    """The rounds that the file holds, with the numbers of their records; also those that a server has taken over."""

    def notes(self, file: str) -> tuple[str, ...]:
        """What is odd about the file and does no harm."""
        return (
            *(f"Line {number} of {file} is there twice: it counts once." for number in self.doubled),
            *(f"Line {number} of {file} is not in its place: its seal says where it belongs." for number in self.moved),
        )


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


def read_log(content: bytes, unit: str = "") -> ReadLog:
    """Read a logger's file after a restart. ``unit`` is known from elsewhere, where the first line is damaged."""
    texts = content.split(b"\n")
    good = len(content) - len(texts[-1])
    whole = [text.removesuffix(b"\r") for text in texts[:-1]]
    lines = [_Line(number, text, line_entry(text)) for number, text in enumerate(whole, 1) if text.strip()]
    unread = Logger(unit, beginning(unit))
    if not content.strip():
        return ReadLog(unread, good, Gap((), None, 0, b""))
    if all(line.entry is None for line in lines):
        raise BadLog(
            "There is no line of a data logger in the file. If it was one, keep it elsewhere, put an empty file in its "
            "place and accept the gap."
        )
    first = lines[0].entry
    if first is None or "logger" not in first:
        return _read(unread, lines, good)
    mark = LoggerMark(first["after"], first["seal"], first.get("before", ""))
    counter = first.get("counter", None if mark.number else 0)
    doubled = [line.number for line in lines[1:] if line.entry == first]
    others = [line for line in lines if line.entry != first]
    read = _read(Logger(first["logger"], mark, counter=counter), others, good)
    return replace(read, doubled=(*doubled, *read.doubled))


class _Line(NamedTuple):
    number: int
    text: bytes
    entry: dict[str, Any] | None

    @property
    def mark(self) -> tuple[int, str]:
        """The number and the seal of its record, or of the one that it acknowledges."""
        entry = self.entry or {}
        return entry.get("number", entry.get("acknowledged", 0)), entry.get("seal", "")

    @property
    def is_record(self) -> bool:
        return self.entry is not None and "number" in self.entry

    @property
    def is_acknowledgement(self) -> bool:
        return self.entry is not None and "acknowledged" in self.entry


def _read(opened: Logger, lines: Sequence[_Line], good: int) -> ReadLog:
    """Put the records one behind the other as their seals say, as far as they go; the rest comes behind a gap."""
    chain = _chain(opened.acknowledged, lines)
    records = tuple(read_as(Record, line.entry) for line in chain)
    logger = replace(opened, waiting=records, counter=records[-1].counter if records else opened.counter)
    last, known = logger.last.number, {opened.acknowledged[:2], *(line.mark for line in chain)}
    used = {line.number for line in chain}
    others = [line for line in lines if line.number not in used]
    behind = [line for line in others if line.is_record and line.mark[0] > last]
    waiting = {line.mark for line in behind}
    strange = list[_Line]()
    doubled = list[int]()
    for line in others:
        if line.is_record and line.mark in known:
            doubled.append(line.number)
        elif line.is_acknowledgement and (line.mark in known or line.mark[0] <= opened.acknowledged.number):
            logger = acknowledge(logger, LoggerMark(*line.mark))
        elif line.mark not in waiting:
            strange.append(line)
    gap = _gap(strange, behind, others, max(used, default=0), last)
    end = gap.at if gap and gap.next else None
    rounds = {record.round: record.number for record in records}
    return ReadLog(logger, good, gap, _damaged(strange, 0, end), tuple(doubled), tuple(_out_of_place(chain)), rounds)


def _chain(mark: LoggerMark, lines: Sequence[_Line]) -> list[_Line]:
    """The lines of the records that follow on one another, wherever in the file they are."""
    by_number: dict[int, list[_Line]] = {}
    for line in lines:
        if line.is_record:
            by_number.setdefault(line.mark[0], []).append(line)
    chain = list[_Line]()
    while True:
        candidates = by_number.get(mark.number + 1, ())
        found = next((line for line in candidates if follows(mark, read_as(Record, line.entry))), None)
        if found is None:
            return chain
        chain.append(found)
        mark = LoggerMark(*found.mark)


def _gap(
    strange: Sequence[_Line], behind: Sequence[_Line], others: Sequence[_Line], end_of_chain: int, last: int
) -> Gap | None:
    """What cannot be gone on with. Where a record follows behind a strange line on those before it, no record was lost
    there: only an acknowledgement, which the server gives again."""
    if not behind:
        lines = _damaged(strange, end_of_chain)
        return Gap(lines, None, 0, b"") if lines else None
    first = min(behind, key=lambda line: line.mark[0])
    lines = _damaged(strange, end_of_chain, first.number)
    kept = {line.mark for line in behind}
    later = {line.number for line in strange if line.number > first.number}
    rest = b"".join(line.text + b"\n" for line in others if line.mark in kept or line.number in later)
    return Gap(lines, read_as(Record, first.entry), len(behind), rest, first.number, last + 1)


def _damaged(lines: Iterable[_Line], after: int, before: int | None = None) -> tuple[DamagedLine, ...]:
    """The lines between two others."""
    return tuple(
        DamagedLine(line.number, line.text, line.entry is not None)
        for line in lines
        if after < line.number and (before is None or line.number < before)
    )


def _out_of_place(chain: Sequence[_Line]) -> Iterable[int]:
    """The lines that stand before one on which they follow."""
    furthest = 0
    for line in chain:
        if line.number < furthest:
            yield line.number
        furthest = max(furthest, line.number)


def _line(entry: dict[str, Any]) -> bytes:
    text = plain(entry)
    return f"{digest(text)[:8]} {text}\n".encode()


def line_entry(line: bytes) -> dict[str, Any] | None:
    """What a line says; None when it is not what was written."""
    try:
        check, text = line.decode().split(" ", 1)
        entry = json.loads(text) if digest(text)[:8] == check else None
    except (ValueError, RecursionError):
        return None
    return entry if isinstance(entry, dict) else None
