"""The ledger as reports read it: chain by chain, one event at a time, with the state before and after it.

A report of any length needs no more memory than its own sums. The last event of every chain read is recorded, so that
the report can list its sources.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any, Final, NamedTuple, TypeVar, cast

from cardroom.chart_of_accounts import Account, Amount, Currency
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
    """The jackpot has no bank account to report on."""


WAGER_COUNT_EVENT: Final = WagersCounted.kind


class JackpotTransition(NamedTuple):
    """An event of a jackpot, with the jackpot before and after it."""

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


def open_room_books(card_room: CardRoom, first: str | None = None, last: str | None = None) -> PeriodBooks:
    """Read the ledger by the card room's gaming days, as they were opened and closed."""
    return PeriodBooks(card_room, open_period(card_room.calendar, first, last), card_room.days.read_gaming_days())


class PeriodBooks:
    """A card room's ledger for one period and one currency; no report adds up the two currencies."""

    def __init__(
        self,
        card_room: CardRoom,
        period: Period,
        days: GamingDayCalendar | None = None,
        currency: Currency = Currency.REAL,
    ) -> None:
        self.card_room, self.period, self.currency = card_room, period, currency
        self.days = days or GamingDayCalendar(period.calendar)
        """The gaming day of each event; without gaming days, the calendar decides."""
        self._last_events: dict[str, Event] = {}

    @property
    def calendar(self) -> Calendar:
        """The calendar of the days."""
        return self.period.calendar

    def switch_currency(self, currency: Currency) -> PeriodBooks:
        """The same period for the other currency; chains read there are recorded here too."""
        if currency is self.currency:
            return self
        books = PeriodBooks(self.card_room, self.period, self.days, currency)
        books._last_events = self._last_events
        return books

    def select_jackpots(self, jackpots: Iterable[str]) -> tuple[PeriodBooks, tuple[str, ...]]:
        """The ledger for these jackpots: for play money if all of them are play money; otherwise without those of play
        money."""
        currencies = {jackpot: self.card_room.jackpot(jackpot).money for jackpot in jackpots}
        currency = Currency.PLAY if set(currencies.values()) == {Currency.PLAY} else Currency.REAL
        return self.switch_currency(currency), tuple(
            jackpot for jackpot in currencies if currencies[jackpot] is currency
        )

    def jackpots(self) -> tuple[str, ...]:
        """The jackpots of this currency."""
        return tuple(
            jackpot
            for jackpot in self.card_room.list_jackpots()
            if self.card_room.jackpot(jackpot).money is self.currency
        )

    def tables(self) -> tuple[str, ...]:
        """The tables of this currency."""
        return tuple(
            table
            for table in self.card_room.list_tabulators()
            if self.card_room.tabulator(table).money is self.currency
        )

    def promotions(self) -> tuple[str, ...]:
        """The promotions of this currency."""
        return tuple(
            promotion
            for promotion in self.card_room.list_promotions()
            if self.card_room.promotion(promotion).money is self.currency
        )

    def chain_positions(self) -> Iterator[ChainPosition]:
        """The chains read so far."""
        for chain, event in sorted(self._last_events.items()):
            yield ChainPosition(chain, event.sequence, event.time, event.hash.hex())

    def note_event(self, event: Event) -> None:
        """Record how far a chain was read."""
        previous = self._last_events.get(event.chain)
        if previous is None or previous.sequence < event.sequence:
            self._last_events[event.chain] = event

    def transitions(self, jackpot: str) -> Iterator[JackpotTransition]:
        """Every event of a jackpot, from its opening to the end of the period."""
        state, last = None, None
        with release_rows(self.card_room.ledger.events(jackpot_chain(jackpot))) as events:
            for event in events:
                if self._is_after_period(event):
                    break
                next_state = _apply_event(state, event)
                yield JackpotTransition(event, state, next_state)
                state, last = next_state, event
        if last is not None:
            self.note_event(last)

    def is_before_period(self, event: Event) -> bool:
        """Whether the event happened before the period."""
        return self.period.first is not None and self.days.day_of(event) < self.period.first

    def _is_after_period(self, event: Event) -> bool:
        return self.period.last is not None and self.days.day_of(event) > self.period.last

    def report_day(self, prepared: Time) -> date:
        """The last calendar day of a report, even if an earlier gaming day was still open then."""
        last = self.period.last
        return self.calendar.day_of(prepared if last is None else self.days.find_end(last, prepared))

    def events(self, chain: str) -> Iterator[Event]:
        """The events of a chain in the period."""
        last = None
        with release_rows(self.card_room.ledger.events(chain, self._sequence_before_period(chain))) as events:
            for event in events:
                if self._is_after_period(event):
                    break
                yield event
                last = event
        if last is not None:
            self.note_event(last)

    def events_with_entries(self, chain: str) -> Iterator[tuple[Event, list[Entry]]]:
        """The events of a chain in the period, each with its entries."""
        with release_rows(self.card_room.ledger.entries(chain, self._sequence_before_period(chain))) as entries:
            entry = next(entries, None)
            for event in self.events(chain):
                lines = []
                while entry is not None and entry.sequence <= event.sequence:
                    lines.append(entry)
                    entry = next(entries, None)
                yield event, lines

    def balances(self, chain: str, last: int) -> dict[Account, Amount]:
        """The sums of a chain's entries, from its first event to this one."""
        sums: dict[Account, Amount] = {}
        with release_rows(self.card_room.ledger.entries(chain)) as entries:
            for entry in entries:
                if entry.sequence > last:
                    break
                amount = entry.amount
                for account, change in ((entry.debit, amount), (entry.credit, -amount)):
                    sums[account] = sums.get(account, 0) + (change if account.kind.is_debit else -change)
        return sums

    def dealers(self, table: str) -> Iterator[tuple[str, str, str]]:
        """The persons who counted at a table: the command and the round of each event in order, with the name."""
        for event in self.events(tabulator_chain(table)):
            payload = event_payload(event)
            yield event.command_id, str(payload.get("round", "")), responsible_people(payload)

    def _sequence_before_period(self, chain: str) -> int:
        """The sequence of the last event before the period, by binary search, because times never go back."""
        head = self.card_room.ledger.head(chain)
        low, high = 0, head.sequence if head else 0
        while self.period.first is not None and low < high:
            middle = (low + high + 1) // 2
            event = next(self.card_room.ledger.events(chain, middle - 1, 1), None)
            if event is None:
                sentence = f"Event {middle} of {chain} is missing. Verify the ledger."
                raise LedgerDamaged(Finding("events", "sequence", sentence, chain, middle))
            low, high = (middle, high) if self.is_before_period(event) else (low, middle - 1)
        return low if self.period.first is not None else 0


