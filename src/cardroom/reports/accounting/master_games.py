"""The master games report: drop, payouts, and win of every table and game, day by day, without accruals.

WAC 230-15-730. It covers what this ledger contains: the collected jackpot wagers, the prizes paid on them, and
promotions. The drop of the other wagers is counted elsewhere. Players' money that pays a progressive's prize is shown
beside the win, because it is neither the house's income nor its cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from datetime import date
from typing import Final

from cardroom.chart_of_accounts import HOUSE, AccountKind, Amount
from cardroom.games import game, game_slugs
from cardroom.ledger import Entry, Event, Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import PeriodBooks, event_payload
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.report import AccountingReport, ReportHeader, ReportSection, build_report
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.jackpot.events import ClaimPaid
from cardroom.room.tabulator.events import ReadingReversed, RoundCountedByHand, RoundTabulated, RoundVoided
from cardroom.service import CardRoom
from cardroom.service.chains.aggregates import UnknownTabulator
from cardroom.service.chains.names import jackpot_chain, promotion_chain, tabulator_chain

_METER_ACCOUNTS: Final = frozenset({AccountKind.DISPLAY, AccountKind.RESERVE, AccountKind.OVERFLOW})


@dataclass(slots=True)
class GameFigures:
    """The amounts wagered, collected, and paid."""

    rounds: int = 0
    wagers: int = 0
    drop: Amount = 0
    """Collected jackpot wagers, minus those of void rounds."""
    accruals: Amount = 0
    """The part of the wagers that went to the progressives, minus the part returned with void rounds."""
    prizes: Amount = 0
    """Prizes paid by the house."""
    promotions: Amount = 0
    adjustments: Amount = 0
    """Money of progressives booked as gross receipts, minus corrections paid by the house."""
    jackpots: Amount = 0
    """Prizes paid with the players' money."""

    @property
    def win(self) -> Amount:
        return self.drop - self.accruals - self.prizes - self.promotions + self.adjustments

    def add(self, other: GameFigures) -> None:
        for figure in fields(GameFigures):
            setattr(self, figure.name, getattr(self, figure.name) + getattr(other, figure.name))


@dataclass(slots=True, kw_only=True)
class MasterLine(GameFigures):
    """One table on one gaming day, or a sum of such lines."""

    day: date | None
    table: str
    game: str

    @property
    def game_name(self) -> str:
        """The game's name on the rule sheet; for the house's own line and for totals, a label."""
        return game(self.game).facts.name if self.game in game_slugs() else self.game


class MasterGames:
    """Sums by gaming day and table."""

    def __init__(self, books: PeriodBooks, table: str | None = None) -> None:
        self._books, self._only = books, table
        self._lines: dict[tuple[date, str], MasterLine] = {}
        self._games: dict[str, str] = {}

    def lines(self) -> list[MasterLine]:
        """Read the ledger of the tables, the jackpots, and the promotions."""
        books = self._books
        chains = [
            *map(tabulator_chain, books.tables() if self._only is None else [self._only]),
            *map(jackpot_chain, books.jackpots()),
            *map(promotion_chain, books.promotions()),
        ]
        for chain in chains:
            for event, entries in self._books.events_with_entries(chain):
                self._add_count(event)
                for entry in entries:
                    self._add_entry(event, entry)
        return [self._lines[key] for key in sorted(self._lines)]

    def _line(self, event: Event, table: str) -> MasterLine:
        day = self._books.days.day_of(event)
        line = self._lines.get((day, table))
        if line is None:
            line = MasterLine(day=day, table=table, game=self._game(table))
            if self._only in (None, table):
                self._lines[day, table] = line
        return line

    def _game(self, table: str) -> str:
        if table not in self._games:
            self._games[table] = HOUSE if table == HOUSE else _table_game(self._books.card_room, table)
        return self._games[table]

    def _add_count(self, event: Event) -> None:
        payload = event_payload(event)
        sign = (
            1
            if event.kind in (RoundTabulated.kind, RoundCountedByHand.kind)
            else -1
            if event.kind == RoundVoided.kind
            else 0
        )
        if "wagers" in payload and event.chain.startswith(tabulator_chain("")):
            line = self._line(event, payload["table"])
            line.rounds += sign
            direction = -1 if event.kind == ReadingReversed.kind else 1
            line.wagers += (sign or direction) * sum(wager["count"] for wager in payload["wagers"])
        elif event.kind == ClaimPaid.kind:
            self._line(event, payload["table"]).jackpots += sum(payload["levels"].values())

    def _add_entry(self, event: Event, entry: Entry) -> None:
        debit, credit, amount = entry.debit, entry.credit, entry.amount
        match debit.kind, credit.kind:
            case AccountKind.CHIP_TRAY, AccountKind.GROSS_RECEIPTS:
                self._line(event, credit.owner).drop += amount
            case AccountKind.GROSS_RECEIPTS, AccountKind.CHIP_TRAY:
                self._line(event, debit.owner).drop -= amount
            case AccountKind.PRIZES, AccountKind.CHIP_TRAY:
                line = self._line(event, debit.owner)
                if event.chain.startswith(promotion_chain("")):
                    line.promotions += amount
                else:
                    line.prizes += amount
            case AccountKind.GROSS_RECEIPTS, kind if kind in _METER_ACCOUNTS:
                line = self._line(event, debit.owner)
                if debit.owner == HOUSE:
                    line.adjustments -= amount
                else:
                    line.accruals += amount
            case kind, AccountKind.GROSS_RECEIPTS if kind in _METER_ACCOUNTS:
                line = self._line(event, credit.owner)
                if credit.owner == HOUSE:
                    line.adjustments += amount
                else:
                    line.accruals -= amount  # the amounts of a void round or a reversed reading
            case _:
                pass  # transfers between the players' accounts, the cage, and the bank


