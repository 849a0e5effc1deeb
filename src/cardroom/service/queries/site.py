"""The gaming days that were opened and closed, and the day of each event.

The close of a day records the head of every chain, so the boundary of a day is between two events and not between two
times: clocks of several machines differ a little, and no event moves to another day for that. Until the first day is
opened, and when days are no longer opened, the calendar names them.

Open items of the room: claims, malfunction reports, broken tabulators, money that must be deposited.

Every setup of the room: who configured it, why, and what it changed.

The sign-in log: the events of all users, the newest first.

The room's own secret, which makes the tokens of players.

No event and no response contains it. Its digest is in an event, so a person with write access to the database cannot
replace it, and make tokens with the new one, undetected.
"""

from __future__ import annotations

import hashlib
import heapq
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, timedelta
from itertools import count
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Currency
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.ledger import Event, Ledger
from cardroom.room.amount_text import describe_surplus, format_amount
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.setup.site import SiteSettings
from cardroom.room.site.day import day_closing_key, day_opening_key
from cardroom.room.site.device import Devices
from cardroom.room.site.events import DayClosed, DayOpened, DayOpenItem, DayOpenItemKind, JackpotDayEnd, SiteConfigured
from cardroom.room.site.malfunction_reports import Reports, describe_clock
from cardroom.room.site.recovery import Recoveries, describe_recovery
from cardroom.room.site.state import SettingChange, list_setting_changes
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.user.events import PasswordAttempted, UnlockAttempted
from cardroom.service.chains.names import ROOM_CHAIN, jackpot_chain, user_chain
from cardroom.service.queries.bank_account import find_deposit_due
from cardroom.service.queries.chain_history import list_newest_first, read_domain_event

_ONE_DAY = timedelta(days=1)


class UnknownDay(BadInput):
    """A day that was not opened."""


class DayCloseRecord(NamedTuple):
    """The close of a day."""

    time: Time
    sequence: int
    """The number of the event on the room's chain."""
    event: DayClosed


class GamingDay(NamedTuple):
    """A day that was opened."""

    day: date
    opened: Time
    opened_by: str
    closed: DayCloseRecord | None = None


def get_gaming_day(ledger: Ledger, day: date) -> GamingDay:
    """One day."""
    opened = ledger.find_event(ROOM_CHAIN, day_opening_key(day))
    if opened is None:
        raise UnknownDay(f"Gaming day {day} was not opened. Choose a day that was.")
    closed, opening = ledger.find_event(ROOM_CHAIN, day_closing_key(day)), read_domain_event(opened)
    assert isinstance(opening, DayOpened)
    return GamingDay(day, opened.time, opening.who, _read_day_close(closed) if closed else None)


def list_gaming_days(ledger: Ledger) -> tuple[GamingDay, ...]:
    """Every day that was ever opened, from the first to the last."""
    days = list[GamingDay]()
    for event in ledger.events(ROOM_CHAIN):
        if event.kind == DayOpened.kind:
            opening = read_domain_event(event)
            assert isinstance(opening, DayOpened)
            days.append(GamingDay(opening.day, event.time, opening.who))
        elif event.kind == DayClosed.kind:
            days[-1] = days[-1]._replace(closed=_read_day_close(event))
    return tuple(days)


def _read_day_close(event: Event) -> DayCloseRecord:
    close = read_domain_event(event)
    assert isinstance(close, DayClosed)
    return DayCloseRecord(event.time, event.sequence, close)


