"""Andromeda-1's data logger: it keeps each count until a server has taken it over, and each is taken exactly once.

The logger numbers its records and seals each on the one before. The server remembers the number and the seal of the
last record that it took: what it has it ignores, and a gap it refuses. So either side may crash at any moment, and
whatever is sent twice or out of order, every record is taken once and in order.

A light is lit only after the record is safely written. A record that was lost, or whose round was counted already, is
passed over when two people accept that: the counter tells of its wagers, and the logger goes on behind it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, Final, NamedTuple, NotRequired, TypedDict, Unpack

from cardroom.errors import BadInput
from cardroom.games import TabulatorType
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.jackpot.event_values import LoggerMark, Positions
from cardroom.room.setup.equipment import bet_tabulator_model
from cardroom.room.tabulator.events import READING_PREFIX, RecordsSkipped, RoundTabulated
from cardroom.room.tabulator.plausibility import PlayRate, TooManyRounds, allow_round, too_many_records_error
from cardroom.room.tabulator.state import TabulatorState, apply_tabulator_event
from cardroom.room.tabulator.unit import CannotTabulate, take_record

_SEAL_DIGITS: Final = 32


class BadLoggerRecord(BadInput):
    """A logger's file that is damaged, or records that do not follow on one another."""


class LoggerRecord(NamedTuple):
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
class DataLogger:
    """What a data logger holds: the records that no server has acknowledged yet, however many they are."""

    unit: str
    acknowledged: LoggerMark
    waiting: tuple[LoggerRecord, ...] = ()
    counter: int | None = None
    """What the unit's counter showed after the last record; None when no record says so."""

    @property
    def last(self) -> LoggerMark:
        """The last record that was written."""
        return LoggerMark(self.waiting[-1].number, self.waiting[-1].seal) if self.waiting else self.acknowledged


def first_mark(unit: str) -> LoggerMark:
    """Before a unit's first record."""
    return LoggerMark(0, _record_digest("", {"logger": unit}))


def new_logger(unit: str) -> DataLogger:
    """A logger that has written nothing yet."""
    return DataLogger(unit, first_mark(unit), counter=0)


# The logger's side.


class PressDetails(TypedDict):
    """What a unit tells its logger of a round besides the positions with a wager."""

    time: int
    dealer: str
    counter: int
    lammers: NotRequired[Iterable[int]]


def write_record(
    logger: DataLogger, round_id: str, positions: Iterable[int], **details: Unpack[PressDetails]
) -> DataLogger:
    """Write down one press of the button; ``counter`` is what the counter shows after it.

    >>> logger = write_record(new_logger("A1-77"), "round-1", [1, 4], time=0, dealer="Kim", counter=2)
    >>> logger.last.number, len(logger.waiting)
    (1, 1)
    """
    last = logger.last
    if not round_id.strip() or round_id.startswith(READING_PREFIX):
        raise BadLoggerRecord(f"{round_id!r} cannot be a round's id: give it one of its own.")
    wager_positions, lammers = sorted(set(positions)), sorted(set(details.get("lammers", ())))
    _refuse_impossible(logger, wager_positions, lammers, details["counter"])
    body: dict[str, Any] = {
        "number": last.number + 1,
        "round": round_id,
        "time": details["time"],
        "dealer": details["dealer"],
        "positions": wager_positions,
        "lammers": lammers,
        "counter": details["counter"],
    }
    record = decode(LoggerRecord, {**body, "seal": _record_digest(last.seal, body)})
    return replace(logger, waiting=(*logger.waiting, record), counter=record.counter)


def _refuse_impossible(
    logger: DataLogger, wager_positions: Sequence[int], lammers: Sequence[int], counter: int
) -> None:
    """What no server could take would hold up every record behind it."""
    unit = bet_tabulator_model(TabulatorType.ANDROMEDA_1)
    for position in (*wager_positions, *lammers):
        if not 1 <= position <= unit.positions:
            raise BadLoggerRecord(f"Position {position} is not one of an {unit.name}: it has 1 to {unit.positions}.")
    for position in lammers:
        if position not in wager_positions:
            raise BadLoggerRecord(
                f"No wager lies at position {position}, so no lammer lies beside it: name the wager, too."
            )
    if logger.counter is not None and counter < logger.counter + len(wager_positions):
        wagers = f"{len(wager_positions)} wager{'s lie' if len(wager_positions) != 1 else ' lies'} there"
        raise BadLoggerRecord(
            f"The counter showed {logger.counter:,}, and {wagers}: it cannot show {counter:,} now. It goes on by one "
            "for each wager at least: read it again."
        )


