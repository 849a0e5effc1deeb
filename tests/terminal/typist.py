"""A player made of typed lines, at a console that keeps what was shown."""

from __future__ import annotations

import io
from collections.abc import Iterable

from rich.console import Console

from cardroom.terminal.client.prompts import Reader


def quiet_console(width: int = 100, height: int = 40) -> Console:
    return Console(file=io.StringIO(), width=width, height=height, highlight=False)


def shown(console: Console) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def typed(console: Console, lines: Iterable[str]) -> Reader:
    """Types the lines one after the other and then closes the input, as Ctrl-D does."""
    left = iter(lines)

    def read(prompt: str) -> str:
        for line in left:
            console.print(f"{prompt}{line}", markup=False)
            return line
        raise EOFError

    return read
