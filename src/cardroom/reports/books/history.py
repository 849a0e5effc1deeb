"""Jackpot history: every change of a meter with its beginning amount, the amount, the ending amount and the reason.

WAC 230-15-685 and -695 ask for this of a progressive. What is explained is held against the ledger's own entries, to a
hundredth of a cent. The wagers of a gaming day between two other events are one line unless every round is wanted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from cardroom.accounts import Account, AccountKind, Amount, Money
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import reading_taken
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.happenings import READING
from cardroom.jackpots.telling.phrases import called, is_reading, wagers_words
from cardroom.jackpots.telling.words import answering, explained
from cardroom.ledger import Event, Time
from cardroom.reports.books import columns
from cardroom.reports.books.columns import Cell
from cardroom.reports.books.overdue import overdue_notes
from cardroom.reports.books.reading import WAGERS_COUNTED, Books, Moment
from cardroom.reports.books.statement import Head, Report, Section, report_on
from cardroom.reports.books.told_event import ToldEvent
from cardroom.reports.paper.blocks import Signatures

HELD: Final = (AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW, AccountKind.PENDING)
"""What a level holds for the players."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HistoryLine(ToldEvent):
    """One change of one meter; without amounts it is something else that happened to the jackpot. Several rounds may be
    one line: the event is then the last of them."""

    level: str = ""
    held: str = ""
    beginning: Amount | None = None
    amount: Amount | None = None
    ending: Amount | None = None
    goes_on: bool = False
    """Whether the line before it is of the same event."""

    @property
    def meter(self) -> str:
        return f"{self.level} {self.held}".strip()

    @property
    def what(self) -> str:
        """For people: all that explains the change, said once."""
        return "" if self.goes_on else explained(self.event, self.reason, self.details)


@dataclass(slots=True)
class SumLine:
    """What the changes of one meter come to."""

    jackpot: str
    level: str
    held: str
    beginning: Amount = 0
    added: Amount = 0
    taken: Amount = 0
    ending: Amount = 0
    booked: Amount | None = None
    """What the ledger's entries come to; a bonus jackpot has none."""

    @property
    def agrees(self) -> bool:
        explained = self.beginning + self.added - self.taken == self.ending
        return explained and self.booked in (None, self.ending)


@dataclass(slots=True)
class _Rounds:
    """Rounds that become one line."""

    before: JackpotState
    last: Moment
    rounds: int = 0
    count: int = 0
    amount: Amount = 0
    tables: dict[str, None] = field(default_factory=dict)

    def add(self, moment: Moment) -> None:
        told = moment.payload
        self.last = moment
        self.rounds += 1
        self.count += told["count"]
        self.amount += told["amount"]
        self.tables[told["table"]] = None

    def told(self, jackpot: str) -> HistoryLine:
        rounds = f"{self.rounds:,} round{'s' if self.rounds != 1 else ''}"
        words = f"{rounds}, {wagers_words(self.count, self.amount)}"
        tables = ", ".join(sorted(self.tables))
        return replace(HistoryLine.of(jackpot, self.last.event, ""), details=words, table=tables, round="")


