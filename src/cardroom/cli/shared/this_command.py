"""The command that is being given: its whole name."""

from __future__ import annotations

from typing import Any

import typer


def whole_name(context: typer.Context) -> str:
    """Such as "jackpot pay"."""
    return " ".join(_names(context))


def _names(context: Any) -> list[str]:
    if context.parent is None:
        return []
    return [*_names(context.parent), str(context.info_name)]
