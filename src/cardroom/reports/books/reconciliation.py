"""Reconciliation: what is owed to the players is covered, and the bank has what the books say.

    displayed + reserve + overflow + pending = escrow + not yet deposited - owed to the cage
    balance on the statement + deposits in transit - outstanding checks = balance by the books

The regulation's sentence "displayed + reserve + not yet deposited = escrow account" counts what is not yet deposited
as missing in the bank. Here it stands beside the bank account, because the cage holds it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Final

from cardroom.accounts import Account, AccountKind, Amount
from cardroom.floor.kept.account import moved_by
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.jackpots import JackpotKind
from cardroom.jackpots.happenings import Reconciled
from cardroom.jackpots.references import plain_name
from cardroom.jackpots.telling.phrases import under_way_words
from cardroom.jackpots.telling.words import answering
from cardroom.ledger import Time
from cardroom.reports.books import columns
from cardroom.reports.books.account import COLUMNS as ACCOUNT
from cardroom.reports.books.account import AccountLine, account_lines
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.history import HELD, subject
from cardroom.reports.books.overdue import overdue_notes
from cardroom.reports.books.reading import Books, Moment, at_the_bank
from cardroom.reports.books.statement import Head, Report, Section, in_dollars, report_on
from cardroom.reports.paper.blocks import Signatures

RECONCILED: Final = Reconciled.kind


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """What a jackpot owes and what covers it, by the ledger's entries."""

    jackpot: str
    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    escrow: Amount
    undeposited: Amount
    cage_advance: Amount
    """What the bank account owes the cage."""
    state_owed: Amount
    """What the meters come to."""
    status: str

    @property
    def owed(self) -> Amount:
        return self.display + self.reserve + self.overflow + self.pending

    @property
    def covered(self) -> Amount:
        return self.escrow + self.undeposited - self.cage_advance

    @property
    def agrees(self) -> bool:
        return self.owed == self.covered == self.state_owed


@dataclass(frozen=True, slots=True)
class WorkLine:
    """One line of a statement's reconciliation, as accountants write it."""

    jackpot: str
    day: date
    """The statement's."""
    what: str
    number: str = ""
    entered: Time | None = None
    """When the books have it."""
    amount: Amount = 0


@dataclass(frozen=True, slots=True)
class StatementLine:
    """The bank's statement held against the books."""

    jackpot: str
    time: Time
    day: date
    """The statement's."""
    who: str
    statement: Amount
    in_transit: Amount
    outstanding: Amount
    later: Amount
    """What moved since the end of that day."""
    escrow: Amount
    difference: Amount
    undeposited: Amount
    owed: Amount
    under_way: str
    """What was allowed for, by its numbers."""
    result: str

    @property
    def books(self) -> Amount:
        """What the account had at the end of the statement's day."""
        return self.escrow - self.later

    @property
    def explained(self) -> str:
        """For people: the result, and what was allowed for."""
        return f"{self.result}; {self.under_way}" if self.under_way else self.result

    @property
    def short(self) -> Amount:
        return max(-self.difference, 0)


def reconciliation_report(books: Books, jackpots: tuple[str, ...], prepared: Time) -> Report:
    """The reconciliation of some jackpots; bonus jackpots hold no money of the players."""
    books, jackpots = at_the_bank(books, jackpots)
    balances, statements, faults = [], [], []
    moved: list[AccountLine] = []
    work: list[WorkLine] = []
    for jackpot in jackpots:
        if books.floor.jackpot(jackpot).kind is not JackpotKind.PROGRESSIVE:
            continue
        end: Moment | None = None
        entered: dict[str, Time] = {}
        for moment in books.moments(jackpot):
            end = moment
            if not books.is_before(moment.event):
                moved += account_lines(moment)
            if moment.event.kind == RECONCILED and not books.is_before(moment.event):
                statements.append(_statement(moment))
                work += _work(moment, entered)
            entered |= {plain_name(one.name): moment.event.time for one in moved_by(moment.event)}
        if end is not None:
            balances.append(_balance(books, end))
    faults += [f"What {line.jackpot} owes is not what covers it." for line in balances if not line.agrees]
    return report_on(
        Head(books, prepared, "jackpot-reconciliation", "Reconciliation", subject(books, jackpots)),
        parts=(
            Section(
                "balances",
                "Owed to the players, and what covers it",
                _BALANCES,
                balances,
                empty="There is no progressive.",
            ),
            Section(
                "statements",
                "The bank's statements and the books",
                _STATEMENTS,
                statements,
                empty="No statement was held against the books in this period.",
            ),
            Section(
                "work",
                "From each statement to the books, line by line",
                _WORK,
                work,
                empty="No statement was compared with the books in this period.",
            ),
            Section(
                "account",
                "The bank accounts by the books, movement by movement",
                ACCOUNT,
                moved,
                empty="Nothing moved on an account in this period.",
            ),
        ),
        notes=(
            *overdue_notes(books, jackpots, prepared),
            *_flags(balances, statements),
            (
                "Displayed + reserve + overflow + pending = bank account + not yet deposited - owed to the cage. The "
                "regulation's sentence (displayed + reserve + not yet deposited = bank account) counts what is not yet "
                "deposited as what the bank still lacks; the cage holds it. The bank account owes the cage what the "
                "cage paid in cash, or gave back, beyond what it had for the jackpot, until a transfer pays it back."
            ),
            (
                "Balance on the statement + deposits in transit - outstanding checks = balance by the books at the end "
                "of the statement's day, or when it was entered, if on that day. Less is a shortage: it "
                "closes the jackpot until it is made good (WAC 230-15-715)."
            ),
        ),
        signing=Signatures(
            "The bank's statements were held against the books; every difference is explained.",
            ("Reconciled by", "Reviewed by"),
        ),
        faults=faults,
    )


