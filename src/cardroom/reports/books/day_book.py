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

from cardroom.accounts import Money
from cardroom.floor import Floor
from cardroom.floor.kept.chains import ROOM, jackpot_chain, jackpot_of, table_of
from cardroom.floor.kept.days import DrawnDays, KeptDay, kept_days
from cardroom.floor.kept.recall import happened
from cardroom.floor.kept.room_history import room_changes
from cardroom.jackpots.day_end import digest_of
from cardroom.jackpots.happenings import (
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    ClaimRefused,
    MalfunctionReported,
    PrizesPaid,
    PrizesTakenBack,
    ReportClosed,
    ReportSent,
)
from cardroom.jackpots.room.reports import clock_words, open_report
from cardroom.jackpots.room.setting_changes import SettingChange
from cardroom.jackpots.room.state import RoomState, room_after
from cardroom.jackpots.setup.calendar import Calendar, Period, Time
from cardroom.jackpots.telling.details import details
from cardroom.jackpots.telling.phrases import open_words
from cardroom.jackpots.telling.words import answering, explained
from cardroom.ledger import Event
from cardroom.reports.books import columns
from cardroom.reports.books.activity import table_activity
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.deposits import deposits_report
from cardroom.reports.books.faults import NoDay
from cardroom.reports.books.history import history_report
from cardroom.reports.books.master import master_report
from cardroom.reports.books.meters import meters_report
from cardroom.reports.books.reading import Books, told
from cardroom.reports.books.reconciliation import reconciliation_report
from cardroom.reports.books.statement import MONEYS, Head, Report, Section, in_dollars, report_on
from cardroom.reports.books.told_event import ToldEvent
from cardroom.reports.paper.blocks import Signatures

_OF_PLAY: Final = ("meters", "period")
"""What the book of a day tells of play money."""
_CLAIMS: Final = frozenset(
    one.kind for one in (ClaimLocked, ClaimJoined, PrizesPaid, PrizesTakenBack, ClaimPaid, ClaimRefused)
)


def day_book(floor: Floor, day: date | None, now: Time) -> Report:
    """The book of a day; of the last one that was closed when none is named."""
    kept = _chosen(kept_days(floor.ledger), day)
    this = kept[-1]
    room, calendar = _room_at(floor, this)
    prepared = this.closed.time if this.closed else now
    books = Books(floor, Period(calendar, this.day, this.day), DrawnDays(calendar, kept))
    jackpots, tables = _there(floor, this)
    for_play = tuple(one for one in jackpots if floor.jackpot(one).money is Money.PLAY)
    jackpots = tuple(one for one in jackpots if one not in for_play)
    tables = tuple(one for one in tables if floor.table(one).money is Money.ROOM)
    history = history_report(books, jackpots, prepared)
    reconciliation = reconciliation_report(books, jackpots, prepared)
    parts = [
        *_chapter("What is open", [_open_part(floor, this)]),
        *_of("Master games report", master_report(books, None, prepared)),
        *_of("Meters", meters_report(books, jackpots, prepared)),
        *_of("Every change of each jackpot", history),
        *_chapter("Claims and payouts", [_claims_part(books, jackpots)]),
        *_of("Deposits", deposits_report(books, jackpots, prepared)),
        *_of("Reconciliation", reconciliation),
        *_chapter("Counts by table", [table_activity(books, jackpots, tables)]),
        *_chapter("Malfunctions", [_malfunctions_part(books, prepared)]),
        *_chapter("The room", [_room_part(books)]),
        *_play_money(books, for_play, prepared),
        *_chapter("Heads", [_heads_part(this)]),
    ]
    history.faults.extend(reconciliation.faults)  # its own are known once its lines have been read
    made = report_on(
        Head(books, prepared, "day-book", "Day book", room.settings.name),
        parts=parts,
        notes=(
            "Amounts are dollars to a hundredth of a cent.",
            "This book follows from the events up to the line under the day: printed again, it is the same.",
        ),
        signing=Signatures("The book of the day was read, and what is open is known.", ("Closed by", "Reviewed by")),
        faults=history.faults,
    )
    return replace(made, cover=_cover(this, calendar))


