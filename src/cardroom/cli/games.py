"""`cardroom games` and `cardroom paytables`.

`cardroom settle`.

`cardroom play`.
"""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.options import AsJson, TableFileOption, WholeNumber
from cardroom.cli.shared.output import CommandOutput, open_console, print_json
from cardroom.errors import BadInput, shorten

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
    CommandOutput(list(map(game_to_json, facts)), games_table(facts)).print(as_json)


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
        from cardroom.cli.shared.table_files import read_custom_paytables

        custom_tables = read_custom_paytables(table, game, wager)
        CommandOutput(
            list(map(custom_paytable_to_json, custom_tables)), sheets.custom_tables_page(custom_tables)
        ).print(as_json)
        return
    slug = None
    if game is not None:
        from cardroom.games import game as rules_of

        slug = rules_of(game).facts.slug
    if as_json:
        print_json([column_entry(column) for column in sheets.select_columns(slug, wager)])
    else:
        sheets.print_paytables(open_console(), slug, wager)


settle_app = typer.Typer()
Record = Annotated[str | None, typer.Argument(metavar="FILE|-", help="A finished round as JSON; - is standard input.")]


@settle_app.command(
    epilog="""Examples:

- `cardroom settle --example three-card-prime > round.json` (a complete round to start from)
- `cardroom settle round.json`
- `cardroom settle round.json --json`
- `cardroom settle --example deuces-wild | cardroom settle - --json`
"""
)
def settle(
    record: Record = None,
    example: Annotated[
        str | None, typer.Option(metavar="GAME", help="Print a complete input for this game that runs as it is.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Settle one finished round: cards, wagers and decisions in, payouts out.

    The record has `table` (the set-up, or the name of the table's file as seen from the record), `wagers` (by seat and
    spot, in cents or as "$10"), `cards` (by place, in the order of the deal; "?" for one that nobody knows),
    `decisions` (seat, question, answer), and if wanted `steps` (of the dealer), `meters` (what jackpots show, by spot;
    needed when somebody has won a percentage) and a `note`. It is played again through the rules: what they do not
    allow is refused, and nothing is settled. Exit code 1 says that cards which nobody knows could change the answer.

    The order of the dealer's four cards counts at Texas Shootout: of equal choices the cards dealt first are kept.
    """
    from cardroom.cli.record_file import read_record_file
    from cardroom.games.example_rounds import example_json
    from cardroom.games.record import parse_record
    from cardroom.games.record_settlement import settle_round_record
    from cardroom.games.serialization import settled_record_to_json
    from cardroom.terminal.pages.settlements import record_page

    if example is not None:
        refuse_options_with_example(record, as_json)
        typer.echo(example_json(example))
        return
    if record is None:
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to see one.")
    settlement = settle_round_record(parse_record(read_record_file(record)))
    CommandOutput(settled_record_to_json(settlement), record_page(settlement), settlement.is_certain).print(as_json)


def refuse_options_with_example(record: str | None, as_json: bool) -> None:
    """An example is printed as it is: nothing that was named beside it would have an effect."""
    if record is not None:
        raise BadInput(f"--example prints a round and settles none: leave {shorten(record)} out, or --example.")
    if as_json:
        raise BadInput("--example prints JSON as it is: leave --json out.")


play_app = typer.Typer()


@play_app.command(
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
    table: TableFileOption = None,
    balance: Annotated[str, typer.Option(metavar="DOLLARS", help="What you sit down with.")] = "500",
    seats: Annotated[
        int, typer.Option(metavar="N", help="Seats that play; the others play by themselves.", parser=WholeNumber())
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
    opened_table = files.open_table(slug) if table and slug else None
    lobby.play(slug, seed, opened_table, cents, seats, coach=coach)
