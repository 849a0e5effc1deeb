"""All commands. Each reads its options and calls a room of the house; what is slow to load is loaded inside."""

from __future__ import annotations

import sys
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from cardroom import __version__
from cardroom.cli import (
    day,
    device,
    felt,
    games,
    odds,
    par,
    parts,
    people,
    play,
    players,
    room,
    rounds,
    safekeeping,
    serve,
    settle,
    sign_in,
    strategy,
)
from cardroom.cli.jackpot import group as jackpot
from cardroom.cli.shared.answers import ExitCode, for_people
from cardroom.cli.shared.hints import told
from cardroom.cli.simulate import command as simulate
from cardroom.faults import BadInput


class SentencesForBadInput(TyperGroup):
    """Every command answers bad input with its sentence on standard error and exit code 2."""

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except BadInput as fault:
            typer.echo(for_people(told(fault), err=True), err=True)
            raise typer.Exit(ExitCode.BAD_INPUT) from None


app = typer.Typer(
    cls=SentencesForBadInput,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


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


for family in (games, settle, play, odds, strategy, simulate, par, serve, parts, sign_in):
    app.add_typer(family.app)
app.add_typer(people.app, name="people")
app.add_typer(jackpot.app, name="jackpot")
app.add_typer(rounds.app, name="rounds")
app.add_typer(players.app, name="players")
app.add_typer(room.app, name="room")
app.add_typer(day.app, name="day")
app.add_typer(felt.app, name="felt")
app.add_typer(device.app, name="device")
app.add_typer(safekeeping.app)


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a suit sign never stops a command
    app()
