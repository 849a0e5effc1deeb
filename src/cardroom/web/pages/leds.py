"""A sign of lights: letters seven lights high, as an LED line shows its amount and the text that runs past.

>>> lit = set_line("$1.50")
>>> lit.width, [mark.code for mark in lit.marks]
(25, [36, 49, 46, 53, 48])
>>> [row.text for row in wrapped("Not available at present", 60)]
['Not', 'available at', 'present']
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

HEIGHT: Final = 7
_BLANK: Final = 3
"""Columns that stay dark between two words."""
_UNKNOWN: Final = "?"


class Mark(NamedTuple):
    """A letter, and the column at which it begins."""

    x: int
    code: int


class LedRow(NamedTuple):
    """One line of letters."""

    text: str
    width: int
    marks: tuple[Mark, ...]


@cache
def glyphs() -> Mapping[str, tuple[str, ...]]:
    """Every letter that the sign has, row by row."""
    lines = (Path(__file__).with_name("leds.txt")).read_text("utf-8").splitlines()
    return {letter: tuple(rows) for letter, *rows in (line.split(" ") for line in lines)}


@cache
def drawn() -> tuple[tuple[int, str], ...]:
    """Each letter by its number, as a path of dots: lines without length, whose ends are round."""
    return tuple((ord(letter), _path(rows)) for letter, rows in glyphs().items())


def _path(rows: Iterable[str]) -> str:
    lights = ((x, y) for y, row in enumerate(rows) for x, light in enumerate(row) if light == "#")
    return "".join(f"M{x}.5 {y}.5h0" for x, y in lights)


def set_line(text: str) -> LedRow:
    """A text as one line; a letter that the sign does not have is a question mark."""
    marks, x = list[Mark](), 0
    for letter in text:
        if letter == " ":
            x += _BLANK
            continue
        known = letter if letter in glyphs() else _UNKNOWN
        marks.append(Mark(x, ord(known)))
        x += len(glyphs()[known][0]) + 1
    return LedRow(text, max(x - 1, 0), tuple(marks))


def wrapped(text: str, columns: int) -> tuple[LedRow, ...]:
    """A text in lines that are no wider than the sign, broken between words."""
    return tuple(map(set_line, _lines(text, columns)))


def _lines(text: str, columns: int) -> Iterator[str]:
    line = ""
    for word in text.split():
        longer = f"{line} {word}".lstrip()
        if line and set_line(longer).width > columns:
            yield line
            longer = word
        line = longer
    if line:
        yield line