class GamingDayCalendar:
    """The gaming day of each event."""

    def __init__(self, calendar: Calendar, days: Sequence[GamingDay] = ()) -> None:
        self.calendar = calendar
        self._days = tuple(days)
        self._begin = min(days[0].opened, calendar.day_start(days[0].day)) if days else None
        """When the first gaming day of the room began: before it the calendar applies."""
        self._lines = [
            {end.chain: end.sequence for end in day.closed.event.ends} | {ROOM_CHAIN: day.closed.sequence}
            for day in self._days
            if day.closed is not None
        ]
        self._cuts: dict[str, list[int]] = {}

    def __str__(self) -> str:
        return f"{self.calendar.name}, days as they were opened and closed" if self._days else str(self.calendar)

    def day_of(self, event: Event) -> date:
        """The gaming day of an event."""
        if self._begin is None or event.time < self._begin:
            return self.calendar.day_of(event.time)
        place = bisect_left(self._find_chain_cuts(event.chain), event.sequence)
        return self._days[place].day if place < len(self._days) else self._find_day_after_last(event.time)

    def find_end(self, day: date, now: Time) -> Time:
        """The end of this day: its end by the calendar, or the close of a day that was left open for longer."""
        ends = min(now, self.calendar.day_start(day + _ONE_DAY) - 1)
        last = next((gaming_day for gaming_day in reversed(self._days) if gaming_day.day <= day), None)
        if last is None:
            return ends
        return max(ends, last.closed.time if last.closed else now)

    def _find_chain_cuts(self, chain: str) -> list[int]:
        if chain not in self._cuts:
            self._cuts[chain] = [line.get(chain, 0) for line in self._lines]
        return self._cuts[chain]

    def _find_day_after_last(self, time: Time) -> date:
        """What happens after a close belongs to the next day that is opened; until then the calendar names it."""
        return max(self.calendar.day_of(time), self._days[-1].day + _ONE_DAY)


class BankDeadlines(NamedTuple):
    """The last day on which waiting money is deposited in time, where there is any; and the day of the last bank
    statement that was compared with the ledger, or on which the jackpot was added."""

    deposit_by: date | None
    last_reconciled: date


def find_bank_deadlines(ledger: Ledger, state: JackpotState, calendar: Calendar, now: Time) -> BankDeadlines:
    """Search a jackpot's chain back to the oldest money that waits. The last reconciliation is as old as its
    statement."""
    due = find_deposit_due(ledger, state, calendar, now)
    by = due.by if due else None
    if state.reconciled is not None:
        return BankDeadlines(by, state.reconciled.day)
    opened = next(ledger.events(jackpot_chain(state.id), limit=1))
    return BankDeadlines(by, calendar.day_of(opened.time))


def list_open_jackpot_items(state: JackpotState, days: BankDeadlines, today: date) -> Iterator[DayOpenItem]:
    """The open items of one jackpot."""
    for claim in state.claims:
        amount = f"{format_cents(claim.cents)}{' of play money' if state.money is Currency.PLAY else ''}"
        words = f"claim {claim.id} of {amount}, {claim.table}, round {claim.round}"
        yield DayOpenItem(DayOpenItemKind.CLAIM, state.id, words)
    for change in state.waiting:
        yield DayOpenItem(DayOpenItemKind.CHANGE, state.id, f"for the reset of {change.level}")
    if state.surplus:
        yield DayOpenItem(DayOpenItemKind.SURPLUS, state.id, describe_surplus(state.surplus))
    most = state.law.deposit_days
    if state.kind is not JackpotKind.PROGRESSIVE or most is None:
        return
    if state.undeposited >= CENT:
        due = days.deposit_by or today + timedelta(days=most)  # it came in at this very moment
        when = f"overdue since {due}" if today > due else f"until {due}"
        yield DayOpenItem(
            DayOpenItemKind.DEPOSIT, state.id, f"{format_amount(state.undeposited)} not yet deposited, {when}"
        )
    if state.cage_advance >= CENT:
        owed = f"the bank account owes the cage {format_amount(state.cage_advance)}"
        yield DayOpenItem(DayOpenItemKind.CAGE, state.id, owed)
    if (today - days.last_reconciled).days >= most:
        yield DayOpenItem(DayOpenItemKind.RECONCILIATION, state.id, f"none since {days.last_reconciled}")


