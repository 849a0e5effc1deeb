"""The command line: every command by its name. The module of a command is loaded only when the command runs."""

from __future__ import annotations

import sys
from copy import copy
from functools import cache
from pkgutil import resolve_name
from typing import Annotated, Any, Final, cast

import typer
from typer.core import TyperGroup, TyperOption
from typer.main import get_command

from cardroom import __version__
from cardroom.cli.shared.output import (
    ExitCode,
    UsageError,
    add_hint,
    format_for_terminal,
    format_usage_error,
    is_help_request,
)
from cardroom.errors import BadInput


def _hide_flag_types() -> None:
    """Show flags in the help without a type: `--json`, not `--json <bool>`."""
    display_type = getattr(TyperOption, "display_type_rich", None)  # older versions of Typer show none

    def display_type_rich(option: TyperOption, ctx: Any) -> str | None:
        return None if option.is_flag or display_type is None else display_type(option, ctx)

    setattr(TyperOption, "display_type_rich", display_type_rich)  # noqa: B010 (mypy allows no assignment to a method)


_hide_flag_types()

COMMAND_MODULES: Final = {
    "games": "games",
    "paytables": "games",
    "settle": "games:settle_app",
    "play": "games:play_app",
    "odds": "odds",
    "strategy": "odds:strategy_app",
    "simulate": "odds:simulate_app",
    "par": "odds:par_app",
    "rng": "rng",
    "tablebase": "tablebase",
    "serve": "serve",
    "dependency": "dependency",
    "init": "user:init_app",
    "sign-in": "user:sign_in_app",
    "sign-out": "user:sign_in_app",
    "whoami": "user:sign_in_app",
    "user": "user",
    "jackpot": "jackpot.group",
    "tabulator": "tabulator",
    "reading": "tabulator:reading_app",
    "data-logger": "data_logger",
    "claim": "claim",
    "prize": "prize",
    "display": "display",
    "malfunction": "malfunction",
    "promotion": "promotion",
    "report": "report",
    "rounds": "rounds",
    "player": "player",
    "room": "room",
    "day": "room:day_app",
    "heads": "heads",
    "witness": "heads:witness_app",
    "table": "table",
    "device": "device",
    "verify": "backup",
    "backup": "backup",
    "restore": "backup",
    "key": "key",
}
"""Every command and group in the order of the help, with the module of `cardroom.cli` whose ``app`` has it."""

GROUP_NAMES: Final = frozenset(
    {
        *("rng", "tablebase", "dependency", "user", "jackpot", "tabulator", "reading", "data-logger", "claim", "prize"),
        *("display", "malfunction", "promotion", "report", "rounds", "player", "room", "day", "heads", "witness"),
        *("table", "device", "key"),
    }
)
"""Names that contain commands of their own."""


class LazyCommandGroup(TyperGroup):
    """All commands of the program."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (click passes it)
        return list(COMMAND_MODULES)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMAND_MODULES:
            return None
        return _load_group(COMMAND_MODULES[cmd_name], cmd_name if cmd_name in GROUP_NAMES else None).get_command(
            ctx, cmd_name
        )


@cache
def _load_group(module: str, group: str | None) -> Any:
    """The commands of a module, in their group if they have one."""
    root = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    app: typer.Typer = resolve_name(f"cardroom.cli.{module if ':' in module else f'{module}:app'}")
    root.add_typer(app if group is None else _make_lazy_group(app), name=group)
    return get_command(root)


def _make_lazy_group(app: typer.Typer) -> typer.Typer:
    """A group that has its help at once and builds its commands when one of them is needed."""
    commands: Any = cache(lambda: get_command(app))

    class LazyGroup(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands().list_commands(ctx))

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            return commands().get_command(ctx, cmd_name)

    group = typer.Typer(rich_markup_mode="markdown")
    group.info, group.registered_callback = copy(app.info), app.registered_callback
    group.info.cls = LazyGroup
    return group


class CardroomGroup(LazyCommandGroup):
    """Bad input prints one sentence on standard error and ends with exit code 2, in every command."""

    def make_context(self, *args: Any, **extra: Any) -> Any:
        try:
            return super().make_context(*args, **extra)
        except UsageError as fault:
            raise _usage_exit(fault) from None

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except UsageError as fault:
            raise _usage_exit(fault) from None
        except BadInput as fault:
            typer.echo(format_for_terminal(add_hint(fault), err=True), err=True)
            raise typer.Exit(ExitCode.BAD_INPUT) from None


def _usage_exit(fault: Any) -> Exception:
    if is_help_request(fault):
        return cast(Exception, fault)
    typer.echo(format_for_terminal(format_usage_error(fault), err=True), err=True)
    return typer.Exit(ExitCode.BAD_INPUT)


app = typer.Typer(
    cls=CardroomGroup,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(is_requested: bool) -> None:
    if is_requested:
        typer.echo(f"cardroom {__version__}")
        raise typer.Exit


@app.callback()
def root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Cardroom plays, prices, and accounts for five house-banked table games approved in Washington State.

    Exit codes: 0 success, 1 a check failed, 2 bad input.
    """


def main() -> None:
    """Run the command line."""
    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(errors="replace")  # type: ignore[union-attr]  # a terminal without suit signs gets "?"
    app()
