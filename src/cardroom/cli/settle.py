"""`cardroom settle`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import AsJson
from cardroom.errors import BadInput, shorten

app = typer.Typer()
Record = Annotated[str | None, typer.Argument(metavar="FILE|-", help="A finished round as JSON; - is standard input.")]


@app.command(
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
    from cardroom.cli.record_files import read_record_file
    from cardroom.games.example_rounds import example_json
    from cardroom.games.record import parse_record
    from cardroom.games.record_settlement import settle_round_record
    from cardroom.games.serialization import settled_record_to_json
    from cardroom.terminal.pages.settlements import record_page

    if example is not None:
        refuse_beside_example(record, as_json)
        typer.echo(example_json(example))
        return
    if record is None:
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to see one.")
    answer = settle_round_record(parse_record(read_record_file(record)))
    Answer(settled_record_to_json(answer), record_page(answer), answer.is_certain).tell(as_json)


def refuse_beside_example(record: str | None, as_json: bool) -> None:
    """An example is printed as it is: nothing that was named beside it would have an effect."""
    if record is not None:
        raise BadInput(f"--example prints a round and settles none: leave {shorten(record)} out, or --example.")
    if as_json:
        raise BadInput("--example prints JSON as it is: leave --json out.")
