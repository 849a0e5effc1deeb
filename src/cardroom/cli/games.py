"""`cardroom games` and `cardroom paytables`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.answers import Answer, console, print_json
from cardroom.cli.shared.options import AsJson

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom games`
- `cardroom games --json`
"""
)
def games(as_json: AsJson = False) -> None:
    """List the five games: their wagers, decks, seats, options and rule sheets."""
    from cardroom.games import list_package_faults
    from cardroom.games.serialization import game_to_json, list_game_facts
    from cardroom.terminal.pages.games import games_table

    for sentence in list_package_faults():
        typer.echo(sentence, err=True)
    facts = list_game_facts()
    Answer(list(map(game_to_json, facts)), games_table(facts)).tell(as_json)


@app.command(
    epilog="""Examples:

- `cardroom paytables` (all 126 printed tables)
- `cardroom paytables three-card-prime`
- `cardroom paytables texas-shootout --wager quick-draw`
- `cardroom paytables --table my-table.toml` (those of the operator's own)
- `cardroom paytables --json` (for programs)
"""
)
def paytables(
    game: Annotated[
        str | None, typer.Argument(help="A game, such as three-card-prime or prime; all when left out.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="Only the tables of this wager, such as pair-bonus.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option(
            "--table", metavar="FILE.toml", help="Those that nobody printed, of a paytable's file or a set-up."
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show every printed paytable line by line, laid out like the appendices of the rule sheets.

    A dot is a cell that the sheet leaves blank. A star is a printed figure that a ruling overrules; the footnote
    names the ruling and says what holds instead.
    """
    from cardroom.paytables import column_to_json as column_entry
    from cardroom.paytables.catalog import custom_paytable_to_json
    from cardroom.terminal.pages import games as sheets

    if table:
        from cardroom.cli.shared.table_files import own_tables

        own = own_tables(table, game, wager)
        Answer(list(map(custom_paytable_to_json, own)), sheets.custom_tables_page(own)).tell(as_json)
        return
    slug = None
    if game is not None:
        from cardroom.games import game as rules_of

        slug = rules_of(game).facts.slug
    if as_json:
        print_json([column_entry(column) for column in sheets.select_columns(slug, wager)])
    else:
        sheets.print_paytables(console(), slug, wager)
