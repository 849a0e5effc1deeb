"""Jackpots as terminal pages: meters, escrow, pending claims, tables, history, and the bank reconciliation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.chart_of_accounts import Amount, Currency
from cardroom.room.amount_text import describe_surplus, format_amount, format_change, format_dollars
from cardroom.room.jackpot.bank_reconciliation import describe_unnamed
from cardroom.room.jackpot.event_values import BankMovement
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.setup.calendar import Calendar
from cardroom.room.setup.jackpot import JackpotKind, MeterParameters, jackpot_setup_from_mapping
from cardroom.service import DepositDue, JackpotSummary, ReconciliationResult
from cardroom.service.json_output import summarize_jackpot
from cardroom.service.queries.jackpot_history import ChangeLine
from cardroom.terminal.console import BAD, COST, GOOD, QUIET, SLUG, TITLE
from cardroom.terminal.pages.columns import CellText, ColumnAlign, ColumnHeading, TextColumns
from cardroom.terminal.pages.payments import claims_table, currency_tag, deposit_line, deposit_warning, indent_line


def jackpot_table(result: JackpotSummary) -> RenderableType:
    """The meters of a jackpot and what covers them."""
    title = Text.assemble((result.jackpot, SLUG), "  ", *currency_tag(result.money), jackpot_status(result))
    return Group(title, meters_table(result), *coverage_lines(result))


def jackpot_status(result: JackpotSummary) -> tuple[str, str]:
    """Whether it can be won, in a word and a color."""
    if result.unavailable:
        return f"unavailable: {result.unavailable}", BAD
    if result.claims:
        count = len(result.claims)
        return f"{count} claim{'s' * (count > 1)} pending", COST
    return "open", GOOD


def meters_table(result: JackpotSummary) -> RenderableType:
    """One line a level, from the highest down."""
    if not result.meters:
        return Text("  It has no meter: fixed prizes only.", QUIET)
    names = ("Shows", "Display", "Reserve", "Overflow", "Pending", "Seed owed")
    rows: list[list[CellText]] = []
    for meter in result.meters:
        hidden = [meter.display, meter.reserve, meter.overflow, meter.pending, meter.seed_owed]
        rows.append(
            [
                meter.level,
                Text(format_dollars(meter.shown), "bold"),
                *(_dim_zero(format_amount(amount)) for amount in hidden),
            ]
        )
    return TextColumns([ColumnHeading("Level"), *(ColumnHeading(name, ColumnAlign.RIGHT) for name in names)], rows)


def _dim_zero(text: str) -> Text:
    return Text(text, QUIET if text == "$0.00" else "")


def coverage_lines(result: JackpotSummary) -> Iterator[RenderableType]:
    """What is owed to the players and what covers it, and what is unusual about it."""
    if result.money is Currency.PLAY:
        if result.owed:
            yield indent_line(
                Text.assemble(("owed to the players ", QUIET), format_amount(result.owed), (" of play money", QUIET))
            )
    elif result.owed or result.escrow or result.undeposited:
        advance = ((" - owed to the cage ", QUIET), format_amount(result.cage_advance)) if result.cage_advance else ()
        yield indent_line(
            Text.assemble(
                ("owed to the players ", QUIET),
                format_amount(result.owed),
                (" = escrow ", QUIET),
                format_amount(result.escrow),
                (" + not yet deposited ", QUIET),
                format_amount(result.undeposited),
                *advance,
            )
        )
    if result.short:
        yield Text(f"  the bank account is short by {format_amount(result.short)}", BAD)
    if result.surplus:
        yield indent_line(f"the bank account has {describe_surplus(result.surplus)}", BAD)
    if result.waiting:
        yield Text(f"  a change waits for the reset of {', '.join(result.waiting)}", COST)
    for given_up in result.given_up:
        yield Text(f"  {given_up}", COST)


# One jackpot in full.


def jackpot_page(state: JackpotState, due: DepositDue | None = None) -> RenderableType:
    """A complete jackpot; ``due`` is the next bank deposit."""
    setup = jackpot_setup_from_mapping(state.setup)
    result = summarize_jackpot(state)
    offers = ", ".join(f"{offer.wager} of {offer.game} by table {offer.paytable}" for offer in setup.offers)
    tables = ", ".join(state.tables) or "no table yet"
    facts = Text(f"  {state.kind} · {setup.location} · {offers}\n  tables: {tables}", QUIET)
    count_line = Text(
        f"  {state.counted:,} wagers counted, {format_amount(state.wagered)} in total · {_hits(state.meters)}", QUIET
    )
    parts: list[RenderableType] = [
        Text.assemble(
            (setup.name, TITLE), "  ", (state.id, SLUG), "  ", *currency_tag(state.money), jackpot_status(result)
        ),
        facts,
        meters_table(result),
        *coverage_lines(result),
        *deposit_line(due),
        count_line,
    ]
    if state.meters:
        parts += [Text(""), parameters_table(state)]
    if state.claims:
        parts += [Text(""), claims_table(state.claims)]
    return Group(*parts)


def _hits(meters: Sequence[Meter]) -> str:
    hits, won = sum(meter.hits for meter in meters), sum(meter.won for meter in meters)
    return f"{hits:,} prize{'s' * (hits != 1)} paid off the meters, {format_amount(won)}"


def parameters_table(state: JackpotState) -> RenderableType:
    """The operator's settings; a waiting change follows its level."""
    growing = state.kind is JackpotKind.PROGRESSIVE
    names = ("Contribution", "Reserve", "Reset to" if growing else "Amount", "Ceiling", "Min wager")
    rows: list[list[CellText]] = []
    for meter in state.meters:
        rows.append([meter.name, *_parameters(meter.parameters)])
        waiting = state.waiting_change(meter.name)
        if waiting:
            rows.append([Text("after the reset", COST), *_parameters(waiting.after)])
    return TextColumns(
        [ColumnHeading("Set by the operator"), *(ColumnHeading(name, ColumnAlign.RIGHT) for name in names)], rows
    )


