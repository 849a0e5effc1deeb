"""Activity: coin-in and hit frequency of every counted wager, by table and by game, and hits line by line.

The exact odds give the expected hits of each line for the counted wagers. A fixed prize is in the ledger only after its
claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.games import game
from cardroom.ledger import Time
from cardroom.paytables import Dollars, ForOne, Loss, Pay, Paytable, Push, paytable
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import PeriodBooks, event_payload
from cardroom.reports.accounting.columns import Cell, ReportColumn
from cardroom.reports.accounting.report import AccountingReport, ReportHeader, ReportSection, build_report
from cardroom.room.jackpot.event_values import ChipsOutcome
from cardroom.room.jackpot.events import ClaimPaid, PrizesPaid, PrizesReversed
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.setup.jackpot_validation import event_probabilities
from cardroom.room.tabulator.events import (
    CounterRead,
    ReadingReversed,
    RoundCountedByHand,
    RoundTabulated,
    RoundVoided,
)
from cardroom.service.chains.names import tabulator_chain


@dataclass(slots=True, kw_only=True)
class WagerCounts:
    """The counted wagers of a game, and their probability to win."""

    game: str
    wager: str
    wagers: int = 0
    chance: Fraction | None = None
    """The exact probability that one wager wins."""

    @property
    def game_name(self) -> str:
        return game(self.game).facts.name

    @property
    def expected(self) -> Fraction | None:
        """The expected number of wins of the wagers."""
        return None if self.chance is None else self.chance * self.wagers


@dataclass(slots=True, kw_only=True)
class ActivityLine(WagerCounts):
    """A wager at a table, or in a game."""

    table: str
    jackpot: str | None
    rounds: int = 0
    coin_in: Amount | None = 0
    """None if the tabulator does not know the amount of a wager."""
    hits: int | None = None
    """None for a wager without a jackpot: its prizes are not in this ledger."""
    paid: Amount | None = None

    @property
    def frequency(self) -> Fraction | None:
        return Fraction(self.hits, self.wagers) if self.hits is not None and self.wagers > 0 else None

    def add(self, other: ActivityLine) -> None:
        self.rounds += other.rounds
        self.wagers += other.wagers
        self.coin_in = _add_optional(self.coin_in, other.coin_in)
        self.hits = _add_optional(self.hits, other.hits)
        self.paid = _add_optional(self.paid, other.paid)


@dataclass(slots=True, kw_only=True)
class LineHits(WagerCounts):
    """A line of a jackpot's paytable and its hits."""

    jackpot: str
    paytable: str
    event: str
    hits: int = 0
    paid: Amount = 0


def _is_prize(pay: Pay) -> bool:
    """Whether a line is a prize: it pays more than nothing, or more than the wager itself."""
    match pay:
        case Loss() | Push():
            return False
        case Dollars(amount) | ForOne(amount):
            return amount > 0
        case _:
            return True


def _add_optional(first: int | None, second: int | None) -> int | None:
    return None if first is None or second is None else first + second


