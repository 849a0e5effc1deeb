"""The output of commands: a page for people or one JSON document for programs, and an exit code.

A refusal gets the option that solves it. A wrong command line gets one sentence, like all bad input.
"""

from __future__ import annotations

import json
import os
import re
import sys
from dataclasses import dataclass
from enum import IntEnum
from typing import TYPE_CHECKING, Any, Final

import typer

from cardroom.cli.shared.options import NotWholeNumber
from cardroom.errors import BadInput, quote, suggest_name

if TYPE_CHECKING:
    from rich.console import Console, RenderableType


class ExitCode(IntEnum):
    """Exit codes that scripts can test; 0 is success."""

    CHECK_FAILED = 1
    BAD_INPUT = 2
    INTERRUPTED = 130
    """The shells' code for Ctrl-C."""


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """The output of a command."""

    data: Any
    """For programs."""
    page: RenderableType | str
    """For people. A plain text is printed without wrapping."""
    is_success: bool = True
    """False if a check failed."""

    def print(self, as_json: bool) -> None:
        """Print it, and exit with code 1 if a check failed."""
        if as_json:
            print_json(self.data)
        else:
            print_page(self.page)
        if not self.is_success:
            raise typer.Exit(ExitCode.CHECK_FAILED)


def print_json(value: object) -> None:
    """Print one JSON document."""
    # A stream without Unicode gets the same document with escapes.
    unicode = (sys.stdout.encoding or "").lower().startswith("utf")
    typer.echo(json.dumps(value, indent=2, ensure_ascii=not unicode))


def print_page(page: RenderableType | str) -> None:
    """Print a page for people."""
    if isinstance(page, str):
        typer.echo(format_for_terminal(page))
    else:
        open_console().print(page)


def open_console() -> Console:
    """The console for pages."""
    from cardroom.terminal.console import page_console

    return page_console()


def format_for_terminal(sentence: str, *, err: bool = False) -> str:
    """A sentence for the terminal. Without Unicode, suits are letters."""
    stream = sys.stderr if err else sys.stdout
    if sentence.isascii():
        return sentence
    from cardroom.terminal.console import has_unicode, to_ascii

    return sentence if has_unicode(stream, os.environ) else to_ascii(sentence)


OPTION_HINTS: Final = {
    "SecondPersonMissing": "(--second LOGIN)",
    "ReasonMissing": "(--why REASON)",
    "UnconfirmedShortage": "(--shortage DOLLARS)",
    "TableAlreadyOpen": "(cardroom table change FILE --why REASON)",
    "HandAlreadyPaid": "(--dealt-again REASON --second LOGIN)",
    "NoLoggerGap": "(leave --accept-gap out)",
    "LoggerGapPending": "(cardroom data-logger forward TABLE FILE --accept-gap --second LOGIN --why REASON)",
    "ImplausibleReading": "(--second LOGIN --why REASON)",
    "KeyNotWritable": "(--to FILE)",
    "NoTimeZones": "(--timezone UTC)",
}
"""Hints by the name of the error class, so that a refused command needs no further imports."""


def add_hint(fault: BadInput) -> str:
    """The refusal with the option that solves it.

    >>> class SecondPersonMissing(BadInput): ...
    >>> add_hint(SecondPersonMissing("A change needs two people: name a second person."))
    'A change needs two people: name a second person (--second LOGIN).'
    """
    sentence = str(fault)
    for kind in type(fault).__mro__:
        if hint := OPTION_HINTS.get(kind.__name__):
            return f"{sentence.removesuffix('.')} {hint}."
    return sentence


UsageError: Final[Any] = typer.BadParameter.__bases__[0]
"""The error class of the command-line parser."""
_NEGATIVE_AMOUNT: Final = re.compile(r"-[$.0-9]")
_UNKNOWN_COMMAND: Final = re.compile(r"No such command ['\"](.*?)['\"]\.", re.DOTALL)
_EXTRA_ARGUMENT: Final = re.compile(r"Got unexpected extra argument\(?s?\)? \((.*)\)", re.DOTALL)


def is_help_request(fault: Any) -> bool:
    """Whether a group was called without a command, which shows its help."""
    return type(fault).__name__ == "NoArgsIsHelpError"


def format_usage_error(fault: Any, program: str = "cardroom") -> str:
    """What is wrong with a command line, what is right, and a suggestion."""
    context = fault.ctx
    name = _typed_command(context, program)
    help_ = f"`{name} --help`"
    message = str(fault.message).removeprefix("Value error, ")
    if (option := getattr(fault, "option_name", None)) is not None:
        if hasattr(fault, "possibilities"):
            if _NEGATIVE_AMOUNT.match(option):
                return (
                    f"{name} reads {option} as an option: write a negative amount last, after two dashes, such as "
                    "`-- -5`."
                )
            return f"{name} has no option {option}: {help_} lists them.{suggest_name(option, _list_options(context))}"
        advice = "needs a value" if "requires" in message else "takes no value: leave the value out"
        return f"{option} {advice}."
    if match := _UNKNOWN_COMMAND.match(message):
        suggestion = suggest_name(match[1], _list_commands(context))
        return f"There is no command {quote(f'{name} {match[1]}')}: {help_} lists them.{suggestion}"
    if match := _EXTRA_ARGUMENT.match(message):
        return f"{name} does not take {quote(match[1])}: leave it out, or put quotes around a text with spaces."
    param = getattr(fault, "param", None)
    if param is None:
        return f"{name}: {message.rstrip('.')}. {help_} shows its options."
    flag = _parameter_label(param)
    if hasattr(fault, "param_type"):
        return f"{name} needs {flag}: {help_} shows an example."
    if isinstance(fault, NotWholeNumber):
        return f"{flag} {message}"
    return f"{flag}: {message.rstrip('.')}."


def _typed_command(context: Any, program: str) -> str:
    """The command's full name, whatever the name of the program's file is."""
    if context is None or context.parent is None:
        return program
    return f"{_typed_command(context.parent, program)} {context.info_name}"


def _list_commands(context: Any) -> list[str]:
    return list(context.command.list_commands(context)) if context else []


def _list_options(context: Any) -> list[str]:
    return [
        name for param in (context.command.params if context else ()) for name in (*param.opts, *param.secondary_opts)
    ]


def _parameter_label(param: Any) -> str:
    """The longest name of an option, or the name of an argument in the help."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return (
        str(param.metavar or param.name).strip("[]").upper() if not param.metavar else str(param.metavar).strip("[]{}")
    )
