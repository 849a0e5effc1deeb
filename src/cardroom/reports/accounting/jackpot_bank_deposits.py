"""The deposit sheet: the money of each jackpot since the last deposit, by gaming day and table.

A progressive's money is deposited in its own account at least weekly (WAC 230-15-455 and -715; the jurisdiction sets
the number of days). The days count from the day on which the oldest undeposited money came in. They are calendar days:
a gaming day that is left open does not stop the count (BJ-40).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.ledger import Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import (
    WAGER_COUNT_EVENT,
    JackpotTransition,
    PeriodBooks,
    select_bank_jackpots,
)
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.history import jackpots_title
from cardroom.reports.accounting.report import AccountingReport, ReportHeader, ReportSection, build_report, dollar_text
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.descriptions.event_descriptions import event_reason, event_title
from cardroom.room.jackpot.events import JackpotDeposited
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.calendar import Calendar
from cardroom.room.setup.jackpot import JackpotKind

DEPOSIT_EVENT: Final = JackpotDeposited.kind
CARRY_OVER: Final = "left over from the last deposit"


@dataclass(slots=True)
class DueLine:
    """Money in the cage until the next deposit."""

    jackpot: str
    day: date | None
    table: str
    what: str
    wagers: int | None = None
    amount: Amount = 0


class DepositLine(NamedTuple):
    """A deposit that was made."""

    jackpot: str
    time: Time
    reference: str
    who: str
    amount: Amount
    left: Amount
    """The money that stayed in the cage."""
    days: int
    """Days that the oldest money was in the cage."""
    in_time: bool


@dataclass(frozen=True, slots=True)
class DepositSheetLine:
    """The amount to deposit for a jackpot."""

    jackpot: str
    last: date | None
    """The date of the last deposit."""
    undeposited: Amount
    to_deposit: Amount
    """In whole cents."""
    days: int | None
    """Days that the oldest money has been in the cage."""
    in_time: bool


@dataclass(slots=True)
class CageMoney:
    """Undeposited money of one day."""

    day: date
    amount: Amount


@dataclass(slots=True)
class Cage:
    """The cage's money for one jackpot, with receipts and deposits."""

    jackpot: str
    max_days: int | None
    calendar: Calendar
    due_lines: dict[tuple[date | None, str, str], DueLine] = field(default_factory=dict)
    deposits: list[DepositLine] = field(default_factory=list)
    last_deposit: date | None = None
    money: deque[CageMoney] = field(default_factory=deque)
    state: JackpotState | None = None

    def add(self, transition: JackpotTransition, day: date, *, is_in_period: bool) -> None:
        """Apply an event of this gaming day."""
        event, payload = transition.event, transition.payload
        opening = transition.state_before.undeposited if transition.state_before else 0
        self.state = transition.state_after
        change = transition.state_after.undeposited - opening
        today = self.calendar.day_of(event.time)
        deposit = self._deposit_line(transition, today) if event.kind == DEPOSIT_EVENT else None
        self._move_money(today, change, is_deposit=event.kind == DEPOSIT_EVENT)
        if deposit is not None:
            self.deposits += [deposit] if is_in_period else []
            self._restart_due_lines(self.calendar.local(event.time).date(), transition.state_after.undeposited)
        elif change:
            wagers = event.kind == WAGER_COUNT_EVENT
            description = "wagers" if wagers else event_reason(event.kind, payload) or event_title(event.kind).lower()
            table = str(payload.get("table", ""))
            line = self.due_lines.setdefault((day, table, description), DueLine(self.jackpot, day, table, description))
            line.amount += change
            if wagers:
                line.wagers = (line.wagers or 0) + payload["count"]

    def _move_money(self, day: date, change: Amount, *, is_deposit: bool) -> None:
        """Remove money from the cage. A deposit takes the oldest money first. Any other payment takes the newest, so
        that the remaining money does not look newer than it is."""
        if change > 0:
            if self.money and self.money[-1].day == day:
                self.money[-1].amount += change
            else:
                self.money.append(CageMoney(day, change))
        while change < 0:
            share = self.money.popleft() if is_deposit else self.money.pop()
            amount_moved = min(-change, share.amount)
            change += amount_moved
            if share.amount > amount_moved:
                rest = CageMoney(share.day, share.amount - amount_moved)
                if is_deposit:
                    self.money.appendleft(rest)
                else:
                    self.money.append(rest)

    def _deposit_line(self, transition: JackpotTransition, day: date) -> DepositLine:
        payload, days = transition.payload, self.oldest_days(day)
        return DepositLine(
            self.jackpot,
            transition.event.time,
            payload["reference"],
            payload["who"],
            payload["amount"],
            transition.state_after.undeposited,
            days,
            self.is_in_time(days),
        )

    def _restart_due_lines(self, deposit_day: date, remainder: Amount) -> None:
        self.due_lines.clear()
        self.last_deposit = deposit_day
        if remainder:
            self.due_lines[(None, "", CARRY_OVER)] = DueLine(self.jackpot, None, "", CARRY_OVER, None, remainder)

    def oldest_days(self, day: date) -> int:
        """Days that the oldest cent has been in the cage; less than a cent cannot be deposited."""
        total = 0
        for share in self.money:
            total += share.amount
            if total >= CENT:
                return (day - share.day).days
        return 0

    def is_in_time(self, days: int) -> bool:
        return self.max_days is None or days <= self.max_days

    def sheet(self, today: date) -> DepositSheetLine:
        undeposited = self.state.undeposited if self.state else 0
        days = self.oldest_days(today) if undeposited >= CENT else None
        to_deposit = undeposited // CENT * CENT
        return DepositSheetLine(
            self.jackpot, self.last_deposit, undeposited, to_deposit, days, days is None or self.is_in_time(days)
        )


