"""`cardroom odds`.

`cardroom strategy`.

`cardroom par`.

``cardroom simulate``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from cardroom.cli.shared.options import (
    AsJson,
    Bonuses,
    Decks,
    GameOptions,
    Invocation,
    NoCache,
    TableFileOption,
    WholeNumber,
    build_command,
)
from cardroom.cli.shared.output import CommandOutput, ExitCode
from cardroom.cli.simulate.options import SimulateOptions
from cardroom.errors import BadInput
from cardroom.extras import require_packages

if TYPE_CHECKING:
    from cardroom.odds import PriceRequest


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
    table: TableFileOption = None,
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

    from cardroom.cli import odds_request as asking
    from cardroom.odds import compute_odds
    from cardroom.odds import to_json as odds_entry
    from cardroom.terminal.pages import odds as pricing
    from cardroom.terminal.progress import progress_bar

    requests = asking.read_price_requests(
        asking.PriceArguments(
            game=game,
            wager=wager,
            paytable=paytable,
            decks=decks,
            options=option,
            bonuses=bonus,
            tables=table,
            meter=meter,
            all_settings=everything,
        )
    )
    if chart is not None:
        from cardroom.cli import odds_documents as charting

        charting.refuse_chart(chart, requests)
    with progress_bar() as bar:
        odds_list = [compute_odds(request, use_cache=not no_cache, progress=bar.set_share) for request in requests]
    chart_text = None if chart is None else charting.write_odds_chart(chart, odds_list)
    is_detailed = len(odds_list) == 1 or (
        wager is not None and not everything and len({request.table for request in requests}) == 1
    )
    page = Group(*map(pricing.detail, odds_list)) if is_detailed else pricing.summary(odds_list)
    if custom_tables := pricing.custom_tables_note(request.table for request in requests):
        page = Group(page, custom_tables)
    CommandOutput(list(map(odds_entry, odds_list)), page).print(as_json)
    if chart_text and not as_json:
        typer.echo(chart_text)


strategy_app = typer.Typer()


@strategy_app.command(
    epilog="""Examples:

- `cardroom strategy three-card-prime`
- `cardroom strategy three-card-prime --hand "Qh 6d 4c"`
- `cardroom strategy three-card-double-play --paytable LWB3 --hand "As Ks 9d 9c 5h 4h"`
- `cardroom strategy --table generous.toml` (a paytable that nobody printed)
- `cardroom strategy deuces-wild --wager five-card-fortune --hand "2c Jk 9h"`
- `cardroom strategy three-card-double-play --card -o double-play.pdf` - to print, cut out and carry along
- `cardroom strategy --card` - the cards of all games in strategies.pdf
"""
)
def strategy(
    game: Annotated[
        str | None, typer.Argument(help="A game, such as prime; may be left out with --table or --card.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="The wager; the main one when left out.")] = None,
    paytable: Annotated[str | None, typer.Option(help="The table, by its printed name; the first if none.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The cards you hold: what each decision is worth.")
    ] = None,
    card: Annotated[bool, typer.Option("--card", help="Print the strategy as a card for the pocket, a PDF.")] = False,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.pdf", help="The card's file; GAME-strategy.pdf when left out."),
    ] = None,
    decks: Decks = None,
    option: GameOptions = None,
    bonus: Bonuses = None,
    table: TableFileOption = None,
    as_json: AsJson = False,
) -> None:
    """Say how to play: a strategy to remember and what it costs, or what each decision with a hand is worth.

    As cards for the pocket, a game has one for each wager that asks the player something; with a wager, a table or an
    option named, one card for just that. Without a game all games are printed, in one file.
    """
    from cardroom.cli import odds_request as asking
    from cardroom.terminal.progress import progress_bar

    if output is not None and not card:
        raise BadInput("-o names the file of a card: add --card, or leave -o out.")
    if hand is not None and card:
        raise BadInput("A card holds a strategy for every hand: leave out --hand, or leave out --card.")

    def read_request() -> PriceRequest:
        return asking.read_price_request(
            asking.PriceArguments(
                game=game, wager=wager, paytable=paytable, decks=decks, options=option, bonuses=bonus, tables=table
            )
        )

    if card:
        from cardroom.cli import odds_documents as strategy_card

        has_other_options = any(value not in (None, []) for value in (wager, paytable, decks, option, bonus, table))
        card_request = strategy_card.read_card_request(game, output, read_request if has_other_options else None)
        with progress_bar() as bar:
            result = strategy_card.write_strategy_cards(card_request, bar.set_share)
    else:
        price_request = read_request()
        with progress_bar() as bar:
            result = (
                asking.advise_hand(price_request, hand)
                if hand
                else asking.describe_basic_strategy(price_request, bar.set_share)
            )
    result.print(as_json)


par_app = typer.Typer()


@par_app.command(
    epilog="""Examples:

