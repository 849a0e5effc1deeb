"""The day book: everything that happened on a gaming day, as one document to sign and file.

It is computed from the ledger up to the close of the day and from nothing else, so it can be printed again years later
with the same content. The book of a day that is still open covers the day so far.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.ledger import Event
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.activity import table_activity
from cardroom.reports.accounting.chain_reader import PeriodBooks, event_payload
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.history import history_report
from cardroom.reports.accounting.jackpot_bank_deposits import deposits_report
from cardroom.reports.accounting.jackpot_meters import meters_report
from cardroom.reports.accounting.master_games import master_report
from cardroom.reports.accounting.reconciliation import reconciliation_report
from cardroom.reports.accounting.report import (
    CURRENCY_NOTES,
    AccountingReport,
    NoSuchDay,
    ReportEvent,
    ReportHeader,
    ReportSection,
    build_report,
    dollar_text,
)
from cardroom.reports.documents.blocks import Signatures
from cardroom.reports.documents.dates import format_second
from cardroom.room.descriptions.event_descriptions import describe_details, join_sentences, responsible_people
from cardroom.room.descriptions.event_phrases import open_items_text
from cardroom.room.jackpot.events import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    PrizesPaid,
    PrizesReversed,
)
from cardroom.room.setup.calendar import Calendar, Period, Time
from cardroom.room.site.events import (
    MalfunctionReportClosed,
    MalfunctionReported,
    MalfunctionReportSent,
    chain_ends_digest,
)
from cardroom.room.site.malfunction_reports import describe_clock, require_open_report
from cardroom.room.site.state import SettingChange, SiteState, apply_site_event
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, parse_jackpot_chain, parse_tabulator_chain
from cardroom.service.queries.chain_history import read_domain_event
from cardroom.service.queries.site import GamingDay, GamingDayCalendar, list_gaming_days, list_room_changes

_PLAY_MONEY_SECTIONS: Final = ("meters", "period")
"""The sections of the day book for play money."""
_CLAIMS: Final = frozenset(
    event_type.kind for event_type in (ClaimLocked, ClaimJoined, PrizesPaid, PrizesReversed, ClaimPaid, ClaimRefused)
)


def day_book(card_room: CardRoom, day: date | None, now: Time) -> AccountingReport:
    """The book of a day; by default of the last closed day."""
    days = _days_through(list_gaming_days(card_room.ledger), day)
    book_day = days[-1]
    room, calendar = _room_at(card_room, book_day)
    prepared = book_day.closed.time if book_day.closed else now
    books = PeriodBooks(card_room, Period(calendar, book_day.day, book_day.day), GamingDayCalendar(calendar, days))
    jackpots, tables = _jackpots_and_tables(card_room, book_day)
    play_jackpots = tuple(name for name in jackpots if card_room.jackpot(name).money is Currency.PLAY)
    jackpots = tuple(name for name in jackpots if name not in play_jackpots)
    tables = tuple(name for name in tables if card_room.tabulator(name).money is Currency.REAL)
    history = history_report(books, jackpots, prepared)
    reconciliation = reconciliation_report(books, jackpots, prepared)
    parts = [
        *_chapter("Open items", [_open_section(card_room, book_day)]),
        *_report_chapter("Master games report", master_report(books, None, prepared)),
        *_report_chapter("Meters", meters_report(books, jackpots, prepared)),
        *_report_chapter("Every change of each jackpot", history),
        *_chapter("Claims and payouts", [_claims_section(books, jackpots)]),
        *_report_chapter("Deposits", deposits_report(books, jackpots, prepared)),
        *_report_chapter("Reconciliation", reconciliation),
        *_chapter("Counts by table", [table_activity(books, jackpots, tables)]),
        *_chapter("Malfunctions", [_malfunctions_section(books, prepared)]),
        *_chapter("Card room", [_room_section(books)]),
        *_play_money(books, play_jackpots, prepared),
        *_chapter("Heads", [_heads_section(book_day)]),
    ]
    history.faults.extend(reconciliation.faults)  # its own faults are known after its lines are read
    report = build_report(
        ReportHeader(books, prepared, "day-book", "Day book", room.settings.name),
        sections=parts,
        notes=(
            "Amounts are dollars and cents; a fraction of a cent is shown with two more digits.",
            "This book is computed from the events up to the close of the gaming day. A reprint has the same content.",
        ),
        signatures=Signatures("We have read this day book and know its open items.", ("Closed by", "Reviewed by")),
        faults=history.faults,
    )
    return replace(report, cover=_cover(book_day, calendar))


def _days_through(days: Sequence[GamingDay], day: date | None) -> Sequence[GamingDay]:
    """The days up to the requested one."""
    if not days:
        raise NoSuchDay("No gaming day has been opened, so there is no day book yet. Open the gaming day first.")
    closed_places = [place for place, day_record in enumerate(days) if day_record.closed is not None]
    matches = (
        [place for place, day_record in enumerate(days) if day_record.day == day]
        if day
        else (closed_places or [0])[-1:]
    )
    if not matches:
        raise NoSuchDay(f"Gaming day {day} was not opened. The last one is {days[-1].day}.")
    return days[: matches[0] + 1]


def _room_at(card_room: CardRoom, day: GamingDay) -> tuple[SiteState, Calendar]:
    """The card room at the end of the day."""
    state = SiteState()
    for event in islice(card_room.ledger.events(ROOM_CHAIN), day.closed.sequence if day.closed else None):
        state = apply_site_event(state, read_domain_event(event))
    return state, state.settings.calendar


def _jackpots_and_tables(card_room: CardRoom, day: GamingDay) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The jackpots and the tables of that day."""
    if day.closed is None:
        return card_room.list_jackpots(), card_room.list_tabulators()
    chains = [end.chain for end in day.closed.event.ends]
    return tuple(filter(None, map(parse_jackpot_chain, chains))), tuple(
        filter(None, map(parse_tabulator_chain, chains))
    )


