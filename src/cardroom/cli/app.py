"""The commands. Each reads its options and calls a room of the house; what is slow to load is loaded inside."""

from __future__ import annotations

import json
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cardroom import __version__
from cardroom.cli import safekeeping
from cardroom.cli.jackpot import group as jackpot
from cardroom.faults import BadInput

ANSWER_IS_NO = 1
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
    from cardroom.terminal.pages import games as listing

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
    from cardroom.terminal.pages import paytables as sheets

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
    from cardroom.cli.shared import reading
    from cardroom.games.examples import example_json
    from cardroom.terminal.pages import payouts

    if example is not None:
        typer.echo(example_json(example))
        return
    if record is None:
        raise BadInput("Name a file with a finished round, - for standard input, or --example GAME to see one.")
    facts, settlement = reading.settle_record(reading.read_text(record))
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
    from cardroom.cli.shared.reading import read_text
    from cardroom.games.money import dollars
    from cardroom.terminal.felt import lobby

    cents = dollars(balance)
    lobby.play(game, seed, None if table is None else read_text(table), cents, seats)


Decks = Annotated[int | None, typer.Option(metavar="N", help="How many decks, where the game leaves a choice.")]
Options = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game, such as ties=push.")
]
Bonuses = Annotated[
    list[str] | None,
    typer.Option("--bonus", metavar="EVENT=AMOUNT", help="The operator's amount on an open line, such as other=loss."),
]
TableFile = Annotated[str | None, typer.Option("--table", metavar="FILE.toml", help="A paytable that nobody printed.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compute anew, whatever was computed before.")]


