"""Andromeda-1's data logger: it keeps each count until a server has taken it over, and each is taken exactly once.

The logger numbers its records and seals each on the one before. The server remembers the number and the seal of the
last record that it took: what it has it ignores, and a gap it refuses. So either side may crash at any moment, and
whatever is sent twice or out of order, every record is taken once and in order.

A light is lit only after the record is safely written. The log is a file of lines that is only ever added to; a last
line that a crash cut short was never shown to anybody and is dropped.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, NamedTuple, NotRequired, TypedDict, Unpack

from cardroom.faults import BadInput
from cardroom.jackpots.contents import LoggerMark, Positions
from cardroom.jackpots.happenings import RoundTabulated
from cardroom.jackpots.plain import read_as, written
from cardroom.jackpots.tabulator.replay import tabulator_after
from cardroom.jackpots.tabulator.state import TabulatorState
from cardroom.jackpots.tabulator.unit import CannotTabulate, take_record

_SEAL_DIGITS: Final = 32


class BadLog(BadInput):
    """A logger's file that is damaged, or records that do not follow on one another."""


class Record(NamedTuple):
    """One press of the dealer's button, as the logger keeps it."""

    number: int
    round: str
    time: int
    """Microseconds since 1970 by the logger's clock (UTC)."""
    dealer: str
    positions: Positions
    lammers: Positions
    counter: int
    """What the counter shows after it."""
    seal: str


@dataclass(frozen=True, slots=True)
class Logger:
    """What a data logger holds: the records that no server has acknowledged yet, however many they are."""

    unit: str
    acknowledged: LoggerMark
    waiting: tuple[Record, ...] = ()

    @property
    def last(self) -> LoggerMark:
        """The last record that was written."""
        return LoggerMark(self.waiting[-1].number, self.waiting[-1].seal) if self.waiting else self.acknowledged


def beginning(unit: str) -> LoggerMark:
    """Before a unit's first record."""
    return LoggerMark(0, _seal("", {"logger": unit}))


def new_logger(unit: str) -> Logger:
    """A logger that has written nothing yet."""
    return Logger(unit, beginning(unit))


# The logger's side.


class Told(TypedDict):
    """What a unit tells its logger of a round besides the positions with a wager."""

    time: int
    dealer: str
    counter: int
    lammers: NotRequired[Iterable[int]]


def write(logger: Logger, round_id: str, positions: Iterable[int], **told: Unpack[Told]) -> Logger:
    """Write down one press of the button; ``counter`` is what the counter shows after it.

    >>> logger = write(new_logger("A1-77"), "round-1", [1, 4], time=0, dealer="Kim", counter=2)
    >>> logger.last.number, len(logger.waiting)
    (1, 1)
    """
    last = logger.last
    body: dict[str, Any] = {
        "number": last.number + 1,
        "round": round_id,
        "time": told["time"],
        "dealer": told["dealer"],
        "positions": sorted(set(positions)),
        "lammers": sorted(set(told.get("lammers", ()))),
        "counter": told["counter"],
    }
    return replace(logger, waiting=(*logger.waiting, read_as(Record, {**body, "seal": _seal(last.seal, body)})))


def acknowledge(logger: Logger, taken: LoggerMark) -> Logger:
    """Let go of the records that a server has taken over, up to and with the one named."""
    if taken.number <= logger.acknowledged.number:
        return logger
    known = {record.number: record.seal for record in logger.waiting}
    if known.get(taken.number) != taken.seal:
        raise BadLog(
            f"The server says that it has record {taken.number} of {logger.unit}, but the logger wrote another one or "
            "none with that number: the two do not belong together."
        )
    return Logger(logger.unit, taken, tuple(record for record in logger.waiting if record.number > taken.number))


# The server's side.


def taken(state: TabulatorState) -> LoggerMark:
    """The last record that the server has: what it acknowledges to the logger."""
    return state.logger or beginning(state.unit)


