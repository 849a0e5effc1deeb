"""A simulated Andromeda-1: each press is in the logger's file before its lights are lit, and is forwarded later.

Play continues while the server is unreachable. Lines may be lost, changed, or late. The logger forwards the records
that the server has not stored, with a new id for each new set of lines, and with the same id until there is a response.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.ledger import Clock
from cardroom.private_files import open_private_file
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.tabulator.data_logger import DataLogger
from cardroom.room.tabulator.logger_lines import log_bytes, record_line
from cardroom.service import LoggerFile
from cardroom_equipment_simulators.connection import (
    DeviceConnection,
    NoAnswer,
    RetriesExhausted,
    check_same_response,
)
from cardroom_equipment_simulators.tabulator import TabulatorUnit, WagerLayout

BATCH_SIZE: Final = 50
"""Records per request."""


class RecordBatch(NamedTuple):
    """Forwarded lines, repeated unchanged until there is a response."""

    id: str
    lines: tuple[str, ...]
    lost_up_to: int = 0
    """The last record that the logger has lost."""

    @property
    def body(self) -> dict[str, Any]:
        return {"id": self.id, "lines": list(self.lines), "lost_up_to": self.lost_up_to}


class DataLoggerSimulator:
    """The unit, its logger's file, and the pending records."""

    def __init__(
        self,
        unit: TabulatorUnit,
        connection: DeviceConnection,
        clock: Clock,
        run: str,
        report: Callable[[str], None],
        *,
        path: Path,
        dealer: str,
    ) -> None:
        self.unit, self._connection, self._clock, self._run, self._report = unit, connection, clock, run, report
        self._failures, self._path, self._dealer = connection.failures, path, dealer
        self._file = LoggerFile(path, unit.number)
        self._batch_count = 0
        self._batch: RecordBatch | None = None
        self._last: tuple[RecordBatch, Any] | None = None
        self._reported = ""
        self._read_counter()

    @property
    def pending_count(self) -> int:
        """The number of records that the server has not stored."""
        return len(self._file.pending_records) + (self._file.gap.behind if self._file.gap else 0)

    def press(self, number: int, layout: WagerLayout) -> None:
        """The dealer presses the button in a round."""
        failures = self._failures.plan
        if self._file.gap is not None:  # no record can follow a gap
            self.finish()
            self._read_counter()
        if failures.jump.at == number:
            self.unit = self.unit.jump_counters(failures.jump.by)
            self._failures.record("jump")
        self.unit = self.unit.press(layout)
        sensor = self.unit.sensors[0].sensor
        positions = layout.covered.get(sensor, ())
        record = self._file.record(
            f"{self.unit.number}-{self._file.logger.last.number + 1}",
            positions,
            time=max(self._clock(), 0),
            dealer=self._dealer,
            counter=self.unit.counters[sensor],
            lammers=layout.lammers.get(sensor, ()),
        )
        self.unit = self.unit.with_lights((position, sensor) for position in positions)
        if failures.forget == number:
            return
        if failures.forget and failures.forget == number - 1:
            self._forget(record.number - 1)
            self.finish()
        elif not self._failures.occurs("late"):
            self.forward()

    def forward(self) -> bool:
        """Forward pending records while the server responds. Return whether none is left."""
        while batch := self._batch or self._next_batch():
            self._batch = batch
            try:
                result = self._connection.send_once("POST", "/records", batch.body).content
                self._repeat()
            except NoAnswer:
                return False
            self._batch, self._last = None, (batch, result)
            self._release(LoggerMark(result["taken"], result["seal"]))
            if result["for_people"]:
                self._report_hold(result["held_up"])
                return False
        return True

    def _repeat(self) -> None:
        """Occasionally repeat the last batch, which must get the first response again."""
        if self._last is not None and self._failures.occurs("repeat"):
            batch, first = self._last
            check_same_response(batch.id, first, self._connection.send_once("POST", "/records", batch.body).content)

    def finish(self) -> None:
        """Forward until the server has stored everything."""
        for _ in self._connection.pauses():
            if self.forward():
                return
        pending = f"{self.pending_count} record{'s are' if self.pending_count != 1 else ' is'} pending"
        raise RetriesExhausted(f"{pending} in {self._path.name}. {self._reported or 'The server does not respond.'}")

    def close(self) -> None:
        self._file.close()

    def _next_batch(self) -> RecordBatch | None:
        """The next batch: pending records, then those after a gap."""
        file = self._file
        lost_up_to = 0
        lines = [record_line(record).decode() for record in file.pending_records[:BATCH_SIZE]]
        if not lines and file.gap is not None and file.gap.next is not None:
            lines = file.gap.rest.decode("utf-8", "replace").splitlines(keepends=True)[:BATCH_SIZE]
            lost_up_to = file.gap.next.number - 1
        if not lines:
            return None
        self._batch_count += 1
        return RecordBatch(f"{self._run}-{self._batch_count}", tuple(self._distort(lines)), lost_up_to)

    def _distort(self, lines: Sequence[str]) -> Sequence[str]:
        """The lines as they arrive after failures. At least one always arrives."""
        kept = [line for line in lines if not self._failures.occurs("lost_lines")] or list(lines[-1:])
        arrive = [_garble(line) if self._failures.occurs("garbled") else line for line in kept]
        return arrive[::-1] if self._failures.occurs("late") else arrive

    def _release(self, mark: LoggerMark) -> None:
        """Remove stored records. After an accepted gap, the file continues."""
        gap = self._file.gap
        if gap is not None and gap.next is not None and mark.number >= gap.next.number - 1:
            self._file.skip_gap(mark)
        if mark.seal:
            self._file.acknowledge(mark)

    def _report_hold(self, reason: str) -> None:
        if reason != self._reported:
            self._report(f"on hold: {reason}")
        self._reported = reason

    def _read_counter(self) -> None:
        """Set the counter from the last record, if that is higher than the server's."""
        counter, sensor = self._file.logger.counter, self.unit.sensors[0].sensor
        if counter is not None:
            self.unit = self.unit._replace(counters={sensor: max(counter, self.unit.counters[sensor])})

    def _forget(self, number: int) -> None:
        """Lose a record permanently."""
        self._failures.record("forget")
        line = next(record_line(record) for record in self._file.pending_records if record.number == number)
        self._file.close()
        self._path.write_bytes(self._path.read_bytes().replace(line, b""))
        self._file = LoggerFile(self._path, self.unit.number)


def create_log_file(path: Path, unit: TabulatorUnit, mark: LoggerMark) -> None:
    """Create the file of a unit. It continues after the records that the server already has."""
    if not path.exists() and mark.number and mark.seal:
        with open_private_file(path, "wb") as file:
            file.write(log_bytes(DataLogger(unit.number, mark, counter=unit.counters[unit.sensors[0].sensor])))


def _garble(line: str) -> str:
    """A line with one changed character.

    >>> _garble("9a1b2c3d {}")
    '9a1b2c3d {~'
    """
    text = line.rstrip("\n")
    return text[:-1] + "~"