def read_cage(books: PeriodBooks, jackpot: str) -> Cage:
    """The cage's money for a jackpot at the end of the period, and the deposits within it."""
    cage = Cage(jackpot, books.card_room.jackpot(jackpot).law.deposit_days, books.calendar)
    for transition in books.transitions(jackpot):
        day = books.days.day_of(transition.event)
        cage.add(transition, day, is_in_period=not books.is_before_period(transition.event))
    return cage


def deposits_report(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> AccountingReport:
    """The deposit sheet of these jackpots; bonus jackpots have no bank account."""
    books, jackpots = select_bank_jackpots(books, jackpots)
    progressives = [name for name in jackpots if books.card_room.jackpot(name).kind is JackpotKind.PROGRESSIVE]
    cages = [read_cage(books, jackpot) for jackpot in progressives]
    sheets = [cage.sheet(books.report_day(prepared)) for cage in cages]
    due = [
        ReportSection(
            "due",
            f"To deposit for {cage.jackpot}",
            _DUE_COLUMNS,
            list(cage.due_lines.values()),
            _total(cage),
            empty="Nothing is to be deposited.",
        )
        for cage in cages
    ]
    deposits = [line for cage in cages for line in cage.deposits]
    return build_report(
        ReportHeader(books, prepared, "jackpot-deposits", "Deposit sheet", jackpots_title(books, jackpots)),
        sections=(
            ReportSection(
                "sheet",
                "Summary",
                _SHEET_COLUMNS,
                sheets,
                note=_deadline_note(books, progressives),
                empty="There is no progressive jackpot.",
            ),
            *due,
            ReportSection(
                "deposits", "Deposits made", _DEPOSIT_COLUMNS, deposits, empty="There was no deposit in this period."
            ),
        ),
        notes=(
            *_late_notes(sheets, deposits),
            (
                "Amounts are dollars and cents; a fraction of a cent is shown with two more digits. Deposits are in "
                "whole cents; the fraction of a cent stays for the next deposit."
            ),
        ),
        signatures=Signatures(
            "Two of us counted the amounts to deposit and took them to the jackpots' bank accounts.",
            ("Counted by", "Verified by", "Deposited by"),
        ),
    )


def _total(cage: Cage) -> DueLine:
    lines = cage.due_lines.values()
    return DueLine(
        cage.jackpot,
        None,
        "",
        "Undeposited",
        sum(line.wagers or 0 for line in lines),
        sum(line.amount for line in lines),
    )


def _deadline_note(books: PeriodBooks, jackpots: list[str]) -> str:
    laws = [books.card_room.jackpot(name).law for name in jackpots]
    notes = {
        f"At most {law.deposit_days} days between deposits ({law.deposit_source})." for law in laws if law.deposit_days
    }
    return " ".join(sorted(notes))


def _late_notes(sheets: list[DepositSheetLine], deposits: list[DepositLine]) -> list[str]:
    """Warnings about late deposits."""
    late_deposits = [
        f"{line.jackpot}: deposit {line.reference} of {dollar_text(line.amount)} was made after {line.days} days."
        for line in deposits
        if not line.in_time
    ]
    overdue = [
        f"{line.jackpot}: a deposit of {dollar_text(line.to_deposit)} is overdue, {line.days} days in the cage."
        for line in sheets
        if not line.in_time
    ]
    return [f"LATE. {sentence}" for sentence in (*late_deposits, *overdue)]


_SHEET_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.DAY, last="Last deposit"),
    *columns.counts(days="Days in cage"),
    *columns.amounts(undeposited="Undeposited", to_deposit="To deposit"),
    *columns.define(Cell.FLAG, in_time="In time"),
)
_DUE_COLUMNS: Final = (
    *columns.files_only(columns.texts(jackpot="Jackpot")),
    *columns.define(Cell.DAY, day="Day"),
    *columns.texts(table="Table", what="For"),
    *columns.counts(wagers="Wagers"),
    *columns.amounts(amount="Amount"),
)
_DEPOSIT_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.TIME, time="Time"),
    *columns.texts(reference="Slip", who="Deposited by"),
    *columns.amounts(amount="Amount", left="Left in the cage"),
    *columns.counts(days="Days in cage"),
    *columns.define(Cell.FLAG, in_time="In time"),
)
