"""The card room itself: what applies to all its tables and jackpots.

The room's gaming days: opened, and closed with a balance of everything that happened.

Reports of malfunctions: opened under the operator's number, sent to the commission, closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import date
from hashlib import sha256
from typing import Any, NamedTuple

from cardroom.chart_of_accounts import Currency
from cardroom.errors import BadInput
from cardroom.games.jurisdiction import Jurisdiction
from cardroom.ledger import Command, Json, UniqueKey, schema
from cardroom.ledger.connect import UNFINISHED_RESTORE
from cardroom.room.codec import decode, encode
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.setup.calendar import Time, parse_day, parse_time
from cardroom.room.setup.jackpot_validation import find_jurisdiction
from cardroom.room.setup.site import SiteSettings, site_settings_to_mapping
from cardroom.room.site.day import close_day, count_skipped_days, day_closing_key, day_opening_key, next_day, open_day
from cardroom.room.site.events import BackupRestored, ClockConfirmed, DayOpenItem
from cardroom.room.site.malfunction_reports import (
    BadReport,
    MalfunctionReport,
    close_report,
    is_same_number,
    report_key,
    report_malfunction,
    require_open_report,
    require_report_number,
    send_report,
)
from cardroom.room.site.state import SiteState, configure_site
from cardroom.service.chains.names import ROOM_CHAIN, parse_jackpot_chain, parse_tabulator_chain
from cardroom.service.commands.handler import Body, CommandHandler
from cardroom.service.commands.locks import Locks
from cardroom.service.commands.results import RoomSummary, decode_room_summary, encode_room_summary
from cardroom.service.commands.unit_of_work import StateAccess, StateChanged, UnitOfWork
from cardroom.service.queries.site import (
    BankDeadlines,
    GamingDayCalendar,
    RoomChange,
    find_bank_deadlines,
    list_gaming_days,
    list_open_device_items,
    list_open_jackpot_items,
    list_open_recoveries,
    list_open_reports,
    list_open_tabulator_items,
    list_room_changes,
    sort_open_items,
    summarize_jackpot_at_close,
)


class LedgerSummary(NamedTuple):
    """The database's id."""

    chains: int
    events: int
    heads: str
    """SHA-256 of the heads of all chains."""