- `cardroom par three-card-prime` - writes three-card-prime-par.pdf
- `cardroom par deuces-wild -o deuces.html` - one page for a browser that needs nothing else
- `cardroom par --table my-table.toml --date 2026-03-02` - your own limits and paytables
- `cardroom par --table generous.toml` - the usual table with a paytable that nobody printed
- `cardroom par three-card-prime --jackpot jackpot.toml` - with what a progressive returns in all
- `cardroom par deuces-wild --confirm 100000000 --seed 7` - more rounds to confirm the figures with
- `cardroom par --check three-card-prime-par.pdf` - whether the file is as it was made
"""
)
def par(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.pdf|FILE.html", help="The file; GAME-par.pdf when left out."),
    ] = None,
    table: TableFileOption = None,
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day on the sheet; today when left out.")
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.toml", help="The set-up of a jackpot that the table plays for; may come again."),
    ] = None,
    confirm: Annotated[
        int | None,
        typer.Option(
            metavar="ROUNDS",
            help="Rounds simulated to confirm the figures; 0 for none. [default: 1000000]",
            parser=WholeNumber(0),
        ),
    ] = None,
    seed: Annotated[
        int | None, typer.Option(metavar="S", help="Of these rounds. [default: 1]", parser=WholeNumber(0))
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check a PAR sheet instead of making one.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Make the PAR sheet of a table, to sign and to pass on; or check one.

    It has the reading of the rules, the set-up, every outcome of every wager with its combinations, the figures that
    follow, jackpots, a confirmation by simulation, strategies, charts and the method. Its content travels inside the
    file under a digest that stands on every page. A check computes every figure anew and sets every page anew, whatever
    was computed before; exit code 1 means that the file does not hold.
    """
    require_packages("reports", "PAR sheets", "altair", "vl_convert", "typst", "orjson")
    from cardroom.cli import odds_documents as par_making
    from cardroom.terminal.progress import progress_bar

    if check is not None:
        other_options = (game, output, day, jackpot, confirm, seed)
        if any(value is not None for value in other_options) or table or no_cache:
            raise BadInput(
                "A check takes a file and nothing else: what it was made from is inside, and all is computed anew."
            )
        with progress_bar() as bar:
            result = par_making.check_par_sheet(check, bar.set_share)
    else:
        request = par_making.read_par_request(game, output, table, day, jackpot or (), confirm, seed)
        with progress_bar() as bar:
            result = par_making.create_par_sheet(request, bar.set_share, remember=not no_cache)
    result.print(as_json)


simulate_app = typer.Typer()


def simulate() -> None:
    """Play millions of rounds and hold them against the exact odds; or sessions, or years of a progressive.

    One player has one unit on every spot. The seed decides every card: the same one gives the same result on any
    number of threads or machines. Ctrl-C prints what was done so far; the exit code is then 130.
    """


def _run_simulation(options: SimulateOptions, _: Invocation) -> None:
    from cardroom.cli.simulate.runner import run_simulation

    simulation = run_simulation(options)
    simulation.output.print(options.as_json)
    chart_text = simulation.draw() if simulation.draw else None
    if chart_text and not options.as_json:
        typer.echo(chart_text)
    if simulation.is_interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


simulate_app.command(
    epilog="""Examples:

- `cardroom simulate three-card-prime --rounds 100M`
- `cardroom simulate deuces-wild --rounds 1e7 --seed 7 --wager ante-play-raise --chart convergence.svg`
- `cardroom simulate dueling-for-dollars --rounds 1e12 --cluster tcp://10.0.0.1:8786`
- `cardroom simulate three-card-prime --rounds 10000 --strategy my_strategy.py`
- `cardroom simulate three-card-prime --sessions 10000 --bankroll 500 --bets "ante-play=10,prime=5" --hours 4`
- `cardroom simulate three-card-prime --progressive final-four --seed-money 10000 --contribution 28% --years 5`
"""
)(build_command(SimulateOptions, simulate, _run_simulation))
