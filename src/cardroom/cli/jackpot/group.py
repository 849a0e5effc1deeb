"""`cardroom jackpot`: its commands are loaded only when one of them runs."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMAND_APPS: Final = ("setup", "custody", "views")
"""Modules whose ``app`` has commands, in the order in which the help shows them."""


class LazyJackpotGroup(TyperGroup):
    """The commands of `cardroom jackpot`."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_load_jackpot_group().list_commands(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _load_jackpot_group().get_command(ctx, cmd_name)


@cache
def _load_jackpot_group() -> Any:
    root = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    for name in COMMAND_APPS:
        root.add_typer(_load_app(name))
    return get_command(root)


def _load_app(module: str) -> typer.Typer:
    app: typer.Typer = resolve_name(f"cardroom.cli.jackpot.{module}:app")
    return app


app = typer.Typer(cls=LazyJackpotGroup, no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""An evening, from an empty database to a paid jackpot:

- `cardroom init rosa --name "Rosa Diaz"` (then `cardroom user add` for the others)
- `cardroom jackpot print-example three-card-prime -o .`
- `cardroom jackpot add jackpot.toml --by rosa`
- `cardroom table add table.toml --by rosa`
- `cardroom tabulator press table-1 --positions 1,3,5 --by kim`
- `cardroom claim add final-four table-1 --cards "hand=Jd Qd Kd" --cards fourth=Ad --seat 3 --by kim`
- `cardroom claim pay final-four CLAIM --player "Ann Lee" --payment check --reference 1077 --by lee --second carl
  --surveillance vera --checked-at 21:40`
- `cardroom verify`
"""
)
def jackpot() -> None:
    """Manage jackpots: setup, meters, bank deposits, reconciliation.

    Every change is an event in a tamper-evident hash chain, with its postings and the user who made it. Amounts are
    dollars, such as 25 or "$1,234.56". In JSON, names that end in `cents` are whole cents; other amounts are hundredths
    of a cent.
    """
