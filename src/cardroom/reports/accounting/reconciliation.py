"""A jackpot's bank account, movement by movement, and its reconciliation.

The money owed to the players is covered, and the bank account agrees with the ledger:

    displayed + reserve + overflow + pending = escrow + not yet deposited - owed to the cage
    balance on the statement + deposits in transit - outstanding checks = balance by the ledger

The regulation's sentence "displayed + reserve + not yet deposited = escrow account" counts what is not yet deposited as
missing in the bank. Here it is counted beside the bank account, because it is in the cage.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final

from cardroom.chart_of_accounts import Account, AccountKind, Amount
from cardroom.ledger import Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import JackpotTransition, PeriodBooks, select_bank_jackpots
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.history import METER_ACCOUNTS, jackpots_title
from cardroom.reports.accounting.report import (
    AccountingReport,
    ReportHeader,
    ReportSection,
    build_report,
    dollar_text,
    overdue_notes,
)
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.descriptions.event_descriptions import event_title, responsible_people
from cardroom.room.descriptions.event_phrases import in_transit_texts, player_text
from cardroom.room.jackpot.events import JackpotReconciled
from cardroom.room.payment_references import normalize_reference
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.queries.bank_account import list_event_movements


@dataclass(frozen=True, slots=True)
class AccountLine:
    """One movement."""

    jackpot: str
    time: Time
    sequence: int
    number: str
    """The number of the slip, the check, or another document."""
    what: str
    who: str
    amount: Amount
    balance: Amount


def account_lines(transition: JackpotTransition) -> Iterator[AccountLine]:
    """The movement of the bank account by an event."""
    opening_balance = transition.state_before.escrow if transition.state_before else 0
    if transition.state_after.escrow == opening_balance:
        return
    event, jackpot = transition.event, transition.state_after.id
    balance = opening_balance
    for movement in list_event_movements(event):
        balance += movement.amount
        description, person = (
            _movement_text(event.kind, transition.payload, movement.name),
            responsible_people(transition.payload),
        )
        yield AccountLine(
            jackpot, event.time, event.sequence, movement.name, description, person, movement.amount, balance
        )


def _movement_text(kind: str, payload: dict[str, Any], name: str) -> str:
    """The purpose; for a payment, the recipient."""
    for payout in payload.get("payouts", ()):
        if f"{payout['payment']} {payout['reference']}".casefold() == name.casefold():
            return f"claim {payload['claim']}, seat {payout['seat']}, {player_text(payout['player'])}"
    return event_title(kind)


ACCOUNT_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.TIME, time="Time"),
    *columns.files_only(columns.counts(sequence="Event")),
    *columns.texts(number="Number"),
    *columns.widen(columns.texts(what="For")),
    *columns.texts(who="Who"),
    *columns.amounts(amount="Amount", balance="Balance"),
)


RECONCILIATION_EVENT: Final = JackpotReconciled.kind


@dataclass(frozen=True, slots=True)
class BalanceLine:
    """What a jackpot owes and what covers it, from the ledger's entries."""

    jackpot: str
    display: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    escrow: Amount
    undeposited: Amount
    cage_advance: Amount
    """The bank account's debt to the cage."""
    state_owed: Amount
    """The total of the meters."""
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
    """One line of a statement's reconciliation, in accounting form."""

    jackpot: str
    day: date
    """The statement's."""
    what: str
    number: str = ""
    entered: Time | None = None
    """When the ledger has it."""
    amount: Amount = 0


@dataclass(frozen=True, slots=True)
class StatementLine:
    """The bank statement compared with the ledger."""

    jackpot: str
    time: Time
    day: date
    """The statement's."""
    who: str
    statement: Amount
    in_transit: Amount
    outstanding: Amount
    later: Amount
    """The movements since the end of that day."""
    escrow: Amount
    difference: Amount
    undeposited: Amount
    owed: Amount
    under_way: str
    """The items in transit and outstanding, by number."""
    result: str

    @property
    def books(self) -> Amount:
        """The account's balance at the end of the statement's day."""
        return self.escrow - self.later

    @property
    def explained(self) -> str:
        """As text: the result, and the items in transit and outstanding."""
        return f"{self.result}; {self.under_way}" if self.under_way else self.result

    @property
    def short(self) -> Amount:
        return max(-self.difference, 0)


