"""What is open on the floor: claims, reports of malfunctions, broken tabulators, money that is due at the bank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from cardroom.accounts import CENT, Currency
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.table import TableState
from cardroom.floor.kept.waiting import deposit_due
from cardroom.games.money import format_cents
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.amounts import books, surplus_words
from cardroom.jackpots.day_end import Matter, OpenMatter, StoodAt
from cardroom.jackpots.room.devices import Devices
from cardroom.jackpots.room.recoveries import Recoveries, recovery_text
from cardroom.jackpots.room.reports import Reports, clock_words
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.ledger import Ledger


class BankDays(NamedTuple):
    """The last day on which what waits for the bank is deposited in time, where something waits; and the day of
    the last bank statement that was compared with the books, or on which the jackpot was opened."""

    deposit_by: date | None
    reconciled: date


def bank_days(ledger: Ledger, state: JackpotState, calendar: Calendar, now: Time) -> BankDays:
    """Look back along a jackpot's chain to the oldest money that waits. The last reconciliation is as old as its
    statement."""
    due = deposit_due(ledger, state, calendar, now)
    by = due.by if due else None
    if state.reconciled is not None:
        return BankDays(by, state.reconciled.day)
    opened = next(ledger.events(jackpot_chain(state.id), limit=1))
    return BankDays(by, calendar.day_of(opened.time))


def open_at_jackpot(state: JackpotState, days: BankDays, today: date) -> Iterator[OpenMatter]:
    """What is open at one jackpot."""
    for claim in state.claims:
        amount = f"{format_cents(claim.cents)}{' of play money' if state.money is Currency.PLAY else ''}"
        words = f"claim {claim.id} of {amount}, {claim.table}, round {claim.round}"
        yield OpenMatter(Matter.CLAIM, state.id, words)
    for change in state.waiting:
        yield OpenMatter(Matter.CHANGE, state.id, f"for the reset of {change.level}")
    if state.surplus:
        yield OpenMatter(Matter.SURPLUS, state.id, surplus_words(state.surplus))
    most = state.law.deposit_days
    if state.kind is not JackpotKind.PROGRESSIVE or most is None:
        return
    if state.undeposited >= CENT:
        due = days.deposit_by or today + timedelta(days=most)  # it came in at this very moment
        when = f"overdue since {due}" if today > due else f"until {due}"
        yield OpenMatter(Matter.DEPOSIT, state.id, f"{books(state.undeposited)} not yet deposited, {when}")
    if state.cage_advance >= CENT:
        owed = f"the bank account owes the cage {books(state.cage_advance)}"
        yield OpenMatter(Matter.CAGE, state.id, owed)
    if (today - days.reconciled).days >= most:
        yield OpenMatter(Matter.RECONCILIATION, state.id, f"none since {days.reconciled}")


def open_at_table(state: TableState) -> Iterator[OpenMatter]:
    """What is open at one table."""
    if state.tabulator.broken is not None:
        yield OpenMatter(Matter.BROKEN, state.id, state.tabulator.broken)


def open_reports(reports: Reports, now: Time) -> Iterator[OpenMatter]:
    """Reports of malfunctions with their clocks."""
    for one in reports:
        yield OpenMatter(Matter.REPORT, one.of, f"report {one.number}, {clock_words(one, now)}: {one.why}")


def open_recoveries(recoveries: Recoveries, calendar: Calendar, now: Time) -> Iterator[OpenMatter]:
    """Operators who were recovered at the machine, until that is acknowledged."""
    for one in recoveries:
        if one.is_open(now):
            yield OpenMatter(Matter.RECOVERY, one.login, recovery_text(one, calendar))


def open_at_devices(devices: Devices) -> Iterator[OpenMatter]:
    """Devices that wait for people."""
    for name, one in devices.items():
        if one.held_up is not None:
            yield OpenMatter(Matter.HELD_UP, one.table, f"{name}: {one.held_up.why}")


def in_order(matters: Sequence[OpenMatter]) -> tuple[OpenMatter, ...]:
    """The same kind together, as the list of kinds has them."""
    places = list(Matter)
    return tuple(sorted(matters, key=lambda one: (places.index(one.what), one.of)))


def stood_at(state: JackpotState) -> StoodAt:
    """A jackpot at the end of a day."""
    return StoodAt(
        state.id, state.counted, state.wagered, state.owed, state.escrow, state.undeposited, state.cage_advance
    )
