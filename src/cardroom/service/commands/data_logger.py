"""Lines of a data logger that come over the network: what follows on the last record is counted, and the response says
how far that goes.

A data logger's records on their way to the server.

A damaged or missing record, and a record whose round was counted already, blocks the records behind it: it is named and
set aside, and the others wait until two people have accepted the gap. Then the counter is read as it was behind the gap
(BJ-34). Records that the table cannot have played wait until two people have accepted them (BJ-54).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from cardroom.errors import BadInput
from cardroom.ledger import Json
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.jackpot.event_values import LoggerGap, LoggerMark
from cardroom.room.tabulator.data_logger import BadLoggerRecord, LoggerRecord, last_taken_mark
from cardroom.room.tabulator.events import RoundTabulated
from cardroom.room.tabulator.installation import require_open_table
from cardroom.room.tabulator.logger_lines import mark_after_gap, read_forwarded, record_line, take_forwarded
from cardroom.room.tabulator.plausibility import MOST_ROUNDS_ACCEPTED, TooManyRounds
from cardroom.service.commands.counter_readings import CounterReadingCommands
from cardroom.service.commands.logger_file import LoggerFile
from cardroom.service.commands.second_signature import Signer, execute_signed
from cardroom.service.commands.tabulation import refuse_counted
from cardroom.service.commands.unit_of_work import UnitOfWork
from cardroom.service.queries.chain_history import find_counted_round


class LoggerLinesResult(NamedTuple):
    """How far the lines of a data logger were taken: the logger may drop those."""

    table: str
    number: int
    """The number of the last stored record."""
    seal: str
    """Its seal; empty where that record was lost and two people have accepted it."""
    rounds: tuple[str, ...]
    """The rounds that were new."""
    known: int
    """How many of the records were stored before."""
    held_up: str
    """Why the others could not be taken; empty when all were."""
    for_people: bool
    """Whether sending again does not help: people must look at it."""
    gap: LoggerGap | None
    """Where two people may let the logger continue."""
    too_many: bool
    """Whether the table cannot have played so many rounds: two people accept or refuse them."""


class LoggerLineCommands(CounterReadingCommands):
    """Lines that loggers forward themselves."""

    def import_logger_lines(
        self, id: str, who: str, table: str, lines: Sequence[str], *, lost_up_to: int = 0
    ) -> LoggerLinesResult:
        """Take over the lines of a data logger as far as they follow on the stored ones; ``lost_up_to`` is the last
        record that the logger itself no longer has, 0 when it has all."""
        body: dict[str, Json] = {
            "do": "import-logger-lines",
            "who": who,
            "table": table,
            "lines": list(lines),
            "lost_up_to": lost_up_to,
        }
        sent_lines, pace = read_forwarded(lines), self._read_logger_pace(table)

        def decide(uow: UnitOfWork) -> Json:
            state = self.refuse_automatic_table(require_open_table(uow.tabulator(table)))
            before = set[str]()

            def refuse(round_id: str) -> None:
                twice = before & {round_id}
                refuse_counted(uow, table, (*twice, round_id), lambda: self.calendar)
                before.add(round_id)

            take = take_forwarded(state.tabulator, sent_lines, refuse, pace, lost_up_to=lost_up_to)
            after = uow.apply_to_tabulator(table, take.tabulated)
            self._apply_counts(uow, table, take.tabulated, late=True)
            mark = last_taken_mark(after.tabulator)
            return {
                "table": table,
                "number": mark.number,
                "seal": mark.seal,
                "rounds": [round_event.round for round_event in take.tabulated],
                "known": take.known,
                "held_up": take.held_up,
                "for_people": take.for_people,
                "gap": encode(take.gap) if take.gap else None,
                "too_many": take.too_many,
            }

        rounds = {record.round for record in sent_lines.records}
        return self.execute_prepared(
            lambda: self.build_command(id, body, self.lock_linked(table, rounds=rounds), decide),
            _decode_lines_result,
        )


def _decode_lines_result(data: Any) -> LoggerLinesResult:
    return decode(LoggerLinesResult, data)


BATCH_SIZE: Final = 100
"""Records that are forwarded with one command."""


class NoLoggerGap(BadInput):
    """There is nothing to accept."""


class ForwardResult(NamedTuple):
    """What was forwarded."""

    records: int
    known: int
    """How many of them were stored before."""
    held_up: str
    """Why the others wait; empty when none does."""


class GapAcceptance(NamedTuple):
    """Who accepts a gap beside the person who forwards, and why."""

    second: str | None
    why: str
    signer: Signer | None = None
    """How the second person signs, in a room that has users."""


def forward_records(
    file: LoggerFile, card_room: CounterReadingCommands, who: str, table: str, acceptance: GapAcceptance | None = None
) -> ForwardResult:
    """Forward waiting records to the server, which takes each record once; ``acceptance`` accepts a gap, or records
    that the table cannot have played.

    The same records make the same command, so what was sent before a crash may be sent again.
    """
    records = stored = _acknowledge_stored(file, card_room, table)
    if acceptance is not None and not _needs_acceptance(file, card_room, table):
        raise NoLoggerGap(f"{file.name} has no gap to accept.")
    while True:
        forwarded, before, too_many = _forward_countable(file, card_room, who, table)
        records, stored = records + forwarded, stored + before
        if file.pending_records and not too_many:
            file.set_aside(f"record {file.pending_records[0].number}", record_line(file.pending_records[0]).rstrip())
        held_up = too_many or _describe_hold(file)
        if not held_up or acceptance is None:
            break
        if too_many:
            _accept_records(file, card_room, who, table, acceptance)
        else:
            _skip_gap(file, card_room, who, table, acceptance)
        acceptance = None
    return ForwardResult(records, stored, held_up)


def _needs_acceptance(file: LoggerFile, card_room: CounterReadingCommands, table: str) -> bool:
    """Whether the file has something that two people accept."""
    good = _take_countable(file.pending_records, card_room, table)
    return (
        file.gap is not None
        or len(good) < len(file.pending_records)
        or not card_room.are_records_plausible(table, good)
    )


def _forward_countable(
    file: LoggerFile, card_room: CounterReadingCommands, who: str, table: str
) -> tuple[int, int, str]:
    """Forward the records that can be counted; returns how many, how many of them were stored before, and the sentence
    for those that the table cannot have played."""
    stored = _acknowledge_stored(file, card_room, table)
    forwarded = stored
    while records := _take_countable(file.pending_records[:BATCH_SIZE], card_room, table):
        id = f"{file.logger.unit} {records[0].number}-{records[-1].number} {records[-1].seal}"
        try:
            answer = card_room.import_logger_records(id, who, table, records)
        except TooManyRounds as fault:
            return forwarded, stored, str(fault)
        file.acknowledge(LoggerMark(answer.number, answer.seal))
        forwarded += sum(record.number <= answer.number for record in records)
    return forwarded, stored, ""


def _acknowledge_stored(file: LoggerFile, card_room: CounterReadingCommands, table: str) -> int:
    """Acknowledge the stored records, whatever way they were forwarded; returns how many there were."""
    mark = last_taken_mark(card_room.tabulator(table).tabulator)
    had = [record for record in file.pending_records if record.number <= mark.number]
    if had:
        last = had[-1]
        if last.number < mark.number and not any(_is_stored(record, card_room, table) for record in reversed(had)):
            raise BadLoggerRecord(
                f"Records {had[0].number} to {last.number} of {file.name} are not those in the ledger under these "
                "numbers: the file was begun again. Keep it elsewhere, put an empty file in its place, and let two "
                "people accept the gap; the counter's reading replaces its records."
            )
        file.acknowledge(mark if last.number == mark.number else LoggerMark(last.number, last.seal))
    return len(had)


def _is_stored(record: LoggerRecord, card_room: CounterReadingCommands, table: str) -> bool:
    """Whether it was counted as it is, and so every record before it."""
    recorded = find_counted_round(card_room.ledger, table, record.round)
    count_event = recorded.event if recorded else None
    return (
        isinstance(count_event, RoundTabulated)
        and count_event.record is not None
        and count_event.record.seal == record.seal
    )


def _take_countable(
    records: Sequence[LoggerRecord], card_room: CounterReadingCommands, table: str
) -> Sequence[LoggerRecord]:
    """The records up to the first whose round was counted already."""
    rounds = set[str]()
    for at, record in enumerate(records):
        if record.round in rounds or find_counted_round(card_room.ledger, table, record.round) is not None:
            return records[:at]
        rounds.add(record.round)
    return records


def _describe_hold(file: LoggerFile) -> str:
    """What blocks the records that still wait."""
    if file.pending_records:
        record, behind = file.pending_records[0], len(file.pending_records) - 1 + (file.gap.behind if file.gap else 0)
        cause = f"The round {record.round} of record {record.number} was counted already"
    elif file.gap is not None:
        cause, behind = file.gap.describe(file.name), file.gap.behind
    else:
        return ""
    kept_text = (
        f": it is stored in {file.damaged_file.name}" if file.pending_records or (file.gap and file.gap.lines) else ""
    )
    return (
        f"{cause}{kept_text}. {behind} record{'s' * (behind != 1)}{' behind it' * bool(kept_text)} "
        f"wait{'s' * (behind == 1)} until two people accept the gap, for a reason."
    )


def _accept_records(
    file: LoggerFile, card_room: CounterReadingCommands, who: str, table: str, acceptance: GapAcceptance
) -> None:
    """Accept the records that wait, as many as can be counted."""
    second, why, sign = acceptance
    waiting = _take_countable(file.pending_records, card_room, table)[:MOST_ROUNDS_ACCEPTED]
    id = f"{file.logger.unit} accepted {waiting[0].number}-{waiting[-1].number} {waiting[-1].seal}"

    def accept() -> None:
        card_room.accept_logger_records(id, who, table, len(waiting), why, second=second)

    if sign is None:
        accept()
    else:
        execute_signed(accept, sign)


def _skip_gap(
    file: LoggerFile, card_room: CounterReadingCommands, who: str, table: str, acceptance: GapAcceptance
) -> None:
    """Continue behind the gap: the counter's reading replaces what was lost."""
    second, why, _ = acceptance
    if file.pending_records:
        record = file.pending_records[0]
        mark = LoggerMark(record.number, record.seal)
        _skip_records(file, card_room, who, table, mark, record.counter, acceptance)
        file.acknowledge(mark)
        return
    assert file.gap is not None
    behind = file.gap.next
    require_two_people(who, second, "skipped records of a data logger")
    require_text(why, "reason")
    if behind is not None:
        counter = behind.counter - len(behind.positions)
        _skip_records(file, card_room, who, table, mark_after_gap(behind), counter, acceptance)
    file.skip_gap(last_taken_mark(card_room.tabulator(table).tabulator))


def _skip_records(
    file: LoggerFile,
    card_room: CounterReadingCommands,
    who: str,
    table: str,
    mark: LoggerMark,
    counter: int,
    acceptance: GapAcceptance,
) -> None:
    """Report it to the server, unless the server has it from before a crash."""
    if last_taken_mark(card_room.tabulator(table).tabulator).number < mark.number:
        id = f"{file.logger.unit} gap to {mark.number} {mark.seal or mark.before}"
        why, second = acceptance.why, acceptance.second

        def pass_over() -> None:
            card_room.skip_records(id, who, table, mark, counter, why, second=second)

        if acceptance.signer is None:
            pass_over()
        else:
            execute_signed(pass_over, acceptance.signer)