class SiteService:
    """What the office decides for the whole room."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def configure(self, id: str, who: str, settings: SiteSettings, why: str, *, second: str) -> RoomSummary:
        """Configure what applies to the whole room from now on."""
        body: dict[str, Json] = {
            "do": "configure-room",
            "who": who,
            "second": second,
            "why": why,
            "settings": site_settings_to_mapping(settings),
        }

        def decide(uow: UnitOfWork) -> Json:
            new_events = configure_site(uow.room(), settings, who=who, second=second, why=why)
            return encode_room_summary(uow.apply_to_room(new_events))

        return self._handler.execute(id, body, Locks(room=True), decide, decode_room_summary)

    def summarize_ledger(self) -> LedgerSummary:
        """Everything stored, in a few figures."""
        with self._handler.ledger.store.read() as now:
            heads = [row for row in now.rows(schema.heads) if row[1]]
        digest = sha256(b"".join(row[0].encode() + row[2] for row in sorted(heads))).hexdigest()
        return LedgerSummary(len(heads), sum(row[1] for row in heads), digest)

    def confirm_restore(
        self,
        id: str,
        who: str,
        summary: LedgerSummary,
        last: int,
        users: Sequence[str],
        devices: Sequence[str],
        *,
        second: str,
    ) -> None:
        """Two people confirm which ledger was restored, and each user and device in it; the second one's signature
        stays as the record. From then on the database can be used. ``last`` is the time of the newest event in the
        backup."""
        body: dict[str, Json] = {"do": "confirm-restore", "who": who, "second": second, **summary._asdict()}
        first_person, second_person = require_two_people(who, second, "the ledger that is restored")

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room((BackupRestored(first_person, second_person, last, tuple(users), tuple(devices)),))
            uow.reveal_secret(*UNFINISHED_RESTORE)
            return None

        access: dict[str, Json] = {"users": len(users), "devices": len(devices)}
        self._handler.execute(id, body | access, Locks(room=True), decide, lambda _: None)

    def confirm_clock(self, id: str, who: str) -> Time:
        """An operator confirms that the clock is right although it jumped ahead: from now on the ledger stores events
        again. Returns the time of the last event before it."""
        last = self._handler.ledger.newest_event_time()
        body: dict[str, Json] = {"do": "confirm-clock", "who": who}

        def decide(uow: UnitOfWork) -> Json:
            uow.apply_to_room((ClockConfirmed(require_text(who, "person"), last),))
            return last

        command = replace(self._handler.build_command(id, body, Locks(room=True), decide), confirms_clock=True)
        return int(str(self._handler.ledger.execute(command).response))

    def list_room_changes(self) -> tuple[RoomChange, ...]:
        """Every setup of the room, from the first to the last."""
        return tuple(list_room_changes(self._handler.ledger.events(ROOM_CHAIN)))


class DaySummary(NamedTuple):
    """A gaming day after a command."""

    day: date
    is_open: bool
    skipped: int
    """The number of days that were left out before it."""
    open: tuple[DayOpenItem, ...]
    """The open items when it was closed."""
    digest: str
    """Of the heads of all chains, when it was closed."""


class DayService:
    """Opening and closing of gaming days. They never stop play: a tabulator counts at any time."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def open(self, id: str, who: str, day: str | None = None) -> DaySummary:
        """Open a gaming day: today's, or the next one, unless another is named."""
        requested_day = None if day is None else parse_day(day)
        body: dict[str, Json] = {"do": "open-day", "who": who, "day": day}

        def prepare() -> Command:
            known_days, today = self._handler.room().days, self._handler.calendar.day_of(self._handler.clock())
            new_day = requested_day or next_day(known_days, today)

            def decide(uow: UnitOfWork) -> Json:
                before = uow.room().days
                if before != known_days:
                    raise StateChanged
                (opened,) = open_day(before, new_day, today=today, who=who)
                uow.apply_to_room((opened,))
                return _encode_day_summary(DaySummary(opened.day, True, count_skipped_days(before, opened.day), (), ""))

            locks = Locks(room=True, unique_keys=[UniqueKey(ROOM_CHAIN, day_opening_key(new_day))])
            return self._handler.build_command(id, body, locks, decide)

        return self._handler.execute_prepared(prepare, _decode_day_summary)

    def close(self, id: str, who: str) -> DaySummary:
        """Close the open day. Open items are listed, and the day closes all the same."""
        body: dict[str, Json] = {"do": "close-day", "who": who}

        def prepare() -> Command:
            known_days, chains, at_the_bank = (
                self._handler.room().days,
                {ROOM_CHAIN, *self._handler.ledger.chains()},
                self._read_bank_deadlines(),
            )

            def decide(uow: UnitOfWork) -> Json:
                if uow.room().days != known_days:
                    raise StateChanged
                now = self._handler.clock()
                matters = _list_open_items(uow, chains, at_the_bank, now, uow.calendar.day_of(now))
                jackpots = [
                    summarize_jackpot_at_close(uow.jackpot(jackpot))
                    for jackpot in sorted(filter(None, map(parse_jackpot_chain, chains)))
                ]
                (closed,) = close_day(
                    known_days, ends=uow.list_chain_ends(), jackpots=jackpots, open_items=matters, who=who
                )
                uow.apply_to_room((closed,))
                return _encode_day_summary(DaySummary(closed.day, False, 0, closed.open, closed.digest))

            # All chains are locked for the moment in which the day is closed.
            names = [UniqueKey(ROOM_CHAIN, day_closing_key(known_days.open))] if known_days.open else []
            return self._handler.build_command(id, body, Locks(all_chains=chains, unique_keys=names), decide)

        return self._handler.execute_prepared(prepare, _decode_day_summary)

    def list_open_items(self) -> tuple[DayOpenItem, ...]:
        """The open items now."""
        now = self._handler.clock()
        chains, today = {ROOM_CHAIN, *self._handler.ledger.chains()}, self._handler.calendar.day_of(now)
        return _list_open_items(self._handler, chains, self._read_bank_deadlines(), now, today)

    def read_gaming_days(self) -> GamingDayCalendar:
        """The gaming day that is open."""
        return GamingDayCalendar(self._handler.calendar, list_gaming_days(self._handler.ledger))

    def _read_bank_deadlines(self) -> Mapping[str, BankDeadlines]:
        calendar, now = self._handler.calendar, self._handler.clock()
        jackpots = [self._handler.jackpot(jackpot) for jackpot in self._handler.list_jackpots()]
        banked = [state for state in jackpots if state.money is Currency.REAL]
        return {state.id: find_bank_deadlines(self._handler.ledger, state, calendar, now) for state in banked}


def _list_open_items(
    states: StateAccess, chains: set[str], at_the_bank: Mapping[str, BankDeadlines], now: Time, today: date
) -> tuple[DayOpenItem, ...]:
    room = states.room()
    recovered = list_open_recoveries(room.recoveries, room.settings.calendar, now)
    matters = [*recovered, *list_open_reports(room.reports, now), *list_open_device_items(room.devices)]
    for jackpot in filter(None, map(parse_jackpot_chain, chains)):
        days = at_the_bank.get(jackpot, BankDeadlines(None, today))  # opened meanwhile
        matters += list_open_jackpot_items(states.jackpot(jackpot), days, today)
    for table in filter(None, map(parse_tabulator_chain, chains)):
        matters += list_open_tabulator_items(states.tabulator(table))
    return sort_open_items(matters)


