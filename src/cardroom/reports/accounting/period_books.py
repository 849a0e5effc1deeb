"""The books as reports read them: chain by chain, an event at a time, with the state before it and after it.

A report of any length needs no more memory than its own sums. Of every chain that was read the last event is noted, so
that the report can say on which books it rests.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar, cast

from cardroom.accounts import Account, Amount, Currency
from cardroom.errors import BadInput
from cardroom.ledger import Entry, Event, Finding, LedgerDamaged, Time
from cardroom.room.descriptions.event_descriptions import responsible_people
from cardroom.room.event_types import decode_event
from cardroom.room.jackpot.events import WagersCounted
from cardroom.room.jackpot.reducer import apply_jackpot_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.calendar import Calendar, Period, open_period
from cardroom.service import CardRoom
from cardroom.service.chains.names import jackpot_chain, tabulator_chain
from cardroom.service.queries.chain_history import payload_of
from cardroom.service.queries.site import GamingDayCalendar

T = TypeVar("T")


class NoBankAccount(BadInput):
    """A report on a bank account that there is not."""


WAGER_COUNT_EVENT: Final = WagersCounted.kind


class JackpotTransition(NamedTuple):
    """An event of a jackpot, and the jackpot before and after it."""

    event: Event
    state_before: JackpotState | None
    state_after: JackpotState

    @property
    def payload(self) -> dict[str, Any]:
        return event_payload(self.event)


class ChainPosition(NamedTuple):
    """How far a chain was read."""

    chain: str
    sequence: int
    time: Time
    hash: str


def open_room_books(floor: CardRoom, first: str | None = None, last: str | None = None) -> PeriodBooks:
    """The books by the room's own days, as they were opened and closed."""
    return PeriodBooks(floor, open_period(floor.calendar, first, last), floor.read_gaming_days())


