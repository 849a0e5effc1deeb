"""The meters of every level: in, displayed, hits, wins, overflow, and reserve, with the parameters (GLI-19)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.ledger import Time
from cardroom.reports.accounting import columns
from cardroom.reports.accounting.chain_reader import PeriodBooks
from cardroom.reports.accounting.columns import Cell
from cardroom.reports.accounting.history import jackpots_title
from cardroom.reports.accounting.report import (
    AccountingReport,
    ReportHeader,
    ReportSection,
    build_report,
    overdue_notes,
)
from cardroom.reports.documents.blocks import Signatures
from cardroom.room.jackpot.state import JackpotState, Meter


@dataclass(frozen=True, slots=True)
class MeterLine:
    """One level at the end of the period, with its totals since it was opened."""

    jackpot: str
    level: str
    contributed: Amount
    displayed: Amount
    reserve: Amount
    overflow: Amount
    pending: Amount
    seed_owed: Amount
    hits: int
    won: Amount


@dataclass(frozen=True, slots=True)
class PeriodLine:
    """The movements of one level within the period."""

    jackpot: str
    level: str
    wagers: int
    wagered: Amount
    contributed: Amount
    hits: int
    won: Amount
    displayed_before: Amount
    displayed_after: Amount


@dataclass(frozen=True, slots=True)
class ParameterLine:
    """The operator's settings of one level."""

    jackpot: str
    level: str
    kind: str
    start: Amount
    """The meter when the jackpot was opened."""
    reset: Amount
    increment: Fraction
    hidden: Fraction
    ceiling: Amount | None
    minimum: Amount
    status: str


def meters_report(books: PeriodBooks, jackpots: tuple[str, ...], prepared: Time) -> AccountingReport:
    """The meters of these jackpots at the end of the period."""
    books, jackpots = books.select_jackpots(jackpots)
    states = {jackpot: _boundary_states(books, jackpot) for jackpot in jackpots}
    open_states = [(start, opening, closing) for start, opening, closing in states.values() if start and closing]
    levels = [
        (start.meters[place], opening, closing, place)
        for start, opening, closing in open_states
        for place in range(len(closing.meters))
    ]
    meters = [_meter(closing, closing.meters[place]) for _, _, closing, place in levels]
    changes = [_period(opening, closing, place) for _, opening, closing, place in levels]
    parameters = [_parameters(start, closing, closing.meters[place]) for start, _, closing, place in levels]
    return build_report(
        ReportHeader(books, prepared, "jackpot-meters", "Jackpot meters", jackpots_title(books, jackpots)),
        sections=(
            ReportSection(
                "meters",
                "Meters at the end of the period, with totals since the jackpot was opened",
                _METER_COLUMNS,
                meters,
            ),
            ReportSection("period", "In the period", _PERIOD_COLUMNS, changes),
            ReportSection("parameters", "Parameters at the end of the period", _PARAMETER_COLUMNS, parameters),
        ),
        notes=(
            *overdue_notes(books, jackpots, prepared),
            (
                "Amounts are dollars and cents; a fraction of a cent is shown with two more digits. Displays show "
                "whole cents, and the fraction stays on the meter."
            ),
            "In: contributions of wagers to display, reserve, and overflow. Hits and wins: prizes paid from the level.",
            "Wagers and coin-in are the counted ones; the wagers of a void round are subtracted.",
        ),
        signatures=Signatures(
            "We read the meters and compared them with the displays at the tables.", ("Read by", "Verified by")
        ),
    )


def _boundary_states(
    books: PeriodBooks, jackpot: str
) -> tuple[JackpotState | None, JackpotState | None, JackpotState | None]:
    """A jackpot when it was opened, at the beginning of the period, and at its end."""
    start = opening = closing = None
    for moment in books.transitions(jackpot):
        start = start or moment.state_after
        if books.is_before_period(moment.event):
            opening = moment.state_after
        closing = moment.state_after
    return start, opening, closing


def _meter(state: JackpotState, meter: Meter) -> MeterLine:
    return MeterLine(
        state.id,
        meter.name,
        meter.contributed,
        meter.display,
        meter.reserve,
        meter.overflow,
        meter.pending,
        meter.seed_owed,
        meter.hits,
        meter.won,
    )


def _period(opening: JackpotState | None, closing: JackpotState, place: int) -> PeriodLine:
    meter = closing.meters[place]
    stood = opening.meters[place] if opening else meter._replace(contributed=0, hits=0, won=0, display=0)
    return PeriodLine(
        closing.id,
        meter.name,
        closing.counted - (opening.counted if opening else 0),
        closing.wagered - (opening.wagered if opening else 0),
        meter.contributed - stood.contributed,
        meter.hits - stood.hits,
        meter.won - stood.won,
        stood.display,
        meter.display,
    )


def _parameters(start: Meter, state: JackpotState, meter: Meter) -> ParameterLine:
    parameters = meter.parameters
    waits = "a change takes effect at the reset" if state.waiting_change(meter.name) else ""
    status: Iterable[str] = (state.unavailability or "available", waits)
    return ParameterLine(
        state.id,
        meter.name,
        str(state.kind),
        start.display,
        parameters.seed,
        parameters.contribution,
        parameters.reserve,
        parameters.ceiling,
        parameters.minimum * CENT,
        "; ".join(filter(None, status)),
    )


_LEVEL_COLUMNS: Final = columns.texts(jackpot="Jackpot", level="Level")
_METER_COLUMNS: Final = (
    *_LEVEL_COLUMNS,
    *columns.amounts(contributed="In", displayed="Displayed", reserve="Reserve"),
    *columns.amounts(overflow="Overflow", pending="Pending", seed_owed="Seed owed"),
    *columns.counts(hits="Hits"),
    *columns.amounts(won="Wins"),
)
_PERIOD_COLUMNS: Final = (
    *_LEVEL_COLUMNS,
    *columns.counts(wagers="Wagers"),
    *columns.amounts(wagered="Coin-in", contributed="In"),
    *columns.counts(hits="Hits"),
    *columns.amounts(won="Wins", displayed_before="Displayed before", displayed_after="Displayed after"),
)
_PARAMETER_COLUMNS: Final = (
    *_LEVEL_COLUMNS,
    *columns.texts(kind="Kind"),
    *columns.amounts(start="Start value", reset="Reset value"),
    *columns.define(Cell.SHARE, increment="Increment", hidden="Hidden"),
    *columns.amounts(ceiling="Ceiling", minimum="Minimum wager"),
    *columns.texts(status="Status"),
)