class Activity:
    """The wagers and prizes of a period."""

    def __init__(self, books: PeriodBooks, jackpots: Iterable[str], tables: Iterable[str], *, expected: bool) -> None:
        self._books, self._expected = books, expected
        self._jackpots, self._only = tuple(jackpots), tuple(tables)
        self._states = {jackpot: books.card_room.jackpot(jackpot) for jackpot in books.jackpots()}
        self.by_table: dict[tuple[str, str, str | None], ActivityLine] = {}
        self.by_line: dict[tuple[str, str, str], LineHits] = {}
        self._chances: dict[tuple[str, str], dict[str, Fraction] | None] = {}

    def read_books(self) -> None:
        """Wagers from the tables, hits from the jackpots."""
        for table in self._only:
            self._read_table(table)
        for line in self.by_table.values():
            if line.jackpot is not None:
                self._add_paytable_lines(line, line.jackpot)
        for jackpot in self._jackpots:
            self._read_jackpot(jackpot)

    def _read_table(self, table: str) -> None:
        slug = self._books.card_room.tabulator(table).tabulator.table.game
        for event in self._books.events(tabulator_chain(table)):
            counting = RoundTabulated.kind, RoundCountedByHand.kind, CounterRead.kind
            sign = 1 if event.kind in counting else -1 if event.kind in (RoundVoided.kind, ReadingReversed.kind) else 0
            round_ = 0 if event.kind in (CounterRead.kind, ReadingReversed.kind) else sign
            for wager in event_payload(event)["wagers"] if sign else ():
                jackpot = wager["jackpot"]
                if jackpot not in self._jackpots and (jackpot is not None or len(self._jackpots) < len(self._states)):
                    continue
                key = table, wager["wager"], jackpot
                line = self.by_table.get(key)
                if line is None:
                    line = self.by_table[key] = ActivityLine(
                        table=table, game=slug, wager=wager["wager"], jackpot=jackpot
                    )
                line.rounds += round_
                line.wagers += sign * wager["count"]
                line.coin_in = _add_optional(line.coin_in, self._amount(wager, sign))

    def _amount(self, wager: dict[str, Any], sign: int) -> Amount | None:
        stakes = wager["stakes"]
        if stakes or not wager["count"]:
            return sign * sum(int(amount) * int(count) for amount, count in stakes)
        state = self._states.get(wager["jackpot"] or "")
        return sign * int(wager["count"]) * state.wagers[0] * CENT if state else None

    def _add_paytable_lines(self, line: ActivityLine, jackpot: str) -> None:
        """The paytable lines of a jackpot's wager at a table."""
        table = self._paytable(self._states[jackpot], line.game)
        line.hits = line.paid = 0
        if table is None:
            return
        chances = self._line_chances(table) if self._expected else None
        winning = [paytable_line.trigger for paytable_line in table.lines if _is_prize(paytable_line.pay)]
        if chances is not None:
            line.chance = sum((chances.get(event, Fraction(0)) for event in winning), Fraction(0))
        for event in winning:
            hits = self.by_line.setdefault(
                (jackpot, line.game, event),
                LineHits(jackpot=jackpot, game=line.game, wager=line.wager, paytable=table.name, event=event),
            )
            hits.wagers += line.wagers
            hits.chance = None if chances is None else chances.get(event, Fraction(0))

    def _paytable(self, state: JackpotState, slug: str) -> Paytable | None:
        for offer in state.setup["offers"]:
            if offer["game"] == slug:
                return paytable(slug, offer["wager"], offer["paytable"]).with_bonuses(offer["bonuses"])
        return None

    def _line_chances(self, table: Paytable) -> dict[str, Fraction] | None:
        key = table.game, table.name
        if key not in self._chances:
            self._chances[key] = event_probabilities(table)
        return self._chances[key]

    def _read_jackpot(self, jackpot: str) -> None:
        for moment in self._books.transitions(jackpot):
            if self._books.is_before_period(moment.event):
                continue
            payload = moment.payload
            if moment.event.kind == PrizesPaid.kind:
                for prize in payload["prizes"]:
                    self._add_hit(jackpot, payload["table"], prize["event"], prize["cents"])
            elif moment.event.kind == PrizesReversed.kind:
                for prize in payload["prizes"]:
                    returned_cents = prize["cents"] if payload["chips"] == ChipsOutcome.RETURNED else 0
                    self._add_hit(jackpot, payload["table"], prize["event"], -returned_cents, number=-1)
            elif moment.event.kind == ClaimPaid.kind and moment.state_before is not None:
                for won in moment.state_before.claim(payload["claim"]).prizes:
                    self._add_hit(jackpot, payload["table"], won.event, won.cents)

    def _add_hit(self, jackpot: str, table: str, event: str, cents: int, number: int = 1) -> None:
        line = next(
            (candidate for key, candidate in self.by_table.items() if key[0] == table and key[2] == jackpot), None
        )
        if line is None:
            return
        line.hits = _add_optional(line.hits, number)
        line.paid = _add_optional(line.paid, cents * CENT)
        hit = self.by_line.get((jackpot, line.game, event))
        if hit is not None:
            hit.hits += number
            hit.paid += cents * CENT

    def game_lines(self) -> Iterator[ActivityLine]:
        """The sums of a game over its tables."""
        games: dict[tuple[str, str, str | None], ActivityLine] = {}
        for line in self.by_table.values():
            key = line.game, line.wager, line.jackpot
            if key in games:
                games[key].add(line)
            else:
                games[key] = replace(line, table="")
        yield from games.values()


