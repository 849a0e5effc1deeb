"""Readings of the tabulators' counters: entered, and reversed when they were wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from cardroom.ledger import Command, Json
from cardroom.room.codec import encode
from cardroom.room.jackpot.event_values import LoggerMark
from cardroom.room.jackpot.wager_counts import reverse_wagers
from cardroom.room.tabulator.data_logger import skip_records
from cardroom.room.tabulator.events import CounterRead, ReadingReversed, reading_key, round_of_event
from cardroom.room.tabulator.installation import TabulatedTableState, require_open_table
from cardroom.room.tabulator.plausibility import possible_counts, read_counter, reverse_reading
from cardroom.room.tabulator.unit import CannotTabulate
from cardroom.service.commands.handler import JackpotSearch, read_shown_amounts
from cardroom.service.commands.results import (
    LoggerRecordsResult,
    RoundCountResult,
    decode_logger_records_result,
    decode_round_count,
    encode_round_count,
)
from cardroom.service.commands.tabulation import TabulationCommands
from cardroom.service.commands.unit_of_work import StateChanged, UnitOfWork
from cardroom.service.queries.chain_history import RoundAftermath, find_last_count, find_reading


class CounterReadingCommands(TabulationCommands):
    """Readings of the counters."""

    def read_counter(
        self, id: str, who: str, table: str, counters: Sequence[int], *, second: str | None = None, why: str = ""
    ) -> RoundCountResult:
        """Enter what the tabulator's counter shows; wagers that were not reported before are counted now. More of them
        than the table can have played need a second person and a reason."""
        body: dict[str, Json] = {"do": "read-counter", "who": who, "table": table, "counters": list(counters)}
        body |= {name: text for name, text in (("second", second), ("why", why)) if text}

        def read(state: TabulatedTableState, most: tuple[int, ...]) -> tuple[CounterRead, ...]:
            tabulator = state.tabulator
            return read_counter(tabulator, counters, who=who, reading=id, limits=most, second=second, why=why)

        def decide(uow: UnitOfWork, readings: tuple[CounterRead, ...]) -> Json:
            after = uow.tabulator(table)
            counts = {wager.wager: wager.count for wager in readings[0].wagers}
            return encode_round_count(after, "", counts, read_shown_amounts(uow, after))

        return self.execute_prepared(
            lambda: self._build_reading_command(id, table, body, read, decide), decode_round_count
        )

    def skip_records(
        self, id: str, who: str, table: str, mark: LoggerMark, counter: int, why: str, *, second: str | None
    ) -> LoggerRecordsResult:
        """Continue behind records of a data logger that were lost or cannot be counted: the counter was read behind
        them, and the logger continues at ``mark``. The lammers of those wagers are not recorded, so they count for the
        smaller amount."""
        body: dict[str, Json] = {
            "do": "skip-records",
            "who": who,
            "second": second,
            "why": why,
            "table": table,
            "mark": encode(mark),
            "counter": counter,
        }

        def read(state: TabulatedTableState, most: tuple[int, ...]) -> tuple[CounterRead, ...]:
            tabulator = state.tabulator
            return read_counter(
                tabulator, [counter], who=who, reading=id, limits=most, second=second, why=why, unmarked=True
            )

        def decide(uow: UnitOfWork, _: tuple[CounterRead, ...]) -> Json:
            passed = skip_records(uow.tabulator(table).tabulator, mark, who=who, second=second, why=why)
            uow.apply_to_tabulator(table, passed)
            return {"table": table, "number": mark.number, "seal": mark.seal, "rounds": []}

        return self.execute_prepared(
            lambda: self._build_reading_command(id, table, body, read, decide), decode_logger_records_result
        )

    def _build_reading_command(
        self,
        id: str,
        table: str,
        body: dict[str, Json],
        make_reading: Callable[[TabulatedTableState, tuple[int, ...]], tuple[CounterRead, ...]],
        make_result: Callable[[UnitOfWork, tuple[CounterRead, ...]], Json],
    ) -> Command:
        """A command that reads the counter, with the number of rounds that the table can have played since it counted
        last."""
        self.tabulator(table)
        last = find_last_count(self.ledger, table)

        def decide(uow: UnitOfWork) -> Json:
            state = self.refuse_automatic_table(require_open_table(uow.tabulator(table)))
            if uow.count_tabulator_events(table) != last.events:
                raise StateChanged
            passed = max(self.clock() - last.time, 0)
            most = possible_counts(state.tabulator.table, uow.room().settings.rounds_an_hour, passed, last.read_counts)
            readings = make_reading(state, most)
            uow.apply_to_tabulator(table, readings)
            self._apply_counts(uow, table, readings, late=True)
            return make_result(uow, readings)

        locks = self.lock_linked(table, rounds=(reading_key(id),), room=True)
        return self.build_command(id, body, locks, decide)

    def reverse_reading(
        self, id: str, who: str, table: str, reading: str, why: str, *, second: str | None
    ) -> RoundCountResult:
        """Reverse a wrong reading, by the id of its command: its wagers come off the meters again, and the counter is
        as it was before. Prizes do not depend on a reading, because it belongs to no round."""
        body: dict[str, Json] = {
            "do": "reverse-reading",
            "who": who,
            "second": second,
            "table": table,
            "reading": reading,
            "why": why,
        }

        def prepare() -> Command:
            self.tabulator(table)
            counter_read = find_reading(self.ledger, table, reading)
            if counter_read is None:
                raise CannotTabulate(
                    f"There is no reading {reading} of {table}: give the id of the command that entered it."
                )
            traces = [self._trace_reading(jackpot, counter_read) for jackpot in _list_jackpots(counter_read)]

            def decide(uow: UnitOfWork) -> Json:
                state = uow.tabulator(table)
                back = reverse_reading(state.tabulator, counter_read, who=who, second=second, why=why)
                after = uow.apply_to_tabulator(table, back)
                for trace in traces:
                    _reverse_on_meters(uow, trace, back[0])
                counts = {item.wager: -item.count for item in back[0].wagers}
                return encode_round_count(after, "", counts, read_shown_amounts(uow, after))

            locks = self.lock_linked(table, *(trace.jackpot for trace in traces))
            return self.build_command(id, body, locks, decide)

        return self.execute_prepared(prepare, decode_round_count)

    def _trace_reading(self, jackpot: str, counter_read: CounterRead) -> JackpotSearch[RoundAftermath]:
        """What a reading contributed to a jackpot."""
        trace = self.trace_round(jackpot, counter_read.table, round_of_event(counter_read))
        if trace.result.count_event is None:
            raise CannotTabulate(
                f"Jackpot {jackpot} has no event of reading {counter_read.reading} of {counter_read.table}: verify "
                "the ledger."
            )
        return trace


def _list_jackpots(counter_read: CounterRead) -> Iterator[str]:
    for wager in counter_read.wagers:
        if wager.jackpot is not None and wager.count:
            yield wager.jackpot


def _reverse_on_meters(uow: UnitOfWork, trace: JackpotSearch[RoundAftermath], back: ReadingReversed) -> None:
    """Take a reading's contributions off a jackpot, as for a void round (BJ-18)."""
    aftermath, state = trace.require_current(uow), uow.jackpot(trace.jackpot)
    assert aftermath.count_event is not None
    reversal = reverse_wagers(
        state, aftermath.count_event, aftermath.accruals, who=back.by, second=back.second, why=back.reason
    )
    uow.apply_to_jackpot(trace.jackpot, reversal)
