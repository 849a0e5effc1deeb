"""`cardroom settle`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import AsJson
from cardroom.faults import BadInput

app = typer.Typer()
Record = Annotated[str | None, typer.Argument(metavar="FILE|-", help="A finished round as JSON; - is standard input.")]


@app.command(
    epilog="""Examples:

- `cardroom settle --example three-card-prime > round.json` (a complete round to start from)
- `cardroom settle round.json`
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

    The record has `table` (the set-up), `wagers` (by seat and spot, in cents or as "$10"), `cards` (by place),
    `decisions` (seat, question, answer), and if wanted `steps` (of the dealer) and `meters` (what jackpots show, by
    spot; needed when somebody has won a percentage). It is played again through the rules: what they do not allow is
    refused, and nothing is settled.
    """
    from cardroom.cli.shared import reading
    from cardroom.games.entries import settlement_entry
    from cardroom.games.examples import example_json
    from cardroom.terminal.pages.payouts import settlement_table

    if example is not None:
        typer.echo(example_json(example))
        return
    if record is None:
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to see one.")
    facts, settlement = reading.settle_record(reading.read_text(record))
    Answer(settlement_entry(settlement, facts), settlement_table(settlement, facts)).tell(as_json)