def acknowledge_records(logger: DataLogger, mark: LoggerMark) -> DataLogger:
    """Let go of the records that a server has taken over, up to and with the one named."""
    if mark.number <= logger.acknowledged.number:
        return logger
    digests = {record.number: record.seal for record in logger.waiting}
    if digests.get(mark.number) != mark.seal:
        raise BadLoggerRecord(
            f"The server says that it has record {mark.number} of {logger.unit}, but the logger wrote another one or "
            "none with that number: the two do not belong together."
        )
    waiting = tuple(record for record in logger.waiting if record.number > mark.number)
    return replace(logger, acknowledged=mark, waiting=waiting)


# The server's side.


def last_taken_mark(state: TabulatorState) -> LoggerMark:
    """The last record that the server has: what it acknowledges to the logger."""
    return state.logger or first_mark(state.unit)


def take_records(state: TabulatorState, records: Sequence[LoggerRecord], pace: PlayRate) -> tuple[RoundTabulated, ...]:
    """Take over what a logger forwards. Records that the server has are ignored; each new one follows on the last, or
    nothing is taken and the sentence says from which number on the logger must forward. They are taken as far as the
    table can have played them at its ``pace``; where that is not even the first, all are refused."""
    if not state.table.model.data_logger:
        raise CannotTabulate(f"{state.table.model.name} has no data logger.")
    tabulated: list[RoundTabulated] = []
    for record in sorted(records, key=lambda record: record.number):
        last = last_taken_mark(state)
        if record.number > last.number + 1:
            raise BadLoggerRecord(
                f"Record {record.number} of {state.unit} came, but {last.number + 1} has not: forward from "
                f"{last.number + 1} on."
            )
        if record.number == last.number + 1:
            if not is_successor(last, record):
                raise strange_record_error(record, state)
            try:
                allowance = allow_round(state, pace, pace.effective_time(record.time), too_many_records_error)
            except TooManyRounds:
                if not tabulated:
                    raise
                break
            tabulated.append(replace(take_record(state, record), **allowance._asdict()))
            state = apply_tabulator_event(state, tabulated[-1])
        elif record.number == last.number and record.seal != last.seal and not last.before:
            raise strange_record_error(record, state)
    return tuple(tabulated)


def skip_records(
    state: TabulatorState, mark: LoggerMark, *, who: str, second: str | None, why: str
) -> tuple[RecordsSkipped, ...]:
    """Go on behind records that were lost or cannot be counted, once two people have accepted that."""
    first_name, second_name = require_two_people(who, second, "records of a data logger that are passed over")
    last = last_taken_mark(state)
    if mark.number <= last.number:
        raise BadLoggerRecord(
            f"Record {mark.number} of {state.unit} is in the books already: there is no gap to accept."
        )
    return (
        RecordsSkipped(
            state.table.table, first_name, second_name, require_text(why, "reason"), state.unit, last.number, mark
        ),
    )


def is_successor(last: LoggerMark, record: LoggerRecord) -> bool:
    """Whether a record is sealed on the one before it, or is the one that was named when that one was lost."""
    return record.seal == (last.before or _record_digest(last.seal, _record_body(record)))


def strange_record_error(record: LoggerRecord, state: TabulatorState) -> BadLoggerRecord:
    """What is said of a record that is sealed on another one than the last."""
    return BadLoggerRecord(
        f"Record {record.number} does not follow on what {state.unit} has forwarded: it is damaged, or comes from "
        "another unit. A unit that was exchanged is declared repaired with its own number first."
    )


def _record_body(record: LoggerRecord) -> dict[str, Any]:
    """What a record's own seal is made of."""
    return {name: value for name, value in encode(record).items() if name != "seal"}


def _record_digest(previous: str, body: dict[str, Any]) -> str:
    return text_digest(previous + canonical_json(body))[:_SEAL_DIGITS]


def canonical_json(content: dict[str, Any]) -> str:
    """What seals and checks are made of."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def text_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