def list_open_tabulator_items(state: TabulatedTableState) -> Iterator[DayOpenItem]:
    """The open items of one table."""
    if state.tabulator.broken is not None:
        yield DayOpenItem(DayOpenItemKind.BROKEN, state.id, state.tabulator.broken)


def list_open_reports(reports: Reports, now: Time) -> Iterator[DayOpenItem]:
    """Malfunction reports with their deadlines."""
    for report in reports:
        yield DayOpenItem(
            DayOpenItemKind.REPORT,
            report.target_text,
            f"report {report.number}, {describe_clock(report, now)}: {report.why}",
        )


def list_open_recoveries(recoveries: Recoveries, calendar: Calendar, now: Time) -> Iterator[DayOpenItem]:
    """Operators who were recovered at the machine, until that is acknowledged."""
    for recovery in recoveries:
        if recovery.is_open(now):
            yield DayOpenItem(DayOpenItemKind.RECOVERY, recovery.login, describe_recovery(recovery, calendar))


def list_open_device_items(devices: Devices) -> Iterator[DayOpenItem]:
    """Devices that wait for people."""
    for name, device in devices.items():
        if device.held_up is not None:
            yield DayOpenItem(DayOpenItemKind.DEVICE_BLOCKED, device.table, f"{name}: {device.held_up.why}")


def sort_open_items(matters: Sequence[DayOpenItem]) -> tuple[DayOpenItem, ...]:
    """Sorted by the order of their kinds."""
    places = list(DayOpenItemKind)
    return tuple(sorted(matters, key=lambda item: (places.index(item.what), item.of)))


def summarize_jackpot_at_close(state: JackpotState) -> JackpotDayEnd:
    """A jackpot at the end of a day."""
    return JackpotDayEnd(
        state.id, state.counted, state.wagered, state.owed, state.escrow, state.undeposited, state.cage_advance
    )


class RoomChange(NamedTuple):
    """One setup; the first one changes the initial values."""

    sequence: int
    """The number of the event."""
    time: Time
    who: str
    second: str
    why: str
    changes: tuple[SettingChange, ...]


def list_room_changes(events: Iterable[Event]) -> Iterator[RoomChange]:
    """The setups among the events of the room, which begin with its first one."""
    before = SiteSettings()
    for event in events:
        if event.kind == SiteConfigured.kind:
            configured = read_domain_event(event)
            assert isinstance(configured, SiteConfigured)
            changes = list_setting_changes(before, configured.settings)
            yield RoomChange(event.sequence, event.time, configured.who, configured.second, configured.why, changes)
            before = configured.settings


_HIDDEN_EVENT_TYPES: Final = (PasswordAttempted.kind, UnlockAttempted.kind)
"""Stored before a password is compared; the outcome is another event, and that one is shown."""


def list_sign_in_events(ledger: Ledger, logins: Iterable[str], before: int | None = None) -> Iterator[Event]:
    """The events of these users before a moment, the newest first. A chain is read only when its turn comes: most of
    many users were not here recently."""
    heads = filter(None, (ledger.head(user_chain(login)) for login in logins))
    order = count()
    waiting: list[tuple[int, int, Iterator[Event], Event | None]] = [
        (-head.time, next(order), list_newest_first(ledger, head.chain), None) for head in heads
    ]
    heapq.heapify(waiting)
    while waiting:
        _, number, events, event = heapq.heappop(waiting)
        if event is not None and event.kind not in _HIDDEN_EVENT_TYPES and (before is None or event.time < before):
            yield event
        following = next(events, None)
        if following is not None:
            heapq.heappush(waiting, (-following.time, number, events, following))


_SECRET_LABEL: Final = b"cardroom secret 1\x00"


def digest_secret(secret: bytes) -> str:
    """The public digest of a secret, which is also its name in the database.

    >>> digest_secret(bytes(32))[:16]
    'f55bf7d64470d8d5'
    """
    return hashlib.sha256(_SECRET_LABEL + secret).hexdigest()
