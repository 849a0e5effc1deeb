"""A command that was typed wrong gets one sentence, like all bad input: an unknown name, a missing value, too much."""

from __future__ import annotations

import re
from typing import Any, Final

import typer

from cardroom.cli.shared.numbers import NotWhole
from cardroom.errors import quote, suggest_name

UsageError: Final[Any] = typer.BadParameter.__bases__[0]
"""What the parser of the command line raises."""
_BELOW_ZERO: Final = re.compile(r"-[$.0-9]")
_UNKNOWN_COMMAND: Final = re.compile(r"No such command ['\"](.*?)['\"]\.", re.DOTALL)
_TOO_MUCH: Final = re.compile(r"Got unexpected extra argument\(?s?\)? \((.*)\)", re.DOTALL)


def asks_for_help(fault: Any) -> bool:
    """Whether a group was typed without a command, which shows its help."""
    return type(fault).__name__ == "NoArgsIsHelpError"


def usage_sentence(fault: Any, program: str = "cardroom") -> str:
    """What is wrong with a command, what would be right, and what was probably meant."""
    context = fault.ctx
    name = _name(context, program)
    help_ = f"`{name} --help`"
    message = str(fault.message).removeprefix("Value error, ")
    if (option := getattr(fault, "option_name", None)) is not None:
        if hasattr(fault, "possibilities"):
            if _BELOW_ZERO.match(option):
                return (
                    f"{name} takes {option} for an option: write an amount below zero last, with two dashes in front "
                    "of it, such as `-- -5`."
                )
            return f"{name} has no option {option}: {help_} lists them.{suggest_name(option, _options(context))}"
        behind = (
            "needs a value behind it" if "requires" in message else "takes no value: leave out what stands behind it"
        )
        return f"{option} {behind}."
    if found := _UNKNOWN_COMMAND.match(message):
        meant = suggest_name(found[1], _commands(context))
        return f"There is no command {quote(f'{name} {found[1]}')}: {help_} lists them.{meant}"
    if found := _TOO_MUCH.match(message):
        return f"{name} has no place for {quote(found[1])}: leave it out, or put a text of several words in quotes."
    param = getattr(fault, "param", None)
    if param is None:
        return f"{name}: {message.rstrip('.')}. {help_} shows its options."
    flag = _flag(param)
    if hasattr(fault, "param_type"):
        return f"{name} needs {flag}: {help_} shows an example."
    if isinstance(fault, NotWhole):
        return f"{flag} {message}"
    return f"{flag}: {message.rstrip('.')}."


def _name(context: Any, program: str) -> str:
    """The command as it was typed, whatever the program's file is called."""
    if context is None or context.parent is None:
        return program
    return f"{_name(context.parent, program)} {context.info_name}"


def _commands(context: Any) -> list[str]:
    return list(context.command.list_commands(context)) if context else []


def _options(context: Any) -> list[str]:
    return [
        name for param in (context.command.params if context else ()) for name in (*param.opts, *param.secondary_opts)
    ]


def _flag(param: Any) -> str:
    """An option by its longest name, an argument as the help calls it."""
    if param.param_type_name == "option":
        return str(max(param.opts, key=len))
    return (
        str(param.metavar or param.name).strip("[]").upper() if not param.metavar else str(param.metavar).strip("[]{}")
    )