def _encode_day_summary(summary: DaySummary) -> dict[str, Json]:
    entry: dict[str, Json] = encode(summary)
    return entry


def _decode_day_summary(data: Any) -> DaySummary:
    return decode(DaySummary, data)


class UnclearReportSubject(BadInput):
    """A report about something that is neither a table nor a jackpot."""


class MalfunctionReportSummary(NamedTuple):
    """A report after a command."""

    report: MalfunctionReport
    closed: bool
    at: Time
    """The time of the last change."""


class MalfunctionService:
    """Malfunction reports; a report's deadline is shown until it is closed."""

    def __init__(self, handler: CommandHandler) -> None:
        self._handler = handler

    def report(
        self, id: str, who: str, number: str, source: str, *, found_at: str, why: str
    ) -> MalfunctionReportSummary:
        """Open a report about a table or a jackpot under the operator's own number, which is used only once."""
        report = require_report_number(number)
        table, jackpot, law = self._find_reported(source)
        body: dict[str, Json] = {
            "do": "report-malfunction",
            "who": who,
            "number": number,
            "source": source,
            "found_at": found_at,
            "why": why,
        }

        def decide(uow: UnitOfWork, now: Time) -> tuple[DomainEvent, ...]:
            if earlier := uow.find_keyed_event(ROOM_CHAIN, report_key(report)):
                calendar = uow.room().settings.calendar
                raise BadReport(
                    f"Report {report} was opened on {calendar.format_time(earlier.time)}: give the new report a new "
                    "number."
                )
            found_time = parse_time(found_at, uow.room().settings.calendar, now)
            hours = law.malfunction_hours
            return report_malfunction(
                report, table=table, jackpot=jackpot, found_at=found_time, hours=hours, now=now, who=who, why=why
            )

        return self._execute_on_report(id, report, body, decide, UniqueKey(ROOM_CHAIN, report_key(report)))

    def send(
        self, id: str, who: str, number: str, *, reference: str, sent_at: str | None = None
    ) -> MalfunctionReportSummary:
        """Record that a report went to the commission, and how; now, unless another time is given."""
        body: dict[str, Json] = {
            "do": "send-report",
            "who": who,
            "number": number,
            "reference": reference,
            "sent_at": sent_at,
        }

        def decide(uow: UnitOfWork, now: Time) -> tuple[DomainEvent, ...]:
            room = uow.room()
            sent_time = now if sent_at is None else parse_time(sent_at, room.settings.calendar, now)
            return send_report(room.reports, number, sent_at=sent_time, now=now, reference=reference, who=who)

        return self._execute_on_report(id, number, body, decide)

    def close(self, id: str, who: str, number: str, why: str) -> MalfunctionReportSummary:
        """Close a report."""
        body: dict[str, Json] = {"do": "close-report", "who": who, "number": number, "why": why}
        return self._execute_on_report(
            id, number, body, lambda uow, _: close_report(uow.room().reports, number, why=why, who=who)
        )

    def _execute_on_report(
        self,
        id: str,
        number: str,
        body: Body,
        decide: Callable[[UnitOfWork, Time], tuple[DomainEvent, ...]],
        *names: UniqueKey,
    ) -> MalfunctionReportSummary:
        def decide_summary(uow: UnitOfWork) -> Json:
            now, before = self._handler.clock(), uow.room()
            after = uow.apply_to_room(decide(uow, now))
            return _encode_report_summary(number, before, after, now)

        return self._handler.execute(
            id, body, Locks(room=True, unique_keys=names), decide_summary, _decode_report_summary
        )

    def _find_reported(self, subject_name: str) -> tuple[str | None, str | None, Jurisdiction]:
        """The table or the jackpot of this name, and its jurisdiction."""
        is_table, is_jackpot = (
            subject_name in self._handler.list_tabulators(),
            subject_name in self._handler.list_jackpots(),
        )
        if not is_table and not is_jackpot:
            raise UnclearReportSubject(f"There is no table or jackpot {subject_name!r}: name the one that broke.")
        # A name that both have is the table's: what breaks is the machine at a table.
        if is_table:
            table = self._handler.tabulator(subject_name)
            return subject_name, None, find_jurisdiction(table.game_setup.jurisdiction, table.money)
        return None, subject_name, self._handler.jackpot(subject_name).law


def _encode_report_summary(number: str, before: SiteState, after: SiteState, now: Time) -> dict[str, Json]:
    closed = not any(is_same_number(report.number, number) for report in after.reports)
    report = require_open_report((before if closed else after).reports, number)
    return {"report": encode(report), "closed": closed, "at": now}


def _decode_report_summary(data: Any) -> MalfunctionReportSummary:
    return MalfunctionReportSummary(decode(MalfunctionReport, data["report"]), data["closed"], data["at"])
