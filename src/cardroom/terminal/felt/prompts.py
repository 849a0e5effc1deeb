"""Asking: every prompt takes ``q`` to leave and ``?`` for help, and bad typing is told what would be right."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from typing import Final, TypeAlias, TypeVar

from rich.console import Console, RenderableType
from rich.segment import Segment, Segments
from rich.text import Text

from cardroom.faults import BadInput
from cardroom.terminal.palette import ASKED_AGAIN, QUIET

T = TypeVar("T")
Reader: TypeAlias = Callable[[str], str]
"""Shows a prompt and gives back the typed line; raises EOFError when nothing more will come."""

PROMPT: Final = "> "
QUIT: Final = ("q", "quit", "exit")
HELP: Final = ("?", "help")


class Leave(Exception):
    """The player gets up from the table."""


class Prompter:
    """Asks questions on a console."""

    def __init__(self, console: Console, read: Reader) -> None:
        self.console = console
        self._read = read

    def line(self) -> str:
        """One typed line; end of input and Ctrl-C mean leaving."""
        try:
            typed = self._read(PROMPT).strip()
        except (EOFError, KeyboardInterrupt):
            self.console.print()
            raise Leave from None
        if typed.lower() in QUIT:
            raise Leave
        return typed

    def ask(self, show: Callable[[], None], understand: Callable[[str], T], help_: Callable[[], RenderableType]) -> T:
        """Show the question and read until the answer is understood; a refusal shows nothing but its sentence."""
        show()
        while True:
            typed = self.line()
            if typed.lower() in HELP:
                self.read_through(help_())
                show()
                continue
            try:
                return understand(typed)
            except BadInput as fault:
                self.console.print(Text(str(fault), ASKED_AGAIN))

    def read_through(self, text: RenderableType) -> None:
        """Show something long, a screen at a time."""
        lines = self.console.render_lines(text, pad=False)
        room = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), room):
            page = lines[first : first + room]
            if self.console.is_terminal:
                self.console.clear()
            self.console.print(Segments([*chain.from_iterable((*line, Segment.line()) for line in page)]), end="")
            more = first + room < len(lines)
            self.console.print(Text("Enter shows more." if more else "Enter goes back to the table.", QUIET))
            self.line()
