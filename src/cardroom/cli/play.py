"""`cardroom play`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import TableFile

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom play` (asks which game)
- `cardroom play texas-shootout --seats 3 --balance 200`
- `cardroom play three-card-prime --coach` (says after each answer what it cost)
- `cardroom play deuces-wild --seed 7` (the same cards every time)
- `cardroom play --table my-table.toml` (your own limits and paytables)
- `cardroom play --table generous.toml` (the usual table with a paytable that nobody printed)
"""
)
def play(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; asked for when left out.")] = None,
    seed: Annotated[str | None, typer.Option(help="Deal from this seed, for an exact replay.")] = None,
    table: TableFile = None,
    balance: Annotated[str, typer.Option(metavar="DOLLARS", help="What you sit down with.")] = "500",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Seats that play; the others play by themselves.", parser=Whole())
    ] = 1,
    coach: Annotated[bool, typer.Option("--coach", help="Say after each answer what it cost on average.")] = False,
) -> None:
    """Sit down at a table in the terminal.

    Type a number, a word such as fold, or cards; Enter does what its line says. h gives a hint, c turns the coach on or
    off, t shows the paytables, ? the rules, q leaves. Each shuffle is sealed before the wagers, and its key is shown
    after the round. At the end a report says what your answers cost. Lines on standard input that is no terminal answer
    one question each; where none come, one round of each game is shown.
    """
    from cardroom.cli.shared.table_files import read_table_files
    from cardroom.games.money import parse_dollars
    from cardroom.terminal.client import lobby

    cents = parse_dollars(balance)
    files, slug = read_table_files(table, game)
    opened = files.opened(slug) if table and slug else None
    lobby.play(slug, seed, opened, cents, seats, coach=coach)
