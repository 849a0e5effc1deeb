"""Where typed lines come from: a keyboard, which forgets what was typed before it was asked, or a file of answers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final, TextIO

from rich.console import Console

from cardroom.terminal.felt.prompts import Reader

_LOCAL_MODES: Final = 3
"""Where a terminal's settings say whether keys are shown."""


def at_keyboard(console: Console) -> Reader:
    """A person who types. What was typed before the question stood there answers nothing."""

    def read(prompt: str) -> str:
        forget_typed_ahead(sys.stdin)
        return console.input(prompt)

    return read


@contextmanager
def nothing_echoed(keyboard: TextIO) -> Iterator[None]:
    """While something is worked out keys are not shown: they answer nothing. Ctrl-C is still heard."""
    try:
        import termios
    except ImportError:  # no such terminals on this system
        yield
        return
    if not keyboard.isatty():
        yield
        return
    before = termios.tcgetattr(keyboard)
    silent = list(before)
    silent[_LOCAL_MODES] = before[_LOCAL_MODES] & ~termios.ECHO
    termios.tcsetattr(keyboard, termios.TCSANOW, silent)
    try:
        yield
    finally:
        termios.tcsetattr(keyboard, termios.TCSANOW, before)


def forget_typed_ahead(keyboard: TextIO) -> None:
    """Empty the terminal's queue of keys that nobody has read."""
    try:
        import termios
    except ImportError:  # no such terminals on this system
        return
    if keyboard.isatty():
        termios.tcflush(keyboard, termios.TCIFLUSH)


def from_lines(console: Console, lines: Iterator[str]) -> Reader:
    """A file or a pipe: each line answers one question, and is shown as if it had been typed."""

    def read(prompt: str) -> str:
        line = next(lines, None)
        if line is None:
            raise EOFError
        console.print(f"{prompt}{line.rstrip()}", markup=False)
        return line

    return read
