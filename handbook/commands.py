"""The page of all commands: the text of ``--help`` as Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from typer.main import get_command

from cardroom.cli.app import app

HELP_MARK: Final = "<!-- every command's help -->"
"""The place of the help on the page."""
_HELP_OPTION: Final = "help"


def walk(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every group of commands and every command, in the order of the help."""
    if names:
        yield names, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        subcommand = command.get_command(None, name)
        if not subcommand.hidden:
            yield from walk(subcommand, (*names, name))


@cache
def root_command() -> Any:
    """``cardroom`` itself, with everything below it."""
    return get_command(app)


@cache
def every_command() -> Mapping[str, Any]:
    """All commands and groups, by their full name."""
    return {" ".join(names): command for names, command in walk(root_command())}


def insert_help(page: str) -> str:
    """A page with the help of every command in its place."""
    assert HELP_MARK in page, f"The page has no {HELP_MARK}"
    return page.replace(HELP_MARK, "\n".join(_section(name, command) for name, command in every_command().items()))


def _section(name: str, command: Any) -> str:
    is_group = hasattr(command, "list_commands")
    parts = [f"{'##' if ' ' not in name else '###'} cardroom {name}\n", _text(command.help)]
    if not is_group:
        parts.append(f"```text\n{usage(name, command)}\n```\n")
        parts += _table("argument", [param for param in command.params if param.param_type_name == "argument"])
        parts += _table("option", [param for param in command.params if param.param_type_name == "option"])
    if command.epilog:
        parts.append(_text(command.epilog))
    return "\n".join(parts)


def usage(name: str, command: Any) -> str:
    """How to type it: its arguments, and that there are options.

    >>> usage("strategy", every_command()["strategy"]).split()[:3]
    ['cardroom', 'strategy', '[OPTIONS]']
    """
    arguments = [param for param in command.params if param.param_type_name == "argument"]
    words = [_metavar(param) if param.required else f"[{_metavar(param)}]" for param in arguments]
    return " ".join(["cardroom", name, "[OPTIONS]", *words])


def _table(kind: str, params: list[Any]) -> Iterator[str]:
    shown = [param for param in params if not param.hidden and param.name != _HELP_OPTION]
    if not shown:
        return
    rows = [(_names(param), _cell(param.help or ""), _default(param)) for param in shown]
    width = 3 if any(default for _, _, default in rows) else 2
    for row in ((kind, "meaning", "default"), ("---",) * 3, *rows):
        yield f"| {' | '.join(row[:width])} |"
    yield ""


def _names(param: Any) -> str:
    if param.param_type_name == "argument":
        return f"`{_metavar(param)}`"
    value = "" if param.is_flag else f" {_metavar(param)}"
    return ", ".join(f"`{name}{value}`" for name in (*param.opts, *param.secondary_opts))


def _metavar(param: Any) -> str:
    if param.metavar:
        return str(param.metavar)
    choices = getattr(param.type_descriptor, "choices", None)
    return "|".join(str(getattr(choice, "value", choice)) for choice in choices) if choices else param.name.upper()


def _default(param: Any) -> str:
    if param.required:
        return "needed"
    if isinstance(param.show_default, str):
        return _cell(param.show_default)
    if param.default is None or param.default is False or param.default == () or callable(param.default):
        return ""
    return "on" if param.default is True else f"`{getattr(param.default, 'value', param.default)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _text(text: str | None) -> str:
    """Help without Typer's mark for "do not join these lines"."""
    return (text or "").replace("\b", "").strip() + "\n"
