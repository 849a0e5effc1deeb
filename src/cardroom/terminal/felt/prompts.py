"""Asking: every prompt takes ``q`` to leave and ``?`` for help, and bad typing is told what would be right."""

from __future__ import annotations

from collections.abc import Callable, Mapping
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
Keys: TypeAlias = Mapping[str, Callable[[], None]]
"""What may be typed besides an answer, and what it does; the question is then shown again."""

PROMPT: Final = "> "
QUIT: Final = ("q", "quit", "exit")
YES: Final = ("y", "yes")
NO: Final = ("n", "no", "")


class Leave(Exception):
    """The player wants to get up from the table."""


class Gone(Leave):
    """Nothing more will ever be typed: nobody can be asked whether that is meant."""


class Prompter:
    """Asks questions on a console."""

    def __init__(self, console: Console, read: Reader) -> None:
        self.console = console
        self._read = read

    def line(self) -> str:
        """One typed line; end of input and Ctrl-C mean leaving."""
        try:
            typed = self._read(PROMPT).strip()
        except EOFError:
            self.console.print()
            raise Gone from None
        except KeyboardInterrupt:
            self.console.print()
            raise Leave from None
        if typed.lower() in QUIT:
            raise Leave
        return typed

    def ask(self, show: Callable[[], None], understand: Callable[[str], T], keys: Keys) -> T:
        """Show the question and read until the answer is understood; a refusal shows nothing but its sentence."""
        show()
        while True:
            typed = self.line()
            try:
                if typed.lower() in keys:
                    keys[typed.lower()]()
                    show()
                    continue
                return understand(typed)
            except BadInput as fault:
                self.console.print(Text(str(fault), ASKED_AGAIN))

    def is_sure(self, sentence: str) -> bool:
        """Ask whether leaving is meant; Enter stays, a second Ctrl-C leaves."""

        def show() -> None:
            self.console.print(Text.assemble((sentence, ASKED_AGAIN), (" y leaves · Enter stays", QUIET)), end=" ")

        def understand(typed: str) -> bool:
            if typed.lower() in (*YES, *NO):
                return typed.lower() in YES
            raise BadInput(f"{typed!r} is neither yes nor no: type y to leave, or press Enter to stay.")

        try:
            return self.ask(show, understand, {})
        except Leave:
            return True

    def read_through(self, text: RenderableType) -> None:
        """Show something long, a screen at a time; q leaves the pages, not the table."""
        lines = self.console.render_lines(text, pad=False)
        room = self.console.height - 2 if self.console.is_terminal else len(lines)
        for first in range(0, len(lines), room):
            page = lines[first : first + room]
            if self.console.is_terminal:
                self.console.clear()
            self.console.print(Segments([*chain.from_iterable((*line, Segment.line()) for line in page)]), end="")
            more = first + room < len(lines)
            told = "Enter shows more · q goes back to the table" if more else "Enter goes back to the table"
            self.console.print(Text(told, QUIET), end=" ")
            try:
                self.line()
            except Gone:
                raise
            except Leave:
                return