def table_activity(books: PeriodBooks, jackpots: tuple[str, ...], tables: tuple[str, ...]) -> ReportSection:
    """The counts and hits, table by table."""
    activity = Activity(books, jackpots, tables, expected=False)
    activity.read_books()
    displayed_columns = _drop_columns(_FIGURES, "expected", "chance")
    return ReportSection(
        "tables", "By table", displayed_columns, list(activity.by_table.values()), empty="No wagers were counted."
    )


def activity_report(
    books: PeriodBooks,
    jackpots: tuple[str, ...],
    tables: tuple[str, ...],
    title: str,
    prepared: Time,
    *,
    expected: bool,
) -> AccountingReport:
    """Coin-in and hits at these tables for these jackpots."""
    activity = Activity(books, jackpots, tables, expected=expected)
    activity.read_books()
    odds = () if expected else ("expected", "chance")
    chance = "Expected hits: the exact probability of each line times the counted wagers."
    return build_report(
        ReportHeader(books, prepared, "jackpot-activity", "Activity", title),
        sections=(
            ReportSection("games", "By game", _drop_columns(_FIGURES, "table", *odds), list(activity.game_lines())),
            ReportSection("tables", "By table", _drop_columns(_FIGURES, *odds), list(activity.by_table.values())),
            ReportSection("lines", "Line by line", _drop_columns(_LINES, *odds), list(activity.by_line.values())),
        ),
        notes=(
            (
                "Void rounds and their wagers are subtracted. Hits are prizes that were paid; a fixed prize is in the "
                "ledger only after its claim."
            ),
            chance if expected else "Ask for --expected to have the exact odds beside what was hit.",
        ),
    )


_FIGURES: Final = (
    *columns.texts(table="Table"),
    *columns.files_only(columns.texts(game="Game")),
    *columns.people_only(columns.texts(game_name="Game")),
    *columns.texts(wager="Wager", jackpot="Jackpot"),
    *columns.counts(rounds="Rounds", wagers="Wagers"),
    *columns.amounts(coin_in="Coin-in"),
    *columns.counts(hits="Hits"),
    *columns.define(Cell.FREQUENCY, frequency="Hit frequency"),
    *columns.define(Cell.EXPECTED, expected="Expected hits"),
    *columns.define(Cell.FREQUENCY, chance="Expected frequency"),
    *columns.amounts(paid="Paid"),
)
_LINES: Final = (
    *columns.texts(jackpot="Jackpot"),
    *columns.files_only(columns.texts(game="Game")),
    *columns.people_only(columns.texts(game_name="Game")),
    *columns.files_only(columns.texts(wager="Wager")),
    *columns.texts(paytable="Paytable", event="Line"),
    *columns.counts(wagers="Wagers", hits="Hits"),
    *columns.define(Cell.EXPECTED, expected="Expected hits"),
    *columns.define(Cell.FREQUENCY, chance="Expected frequency"),
    *columns.amounts(paid="Paid"),
)


def _drop_columns(columns: tuple[ReportColumn, ...], *names: str) -> tuple[ReportColumn, ...]:
    return tuple(column for column in columns if column.name not in names)
