"""The way in: choosing a game, and a session or a showing of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from itertools import chain

from rich.console import Console, RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.faults import BadInput, quoted
from cardroom.games.book import UnknownGame, game, game_slugs
from cardroom.games.entries import all_facts
from cardroom.games.examples import example_meters
from cardroom.games.table import Table
from cardroom.games.view import View
from cardroom.odds.pricer import Advice
from cardroom.terminal.felt.coach import Coach
from cardroom.terminal.felt.faults import BadSeating
from cardroom.terminal.felt.keyboard import at_keyboard, from_lines
from cardroom.terminal.felt.prompts import Leave, Prompter, Reader
from cardroom.terminal.felt.seating import Seating, seated, seated_at
from cardroom.terminal.felt.session import Session
from cardroom.terminal.felt.showing import show_round
from cardroom.terminal.felt.shuffles import seals
from cardroom.terminal.pages.games import games_table
from cardroom.terminal.palette import NUMBER, QUIET, TITLE
from cardroom.terminal.spelling import page_console


def play(slug: str | None, seed: str | None, table: Table | None, balance: int, seats: int, *, coach: bool) -> None:
    """Sit down at a table, the given one if there is one. Lines that come in a file or a pipe are answers; where nobody
    types and nothing comes, rounds are shown."""
    console = page_console()
    at_table = None if table is None else seated_at(table, seats)
    read = at_keyboard(console) if sys.stdin.isatty() else _from_standard_input(console)
    if read is not None:
        sit_down(console, read, slug, seed, at_table, balance, seats, coach=coach)
    elif coach:
        raise BadSeating("Nobody answers here, so there is nothing to coach: leave --coach out, or type at a terminal.")
    else:
        show_rounds(console, slug, seed, at_table, balance, seats)


def _from_standard_input(console: Console) -> Reader | None:
    """Answers that come in line by line; None when there are none."""
    lines: Iterator[str] = iter(sys.stdin.readline, "")
    first = next(lines, None)
    return None if first is None else from_lines(console, chain((first,), lines))


def show_rounds(
    console: Console, slug: str | None, seed: str | None, at_table: Seating | None, balance: int, seats: int
) -> None:
    """One round of the chosen game, or of each."""
    slugs = (slug,) if slug else game_slugs()
    for seating in (at_table,) if at_table else (seated(one, seats) for one in slugs):
        show_round(console, seating, next(seals(seating.table.facts.slug, seed)), balance)


def sit_down(
    console: Console,
    read: Reader,
    slug: str | None,
    seed: str | None,
    at_table: Seating | None,
    balance: int,
    seats: int,
    *,
    coach: bool = False,
) -> None:
    """Choose a game if none is chosen, and play it."""
    try:
        seating = at_table or seated(slug or choose_game(console, read), seats)
    except Leave:
        console.print("Goodbye.")
        return
    table = seating.table
    beside = Coach(table, example_meters(table), _advise, speaks=coach)
    Session(console, read, seating, seals(table.facts.slug, seed), balance, beside).play()


def _advise(table: Table, seen: View, meters: Mapping[str, int]) -> tuple[Advice, ...]:
    from cardroom.odds.coach import advise  # slow to load, and many a session never asks

    return advise(table, seen, meters)


def choose_game(console: Console, read: Reader) -> str:
    """Ask which game to play."""
    slugs = game_slugs()
    prompter = Prompter(console, read)

    def show_games() -> None:
        if console.is_terminal:
            console.clear()
        console.print(Text.assemble(("Which game?", TITLE), ("   ? all their wagers · q leaves", QUIET)))
        for number, slug in enumerate(slugs, 1):
            console.print(_listed(number, slug))

    def understand(typed: str) -> str:
        wanted = typed.lower()
        if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(slugs):
            return slugs[int(wanted) - 1]
        meant = [
            slug for slug in slugs if wanted and (slug.startswith(wanted) or game(slug).facts.name.lower() == wanted)
        ]
        if len(meant) == 1:
            return meant[0]
        with suppress(UnknownGame):
            return game(wanted).facts.slug
        right = f"type a number from 1 to {len(slugs)} or a name such as {slugs[0]}"
        raise BadInput(f"{quoted(typed)} is not a game: {right}.")

    def show_wagers() -> None:
        prompter.read_through(games_table(all_facts()))

    return prompter.ask(show_games, understand, dict.fromkeys(("?", "help"), show_wagers))


def _listed(number: int, slug: str) -> RenderableType:
    """A game with its number, and a line about it."""
    rules = game(slug)
    grid = Grid.grid(padding=(0, 2))
    grid.add_column(style=NUMBER, justify="right", min_width=3)
    grid.add_column()
    grid.add_row(str(number), Text.assemble((rules.facts.name, "bold"), (f"  {slug}", QUIET)))
    grid.add_row("", rules.one_line())
    return grid
