"""Tables as terminal pages: tables, tabulators, and rounds."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cardroom.games.money import describe_chips, format_cents
from cardroom.ledger import Event
from cardroom.room.amount_text import format_dollars
from cardroom.room.descriptions.event_descriptions import short_event_title
from cardroom.room.jackpot.event_values import SetupChange
from cardroom.room.setup.calendar import Calendar
from cardroom.room.table.events import LiveRoundCanceled, SettledStake
from cardroom.room.table.live_payments import SeatPayment
from cardroom.room.table.live_procedure import next_steps, table_procedure
from cardroom.room.tabulator.events import ReadingReversed, RoundCountedByHand, RoundVoided, reading_key
from cardroom.room.tabulator.state import LayoutMark
from cardroom.service import (
    DealerTableView,
    DealingMode,
    LightsResult,
    RoomTableResult,
    RoundCountResult,
    TablePhase,
    TableResult,
    TableState,
    TabulatedTableState,
    TabulatorSummary,
    TakeOrPaySheet,
)
from cardroom.service.queries.chain_history import describe_wager_void, payload_of
from cardroom.service.queries.past_live_rounds import PastLiveRound
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns
from cardroom.terminal.pages.payments import currency_tag

CLOCK_TOLERANCE_SECONDS: Final = 60
"""Seconds by which a data logger's clock may be ahead before a page says so."""


def table_line(result: TabulatorSummary) -> RenderableType:
    """One line for a tabulator."""
    playing = f"jackpots {', '.join(result.jackpots)}" if result.jackpots else "no jackpot"
    counters = ", ".join(f"{item:,}" for item in result.counters)
    works = (f"fault: {result.broken}", BAD) if result.broken else ("works", GOOD)
    if result.closed:
        return Text.assemble((result.table, SLUG), "  ", (f"closed: {result.closed}", BAD))
    line = Text.assemble(
        (result.table, SLUG),
        f"  {playing}  ",
        *currency_tag(result.money),
        (f"unit {result.unit}, counter {counters}, ", QUIET),
        works,
    )
    return Group(line, *_change_lines(result.changes))


def tabulators_table(states: Sequence[TabulatedTableState], removed_jackpots: Collection[str] = ()) -> RenderableType:
    """All tabulators; ``removed_jackpots`` are marked."""
    if not states:
        return Text("There is no tabulator.", QUIET)
    titles = [ColumnHeading(item) for item in ("Table", "Game", "Jackpots", "Tabulator", "Unit")]
    return TextColumns(
        [*titles, ColumnHeading("Counter", ColumnAlign.RIGHT), ColumnHeading("Works", ColumnAlign.SENTENCE)],
        [_row(item, removed_jackpots) for item in states],
    )


def _row(state: TabulatedTableState, removed_jackpots: Collection[str]) -> list[CellText]:
    tabulator = state.tabulator
    return [
        Text(state.id, SLUG),
        tabulator.table.game,
        _jackpots_text(state, removed_jackpots),
        tabulator.table.model.name,
        "" if state.closed else tabulator.unit,
        "" if state.closed else ", ".join(f"{counter:,}" for counter in tabulator.counters),
        _tabulator_state(state),
    ]


def _jackpots_text(state: TabulatedTableState, removed_jackpots: Collection[str]) -> Text:
    jackpots = ", ".join(
        f"{jackpot} (removed)" if jackpot in removed_jackpots else jackpot for jackpot in state.jackpots
    )
    return Text.assemble(jackpots or ("none", QUIET), *currency_tag(state.money, prefix=", ", suffix=""))


def _tabulator_state(state: TabulatedTableState) -> Text:
    if state.closed:
        return Text(f"closed: {state.closed}", BAD)
    return Text(f"no: {state.tabulator.broken}", BAD) if state.tabulator.broken else Text("yes", GOOD)


# Rounds.


