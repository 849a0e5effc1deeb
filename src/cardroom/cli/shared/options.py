"""The options that commands have in common, and how a set of them becomes the end of a command."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import typer

from cardroom.cli.shared.numbers import Whole

T = TypeVar("T")
BOOKS: Final = "The books"

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Compute anew, whatever was computed before.")]
TABLE_FILE: Final = "The set-up of a table, or a paytable that nobody printed; the file says which. May be given again."
TableFile = Annotated[list[str] | None, typer.Option("--table", metavar="FILE.toml", help=TABLE_FILE)]

# For questions about odds.
Decks = Annotated[
    int | None, typer.Option(metavar="N", help="How many decks, where the game leaves a choice.", parser=Whole())
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game, such as ties=push.")
]
Bonuses = Annotated[
    list[str] | None,
    typer.Option("--bonus", metavar="EVENT=AMOUNT", help="The operator's amount on an open line, such as other=loss."),
]

# For commands on the books.
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
    typer.Option(
        "--by",
        metavar="LOGIN",
        envvar="CARDROOM_PERSON",
        help="Who does it, signing in for this one command; who is signed in when left out.",
        rich_help_panel=BOOKS,
    ),
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
JsonOfBooks = Annotated[
    bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=BOOKS)
]
JackpotName = Annotated[str, typer.Argument(metavar="JACKPOT", help="The jackpot's id.", show_default=False)]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.", show_default=False)]
Second = Annotated[
    str | None,
    typer.Option("--second", metavar="LOGIN", help="The second person, who signs in for it too.", show_default=False),
]
Why = Annotated[str, typer.Option(metavar="REASON", help="Why; the books keep it.", show_default=False)]
Level = Annotated[str | None, typer.Option(metavar="LEVEL", help="The level; may be left out where there is only one.")]
RoundId = Annotated[
    str | None, typer.Option("--round", metavar="ROUND", help="The round's own id.", show_default=False)
]


def examples(*commands: str) -> str:
    """The end of a command's help. What stands in brackets explains the command before it, and is not typed."""
    parts = (command.partition(" (") for command in commands)
    return "Examples:\n\n" + "\n".join(f"- `cardroom {typed}`{opens}{said}" for typed, opens, said in parts) + "\n"


@dataclass(frozen=True, slots=True)
class Given:
    """A command as somebody has given it."""

    context: typer.Context
    typed: dict[str, Any]
    read: Callable[..., Any]

    def understood(self) -> Any:
        """What the command's own function makes of what was typed."""
        return self.read(**self.typed)


def with_options(
    options: type[T], read: Callable[..., Any], run: Callable[[T, Given], None], without: tuple[str, ...] = ()
) -> Callable[..., None]:
    """A command that has the options of ``read`` and then those of a dataclass, whose fields are options too.

    ``read`` understands its own options; ``run`` gets the others, as that dataclass, and lets ``read`` understand when
    it is time to: who may not give a command is not told what is wrong with it. Options that the command is ``without``
    keep their default.
    """
    own = list(inspect.signature(read, eval_str=True).parameters.values())
    hints = get_type_hints(options, include_extras=True)
    shared = [
        inspect.Parameter(one.name, inspect.Parameter.KEYWORD_ONLY, default=one.default, annotation=hints[one.name])
        for one in fields(options)  # type: ignore[arg-type]
        if one.name not in without
    ]

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

    def command(context: typer.Context, **typed: Any) -> None:
        chosen = options(**{one.name: typed.pop(one.name) for one in shared})
        run(chosen, Given(context, typed, read))

    command.__name__, command.__doc__ = read.__name__, read.__doc__
    command.__signature__ = inspect.Signature([*own, *shared, context])  # type: ignore[attr-defined]
    command.__annotations__ = {one.name: one.annotation for one in (*own, *shared, context)}
    return command
