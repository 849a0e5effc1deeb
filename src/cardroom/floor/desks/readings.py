"""Readings of the tabulators' counters: entered, and taken back when they were wrong."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from cardroom.floor.desks.answers import RecordsTaken, RoundCounted, records_taken, round_counted, round_counted_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import Mark, mark_of, shown_at, still_changing
from cardroom.floor.desks.rounds import RoundDesk
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.recall import back_to_round, counted_last, reading_taken
from cardroom.floor.kept.table import TableState, open_at
from cardroom.jackpots import take_back
from cardroom.jackpots.contents import LoggerMark
from cardroom.jackpots.happenings import CounterRead, ReadingTakenBack, WagersCounted, reading_name, round_of
from cardroom.jackpots.meter.taking_back import SinceCounted
from cardroom.jackpots.plain import written
from cardroom.jackpots.tabulator.logger import pass_over
from cardroom.jackpots.tabulator.readings import possible, read_counter, take_back_reading
from cardroom.jackpots.tabulator.unit import CannotTabulate
from cardroom.ledger import Command, Json


class ReadingDesk(RoundDesk):
    """What is read off the counters."""

    def read_counter(
        self, id: str, who: str, table: str, counters: Sequence[int], *, second: str | None = None, why: str = ""
    ) -> RoundCounted:
        """Enter what the tabulator's counter shows; wagers that nobody has told of are counted now. More of them than
        the table can have played need a second person and a reason."""
        body: dict[str, Json] = {"do": "read-counter", "who": who, "table": table, "counters": list(counters)}
        body |= {name: text for name, text in (("second", second), ("why", why)) if text}

        def read(state: TableState, most: tuple[int, ...]) -> tuple[CounterRead, ...]:
            tabulator = state.tabulator
            return read_counter(tabulator, counters, by=who, reading=id, most=most, second=second, why=why)

        def decide(draft: Draft, happened: tuple[CounterRead, ...]) -> Json:
            after = draft.table(table)
            counts = {one.wager: one.count for one in happened[0].wagers}
            return round_counted_entry(after, "", counts, shown_at(draft, after))

        return self._steady(lambda: self._reading(id, table, body, read, decide), round_counted, table)

    def pass_over_records(
        self, id: str, who: str, table: str, mark: LoggerMark, counter: int, why: str, *, second: str | None
    ) -> RecordsTaken:
        """Go on behind records of a data logger that were lost or cannot be counted: the counter is read as it stood
        behind them, and the logger goes on at ``mark``. Nobody knows beside which of those wagers a lammer lay, so they
        count for the smaller amount."""
        body: dict[str, Json] = {
            "do": "pass-over-records",
            "who": who,
            "second": second,
            "why": why,
            "table": table,
            "mark": written(mark),
            "counter": counter,
        }

        def read(state: TableState, most: tuple[int, ...]) -> tuple[CounterRead, ...]:
            tabulator = state.tabulator
            return read_counter(
                tabulator, [counter], by=who, reading=id, most=most, second=second, why=why, unmarked=True
            )

        def decide(draft: Draft, _: tuple[CounterRead, ...]) -> Json:
            passed = pass_over(draft.table(table).tabulator, mark, by=who, second=second, why=why)
            draft.at_table(table, passed)
            return {"table": table, "number": mark.number, "seal": mark.seal, "rounds": []}

        return self._steady(lambda: self._reading(id, table, body, read, decide), records_taken, table)

    def _reading(
        self,
        id: str,
        table: str,
        body: dict[str, Json],
        read: Callable[[TableState, tuple[int, ...]], tuple[CounterRead, ...]],
        answer: Callable[[Draft, tuple[CounterRead, ...]], Json],
    ) -> Command:
        """A command that reads the counter, knowing what the table can have played since it counted last."""
        self.table(table)
        last = counted_last(self.ledger, table)

        def decide(draft: Draft) -> Json:
            state = self._dealt_by_people(open_at(self._linked(draft, table)))
            if draft.events_at(table) != last.events:
                raise still_changing(table)
            passed = max(self._clock() - last.time, 0)
            most = possible(state.tabulator.table, draft.room().settings.rounds_an_hour, passed, last.read)
            happened = read(state, most)
            draft.at_table(table, happened)
            self._count(draft, table, happened, late=True)
            return answer(draft, happened)

        return self._at_linked(id, table, body, decide, rounds=(reading_name(id),), chains=(ROOM,))

    def take_back_reading(
        self, id: str, who: str, table: str, reading: str, why: str, *, second: str | None
    ) -> RoundCounted:
        """Take back a reading that was wrong, by the id of its command: its wagers go off the meters again, and the
        counter is known as it was before. Prizes do not hang on a reading, because it knows no round."""
        body: dict[str, Json] = {
            "do": "take-back-reading",
            "who": who,
            "second": second,
            "table": table,
            "reading": reading,
            "why": why,
        }

        def command() -> Command:
            self.table(table)
            read = reading_taken(self.ledger, table, reading)
            if read is None:
                raise CannotTabulate(
                    f"There is no reading {reading} of {table}: give the id of the command that entered it."
                )
            brought = [self._brought(jackpot, read) for jackpot in _jackpots(read)]

            def decide(draft: Draft) -> Json:
                state = self._linked(draft, table)
                back = take_back_reading(state.tabulator, read, by=who, second=second, why=why)
                after = draft.at_table(table, back)
                for one in brought:
                    _off_the_meters(draft, one, back[0])
                counts = {one.wager: -one.count for one in back[0].wagers}
                return round_counted_entry(after, "", counts, shown_at(draft, after))

            return self._at_linked(id, table, body, decide, *(one.counted.jackpot for one in brought))

        return self._steady(command, round_counted, table)

    def _brought(self, jackpot: str, read: CounterRead) -> _Brought:
        mark, since = mark_of(self.jackpot(jackpot)), back_to_round(self.ledger, jackpot, read.table, round_of(read))
        if since.counted is None:
            raise CannotTabulate(
                f"Jackpot {jackpot} never heard of reading {read.reading} of {read.table}: verify the ledger."
            )
        return _Brought(since.counted, since.since, mark)


class _Brought(NamedTuple):
    """What a reading brought a jackpot."""

    counted: WagersCounted
    since: SinceCounted
    mark: Mark
    """Of the jackpot when this was looked up."""


def _jackpots(read: CounterRead) -> Iterator[str]:
    for one in read.wagers:
        if one.jackpot is not None and one.count:
            yield one.jackpot


def _off_the_meters(draft: Draft, brought: _Brought, back: ReadingTakenBack) -> None:
    """Take off a jackpot what the reading put on it, as for a void round (BJ-18)."""
    counted = brought.counted
    state = draft.jackpot(counted.jackpot)
    if mark_of(state) != brought.mark:
        raise still_changing(back.table)
    taken = take_back(state, counted, brought.since, who=back.by, second=back.second, why=back.reason)
    draft.at_jackpot(counted.jackpot, taken)
