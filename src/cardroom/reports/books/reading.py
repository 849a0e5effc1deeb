"""The books as reports read them: chain by chain, an event at a time, with the state before it and after it.

A report of any length needs no more memory than its own sums. Of every chain that was read the last event is noted, so
that the report can say on which books it rests.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar, cast

from cardroom.accounts import Account, Amount
from cardroom.faults import BadInput
from cardroom.floor import Floor
from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.days import DrawnDays
from cardroom.jackpots import JackpotState, happening_from, jackpot_after
from cardroom.jackpots.happenings import WagersCounted
from cardroom.jackpots.setup.calendar import Calendar, Period, open_period
from cardroom.jackpots.telling.words import answering
from cardroom.ledger import Entry, Event, Finding, LedgerDamaged, Time

T = TypeVar("T")
WAGERS_COUNTED: Final = WagersCounted.kind


class Moment(NamedTuple):
    """An event of a jackpot, and the jackpot before and after it."""

    event: Event
    before: JackpotState | None
    after: JackpotState

    @property
    def payload(self) -> dict[str, Any]:
        return told(self.event)


class Read(NamedTuple):
    """How far a chain was read."""

    chain: str
    sequence: int
    time: Time
    hash: str


def room_books(floor: Floor, first: str | None = None, last: str | None = None) -> Books:
    """The books by the room's own days, as they were opened and closed."""
    return Books(floor, open_period(floor.calendar, first, last), floor.drawn_days())


class Books:
    """The books of a floor for one period."""

    def __init__(self, floor: Floor, period: Period, days: DrawnDays | None = None) -> None:
        self.floor, self.period = floor, period
        self.days = days or DrawnDays(period.calendar)
        """Which day an event belongs to; without them the calendar says it."""
        self._read: dict[str, Event] = {}

    @property
    def calendar(self) -> Calendar:
        return self.period.calendar

    def read(self) -> Iterator[Read]:
        """The chains that have been read so far."""
        for chain, event in sorted(self._read.items()):
            yield Read(chain, event.sequence, event.time, event.hash.hex())

    def note(self, event: Event) -> None:
        """Note how far a chain was read."""
        known = self._read.get(event.chain)
        if known is None or known.sequence < event.sequence:
            self._read[event.chain] = event

    def moments(self, jackpot: str) -> Iterator[Moment]:
        """Everything that happened to a jackpot, from its opening to the end of the period."""
        state, last = None, None
        with let_go(self.floor.ledger.events(jackpot_chain(jackpot))) as events:
            for event in events:
                if self._is_after(event):
                    break
                after = _after(state, event)
                yield Moment(event, state, after)
                state, last = after, event
        if last is not None:
            self.note(last)

    def is_before(self, event: Event) -> bool:
        """Whether it happened before the period."""
        return self.period.first is not None and self.days.day_of(event) < self.period.first

    def _is_after(self, event: Event) -> bool:
        return self.period.last is not None and self.days.day_of(event) > self.period.last

    def today(self, prepared: Time) -> date:
        """The day of the calendar up to which a report tells, whichever gaming day was still open then."""
        last = self.period.last
        return self.calendar.day_of(prepared if last is None else self.days.ended(last, prepared))

    def events(self, chain: str) -> Iterator[Event]:
        """The events of a chain in the period."""
        last = None
        with let_go(self.floor.ledger.events(chain, self._place(chain))) as events:
            for event in events:
                if self._is_after(event):
                    break
                yield event
                last = event
        if last is not None:
            self.note(last)

    def booked(self, chain: str) -> Iterator[tuple[Event, list[Entry]]]:
        """The events of a chain in the period, each with its entries."""
        with let_go(self.floor.ledger.entries(chain, self._place(chain))) as entries:
            entry = next(entries, None)
            for event in self.events(chain):
                lines = []
                while entry is not None and entry.sequence <= event.sequence:
                    lines.append(entry)
                    entry = next(entries, None)
                yield event, lines

    def balances(self, chain: str, last: int) -> dict[Account, Amount]:
        """What the entries of a chain come to, from its first event to this one."""
        sums: dict[Account, Amount] = {}
        with let_go(self.floor.ledger.entries(chain)) as entries:
            for entry in entries:
                if entry.sequence > last:
                    break
                amount = entry.amount
                for account, change in ((entry.debit, amount), (entry.credit, -amount)):
                    sums[account] = sums.get(account, 0) + (change if account.kind.is_debit else -change)
        return sums

    def dealers(self, table: str) -> Iterator[tuple[str, str]]:
        """Who counted at a table: the id of each command in order, and the name."""
        for event in self.events(table_chain(table)):
            yield event.command, answering(told(event))

    def _place(self, chain: str) -> int:
        """The place of the last event before the period. Times never go back, so halving finds it."""
        head = self.floor.ledger.head(chain)
        low, high = 0, head.sequence if head else 0
        while self.period.first is not None and low < high:
            middle = (low + high + 1) // 2
            event = next(self.floor.ledger.events(chain, middle - 1, 1), None)
            if event is None:
                sentence = f"Event {middle} of {chain} is missing: verify the ledger."
                raise LedgerDamaged(Finding("events", "sequence", sentence, chain, middle))
            low, high = (middle, high) if self.is_before(event) else (low, middle - 1)
        return low if self.period.first is not None else 0


def _after(state: JackpotState | None, event: Event) -> JackpotState:
    """The jackpot after an event; books that contradict themselves are damaged."""
    try:
        return jackpot_after(state, happening_from(event.kind, event.version, event.payload))
    except BadInput as fault:
        sentence = f"Event {event.sequence} of {event.chain} ({event.id}) cannot have happened: {fault}"
        finding = Finding("events", "payload", sentence, event.chain, event.sequence, event.id)
        raise LedgerDamaged(finding) from fault


@contextmanager
def let_go(rows: Iterator[T]) -> Iterator[Iterator[T]]:
    """Rows of the ledger, which are let go of also when they are not read to the end."""
    try:
        yield rows
    finally:
        if isinstance(rows, Generator):
            rows.close()


def told(event: Event) -> dict[str, Any]:
    """What an event says, to be read freely."""
    return cast(dict[str, Any], event.payload)
