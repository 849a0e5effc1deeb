"""Jackpot history: every change of a meter with its beginning amount, the amount, the ending amount, and the reason.

WAC 230-15-685 and -695 require this for a progressive. The changes are compared with the ledger's own entries, to a
hundredth of a cent. The wagers of a gaming day between two other events are one line unless every round is requested.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from cardroom.chart_of_accounts import Account, AccountKind, Amount, Currency
from cardroom.ledger import Event, Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import WAGER_COUNT_EVENT, JackpotTransition, PeriodBooks
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.report import (
    AccountingReport,
    ReportEvent,
    ReportHeader,
    ReportSection,
    build_report,
    overdue_notes,
)
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.descriptions.event_descriptions import join_sentences, responsible_people
from cardroom.room.descriptions.event_phrases import is_reading, round_or_reading_text, wagers_text
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot import JackpotKind
from cardroom.room.tabulator.events import READING_PREFIX
from cardroom.service.chains.names import jackpot_chain
from cardroom.service.queries.chain_history import find_reading

METER_ACCOUNTS: Final = (AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW, AccountKind.PENDING)
"""The parts of a level's money."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine(ReportEvent):
    """One change of one meter; without amounts, another event of the jackpot. Several rounds can be one line: the event
    is then the last of them."""

    level: str = ""
    held: str = ""
    beginning: Amount | None = None
    amount: Amount | None = None
    ending: Amount | None = None
    goes_on: bool = False
    """Whether the previous line has the same event."""

    @property
    def meter(self) -> str:
        return f"{self.level} {self.held}".strip()

    @property
    def what(self) -> str:
        """The explanation of the change as text, without repetitions."""
        return "" if self.goes_on else join_sentences(self.event, self.reason, self.details)


@dataclass(slots=True)
class SumLine:
    """The sum of the changes of one meter."""

    jackpot: str
    level: str
    held: str
    beginning: Amount = 0
    added: Amount = 0
    taken: Amount = 0
    ending: Amount = 0
    booked: Amount | None = None
    """The sum of the ledger's entries; a bonus jackpot has none."""

    @property
    def agrees(self) -> bool:
        explained = self.beginning + self.added - self.taken == self.ending
        return explained and self.booked in (None, self.ending)


@dataclass(slots=True)
class _RoundGroup:
    """Rounds combined in one line."""

    state_before: JackpotState
    last: JackpotTransition
    rounds: int = 0
    count: int = 0
    amount: Amount = 0
    tables: dict[str, None] = field(default_factory=dict)

    def add(self, transition: JackpotTransition) -> None:
        payload = transition.payload
        self.last = transition
        self.rounds += 1
        self.count += payload["count"]
        self.amount += payload["amount"]
        self.tables[payload["table"]] = None

    def to_line(self, jackpot: str) -> HistoryLine:
        rounds = f"{self.rounds:,} round{'s' if self.rounds != 1 else ''}"
        words = f"{rounds}, {wagers_text(self.count, self.amount)}"
        tables = ", ".join(sorted(self.tables))
        return replace(HistoryLine.from_event(jackpot, self.last.event, ""), details=words, table=tables, round="")


