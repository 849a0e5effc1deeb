"""What the commands on the books have in common: their options, and how they print."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Final

import typer

if TYPE_CHECKING:
    from rich.console import Console

ANSWER_IS_NO: Final = 1
BOOKS: Final = "The books"

Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="CARDROOM_DATABASE",
        help="sqlite:///FILE.db or postgresql://…; a file in your data folder when left out.",
        rich_help_panel=BOOKS,
    ),
]
By = Annotated[
    str | None,
    typer.Option("--by", metavar="NAME", envvar="CARDROOM_PERSON", help="Who does it.", rich_help_panel=BOOKS),
]
CommandId = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="ID",
        help="Your own id: sent twice, it is done once. A fresh one when left out.",
        rich_help_panel=BOOKS,
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=BOOKS)]
JackpotName = Annotated[str, typer.Argument(metavar="JACKPOT", help="The jackpot's id.", show_default=False)]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.", show_default=False)]
Why = Annotated[str, typer.Option(metavar="REASON", help="Why; the books keep it.", show_default=False)]
Level = Annotated[str | None, typer.Option(metavar="LEVEL", help="The level; may be left out where there is only one.")]
RoundId = Annotated[
    str | None, typer.Option("--round", metavar="ROUND", help="The round's own id.", show_default=False)
]


def examples(*commands: str) -> str:
    """The end of a command's help."""
    return "Examples:\n\n" + "\n".join(f"- `cardroom {command}`" for command in commands) + "\n"


def console() -> Console:
    """For what people read."""
    from rich.console import Console

    return Console(highlight=False)


def print_json(value: object) -> None:
    """For programs."""
    typer.echo(json.dumps(value, indent=2, ensure_ascii=False))
