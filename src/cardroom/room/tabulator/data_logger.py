"""Andromeda-1's data logger: it keeps each count until the server has stored it, exactly once.

The logger numbers its records, and each record includes a digest of the one before (the field ``seal``). The server
remembers the number and digest of the last record that it stored: it ignores records that it has, and refuses a gap. So
either side may crash at any moment, and every record is stored once and in order, even if records arrive twice or out
of order.

The unit lights its lights only after the record is safely written. If a record was lost, or its round was counted
already, two people may accept that the server skips it: a counter reading records its wagers, and the logger continues
after it.
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
from cardroom.room.setup.tabulator_models import bet_tabulator_model
from cardroom.room.tabulator.events import READING_PREFIX, RecordsSkipped, RoundTabulated
from cardroom.room.tabulator.plausibility import PlayRate, TooManyRounds, allow_round, too_many_records_error
from cardroom.room.tabulator.state import TabulatorState, apply_tabulator_event
from cardroom.room.tabulator.unit import CannotTabulate, take_record

_SEAL_DIGITS: Final = 32


class BadLoggerRecord(BadInput):
    """A damaged logger file, or records that do not follow one another."""


class LoggerRecord(NamedTuple):
    """One press of the dealer's button, as the logger stores it."""

    number: int
    round: str
    time: int
    """Microseconds since 1970 by the logger's clock (UTC)."""
    dealer: str
    positions: Positions
    lammers: Positions
    counter: int
    """The counter value after it."""
    seal: str


@dataclass(frozen=True, slots=True)
class DataLogger:
    """A data logger with the records that the server has not acknowledged."""

    unit: str
    acknowledged: LoggerMark
    waiting: tuple[LoggerRecord, ...] = ()
    counter: int | None = None
    """The unit's counter value after the last record; None if no record states it."""

    @property
    def last(self) -> LoggerMark:
        """The last written record."""
        return LoggerMark(self.waiting[-1].number, self.waiting[-1].seal) if self.waiting else self.acknowledged


def first_mark(unit: str) -> LoggerMark:
    """The mark before a unit's first record."""
    return LoggerMark(0, _record_digest("", {"logger": unit}))


def new_logger(unit: str) -> DataLogger:
    """A logger without records."""
    return DataLogger(unit, first_mark(unit), counter=0)


# The logger's side.


class PressDetails(TypedDict):
    """What a unit sends its logger for a round besides the positions with a wager."""

    time: int
    dealer: str
    counter: int
    lammers: NotRequired[Iterable[int]]


def write_record(
    logger: DataLogger, round_id: str, positions: Iterable[int], **details: Unpack[PressDetails]
) -> DataLogger:
    """Write one press of the button; ``counter`` is the counter value after it.

    >>> logger = write_record(new_logger("A1-77"), "round-1", [1, 4], time=0, dealer="Kim", counter=2)
    >>> logger.last.number, len(logger.waiting)
    (1, 1)
    """
    last = logger.last
    if not round_id.strip() or round_id.startswith(READING_PREFIX):
        raise BadLoggerRecord(f"{round_id!r} cannot be a round's id: use another id.")
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
    """Refuse a record that the server could never store, because it would block all later records."""
    unit = bet_tabulator_model(TabulatorType.ANDROMEDA_1)
    for position in (*wager_positions, *lammers):
        if not 1 <= position <= unit.positions:
            raise BadLoggerRecord(f"{unit.name} has no position {position}: its positions are 1 to {unit.positions}.")
    for position in lammers:
        if position not in wager_positions:
            raise BadLoggerRecord(f"Position {position} has a lammer but no wager: enter the wager, too.")
    if logger.counter is not None and counter < logger.counter + len(wager_positions):
        wagers = f"{len(wager_positions)} wager{'s' if len(wager_positions) != 1 else ''}"
        raise BadLoggerRecord(
            f"The counter showed {logger.counter:,} before a round with {wagers}, so it cannot show {counter:,} now: "
            "read it again. It goes up by at least one for each wager."
        )


def acknowledge_records(logger: DataLogger, mark: LoggerMark) -> DataLogger:
    """Drop the records that the server has stored, up to and including the named one."""
    if mark.number <= logger.acknowledged.number:
        return logger
    digests = {record.number: record.seal for record in logger.waiting}
    if digests.get(mark.number) != mark.seal:
        raise BadLoggerRecord(
            f"The server acknowledges a record {mark.number} of {logger.unit} that this logger did not write: check "
            "that server and logger belong together."
        )
    waiting = tuple(record for record in logger.waiting if record.number > mark.number)
    return replace(logger, acknowledged=mark, waiting=waiting)


# The server's side.


def last_taken_mark(state: TabulatorState) -> LoggerMark:
    """The last record that the server has stored, which it acknowledges to the logger."""
    return state.logger or first_mark(state.unit)


def take_records(state: TabulatorState, records: Sequence[LoggerRecord], pace: PlayRate) -> tuple[RoundTabulated, ...]:
    """Take the records that a logger forwards. Known records are ignored. Each new record must follow the last one;
    otherwise nothing is taken, and the refusal names the number from which the logger must forward. Records are taken
    as far as the table can have dealt them at its ``pace``; if it cannot have dealt the first, all are refused."""
    if not state.table.model.data_logger:
        raise CannotTabulate(f"{state.table.model.name} has no data logger.")
    tabulated: list[RoundTabulated] = []
    for record in sorted(records, key=lambda record: record.number):
        last = last_taken_mark(state)
        if record.number > last.number + 1:
            raise BadLoggerRecord(
                f"Record {record.number} of {state.unit} arrived, but record {last.number + 1} is missing: forward "
                f"from {last.number + 1} on."
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
    """Skip records that were lost or cannot be counted, once two people accept that."""
    first_name, second_name = require_two_people(who, second, "the skipping of data logger records")
    last = last_taken_mark(state)
    if mark.number <= last.number:
        raise BadLoggerRecord(
            f"Record {mark.number} of {state.unit} is already in the ledger: there is no gap to accept."
        )
    return (
        RecordsSkipped(
            state.table.table, first_name, second_name, require_text(why, "reason"), state.unit, last.number, mark
        ),
    )


def is_successor(last: LoggerMark, record: LoggerRecord) -> bool:
    """Whether a record includes the digest of the one before it, or is the record named when that one was lost."""
    return record.seal == (last.before or _record_digest(last.seal, _record_body(record)))


def strange_record_error(record: LoggerRecord, state: TabulatorState) -> BadLoggerRecord:
    """The refusal of a record that includes another digest than that of the last record."""
    return BadLoggerRecord(
        f"Record {record.number} does not follow the records of {state.unit}: it is damaged, or comes from another "
        "unit. If the unit was replaced, clear the tabulator's fault with the new unit's number first."
    )


def _record_body(record: LoggerRecord) -> dict[str, Any]:
    """The content that a record's digest covers."""
    return {name: value for name, value in encode(record).items() if name != "seal"}


def _record_digest(previous: str, body: dict[str, Any]) -> str:
    return text_digest(previous + canonical_json(body))[:_SEAL_DIGITS]


def canonical_json(content: dict[str, Any]) -> str:
    """The JSON text from which digests are computed."""
    return json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def text_digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