def _balance(books: Books, end: Moment) -> BalanceLine:
    state = end.after
    booked = books.balances(jackpot_chain(state.id), end.event.sequence)
    held = {
        str(kind): sum(booked.get(Account(kind, f"{state.id}/{meter.name}"), 0) for meter in state.meters)
        for kind in HELD
    }
    return BalanceLine(
        state.id,
        **held,
        escrow=booked.get(Account(AccountKind.ESCROW, state.id), 0),
        undeposited=booked.get(Account(AccountKind.UNDEPOSITED, state.id), 0),
        cage_advance=booked.get(Account(AccountKind.CAGE_ADVANCE, state.id), 0),
        state_owed=state.owed,
        status=state.unavailable or "available",
    )


def _statement(moment: Moment) -> StatementLine:
    told = moment.payload
    short, surplus = max(-told["difference"], 0), max(told["difference"], 0)
    was_short = moment.before is not None and moment.before.short > 0
    if short:
        result = f"SHORT by {in_dollars(short)}: the jackpot is closed"
    else:
        result = "the shortage is made good: open again" if was_short else "" if surplus else "agrees"
    if told["why"]:
        result = "; ".join(filter(None, (result, f"reason: {told['why']}")))
    if surplus:
        more = f"MORE by {in_dollars(surplus)} than the books: find out whose it is"
        result = f"{result}; {more}" if result else more
    return StatementLine(
        jackpot=told["jackpot"],
        time=moment.event.time,
        day=date.fromisoformat(told["day"]),
        who=answering(told),
        statement=told["statement"],
        **{name: sum(amount for _, amount in told[name]) for name in ("in_transit", "outstanding", "later")},
        escrow=told["escrow"],
        difference=told["difference"],
        undeposited=told["undeposited"],
        owed=told["owed"],
        under_way=", ".join(under_way_words(told, in_dollars)),
        result=result,
    )


def _work(moment: Moment, entered: Mapping[str, Time]) -> Iterator[WorkLine]:
    """Statement, what it lacks, and the books. ``entered`` says when the books have each number."""
    told = moment.payload
    jackpot, day = told["jackpot"], date.fromisoformat(told["day"])
    lacks = {"in_transit": "Deposit in transit", "outstanding": "Outstanding check or transfer"}
    yield WorkLine(jackpot, day, "Balance on the statement", amount=told["statement"])
    for name, what in lacks.items():
        for number, amount in told[name]:
            yield WorkLine(jackpot, day, what, number, entered.get(plain_name(number)), amount)
    adjusted = told["statement"] + sum(amount for name in lacks for _, amount in told[name])
    yield WorkLine(jackpot, day, "Adjusted balance of the bank", amount=adjusted)
    yield WorkLine(jackpot, day, "Balance by the books", amount=adjusted - told["difference"])
    yield WorkLine(jackpot, day, "Difference", amount=told["difference"])


def _flags(balances: list[BalanceLine], statements: list[StatementLine]) -> Iterator[str]:
    held = {line.jackpot for line in statements}
    for line in balances:
        if line.status != "available":
            yield f"CLOSED. {line.jackpot}: {line.status}."
        if line.jackpot not in held:
            yield f"NOT RECONCILED. {line.jackpot}: no statement of the bank in this period."


_BALANCES: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.amounts(display="Displayed", reserve="Reserve", overflow="Overflow", pending="Pending"),
    *columns.amounts(owed="Owed", escrow="Bank account", undeposited="Not yet deposited"),
    *columns.amounts(cage_advance="Owed to the cage", covered="Covered"),
    *columns.of(Cell.FLAG, agrees="Agrees"),
    *columns.in_files(columns.texts(status="Status")),
)
_WORK: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.of(Cell.DAY, day="Statement of"),
    *columns.wide(columns.texts(what="What")),
    *columns.texts(number="Number"),
    *columns.of(Cell.TIME, entered="Entered"),
    *columns.amounts(amount="Amount"),
)
_STATEMENTS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.in_files(columns.of(Cell.TIME, time="Time")),
    *columns.of(Cell.DAY, day="Statement of"),
    *columns.texts(who="Reconciled by"),
    *columns.amounts(statement="Statement"),
    *columns.in_files(columns.amounts(in_transit="In transit", outstanding="Outstanding", later="Since then")),
    *columns.amounts(books="Books", difference="Difference"),
    *columns.in_files(columns.amounts(escrow="Books now", undeposited="Not yet deposited", owed="Owed", short="Short")),
    *columns.in_files(columns.texts(under_way="What was under way", result="Result")),
    *columns.for_people(columns.wide(columns.texts(explained="Result"))),
)