def reconciliation_report(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> AccountingReport:
    """The reconciliation of these jackpots; bonus jackpots contain no players' money."""
    books, jackpots = select_bank_jackpots(books, jackpots)
    balances, statements, faults = [], [], []
    movements: list[AccountLine] = []
    work: list[WorkLine] = []
    for jackpot in jackpots:
        if books.card_room.jackpot(jackpot).kind is not JackpotKind.PROGRESSIVE:
            continue
        end: JackpotTransition | None = None
        entered: dict[str, Time] = {}
        for transition in books.transitions(jackpot):
            end = transition
            if not books.is_before_period(transition.event):
                movements += account_lines(transition)
            if transition.event.kind == RECONCILIATION_EVENT and not books.is_before_period(transition.event):
                statements.append(_statement(transition))
                work += _work_lines(transition, entered)
            entered |= {
                normalize_reference(movement.name): transition.event.time
                for movement in list_event_movements(transition.event)
            }
        if end is not None:
            balances.append(_balance(books, end))
    faults += [
        f"{line.jackpot}: the amount owed to the players and the amount that covers it differ."
        for line in balances
        if not line.agrees
    ]
    return build_report(
        ReportHeader(books, prepared, "jackpot-reconciliation", "Reconciliation", jackpots_title(books, jackpots)),
        sections=(
            ReportSection(
                "balances",
                "Owed to the players, and what covers it",
                _BALANCE_COLUMNS,
                balances,
                empty="There is no progressive jackpot.",
            ),
            ReportSection(
                "statements",
                "Bank statements and the ledger",
                _STATEMENT_COLUMNS,
                statements,
                empty="No bank statement was reconciled in this period.",
            ),
            ReportSection(
                "work",
                "From each statement to the ledger, line by line",
                _WORK_COLUMNS,
                work,
                empty="No bank statement was reconciled in this period.",
            ),
            ReportSection(
                "account",
                "Bank accounts by the ledger, movement by movement",
                ACCOUNT_COLUMNS,
                movements,
                empty="There was no movement on an account in this period.",
            ),
        ),
        notes=(
            *overdue_notes(books, jackpots, prepared),
            *_flags(balances, statements),
            (
                "Displayed + reserve + overflow + pending = bank account + not yet deposited - owed to the cage. The "
                "regulation's sentence (displayed + reserve + not yet deposited = bank account) counts what is not "
                "yet deposited as missing from the bank; this money is in the cage. If the cage pays or returns more "
                "than it has for the jackpot, the bank account owes the cage the difference until a transfer pays it "
                "back."
            ),
            (
                "Balance on the statement + deposits in transit - outstanding checks = balance by the ledger at the "
                "end of the statement's day, or at the time of entry if that is on the same day. A smaller sum is a "
                "shortage: the jackpot is closed until the shortage is made good (WAC 230-15-715)."
            ),
        ),
        signatures=Signatures(
            "We compared the bank statements with the ledger; every difference is explained.",
            ("Reconciled by", "Reviewed by"),
        ),
        faults=faults,
    )


def _balance(books: PeriodBooks, end: JackpotTransition) -> BalanceLine:
    state = end.state_after
    booked = books.balances(jackpot_chain(state.id), end.event.sequence)
    balances = {
        str(kind): sum(booked.get(Account(kind, f"{state.id}/{meter.name}"), 0) for meter in state.meters)
        for kind in METER_ACCOUNTS
    }
    return BalanceLine(
        state.id,
        **balances,
        escrow=booked.get(Account(AccountKind.ESCROW, state.id), 0),
        undeposited=booked.get(Account(AccountKind.UNDEPOSITED, state.id), 0),
        cage_advance=booked.get(Account(AccountKind.CAGE_ADVANCE, state.id), 0),
        state_owed=state.owed,
        status=state.unavailability or "available",
    )


def _statement(transition: JackpotTransition) -> StatementLine:
    payload = transition.payload
    short, surplus = max(-payload["difference"], 0), max(payload["difference"], 0)
    was_short = transition.state_before is not None and transition.state_before.short > 0
    if short:
        result = f"SHORT by {dollar_text(short)}: the jackpot is closed"
    else:
        result = "the shortage is made good; the jackpot is open again" if was_short else "" if surplus else "agrees"
    if payload["why"]:
        result = "; ".join(filter(None, (result, f"reason: {payload['why']}")))
    if surplus:
        surplus_text = f"MORE than the ledger by {dollar_text(surplus)}, unexplained surplus: investigate"
        result = f"{result}; {surplus_text}" if result else surplus_text
    return StatementLine(
        jackpot=payload["jackpot"],
        time=transition.event.time,
        day=date.fromisoformat(payload["day"]),
        who=responsible_people(payload),
        statement=payload["statement"],
        **{name: sum(amount for _, amount in payload[name]) for name in ("in_transit", "outstanding", "later")},
        escrow=payload["escrow"],
        difference=payload["difference"],
        undeposited=payload["undeposited"],
        owed=payload["owed"],
        under_way=", ".join(in_transit_texts(payload, dollar_text)),
        result=result,
    )


def _work_lines(transition: JackpotTransition, entered: Mapping[str, Time]) -> Iterator[WorkLine]:
    """The statement, its missing items, and the ledger. ``entered`` has the time of each number in the ledger."""
    payload = transition.payload
    jackpot, day = payload["jackpot"], date.fromisoformat(payload["day"])
    lacks = {"in_transit": "Deposit in transit", "outstanding": "Outstanding check or transfer"}
    yield WorkLine(jackpot, day, "Balance on the statement", amount=payload["statement"])
    for name, label in lacks.items():
        for number, amount in payload[name]:
            yield WorkLine(jackpot, day, label, number, entered.get(normalize_reference(number)), amount)
    adjusted = payload["statement"] + sum(amount for name in lacks for _, amount in payload[name])
    yield WorkLine(jackpot, day, "Adjusted balance of the bank", amount=adjusted)
    yield WorkLine(jackpot, day, "Balance by the ledger", amount=adjusted - payload["difference"])
    yield WorkLine(jackpot, day, "Difference", amount=payload["difference"])


def _flags(balances: list[BalanceLine], statements: list[StatementLine]) -> Iterator[str]:
    reconciled_jackpots = {line.jackpot for line in statements}
    for line in balances:
        if line.status != "available":
            yield f"CLOSED. {line.jackpot}: {line.status}."
        if line.jackpot not in reconciled_jackpots:
            yield f"NOT RECONCILED. {line.jackpot}: there is no bank statement in this period."


_BALANCE_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.amounts(display="Displayed", reserve="Reserve", overflow="Overflow", pending="Pending"),
    *columns.amounts(owed="Owed", escrow="Bank account", undeposited="Not yet deposited"),
    *columns.amounts(cage_advance="Owed to the cage", covered="Covered"),
    *columns.define(Cell.FLAG, agrees="Agrees"),
    *columns.files_only(columns.texts(status="Status")),
)
_WORK_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.define(Cell.DAY, day="Statement of"),
    *columns.widen(columns.texts(what="What")),
    *columns.texts(number="Number"),
    *columns.define(Cell.TIME, entered="Entered"),
    *columns.amounts(amount="Amount"),
)
_STATEMENT_COLUMNS: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.files_only(columns.define(Cell.TIME, time="Time")),
    *columns.define(Cell.DAY, day="Statement of"),
    *columns.texts(who="Reconciled by"),
    *columns.amounts(statement="Statement"),
    *columns.files_only(columns.amounts(in_transit="In transit", outstanding="Outstanding", later="Since then")),
    *columns.amounts(books="Books", difference="Difference"),
    *columns.files_only(
        columns.amounts(escrow="Ledger now", undeposited="Not yet deposited", owed="Owed", short="Short")
    ),
    *columns.files_only(columns.texts(under_way="In transit and outstanding", result="Result")),
    *columns.people_only(columns.widen(columns.texts(explained="Result"))),
)
