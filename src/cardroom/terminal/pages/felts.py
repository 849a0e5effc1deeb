"""Tables to play at, as text in a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cardroom.floor import FeltStanding, FeltState, LiveLook, Mode, Phase, TakeOrPay
from cardroom.floor.kept.live_recall import PastLiveRound
from cardroom.floor.kept.recall import voided_text
from cardroom.floor.live.happenings import LiveRoundCalledOff, TakenOrPaid
from cardroom.floor.live.paying import SeatPayment
from cardroom.floor.live.steps import steps_due, steps_of
from cardroom.games.chips import chip_words
from cardroom.games.money import money
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.palette import COST, QUIET, SLUG


def felt_line(standing: FeltStanding) -> RenderableType:
    """A table after a command."""
    return Text.assemble((standing.table, SLUG), f": {standing.state}{_at_round(standing.state, standing.round)}.")


def _at_round(phase: Phase, round_: str) -> str:
    """The round that is played or comes next; a closed table has none."""
    return "" if phase is Phase.CLOSED else f", round {round_}"


def felts_page(states: Sequence[FeltState]) -> RenderableType:
    """All tables to play at."""
    if not states:
        return Text("No table is open to play at: cardroom felt open FILE.toml --by LOGIN.", QUIET)
    rows: list[list[CellText]] = [
        [
            Text(state.table, SLUG),
            state.game.facts.name,
            str(state.terms.mode),
            state.terms.money.words,
            str(state.phase),
            f"{len(state.seats)} of {state.at.table.seats}" if state.terms.mode is Mode.AUTOMATIC else "in person",
            "" if state.closed else state.round,
        ]
        for state in states
    ]
    names = ("Table", "Game", "Mode", "Money", "State", "Seats", "Round")
    return Columns([Heading(name) for name in names], rows)


def felt_page(state: FeltState) -> RenderableType:
    """An automatic table: its terms, and who sits there."""
    terms = state.terms
    told = Table.grid(padding=(0, 2))
    told.add_column(style=QUIET)
    told.add_column()
    for name, value in (
        ("Table", f"{state.table}, {state.game.facts.name}"),
        ("Deals", f"{terms.mode}, for {terms.money.words}"),
        ("State", _state(state)),
        ("Wagers", _seconds(terms.betting)),
        ("Answers", _seconds(terms.deciding)),
        ("Buy-in", money(terms.buy_in)),
        ("Seats", ", ".join(f"{one.seat} {one.player} {money(one.chips)}" for one in state.seats) or "free"),
    ):
        told.add_row(name, value)
    return told


def _state(state: FeltState) -> str:
    why = state.closed or state.paused
    return f"{state.phase}{f' ({why})' if why else ''}{_at_round(state.phase, state.round)}"


def _seconds(seconds: int) -> str:
    return f"{seconds} seconds" if seconds else "no clock"


def live_page(look: LiveLook) -> RenderableType:
    """A live table: the steps of the procedure, which are taken and which are due, and take or pay."""
    state = look.state
    live = state.live
    head = Text.assemble((state.table, SLUG), f", {state.game.facts.name}, live: {_state(state)}")
    if live is not None:
        head.append(f", dealt by {live.dealer} to {', '.join(map(str, live.positions))}")
    return Group(head, _steps(look), *(_take_or_pay(look.paying) if look.paying else ()))


def _steps(look: LiveLook) -> RenderableType:
    live = look.state.live
    due = {one.name for one in steps_due(look.state, live)} if live else set[str]()
    rows: list[list[CellText]] = []
    for one in steps_of(look.state):
        mark = "taken" if live and one.name in live.taken else "due" if one.name in due else ""
        words = f"{one.words} Only if {one.only_if}." if one.only_if else one.words
        rows.append([Text(one.name, SLUG), mark, one.rule, words])
    return Columns([Heading("Step"), Heading("Now"), Heading("Rule"), Heading("The dealer", Align.SENTENCE)], rows)


def _take_or_pay(paying: TakeOrPay) -> Iterator[RenderableType]:
    rows: list[list[CellText]] = [
        [
            str(seat.seat),
            one.payment.stake,
            one.payment.words,
            money(one.take) if one.take else "",
            _paid(one),
        ]
        for seat in paying.seats
        for one in seat.payments
    ]
    if rows:
        yield Columns(
            [
                Heading("Seat"),
                Heading("Stake"),
                Heading("Hand"),
                Heading("Take", Align.RIGHT),
                Heading("Pay", Align.RIGHT),
            ],
            rows,
        )
    for seat in paying.seats:
        if seat.pay and seat.final:
            yield Text(f"Seat {seat.seat} is paid {money(seat.pay)}: {chip_words(seat.pay)}.")
    yield from (Text(one, COST) for one in (*paying.not_final, *paying.missing, *paying.astray))


def _paid(one: SeatPayment) -> str:
    if one.claim:
        return "claim"
    if not one.pay:
        return ""
    return money(one.pay) if one.final else f"up to {money(one.pay)}"


def live_round_page(past: PastLiveRound, calendar: Calendar) -> RenderableType:
    """A live round that has ended: the steps, what was typed, and what was shown to be taken and paid."""
    live, ended = past.live, past.ended
    parts = [Text.assemble((past.id, SLUG), f", dealt by {live.dealer}, ended {calendar.told(past.time)}")]
    if isinstance(ended, LiveRoundCalledOff):
        parts.append(Text(f"Called off by {ended.who} and {ended.second}: {ended.why}. Every wager went back.", COST))
    if past.voided is not None:
        parts.append(Text(voided_text(past.voided, calendar.told(past.voided.time)), COST))
    told = {
        "Positions": ", ".join(map(str, live.positions)),
        "Steps": ", ".join(live.taken),
        "Counted": str(live.counted),
        **{place: " ".join(pile) for place, pile in live.cards.items()},
        **{f"seat {seat} wagers": _wagered(spots) for seat, spots in live.wagers.items()},
        **{f"seat {one.seat}, {one.question}": one.answer for one in live.answers},
    }
    grid = Table.grid(padding=(0, 2))
    grid.add_column(style=QUIET)
    grid.add_column()
    for name, value in told.items():
        if value:
            grid.add_row(name, value)
    if isinstance(ended, LiveRoundCalledOff) or not ended.shown:
        return Group(*parts, grid)
    rows: list[list[CellText]] = [
        [str(one.seat), one.stake, one.event, money(one.wagered), money(one.returned)] for one in ended.shown
    ]
    columns = [Heading(name) for name in ("Seat", "Stake", "Event")]
    columns += [Heading(name, Align.RIGHT) for name in ("Wagered", "Back")]
    if past.before_limit:
        columns.append(Heading("Payout limit", Align.SENTENCE))
        rows = [[*row, _reduced(past, one)] for row, one in zip(rows, ended.shown, strict=True)]
    return Group(*parts, grid, Columns(columns, rows))


def _reduced(past: PastLiveRound, one: TakenOrPaid) -> str:
    """Why a stake got less than its odds; nothing where it got all."""
    before, limit = past.before_limit.get((one.seat, one.spot, one.stake)), past.payout_limit
    if before is None or limit is None:
        return ""
    return f"reduced from {money(before)} by the table's payout limit of {money(limit)} a deal"


def _wagered(spots: Mapping[str, int]) -> str:
    return ", ".join(f"{money(cents)} on {spot}" for spot, cents in spots.items())
