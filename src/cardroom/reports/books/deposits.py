"""The deposit sheet: what each jackpot has to bring to the bank since the last deposit, by gaming day and table.

A progressive's money is deposited in its own account at least weekly (WAC 230-15-455 and -715; the number of days is
the jurisdiction's). The days run from the day on which the oldest money came in that is not yet deposited. They are
days of the calendar: a gaming day that is left open stops no clock (BJ-40).
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from datetime import date
from typing import Final, NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.happenings import Deposited
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.telling.words import happened, reason
from cardroom.ledger import Time
from cardroom.reports.books import columns
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.history import subject
from cardroom.reports.books.reading import WAGERS_COUNTED, Books, Moment, at_the_bank
from cardroom.reports.books.statement import Head, Report, Section, in_dollars, report_on
from cardroom.reports.paper.blocks import Signatures

DEPOSITED: Final = Deposited.kind
CARRIED: Final = "left over from the last deposit"


@dataclass(slots=True)
class DueLine:
    """Money that waits in the cage for the next deposit."""

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
    """What stayed in the cage."""
    days: int
    """How long the oldest of the money had waited."""
    in_time: bool


@dataclass(frozen=True, slots=True)
class SheetLine:
    """What is to be deposited for a jackpot."""

    jackpot: str
    last: date | None
    """The date of the last deposit."""
    undeposited: Amount
    to_deposit: Amount
    """In whole cents."""
    days: int | None
    """How long the oldest of the money waits."""
    in_time: bool


@dataclass(slots=True)
class Waiting:
    """Money that came in on one day and waits for the bank."""

    day: date
    amount: Amount


@dataclass(slots=True)
class Cage:
    """What the cage holds for one jackpot, as it comes in and goes out."""

    jackpot: str
    most_days: int | None
    calendar: Calendar
    due: dict[tuple[date | None, str, str], DueLine] = field(default_factory=dict)
    made: list[DepositLine] = field(default_factory=list)
    last: date | None = None
    waiting: deque[Waiting] = field(default_factory=deque)
    state: JackpotState | None = None

    def add(self, moment: Moment, day: date, *, in_period: bool) -> None:
        """Something happened that belongs to this gaming day."""
        event, told = moment.event, moment.payload
        before = moment.before.undeposited if moment.before else 0
        self.state = moment.after
        change = moment.after.undeposited - before
        today = self.calendar.day_of(event.time)
        made = self._made(moment, today) if event.kind == DEPOSITED else None
        self._wait(today, change, to_the_bank=event.kind == DEPOSITED)
        if made is not None:
            self.made += [made] if in_period else []
            self._begin_anew(self.calendar.local(event.time).date(), moment.after.undeposited)
        elif change:
            wagers = event.kind == WAGERS_COUNTED
            what = "wagers" if wagers else reason(event.kind, told) or happened(event.kind).lower()
            table = str(told.get("table", ""))
            line = self.due.setdefault((day, table, what), DueLine(self.jackpot, day, table, what))
            line.amount += change
            if wagers:
                line.wagers = (line.wagers or 0) + told["count"]

    def _wait(self, day: date, change: Amount, *, to_the_bank: bool) -> None:
        """The oldest money goes to the bank first. What leaves the cage otherwise is the newest, so that nothing that
        waits looks younger for it."""
        if change > 0:
            if self.waiting and self.waiting[-1].day == day:
                self.waiting[-1].amount += change
            else:
                self.waiting.append(Waiting(day, change))
        while change < 0:
            one = self.waiting.popleft() if to_the_bank else self.waiting.pop()
            gone = min(-change, one.amount)
            change += gone
            if one.amount > gone:
                left = Waiting(one.day, one.amount - gone)
                if to_the_bank:
                    self.waiting.appendleft(left)
                else:
                    self.waiting.append(left)

    def _made(self, moment: Moment, day: date) -> DepositLine:
        told, days = moment.payload, self.waited(day)
        return DepositLine(
            self.jackpot,
            moment.event.time,
            told["reference"],
            told["who"],
            told["amount"],
            moment.after.undeposited,
            days,
            self.is_in_time(days),
        )

    def _begin_anew(self, on: date, left: Amount) -> None:
        self.due.clear()
        self.last = on
        if left:
            self.due[(None, "", CARRIED)] = DueLine(self.jackpot, None, "", CARRIED, None, left)

    def waited(self, day: date) -> int:
        """For how many days the oldest cent waits; less than a cent cannot be deposited."""
        total = 0
        for one in self.waiting:
            total += one.amount
            if total >= CENT:
                return (day - one.day).days
        return 0

    def is_in_time(self, days: int) -> bool:
        return self.most_days is None or days <= self.most_days

    def sheet(self, today: date) -> SheetLine:
        undeposited = self.state.undeposited if self.state else 0
        days = self.waited(today) if undeposited >= CENT else None
        to_deposit = undeposited // CENT * CENT
        return SheetLine(self.jackpot, self.last, undeposited, to_deposit, days, days is None or self.is_in_time(days))


def cage_of(books: Books, jackpot: str) -> Cage:
    """What the cage holds for a jackpot at the end of the period, and the deposits within it."""
    cage = Cage(jackpot, books.floor.jackpot(jackpot).law.deposit_days, books.calendar)
    for moment in books.moments(jackpot):
        day = books.days.day_of(moment.event)
        cage.add(moment, day, in_period=not books.is_before(moment.event))
    return cage


def deposits_report(books: Books, jackpots: tuple[str, ...], prepared: Time) -> Report:
    """The deposit sheet of some jackpots; bonus jackpots have no account."""
    books, jackpots = at_the_bank(books, jackpots)
    kept = [one for one in jackpots if books.floor.jackpot(one).kind is JackpotKind.PROGRESSIVE]
    cages = [cage_of(books, jackpot) for jackpot in kept]
    sheets = [cage.sheet(books.today(prepared)) for cage in cages]
    due = [
        Section(
            "due",
            f"To deposit for {cage.jackpot}",
            _DUE,
            list(cage.due.values()),
            _total(cage),
            empty="Nothing is to be deposited.",
        )
        for cage in cages
    ]
    made = [line for cage in cages for line in cage.made]
    return report_on(
        Head(books, prepared, "jackpot-deposits", "Deposit sheet", subject(books, jackpots)),
        parts=(
            Section("sheet", "Summary", _SHEET, sheets, note=_law(books, kept), empty="There is no progressive."),
            *due,
            Section("deposits", "Deposits made", _MADE, made, empty="No deposit in this period."),
        ),
        notes=(
            *_late(sheets, made),
            (
                "Amounts are dollars to a hundredth of a cent. A deposit is made in whole cents; the rest of a cent "
                "waits for the next one."
            ),
        ),
        signing=Signatures(
            "The amounts to deposit were counted by two of us and taken to the jackpots' bank accounts.",
            ("Counted by", "Verified by", "Deposited by"),
        ),
    )


def _total(cage: Cage) -> DueLine:
    lines = cage.due.values()
    return DueLine(
        cage.jackpot,
        None,
        "",
        "Undeposited",
        sum(line.wagers or 0 for line in lines),
        sum(line.amount for line in lines),
    )


def _law(books: Books, jackpots: list[str]) -> str:
    laws = [books.floor.jackpot(one).law for one in jackpots]
    told = {
        f"At most {law.deposit_days} days between deposits ({law.deposit_source})." for law in laws if law.deposit_days
    }
    return " ".join(sorted(told))


def _late(sheets: list[SheetLine], made: list[DepositLine]) -> list[str]:
    """What was not deposited in time, said aloud."""
    late = [
        f"{line.jackpot}: the deposit {line.reference} of {in_dollars(line.amount)} came after {line.days} days."
        for line in made
        if not line.in_time
    ]
    overdue = [
        f"{line.jackpot}: a deposit of {in_dollars(line.to_deposit)} is overdue; the money waits for {line.days} days."
        for line in sheets
        if not line.in_time
    ]
    return [f"LATE. {told}" for told in (*late, *overdue)]


_SHEET: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.of(Cell.DAY, last="Last deposit"),
    *columns.counts(days="Days waited"),
    *columns.amounts(undeposited="Undeposited", to_deposit="To deposit"),
    *columns.of(Cell.FLAG, in_time="In time"),
)
_DUE: Final = (
    *columns.in_files(columns.texts(jackpot="Jackpot")),
    *columns.of(Cell.DAY, day="Day"),
    *columns.texts(table="Table", what="For"),
    *columns.counts(wagers="Wagers"),
    *columns.amounts(amount="Amount"),
)
_MADE: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.of(Cell.TIME, time="Time"),
    *columns.texts(reference="Slip", who="Deposited by"),
    *columns.amounts(amount="Amount", left="Left in the cage"),
    *columns.counts(days="Days waited"),
    *columns.of(Cell.FLAG, in_time="In time"),
)