@app.command(
    epilog="""Examples:

- `cardroom odds three-card-prime` - every numeric table of a game
- `cardroom odds three-card-prime --wager ante-play --paytable "PW/BB 1"` - with the outcome table
- `cardroom odds dueling-for-dollars --wager duel --decks 8 --option tie_after_tie_bonus=true`
- `cardroom odds texas-shootout --wager jackpot --paytable "TS/JP 3" --meter 25000`
- `cardroom odds three-card-prime --wager prime --paytable PRW-2 --bonus same-color-player=3
  --bonus same-color-player-and-dealer=5 --bonus other=loss`
- `cardroom odds --table my-table.toml` - what if
- `cardroom odds three-card-prime --wager pair-bonus --chart edges.svg` - the edge of each table, drawn
- `cardroom odds --all --json` - every wager, table and option of the five games
"""
)
def odds(
    game: Annotated[str | None, typer.Argument(help="A game's slug; all games when left out.")] = None,
    wager: Annotated[str | None, typer.Option(help="Only this wager.")] = None,
    paytable: Annotated[str | None, typer.Option(help="Only this table, by its printed name.")] = None,
    decks: Decks = None,
    option: Options = None,
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
    wager itself. A figure that is simulated says so and carries its standard error. The chart shows the edges of
    several tables, what each outcome of one table adds and takes, or the return of a jackpot against its meter.
    """
    from cardroom.cli import asking
    from cardroom.odds import answer, questions
    from cardroom.odds import as_json as odds_entry
    from cardroom.terminal.pages import odds as pricing

    asked = questions(asking.asked(game, wager, paytable, decks, option, meter, bonus, table, everything))
    if chart is not None:
        from cardroom.cli import charting

        charting.refuse_chart(chart, asked)
    with pricing.progress_bar() as progress:
        answers = [answer(one, remember=not no_cache, progress=progress) for one in asked]
    drawn = None if chart is None else charting.draw(chart, answers)
    if as_json:
        _print_json([odds_entry(one) for one in answers])
        return
    _console().print(pricing.detail(answers[0]) if len(answers) == 1 else pricing.summary(answers))
    if drawn:
        typer.echo(drawn)


@app.command(
    epilog="""Examples:

- `cardroom strategy three-card-prime`
- `cardroom strategy three-card-prime --hand "Qh 6d 4c"`
- `cardroom strategy three-card-double-play --paytable LWB3 --hand "As Ks 9d 9c 5h 4h"`
- `cardroom strategy deuces-wild --wager five-card-fortune --hand "2c Jk 9h"`
"""
)
def strategy(
    game: Annotated[str, typer.Argument(help="A game's slug.")],
    wager: Annotated[str | None, typer.Option(help="The wager; the main one when left out.")] = None,
    paytable: Annotated[str | None, typer.Option(help="The table, by its printed name; the first if none.")] = None,
    hand: Annotated[
        str | None, typer.Option(metavar="CARDS", help="The cards you hold: what each decision is worth.")
    ] = None,
    decks: Decks = None,
    option: Options = None,
    bonus: Bonuses = None,
    table: TableFile = None,
    as_json: AsJson = False,
) -> None:
    """Say how to play: a strategy to remember and what it costs, or what each decision with a hand is worth."""
    from cardroom.cli import asking
    from cardroom.terminal.pages import odds as pricing

    question = asking.one_question(game, wager, paytable, decks, option, bonus, table)
    with pricing.progress_bar() as progress:
        told = asking.hand_advice(question, hand) if hand else asking.simple_advice(question, progress)
    if as_json:
        _print_json(told.entry)
    else:
        _console().print(told.shown)


INTERRUPTED = 130
"""What shells give for Ctrl-C."""
ROUNDS, SESSIONS, PROGRESSIVE = "Rounds, held against the exact odds", "Sessions of one player", "A progressive"
PLAY = "The table and the play"
RESULT = "The result"


def _text(name: str, metavar: str, words: str, panel: str, usual: str | None = None) -> Any:
    """An option that is read in the room that it is for; ``usual`` is what holds when it is left out."""
    return typer.Option(name, metavar=metavar, help=words, rich_help_panel=panel, show_default=usual or False)


@app.command(
    epilog="""Examples:

- `cardroom simulate three-card-prime --rounds 100M`
- `cardroom simulate deuces-wild --rounds 1e7 --seed 7 --wager ante-play-raise --chart convergence.svg`
- `cardroom simulate dueling-for-dollars --rounds 1e12 --cluster tcp://10.0.0.1:8786`
- `cardroom simulate three-card-prime --rounds 10000 --strategy my_strategy.py`
- `cardroom simulate three-card-prime --sessions 10000 --bankroll 500 --bets "ante-play=10,prime=5" --hours 4`
- `cardroom simulate three-card-prime --progressive final-four --seed-money 10000 --contribution 28% --years 5`
"""
)
def simulate(
    game: Annotated[str | None, typer.Argument(help="A game's slug; may be left out with --table.")] = None,
    rounds: Annotated[
        str | None, _text("--rounds", "N", "Play so many rounds with every wager: 1000000, 1e6 or 10M.", ROUNDS)
    ] = None,
    wager: Annotated[str | None, _text("--wager", "WAGER", "Show this wager, line by line.", ROUNDS)] = None,
    cluster: Annotated[
        str | None, _text("--cluster", "ADDRESS", "Play on the Dask cluster with this scheduler.", ROUNDS)
    ] = None,
    sessions: Annotated[
        str | None, _text("--sessions", "N", "Play so many sessions: ruin, results, time on the table.", SESSIONS)
    ] = None,
    bankroll: Annotated[str | None, _text("--bankroll", "DOLLARS", "What the player sits down with.", SESSIONS)] = None,
    bets: Annotated[
        list[str] | None,
        _text("--bets", "SPOT=DOLLARS,…", "The wagers of every round.", SESSIONS, "lowest main wager"),
    ] = None,
    hours: Annotated[str | None, _text("--hours", "H", "How long a session is at most.", SESSIONS, "4")] = None,
    rounds_per_session: Annotated[
        str | None, _text("--rounds-per-session", "N", "The same in rounds, instead of hours.", SESSIONS)
    ] = None,
    target: Annotated[
        str | None, _text("--target", "DOLLARS", "The bankroll with which the player leaves.", SESSIONS)
    ] = None,
    progressive: Annotated[
        str | None, _text("--progressive", "WAGER", "Let this wager's meter run for years.", PROGRESSIVE)
    ] = None,
    seed_money: Annotated[
        str | None,
        _text("--seed-money", "DOLLARS", "What is on the meter at first, and after each full hit.", PROGRESSIVE),
    ] = None,
    contribution: Annotated[
        str | None,
        _text("--contribution", "PERCENT|CENTS", "What a wager adds to the meter: 28%, 28c or 0.28.", PROGRESSIVE),
    ] = None,
    years: Annotated[str | None, _text("--years", "Y", "How long.", PROGRESSIVE, "5")] = None,
    runs: Annotated[str | None, _text("--runs", "N", "How many times over.", PROGRESSIVE, "1000")] = None,
    hours_a_day: Annotated[
        str | None, _text("--hours-a-day", "H", "How long the tables are open.", PROGRESSIVE, "12")
    ] = None,
    seats: Annotated[
        str | None, _text("--seats", "N", "That make the wager in a round, at all linked tables.", PROGRESSIVE, "5")
    ] = None,
    pace: Annotated[
        str | None, _text("--pace", "ROUNDS", "Rounds an hour, for sessions and progressives.", PLAY, "40")
    ] = None,
    table: Annotated[str | None, _text("--table", "FILE.toml", "An operator's set-up of the table.", PLAY)] = None,
    paytable: Annotated[
        list[str] | None, _text("--paytable", "WAGER=NAME", "Another printed table for a wager.", PLAY)
    ] = None,
    decks: Annotated[
        int | None, typer.Option(metavar="N", help="How many decks, where there is a choice.", rich_help_panel=PLAY)
    ] = None,
    option: Annotated[
        list[str] | None, _text("--option", "NAME=VALUE", "An option of the game, such as burn=false.", PLAY)
    ] = None,
    strategy: Annotated[
        str, _text("--strategy", "best|simple|FILE.py", "How to play; a file has decide(view).", PLAY, "best")
    ] = "best",
    meter: Annotated[
        str | None, _text("--meter", "DOLLARS", "What meters show in rounds and sessions.", PLAY, "empty")
    ] = None,
    seed: Annotated[
        str | None, _text("--seed", "S", "The same seed gives the same result.", RESULT, "a fresh one")
    ] = None,
    threads: Annotated[
        str | None, _text("--threads", "N", "On so many threads, with the same result.", RESULT, "all cores")
    ] = None,
    chart: Annotated[
        str | None, _text("--chart", "FILE.svg|png", "Draw convergence, bankroll or meter.", RESULT)
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=RESULT)
    ] = False,
) -> None:
    """Play millions of rounds and hold them against the exact odds; or sessions, or years of a progressive.

    One player has one unit on every spot. The seed decides every card: the same one gives the same result on any
    number of threads or machines. Ctrl-C prints what was done so far; the exit code is then 130.
    """
    from cardroom.cli.simulate import simulating

    told = simulating.simulated(
        simulating.Typed(
            game=game,
            table=table,
            paytable=paytable,
            decks=decks,
            option=option,
            strategy=strategy,
            seed=seed,
            threads=threads,
            chart=chart,
            meter=meter,
            rounds=rounds,
            wager=wager,
            cluster=cluster,
            sessions=sessions,
            bankroll=bankroll,
            bets=bets,
            hours=hours,
            rounds_per_session=rounds_per_session,
            target=target,
            pace=pace,
            progressive=progressive,
            years=years,
            runs=runs,
            seed_money=seed_money,
            contribution=contribution,
            hours_a_day=hours_a_day,
            seats=seats,
        )
    )
    if as_json:
        _print_json(told.entry)
    else:
        _console().print(told.shown)
    drawn = told.draw() if told.draw else None
    if drawn and not as_json:
        typer.echo(drawn)
    if told.interrupted:
        raise typer.Exit(INTERRUPTED)


@app.command(
    epilog="""Examples:

- `cardroom par three-card-prime` - writes three-card-prime-par.pdf
- `cardroom par deuces-wild -o deuces.html` - one page for a browser that needs nothing else
- `cardroom par --table my-table.toml --date 2026-03-02` - your own limits and paytables
- `cardroom par --check three-card-prime-par.pdf` - whether the file is as it was made
"""
)
def par(
    game: Annotated[str | None, typer.Argument(help="A game's slug; may be left out with --table.")] = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-o", metavar="FILE.pdf|FILE.html", help="The file; GAME-par.pdf when left out."),
    ] = None,
    table: Annotated[str | None, typer.Option(metavar="FILE.toml", help="An operator's set-up of the table.")] = None,
    day: Annotated[
        str | None, typer.Option("--date", metavar="YYYY-MM-DD", help="The day on the sheet; today when left out.")
    ] = None,
    check: Annotated[str | None, typer.Option(metavar="FILE", help="Check a PAR sheet instead of making one.")] = None,
    no_cache: NoCache = False,
    as_json: AsJson = False,
) -> None:
    """Make the PAR sheet of a table, to sign and to pass on; or check one.

    It has the reading of the rules, the set-up, every outcome of every wager with its combinations, the figures that
    follow, strategies, charts and the method. Its content travels inside the file under a digest that stands on every
    page. A check computes every figure anew and sets every page anew, whatever was computed before; exit code 1 means
    that the file does not hold.
    """
    from cardroom.cli import par_making
    from cardroom.terminal.pages import odds as pricing

    if check is not None:
        if any(given is not None for given in (game, output, table, day)):
            raise BadInput("A check takes a file and nothing else: what it was made from is inside the file.")
        with pricing.progress_bar() as progress:
            told = par_making.check(check, progress)
    else:
        wanted = par_making.order(game, output, table, day)
        with pricing.progress_bar() as progress:
            told = par_making.make(wanted, progress, remember=not no_cache)
    if as_json:
        _print_json(told.entry)
    else:
        typer.echo("\n".join(told.sentences))
    if not told.holds:
        raise typer.Exit(ANSWER_IS_NO)


app.add_typer(jackpot.app, name="jackpot")
app.add_typer(safekeeping.app)


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
