"""Pages where there is no Unicode: suits as letters, lines and quotation marks as every terminal has them.

>>> spelled("10♦ A♠ ░░ “keep” ± 0.5")
'10d As ## "keep" +/- 0.5'

Only what people read is spelled out; documents for programs stay as they are.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from rich.console import Console

_LETTERS: Final = str.maketrans(
    {
        **dict(zip("♣♦♥♠★●▶░•·", "cdhs*o>#*.", strict=True)),
        **dict(zip("─━═╌│┃║", "----|||", strict=True)),
        **dict.fromkeys("╭╮╰╯┌┐└┘├┤┬┴┼┏┓┗┛┣┫┳┻╋╞╡╪╴╶╸╺", "+"),
        **dict(zip("“”‘’–—−×", "\"\"''---x", strict=True)),
        "…": "...",
        "±": "+/-",
        "→": "->",
        "≤": "<=",
        "≥": ">=",
    }
)


def spelled(text: str) -> str:
    """A text with the signs of this house as plain letters; what is not ASCII beyond them stays."""
    return text.translate(_LETTERS)


def has_unicode(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether whoever reads this stream can read more than ASCII.

    Python writes UTF-8 in the C locale too, whatever the terminal shows; who asks for that locale is taken at the word.
    """
    if not (stream.encoding or "utf-8").lower().startswith("utf"):
        return False
    if environment.get("TERM") == "dumb" and stream.isatty():
        return False
    return _locale(environment).partition(".")[0] not in ("C", "POSIX") or "utf" in _locale(environment).lower()


def _locale(environment: Mapping[str, str]) -> str:
    """The locale that was asked for; empty when none was."""
    asked = [environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if asked[2] in ("C", "POSIX") and asked[1] in ("C.UTF-8", "C.utf8", "UTF-8"):
        asked[1] = ""  # Python itself sets it so at its start when the locale is C
    return next(filter(None, asked), "")


class Spelled:
    """A stream on which everything is spelled out."""

    encoding: Final = "ascii"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(spelled(text))

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def page_console(*, stderr: bool = False) -> Console:
    """Where pages for people are printed."""
    stream = sys.stderr if stderr else sys.stdout
    if has_unicode(stream, os.environ):
        return Console(highlight=False, stderr=stderr)
    return Console(highlight=False, file=Spelled(stream))  # type: ignore[arg-type]
