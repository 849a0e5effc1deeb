"""The day's book: everything that a gaming day brought, as one document to sign and to keep.

It follows from the books up to the line under the day and from nothing else, so it can be printed again years later and
is the same. The book of a day that is still open tells how far it has come.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import islice
from typing import Final, NamedTuple

from cardroom.accounts import Currency
from cardroom.ledger import Event
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.activity import table_activity
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.deposits import deposits_report
from cardroom.reports.accounting.history import history_report
from cardroom.reports.accounting.master_games import master_report
from cardroom.reports.accounting.meters import meters_report
from cardroom.reports.accounting.period_books import PeriodBooks, event_payload
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
from cardroom.room.site.malfunction import describe_clock, require_open_report
from cardroom.room.site.state import SettingChange, SiteState, apply_site_event
from cardroom.service import CardRoom
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, parse_jackpot_chain, parse_tabulator_chain
from cardroom.service.queries.chain_history import read_domain_event
from cardroom.service.queries.site import GamingDay, GamingDayCalendar, list_gaming_days, list_room_changes

_PLAY_MONEY_SECTIONS: Final = ("meters", "period")
"""What the book of a day tells of play money."""
_CLAIMS: Final = frozenset(
    event_type.kind for event_type in (ClaimLocked, ClaimJoined, PrizesPaid, PrizesReversed, ClaimPaid, ClaimRefused)
)


def day_book(floor: CardRoom, day: date | None, now: Time) -> AccountingReport:
    """The book of a day; of the last one that was closed when none is named."""
    days = _days_through(list_gaming_days(floor.ledger), day)
    book_day = days[-1]
    room, calendar = _room_at(floor, book_day)
    prepared = book_day.closed.time if book_day.closed else now
    books = PeriodBooks(floor, Period(calendar, book_day.day, book_day.day), GamingDayCalendar(calendar, days))
    jackpots, tables = _jackpots_and_tables(floor, book_day)
    play_jackpots = tuple(name for name in jackpots if floor.jackpot(name).money is Currency.PLAY)
    jackpots = tuple(name for name in jackpots if name not in play_jackpots)
    tables = tuple(name for name in tables if floor.tabulator(name).money is Currency.REAL)
    history = history_report(books, jackpots, prepared)
    reconciliation = reconciliation_report(books, jackpots, prepared)
    parts = [
        *_chapter("What is open", [_open_section(floor, book_day)]),
        *_report_chapter("Master games report", master_report(books, None, prepared)),
        *_report_chapter("Meters", meters_report(books, jackpots, prepared)),
        *_report_chapter("Every change of each jackpot", history),
        *_chapter("Claims and payouts", [_claims_section(books, jackpots)]),
        *_report_chapter("Deposits", deposits_report(books, jackpots, prepared)),
        *_report_chapter("Reconciliation", reconciliation),
        *_chapter("Counts by table", [table_activity(books, jackpots, tables)]),
        *_chapter("Malfunctions", [_malfunctions_section(books, prepared)]),
        *_chapter("The room", [_room_section(books)]),
        *_play_money(books, play_jackpots, prepared),
        *_chapter("Heads", [_heads_section(book_day)]),
    ]
    history.faults.extend(reconciliation.faults)  # its own are known once its lines have been read
    report = build_report(
        ReportHeader(books, prepared, "day-book", "Day book", room.settings.name),
        sections=parts,
        notes=(
            "Amounts are dollars to a hundredth of a cent.",
            "This book follows from the events up to the line under the day: printed again, it is the same.",
        ),
        signatures=Signatures("The book of the day was read, and what is open is known.", ("Closed by", "Reviewed by")),
        faults=history.faults,
    )
    return replace(report, cover=_cover(book_day, calendar))


def _days_through(days: Sequence[GamingDay], day: date | None) -> Sequence[GamingDay]:
    """The days up to the one that is wanted."""
    if not days:
        raise NoSuchDay("No day was ever opened, so there is no book yet: cardroom day open.")
    closed_places = [place for place, day_record in enumerate(days) if day_record.closed is not None]
    matches = (
        [place for place, day_record in enumerate(days) if day_record.day == day]
        if day
        else (closed_places or [0])[-1:]
    )
    if not matches:
        raise NoSuchDay(f"The day {day} was never opened: the last one was {days[-1].day}.")
    return days[: matches[0] + 1]


def _room_at(floor: CardRoom, day: GamingDay) -> tuple[SiteState, Calendar]:
    """The room as it was at the end of the day."""
    state = SiteState()
    for event in islice(floor.ledger.events(ROOM_CHAIN), day.closed.sequence if day.closed else None):
        state = apply_site_event(state, read_domain_event(event))
    return state, state.settings.calendar


def _jackpots_and_tables(floor: CardRoom, day: GamingDay) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The jackpots and the tables that there were."""
    if day.closed is None:
        return floor.list_jackpots(), floor.list_tabulators()
    chains = [end.chain for end in day.closed.event.ends]
    return tuple(filter(None, map(parse_jackpot_chain, chains))), tuple(
        filter(None, map(parse_tabulator_chain, chains))
    )


def _cover(day: GamingDay, calendar: Calendar) -> tuple[tuple[str, str], ...]:
    closing = day.closed
    return (
        ("Gaming day", f"{day.day:%A, %B} {day.day.day}, {day.day.year}"),
        ("Opened", f"{calendar.format_time(day.opened)} by {day.opened_by}"),
        (
            "Closed",
            f"{calendar.format_time(closing.time)} by {closing.event.who}"
            if closing
            else "not yet: this is how far it came",
        ),
        ("Times", f"those of {calendar.name}"),
        ("At the close", open_items_text(len(closing.event.open)) if closing else "see the next page"),
        ("Digest of all chains", closing.event.digest if closing else "the day is not closed"),
    )