def take_records(state: TabulatorState, records: Sequence[Record]) -> tuple[RoundTabulated, ...]:
    """Take over what a logger forwards. Records that the server has are ignored; each new one follows on the last, or
    nothing is taken and the sentence says from which number on the logger must forward."""
    if not state.table.model.data_logger:
        raise CannotTabulate(f"{state.table.model.name} has no data logger.")
    tabulated: list[RoundTabulated] = []
    for record in sorted(records, key=lambda record: record.number):
        last = taken(state)
        if record.number > last.number + 1:
            raise BadLog(
                f"Record {record.number} of {state.unit} came, but {last.number + 1} has not: forward from "
                f"{last.number + 1} on."
            )
        if record.number == last.number + 1:
            if record.seal != _seal(last.seal, _body(record)):
                raise _strange(record, state)
            tabulated.append(take_record(state, record))
            state = tabulator_after(state, tabulated[-1])
        elif record.number == last.number and record.seal != last.seal:
            raise _strange(record, state)
    return tuple(tabulated)


def _strange(record: Record, state: TabulatorState) -> BadLog:
    return BadLog(
        f"Record {record.number} does not follow on what {state.unit} has forwarded: it is damaged, or comes from "
        "another unit. A unit that was exchanged is declared repaired with its own number first."
    )


# The logger's file: a line for the beginning, a line for each record, a line for each acknowledgement.


@dataclass(frozen=True, slots=True)
class ReadLog:
    """A logger as its file gives it back."""

    logger: Logger
    good_bytes: int
    """The length of the file without the line that a crash cut short; it goes on from there."""


def opening_line(logger: Logger) -> bytes:
    """The first line of a file. A new file may be begun at any time with this line and the records that wait."""
    mark = logger.acknowledged
    return _line({"logger": logger.unit, "after": mark.number, "seal": mark.seal})


def record_line(record: Record) -> bytes:
    """The line of a record: written and made safe before its lights are lit."""
    return _line(written(record))


def acknowledged_line(mark: LoggerMark) -> bytes:
    """The line of an acknowledgement. If it is lost, records are forwarded again and the server ignores them."""
    return _line({"acknowledged": mark.number, "seal": mark.seal})


def log_bytes(logger: Logger) -> bytes:
    """A whole file that holds what the logger holds."""
    return opening_line(logger) + b"".join(map(record_line, logger.waiting))


def read_log(content: bytes) -> ReadLog:
    """Read a logger's file after a restart."""
    lines = content.split(b"\n")
    complete, rest = lines[:-1], lines[-1]
    entries = [_entry(line) for line in complete]
    good = len(content) - len(rest)
    if entries and entries[-1] is None:
        entries.pop()
        good -= len(complete[-1]) + 1
    if not entries:
        raise BadLog("The logger's file has no beginning: begin it anew with the number of the unit.")
    for number, entry in enumerate(entries, 1):
        if entry is None:
            raise BadLog(f"Line {number} of the logger's file is damaged: keep the file, and read the unit's counter.")
    return ReadLog(_replayed([entry for entry in entries if entry is not None]), good)


def _replayed(entries: Sequence[dict[str, Any]]) -> Logger:
    first = entries[0]
    if "logger" not in first:
        raise BadLog("The logger's file does not begin with the number of its unit.")
    logger = Logger(first["logger"], LoggerMark(first["after"], first["seal"]))
    acknowledged, waiting, last = logger.acknowledged, list[Record](), logger.acknowledged
    for entry in entries[1:]:
        if "acknowledged" in entry:
            acknowledged = LoggerMark(entry["acknowledged"], entry["seal"])
            continue
        body = {key: value for key, value in entry.items() if key != "seal"}
        if entry.get("number") != last.number + 1 or entry["seal"] != _seal(last.seal, body):
            raise BadLog(f"After record {last.number} the logger's file goes on with something else.")
        waiting.append(read_as(Record, entry))
        last = LoggerMark(entry["number"], entry["seal"])
    return acknowledge(replace(logger, waiting=tuple(waiting)), acknowledged)


def _line(entry: dict[str, Any]) -> bytes:
    text = _plain(entry)
    return f"{_digest(text)[:8]} {text}\n".encode()


def _entry(line: bytes) -> dict[str, Any] | None:
    """What a line says; None when it is not what was written."""
    try:
        check, text = line.decode().split(" ", 1)
        entry: dict[str, Any] | None = json.loads(text) if _digest(text)[:8] == check else None
    except ValueError:
        return None
    return entry


def _body(record: Record) -> dict[str, Any]:
    """What a record's own seal is made of."""
    return {name: value for name, value in written(record).items() if name != "seal"}


def _seal(previous: str, body: dict[str, Any]) -> str:
    return _digest(previous + _plain(body))[:_SEAL_DIGITS]


def _plain(entry: dict[str, Any]) -> str:
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
