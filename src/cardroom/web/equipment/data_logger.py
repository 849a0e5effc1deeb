"""An Andromeda-1 at work: each press is safe in the logger's file before its lights are lit, and is forwarded later.

The table plays on while the server is away. Lines are lost, changed and late on the way; the logger forwards what the
server has not taken, under a new id for every other set of lines, and under the same id while nobody has answered.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from cardroom.floor import LoggerFile
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.tabulator.log_lines import log_bytes, record_line
from cardroom.jackpots.tabulator.logger import Logger
from cardroom.ledger import Clock
from cardroom.private_files import open_private_file
from cardroom.web.equipment.line import GaveUp, Line, NoAnswer, refuse_another
from cardroom.web.equipment.unit import Layout, Unit

TOGETHER: Final = 50
"""Records that are forwarded at once."""


class Parcel(NamedTuple):
    """Lines on their way: sent again as they are until there is an answer."""

    id: str
    lines: tuple[str, ...]
    lost_up_to: int = 0
    """The last record that the logger has no longer."""

    @property
    def body(self) -> dict[str, Any]:
        return {"id": self.id, "lines": list(self.lines), "lost_up_to": self.lost_up_to}


class DataLoggerAtWork:
    """The unit, its logger's file, and what is on its way."""

    def __init__(
        self, unit: Unit, line: Line, clock: Clock, run: str, tell: Callable[[str], None], *, path: Path, dealer: str
    ) -> None:
        self.unit, self._line, self._clock, self._run, self._tell = unit, line, clock, run, tell
        self._trouble, self._path, self._dealer = line.trouble, path, dealer
        self._file = LoggerFile(path, unit.number)
        self._parcels = 0
        self._on_its_way: Parcel | None = None
        self._last: tuple[Parcel, Any] | None = None
        self._told = ""
        self._read_counter()

    @property
    def waiting(self) -> int:
        """How many records the server has not taken."""
        return len(self._file.waiting) + (self._file.gap.behind if self._file.gap else 0)

    def press(self, number: int, layout: Layout) -> None:
        """The dealer presses the button in a round."""
        failures = self._trouble.failures
        if self._file.gap is not None:  # nothing is written behind it
            self.finish()
            self._read_counter()
        if failures.jump.at == number:
            self.unit = self.unit.jumped(failures.jump.by)
            self._trouble.note("jump")
        self.unit = self.unit.pressed(layout)
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
        elif not self._trouble.comes("late"):
            self.forward()

    def forward(self) -> bool:
        """Forward what waits, as far as somebody answers; whether nothing waits any longer."""
        while parcel := self._on_its_way or self._parcel():
            self._on_its_way = parcel
            try:
                answer = self._line.once("POST", "/records", parcel.body).content
                self._repeat()
            except NoAnswer:
                return False
            self._on_its_way, self._last = None, (parcel, answer)
            self._let_go(LoggerMark(answer["taken"], answer["seal"]))
            if answer["for_people"]:
                self._held_up(answer["held_up"])
                return False
        return True

    def _repeat(self) -> None:
        """Now and then send once more what was answered last: the first answer comes again, whatever came since."""
        if self._last is not None and self._trouble.comes("repeat"):
            parcel, first = self._last
            refuse_another(parcel.id, first, self._line.once("POST", "/records", parcel.body).content)

    def finish(self) -> None:
        """Forward until everything is taken."""
        for _ in self._line.pauses():
            if self.forward():
                return
        waits = f"{self.waiting} record{'s wait' if self.waiting != 1 else ' waits'}"
        raise GaveUp(f"{waits} in {self._path.name}. {self._told or 'Nobody answers.'}")

    def close(self) -> None:
        self._file.close()

    def _parcel(self) -> Parcel | None:
        """What is forwarded next: the records that wait; when all of them are taken, those behind a gap."""
        file = self._file
        lost_up_to = 0
        lines = [record_line(record).decode() for record in file.waiting[:TOGETHER]]
        if not lines and file.gap is not None and file.gap.next is not None:
            lines = file.gap.rest.decode("utf-8", "replace").splitlines(keepends=True)[:TOGETHER]
            lost_up_to = file.gap.next.number - 1
        if not lines:
            return None
        self._parcels += 1
        return Parcel(f"{self._run}-{self._parcels}", tuple(self._on_the_way(lines)), lost_up_to)

    def _on_the_way(self, lines: Sequence[str]) -> Sequence[str]:
        """The lines as they arrive. A server that gets none of them cannot answer, so one always does."""
        left = [line for line in lines if not self._trouble.comes("lost_lines")] or list(lines[-1:])
        arrive = [_changed(line) if self._trouble.comes("garbled") else line for line in left]
        return arrive[::-1] if self._trouble.comes("late") else arrive

    def _let_go(self, taken: LoggerMark) -> None:
        """Forget what the server has taken; behind a gap that two people have accepted the file goes on."""
        gap = self._file.gap
        if gap is not None and gap.next is not None and taken.number >= gap.next.number - 1:
            self._file.go_on_behind_the_gap(taken)
        if taken.seal:
            self._file.acknowledge(taken)

    def _held_up(self, why: str) -> None:
        if why != self._told:
            self._tell(f"held up: {why}")
        self._told = why

    def _read_counter(self) -> None:
        """The counter shows what the last record says, if that is more than the server knows."""
        known, sensor = self._file.logger.counter, self.unit.sensors[0].sensor
        if known is not None:
            self.unit = self.unit._replace(counters={sensor: max(known, self.unit.counters[sensor])})

    def _forget(self, number: int) -> None:
        """The memory loses a record for ever."""
        self._trouble.note("forget")
        gone = next(record_line(record) for record in self._file.waiting if record.number == number)
        self._file.close()
        self._path.write_bytes(self._path.read_bytes().replace(gone, b""))
        self._file = LoggerFile(self._path, self.unit.number)


def begin_file(path: Path, unit: Unit, taken: LoggerMark) -> None:
    """A new file for a unit of which the server has records already goes on behind them."""
    if not path.exists() and taken.number and taken.seal:
        with open_private_file(path, "wb") as file:
            file.write(log_bytes(Logger(unit.number, taken, counter=unit.counters[unit.sensors[0].sensor])))


def _changed(line: str) -> str:
    """A line of which one letter arrives as another.

    >>> _changed("9a1b2c3d {}")
    '9a1b2c3d {~'
    """
    text = line.rstrip("\n")
    return text[:-1] + "~"