class JackpotHistory:
    """The lines of one jackpot, and their sums after they are read."""

    def __init__(self, books: PeriodBooks, jackpot: str, *, every_round: bool = False) -> None:
        self._books, self.jackpot, self._every_round = books, jackpot, every_round
        self._sums: dict[tuple[str, str], SumLine] = {}
        self._end: JackpotTransition | None = None
        self._dealers: dict[str, Iterator[tuple[str, str, str]]] = {}

    def lines(self) -> Iterator[HistoryLine]:
        """Every change in the period, in order."""
        rounds: _RoundGroup | None = None
        for transition in self._books.transitions(self.jackpot):
            event = transition.event
            self._end = transition
            if self._books.is_before_period(event):
                self._open_sums(transition.state_after)
                continue
            if event.kind == WAGER_COUNT_EVENT and not self._every_round and not is_reading(transition.payload):
                if rounds and self._day(rounds.last.event) != self._day(event):
                    yield from self._rounds_lines(rounds)
                    rounds = None
                if rounds is None:
                    assert transition.state_before is not None
                    rounds = _RoundGroup(transition.state_before, transition)
                rounds.add(transition)
                continue
            if rounds:
                yield from self._rounds_lines(rounds)
                rounds = None
            yield from self._changes(transition.state_before, transition.state_after, self._event_line(transition))
        if rounds:
            yield from self._rounds_lines(rounds)

    def sums(self) -> Iterator[SumLine]:
        """The sums of the lines, compared with the entries. Only after all lines are read."""
        if self._end is None:
            return
        state = self._end.state_after
        booked = self._books.balances(jackpot_chain(self.jackpot), self._end.event.sequence)
        for meter in state.meters:
            for account_kind in METER_ACCOUNTS:
                line = self._sum_line(meter.name, account_kind)
                line.ending = getattr(meter, account_kind)
                if state.kind is JackpotKind.PROGRESSIVE:
                    line.booked = booked.get(
                        Account(account_kind, f"{self.jackpot}/{meter.name}", self._books.currency), 0
                    )
                yield line

    def _day(self, event: Event) -> object:
        return self._books.days.day_of(event)

    def _rounds_lines(self, rounds: _RoundGroup) -> Iterator[HistoryLine]:
        return self._changes(rounds.state_before, rounds.last.state_after, rounds.to_line(self.jackpot))

    def _event_line(self, transition: JackpotTransition) -> HistoryLine:
        event, who = transition.event, responsible_people(transition.payload)
        if event.kind == WAGER_COUNT_EVENT and is_reading(transition.payload):
            return self._reading_line(transition)
        if event.kind == WAGER_COUNT_EVENT:
            who = self._dealer(str(transition.payload["table"]), event.command_id, str(transition.payload["round"]))
        return HistoryLine.from_event(self.jackpot, event, who)

    def _reading_line(self, transition: JackpotTransition) -> HistoryLine:
        """The reading of a counter, with the person and the reason from the table's chain."""
        name, table = str(transition.payload["round"]), str(transition.payload["table"])
        read = find_reading(self._books.card_room.ledger, table, name.removeprefix(READING_PREFIX))
        line = HistoryLine.from_event(self.jackpot, transition.event, responsible_people(read.payload) if read else "")
        words = f"counter read, {line.details}, {round_or_reading_text(name)}"
        return replace(line, details="; ".join(filter(None, (words, read.why if read else ""))))

    def _dealer(self, table: str, command: str, round_id: str) -> str:
        """The person who counted a round. The table's chain has the rounds in the same order, so it is read in
        parallel. One command can contain many rounds of a data logger, and rounds without wagers are not in the
        jackpot's chain."""
        if table not in self._dealers:
            self._dealers[table] = self._books.dealers(table)
        return next((dealer for *count_key, dealer in self._dealers[table] if count_key == [command, round_id]), "")

    def _open_sums(self, state: JackpotState) -> None:
        for meter in state.meters:
            for account_kind in METER_ACCOUNTS:
                self._sum_line(meter.name, account_kind).beginning = getattr(meter, account_kind)

    def _sum_line(self, level: str, account_kind: str) -> SumLine:
        return self._sums.setdefault((level, account_kind), SumLine(self.jackpot, level, account_kind))

    def _changes(
        self, state_before: JackpotState | None, state_after: JackpotState, template: HistoryLine
    ) -> Iterator[HistoryLine]:
        has_change = False
        for place, meter in enumerate(state_after.meters):
            stood = state_before.meters[place] if state_before else None
            for account_kind in METER_ACCOUNTS:
                beginning, ending = (getattr(stood, account_kind) if stood else 0), getattr(meter, account_kind)
                if beginning == ending:
                    continue
                line = self._sum_line(meter.name, account_kind)
                line.added += max(ending - beginning, 0)
                line.taken += max(beginning - ending, 0)
                yield replace(
                    template,
                    level=meter.name,
                    held=str(account_kind),
                    beginning=beginning,
                    amount=ending - beginning,
                    ending=ending,
                    goes_on=has_change,
                )
                has_change = True
        if not has_change:
            yield template


_LINE_COLUMNS: Final = (
    *columns.files_only(columns.texts(jackpot="Jackpot")),
    *columns.define(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.people_only(columns.widen(columns.texts(what="Event and reason"))),
    *columns.files_only(columns.texts(event="Event", reason="Reason", details="Details")),
    *columns.texts(table="Table"),
    *columns.files_only(columns.texts(round="Round")),
    *columns.texts(who="Who"),
    *columns.files_only(columns.texts(level="Level", held="Meter")),
    *columns.people_only(columns.texts(meter="Meter")),
    *columns.amounts(beginning="Beginning", amount="Amount", ending="Ending"),
)
_SUM_COLUMNS: Final = (
    *columns.files_only(columns.texts(jackpot="Jackpot")),
    *columns.texts(level="Level", held="Meter"),
    *columns.amounts(beginning="Beginning", added="Added", taken="Taken", ending="Ending", booked="By ledger entries"),
    *columns.define(Cell.FLAG, agrees="Agrees"),
)


def history_report(
    books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time, *, every_round: bool = False
) -> AccountingReport:
    """The history of these jackpots."""
    parts: list[ReportSection] = []
    faults: list[str] = []
    books, jackpots = books.select_jackpots(jackpots)
    for jackpot in jackpots:
        history = JackpotHistory(books, jackpot, every_round=every_round)
        name = books.card_room.jackpot(jackpot).setup["name"]
        parts.append(ReportSection("history", f"{name} ({jackpot})", _LINE_COLUMNS, history.lines()))
        parts.append(ReportSection("sums", f"Sums of {jackpot}", _SUM_COLUMNS, _check_sums(history, faults)))
    return build_report(
        ReportHeader(books, prepared, "jackpot-history", "Jackpot history", jackpots_title(books, jackpots)),
        sections=parts,
        notes=(
            *overdue_notes(books, jackpots, prepared),
            (
                "Amounts are dollars and cents; a fraction of a cent is shown with two more digits. Beginning + "
                "added - taken = ending, for every meter."
            ),
            (
                "A progressive is reduced for five reasons only: prize won; correction of a malfunction; display above "
                "the cap; removal of money not displayed and booked as gross receipts; recovery of seed money "
                "(WAC 230-15-685 and -695)."
            ),
        ),
        signatures=Signatures("Every change in the period is explained above.", ("Prepared by", "Reviewed by")),
        faults=faults,
    )


def _check_sums(history: JackpotHistory, faults: list[str]) -> Iterator[SumLine]:
    for line in history.sums():
        if not line.agrees:
            faults.append(f"The changes do not explain the {line.held} of {line.jackpot}/{line.level}.")
        yield line


def jackpots_title(books: PeriodBooks, jackpots: tuple[str, ...]) -> str:
    """The name of the one jackpot, or a title for several."""
    if len(jackpots) == 1:
        return str(books.card_room.jackpot(jackpots[0]).setup["name"])
    return "All jackpots" if books.currency is Currency.REAL else "All jackpots of play money"
