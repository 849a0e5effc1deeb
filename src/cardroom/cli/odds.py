"""`cardroom odds`."""

from __future__ import annotations

from typing import Annotated

import typer

from cardroom.cli.shared.answers import Answer
from cardroom.cli.shared.options import AsJson, Bonuses, Decks, GameOptions, NoCache, TableFile

app = typer.Typer()


@app.command(
    epilog="""Examples:

- `cardroom odds three-card-prime` - every numeric table of a game
- `cardroom odds three-card-prime --wager ante-play --paytable "PW/BB 1"` - with the outcome table
- `cardroom odds dueling-for-dollars --wager duel --decks 8 --option tie_after_tie_bonus=true`
- `cardroom odds texas-shootout --wager jackpot --paytable "TS/JP 3" --meter 25000`
- `cardroom odds three-card-prime --wager prime --paytable PRW-2 --bonus same-color-player=3
  --bonus same-color-player-and-dealer=5 --bonus other=loss`
- `cardroom odds --table generous.toml` - what if: a paytable that nobody printed
- `cardroom odds --table my-table.toml` - every wager as the set-up of a table has it
- `cardroom odds three-card-prime --wager pair-bonus --chart edges.svg` - the edge of each table, drawn
- `cardroom odds --all --json` - every wager, table and option of the five games
"""
)
def odds(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; all games when left out.")] = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager.")] = None,
    paytable: Annotated[str | None, typer.Option(help="Only this table, by its printed name.")] = None,
    decks: Decks = None,
    option: GameOptions = None,
    meter: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="What the jackpot's meter shows, for a one-dollar wager.")
    ] = None,
    bonus: Bonuses = None,
    table: TableFile = None,
    everything: Annotated[bool, typer.Option("--all", help="Every table under every option.")] = False,
    chart: Annotated[
        str | None, typer.Option(metavar="FILE.svg|FILE.png", help="Draw the answer, for one wager, into this file.")
    ] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Say what each wager is worth under the best play: exact fractions, house edge, deviation, outcome table.

    Figures are for one base unit: an Ante, a duel, a Texas Shootout wager, a High wager (the Low equal), or the side
    wager itself. A figure that is simulated says so, with its standard error, its rounds and the policy it rests on.
    What a table pays besides, such as a bonus feature, is named where the figures leave it out. The chart shows the
    edges of several tables, what each outcome of one table adds and takes, or the return of a jackpot against its
    meter.
    """
    from rich.console import Group

    from cardroom.cli import asking
    from cardroom.odds import compute_odds
    from cardroom.odds import to_json as odds_entry
    from cardroom.terminal.pages import odds as pricing
    from cardroom.terminal.progress import progress_bar

    asked = asking.asked_questions(
        asking.TypedQuestion(
            game=game,
            wager=wager,
            paytable=paytable,
            decks=decks,
            options=option,
            bonuses=bonus,
            tables=table,
            meter=meter,
            every_setting=everything,
        )
    )
    if chart is not None:
        from cardroom.cli import charting

        charting.refuse_chart(chart, asked)
    with progress_bar() as bar:
        answers = [compute_odds(one, use_cache=not no_cache, progress=bar.set_share) for one in asked]
    drawn = None if chart is None else charting.draw(chart, answers)
    in_detail = len(answers) == 1 or (wager is not None and not everything and len({one.table for one in asked}) == 1)
    page = Group(*map(pricing.detail, answers)) if in_detail else pricing.summary(answers)
    if own := pricing.custom_tables_note(one.table for one in asked):
        page = Group(page, own)
    Answer(list(map(odds_entry, answers)), page).tell(as_json)
    if drawn and not as_json:
        typer.echo(drawn)
