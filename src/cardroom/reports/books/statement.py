"""A report as data: parts, each a table of typed lines. `plain`, `paper` and the terminal say how it looks.

The lines of a part may come one at a time from the books, so they are read once and in order.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, NamedTuple

from cardroom.accounts import DOLLAR, Money
from cardroom.jackpots.setup.calendar import Calendar, Period
from cardroom.jackpots.telling.phrases import rate
from cardroom.ledger import Time
from cardroom.reports.books import columns
from cardroom.reports.books.columns import Cell, ReportColumn
from cardroom.reports.books.reading import Books
from cardroom.reports.paper.blocks import Signatures
from cardroom.reports.paper.numbers import MINUS, fixed


@dataclass(frozen=True, slots=True)
class Section:
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
    def shown_columns(self) -> tuple[ReportColumn, ...]:
        """The columns for the screen and for paper; files have more."""
        return tuple(column for column in self.columns if not column.files_only)

    @property
    def kept_columns(self) -> tuple[ReportColumn, ...]:
        """The columns of CSV and JSON."""
        return tuple(column for column in self.columns if not column.people_only)


MONEYS: Final = {
    Money.ROOM: "the room's, in dollars; play money is no part of it",
    Money.PLAY: "play money, worth nothing outside; no part of the room's books",
}


@dataclass(frozen=True, slots=True)
class Report:
    """A report that is ready to be written down, once."""

    slug: str
    kind: str
    """Such as "Jackpot history"."""
    subject: str
    """What it is about, such as a jackpot's name."""
    prepared: Time
    period: Period
    parts: tuple[Section, ...]
    notes: tuple[str, ...] = ()
    signing: Signatures | None = None
    cover: tuple[tuple[str, str], ...] = ()
    """What stands on the cover of a book; other reports have none."""
    times: str = ""
    """Whose times and days they are, where the calendar does not say all."""
    faults: list[str] = field(default_factory=list)
    """What does not add up; complete when the last line has been read."""
    money: Money = Money.ROOM
    """Of which all its amounts are."""

    @property
    def calendar(self) -> Calendar:
        """By which its days are counted."""
        return self.period.calendar

    @property
    def facts(self) -> tuple[tuple[str, str], ...]:
        """What the head of the report says."""
        return (
            ("Money", MONEYS[self.money]),
            ("Period", str(self.period)),
            ("Time", self.times or str(self.calendar)),
            ("Prepared", cell_text(Cell.TIME, self.prepared, self.calendar)),
        )


class Head(NamedTuple):
    """On what a report is, and what it is about."""

    books: Books
    prepared: Time
    slug: str
    kind: str
    subject: str


def report_on(
    head: Head,
    parts: Iterable[Section],
    notes: tuple[str, ...],
    signing: Signatures | None = None,
    faults: list[str] | None = None,
) -> Report:
    """A report on the books of a period; at its end it says on which books it rests."""
    books, prepared, slug, kind, subject = head
    whole = (*parts, _books_part(books))
    told, wrong = str(books.days), [] if faults is None else faults
    of = books.money
    return Report(slug, kind, subject, prepared, books.period, whole, notes, signing, (), told, wrong, of)


def _books_part(books: Books) -> Section:
    """On which books a report rests: the last event of every chain that was read, and its hash."""
    return Section(
        "books",
        "The books that were read",
        (
            *columns.texts(chain="Chain"),
            *columns.counts(sequence="Last event"),
            *columns.of(Cell.TIME, time="Time"),
            *columns.wide(columns.texts(hash="SHA-256")),
        ),
        books.read(),
    )


NONE_SHOWN: Final = ""


def cell_text(kind: Cell, value: Any, calendar: Calendar) -> str:
    """A value for people."""
    if value is None:
        return NONE_SHOWN
    match kind:
        case Cell.AMOUNT:
            return in_dollars(value)
        case Cell.COUNT:
            return fixed(value, 0)
        case Cell.TIME:
            return f"{calendar.local(value):%Y-%m-%d %H:%M:%S}"
        case Cell.DAY:
            assert isinstance(value, date)
            return value.isoformat()
        case Cell.SHARE:
            return rate(value)
        case Cell.FREQUENCY:
            return f"1 in {fixed(1 / value, 1)}" if value else "never"
        case Cell.EXPECTED:
            return fixed(value, 2)
        case Cell.FLAG:
            return "yes" if value else "NO"
        case _:
            return str(value)


def in_dollars(amount: int) -> str:
    """An amount with all its digits.

    >>> in_dollars(50_002_500), in_dollars(-1)
    ('5,000.2500', '−0.0001')
    """
    whole, rest = divmod(abs(amount), DOLLAR)
    return f"{MINUS if amount < 0 else ''}{whole:,}.{rest:04}"
