"""The letters of an LED sign, seven lights high, for signs on pages and in pictures.

>>> row = set_row("$1.50")
>>> row.width, [glyph.letter for glyph in row.glyphs]
(25, ['$', '1', '.', '5', '0'])
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Final, NamedTuple

HEIGHT: Final = 7
_BLANK: Final = 3
"""Unlit columns between two words."""
_UNKNOWN: Final = "?"


class LedGlyph(NamedTuple):
    """A letter and its first column."""

    x: int
    letter: str

    @property
    def code(self) -> int:
        """The character code."""
        return ord(self.letter)


class LedRow(NamedTuple):
    """One line of letters."""

    text: str
    width: int
    glyphs: tuple[LedGlyph, ...]


@cache
def led_letters() -> Mapping[str, tuple[tuple[int, int], ...]]:
    """The lights of every letter: their columns and rows."""
    return {
        letter: tuple((x, y) for y, row in enumerate(rows) for x, light in enumerate(row) if light == "#")
        for letter, rows in _letter_rows().items()
    }


@cache
def _letter_rows() -> Mapping[str, tuple[str, ...]]:
    lines = (files("cardroom.reports") / "led_letters.txt").read_text("utf-8").splitlines()
    return {letter: tuple(rows) for letter, *rows in (line.split(" ") for line in lines)}


def set_row(text: str) -> LedRow:
    """A text as one line. A letter that the sign does not have becomes a question mark."""
    glyphs, x = list[LedGlyph](), 0
    for letter in text:
        if letter == " ":
            x += _BLANK
            continue
        known_letter = letter if letter in _letter_rows() else _UNKNOWN
        glyphs.append(LedGlyph(x, known_letter))
        x += len(_letter_rows()[known_letter][0]) + 1
    return LedRow(text, max(x - 1, 0), tuple(glyphs))
