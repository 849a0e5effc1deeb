"""`cardroom odds`, `cardroom strategy`, `cardroom par`, and `cardroom simulate`."""

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
- `cardroom odds --table generous.toml` - a custom paytable
- `cardroom odds --table my-table.toml` - every wager of a table setup
- `cardroom odds three-card-prime --wager pair-bonus --chart edges.svg` - the edge of each table, drawn
- `cardroom odds --all --json` - every wager, table, and option of the five games
"""
)
def odds(
    game: Annotated[str | None, typer.Argument(help="A game, such as prime; all games when left out.")] = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager.")] = None,
    paytable: Annotated[str | None, typer.Option(help="Only this paytable, by its printed name.")] = None,
    decks: Decks = None,
    option: GameOptions = None,
    meter: Annotated[
        str | None, typer.Option(metavar="DOLLARS", help="The jackpot's meter, for a one-dollar wager.")
    ] = None,
    bonus: Bonuses = None,
    table: TableFileOption = None,
    everything: Annotated[bool, typer.Option("--all", help="Every paytable with every option.")] = False,
    chart: Annotated[
        str | None, typer.Option(metavar="FILE.svg|FILE.png", help="Draw a chart for one wager into this file.")
    ] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Price each wager under the best play: exact fractions, house edge, standard deviation, outcome table.

    Figures are for one base unit: an Ante, a duel, a Texas Shootout wager, a High wager (the Low equal), or the side
    wager itself. A simulated figure says so, with its standard error, rounds, and policy. If the figures leave out an
    extra payout, such as a bonus feature, a note names it. The chart shows the edges of several paytables, the
    contribution of each outcome of one paytable, or the return of a jackpot by its meter.
    """
    from rich.console import Group

    from cardroom.cli import odds_request
    from cardroom.odds import compute_odds
    from cardroom.odds import to_json as odds_to_json
    from cardroom.terminal.pages import odds as odds_pages
    from cardroom.terminal.progress import progress_bar

    requests = odds_request.read_price_requests(
        odds_request.PriceArguments(
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
        from cardroom.cli import odds_documents

        odds_documents.refuse_chart(chart, requests)
    with progress_bar() as bar:
        odds_list = [compute_odds(request, use_cache=not no_cache, progress=bar.set_share) for request in requests]
    chart_text = None if chart is None else odds_documents.write_odds_chart(chart, odds_list)
    is_detailed = len(odds_list) == 1 or (
        wager is not None and not everything and len({request.table for request in requests}) == 1
    )
    page = Group(*map(odds_pages.detail, odds_list)) if is_detailed else odds_pages.summary(odds_list)
    if custom_tables := odds_pages.custom_tables_note(request.table for request in requests):
        page = Group(page, custom_tables)
    CommandOutput(list(map(odds_to_json, odds_list)), page).print(as_json)
    if chart_text and not as_json:
        typer.echo(chart_text)


strategy_app = typer.Typer()


@strategy_app.command(
    epilog="""Examples:

- `cardroom strategy three-card-prime`
- `cardroom strategy three-card-prime --hand "Qh 6d 4c"`
- `cardroom strategy three-card-double-play --paytable LWB3 --hand "As Ks 9d 9c 5h 4h"`
- `cardroom strategy --table generous.toml` (a custom paytable)
- `cardroom strategy deuces-wild --wager five-card-fortune --hand "2c Jk 9h"`
- `cardroom strategy three-card-double-play --card -o double-play.pdf` - to print and cut out
- `cardroom strategy --card` - the cards of all games in strategies.pdf
"""
)
def strategy(
    game: Annotated[
        str | None, typer.Argument(help="A game, such as prime; may be left out with --table or --card.")
    ] = None,
    wager: Annotated[str | None, typer.Option(help="The wager; the main one when left out.")] = None,
    paytable: Annotated[
        str | None, typer.Option(help="The paytable, by its printed name; the first when left out.")
    ] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="Your cards: print the value of each decision.")
    ] = None,
    card: Annotated[bool, typer.Option("--card", help="Print the strategy as a pocket card (PDF).")] = False,
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
    """Print the basic strategy and its cost, or the value of each decision with a hand.

    With --card, the file has one pocket card for each wager with a decision; with a wager, a paytable, or an option,
    one card for that. Without a game, it has the cards of all games.
    """
    from cardroom.cli import odds_request
    from cardroom.terminal.progress import progress_bar

    if output is not None and not card:
        raise BadInput("-o names the file of a card: add --card, or leave -o out.")
    if hand is not None and card:
        raise BadInput("A card has the strategy for every hand: leave out --hand or --card.")

    def read_request() -> PriceRequest:
        return odds_request.read_price_request(
            odds_request.PriceArguments(
                game=game, wager=wager, paytable=paytable, decks=decks, options=option, bonuses=bonus, tables=table
            )
        )

    if card:
        from cardroom.cli import odds_documents

        has_other_options = any(value not in (None, []) for value in (wager, paytable, decks, option, bonus, table))
        card_request = odds_documents.read_card_request(game, output, read_request if has_other_options else None)
        with progress_bar() as bar:
            result = odds_documents.write_strategy_cards(card_request, bar.set_share)
    else:
        price_request = read_request()
        with progress_bar() as bar:
            result = (
                odds_request.advise_hand(price_request, hand)
                if hand
                else odds_request.describe_basic_strategy(price_request, bar.set_share)
            )
    result.print(as_json)


par_app = typer.Typer()


@par_app.command(
    epilog="""Examples:

- `cardroom par three-card-prime` - writes three-card-prime-par.pdf
- `cardroom par deuces-wild -o deuces.html` - one self-contained web page
- `cardroom par --table my-table.toml --date 2026-03-02` - your own limits and paytables
- `cardroom par --table generous.toml` - the default table with a custom paytable
- `cardroom par three-card-prime --jackpot jackpot.toml` - with the total return of a progressive
- `cardroom par deuces-wild --confirm 100000000 --seed 7` - more rounds to confirm the figures
- `cardroom par --check three-card-prime-par.pdf` - check a sheet
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
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The date on the sheet; today when left out.")
    ] = None,
    jackpot: Annotated[
        list[str] | None,
        typer.Option(metavar="FILE.toml", help="The setup of a jackpot of the table; may be repeated."),
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
        int | None, typer.Option(metavar="S", help="The seed of these rounds. [default: 1]", parser=WholeNumber(0))
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check a PAR sheet instead of making one.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Make the PAR sheet of a table, or check one.

    It contains the interpretation of the rules, the setup, every outcome of every wager with its combinations, the
    resulting figures, jackpots, a confirmation by simulation, strategies, charts, and the method. The file embeds its
    content, and every page shows the content's digest. A check recomputes every figure and typesets every page again;
    exit code 1: the file differs.
    """
    require_packages("reports", "PAR sheets", "altair", "vl_convert", "typst", "orjson")
    from cardroom.cli import odds_documents
    from cardroom.terminal.progress import progress_bar

    if check is not None:
        other_options = (game, output, day, jackpot, confirm, seed)
        if any(value is not None for value in other_options) or table or no_cache:
            raise BadInput(
                "A check takes a file and nothing else: the file contains its inputs. Leave the other options out."
            )
        with progress_bar() as bar:
            result = odds_documents.check_par_sheet(check, bar.set_share)
    else:
        request = odds_documents.read_par_request(game, output, table, day, jackpot or (), confirm, seed)
        with progress_bar() as bar:
            result = odds_documents.create_par_sheet(request, bar.set_share, remember=not no_cache)
    result.print(as_json)


simulate_app = typer.Typer()


def simulate() -> None:
    """Simulate millions of rounds and compare them with the exact odds; or sessions, or years of a progressive.

    One player wagers one unit on every spot. The seed determines every card: the same seed gives the same result on any
    number of threads or machines. Ctrl-C prints the results so far with exit code 130.
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