def _chosen(days: Sequence[KeptDay], day: date | None) -> Sequence[KeptDay]:
    """The days up to the one that is wanted."""
    if not days:
        raise NoDay("No day was ever opened, so there is no book yet: cardroom day open.")
    closed = [place for place, one in enumerate(days) if one.closed is not None]
    wanted = [place for place, one in enumerate(days) if one.day == day] if day else (closed or [0])[-1:]
    if not wanted:
        raise NoDay(f"The day {day} was never opened: the last one was {days[-1].day}.")
    return days[: wanted[0] + 1]


def _room_at(floor: Floor, day: KeptDay) -> tuple[RoomState, Calendar]:
    """The room as it was at the end of the day."""
    state = RoomState()
    for event in islice(floor.ledger.events(ROOM), day.closed.sequence if day.closed else None):
        state = room_after(state, happened(event))
    return state, state.settings.calendar


def _there(floor: Floor, day: KeptDay) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The jackpots and the tables that there were."""
    if day.closed is None:
        return floor.jackpots(), floor.tables()
    chains = [end.chain for end in day.closed.told.ends]
    return tuple(filter(None, map(jackpot_of, chains))), tuple(filter(None, map(table_of, chains)))


def _cover(day: KeptDay, calendar: Calendar) -> tuple[tuple[str, str], ...]:
    closed = day.closed
    return (
        ("Gaming day", f"{day.day:%A, %B} {day.day.day}, {day.day.year}"),
        ("Opened", f"{calendar.told(day.opened)} by {day.opened_by}"),
        (
            "Closed",
            f"{calendar.told(closed.time)} by {closed.told.who}" if closed else "not yet: this is how far it came",
        ),
        ("Times", f"those of {calendar.name}"),
        ("At the close", open_words(len(closed.told.open)) if closed else "see the next page"),
        ("Digest of all chains", closed.told.digest if closed else "the day is not closed"),
    )


def _of(chapter: str, report: Report) -> Iterator[Section]:
    """A report of its own as a chapter; on which books it rests is said once, at the end of the book."""
    parts = [part for part in report.parts if part.name != "books"]
    return _chapter(chapter, parts, report.notes)


def _chapter(title: str, parts: Sequence[Section], notes: tuple[str, ...] = ()) -> Iterator[Section]:
    for place, part in enumerate(parts):
        first, last = place == 0, place == len(parts) - 1
        yield replace(part, chapter=title if first else "", notes=notes if last else ())


def _play_money(books: Books, jackpots: tuple[str, ...], prepared: Time) -> Iterator[Section]:
    """What was played for that is no money of the room: apart from everything else, and in no sum."""
    if jackpots:
        report = meters_report(books, jackpots, prepared)
        parts = [replace(part, name=f"play-money-{part.name}") for part in report.parts if part.name in _OF_PLAY]
        yield from _chapter("Play money", parts, (MONEYS[Money.PLAY].capitalize() + ".",))


# What stands in no other report.


def _open_part(floor: Floor, day: KeptDay) -> Section:
    matters = day.closed.told.open if day.closed else floor.open_matters()
    when = "at the close of the day" if day.closed else "now"
    return Section("open", f"Open {when}", _OPEN, matters, empty="Nothing is open.")


@dataclass(frozen=True, slots=True, kw_only=True)
class HappenedLine(ToldEvent):
    """Something that happened, in a sentence or two."""

    @property
    def what(self) -> str:
        return explained(self.event, self.reason, self.details)


def _claims_part(books: Books, jackpots: Iterable[str]) -> Section:
    lines = [
        HappenedLine.of(jackpot, event, answering(told(event)))
        for jackpot in jackpots
        for event in books.events(jackpot_chain(jackpot))
        if event.kind in _CLAIMS
    ]
    return Section("claims", "Claimed, verified, paid and refused", _CLAIM_COLUMNS, lines, empty="Nothing was claimed.")


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


def _malfunctions_part(books: Books, prepared: Time) -> Section:
    """The reports that were open for some time of the day, as they stood at its end."""
    lines: dict[str, MalfunctionLine] = {}
    state = RoomState()
    for event, before in _of_the_room(books):
        happening = happened(event)
        if isinstance(happening, ReportClosed):
            line = lines[happening.number]
            lines[happening.number] = line._replace(clock=f"closed by {happening.who}: {happening.why}")
            if before:
                del lines[happening.number]
        state = room_after(state, happening)
        if isinstance(happening, (MalfunctionReported, ReportSent)):
            one = open_report(state.reports, happening.number)
            lines[one.number] = MalfunctionLine(
                one.number,
                one.of,
                one.found_at,
                one.due,
                one.sent.at if one.sent else None,
                f"{one.sent.reference}, {one.sent.who}" if one.sent else "",
                clock_words(one, prepared),
                one.why,
            )
    return Section(
        "malfunctions", "Reports of malfunctions", _MALFUNCTIONS, list(lines.values()), empty="No report was open."
    )


def _of_the_room(books: Books) -> Iterator[tuple[Event, bool]]:
    """The events of the room up to the end of the period, and whether each happened before it."""
    in_period = {event.sequence for event in books.events(ROOM)}
    last = max(in_period, default=0)
    for event in islice(books.floor.ledger.events(ROOM), last):
        yield event, event.sequence not in in_period


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomLine(ToldEvent):
    """Something that happened to the room, and why in the words of who said it, which nobody writes anew."""

    facts: str
    why: str

    @property
    def what(self) -> str:
        return explained(self.event, self.reason, self.facts)


def _room_part(books: Books) -> Section:
    changed = {one.sequence: one.changes for one in room_changes(event for event, _ in _of_the_room(books))}
    lines = [_room_line(event, changed.get(event.sequence, ())) for event in books.events(ROOM)]
    return Section("room", "What was decided for the whole room", _ROOM_COLUMNS, lines)


def _room_line(event: Event, changes: Sequence[SettingChange]) -> RoomLine:
    payload = dict(told(event))
    why = str(payload.pop("why", ""))
    facts = "; ".join(one.words for one in changes) or details(event.kind, payload, in_dollars)
    line = RoomLine.of("", event, answering(payload), facts=facts, why=why)
    return replace(line, details="; ".join(part for part in (facts, why) if part))


def _heads_part(day: KeptDay) -> Section:
    title = "Where every chain ended"
    if day.closed is None:
        return Section("heads", title, _HEADS, (), empty="The day is not closed yet.")
    ends = day.closed.told.ends
    note = f"All of them together have the SHA-256 {digest_of(ends)}."
    return Section("heads", title, _HEADS, ends, note=note)


_OPEN: Final = (*columns.texts(what="What", of="Of"), *columns.wide(columns.texts(words="In words")))
_CLAIM_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.of(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.for_people(columns.wide(columns.texts(what="What happened"))),
    *columns.in_files(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.texts(table="Table", round="Round", who="Who"),
)
_MALFUNCTIONS: Final = (
    *columns.texts(number="Report", of="On"),
    *columns.of(Cell.TIME, found_at="Found", due="Due", sent_at="Sent"),
    *columns.wide(columns.texts(why="What", clock="Clock", sent="How it went out")),
)
_ROOM_COLUMNS: Final = (
    *columns.of(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.for_people(columns.wide(columns.texts(what="What happened"))),
    *columns.in_files(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.texts(why="Why", who="Who"),
)
_HEADS: Final = (
    *columns.texts(chain="Chain"),
    *columns.counts(sequence="Last event"),
    *columns.wide(columns.texts(hash="SHA-256")),
)
