"""All commands. Each reads its options and calls a room of the house; its module is loaded when it is given."""

from __future__ import annotations

import sys
from typing import Annotated, Any, cast

import typer

from cardroom import __version__
from cardroom.cli.shared.answers import ExitCode, for_people
from cardroom.cli.shared.hints import told
from cardroom.cli.shared.loading import LoadedWhenAsked
from cardroom.cli.shared.usage import UsageError, asks_for_help, usage_sentence
from cardroom.errors import BadInput


class SentencesForBadInput(LoadedWhenAsked):
    """Every command answers bad input with its sentence on standard error and exit code 2, however it was typed."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().make_context(*args, **extra)
        except UsageError as fault:
            raise _refused(fault) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as fault:
            raise _refused(fault) from None
        except BadInput as fault:
            typer.echo(for_people(told(fault), err=True), err=True)
            raise typer.Exit(ExitCode.BAD_INPUT) from None


def _refused(fault: Any) -> Exception:
    if asks_for_help(fault):
        return cast(Exception, fault)
    typer.echo(for_people(usage_sentence(fault), err=True), err=True)
    return typer.Exit(ExitCode.BAD_INPUT)


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


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a suit sign never stops a command
    app()