def _parameters(parameters: MeterParameters) -> Iterator[str]:
    yield from (_percent(rate) for rate in (parameters.contribution, parameters.reserve))
    yield format_amount(parameters.seed)
    yield "none" if parameters.ceiling is None else format_amount(parameters.ceiling)
    yield format_dollars(parameters.minimum) if parameters.minimum else "any"


def _percent(rate: Fraction) -> str:
    """A percentage if it is exact, else the fraction."""
    percent = f"{float(rate * 100):g}"
    return f"{percent}%" if Fraction(percent) == rate * 100 else str(rate)


def history_table(
    lines: Sequence[ChangeLine], calendar: Calendar, due: DepositDue | None = None, currency: Currency = Currency.REAL
) -> RenderableType:
    """The changes, newest first, with the play-money tag and a warning about a due deposit below."""
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), header_style=QUIET, expand=True)
    grid.add_column("Time", no_wrap=True)
    grid.add_column("Level")
    grid.add_column("Reason", ratio=1, overflow="fold")
    grid.add_column("Beginning", justify="right", no_wrap=True)
    grid.add_column("Amount", justify="right", no_wrap=True)
    grid.add_column("Who", max_width=16)
    for line in lines:
        reason = Text(line.reason).append(f"\n{line.note}" if line.note else "", QUIET)
        opening = "" if line.before is None else format_amount(line.before)
        level = line.level if line.held == "display" else f"{line.level}\n{line.held}"
        grid.add_row(calendar.format_time(line.time)[:16], level, reason, opening, _change_text(line.amount), line.who)
    caption = Text.assemble(*currency_tag(currency), (calendar.zone_text, QUIET))
    return Group(grid, caption, *deposit_warning(due))


def _change_text(amount: Amount | None) -> Text:
    return (
        Text("")
        if amount is None
        else Text(format_change(amount), GOOD if amount > 0 else BAD if amount < 0 else QUIET)
    )


def reconciliation_page(result: ReconciliationResult) -> RenderableType:
    """From the statement to the ledger balance, line by line, with any shortage or surplus."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    for name, amount, style in _reconciliation_lines(result):
        grid.add_row(Text(f"  {name}", style), Text(amount, style))
    return Group(jackpot_table(result.summary), Text(""), grid, reconciliation_verdict(result))


def _reconciliation_lines(result: ReconciliationResult) -> Iterator[tuple[str, str, str]]:
    yield f"Balance on the statement of {result.day}", format_amount(result.statement), ""
    yield from _movement_lines("deposit in transit", result.in_transit, result.entered)
    yield from _movement_lines("outstanding", result.outstanding, result.entered)
    if result.in_transit or result.outstanding:
        yield "Adjusted bank balance", format_amount(result.adjusted), "bold"
    moment_text = f"now, {result.at}" if result.at else f"at the end of {result.day}"
    yield f"Ledger balance {moment_text}", format_amount(result.books), "bold"
    yield from _movement_lines("since then", result.later, {})
    if result.later:
        yield "Ledger balance now", format_amount(result.summary.escrow), ""


def _movement_lines(
    label: str, movements: tuple[BankMovement, ...], entered: Mapping[str, str]
) -> Iterator[tuple[str, str, str]]:
    for movement in movements:
        date_text = f" of {entered[movement.name]}" if movement.name in entered else ""
        yield f"  {movement.name}{date_text}, {label}", format_change(movement.amount), QUIET


def reconciliation_verdict(result: ReconciliationResult) -> Text:
    """Whether the statement and the ledger agree."""
    difference = result.adjusted - result.books
    if difference < 0:
        return Text(f"The bank has {format_amount(-difference)} less than the ledger: the jackpot is closed.", BAD)
    if difference > 0:
        hint = describe_unnamed(result.unnamed)
        instruction = (
            f"{hint}Enter the statement again with --in-transit SLIP and --outstanding NUMBER." if hint else ""
        )
        return Text(f"The bank has {describe_surplus(difference)}. {instruction}".rstrip(), BAD)
    return Text("The statement and the ledger agree.", GOOD)
