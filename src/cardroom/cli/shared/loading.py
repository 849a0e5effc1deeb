"""Commands by their names: the module of a command is loaded when the command is asked for, and no other is."""

from __future__ import annotations

from copy import copy
from functools import cache
from importlib import import_module
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMANDS: Final = {
    "games": "games",
    "paytables": "games",
    "settle": "settle",
    "play": "play",
    "odds": "odds",
    "strategy": "strategy",
    "simulate": "simulate.command",
    "par": "par",
    "rng": "rng",
    "tablebase": "tablebase",
    "serve": "serve",
    "sbom": "parts",
    "licences": "parts",
    "sign-in": "sign_in",
    "sign-out": "sign_in",
    "whoami": "sign_in",
    "people": "people",
    "jackpot": "jackpot.group",
    "rounds": "rounds",
    "players": "players",
    "room": "room",
    "day": "day",
    "heads": "heads",
    "witness": "witness",
    "felt": "felt",
    "device": "device",
    "verify": "safekeeping",
    "backup": "safekeeping",
    "restore": "safekeeping",
    "key": "key",
}
"""Every command and group in the order of the help, with the module of `cardroom.cli` whose ``app`` has it."""

GROUPS: Final = frozenset(
    {
        "rng",
        "tablebase",
        "people",
        "jackpot",
        "rounds",
        "players",
        "room",
        "day",
        "heads",
        "witness",
        "felt",
        "device",
        "key",
    }
)
"""Those that have commands of their own."""


class LoadedWhenAsked(TyperGroup):
    """All commands of the house."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (the context is asked nothing)
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        if cmd_name not in COMMANDS:
            return None
        return _loaded(COMMANDS[cmd_name], cmd_name if cmd_name in GROUPS else None).get_command(ctx, cmd_name)


@cache
def _loaded(module: str, group: str | None) -> Any:
    """The commands of a module, under the name of their group if they have one."""
    whole = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    app: typer.Typer = import_module(f"cardroom.cli.{module}").app
    whole.add_typer(app if group is None else _by_its_name_only(app), name=group)
    return get_command(whole)


def _by_its_name_only(app: typer.Typer) -> typer.Typer:
    """A group with its help, whose commands are made when one of them is asked for: the help of all needs none."""
    commands: Any = cache(lambda: get_command(app))

    class Made(TyperGroup):
        def list_commands(self, ctx: Any) -> list[str]:
            return list(commands().list_commands(ctx))

        def get_command(self, ctx: Any, cmd_name: str) -> Any:
            return commands().get_command(ctx, cmd_name)

    named = typer.Typer(rich_markup_mode="markdown")
    named.info, named.registered_callback = copy(app.info), app.registered_callback
    named.info.cls = Made
    return named