def _table_game(card_room: CardRoom, table: str) -> str:
    """The game of a table, also if the table has no tabulator."""
    try:
        return card_room.tabulator(table).tabulator.table.game
    except UnknownTabulator:
        return card_room.table(table).open_table.table.setup.game


def _sum(lines: Iterable[MasterLine], *, table: str = "", game: str = "") -> MasterLine:
    """The sum of some lines."""
    total = MasterLine(day=None, table=table, game=game)
    for line in lines:
        total.add(line)
    return total


def _game_totals(lines: list[MasterLine]) -> Iterator[MasterLine]:
    for slug in sorted({line.game for line in lines}):
        yield _sum((line for line in lines if line.game == slug), game=slug)


def master_report(books: PeriodBooks, table: str | None, prepared: Time) -> AccountingReport:
    """The master games report of all tables, or of one."""
    books = books if table is None else books.switch_currency(books.card_room.tabulator(table).money)
    lines = MasterGames(books, table).lines()
    return build_report(
        ReportHeader(books, prepared, "master-games-report", "Master games report", table or "All tables"),
        sections=(
            ReportSection("tables", "By gaming day and table", _TABLE_COLUMNS, lines, _sum(lines, table="Total")),
            ReportSection("games", "By game", _GAME_COLUMNS, list(_game_totals(lines)), _sum(lines, game="Total")),
            ReportSection(
                "promotions",
                "Promotions, and the game owners' written agreements",
                _PROMOTION_COLUMNS,
                [books.card_room.promotion(name).state.promotion for name in books.promotions()],
                empty="There was no promotion.",
            ),
        ),
        notes=(
            (
                "Win = drop - accruals - prizes paid by the house - promotions + adjustments. Prizes from a meter "
                "are the players' own money and not part of the win."
            ),
            (
                'Drop: jackpot wagers that are collected when they are counted ("for 1"), minus those of void rounds. '
                'A "to 1" wager stays on the layout and is settled with the hand: only its accrual is in these figures.'
            ),
            "Accruals: the part of the wagers that went to the progressives, minus the part returned with void rounds.",
            "The games' other wagers are not in this ledger: add their drop and win from the count.",
        ),
        signatures=Signatures(
            "We compared the figures with the count sheets of the day.", ("Prepared by", "Reviewed by")
        ),
    )


_FIGURE_COLUMNS: Final = (
    *columns.counts(rounds="Rounds", wagers="Wagers"),
    *columns.amounts(drop="Drop", accruals="Accruals", prizes="House prizes", promotions="Promotions"),
    *columns.amounts(adjustments="Adjustments", win="Win", jackpots="Players' prizes"),
)
_TABLE_COLUMNS: Final = (
    *columns.define(Cell.DAY, day="Day"),
    *columns.texts(table="Table"),
    *columns.files_only(columns.texts(game="Game")),
    *columns.people_only(columns.texts(game_name="Game")),
    *_FIGURE_COLUMNS,
)
_PROMOTION_COLUMNS: Final = (
    *columns.texts(id="Promotion", name="Name", game="Game", wager="Wager", event="Event"),
    *columns.define(Cell.DAY, first="First day", last="Last day"),
    *columns.texts(consent="Consent"),
)
_GAME_COLUMNS: Final = (
    *columns.files_only(columns.texts(game="Game")),
    *columns.people_only(columns.texts(game_name="Game")),
    *_FIGURE_COLUMNS,
)