def round_table(result: RoundCountResult) -> RenderableType:
    """A counted round: wagers, lights, and meters."""
    wagers = ", ".join(f"{count:,} {wager}" for wager, count in result.counts.items()) or "no wagers"
    lines: list[RenderableType] = [
        Text.assemble(
            (result.table, SLUG),
            f"  {wagers}  ",
            *currency_tag(result.money),
            (f"round {result.round}" if result.round else "", QUIET),
        )
    ]
    lines += [_meter(jackpot, levels, result) for jackpot, levels in result.meters.items()]
    mark_groups = {
        "lights on": result.lights,
        "lammers in place of lights": result.lammers,
        "wagers that stay on their spots": result.stay,
    }
    lines += [Text(f"  {label}: {_marks(marks)}", QUIET) for label, marks in mark_groups.items() if marks]
    lines.append(Text(f"  counter {', '.join(f'{counter:,}' for counter in result.counters)}", QUIET))
    return Group(*lines)


def _meter(jackpot: str, levels: Sequence[int], result: RoundCountResult) -> Text:
    shows = (f" shows {' · '.join(map(format_dollars, levels))}" if levels else " has no meter", "bold")
    fixed = (": a bonus jackpot, which does not grow with play" if jackpot in result.bonus else "", QUIET)
    return Text.assemble("  ", (jackpot, SLUG), shows, fixed)


def lights_page(reported: LightsResult) -> RenderableType:
    """The failed lights and the lammers that replace them."""
    if not reported.dark:
        return Group(table_line(reported.summary), Text("  all lights work", GOOD))
    lines = [Text(f"  failed: {_marks(reported.dark)}; a lammer replaces each light when its wager is counted", COST)]
    if reported.lammers:
        lines.append(Text(f"  place lammers at {_marks(reported.lammers)} now, for the last counted round", COST))
    return Group(table_line(reported.summary), *lines)


def _marks(marks: Sequence[LayoutMark]) -> str:
    """Positions, with the sensor if it is not the first."""
    return ", ".join(f"{mark.position}" + (f" (sensor {mark.sensor})" if mark.sensor > 1 else "") for mark in marks)


def recent_rounds_table(events: Sequence[Event], calendar: Calendar) -> RenderableType:
    """The last counted rounds of a table, newest first."""
    rows: list[list[CellText]] = []
    for event in events:
        payload = payload_of(event)
        description = short_event_title(event.kind)
        style = {RoundVoided.kind: BAD, ReadingReversed.kind: BAD, RoundCountedByHand.kind: COST}.get(event.kind, "")
        wagers = "\n".join(map(_wager, payload["wagers"]))
        person = payload.get("dealer") or payload.get("by", "")
        reason = payload.get("reason") or payload.get("why")
        names = person + (f", {payload['second']}" if payload.get("second") else "")
        round_id = payload["round"] if "round" in payload else reading_key(payload["reading"])
        description += (f": {reason}" if reason else "") + _press_time_text(event, calendar)
        rows.append([calendar.format_time(event.time), round_id, wagers, Text(description, style), names])
    if not events:
        return Text("No round is counted at this table yet.", QUIET)
    texts = (
        ColumnHeading("Round"),
        ColumnHeading("Wagers at positions"),
        ColumnHeading("How", ColumnAlign.SENTENCE),
        ColumnHeading("Who"),
    )
    return Group(
        TextColumns([ColumnHeading("Time", ColumnAlign.NO_WRAP), *texts], rows), Text(calendar.zone_text, QUIET)
    )


def _press_time_text(event: Event, calendar: Calendar) -> str:
    """The time of the press by the data logger's clock, and the time when the record arrived."""
    payload = payload_of(event)
    if not payload.get("record"):
        return _device_clock_text(payload.get("device") or {}, event, calendar)
    pressed = payload["record"]["time"]
    ahead = (pressed - event.time) // 1_000_000
    wrong = f"; the logger's clock is ahead by {ahead // 60} min" if ahead > CLOCK_TOLERANCE_SECONDS else ""
    arrival, press_time = calendar.format_time(event.time), calendar.format_time(pressed)
    press_text = press_time if arrival[:10] != press_time[:10] else press_time[11:]
    return f"\npressed {press_text}, arrived {arrival[11:]}{wrong}"


def _device_clock_text(device: dict[str, Any], event: Event, calendar: Calendar) -> str:
    """The time of a device's clock, if it differs from the room's. It has no effect."""
    if device.get("time") is None or abs(device["time"] - event.time) // 1_000_000 <= CLOCK_TOLERANCE_SECONDS:
        return ""
    return f"\nthe clock of {device['device']} showed {calendar.format_time(device['time'])}"


