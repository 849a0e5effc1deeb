"""The options of ``cardroom simulate`` as they are typed. What they mean is read later, with what is slow to load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from cardroom.cli.shared.options import TABLE_FILE_HELP, WholeNumber

BEST_STRATEGY: Final = "best"
ROUNDS_PANEL, SESSIONS_PANEL, PROGRESSIVE_PANEL = (
    "Rounds, held against the exact odds",
    "Sessions of one player",
    "A progressive",
)
PLAY_PANEL = "The table and the play"
RESULT_PANEL = "The result"


def _text_option(name: str, metavar: str, help_text: str, panel: str, default: str | None = None) -> Any:
    """An option that is read in the room that it is for; ``default`` is what holds when it is left out."""
    return typer.Option(name, metavar=metavar, help=help_text, rich_help_panel=panel, show_default=default or False)


@dataclass(frozen=True, slots=True, kw_only=True)
class SimulateOptions:
    """None where an option was left out."""

    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None
    rounds: Annotated[
        str | None,
        _text_option("--rounds", "N", "Play so many rounds with every wager: 1000000, 1e6 or 10M.", ROUNDS_PANEL),
    ] = None
    wager: Annotated[str | None, _text_option("--wager", "WAGER", "Show this wager, line by line.", ROUNDS_PANEL)] = (
        None
    )
    cluster: Annotated[
        str | None, _text_option("--cluster", "ADDRESS", "Play on the Dask cluster with this scheduler.", ROUNDS_PANEL)
    ] = None
    sessions: Annotated[
        str | None,
        _text_option("--sessions", "N", "Play so many sessions: ruin, results, time on the table.", SESSIONS_PANEL),
    ] = None
    bankroll: Annotated[
        str | None, _text_option("--bankroll", "DOLLARS", "What the player sits down with.", SESSIONS_PANEL)
    ] = None
    bets: Annotated[
        list[str] | None,
        _text_option("--bets", "SPOT=DOLLARS,…", "The wagers of every round.", SESSIONS_PANEL, "lowest main wager"),
    ] = None
    hours: Annotated[
        str | None, _text_option("--hours", "H", "How long a session is at most.", SESSIONS_PANEL, "4")
    ] = None
    rounds_per_session: Annotated[
        str | None, _text_option("--rounds-per-session", "N", "The same in rounds, instead of hours.", SESSIONS_PANEL)
    ] = None
    target: Annotated[
        str | None, _text_option("--target", "DOLLARS", "The bankroll with which the player leaves.", SESSIONS_PANEL)
    ] = None
    progressive: Annotated[
        str | None, _text_option("--progressive", "WAGER", "Let this wager's meter run for years.", PROGRESSIVE_PANEL)
    ] = None
    seed_money: Annotated[
        str | None,
        _text_option(
            "--seed-money", "DOLLARS", "What is on the meter at first, and after each full hit.", PROGRESSIVE_PANEL
        ),
    ] = None
    contribution: Annotated[
        str | None,
        _text_option(
            "--contribution", "PERCENT|CENTS", "What a wager adds to the meter: 28%, 28c or 0.28.", PROGRESSIVE_PANEL
        ),
    ] = None
    years: Annotated[str | None, _text_option("--years", "Y", "How long.", PROGRESSIVE_PANEL, "5")] = None
    runs: Annotated[str | None, _text_option("--runs", "N", "How many times over.", PROGRESSIVE_PANEL, "1000")] = None
    hours_a_day: Annotated[
        str | None, _text_option("--hours-a-day", "H", "How long the tables are open.", PROGRESSIVE_PANEL, "12")
    ] = None
    seats: Annotated[
        str | None,
        _text_option("--seats", "N", "That make the wager in a round, at all linked tables.", PROGRESSIVE_PANEL, "5"),
    ] = None
    tables: Annotated[
        str | None,
        _text_option("--tables", "N", "Linked tables that the seats are spread over.", PROGRESSIVE_PANEL, "1"),
    ] = None
    pace: Annotated[
        str | None, _text_option("--pace", "ROUNDS", "Rounds an hour, for sessions and progressives.", PLAY_PANEL, "40")
    ] = None
    table: Annotated[list[str] | None, _text_option("--table", "FILE.toml", TABLE_FILE_HELP, PLAY_PANEL)] = None
    paytable: Annotated[
        list[str] | None, _text_option("--paytable", "WAGER=NAME", "Another printed table for a wager.", PLAY_PANEL)
    ] = None
    decks: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            help="How many decks, where there is a choice.",
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
            "How to play; a file has decide(view) or decide_all().",
            PLAY_PANEL,
            "best",
        ),
    ] = BEST_STRATEGY
    meter: Annotated[
        str | None, _text_option("--meter", "DOLLARS", "What meters show in rounds and sessions.", PLAY_PANEL)
    ] = None
    seed: Annotated[
        str | None, _text_option("--seed", "S", "The same seed gives the same result.", RESULT_PANEL, "a fresh one")
    ] = None
    threads: Annotated[
        str | None,
        _text_option("--threads", "N", "On so many threads, with the same result.", RESULT_PANEL, "all cores"),
    ] = None
    chart: Annotated[
        str | None, _text_option("--chart", "FILE.svg|png", "Draw convergence, bankroll or meter.", RESULT_PANEL)
    ] = None
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=RESULT_PANEL)
    ] = False
