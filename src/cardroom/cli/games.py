"""`cardroom games`, `cardroom paytables`, `cardroom settle`, and `cardroom play`."""

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
    """List the five games: wagers, decks, seats, options, and rule sheets."""
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
- `cardroom paytables --table my-table.toml` (custom paytables)
- `cardroom paytables --json` (for programs)
"""
)
def paytables(
    game: Annotated[
        str | None, typer.Argument(help="A game, such as three-card-prime or prime; all when left out.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="Only the paytables of this wager, such as pair-bonus.")] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="FILE.toml", help="The custom paytables of this paytable file or table setup."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show printed paytables line by line, laid out like the appendices of the rule sheets.

    A dot is a blank cell of the sheet. A star is a printed figure that a ruling corrects; the footnote names the ruling
    and the correct figure.
    """
    from cardroom.paytables import column_to_json
    from cardroom.paytables.catalog import custom_paytable_to_json
    from cardroom.terminal.pages import games as game_pages

    if table:
        from cardroom.cli.shared.table_files import read_custom_paytables

        custom_tables = read_custom_paytables(table, game, wager)
        CommandOutput(
            list(map(custom_paytable_to_json, custom_tables)), game_pages.custom_tables_page(custom_tables)
        ).print(as_json)
        return
    slug = None
    if game is not None:
        from cardroom.games import game as find_game

        slug = find_game(game).facts.slug
    if as_json:
        print_json([column_to_json(column) for column in game_pages.select_columns(slug, wager)])
    else:
        game_pages.print_paytables(open_console(), slug, wager)


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
    """Settle one finished round: cards, wagers, and decisions in, payouts out.

    The record has `table` (the setup, or the table's file, relative to the record), `wagers` (by seat and spot, in
    cents or as "$10"), `cards` (by place, in the order of the deal; "?" for an unknown card), `decisions` (seat,
    question, answer), and optionally `steps` (of the dealer), `meters` (jackpot meters by spot, needed for a prize that
    is a percentage) and a `note`. The round is replayed by the rules; a record that breaks them is refused. Exit code
    1: unknown cards could change the payouts.

    At Texas Shootout, the order of the dealer's four cards matters: of equal choices, the dealer keeps the cards that
    were dealt first.
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
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to print one.")
    settlement = settle_round_record(parse_record(read_record_file(record)))
    CommandOutput(settled_record_to_json(settlement), record_page(settlement), settlement.is_certain).print(as_json)


def refuse_options_with_example(record: str | None, as_json: bool) -> None:
    """Refuse arguments that have no effect with --example."""
    if record is not None:
        raise BadInput(f"--example only prints a round: leave {shorten(record)} out, or --example.")
    if as_json:
        raise BadInput("--example always prints JSON: leave --json out.")


play_app = typer.Typer()


@play_app.command(
    epilog="""Examples:

- `cardroom play` (asks which game)
- `cardroom play texas-shootout --seats 3 --balance 200`
- `cardroom play three-card-prime --coach` (shows the cost of each decision)
- `cardroom play deuces-wild --seed 7` (the same cards every time)
- `cardroom play --table my-table.toml` (your own limits and paytables)
- `cardroom play --table generous.toml` (the default table with a custom paytable)
"""
)
def play(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; the program asks when left out.")] = None,
    seed: Annotated[str | None, typer.Option(help="Deal from this seed, for an exact replay.")] = None,
    table: TableFileOption = None,
    balance: Annotated[str, typer.Option(metavar="DOLLARS", help="Your chips.")] = "500",
    seats: Annotated[
        int,
        typer.Option(metavar="N", help="The number of seats that play; bots play the others.", parser=WholeNumber()),
    ] = 1,
    coach: Annotated[bool, typer.Option("--coach", help="Show the average cost of each decision.")] = False,
) -> None:
    """Play at a table in the terminal.

    Type a number, a word such as fold, or cards; Enter chooses the default. h gives a hint, c turns the coach on or
    off, t shows the paytables, ? the rules, q leaves. Each shuffle is sealed before the wagers, and its key is shown
    after the round. At the end, a report shows the cost of your decisions. Without a terminal, each line of standard
    input is one decision; with empty input, the program shows one round of each game.
    """
    from cardroom.cli.shared.table_files import read_table_files
    from cardroom.games.money import parse_dollars
    from cardroom.terminal.client import lobby

    cents = parse_dollars(balance)
    files, slug = read_table_files(table, game)
    opened_table = files.open_table(slug) if table and slug else None
    lobby.play(slug, seed, opened_table, cents, seats, coach=coach)
