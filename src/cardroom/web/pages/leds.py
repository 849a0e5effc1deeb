"""A sign of lights: letters seven lights high, as an LED line shows its amount and the text that runs past.

>>> lit = set_line("$1.50")
>>> lit.width, [mark.code for mark in lit.marks]
(25, [36, 49, 46, 53, 48])
>>> [row.text for row in wrapped("Not available at present", 60)]
['Not', 'available at', 'present']
>>> [[row.text for row in one] for one in phrases("Not available. No wagers  *  $1 wager", 60)]
[['Not', 'available.'], ['No wagers *'], ['$1 wager']]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

HEIGHT: Final = 7
_BLANK: Final = 3
"""Columns that stay dark between two words."""
_UNKNOWN: Final = "?"
_PARTED: Final = "  *  "
_STAR: Final = " *"
_ENDS: Final = re.compile(r"(?<=\.) ")
"""Where a sentence ends."""


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


def phrases(text: str, columns: int) -> tuple[tuple[LedRow, ...], ...]:
    """The sentences of a text that runs past, each in lines of its own. Behind the last line of a part stands the star
    that parts it from the next; it may stand out over the edge, for it is only seen in passing."""
    *before, last = text.split(_PARTED)
    return (*(one for part in before for one in _sentences(part, columns, _STAR)), *_sentences(last, columns, ""))


def _sentences(text: str, columns: int, behind: str) -> Iterator[tuple[LedRow, ...]]:
    *before, last = (wrapped(one, columns) for one in _ENDS.split(text))
    yield from before
    yield (*last[:-1], set_line(last[-1].text + behind)) if last else ()


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