def _cover(day: GamingDay, calendar: Calendar) -> tuple[tuple[str, str], ...]:
    closing = day.closed
    return (
        ("Gaming day", f"{day.day:%A, %B} {day.day.day}, {day.day.year}"),
        ("Opened", f"{format_second(calendar.local(day.opened))} by {day.opened_by}"),
        (
            "Closed",
            f"{format_second(calendar.local(closing.time))} by {closing.event.who}"
            if closing
            else "not yet; this book covers the day so far",
        ),
        ("Times", f"{calendar.name}"),
        ("At the close", open_items_text(len(closing.event.open)) if closing else "see the next page"),
        ("Digest of all chains", closing.event.digest if closing else "the day is not closed"),
    )


def _report_chapter(chapter: str, report: AccountingReport) -> Iterator[ReportSection]:
    """A report as a chapter. The chains read are listed once, at the end of the book."""
    parts = [part for part in report.sections if part.name != "books"]
    return _chapter(chapter, parts, report.notes)


def _chapter(title: str, parts: Sequence[ReportSection], notes: tuple[str, ...] = ()) -> Iterator[ReportSection]:
    for place, part in enumerate(parts):
        first, last = place == 0, place == len(parts) - 1
        yield replace(part, chapter=title if first else "", notes=notes if last else ())