def _wager(wager: dict[str, Any]) -> str:
    positions_text = ", ".join(map(str, wager.get("positions", ()))) or "-"
    lammers = f", lammers {', '.join(map(str, wager['lammers']))}" if wager.get("lammers") else ""
    return f"{wager['count']} {wager['wager']} ({positions_text}{lammers})"


def play_table_line(result: TableResult) -> RenderableType:
    """A table after a command."""
    return Text.assemble((result.table, SLUG), f": {result.state}{_round_text(result.state, result.round)}.")


def room_table_page(result: RoomTableResult) -> RenderableType:
    """A table after its setup was stored or changed."""
    tabulator = [] if result.tabulator is None else [table_line(result.tabulator)]
    play = [] if result.play is None else [play_table_line(result.play)]
    return Group(*tabulator, *play, *_change_lines(result.changes))


def table_changes_page(table: str, changes: Sequence[SetupChange]) -> RenderableType:
    """What a change of a table would change."""
    if not changes:
        return Text(f"Table {table} has this setup already: there is nothing to change.", QUIET)
    return Group(Text.assemble((table, SLUG), " would change:"), *_change_lines(changes))


def _change_lines(changes: Sequence[SetupChange]) -> list[Text]:
    return [Text(f"  {change.text}", QUIET) for change in changes]


def _round_text(phase: TablePhase, round_: str) -> str:
    """The current or next round; a removed table has none."""
    return "" if phase is TablePhase.CLOSED else f", round {round_}"


def play_tables_page(states: Sequence[TableState]) -> RenderableType:
    """All tables."""
    if not states:
        return Text("There is no table: cardroom table add FILE.toml --by LOGIN.", QUIET)
    rows: list[list[CellText]] = [
        [
            Text(state.table, SLUG),
            state.game.facts.name,
            str(state.terms.mode),
            state.terms.money.label,
            str(state.phase),
            f"{len(state.seats)} of {state.open_table.table.seats}"
            if state.terms.mode is DealingMode.AUTOMATIC
            else "in person",
            "" if state.closed else state.round,
        ]
        for state in states
    ]
    names = ("Table", "Game", "Mode", "Money", "State", "Seats", "Round")
    return TextColumns([ColumnHeading(name) for name in names], rows)


def play_table_page(state: TableState) -> RenderableType:
    """An automatic table: its options and seats."""
    terms = state.terms
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET)
    grid.add_column()
    for name, value in (
        ("Table", f"{state.table}, {state.game.facts.name}"),
        ("Deals", f"{terms.mode}, for {terms.money.label}"),
        ("State", _state(state)),
        ("Wagers", _seconds(terms.betting)),
        ("Decisions", _seconds(terms.deciding)),
        ("Buy-in", format_cents(terms.buy_in)),
        ("Seats", ", ".join(f"{seat.seat} {seat.player} {format_cents(seat.chips)}" for seat in state.seats) or "free"),
    ):
        grid.add_row(name, value)
    return grid


def _state(state: TableState) -> str:
    reason = state.closed or state.paused
    return f"{state.phase}{f' ({reason})' if reason else ''}{_round_text(state.phase, state.round)}"


