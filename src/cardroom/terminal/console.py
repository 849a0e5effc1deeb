"""The colors of the terminal, and pages in ASCII without Unicode.

Every drawing is readable without color. In ASCII, suits are letters, and lines and quotation marks are plain.

>>> to_ascii("10♦ A♠ ░░ “keep” ± 0.5")
'10d As ## "keep" +/- 0.5'

Only pages for people are converted; documents for programs stay unchanged.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Final, TextIO

from rich.console import Console

TABLE_GREEN: Final = "#0b5a3a"
RAIL: Final = "#b9853f"

ON_GREEN: Final = f"#eef3e6 on {TABLE_GREEN}"
LABEL: Final = f"#a9cfb4 on {TABLE_GREEN}"
GOLD: Final = f"bold #f4cf6a on {TABLE_GREEN}"
RAIL_ON_GREEN: Final = f"{RAIL} on {TABLE_GREEN}"

PLAQUE: Final = "#f4f1e4"

CARD_RED: Final = "bold #c1121f on #fbfaf4"
CARD_BLACK: Final = "bold #16181d on #fbfaf4"
CARD_JOKER: Final = "bold #7b2cbf on #fbfaf4"
CARD_EDGE: Final = "#8f8b80 on #fbfaf4"
CARD_BACK: Final = "#7fa7d6 on #1d3f72"

GOOD: Final = "bold green"
BAD: Final = "red"
NEUTRAL: Final = "bold"
QUIET: Final = "dim"
SLUG: Final = "cyan"
NUMBER: Final = "bold cyan"
COST: Final = "yellow"
HINT: Final = "bold green"
HIT: Final = "bold #16181d on #f4cf6a"
RETRY: Final = "yellow"
TITLE: Final = "bold yellow"


def net_style(cents: int) -> str:
    """Green for a gain, red for a loss."""
    return GOOD if cents > 0 else BAD if cents < 0 else NEUTRAL


def plaque_style(cents: int) -> str:
    """The same for a light plaque on the table."""
    ink = "#0a6b2f" if cents > 0 else "#b3121f" if cents < 0 else "#333333"
    return f"bold {ink} on {PLAQUE}"


_ASCII_SIGNS: Final = str.maketrans(
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


def to_ascii(text: str) -> str:
    """A text with the program's own signs as ASCII; other characters stay."""
    return text.translate(_ASCII_SIGNS)


def has_unicode(stream: TextIO, environment: Mapping[str, str]) -> bool:
    """Whether this stream can show more than ASCII.

    Python also writes UTF-8 in the C locale, whatever the terminal shows; here, that locale means ASCII.
    """
    if not (stream.encoding or "utf-8").lower().startswith("utf"):
        return False
    if environment.get("TERM") == "dumb" and stream.isatty():
        return False
    return _locale(environment).partition(".")[0] not in ("C", "POSIX") or "utf" in _locale(environment).lower()


def _locale(environment: Mapping[str, str]) -> str:
    """The requested locale; empty if there is none."""
    settings = [environment.get(name, "") for name in ("LC_ALL", "LC_CTYPE", "LANG")]
    if settings[2] in ("C", "POSIX") and settings[1] in ("C.UTF-8", "C.utf8", "UTF-8"):
        settings[1] = ""  # Python sets it at its start if the locale is C
    return next(filter(None, settings), "")


class AsciiStream:
    """A stream that converts everything to ASCII."""

    encoding: Final = "ascii"

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(to_ascii(text))

    def flush(self) -> None:
        self._stream.flush()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def fileno(self) -> int:
        return self._stream.fileno()


def page_console(*, stderr: bool = False) -> Console:
    """The console for pages."""
    stream = sys.stderr if stderr else sys.stdout
    if has_unicode(stream, os.environ):
        return Console(highlight=False, stderr=stderr)
    return Console(highlight=False, file=AsciiStream(stream))  # type: ignore[arg-type]
