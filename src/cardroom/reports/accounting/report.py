"""An accounting report as data: sections, each a table of typed lines.

`export`, the pages, and the terminal format the data. The lines of a section may come one at a time from the ledger, so
a report can be read once, in order. A report on a jackpot states which deposit is due, and describes the jackpot's
events.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date
from itertools import islice
from typing import Any, Final, NamedTuple, Self

from cardroom.chart_of_accounts import CENT, DOLLAR, Currency
from cardroom.errors import BadInput
from cardroom.ledger import Event, Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import PeriodBooks, event_payload
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.reports.documents.blocks import Signatures
from cardroom.reports.documents.dates import format_day, format_second
from cardroom.reports.documents.numbers import MINUS, format_fixed
from cardroom.room.descriptions.event_descriptions import describe_details, event_reason, event_title
from cardroom.room.descriptions.event_phrases import format_rate
from cardroom.room.setup.calendar import Calendar, Period
from cardroom.service.queries.bank_account import find_deposit_due


class BadRecall(BadInput):
    """There is nothing to recall under this name or number."""


class BadReportFile(BadInput):
    """The file cannot be a report."""


class NoSuchDay(BadInput):
    """The gaming day has no day book."""


class ReportTooLong(BadInput):
    """The report is too long for a printed document."""


@dataclass(frozen=True, slots=True)
class ReportSection:
    """One table of a report."""

    name: str
    title: str
    columns: tuple[ReportColumn, ...]
    lines: Iterable[object]
    total: object | None = None
    """A line with the sums of the others."""
    note: str = ""
    """A sentence about this section."""
    empty: str = "Nothing in this period."
    chapter: str = ""
    """The chapter that begins with this section, if the report has chapters."""
    notes: tuple[str, ...] = ()
    """Sentences at the end of a chapter."""

    @property
    def display_columns(self) -> tuple[ReportColumn, ...]:
        """The columns on screen and on paper; files have more."""
        return tuple(column for column in self.columns if not column.files_only)

    @property
    def file_columns(self) -> tuple[ReportColumn, ...]:
        """The columns of CSV and JSON."""
        return tuple(column for column in self.columns if not column.people_only)


CURRENCY_NOTES: Final = {
    Currency.REAL: "card room money in dollars, without play money",
    Currency.PLAY: "play money, without cash value; not part of the card room's money",
}


@dataclass(frozen=True, slots=True)
class AccountingReport:
    """A report, ready to be written once."""

    slug: str
    kind: str
    """Such as "Jackpot history"."""
    subject: str
    """The subject, such as a jackpot's name."""
    prepared: Time
    period: Period
    sections: tuple[ReportSection, ...]
    notes: tuple[str, ...] = ()
    signatures: Signatures | None = None
    cover: tuple[tuple[str, str], ...] = ()
    """The cover of a day book; other reports have none."""
    times: str = ""
    """The calendar of its times and days, if the period's calendar is not enough."""
    faults: list[str] = field(default_factory=list)
    """Sums that do not agree; complete after the last line is read."""
    currency: Currency = Currency.REAL
    """The currency of all its amounts."""

    @property
    def calendar(self) -> Calendar:
        """The calendar of its days."""
        return self.period.calendar

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """The facts at the head of the report."""
        return (
            ("Money", CURRENCY_NOTES[self.currency]),
            ("Period", _period_text(self.period)),
            ("Time", self.times or str(self.calendar)),
            ("Prepared", cell_text(Cell.TIME, self.prepared, self.calendar)),
        )


class ReportHeader(NamedTuple):
    """The source and the subject of a report."""

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
    """Build a report from the ledger of a period. Its last section lists the events that it is based on."""
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
    """The sources of a report: the last event of every chain read, with its hash."""
    return ReportSection(
        "books",
        "Ledger chains read for this report",
        (
            *columns.texts(chain="Chain"),
            *columns.counts(sequence="Last event"),
            *columns.define(Cell.TIME, time="Time"),
            *columns.widen(columns.texts(hash="SHA-256")),
        ),
        books.chain_positions(),
    )


def _period_text(period: Period) -> str:
    if period.first is not None and period.first == period.last:
        return format_day(period.first)
    first = format_day(period.first) if period.first else "the beginning"
    return f"{first} to {format_day(period.last)}" if period.last else f"{first} until now"


MAX_SHOWN_LINES: Final = 500
"""The most lines of a section on a page and in the terminal. The files have all lines."""


class TextLine(NamedTuple):
    """A line as people read it."""

    cells: tuple[str, ...]
    line: object


class SectionText(NamedTuple):
    """A section as people read it: on a page, in the terminal, and on paper."""

    section: ReportSection
    columns: tuple[ReportColumn, ...]
    lines: tuple[TextLine, ...]
    total: tuple[str, ...]
    """Empty if the section has none."""
    omitted: int
    """The number of further lines."""


def section_texts(report: AccountingReport, most: int = MAX_SHOWN_LINES) -> Iterator[SectionText]:
    """The sections with their first lines. All lines are read, so that every fault is found."""
    for section in report.sections:
        columns, lines = section.display_columns, iter(section.lines)
        shown = tuple(TextLine(_cells(line, columns, report.calendar), line) for line in islice(lines, most))
        total = () if section.total is None else _cells(section.total, columns, report.calendar)
        yield SectionText(section, columns, shown, total, sum(1 for _ in lines))


def _cells(line: object, columns: tuple[ReportColumn, ...], calendar: Calendar) -> tuple[str, ...]:
    return tuple(cell_text(column.kind, getattr(line, column.name), calendar) for column in columns)


NO_VALUE: Final = ""


def cell_text(kind: Cell, value: Any, calendar: Calendar) -> str:
    """A value as people read it."""
    if value is None:
        return NO_VALUE
    match kind:
        case Cell.AMOUNT:
            return dollar_text(value)
        case Cell.COUNT:
            return format_fixed(value, 0)
        case Cell.TIME:
            return format_second(calendar.local(value))
        case Cell.DAY:
            assert isinstance(value, date)
            return format_day(value)
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
    """An amount in dollars and cents. A fraction of a cent adds two digits.

    >>> dollar_text(-50_002_500), dollar_text(1)
    ('−$5,000.25', '$0.0001')
    """
    dollars, rest = divmod(abs(amount), DOLLAR)
    cents, fraction = divmod(rest, CENT)
    return f"{MINUS if amount < 0 else ''}${dollars:,}.{cents:02}{f'{fraction:02}' if fraction else ''}"


def overdue_notes(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> Iterator[str]:
    """Deposits that are due when the report is prepared. A report up to a given day has none, because it covers only
    that day and earlier ones."""
    if books.period.last is not None:
        return
    for jackpot in jackpots:
        due = find_deposit_due(books.card_room.ledger, books.card_room.jackpot(jackpot), books.calendar, prepared)
        if due is not None and due.is_due:
            heading = "OVERDUE" if due.overdue_days else "DUE"
            days = f"in the cage since {format_day(due.since)}, due at the bank by {format_day(due.by)}"
            yield f"DEPOSIT {heading}. {jackpot}: {dollar_text(due.amount)} {days}."


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportEvent:
    """An event with its reason, place, and responsible person."""

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
        """A line from an event; ``extra_fields`` has the other fields of the line."""
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
