"""An accounting report as data: sections, each a table of typed lines.

`export` and the terminal say how it looks. The lines of a section may come one at a time from the ledger, so they are
read once and in order. A report on a jackpot says which deposit is due, and has the events of the jackpot in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple, Self

from cardroom.accounts import DOLLAR, Currency
from cardroom.errors import BadInput
from cardroom.ledger import Event, Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.reports.accounting.period_books import PeriodBooks, event_payload
from cardroom.reports.documents.blocks import Signatures
from cardroom.reports.documents.numbers import MINUS, format_fixed
from cardroom.room.descriptions.event_descriptions import describe_details, event_reason, event_title
from cardroom.room.descriptions.event_phrases import format_rate
from cardroom.room.setup.calendar import Calendar, Period
from cardroom.service.queries.bank_account import find_deposit_due


class BadRecall(BadInput):
    """A recall of nothing, or of nobody knows what."""


class BadReportFile(BadInput):
    """A file that cannot be a report."""


class NoSuchDay(BadInput):
    """A day that has no book."""


class ReportTooLong(BadInput):
    """A report that is no document any more."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One table of a report."""

    name: str
    title: str
    columns: tuple[ReportColumn, ...]
    lines: Iterable[object]
    total: object | None = None
    """A line that sums up the others."""
    note: str = ""
    """A sentence that belongs to this part."""
    empty: str = "Nothing in this period."
    chapter: str = ""
    """The chapter that begins with it, where a report has chapters."""
    notes: tuple[str, ...] = ()
    """Sentences at the end of a chapter."""

    @property
    def display_columns(self) -> tuple[ReportColumn, ...]:
        """The columns for the screen and for paper; files have more."""
        return tuple(column for column in self.columns if not column.files_only)

    @property
    def file_columns(self) -> tuple[ReportColumn, ...]:
        """The columns of CSV and JSON."""
        return tuple(column for column in self.columns if not column.people_only)


CURRENCY_NOTES: Final = {
    Currency.REAL: "the room's, in dollars; play money is no part of it",
    Currency.PLAY: "play money, worth nothing outside; no part of the room's books",
}


@dataclass(frozen=True, slots=True)
class AccountingReport:
    """A report that is ready to be written down, once."""

    slug: str
    kind: str
    """Such as "Jackpot history"."""
    subject: str
    """What it is about, such as a jackpot's name."""
    prepared: Time
    period: Period
    sections: tuple[ReportSection, ...]
    notes: tuple[str, ...] = ()
    signatures: Signatures | None = None
    cover: tuple[tuple[str, str], ...] = ()
    """What stands on the cover of a book; other reports have none."""
    times: str = ""
    """Whose times and days they are, where the calendar does not say all."""
    faults: list[str] = field(default_factory=list)
    """What does not add up; complete when the last line has been read."""
    currency: Currency = Currency.REAL
    """Of which all its amounts are."""

    @property
    def calendar(self) -> Calendar:
        """By which its days are counted."""
        return self.period.calendar

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What the head of the report says."""
        return (
            ("Money", CURRENCY_NOTES[self.currency]),
            ("Period", str(self.period)),
            ("Time", self.times or str(self.calendar)),
            ("Prepared", cell_text(Cell.TIME, self.prepared, self.calendar)),
        )


class ReportHeader(NamedTuple):
    """On what a report is, and what it is about."""

    books: PeriodBooks
    prepared: Time
    slug: str
    kind: str
    subject: str


def build_report(
    header: ReportHeader,
    sections: Iterable[ReportSection],
    notes: tuple[str, ...],
    signatures: Signatures | None = None,
    faults: list[str] | None = None,
) -> AccountingReport:
    """A report on the books of a period; at its end it says on which books it rests."""
    books, prepared, slug, kind, subject = header
    all_sections = (*sections, _sources_section(books))
    times_text, all_faults = str(books.days), [] if faults is None else faults
    currency = books.currency
    return AccountingReport(
        slug,
        kind,
        subject,
        prepared,
        books.period,
        all_sections,
        notes,
        signatures,
        (),
        times_text,
        all_faults,
        currency,
    )


def _sources_section(books: PeriodBooks) -> ReportSection:
    """On which books a report rests: the last event of every chain that was read, and its hash."""
    return ReportSection(
        "books",
        "The books that were read",
        (
            *columns.texts(chain="Chain"),
            *columns.counts(sequence="Last event"),
            *columns.define(Cell.TIME, time="Time"),
            *columns.widen(columns.texts(hash="SHA-256")),
        ),
        books.chain_positions(),
    )


NO_VALUE: Final = ""


def cell_text(kind: Cell, value: Any, calendar: Calendar) -> str:
    """A value for people."""
    if value is None:
        return NO_VALUE
    match kind:
        case Cell.AMOUNT:
            return dollar_text(value)
        case Cell.COUNT:
            return format_fixed(value, 0)
        case Cell.TIME:
            return f"{calendar.local(value):%Y-%m-%d %H:%M:%S}"
        case Cell.DAY:
            assert isinstance(value, date)
            return value.isoformat()
        case Cell.SHARE:
            return format_rate(value)
        case Cell.FREQUENCY:
            return f"1 in {format_fixed(1 / value, 1)}" if value else "never"
        case Cell.EXPECTED:
            return format_fixed(value, 2)
        case Cell.FLAG:
            return "yes" if value else "NO"
        case _:
            return str(value)


def dollar_text(amount: int) -> str:
    """An amount with all its digits.

    >>> dollar_text(50_002_500), dollar_text(-1)
    ('5,000.2500', '−0.0001')
    """
    dollars, rest = divmod(abs(amount), DOLLAR)
    return f"{MINUS if amount < 0 else ''}{dollars:,}.{rest:04}"


def overdue_notes(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> Iterator[str]:
    """What has to be at the bank by the time at which the report is made. A report up to a certain day tells only of
    that day and those before it, whenever it is printed."""
    if books.period.last is not None:
        return
    for jackpot in jackpots:
        due = find_deposit_due(books.floor.ledger, books.floor.jackpot(jackpot), books.calendar, prepared)
        if due is not None and due.is_due:
            heading = "OVERDUE" if due.overdue_days else "DUE"
            waits = f"{dollar_text(due.amount)} waits since {due.since} and had to be at the bank by {due.by}"
            yield f"DEPOSIT {heading}. {jackpot}: {waits}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEvent:
    """What happened, why, where and by whom."""

    jackpot: str
    time: Time
    sequence: int
    """The number of the event."""
    event: str
    reason: str
    details: str
    table: str
    round: str
    who: str

    @classmethod
    def from_event(cls, jackpot: str, event: Event, who: str, **extra_fields: Any) -> Self:
        """The event in words; ``extra_fields`` is what a line has beside it."""
        payload = event_payload(event)
        return cls(
            jackpot=jackpot,
            time=event.time,
            sequence=event.sequence,
            event=event_title(event.kind),
            reason=event_reason(event.kind, payload),
            details=describe_details(event.kind, payload, dollar_text),
            table=str(payload.get("table", "")),
            round=str(payload.get("round", "")),
            who=who,
            **extra_fields,
        )
