"""`cardroom strategy`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.options import AsJson, Bonuses, Decks, GameOptions, TableFile

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom strategy three-card-prime`
- `cardroom strategy three-card-prime --hand "Qh 6d 4c"`
- `cardroom strategy three-card-double-play --paytable LWB3 --hand "As Ks 9d 9c 5h 4h"`
- `cardroom strategy --table generous.toml` (a paytable that nobody printed)
- `cardroom strategy deuces-wild --wager five-card-fortune --hand "2c Jk 9h"`
"""
)
def strategy(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None,
    wager: Annotated[str | None, typer.Option(help="The wager; the main one when left out.")] = None,
    paytable: Annotated[str | None, typer.Option(help="The table, by its printed name; the first if none.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The cards you hold: what each decision is worth.")
    ] = None,
    decks: Decks = None,
    option: GameOptions = None,
    bonus: Bonuses = None,
    table: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Say how to play: a strategy to remember and what it costs, or what each decision with a hand is worth."""
    from cardroom.cli import asking
    from cardroom.terminal.progress import progress_bar

    question = asking.one_question(
        asking.TypedQuestion(
            game=game, wager=wager, paytable=paytable, decks=decks, options=option, bonuses=bonus, tables=table
        )
    )
    with progress_bar() as bar:
        advice = asking.hand_advice(question, hand) if hand else asking.simple_advice(question, bar.share)
    advice.tell(as_json)
