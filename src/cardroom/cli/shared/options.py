"""Options that commands share, and parsers of whole numbers, name-value pairs, and days."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from datetime import date
from typing import Annotated, Any, Final, TypeVar, get_type_hints

import typer

from cardroom.errors import BadInput, quote

_DIGITS: Final = re.compile(r"-?[0-9]{1,30}")


class NotWholeNumber(typer.BadParameter):
    """Not a whole number, or one beyond the limits. The option's name precedes the sentence."""


class WholeNumber:
    """Parses a whole number within limits, written with the digits 0 to 9.

    >>> WholeNumber(1)("12")
    12
    >>> WholeNumber(0, 65535)("٣")
    Traceback (most recent call last):
    ...
    cardroom.cli.shared.options.NotWholeNumber: takes a whole number from 0 to 65535, not '٣'.
    """

    __name__ = "whole number"  # its name in the command-line parser

    def __init__(self, minimum: int | None = None, maximum: int | None = None) -> None:
        self._least, self._most = minimum, maximum

    def __call__(self, text: str | int) -> int:
        digits = str(text).strip()
        if _DIGITS.fullmatch(digits):
            value = int(digits)
            if (self._least is None or value >= self._least) and (self._most is None or value <= self._most):
                return value
        limits = "" if self._least is None else f" from {self._least}"
        limits += "" if self._most is None else f" to {self._most}"
        raise NotWholeNumber(f"takes a whole number{limits}, not {quote(str(text))}.")


def parse_pairs(
    texts: Iterable[str] | None, syntax_error: Callable[[str], BadInput], duplicate_error: Callable[[str], BadInput]
) -> dict[str, str]:
    """Names with values, such as ``ties=push``. The caller provides the errors for a wrong text and a repeated name.

    >>> parse_pairs(["ceiling=$20,000", "reserve = 5%"], BadInput, BadInput)
    {'ceiling': '$20,000', 'reserve': '5%'}
    """
    values: dict[str, str] = {}
    for text in texts or ():
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise syntax_error(text)
        if name in values:
            raise duplicate_error(name)
        values[name] = value
    return values