def _play_money(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> Iterator[ReportSection]:
    """Play money, separate from everything else and in no sum."""
    if jackpots:
        report = meters_report(books, jackpots, prepared)
        parts = [
            replace(part, name=f"play-money-{part.name}")
            for part in report.sections
            if part.name in _PLAY_MONEY_SECTIONS
        ]
        yield from _chapter("Play money", parts, (CURRENCY_NOTES[Currency.PLAY].capitalize() + ".",))


# Sections that no other report has.


def _open_section(card_room: CardRoom, day: GamingDay) -> ReportSection:
    matters = day.closed.event.open if day.closed else card_room.days.list_open_items()
    moment_text = "at the close of the day" if day.closed else "now"
    return ReportSection("open", f"Open items {moment_text}", _OPEN_COLUMNS, matters, empty="There are no open items.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEventLine(ReportEvent):
    """A claim event as a sentence or two."""

    @property
    def what(self) -> str:
        return join_sentences(self.event, self.reason, self.details)


def _claims_section(books: PeriodBooks, jackpots: Iterable[str]) -> ReportSection:
    lines = [
        ClaimEventLine.from_event(jackpot, event, responsible_people(event_payload(event)))
        for jackpot in jackpots
        for event in books.events(jackpot_chain(jackpot))
        if event.kind in _CLAIMS
    ]
    return ReportSection(
        "claims", "Claims, verifications, payments, and refusals", _CLAIM_COLUMNS, lines, empty="There were no claims."
    )


class MalfunctionLine(NamedTuple):
    """A malfunction report that was open on the day."""

    number: str
    of: str
    found_at: Time
    due: Time | None
    sent_at: Time | None
    sent: str
    clock: str
    why: str


def _malfunctions_section(books: PeriodBooks, prepared: Time) -> ReportSection:
    """The reports that were open at some time of the day, as of its end."""
    lines: dict[str, MalfunctionLine] = {}
    state = SiteState()
    for event, is_before in _room_events(books):
        domain_event = read_domain_event(event)
        if isinstance(domain_event, MalfunctionReportClosed):
            line = lines[domain_event.number]
            lines[domain_event.number] = line._replace(clock=f"closed by {domain_event.who}: {domain_event.why}")
            if is_before:
                del lines[domain_event.number]
        state = apply_site_event(state, domain_event)
        if isinstance(domain_event, (MalfunctionReported, MalfunctionReportSent)):
            report = require_open_report(state.reports, domain_event.number)
            lines[report.number] = MalfunctionLine(
                report.number,
                report.target_text,
                report.found_at,
                report.due,
                report.sent.at if report.sent else None,
                f"{report.sent.reference}, {report.sent.who}" if report.sent else "",
                describe_clock(report, prepared),
                report.why,
            )
    return ReportSection(
        "malfunctions",
        "Malfunction reports",
        _MALFUNCTION_COLUMNS,
        list(lines.values()),
        empty="There were no open malfunction reports.",
    )


def _room_events(books: PeriodBooks) -> Iterator[tuple[Event, bool]]:
    """The card room's events up to the end of the period, and whether each happened before the period."""
    in_period = {event.sequence for event in books.events(ROOM_CHAIN)}
    last = max(in_period, default=0)
    for event in islice(books.card_room.ledger.events(ROOM_CHAIN), last):
        yield event, event.sequence not in in_period


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLine(ReportEvent):
    """An event of the card room, with the reason as the person entered it."""

    facts: str
    why: str

    @property
    def what(self) -> str:
        return join_sentences(self.event, self.reason, self.facts)


def _room_section(books: PeriodBooks) -> ReportSection:
    changes_by_event = {
        change.sequence: change.changes for change in list_room_changes(event for event, _ in _room_events(books))
    }
    lines = [_room_line(event, changes_by_event.get(event.sequence, ())) for event in books.events(ROOM_CHAIN)]
    return ReportSection("room", "Card room events", _ROOM_COLUMNS, lines)


def _room_line(event: Event, changes: Sequence[SettingChange]) -> RoomLine:
    payload = dict(event_payload(event))
    reason = str(payload.pop("why", ""))
    facts = "; ".join(change.text for change in changes) or describe_details(event.kind, payload, dollar_text)
    line = RoomLine.from_event("", event, responsible_people(payload), facts=facts, why=reason)
    return replace(line, details="; ".join(part for part in (facts, reason) if part))


def _heads_section(day: GamingDay) -> ReportSection:
    title = "Head of every chain"
    if day.closed is None:
        return ReportSection("heads", title, _HEAD_COLUMNS, (), empty="The day is not closed yet.")
    heads = day.closed.event.ends
    note = f"SHA-256 of all heads together: {chain_ends_digest(heads)}."
    return ReportSection("heads", title, _HEAD_COLUMNS, heads, note=note)


_OPEN_COLUMNS: Final = (*columns.texts(what="What", of="Of"), *columns.widen(columns.texts(words="Description")))
_CLAIM_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.people_only(columns.widen(columns.texts(what="Event"))),
    *columns.files_only(columns.texts(event="Event", reason="Reason", details="Details")),
    *columns.texts(table="Table", round="Round", who="Who"),
)
_MALFUNCTION_COLUMNS: Final = (
    *columns.texts(number="Report", of="On"),
    *columns.define(Cell.TIME, found_at="Found", due="Due", sent_at="Sent at"),
    *columns.widen(columns.texts(why="What", clock="Clock", sent="Sent")),
)
_ROOM_COLUMNS: Final = (
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.people_only(columns.widen(columns.texts(what="Event"))),
    *columns.files_only(columns.texts(event="Event", reason="Reason", details="Details")),
    *columns.texts(why="Why", who="Who"),
)
_HEAD_COLUMNS: Final = (
    *columns.texts(chain="Chain"),
    *columns.counts(sequence="Last event"),
    *columns.widen(columns.texts(hash="SHA-256")),
)
