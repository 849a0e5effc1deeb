"""The command that is being given: its whole name, and what two people answer for when they give it."""

from __future__ import annotations

from typing import Final

from click import Argument, Context, get_current_context

_LONGEST: Final = 120


def whole_name() -> str:
    """Such as "jackpot pay"."""
    return " ".join(_names(get_current_context()))


def _names(context: Context) -> list[str]:
    if context.parent is None:
        return []
    return [*_names(context.parent), str(context.info_name)]


def act(id: str = "") -> str:
    """The command with what it is about, as the second person's chain tells it; the id leads to what was done."""
    context = get_current_context()
    about = [context.params.get(str(one.name)) for one in context.command.params if isinstance(one, Argument)]
    words = [word for one in about for word in (one if isinstance(one, list | tuple) else [one]) if word is not None]
    told = " ".join([whole_name(), *map(str, words)])[:_LONGEST]
    return f"{told} (command {id})" if id else told