def select_bank_jackpots(books: PeriodBooks, jackpots: Iterable[str]) -> tuple[PeriodBooks, tuple[str, ...]]:
    """The ledger for these jackpots, which must have a bank account."""
    selected_books, selected_jackpots = books.select_jackpots(jackpots)
    if selected_books.currency is Currency.PLAY:
        raise NoBankAccount(
            f"{', '.join(selected_jackpots)} is a play-money jackpot: it has no bank account to report on."
        )
    return selected_books, selected_jackpots


def _apply_event(state: JackpotState | None, event: Event) -> JackpotState:
    """The jackpot after an event. A contradiction means that the ledger is damaged."""
    try:
        return apply_jackpot_event(state, decode_event(event.kind, event.version, event.payload))
    except BadInput as fault:
        sentence = f"Event {event.sequence} of {event.chain} ({event.id}) contradicts the earlier events: {fault}"
        finding = Finding("events", "payload", sentence, event.chain, event.sequence, event.id)
        raise LedgerDamaged(finding) from fault


@contextmanager
def release_rows(rows: Iterator[T]) -> Iterator[Iterator[T]]:
    """Rows of the ledger; they are released even if they are not read to the end."""
    try:
        yield rows
    finally:
        if isinstance(rows, Generator):
            rows.close()


def event_payload(event: Event) -> dict[str, Any]:
    """The payload of an event."""
    return cast(dict[str, Any], payload_of(event))
