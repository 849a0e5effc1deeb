"""`cardroom jackpot …`: its commands are loaded when one is asked for, so that other commands do not wait for them."""

from __future__ import annotations

from functools import cache
from pkgutil import resolve_name
from typing import Any, Final

import typer
from typer.core import TyperGroup
from typer.main import get_command

COMMAND_APPS: Final = ("setup", "tabulator", "tabulator:data_logger_app", "claim", "custody", "views")
"""Modules whose ``app`` has commands, in the order in which the help shows them."""
GROUP_APPS: Final = {
    "malfunction": ("malfunction", "At the table"),
    "promotion": ("promotion", "Promotions"),
    "report": ("reports", "Reports"),
}
"""Groups of commands of their own: the module whose ``app`` they are, and the panel of the help."""


class LazyJackpotGroup(TyperGroup):
    """The commands of the jackpot system."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(_load_jackpot_group().list_commands(ctx))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        return _load_jackpot_group().get_command(ctx, cmd_name)


@cache
def _load_jackpot_group() -> Any:
    root = typer.Typer(add_completion=False, rich_markup_mode="markdown")
    for name in COMMAND_APPS:
        root.add_typer(_load_app(name))
    for group, (name, panel) in GROUP_APPS.items():
        root.add_typer(_load_app(name), name=group, rich_help_panel=panel)
    return get_command(root)


def _load_app(module: str) -> typer.Typer:
    app: typer.Typer = resolve_name(f"cardroom.cli.jackpot.{module if ':' in module else f'{module}:app'}")
    return app


app = typer.Typer(cls=LazyJackpotGroup, no_args_is_help=True, rich_markup_mode="markdown")


@app.callback(
    epilog="""An evening, from nothing to a paid jackpot:

- `cardroom people first rosa --name "Rosa Diaz"` (then `cardroom people register` for the others)
- `cardroom jackpot example three-card-prime -o .`
- `cardroom jackpot open jackpot.toml --by rosa`
- `cardroom jackpot table table.toml --by rosa`
- `cardroom jackpot tabulate table-1 --positions 1,3,5 --by kim`
- `cardroom jackpot claim final-four table-1 --cards "hand=Jd Qd Kd" --cards fourth=Ad --seat 3 --by kim`
- `cardroom jackpot pay final-four CLAIM --player "Ann Lee" --payment cheque --reference 1077 --by lee --second carl
  --surveillance vera --checked-at 21:40`
- `cardroom verify`
"""
)
def jackpot() -> None:
    """Run the Bonus Jackpot System: meters, tabulators, claims, the players' money, displays.

    Every change is an event in a chain that cannot be rewritten unnoticed, with the money that it moved, under the name
    of who did it. Amounts are dollars, such as 25 or "$1,234.56". In JSON, names that end in `cents` are whole cents;
    other amounts are hundredths of a cent.
    """
