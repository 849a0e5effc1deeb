"""The games and the printed paytables as terminal pages, laid out like the appendices of the rule sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from cardroom.errors import quote, suggest_name
from cardroom.games.game_facts import GameFacts, Wager
from cardroom.games.money import format_cents
from cardroom.games.registry import default_setup
from cardroom.paytables import (
    CUSTOM_NOTE,
    Paytable,
    PaytableColumn,
    UnknownPaytable,
    describe_pay,
    games,
    paytable_columns,
    paytables,
    wagers,
)
from cardroom.paytables.catalog import Appendix, appendices, find_column_line
from cardroom.paytables.sheets import printed_columns, sheet_title
from cardroom.terminal.console import QUIET, SLUG, TITLE


def games_table(games: tuple[GameFacts, ...]) -> RenderableType:
    """The games, one below the other."""
    return Group(*(_game(facts) for facts in games))


def _game(facts: GameFacts) -> RenderableType:
    seats = f"{default_setup(facts.slug).seats} seats"
    if facts.seat_cards:
        seats += f", by the cards up to {facts.seats(facts.decks[0])}"
    decks = " or ".join(deck.description for deck in facts.decks)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=SLUG, no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(style=QUIET)
    for wager in facts.wagers:
        grid.add_row(f"  {wager.slug}", wager.name, _wager_remarks(facts, wager))
    for option in facts.options:
        grid.add_row(f"  {option.name}", Text("option", QUIET), option.text)
    return Group(
        Text.assemble((facts.name, TITLE), "  ", (facts.slug, SLUG)),
        Text(f"  {decks} · {seats}", QUIET),
        Text(f"  Rule sheet: {facts.sheet_title}", QUIET),
        grid,
        "",
    )


def _wager_remarks(facts: GameFacts, wager: Wager) -> str:
    remarks = ["required"] if wager.required else []
    if wager.jackpot:
        remarks.append(" or ".join(map(format_cents, wager.jackpot.amounts)) or "a fixed amount")
    tables = [table.name for table in paytables(facts.slug, wager.slug) if table.name]
    remarks.append(f"{len(tables)} paytable{'s' * (len(tables) > 1)}" if tables else "even money")
    return ", ".join(remarks)


NO_LINE: Final = "·"
FOOTNOTE: Final = "*"


def select_columns(game: str | None, wager: str | None) -> tuple[PaytableColumn, ...]:
    """The paytable columns of a game and a wager, or all."""
    check_wager(game, wager)
    return tuple(column for column in paytable_columns(game) if wager in (None, column.wager))


def check_wager(game: str | None, wager: str | None) -> None:
    """Refuse a wager that none of the games has."""
    slugs = [slug for game_slug in ([game] if game else games()) for slug in wagers(game_slug)]
    if wager is not None and wager not in slugs:
        choices, suggestion = ", ".join(slugs), suggest_name(wager, slugs)
        raise UnknownPaytable(f"There is no wager {quote(wager)}: choose one of {choices}.{suggestion}")


def print_paytables(console: Console, game: str | None, wager: str | None) -> None:
    """Print the paytables of a game and a wager, or all."""
    check_wager(game, wager)
    for game_slug in [game] if game else games():
        for appendix in appendices(game_slug, wager):
            _print_appendix(console, appendix)
        printed = {column.wager for column in printed_columns(game_slug)}
        for slug in wagers(game_slug):
            if wager in (None, slug) and slug not in printed:
                console.print(Text(f"{game_slug} {slug} has no printed table: the rules pay even money.\n", QUIET))


def custom_tables_page(tables: Sequence[Paytable]) -> RenderableType:
    """Custom paytables, line by line."""
    parts: list[RenderableType] = []
    for table in tables:
        feature_text = f", feature {table.feature}" if table.feature else ""
        parts.append(
            Text.assemble((table.name, TITLE), (f"  {table.game} {table.wager}{feature_text}: {CUSTOM_NOTE}", QUIET))
        )
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
        grid.add_column(f'odds "{table.basis}"')
        grid.add_column("pays", justify="right")
        for line in table.lines:
            grid.add_row(line.label, describe_pay(line.pay))
        parts += [Text(), grid, Text()]
    return Group(*parts)


def _print_appendix(console: Console, appendix: Appendix) -> None:
    first = appendix.columns[0]
    reference = f"  {first.game} {first.wager}, Appendix {first.appendix} of {sheet_title(first.game)}"
    console.print(Text.assemble((first.title, TITLE), (reference, QUIET)))
    for part in _column_runs(appendix, console.width):
        console.print()
        console.print(_table(appendix, part))
    for remark in _remarks(appendix):
        console.print(Padding(Text(remark, QUIET), (0, 0, 0, 2), expand=False))
    console.print()


def _column_runs(appendix: Appendix, width: int) -> Iterator[tuple[PaytableColumn, ...]]:
    """The columns in runs that fit on the screen."""
    room = width - max(map(len, appendix.rows.values())) - 2
    run: list[PaytableColumn] = []
    used = 0
    for column in appendix.columns:
        column_width = max(map(len, (column.name, *(_cell(column, line.trigger) for line in column.lines)))) + 3
        if run and used + column_width > room:
            yield tuple(run)
            run, used = [], 0
        run.append(column)
        used += column_width
    yield tuple(run)


def _table(appendix: Appendix, part: Sequence[PaytableColumn]) -> RenderableType:
    first = part[0]
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    grid.add_column(f'odds "{first.basis}"')
    for column in part:
        grid.add_column(column.name, justify="right", no_wrap=True)
    events = {line.trigger for column in part for line in column.lines}
    for event, printed in appendix.rows.items():
        if event in events:
            grid.add_row(printed, *(_cell(column, event) for column in part))
    if any(column.decks for column in part):
        grid.add_row(Text("decks", QUIET), *(Text(", ".join(map(str, column.decks)), QUIET) for column in part))
    return grid


def _cell(column: PaytableColumn, event: str) -> str:
    """A cell as it is printed; blank cells are dots, corrected ones have a footnote."""
    line = find_column_line(column, event)
    if line is None:
        return NO_LINE
    return f"{line.cell}{FOOTNOTE}" if line.ruling else line.cell


def _remarks(appendix: Appendix) -> Iterator[str]:
    yield from (f"{FOOTNOTE} {remark}" for remark in appendix.ruling_notes)
    yield from appendix.notes
