"""The commands. Each reads its options and calls a room of the house; what is slow to load is loaded inside."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cardroom import __version__
from cardroom.faults import BadInput

BAD_INPUT = 2


class SentencesForBadInput(TyperGroup):
    """Every command answers bad input with its sentence on standard error and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as fault:
            typer.echo(str(fault), err=True)
            raise typer.Exit(BAD_INPUT) from None


app = typer.Typer(
    cls=SentencesForBadInput,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]


def _version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cardroom {__version__}")
        raise typer.Exit


@app.callback()
def house(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    """Cardroom plays, prices and accounts for five house-banked table games approved in Washington State.

    Exit codes: 0 done, 1 the answer is "no", 2 bad input. Bad input gets one sentence on standard error.
    """


@app.command(
    epilog="""Examples:

- `cardroom games`
- `cardroom games --json`
"""
)
def games(as_json: AsJson = False) -> None:
    """List the five games: their wagers, decks, seats, options and rule sheets."""
    from cardroom.terminal import listing

    if as_json:
        _print_json([listing.game_entry(facts) for facts in listing.all_facts()])
    else:
        _console().print(listing.games_table(listing.all_facts()))


@app.command(
    epilog="""Examples:

- `cardroom paytables` (all 126 printed tables)
- `cardroom paytables three-card-prime`
- `cardroom paytables texas-shootout --wager quick-draw`
- `cardroom paytables --json` (for programs)
"""
)
def paytables(
    game: Annotated[
        str | None, typer.Argument(help="A game's slug, such as three-card-prime; all when left out.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="Only the tables of this wager, such as pair-bonus.")] = None,
    as_json: AsJson = False,
) -> None:
    """Show every printed paytable line by line, laid out like the appendices of the rule sheets.

    A dot is a cell that the sheet leaves blank. A star is a printed figure that a ruling overrules; the footnote
    names the ruling and says what holds instead.
    """
    from cardroom.paytables import as_json as column_entry
    from cardroom.terminal import sheets

    if as_json:
        _print_json([column_entry(column) for column in sheets.chosen_columns(game, wager)])
    else:
        sheets.print_paytables(_console(), game, wager)


@app.command(
    epilog="""Examples:

- `cardroom settle --example three-card-prime > round.json` (a complete round to start from)
- `cardroom settle round.json`
- `cardroom settle --example deuces-wild | cardroom settle - --json`
"""
)
def settle(
    record: Annotated[
        str | None, typer.Argument(metavar="FILE|-", help="A finished round as JSON; - is standard input.")
    ] = None,
    example: Annotated[
        str | None, typer.Option(metavar="GAME", help="Print a complete input for this game that runs as it is.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Settle one finished round: cards, wagers and decisions in, payouts out.

    The record has `table` (the set-up), `wagers` (by seat and spot, in cents or as "$10"), `cards` (by place),
    `decisions` (seat, question, answer), and if wanted `steps` (of the dealer) and `meters` (what jackpots show, by
    spot). It is played again through the rules: what they do not allow is refused, and nothing is settled.
    """
    from cardroom.games.examples import example_json
    from cardroom.terminal import payouts, settling

    if example is not None:
        typer.echo(example_json(example))
        return
    if record is None:
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to see one.")
    facts, settlement = settling.settle_record(settling.read_text(record))
    if as_json:
        _print_json(payouts.settlement_entry(settlement, facts))
    else:
        _console().print(payouts.settlement_table(settlement, facts))


@app.command(
    epilog="""Examples:

- `cardroom play` (asks which game)
- `cardroom play texas-shootout --seats 3 --balance 200`
- `cardroom play deuces-wild --seed 7` (the same cards every time)
- `cardroom play --table my-table.toml` (your own limits and paytables)
"""
)
def play(
    game: Annotated[str | None, typer.Argument(help="A game's slug; asked for when left out.")] = None,
    seed: Annotated[str | None, typer.Option(help="Deal from this seed, for an exact replay.")] = None,
    table: Annotated[str | None, typer.Option(metavar="FILE.toml", help="An operator's set-up of the table.")] = None,
    balance: Annotated[str, typer.Option(metavar="DOLLARS", help="What you sit down with.")] = "500",
    seats: Annotated[int, typer.Option(metavar="N", help="Seats that play; the others play by themselves.")] = 1,
) -> None:
    """Sit down at a table in the terminal.

    Type a number, a word such as fold, or cards; Enter repeats a wager, ? shows rules and paytables, q leaves.
    Each shuffle is sealed before the wagers, and its key is shown after the round. Without a terminal on standard
    input one round of each game is shown.
    """
    from cardroom.games.money import dollars
    from cardroom.terminal import lobby

    lobby.play(game, seed, table, dollars(balance), seats)


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _print_json(value: object) -> None:
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a suit sign never stops a command
    app()
