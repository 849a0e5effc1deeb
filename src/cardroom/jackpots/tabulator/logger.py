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
from cardroom.jackpots.contents import LoggerMark, Positions
from cardroom.jackpots.happenings import READING, RecordsPassedOver, RoundTabulated
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.plain import read_as, written
from cardroom.jackpots.setup.models import model
from cardroom.jackpots.tabulator.pace import Pace, TooManyRounds, believe, too_many_records
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
    counter: int | None = None
    """What the unit's counter showed after the last record; None when no record says so."""

    @property
    def last(self) -> LoggerMark:
        """The last record that was written."""
        return LoggerMark(self.waiting[-1].number, self.waiting[-1].seal) if self.waiting else self.acknowledged


def beginning(unit: str) -> LoggerMark:
    """Before a unit's first record."""
    return LoggerMark(0, _seal("", {"logger": unit}))


def new_logger(unit: str) -> Logger:
    """A logger that has written nothing yet."""
    return Logger(unit, beginning(unit), counter=0)


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
    if not round_id.strip() or round_id.startswith(READING):
        raise BadLog(f"{round_id!r} cannot be a round's id: give it one of its own.")
    laid, lammers = sorted(set(positions)), sorted(set(told.get("lammers", ())))
    _refuse_impossible(logger, laid, lammers, told["counter"])
    body: dict[str, Any] = {
        "number": last.number + 1,
        "round": round_id,
        "time": told["time"],
        "dealer": told["dealer"],
        "positions": laid,
        "lammers": lammers,
        "counter": told["counter"],
    }
    record = read_as(Record, {**body, "seal": _seal(last.seal, body)})
    return replace(logger, waiting=(*logger.waiting, record), counter=record.counter)


def _refuse_impossible(logger: Logger, laid: Sequence[int], lammers: Sequence[int], counter: int) -> None:
    """What no server could take would hold up every record behind it."""
    unit = model(TabulatorType.ANDROMEDA_1)
    for position in (*laid, *lammers):
        if not 1 <= position <= unit.positions:
            raise BadLog(f"Position {position} is not one of an {unit.name}: it has 1 to {unit.positions}.")
    for position in lammers:
        if position not in laid:
            raise BadLog(f"No wager lies at position {position}, so no lammer lies beside it: name the wager, too.")
    if logger.counter is not None and counter < logger.counter + len(laid):
        wagers = f"{len(laid)} wager{'s lie' if len(laid) != 1 else ' lies'} there"
        raise BadLog(
            f"The counter showed {logger.counter:,}, and {wagers}: it cannot show {counter:,} now. It goes on by one "
            "for each wager at least: read it again."
        )


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
    waiting = tuple(record for record in logger.waiting if record.number > taken.number)
    return replace(logger, acknowledged=taken, waiting=waiting)


# The server's side.


def taken(state: TabulatorState) -> LoggerMark:
    """The last record that the server has: what it acknowledges to the logger."""
    return state.logger or beginning(state.unit)


def take_records(state: TabulatorState, records: Sequence[Record], pace: Pace) -> tuple[RoundTabulated, ...]:
    """Take over what a logger forwards. Records that the server has are ignored; each new one follows on the last, or
    nothing is taken and the sentence says from which number on the logger must forward. They are taken as far as the
    table can have played them at its ``pace``; where that is not even the first, all are refused."""
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
            if not follows(last, record):
                raise strange_record(record, state)
            try:
                believed = believe(state, pace, pace.of_record(record.time), too_many_records)
            except TooManyRounds:
                if not tabulated:
                    raise
                break
            tabulated.append(replace(take_record(state, record), **believed._asdict()))
            state = tabulator_after(state, tabulated[-1])
        elif record.number == last.number and record.seal != last.seal and not last.before:
            raise strange_record(record, state)
    return tuple(tabulated)


def pass_over(
    state: TabulatorState, to: LoggerMark, *, by: str, second: str | None, why: str
) -> tuple[RecordsPassedOver, ...]:
    """Go on behind records that were lost or cannot be counted, once two people have accepted that."""
    one, other = two_people(by, second, "records of a data logger that are passed over")
    last = taken(state)
    if to.number <= last.number:
        raise BadLog(f"Record {to.number} of {state.unit} is in the books already: there is no gap to accept.")
    return (RecordsPassedOver(state.table.table, one, other, named(why, "reason"), state.unit, last.number, to),)


def follows(last: LoggerMark, record: Record) -> bool:
    """Whether a record is sealed on the one before it, or is the one that was named when that one was lost."""
    return record.seal == (last.before or _seal(last.seal, _body(record)))


def strange_record(record: Record, state: TabulatorState) -> BadLog:
    """What is said of a record that is sealed on another one than the last."""
    return BadLog(
        f"Record {record.number} does not follow on what {state.unit} has forwarded: it is damaged, or comes from "
        "another unit. A unit that was exchanged is declared repaired with its own number first."
    )


def _body(record: Record) -> dict[str, Any]:
    """What a record's own seal is made of."""
    return {name: value for name, value in written(record).items() if name != "seal"}


def _seal(previous: str, body: dict[str, Any]) -> str:
    return digest(previous + plain(body))[:_SEAL_DIGITS]


def plain(entry: dict[str, Any]) -> str:
    """What seals and checks are made of."""
    return json.dumps(entry, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(text: str) -> str:
    return sha256(text.encode()).hexdigest()
