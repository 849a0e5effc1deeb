"""The printed paytables, laid out like the appendices of the rule sheets: the columns side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from cardroom.faults import close_to, quoted
from cardroom.paytables import NOT_PRINTED, Column, Paytable, UnknownPaytable, columns, games, wagers, words
from cardroom.paytables.appendices import Appendix, appendices, line_of
from cardroom.paytables.sheets import printed_columns, sheet_title
from cardroom.terminal.palette import QUIET, TITLE

NO_LINE: Final = "·"
FOOTNOTE: Final = "*"


def chosen_columns(game: str | None, wager: str | None) -> tuple[Column, ...]:
    """The named columns of a game and a wager, or of all."""
    check_wager(game, wager)
    return tuple(column for column in columns(game) if wager in (None, column.wager))


def check_wager(game: str | None, wager: str | None) -> None:
    """Refuse a wager that no game in question has."""
    known = [slug for one in ([game] if game else games()) for slug in wagers(one)]
    if wager is not None and wager not in known:
        there, meant = ", ".join(known), close_to(wager, known)
        raise UnknownPaytable(f"There is no wager {quoted(wager)}: choose one of {there}.{meant}")


def print_paytables(console: Console, game: str | None, wager: str | None) -> None:
    """Every printed table of a game and a wager, or of all."""
    check_wager(game, wager)
    for one in [game] if game else games():
        for appendix in appendices(one, wager):
            _print_appendix(console, appendix)
        printed = {column.wager for column in printed_columns(one)}
        for slug in wagers(one):
            if wager in (None, slug) and slug not in printed:
                console.print(Text(f"{one} {slug} has no printed table: the rules pay even money.\n", QUIET))


def own_tables_page(tables: Sequence[Paytable]) -> RenderableType:
    """Tables that nobody printed, line by line."""
    parts: list[RenderableType] = []
    for table in tables:
        riding = f", feature {table.feature}" if table.feature else ""
        parts.append(
            Text.assemble((table.name, TITLE), (f"  {table.game} {table.wager}{riding}: {NOT_PRINTED}", QUIET))
        )
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        grid.add_column(f'odds "{table.basis}"')
        grid.add_column("pays", justify="right")
        for line in table.lines:
            grid.add_row(line.printed, words(line.pay))
        parts += [Text(), grid, Text()]
    return Group(*parts)


def _print_appendix(console: Console, appendix: Appendix) -> None:
    first = appendix.columns[0]
    where = f"  {first.game} {first.wager}, Appendix {first.appendix} of {sheet_title(first.game)}"
    console.print(Text.assemble((first.title, TITLE), (where, QUIET)))
    for part in _fitting(appendix, console.width):
        console.print()
        console.print(_table(appendix, part))
    for remark in _remarks(appendix):
        console.print(Padding(Text(remark, QUIET), (0, 0, 0, 2), expand=False))
    console.print()


def _fitting(appendix: Appendix, width: int) -> Iterator[tuple[Column, ...]]:
    """The columns in runs that fit on the screen."""
    room = width - max(map(len, appendix.rows.values())) - 2
    run: list[Column] = []
    used = 0
    for column in appendix.columns:
        wide = max(map(len, (column.name, *(_cell(column, line.event) for line in column.lines)))) + 3
        if run and used + wide > room:
            yield tuple(run)
            run, used = [], 0
        run.append(column)
        used += wide
    yield tuple(run)


def _table(appendix: Appendix, part: Sequence[Column]) -> RenderableType:
    first = part[0]
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    grid.add_column(f'odds "{first.basis}"')
    for column in part:
        grid.add_column(column.name, justify="right", no_wrap=True)
    shown = {line.event for column in part for line in column.lines}
    for event, printed in appendix.rows.items():
        if event in shown:
            grid.add_row(printed, *(_cell(column, event) for column in part))
    if any(column.decks for column in part):
        grid.add_row(Text("decks", QUIET), *(Text(", ".join(map(str, column.decks)), QUIET) for column in part))
    return grid


def _cell(column: Column, event: str) -> str:
    """A cell as it is printed; blank cells are dots, overruled ones have a footnote."""
    line = line_of(column, event)
    if line is None:
        return NO_LINE
    return f"{line.cell}{FOOTNOTE}" if line.overruled else line.cell


def _remarks(appendix: Appendix) -> Iterator[str]:
    yield from (f"{FOOTNOTE} {told}" for told in appendix.overruled)
    yield from appendix.notes
