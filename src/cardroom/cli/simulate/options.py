"""The options of ``cardroom simulate`` as text. They are parsed later, with the slow imports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from cardroom.cli.shared.options import TABLE_FILE_HELP, WholeNumber

BEST_STRATEGY: Final = "best"
ROUNDS_PANEL, SESSIONS_PANEL, PROGRESSIVE_PANEL = (
    "Rounds, compared with the exact odds",
    "Sessions of one player",
    "A progressive",
)
PLAY_PANEL = "Table and strategy"
RESULT_PANEL = "Result"


def _text_option(name: str, metavar: str, help_text: str, panel: str, default: str | None = None) -> Any:
    """An option that is parsed by its kind of simulation; ``default`` is the default that the help shows."""
    return typer.Option(name, metavar=metavar, help=help_text, rich_help_panel=panel, show_default=default or False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """The options; None if left out."""

    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None
    rounds: Annotated[
        str | None,
        _text_option("--rounds", "N", "The number of rounds, with every wager: 1000000, 1e6, or 10M.", ROUNDS_PANEL),
    ] = None
    wager: Annotated[str | None, _text_option("--wager", "WAGER", "Show this wager line by line.", ROUNDS_PANEL)] = None
    cluster: Annotated[
        str | None, _text_option("--cluster", "ADDRESS", "Play on the Dask cluster with this scheduler.", ROUNDS_PANEL)
    ] = None
    sessions: Annotated[
        str | None,
        _text_option("--sessions", "N", "The number of sessions: ruin, results, playing time.", SESSIONS_PANEL),
    ] = None
    bankroll: Annotated[
        str | None, _text_option("--bankroll", "DOLLARS", "The player's starting bankroll.", SESSIONS_PANEL)
    ] = None
    bets: Annotated[
        list[str] | None,
        _text_option("--bets", "SPOT=DOLLARS,…", "The wagers of every round.", SESSIONS_PANEL, "lowest main wager"),
    ] = None
    hours: Annotated[
        str | None, _text_option("--hours", "H", "The maximum length of a session.", SESSIONS_PANEL, "4")
    ] = None
    rounds_per_session: Annotated[
        str | None,
        _text_option("--rounds-per-session", "N", "The maximum length in rounds instead of hours.", SESSIONS_PANEL),
    ] = None
    target: Annotated[
        str | None, _text_option("--target", "DOLLARS", "The bankroll at which the player leaves.", SESSIONS_PANEL)
    ] = None
    progressive: Annotated[
        str | None, _text_option("--progressive", "WAGER", "Run the meter of this wager for years.", PROGRESSIVE_PANEL)
    ] = None
    seed_money: Annotated[
        str | None,
        _text_option("--seed-money", "DOLLARS", "The meter at the start and after each full hit.", PROGRESSIVE_PANEL),
    ] = None
    contribution: Annotated[
        str | None,
        _text_option(
            "--contribution", "PERCENT|CENTS", "What a wager adds to the meter: 28%, 28c, or 0.28.", PROGRESSIVE_PANEL
        ),
    ] = None
    years: Annotated[str | None, _text_option("--years", "Y", "The length of a run.", PROGRESSIVE_PANEL, "5")] = None
    runs: Annotated[str | None, _text_option("--runs", "N", "The number of runs.", PROGRESSIVE_PANEL, "1000")] = None
    hours_a_day: Annotated[
        str | None, _text_option("--hours-a-day", "H", "The tables' opening hours per day.", PROGRESSIVE_PANEL, "12")
    ] = None
    seats: Annotated[
        str | None,
        _text_option(
            "--seats", "N", "Seats that make the wager in a round, at all linked tables.", PROGRESSIVE_PANEL, "5"
        ),
    ] = None
    tables: Annotated[
        str | None,
        _text_option("--tables", "N", "The number of linked tables with these seats.", PROGRESSIVE_PANEL, "1"),
    ] = None
    pace: Annotated[
        str | None,
        _text_option("--pace", "ROUNDS", "Rounds per hour, for sessions and progressives.", PLAY_PANEL, "40"),
    ] = None
    table: Annotated[list[str] | None, _text_option("--table", "FILE.toml", TABLE_FILE_HELP, PLAY_PANEL)] = None
    paytable: Annotated[
        list[str] | None, _text_option("--paytable", "WAGER=NAME", "Another printed table for a wager.", PLAY_PANEL)
    ] = None
    decks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="The number of decks, if the game has a choice.",
            rich_help_panel=PLAY_PANEL,
            parser=WholeNumber(),
        ),
    ] = None
    option: Annotated[
        list[str] | None,
        _text_option("--option", "NAME=VALUE", "An option of the game, such as burn=false.", PLAY_PANEL),
    ] = None
    strategy: Annotated[
        str,
        _text_option(
            "--strategy",
            "best|simple|FILE.py",
            "The strategy; a file defines decide(view) or decide_all().",
            PLAY_PANEL,
            "best",
        ),
    ] = BEST_STRATEGY
    meter: Annotated[
        str | None, _text_option("--meter", "DOLLARS", "The meters in rounds and sessions.", PLAY_PANEL)
    ] = None
    seed: Annotated[
        str | None, _text_option("--seed", "S", "The same seed gives the same result.", RESULT_PANEL, "a random seed")
    ] = None
    threads: Annotated[
        str | None,
        _text_option("--threads", "N", "The number of threads; the result is the same.", RESULT_PANEL, "all cores"),
    ] = None
    chart: Annotated[
        str | None, _text_option("--chart", "FILE.svg|png", "Draw convergence, bankroll, or meter.", RESULT_PANEL)
    ] = None
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=RESULT_PANEL)
    ] = False