class PeriodBooks:
    """The books of a floor for one period, of one of the two moneys: no report adds them up."""

    def __init__(
        self, floor: CardRoom, period: Period, days: GamingDayCalendar | None = None, currency: Currency = Currency.REAL
    ) -> None:
        self.floor, self.period, self.currency = floor, period, currency
        self.days = days or GamingDayCalendar(period.calendar)
        """Which day an event belongs to; without them the calendar says it."""
        self._last_events: dict[str, Event] = {}

    @property
    def calendar(self) -> Calendar:
        """By which days are counted."""
        return self.period.calendar

    def switch_currency(self, currency: Currency) -> PeriodBooks:
        """The same books for the other money; what is read there is noted here too."""
        if currency is self.currency:
            return self
        books = PeriodBooks(self.floor, self.period, self.days, currency)
        books._last_events = self._last_events
        return books

    def select_jackpots(self, jackpots: Iterable[str]) -> tuple[PeriodBooks, tuple[str, ...]]:
        """The books for some jackpots: for play money where all of them are of it; else those of play money are left
        out."""
        currencies = {jackpot: self.floor.jackpot(jackpot).money for jackpot in jackpots}
        currency = Currency.PLAY if set(currencies.values()) == {Currency.PLAY} else Currency.REAL
        return self.switch_currency(currency), tuple(
            jackpot for jackpot in currencies if currencies[jackpot] is currency
        )

    def jackpots(self) -> tuple[str, ...]:
        """The jackpots of this money."""
        return tuple(
            jackpot for jackpot in self.floor.list_jackpots() if self.floor.jackpot(jackpot).money is self.currency
        )

    def tables(self) -> tuple[str, ...]:
        """The tables that play for this money."""
        return tuple(
            table for table in self.floor.list_tabulators() if self.floor.tabulator(table).money is self.currency
        )

    def promotions(self) -> tuple[str, ...]:
        """The promotions that pay this money."""
        return tuple(
            promotion
            for promotion in self.floor.list_promotions()
            if self.floor.promotion(promotion).money is self.currency
        )

    def chain_positions(self) -> Iterator[ChainPosition]:
        """The chains that have been read so far."""
        for chain, event in sorted(self._last_events.items()):
            yield ChainPosition(chain, event.sequence, event.time, event.hash.hex())

    def note_event(self, event: Event) -> None:
        """Note how far a chain was read."""
        previous = self._last_events.get(event.chain)
        if previous is None or previous.sequence < event.sequence:
            self._last_events[event.chain] = event

    def transitions(self, jackpot: str) -> Iterator[JackpotTransition]:
        """Everything that happened to a jackpot, from its opening to the end of the period."""
        state, last = None, None
        with release_rows(self.floor.ledger.events(jackpot_chain(jackpot))) as events:
            for event in events:
                if self._is_after_period(event):
                    break
                next_state = _apply_event(state, event)
                yield JackpotTransition(event, state, next_state)
                state, last = next_state, event
        if last is not None:
            self.note_event(last)

    def is_before_period(self, event: Event) -> bool:
        """Whether it happened before the period."""
        return self.period.first is not None and self.days.day_of(event) < self.period.first

    def _is_after_period(self, event: Event) -> bool:
        return self.period.last is not None and self.days.day_of(event) > self.period.last

    def report_day(self, prepared: Time) -> date:
        """The day of the calendar up to which a report tells, whichever gaming day was still open then."""
        last = self.period.last
        return self.calendar.day_of(prepared if last is None else self.days.find_end(last, prepared))

    def events(self, chain: str) -> Iterator[Event]:
        """The events of a chain in the period."""
        last = None
        with release_rows(self.floor.ledger.events(chain, self._sequence_before_period(chain))) as events:
            for event in events:
                if self._is_after_period(event):
                    break
                yield event
                last = event
        if last is not None:
            self.note_event(last)

    def events_with_entries(self, chain: str) -> Iterator[tuple[Event, list[Entry]]]:
        """The events of a chain in the period, each with its entries."""
        with release_rows(self.floor.ledger.entries(chain, self._sequence_before_period(chain))) as entries:
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
        with release_rows(self.floor.ledger.entries(chain)) as entries:
            for entry in entries:
                if entry.sequence > last:
                    break
                amount = entry.amount
                for account, change in ((entry.debit, amount), (entry.credit, -amount)):
                    sums[account] = sums.get(account, 0) + (change if account.kind.is_debit else -change)
        return sums

    def dealers(self, table: str) -> Iterator[tuple[str, str, str]]:
        """Who counted at a table: the command and the round of each event in order, and the name."""
        for event in self.events(tabulator_chain(table)):
            payload = event_payload(event)
            yield event.command_id, str(payload.get("round", "")), responsible_people(payload)

    def _sequence_before_period(self, chain: str) -> int:
        """The place of the last event before the period. Times never go back, so halving finds it."""
        head = self.floor.ledger.head(chain)
        low, high = 0, head.sequence if head else 0
        while self.period.first is not None and low < high:
            middle = (low + high + 1) // 2
            event = next(self.floor.ledger.events(chain, middle - 1, 1), None)
            if event is None:
                sentence = f"Event {middle} of {chain} is missing: verify the ledger."
                raise LedgerDamaged(Finding("events", "sequence", sentence, chain, middle))
            low, high = (middle, high) if self.is_before_period(event) else (low, middle - 1)
        return low if self.period.first is not None else 0


def select_bank_jackpots(books: PeriodBooks, jackpots: Iterable[str]) -> tuple[PeriodBooks, tuple[str, ...]]:
    """The books for some jackpots that have a bank account."""
    selected_books, selected_jackpots = books.select_jackpots(jackpots)
    if selected_books.currency is Currency.PLAY:
        raise NoBankAccount(f"{', '.join(selected_jackpots)} is of play money: there is no bank account to report on.")
    return selected_books, selected_jackpots


def _apply_event(state: JackpotState | None, event: Event) -> JackpotState:
    """The jackpot after an event; books that contradict themselves are damaged."""
    try:
        return apply_jackpot_event(state, decode_event(event.kind, event.version, event.payload))
    except BadInput as fault:
        sentence = f"Event {event.sequence} of {event.chain} ({event.id}) cannot have happened: {fault}"
        finding = Finding("events", "payload", sentence, event.chain, event.sequence, event.id)
        raise LedgerDamaged(finding) from fault


@contextmanager
def release_rows(rows: Iterator[T]) -> Iterator[Iterator[T]]:
    """Rows of the ledger, which are let go of also when they are not read to the end."""
    try:
        yield rows
    finally:
        if isinstance(rows, Generator):
            rows.close()


def event_payload(event: Event) -> dict[str, Any]:
    """What an event says, to be read freely."""
    return cast(dict[str, Any], payload_of(event))