def _seconds(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "no clock"


def live_table_page(view: DealerTableView) -> RenderableType:
    """A live table: the dealer's steps, taken and due, and take or pay."""
    state = view.state
    live = state.live
    head = Text.assemble((state.table, SLUG), f", {state.game.facts.name}, live: {_state(state)}")
    if live is not None:
        head.append(f", dealt by {live.dealer} to {', '.join(map(str, live.positions))}")
    return Group(head, _steps(view), *(_take_or_pay(view.paying) if view.paying else ()))


def _steps(view: DealerTableView) -> RenderableType:
    live = view.state.live
    due = {step.name for step in next_steps(view.state, live)} if live else set[str]()
    rows: list[list[CellText]] = []
    for step in table_procedure(view.state):
        mark = "taken" if live and step.name in live.taken else "due" if step.name in due else ""
        words = f"{step.text} Only if {step.condition}." if step.condition else step.text
        rows.append([Text(step.name, SLUG), mark, step.rule, words])
    return TextColumns(
        [
            ColumnHeading("Step"),
            ColumnHeading("Now"),
            ColumnHeading("Rule"),
            ColumnHeading("The dealer", ColumnAlign.SENTENCE),
        ],
        rows,
    )


def _take_or_pay(paying: TakeOrPaySheet) -> Iterator[RenderableType]:
    rows: list[list[CellText]] = [
        [
            str(seat.seat),
            item.payment.stake,
            item.payment.text,
            format_cents(item.take) if item.take else "",
            _payment_text(item),
        ]
        for seat in paying.seats
        for item in seat.payments
    ]
    if rows:
        yield TextColumns(
            [
                ColumnHeading("Seat"),
                ColumnHeading("Stake"),
                ColumnHeading("Hand"),
                ColumnHeading("Take", ColumnAlign.RIGHT),
                ColumnHeading("Pay", ColumnAlign.RIGHT),
            ],
            rows,
        )
    for seat in paying.seats:
        if seat.pay and seat.final:
            yield Text(f"Seat {seat.seat} is paid {format_cents(seat.pay)}: {describe_chips(seat.pay)}.")
    yield from (Text(item, COST) for item in (*paying.not_final, *paying.missing, *paying.astray))


def _payment_text(payment: SeatPayment) -> str:
    if payment.is_claimable:
        return "claim"
    if not payment.pay:
        return ""
    return format_cents(payment.pay) if payment.final else f"up to {format_cents(payment.pay)}"


def live_round_page(past_round: PastLiveRound, calendar: Calendar) -> RenderableType:
    """A past live round: the steps, the dealer's entries, and take or pay."""
    live, ended = past_round.live, past_round.ended
    parts = [
        Text.assemble((past_round.id, SLUG), f", dealt by {live.dealer}, ended {calendar.format_time(past_round.time)}")
    ]
    if isinstance(ended, LiveRoundCanceled):
        parts.append(Text(f"Voided by {ended.who} and {ended.second}: {ended.why}. All wagers were returned.", COST))
    if past_round.voided is not None:
        parts.append(Text(describe_wager_void(past_round.voided, calendar.format_time(past_round.voided.time)), COST))
    input_rows = {
        "Positions": ", ".join(map(str, live.positions)),
        "Steps": ", ".join(live.taken),
        "Counted": str(live.counted),
        **{place: " ".join(pile) for place, pile in live.cards.items()},
        **{f"seat {seat} wagers": _wagers_text(spots) for seat, spots in live.wagers.items()},
        **{f"seat {item.seat}, {item.question}": item.answer for item in live.answers},
    }
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET)
    grid.add_column()
    for name, value in input_rows.items():
        if value:
            grid.add_row(name, value)
    if isinstance(ended, LiveRoundCanceled) or not ended.settled_stakes:
        return Group(*parts, grid)
    rows: list[list[CellText]] = [
        [str(item.seat), item.stake, item.event, format_cents(item.wagered), format_cents(item.returned)]
        for item in ended.settled_stakes
    ]
    columns = [ColumnHeading(name) for name in ("Seat", "Stake", "Event")]
    columns += [ColumnHeading(name, ColumnAlign.RIGHT) for name in ("Wagered", "Returned")]
    if past_round.amounts_before_limit:
        columns.append(ColumnHeading("Payout limit", ColumnAlign.SENTENCE))
        rows = [[*row, _reduction_text(past_round, item)] for row, item in zip(rows, ended.settled_stakes, strict=True)]
    return Group(*parts, grid, TextColumns(columns, rows))


def _reduction_text(past_round: PastLiveRound, payment: SettledStake) -> str:
    """Why a stake was paid less than its odds, if it was."""
    full_amount, limit = (
        past_round.amounts_before_limit.get((payment.seat, payment.spot, payment.stake)),
        past_round.payout_limit,
    )
    if full_amount is None or limit is None:
        return ""
    return f"reduced from {format_cents(full_amount)} by the table's payout limit of {format_cents(limit)} a deal"


def _wagers_text(spots: Mapping[str, int]) -> str:
    return ", ".join(f"{format_cents(cents)} on {spot}" for spot, cents in spots.items())
