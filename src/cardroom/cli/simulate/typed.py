"""The options of ``cardroom simulate`` as they are typed. What they mean is read later, with what is slow to load."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Final

import typer

from cardroom.cli.shared.numbers import Whole
from cardroom.cli.shared.options import TABLE_FILE

BEST: Final = "best"
ROUNDS, SESSIONS, PROGRESSIVE = "Rounds, held against the exact odds", "Sessions of one player", "A progressive"
PLAY = "The table and the play"
RESULT = "The result"


def _text(name: str, metavar: str, words: str, panel: str, usual: str | None = None) -> Any:
    """An option that is read in the room that it is for; ``usual`` is what holds when it is left out."""
    return typer.Option(name, metavar=metavar, help=words, rich_help_panel=panel, show_default=usual or False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """None where an option was left out."""

    game: Annotated[str | None, typer.Argument(help="A game, such as prime; may be left out with --table.")] = None
    rounds: Annotated[
        str | None, _text("--rounds", "N", "Play so many rounds with every wager: 1000000, 1e6 or 10M.", ROUNDS)
    ] = None
    wager: Annotated[str | None, _text("--wager", "WAGER", "Show this wager, line by line.", ROUNDS)] = None
    cluster: Annotated[
        str | None, _text("--cluster", "ADDRESS", "Play on the Dask cluster with this scheduler.", ROUNDS)
    ] = None
    sessions: Annotated[
        str | None, _text("--sessions", "N", "Play so many sessions: ruin, results, time on the table.", SESSIONS)
    ] = None
    bankroll: Annotated[str | None, _text("--bankroll", "DOLLARS", "What the player sits down with.", SESSIONS)] = None
    bets: Annotated[
        list[str] | None,
        _text("--bets", "SPOT=DOLLARS,…", "The wagers of every round.", SESSIONS, "lowest main wager"),
    ] = None
    hours: Annotated[str | None, _text("--hours", "H", "How long a session is at most.", SESSIONS, "4")] = None
    rounds_per_session: Annotated[
        str | None, _text("--rounds-per-session", "N", "The same in rounds, instead of hours.", SESSIONS)
    ] = None
    target: Annotated[
        str | None, _text("--target", "DOLLARS", "The bankroll with which the player leaves.", SESSIONS)
    ] = None
    progressive: Annotated[
        str | None, _text("--progressive", "WAGER", "Let this wager's meter run for years.", PROGRESSIVE)
    ] = None
    seed_money: Annotated[
        str | None,
        _text("--seed-money", "DOLLARS", "What is on the meter at first, and after each full hit.", PROGRESSIVE),
    ] = None
    contribution: Annotated[
        str | None,
        _text("--contribution", "PERCENT|CENTS", "What a wager adds to the meter: 28%, 28c or 0.28.", PROGRESSIVE),
    ] = None
    years: Annotated[str | None, _text("--years", "Y", "How long.", PROGRESSIVE, "5")] = None
    runs: Annotated[str | None, _text("--runs", "N", "How many times over.", PROGRESSIVE, "1000")] = None
    hours_a_day: Annotated[
        str | None, _text("--hours-a-day", "H", "How long the tables are open.", PROGRESSIVE, "12")
    ] = None
    seats: Annotated[
        str | None, _text("--seats", "N", "That make the wager in a round, at all linked tables.", PROGRESSIVE, "5")
    ] = None
    tables: Annotated[
        str | None, _text("--tables", "N", "Linked tables that the seats are spread over.", PROGRESSIVE, "1")
    ] = None
    pace: Annotated[
        str | None, _text("--pace", "ROUNDS", "Rounds an hour, for sessions and progressives.", PLAY, "40")
    ] = None
    table: Annotated[list[str] | None, _text("--table", "FILE.toml", TABLE_FILE, PLAY)] = None
    paytable: Annotated[
        list[str] | None, _text("--paytable", "WAGER=NAME", "Another printed table for a wager.", PLAY)
    ] = None
    decks: Annotated[
        int | None,
        typer.Option(
            metavar="N", help="How many decks, where there is a choice.", rich_help_panel=PLAY, parser=Whole()
        ),
    ] = None
    option: Annotated[
        list[str] | None, _text("--option", "NAME=VALUE", "An option of the game, such as burn=false.", PLAY)
    ] = None
    strategy: Annotated[
        str,
        _text(
            "--strategy", "best|simple|FILE.py", "How to play; a file has decide(view) or decide_all().", PLAY, "best"
        ),
    ] = BEST
    meter: Annotated[str | None, _text("--meter", "DOLLARS", "What meters show in rounds and sessions.", PLAY)] = None
    seed: Annotated[str | None, _text("--seed", "S", "The same seed gives the same result.", RESULT, "a fresh one")] = (
        None
    )
    threads: Annotated[
        str | None, _text("--threads", "N", "On so many threads, with the same result.", RESULT, "all cores")
    ] = None
    chart: Annotated[str | None, _text("--chart", "FILE.svg|png", "Draw convergence, bankroll or meter.", RESULT)] = (
        None
    )
    as_json: Annotated[
        bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=RESULT)
    ] = False
