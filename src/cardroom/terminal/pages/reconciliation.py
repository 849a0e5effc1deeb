"""A bank statement beside the books."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.floor import AccountReconciled
from cardroom.jackpots.amounts import books, change, surplus_words
from cardroom.jackpots.meter.reconciling import unnamed_words
from cardroom.jackpots.statements import Movement
from cardroom.terminal.pages.standing import standing_table
from cardroom.terminal.palette import LOST, QUIET, WON


def reconciliation_page(told: AccountReconciled) -> RenderableType:
    """From the statement to the books, line by line; a surplus is told as clearly as a shortage."""
    grid = Grid.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(justify="right", no_wrap=True)
    for name, amount, style in _lines(told):
        grid.add_row(Text(f"  {name}", style), Text(amount, style))
    return Group(standing_table(told.standing), Text(""), grid, verdict(told))


def _lines(told: AccountReconciled) -> Iterator[tuple[str, str, str]]:
    yield f"Balance on the statement of {told.day}", books(told.statement), ""
    yield from _moved("deposit in transit", told.in_transit, told.entered)
    yield from _moved("outstanding", told.outstanding, told.entered)
    if told.in_transit or told.outstanding:
        yield "Adjusted balance of the bank", books(told.adjusted), "bold"
    when = f"now, {told.at}" if told.at else f"at the end of {told.day}"
    yield f"The books {when}", books(told.books), "bold"
    yield from _moved("since then", told.later, {})
    if told.later:
        yield "The books now", books(told.standing.escrow), ""


def _moved(where: str, movements: tuple[Movement, ...], entered: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    for movement in movements:
        on = f" of {entered[movement.name]}" if movement.name in entered else ""
        yield f"  {movement.name}{on}, {where}", change(movement.amount), QUIET


def verdict(told: AccountReconciled) -> Text:
    """Whether statement and books agree."""
    difference = told.adjusted - told.books
    if difference < 0:
        return Text(f"The bank has {books(-difference)} less than the books: the jackpot is closed.", LOST)
    if difference > 0:
        hint = unnamed_words(told.unnamed)
        again = f"{hint}Enter the statement again with --in-transit SLIP and --outstanding NUMBER." if hint else ""
        return Text(f"The bank has {surplus_words(difference)}. {again}".rstrip(), LOST)
    return Text("The statement and the books agree.", WON)
