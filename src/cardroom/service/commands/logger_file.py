"""The file of Andromeda-1's data logger: each count is on disk before its lights are lit, and waits there for a server.

A crash can cut the last line short. No light was lit for it, so it is dropped when the file is opened again. A line
that is damaged, or that does not belong there, is moved to a file of its own beside this one.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import BinaryIO, Final, Unpack

from cardroom.private_files import open_private_file
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.tabulator.data_logger import (
    BadLoggerRecord,
    DataLogger,
    LoggerRecord,
    PressDetails,
    acknowledge_records,
    new_logger,
    write_record,
)
from cardroom.room.tabulator.logger_lines import (
    LogGap,
    acknowledgment_line,
    log_after_gap,
    log_bytes,
    read_log,
    record_line,
)

COMPACT_AFTER_BYTES: Final = 1 << 20
"""Bytes after which a file that holds mostly old records is rewritten."""


class LoggerGapPending(BadLoggerRecord):
    """An action that waits until a gap in the file is accepted."""


class LoggerFull(RuntimeError):
    """The logger's file could not be written: nothing was recorded, so no light may be lit."""


class LoggerFile:
    """A data logger on disk. Only one program at a time opens it."""

    logger: DataLogger
    gap: LogGap | None
    """Where the file is damaged; the logger has the records before it."""
    notes: tuple[str, ...]
    """What is unusual about the file and does no harm."""

    def __init__(self, path: Path | str, unit: str) -> None:
        self._path = Path(path)
        if not self._path.exists():
            self._replace_file(log_bytes(new_logger(unit)))
        self._load(unit)

    def _load(self, unit: str) -> None:
        log = read_log(self._path.read_bytes(), unit)
        if log.logger.unit != unit:
            raise BadLoggerRecord(f"{self._path.name} is the file of {log.logger.unit}, not of {unit}.")
        self.logger, self.gap, self.notes = log.logger, log.gap, log.notes(self.name)
        self._rounds = dict(log.rounds)
        self._size = log.good_bytes
        self._file: BinaryIO = self._path.open("r+b")
        self._truncate()
        for line in log.damaged:
            self.set_aside(f"line {line.number}", line.content)

    @property
    def name(self) -> str:
        """The name of the file, without its folder."""
        return self._path.name

    @property
    def damaged_file(self) -> Path:
        """The file for lines that could not be forwarded."""
        return self._path.with_name(f"{self._path.name}.damaged")

    @property
    def pending_records(self) -> tuple[LoggerRecord, ...]:
        """The records that no server has acknowledged."""
        return self.logger.waiting

    def record(self, round_id: str, positions: Iterable[int], **options: Unpack[PressDetails]) -> LoggerRecord:
        """Record one press of the button. When this returns the record is on disk, and the lights may be lit."""
        self.refuse_gap()
        if round_id in self._rounds:
            raise BadLoggerRecord(
                f"Round {round_id} is in {self.name} already, as record {self._rounds[round_id]}: give the new round "
                "an id of its own."
            )
        after = write_record(self.logger, round_id, positions, **options)
        record = after.waiting[-1]
        self._append(record_line(record))
        self.logger = after
        self._rounds[round_id] = record.number
        return record

    def refuse_gap(self) -> None:
        """Nothing is written behind a gap: what was lost may have had the same number."""
        if self.gap is not None:
            raise LoggerGapPending(
                f"{self.gap.describe(self.name)}: nothing can be written behind the gap. Forward the file, and let "
                "two people accept the gap."
            )

    def acknowledge(self, mark: LoggerMark) -> None:
        """Drop the records that a server has taken over."""
        after = acknowledge_records(self.logger, mark)
        if after == self.logger:
            return
        self._append(acknowledgment_line(mark))
        self.logger = after
        if self._size > COMPACT_AFTER_BYTES and self._size > 4 * len(log_bytes(after)):
            self._file.close()
            self._replace_file(log_bytes(after))
            self._file = self._path.open("r+b")
            self._size = self._path.stat().st_size

    def set_aside(self, label: str, content: bytes) -> None:
        """Copy a line elsewhere, once, before the file continues without it."""
        line = label.encode() + b": " + content + b"\n"
        with open_private_file(self.damaged_file, "a+b") as file:
            file.seek(0)
            if line not in file.readlines():
                file.write(line)
                file.flush()
                os.fsync(file.fileno())

    def skip_gap(self, mark: LoggerMark) -> None:
        """Begin a new file behind the gap, which two people have accepted. Where nothing comes behind it, no number up
        to ``mark`` is used again."""
        gap, unit = self.gap, self.logger.unit
        assert gap is not None
        self._file.close()
        before = replace(self.logger, counter=None)
        if mark.number > before.last.number:
            before = replace(before, acknowledged=mark, waiting=())
        self._replace_file(log_after_gap(unit, gap) if gap.next else log_bytes(before))
        self._load(unit)

    def close(self) -> None:
        """Close the file; what was written is on disk."""
        self._file.close()

    def __enter__(self) -> LoggerFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _append(self, line: bytes) -> None:
        try:
            self._file.seek(self._size)
            self._file.write(line)
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as fault:
            self._reopen()
            raise LoggerFull(f"{self._path.name} could not be written ({fault}): nothing was recorded.") from fault
        self._size += len(line)

    def _reopen(self) -> None:
        """Drop what was half written, also what the file object still buffers."""
        with suppress(OSError):
            self._file.close()
        self._file = self._path.open("r+b")
        self._truncate()

    def _truncate(self) -> None:
        self._file.truncate(self._size)
        os.fsync(self._file.fileno())

    def _replace_file(self, content: bytes) -> None:
        """Replace the file by a new one, atomically."""
        part = self._path.with_name(f"{self._path.name}.part")
        with open_private_file(part, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(part, self._path)
        folder = os.open(self._path.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def read_unit(path: Path | str) -> str:
    """The unit of the file."""
    log = read_log(Path(path).read_bytes())
    if not log.logger.unit:
        assert log.gap is not None
        raise LoggerGapPending(
            f"{log.gap.describe(Path(path).name)}, so the file does not show its unit: forward the file, and let two "
            "people accept the gap."
        )
    return log.logger.unit
