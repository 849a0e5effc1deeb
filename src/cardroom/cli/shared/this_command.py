"""The command that is being given: its whole name, and what two people answer for when they give it."""

from __future__ import annotations

from typing import Any, Final

import typer

_LONGEST: Final = 120


def whole_name(context: typer.Context) -> str:
    """Such as "jackpot pay"."""
    return " ".join(_names(context))


def _names(context: Any) -> list[str]:
    if context.parent is None:
        return []
    return [*_names(context.parent), str(context.info_name)]


def act(context: typer.Context, id: str) -> str:
    """The command with what it is about, as the second person's chain tells it; the id leads to what was done."""
    arguments = [one for one in context.command.params if one.param_type_name == "argument"]
    about = [context.params.get(str(one.name)) for one in arguments]
    words = [word for one in about for word in (one if isinstance(one, list | tuple) else [one]) if word is not None]
    told = " ".join([whole_name(context), *map(str, words)])[:_LONGEST]
    return f"{told} (command {id})"
