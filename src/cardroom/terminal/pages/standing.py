"""Where jackpots stand: meters, the money that covers them, pending claims, tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from rich.console import Group, RenderableType
from rich.text import Text

from cardroom.accounts import Money
from cardroom.floor import DepositDue, JackpotStanding
from cardroom.floor.entries import jackpot_stands
from cardroom.jackpots import JackpotKind, JackpotState, Meter
from cardroom.jackpots.amounts import books, shown, surplus_words
from cardroom.jackpots.setup.jackpot import jackpot_setup_from
from cardroom.jackpots.setup.parameters import Parameters
from cardroom.terminal.pages.claims import claims_table
from cardroom.terminal.pages.columns import Align, CellText, Columns, Heading
from cardroom.terminal.pages.deposits import deposit_line, indented
from cardroom.terminal.pages.moneys import money_tag
from cardroom.terminal.palette import COST, LOST, QUIET, SLUG, TITLE, WON


def standing_table(standing: JackpotStanding) -> RenderableType:
    """The meters of a jackpot and what covers them."""
    title = Text.assemble((standing.jackpot, SLUG), "  ", *money_tag(standing.money), status(standing))
    return Group(title, meters_table(standing), *cover(standing))


def status(standing: JackpotStanding) -> tuple[str, str]:
    """Whether it can be won, in a word and a color."""
    if standing.unavailable:
        return f"unavailable: {standing.unavailable}", LOST
    if standing.claims:
        count = len(standing.claims)
        return f"{count} claim{'s' * (count > 1)} pending", COST
    return "open", WON


def meters_table(standing: JackpotStanding) -> RenderableType:
    """One line a level, from the highest down."""
    if not standing.meters:
        return Text("  It has no meter: fixed prizes only.", QUIET)
    names = ("Shows", "Display", "Reserve", "Overflow", "Pending", "Seed owed")
    rows: list[list[CellText]] = []
    for meter in standing.meters:
        hidden = [meter.display, meter.reserve, meter.overflow, meter.pending, meter.seed_owed]
        rows.append([meter.level, Text(shown(meter.shown), "bold"), *(_quiet_zero(books(one)) for one in hidden)])
    return Columns([Heading("Level"), *(Heading(name, Align.RIGHT) for name in names)], rows)


def _quiet_zero(text: str) -> Text:
    return Text(text, QUIET if text == "$0.00" else "")


def cover(standing: JackpotStanding) -> Iterator[RenderableType]:
    """What is owed to the players and what covers it, and what is unusual about it."""
    if standing.money is Money.PLAY:
        if standing.owed:
            yield indented(
                Text.assemble(("owed to the players ", QUIET), books(standing.owed), (" of play money", QUIET))
            )
    elif standing.owed or standing.escrow or standing.undeposited:
        advance = ((" - owed to the cage ", QUIET), books(standing.cage_advance)) if standing.cage_advance else ()
        yield indented(
            Text.assemble(
                ("owed to the players ", QUIET),
                books(standing.owed),
                (" = escrow ", QUIET),
                books(standing.escrow),
                (" + not yet deposited ", QUIET),
                books(standing.undeposited),
                *advance,
            )
        )
    if standing.short:
        yield Text(f"  the bank account is short by {books(standing.short)}", LOST)
    if standing.surplus:
        yield indented(f"the bank account has {surplus_words(standing.surplus)}", LOST)
    if standing.waiting:
        yield Text(f"  a change waits for the reset of {', '.join(standing.waiting)}", COST)
    for given_up in standing.given_up:
        yield Text(f"  {given_up}", COST)


# One jackpot in full.


def jackpot_sheet(state: JackpotState, due: DepositDue | None = None) -> RenderableType:
    """Everything about one jackpot; ``due`` is what waits for the bank."""
    setup = jackpot_setup_from(state.setup)
    standing = jackpot_stands(state)
    offers = ", ".join(f"{one.wager} of {one.game} by table {one.paytable}" for one in setup.offers)
    tables = ", ".join(state.tables) or "no table yet"
    facts = Text(f"  {state.kind} · {setup.location} · {offers}\n  tables: {tables}", QUIET)
    counted = Text(f"  {state.counted:,} wagers counted, {books(state.wagered)} in all · {_hits(state.meters)}", QUIET)
    parts: list[RenderableType] = [
        Text.assemble((setup.name, TITLE), "  ", (state.id, SLUG), "  ", *money_tag(state.money), status(standing)),
        facts,
        meters_table(standing),
        *cover(standing),
        *deposit_line(due),
        counted,
    ]
    if state.meters:
        parts += [Text(""), parameters_table(state)]
    if state.claims:
        parts += [Text(""), claims_table(state.claims)]
    return Group(*parts)


def _hits(meters: Sequence[Meter]) -> str:
    hits, won = sum(meter.hits for meter in meters), sum(meter.won for meter in meters)
    return f"{hits:,} prize{'s' * (hits != 1)} paid off the meters, {books(won)}"


def parameters_table(state: JackpotState) -> RenderableType:
    """What the operator set; a change that waits stands below."""
    growing = state.kind is JackpotKind.PROGRESSIVE
    names = ("Contribution", "Reserve", "Reset to" if growing else "Amount", "Ceiling", "Least wager")
    rows: list[list[CellText]] = []
    for meter in state.meters:
        rows.append([meter.name, *_parameters(meter.parameters)])
        waiting = state.waiting_for(meter.name)
        if waiting:
            rows.append([Text("after the reset", COST), *_parameters(waiting.after)])
    return Columns([Heading("Set by the operator"), *(Heading(name, Align.RIGHT) for name in names)], rows)


def _parameters(one: Parameters) -> Iterator[str]:
    yield from (_percent(rate) for rate in (one.contribution, one.reserve))
    yield books(one.seed)
    yield "none" if one.ceiling is None else books(one.ceiling)
    yield shown(one.minimum) if one.minimum else "any"


def _percent(rate: Fraction) -> str:
    """A percentage where that is exact, else the fraction."""
    percent = f"{float(rate * 100):g}"
    return f"{percent}%" if Fraction(percent) == rate * 100 else str(rate)