def parse_day(text: str, error_type: type[BadInput]) -> date:
    """A day such as 2026-03-02."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise error_type(f"{quote(text)} is not a date: write it as YYYY-MM-DD, such as 2026-03-02.")
    return day


T = TypeVar("T")
LEDGER_PANEL: Final = "Ledger"

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on standard output, nothing else.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Ignore cached results and compute again.")]
TABLE_FILE_HELP: Final = "A table setup or a custom paytable; the file's content decides. May be repeated."
TableFileOption = Annotated[list[str] | None, typer.Option("--table", metavar="FILE.toml", help=TABLE_FILE_HELP)]

# For requests of odds.
Decks = Annotated[
    int | None, typer.Option(metavar="N", help="The number of decks, if the game has a choice.", parser=WholeNumber())
]
GameOptions = Annotated[
    list[str] | None, typer.Option("--option", metavar="NAME=VALUE", help="An option of the game, such as ties=push.")
]
Bonuses = Annotated[
    list[str] | None,
    typer.Option("--bonus", metavar="EVENT=AMOUNT", help="The operator's amount on an open line, such as other=loss."),
]

# For commands on the ledger.
Database = Annotated[
    str | None,
    typer.Option(
        metavar="URL",
        envvar="CARDROOM_DATABASE",
        help="sqlite:///FILE.db or postgresql://…; a file in your data folder when left out.",
        rich_help_panel=LEDGER_PANEL,
    ),
]
ByLogin = Annotated[
    str | None,
    typer.Option(
        "--by",
        metavar="LOGIN",
        envvar="CARDROOM_USER",
        help="The user of this command, who signs in for it; the signed-in user when left out.",
        rich_help_panel=LEDGER_PANEL,
    ),
]
CommandId = Annotated[
    str | None,
    typer.Option(
        "--id",
        metavar="ID",
        help="Your own id: a repeated command runs only once. A random id when left out.",
        rich_help_panel=LEDGER_PANEL,
    ),
]
LedgerAsJson = Annotated[
    bool, typer.Option("--json", help="Print one JSON document, nothing else.", rich_help_panel=LEDGER_PANEL)
]
JackpotName = Annotated[str, typer.Argument(metavar="JACKPOT", help="The jackpot's id.", show_default=False)]
TableName = Annotated[str, typer.Argument(metavar="TABLE", help="The table's name.", show_default=False)]
SecondLogin = Annotated[
    str | None,
    typer.Option(
        "--second", metavar="LOGIN", help="The login of the second person, who also signs in.", show_default=False
    ),
]
ReasonOption = Annotated[
    str, typer.Option(metavar="REASON", help="The reason; the ledger stores it.", show_default=False)
]
LevelName = Annotated[
    str | None, typer.Option(metavar="LEVEL", help="The level; may be left out if there is only one.")
]
RoundId = Annotated[str | None, typer.Option("--round", metavar="ROUND", help="The round's id.", show_default=False)]

SetupFileArgument = Annotated[
    str, typer.Argument(metavar="FILE.toml", help="The setup; - is standard input.", show_default=False)
]
PositionsOption = Annotated[
    list[str],
    typer.Option(
        metavar="1,3,5",
        help="Positions with the wager: 1,3,5 or 1-6; 2:1,4 for sensor 2 (repeat the option); none.",
        show_default=False,
    ),
]
LammersOption = Annotated[
    list[str] | None,
    typer.Option(metavar="1,5", help="Positions with a lammer, if no sensor detects it.", show_default=False),
]
ReportOption = Annotated[
    str | None,
    typer.Option("--report", metavar="NUMBER", help="The open malfunction report.", show_default=False),
]
LastOption = Annotated[
    int, typer.Option(metavar="N", help="The number of entries, newest first.", parser=WholeNumber(1))
]


def examples(*commands: str) -> str:
    """The examples at the end of a command's help. Text in parentheses explains the command before it."""
    parts = (command.partition(" (") for command in commands)
    return (
        "Examples:\n\n"
        + "\n".join(f"- `cardroom {command_text}`{bracket}{remark}" for command_text, bracket, remark in parts)
        + "\n"
    )


@dataclass(frozen=True, slots=True)
class Invocation:
    """A call of a command."""

    context: typer.Context
    arguments: dict[str, Any]
    function: Callable[..., Any]

    def parse(self) -> Any:
        """The result of the command's function for these arguments."""
        return self.function(**self.arguments)


def build_command(
    options: type[T], function: Callable[..., Any], execute: Callable[[T, Invocation], None], omit: tuple[str, ...] = ()
) -> Callable[..., None]:
    """A command with the options of ``function`` and those of a dataclass.

    ``execute`` gets the dataclass and calls ``function`` after it has checked the user: a user without permission does
    not learn what is wrong with the arguments. Options in ``omit`` keep their defaults.
    """
    own_parameters = list(inspect.signature(function, eval_str=True).parameters.values())
    hints = get_type_hints(options, include_extras=True)
    shared_parameters = [
        inspect.Parameter(
            parameter.name, inspect.Parameter.KEYWORD_ONLY, default=parameter.default, annotation=hints[parameter.name]
        )
        for parameter in fields(options)  # type: ignore[arg-type]
        if parameter.name not in omit
    ]

    context = inspect.Parameter("context", inspect.Parameter.KEYWORD_ONLY, annotation=typer.Context)

    def command(context: typer.Context, **arguments: Any) -> None:
        option_values = options(**{parameter.name: arguments.pop(parameter.name) for parameter in shared_parameters})
        execute(option_values, Invocation(context, arguments, function))

    command.__name__, command.__doc__ = function.__name__, function.__doc__
    command.__signature__ = inspect.Signature([*own_parameters, *shared_parameters, context])  # type: ignore[attr-defined]
    command.__annotations__ = {
        parameter.name: parameter.annotation for parameter in (*own_parameters, *shared_parameters, context)
    }
    return command
