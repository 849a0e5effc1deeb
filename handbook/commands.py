"""The page of all commands, from the commands themselves: what ``--help`` says, in Markdown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from typer.main import get_command

from cardroom.cli.app import app

HERE: Final = "<!-- every command's help -->"
"""Where the page leaves room for it."""
_SHOWN_EVERYWHERE: Final = "help"


def walk(command: Any, names: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Every family of commands and every command, in the order of the help."""
    if names:
        yield names, command
    for name in command.list_commands(None) if hasattr(command, "list_commands") else ():
        below = command.get_command(None, name)
        if not below.hidden:
            yield from walk(below, (*names, name))


@cache
def whole() -> Any:
    """``cardroom`` itself, with everything below it."""
    return get_command(app)


@cache
def every_command() -> Mapping[str, Any]:
    """All of them, families too, by their whole name."""
    return {" ".join(names): command for names, command in walk(whole())}


def with_help(page: str) -> str:
    """A page with the help of every command in its place."""
    assert HERE in page, f"The page has no {HERE}"
    return page.replace(HERE, "\n".join(_section(name, command) for name, command in every_command().items()))


def _section(name: str, command: Any) -> str:
    family = hasattr(command, "list_commands")
    parts = [f"{'##' if ' ' not in name else '###'} cardroom {name}\n", _text(command.help)]
    if not family:
        parts.append(f"```text\n{usage(name, command)}\n```\n")
        parts += _table("argument", [one for one in command.params if one.param_type_name == "argument"])
        parts += _table("option", [one for one in command.params if one.param_type_name == "option"])
    if command.epilog:
        parts.append(_text(command.epilog))
    return "\n".join(parts)


def usage(name: str, command: Any) -> str:
    """How it is typed: what must be given, and that there is more.

    >>> usage("strategy", every_command()["strategy"]).split()[:3]
    ['cardroom', 'strategy', '[OPTIONS]']
    """
    arguments = [one for one in command.params if one.param_type_name == "argument"]
    words = [_metavar(one) if one.required else f"[{_metavar(one)}]" for one in arguments]
    return " ".join(["cardroom", name, "[OPTIONS]", *words])


def _table(kind: str, params: list[Any]) -> Iterator[str]:
    shown = [one for one in params if not one.hidden and one.name != _SHOWN_EVERYWHERE]
    if not shown:
        return
    rows = [(_named(one), _cell(one.help or ""), _default(one)) for one in shown]
    width = 3 if any(default for _, _, default in rows) else 2
    for row in ((kind, "what it is", "default"), ("---",) * 3, *rows):
        yield f"| {' | '.join(row[:width])} |"
    yield ""


def _named(one: Any) -> str:
    if one.param_type_name == "argument":
        return f"`{_metavar(one)}`"
    value = "" if one.is_flag else f" {_metavar(one)}"
    return ", ".join(f"`{name}{value}`" for name in (*one.opts, *one.secondary_opts))


def _metavar(one: Any) -> str:
    if one.metavar:
        return str(one.metavar)
    choices = getattr(one.type_descriptor, "choices", None)
    return "|".join(str(getattr(choice, "value", choice)) for choice in choices) if choices else one.name.upper()


def _default(one: Any) -> str:
    if one.required:
        return "needed"
    if isinstance(one.show_default, str):
        return _cell(one.show_default)
    if one.default is None or one.default is False or one.default == () or callable(one.default):
        return ""
    return "on" if one.default is True else f"`{getattr(one.default, 'value', one.default)}`"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _text(text: str | None) -> str:
    """Help as it is written for people: Typer's mark for "do not join these lines" has done its work."""
    return (text or "").replace("\b", "").strip() + "\n"
