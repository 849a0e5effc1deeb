"""Commands by their names: the module of a command is loaded when the command is asked for, and no other is."""

from __future__ import annotations

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
    "felt": "felt",
    "device": "device",
    "verify": "safekeeping",
    "backup": "safekeeping",
    "restore": "safekeeping",
}
"""Every command and group in the order of the help, with the module of `cardroom.cli` whose ``app`` has it."""

GROUPS: Final = frozenset({"people", "jackpot", "rounds", "players", "room", "day", "felt", "device"})
"""Those that have commands of their own."""


class LoadedWhenAsked(TyperGroup):
    """All commands of the house."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 (the context is asked nothing)
        return list(COMMANDS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _module(cmd_name).get_command(ctx, cmd_name) if cmd_name in COMMANDS else None


@cache
def _module(name: str) -> Any:
    """The commands of the module that has this one."""
    app: typer.Typer = import_module(f"cardroom.cli.{COMMANDS[name]}").app
    whole = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    whole.add_typer(app, name=name if name in GROUPS else None)
    return get_command(whole)
