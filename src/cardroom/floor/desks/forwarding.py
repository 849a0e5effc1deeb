"""A data logger's records on their way to the server.

What is damaged or missing, and a record whose round was counted already, holds the records behind it up: it is named
and kept aside, and the others wait until two people have accepted the gap. Then the counter is read as it stood
(BJ-34). Records that the table cannot have played wait until two people have accepted them (BJ-54).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.floor.desks.readings import ReadingDesk
from cardroom.floor.desks.signatures import Sign, carry_out_signed
from cardroom.floor.kept.logger_file import LoggerFile
from cardroom.floor.kept.recall import recorded_round
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.happenings import RoundTabulated
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.tabulator.log_lines import mark_behind, record_line
from cardroom.jackpots.tabulator.logger import BadLog, Record, taken
from cardroom.jackpots.tabulator.pace import MOST_ACCEPTED, TooManyRounds

TOGETHER: Final = 100
"""Records that are forwarded with one command."""


class NoGap(BadInput):
    """There is nothing to accept."""


class Forwarded(NamedTuple):
    """What was forwarded."""

    records: int
    known: int
    """How many of them were in the books before."""
    held_up: str
    """Why the others wait; empty when none does."""


class Accepted(NamedTuple):
    """Who accepts a gap beside the one who forwards, and why."""

    second: str | None
    why: str
    sign: Sign | None = None
    """How the second person signs, in a room that has users."""


def forward(file: LoggerFile, floor: ReadingDesk, who: str, table: str, accepted: Accepted | None = None) -> Forwarded:
    """Forward what waits to the server, which takes each record once; a gap that was ``accepted`` is passed over, and
    records that the table cannot have played are counted once they were.

    The same records make the same command, so what was sent before a crash may be sent again.
    """
    records = known = _let_go(file, floor, table)
    if accepted is not None and not _waits_for_two(file, floor, table):
        raise NoGap(f"{file.name} has no gap to accept.")
    while True:
        sent, before, too_many = _forward_good(file, floor, who, table)
        records, known = records + sent, known + before
        if file.waiting and not too_many:
            file.set_aside(f"record {file.waiting[0].number}", record_line(file.waiting[0]).rstrip())
        held_up = too_many or _held_up(file)
        if not held_up or accepted is None:
            break
        if too_many:
            _accept_records(file, floor, who, table, accepted)
        else:
            _pass_over(file, floor, who, table, accepted)
        accepted = None
    return Forwarded(records, known, held_up)


def _waits_for_two(file: LoggerFile, floor: ReadingDesk, table: str) -> bool:
    """Whether the file has something that two people accept."""
    good = _countable(file.waiting, floor, table)
    return file.gap is not None or len(good) < len(file.waiting) or not floor.believes(table, good)


def _forward_good(file: LoggerFile, floor: ReadingDesk, who: str, table: str) -> tuple[int, int, str]:
    """Forward the records that can be counted; how many, how many of them the books had before, and the sentence for
    those that the table cannot have played."""
    known = _let_go(file, floor, table)
    forwarded = known
    while records := _countable(file.waiting[:TOGETHER], floor, table):
        id = f"{file.logger.unit} {records[0].number}-{records[-1].number} {records[-1].seal}"
        try:
            answer = floor.take_records(id, who, table, records)
        except TooManyRounds as fault:
            return forwarded, known, str(fault)
        file.acknowledge(LoggerMark(answer.number, answer.seal))
        forwarded += sum(record.number <= answer.number for record in records)
    return forwarded, known, ""


def _let_go(file: LoggerFile, floor: ReadingDesk, table: str) -> int:
    """Acknowledge the records that the books have, whoever forwarded them; how many there were."""
    mark = taken(floor.table(table).tabulator)
    had = [record for record in file.waiting if record.number <= mark.number]
    if had:
        last = had[-1]
        if last.number < mark.number and not any(_in_the_books(record, floor, table) for record in reversed(had)):
            raise BadLog(
                f"Records {had[0].number} to {last.number} of {file.name} are not those that the books have under "
                "these numbers: the file was begun again. Keep it elsewhere, put an empty file in its place, and let "
                "two people accept the gap; the counter stands for what it held."
            )
        file.acknowledge(mark if last.number == mark.number else LoggerMark(last.number, last.seal))
    return len(had)


def _in_the_books(record: Record, floor: ReadingDesk, table: str) -> bool:
    """Whether it was counted as it is, and so everything that it is sealed on."""
    recorded = recorded_round(floor.ledger, table, record.round)
    counted = recorded.counted if recorded else None
    return isinstance(counted, RoundTabulated) and counted.record is not None and counted.record.seal == record.seal


def _countable(records: Sequence[Record], floor: ReadingDesk, table: str) -> Sequence[Record]:
    """The records up to the first whose round was counted already."""
    rounds = set[str]()
    for at, record in enumerate(records):
        if record.round in rounds or recorded_round(floor.ledger, table, record.round) is not None:
            return records[:at]
        rounds.add(record.round)
    return records


def _held_up(file: LoggerFile) -> str:
    """What holds the records up that still wait."""
    if file.waiting:
        record, behind = file.waiting[0], len(file.waiting) - 1 + (file.gap.behind if file.gap else 0)
        what = f"The round {record.round} of record {record.number} was counted already"
    elif file.gap is not None:
        what, behind = file.gap.told(file.name), file.gap.behind
    else:
        return ""
    kept = f": it is kept in {file.aside.name}" if file.waiting or (file.gap and file.gap.lines) else ""
    return (
        f"{what}{kept}. {behind} record{'s' * (behind != 1)}{' behind it' * bool(kept)} "
        f"wait{'s' * (behind == 1)} until two people accept the gap, for a reason."
    )


def _accept_records(file: LoggerFile, floor: ReadingDesk, who: str, table: str, accepted: Accepted) -> None:
    """Accept the records that wait, as many as can be counted."""
    second, why, sign = accepted
    waiting = _countable(file.waiting, floor, table)[:MOST_ACCEPTED]
    id = f"{file.logger.unit} accepted {waiting[0].number}-{waiting[-1].number} {waiting[-1].seal}"

    def accept() -> None:
        floor.accept_records(id, who, table, len(waiting), why, second=second)

    if sign is None:
        accept()
    else:
        carry_out_signed(accept, sign)


def _pass_over(file: LoggerFile, floor: ReadingDesk, who: str, table: str, accepted: Accepted) -> None:
    """Go on behind the gap: what the counter says stands for what was lost."""
    second, why, _ = accepted
    if file.waiting:
        record = file.waiting[0]
        mark = LoggerMark(record.number, record.seal)
        _tell(file, floor, who, table, mark, record.counter, accepted)
        file.acknowledge(mark)
        return
    assert file.gap is not None
    behind = file.gap.next
    two_people(who, second, "records of a data logger that are passed over")
    named(why, "reason")
    if behind is not None:
        counter = behind.counter - len(behind.positions)
        _tell(file, floor, who, table, mark_behind(behind), counter, accepted)
    file.go_on_behind_the_gap(taken(floor.table(table).tabulator))


def _tell(
    file: LoggerFile, floor: ReadingDesk, who: str, table: str, mark: LoggerMark, counter: int, accepted: Accepted
) -> None:
    """Tell the server, unless it knows from before a crash."""
    if taken(floor.table(table).tabulator).number < mark.number:
        id = f"{file.logger.unit} gap to {mark.number} {mark.seal or mark.before}"
        why, second = accepted.why, accepted.second

        def pass_over() -> None:
            floor.pass_over_records(id, who, table, mark, counter, why, second=second)

        if accepted.sign is None:
            pass_over()
        else:
            carry_out_signed(pass_over, accepted.sign)