class History:
    """The lines of one jackpot, and what they add up to once they have been read."""

    def __init__(self, books: Books, jackpot: str, *, every_round: bool = False) -> None:
        self._books, self.jackpot, self._every_round = books, jackpot, every_round
        self._sums: dict[tuple[str, str], SumLine] = {}
        self._end: Moment | None = None
        self._dealers: dict[str, Iterator[tuple[str, str, str]]] = {}

    def lines(self) -> Iterator[HistoryLine]:
        """Every change in the period, in order."""
        rounds: _Rounds | None = None
        for moment in self._books.moments(self.jackpot):
            event = moment.event
            self._end = moment
            if self._books.is_before(event):
                self._opening(moment.after)
                continue
            if event.kind == WAGERS_COUNTED and not self._every_round and not is_reading(moment.payload):
                if rounds and self._day(rounds.last.event) != self._day(event):
                    yield from self._several(rounds)
                    rounds = None
                if rounds is None:
                    assert moment.before is not None
                    rounds = _Rounds(moment.before, moment)
                rounds.add(moment)
                continue
            if rounds:
                yield from self._several(rounds)
                rounds = None
            yield from self._changes(moment.before, moment.after, self._told(moment))
        if rounds:
            yield from self._several(rounds)

    def sums(self) -> Iterator[SumLine]:
        """What the lines add up to, held against the entries. Only after all lines have been read."""
        if self._end is None:
            return
        state = self._end.after
        booked = self._books.balances(jackpot_chain(self.jackpot), self._end.event.sequence)
        for meter in state.meters:
            for held in HELD:
                line = self._sum(meter.name, held)
                line.ending = getattr(meter, held)
                if state.kind is JackpotKind.PROGRESSIVE:
                    line.booked = booked.get(Account(held, f"{self.jackpot}/{meter.name}", self._books.money), 0)
                yield line

    def _day(self, event: Event) -> object:
        return self._books.days.day_of(event)

    def _several(self, rounds: _Rounds) -> Iterator[HistoryLine]:
        return self._changes(rounds.before, rounds.last.after, rounds.told(self.jackpot))

    def _told(self, moment: Moment) -> HistoryLine:
        event, who = moment.event, answering(moment.payload)
        if event.kind == WAGERS_COUNTED and is_reading(moment.payload):
            return self._reading(moment)
        if event.kind == WAGERS_COUNTED:
            who = self._dealer(str(moment.payload["table"]), event.command, str(moment.payload["round"]))
        return HistoryLine.of(self.jackpot, event, who)

    def _reading(self, moment: Moment) -> HistoryLine:
        """What was read off a counter: who read it and why stands at the table."""
        name, table = str(moment.payload["round"]), str(moment.payload["table"])
        read = reading_taken(self._books.floor.ledger, table, name.removeprefix(READING))
        line = HistoryLine.of(self.jackpot, moment.event, answering(read.payload) if read else "")
        words = f"counter read, {line.details}, {called(name)}"
        return replace(line, details="; ".join(filter(None, (words, read.why if read else ""))))

    def _dealer(self, table: str, command: str, round_id: str) -> str:
        """Who counted a round: the table's chain has the rounds in the same order, so it is read alongside. One command
        may carry many rounds of a data logger, and those without wagers are not in the jackpot's chain."""
        if table not in self._dealers:
            self._dealers[table] = self._books.dealers(table)
        return next((who for *counted, who in self._dealers[table] if counted == [command, round_id]), "")

    def _opening(self, state: JackpotState) -> None:
        for meter in state.meters:
            for held in HELD:
                self._sum(meter.name, held).beginning = getattr(meter, held)

    def _sum(self, level: str, held: str) -> SumLine:
        return self._sums.setdefault((level, held), SumLine(self.jackpot, level, held))

    def _changes(self, before: JackpotState | None, after: JackpotState, told: HistoryLine) -> Iterator[HistoryLine]:
        moved = False
        for place, meter in enumerate(after.meters):
            stood = before.meters[place] if before else None
            for held in HELD:
                beginning, ending = (getattr(stood, held) if stood else 0), getattr(meter, held)
                if beginning == ending:
                    continue
                line = self._sum(meter.name, held)
                line.added += max(ending - beginning, 0)
                line.taken += max(beginning - ending, 0)
                yield replace(
                    told,
                    level=meter.name,
                    held=str(held),
                    beginning=beginning,
                    amount=ending - beginning,
                    ending=ending,
                    goes_on=moved,
                )
                moved = True
        if not moved:
            yield told


_LINES: Final = (
    *columns.in_files(columns.texts(jackpot="Jackpot")),
    *columns.of(Cell.TIME, time="Time"),
    *columns.counts(sequence="Event"),
    *columns.for_people(columns.wide(columns.texts(what="What happened, and why"))),
    *columns.in_files(columns.texts(event="What happened", reason="Reason", details="Details")),
    *columns.texts(table="Table"),
    *columns.in_files(columns.texts(round="Round")),
    *columns.texts(who="Who"),
    *columns.in_files(columns.texts(level="Level", held="Meter")),
    *columns.for_people(columns.texts(meter="Meter")),
    *columns.amounts(beginning="Beginning", amount="Amount", ending="Ending"),
)
_SUMS: Final = (
    *columns.in_files(columns.texts(jackpot="Jackpot")),
    *columns.texts(level="Level", held="Meter"),
    *columns.amounts(beginning="Beginning", added="Added", taken="Taken", ending="Ending", booked="By the entries"),
    *columns.of(Cell.FLAG, agrees="Agrees"),
)


def history_report(books: Books, jackpots: tuple[str, ...], prepared: Time, *, every_round: bool = False) -> Report:
    """The history of some jackpots."""
    parts: list[Section] = []
    faults: list[str] = []
    books, jackpots = books.about(jackpots)
    for jackpot in jackpots:
        history = History(books, jackpot, every_round=every_round)
        name = books.floor.jackpot(jackpot).setup["name"]
        parts.append(Section("history", f"{name} ({jackpot})", _LINES, history.lines()))
        parts.append(Section("sums", f"What {jackpot} adds up to", _SUMS, _checked(history, faults)))
    return report_on(
        Head(books, prepared, "jackpot-history", "Jackpot history", subject(books, jackpots)),
        parts=parts,
        notes=(
            *overdue_notes(books, jackpots, prepared),
            "Amounts are dollars to a hundredth of a cent. Beginning + added - taken = ending, for every meter.",
            (
                "A progressive is reduced for five reasons only: prize won; correction of a malfunction; display above "
                "the cap; removal of money not displayed and booked as gross receipts; recovery of seed money "
                "(WAC 230-15-685 and -695)."
            ),
        ),
        signing=Signatures("Every change of the period is explained above.", ("Prepared by", "Reviewed by")),
        faults=faults,
    )


def _checked(history: History, faults: list[str]) -> Iterator[SumLine]:
    for line in history.sums():
        if not line.agrees:
            faults.append(f"The {line.held} of {line.jackpot}/{line.level} is not explained by its changes.")
        yield line


def subject(books: Books, jackpots: tuple[str, ...]) -> str:
    """The name of the one jackpot, or that there are several."""
    if len(jackpots) == 1:
        return str(books.floor.jackpot(jackpots[0]).setup["name"])
    return "All jackpots" if books.money is Money.ROOM else "All jackpots of play money"