def _report_chapter(chapter: str, report: AccountingReport) -> Iterator[ReportSection]:
    """A report of its own as a chapter; on which books it rests is said once, at the end of the book."""
    parts = [part for part in report.sections if part.name != "books"]
    return _chapter(chapter, parts, report.notes)


def _chapter(title: str, parts: Sequence[ReportSection], notes: tuple[str, ...] = ()) -> Iterator[ReportSection]:
    for place, part in enumerate(parts):
        first, last = place == 0, place == len(parts) - 1
        yield replace(part, chapter=title if first else "", notes=notes if last else ())


def _play_money(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> Iterator[ReportSection]:
    """What was played for that is no money of the room: apart from everything else, and in no sum."""
    if jackpots:
        report = meters_report(books, jackpots, prepared)
        parts = [
            replace(part, name=f"play-money-{part.name}")
            for part in report.sections
            if part.name in _PLAY_MONEY_SECTIONS
        ]
        yield from _chapter("Play money", parts, (CURRENCY_NOTES[Currency.PLAY].capitalize() + ".",))


# What stands in no other report.


def _open_section(floor: CardRoom, day: GamingDay) -> ReportSection:
    matters = day.closed.event.open if day.closed else floor.list_open_items()
    moment_text = "at the close of the day" if day.closed else "now"
    return ReportSection("open", f"Open {moment_text}", _OPEN_COLUMNS, matters, empty="Nothing is open.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimEventLine(ReportEvent):
    """Something that happened, in a sentence or two."""

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
        "claims", "Claimed, verified, paid and refused", _CLAIM_COLUMNS, lines, empty="Nothing was claimed."
    )


class MalfunctionLine(NamedTuple):
    """A report that was open on the day."""

    number: str
    of: str
    found_at: Time
    due: Time | None
    sent_at: Time | None
    sent: str
    clock: str
    why: str


def _malfunctions_section(books: PeriodBooks, prepared: Time) -> ReportSection:
    """The reports that were open for some time of the day, as they stood at its end."""
    lines: dict[str, MalfunctionLine] = {}
    state = SiteState()
    for event, is_before in _room_events(books):
        happening = read_domain_event(event)
        if isinstance(happening, MalfunctionReportClosed):
            line = lines[happening.number]
            lines[happening.number] = line._replace(clock=f"closed by {happening.who}: {happening.why}")
            if is_before:
                del lines[happening.number]
        state = apply_site_event(state, happening)
        if isinstance(happening, (MalfunctionReported, MalfunctionReportSent)):
            report = require_open_report(state.reports, happening.number)
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
        "Reports of malfunctions",
        _MALFUNCTION_COLUMNS,
        list(lines.values()),
        empty="No report was open.",
    )


def _room_events(books: PeriodBooks) -> Iterator[tuple[Event, bool]]:
    """The events of the room up to the end of the period, and whether each happened before it."""
    in_period = {event.sequence for event in books.events(ROOM_CHAIN)}
    last = max(in_period, default=0)
    for event in islice(books.floor.ledger.events(ROOM_CHAIN), last):
        yield event, event.sequence not in in_period


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLine(ReportEvent):
    """Something that happened to the room, and why in the words of who said it, which nobody writes anew."""

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
    return ReportSection("room", "What was decided for the whole room", _ROOM_COLUMNS, lines)


def _room_line(event: Event, changes: Sequence[SettingChange]) -> RoomLine:
    payload = dict(event_payload(event))
    reason = str(payload.pop("why", ""))
    facts = "; ".join(change.text for change in changes) or describe_details(event.kind, payload, dollar_text)
    line = RoomLine.from_event("", event, responsible_people(payload), facts=facts, why=reason)
    return replace(line, details="; ".join(part for part in (facts, reason) if part))


def _heads_section(day: GamingDay) -> ReportSection:
    title = "Where every chain ended"
    if day.closed is None:
        return ReportSection("heads", title, _HEAD_COLUMNS, (), empty="The day is not closed yet.")
    heads = day.closed.event.ends
    note = f"All of them together have the SHA-256 {chain_ends_digest(heads)}."
    return ReportSection("heads", title, _HEAD_COLUMNS, heads, note=note)


_OPEN_COLUMNS: Final = (*columns.texts(what="What", of="Of"), *columns.widen(columns.texts(words="In words")))
_CLAIM_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.people_only(columns.widen(columns.texts(what="What happened"))),
    *columns.files_only(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.texts(table="Table", round="Round", who="Who"),
)
_MALFUNCTION_COLUMNS: Final = (
    *columns.texts(number="Report", of="On"),
    *columns.define(Cell.TIME, found_at="Found", due="Due", sent_at="Sent"),
    *columns.widen(columns.texts(why="What", clock="Clock", sent="How it went out")),
)
_ROOM_COLUMNS: Final = (
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.people_only(columns.widen(columns.texts(what="What happened"))),
    *columns.files_only(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.texts(why="Why", who="Who"),
)
_HEAD_COLUMNS: Final = (
    *columns.texts(chain="Chain"),
    *columns.counts(sequence="Last event"),
    *columns.widen(columns.texts(hash="SHA-256")),
)
