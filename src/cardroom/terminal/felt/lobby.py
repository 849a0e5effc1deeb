"""The way in: choosing a game, and a session or a showing of it."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.text import Text

from cardroom.faults import BadInput, quoted
from cardroom.games.book import game, game_slugs
from cardroom.games.entries import all_facts
from cardroom.games.table import Table
from cardroom.terminal.felt.prompts import Leave, Prompter, Reader
from cardroom.terminal.felt.seating import Seating, seated, seated_at
from cardroom.terminal.felt.session import Session
from cardroom.terminal.felt.showing import show_round
from cardroom.terminal.felt.shuffles import seals
from cardroom.terminal.pages.games import games_table
from cardroom.terminal.palette import NUMBER, QUIET, TITLE


def play(slug: str | None, seed: str | None, table: Table | None, balance: int, seats: int) -> None:
    """Sit down at a table, the given one if there is one; without a terminal to type at, rounds are shown."""
    console = Console(highlight=False)
    at_table = None if table is None else seated_at(table, seats)
    if not sys.stdin.isatty():
        show_rounds(console, slug, seed, at_table, balance, seats)
        return
    sit_down(console, console.input, slug, seed, at_table, balance, seats)


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
) -> None:
    """Choose a game if none is chosen, and play it."""
    try:
        seating = at_table or seated(slug or choose_game(console, read), seats)
    except Leave:
        console.print("Goodbye.")
        return
    Session(console, read, seating, seals(seating.table.facts.slug, seed), balance).play()


def choose_game(console: Console, read: Reader) -> str:
    """Ask which game to play."""
    slugs = game_slugs()

    def show_games() -> None:
        console.print(Text("Which game?", TITLE))
        for number, slug in enumerate(slugs, 1):
            console.print(Text.assemble((f"  {number}  ", NUMBER), game(slug).facts.name, (f"  {slug}", QUIET)))

    def understand(typed: str) -> str:
        wanted = typed.lower()
        if wanted.isascii() and wanted.isdigit() and 1 <= int(wanted) <= len(slugs):
            return slugs[int(wanted) - 1]
        meant = [
            slug for slug in slugs if wanted and (slug.startswith(wanted) or game(slug).facts.name.lower() == wanted)
        ]
        if len(meant) == 1:
            return meant[0]
        right = f"type a number from 1 to {len(slugs)} or a name such as {slugs[0]}"
        raise BadInput(f"{quoted(typed)} is not a game: {right}.")

    return Prompter(console, read).ask(show_games, understand, lambda: games_table(all_facts()))
