"""Columns that fit the width of the terminal: nothing is cut off, and no number is broken over two lines.

Texts are broken between words. Where all columns do not fit beside one another, the widest texts stand below their row,
and what is still too much goes on in the next line.

>>> from rich.console import Console
>>> sheet = Columns([Heading("Table"), Heading("Win", Align.RIGHT)], [("prime-1", "1,234.50"), ("duel-1", "7.00")])
>>> Console(width=40).print(sheet)
 Table         Win
 ─────────────────
 prime-1  1,234.50
 duel-1       7.00
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from textwrap import wrap
from typing import Final, NamedTuple, TypeAlias

from rich.console import Console, ConsoleOptions, RenderResult
from rich.text import Text

from cardroom.terminal.palette import QUIET

CellText: TypeAlias = str | Text

GAP: Final = 2
EDGE: Final = 1
GOES_ON: Final = 4
"""How far a line is moved in that goes on with a row."""
READABLE: Final = 12
"""A text that is longer has at least so much room."""
READABLE_SENTENCE: Final = 34


class Align(Enum):
    """How a column stands."""

    LEFT = "left"
    RIGHT = "right"
    """Numbers: never broken."""
    WHOLE = "whole"
    """At the left, and never broken, such as a time."""
    SENTENCE = "sentence"
    """Takes the room that the others leave, or a line of its own."""


class Heading(NamedTuple):
    """The title of a column, and how the column stands."""

    title: str
    align: Align = Align.LEFT


@dataclass(frozen=True, slots=True)
class _Column:
    at: int
    heading: Heading
    least: int
    ideal: int


_Band: TypeAlias = list[_Column]


@dataclass(frozen=True)
class Columns:
    """Rows under headings, and perhaps a last one that sums them up."""

    headings: Sequence[Heading]
    rows: Sequence[Sequence[CellText]]
    total: Sequence[CellText] | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        bands = self._bands(width - EDGE)
        titles = [Text(one.title, QUIET) for one in self.headings]
        yield from self._row(titles, bands, width)
        rule = max(_width(band) + _moved_in(number) for number, band in enumerate(bands))
        yield Text(" " * EDGE + "─" * min(rule, width - EDGE), QUIET)
        for row in self.rows:
            yield from self._row(row, bands, width)
        if self.total is not None:
            yield Text(" " * EDGE + "─" * min(rule, width - EDGE), QUIET)
            yield from self._row([Text(_plain(cell), "bold") for cell in self.total], bands, width)

    def _bands(self, room: int) -> list[_Band]:
        """The columns that stand beside one another, line by line; with as much room as there is."""
        columns = [self._column(at, heading, room) for at, heading in enumerate(self.headings)]
        if _width(columns) <= room:
            return [_spread(columns, room)]
        sentences = [one for one in columns if one.heading.align is Align.SENTENCE and one.ideal > READABLE]
        bands: list[_Band] = [[]]
        for column in columns:
            if column in sentences:
                continue
            left = room - _moved_in(len(bands) - 1)
            if bands[-1] and _width([*bands[-1], column]) > left:
                bands.append([])
            bands[-1].append(column)
        bands = [band for band in [*bands, *([one] for one in sentences)] if band]
        return [_spread(band, room - _moved_in(number)) for number, band in enumerate(bands)]

    def _column(self, at: int, heading: Heading, room: int) -> _Column:
        rows = [*self.rows, *([] if self.total is None else [self.total])]
        lines = [line for row in rows for line in _plain(row[at]).split("\n")]
        ideal = max(map(len, lines), default=0)
        if heading.align in (Align.LEFT, Align.SENTENCE):
            word = max((len(word) for line in lines for word in line.split()), default=0)
            readable = READABLE_SENTENCE if heading.align is Align.SENTENCE else READABLE
            least = max(word, min(ideal, readable))
        else:
            least = ideal
        least = max(least, *map(len, heading.title.split()), 0)
        ideal = max(ideal, len(heading.title))
        most = room - GOES_ON
        return _Column(at, heading, min(least, most), min(ideal, most))

    def _row(self, row: Sequence[CellText], bands: Sequence[_Band], width: int) -> Iterator[Text]:
        for number, band in enumerate(bands):
            cells = [_broken(row[one.at], one) for one in band]
            if number and not any(any(cell) for cell in cells):
                continue
            for line in range(max(map(len, cells))):
                yield _line([(one, cell, line) for one, cell in zip(band, cells, strict=True)], row, number, width)


def _line(placed: Sequence[tuple[_Column, list[str], int]], row: Sequence[CellText], number: int, width: int) -> Text:
    text = Text(" " * (EDGE + _moved_in(number)), no_wrap=True, overflow="ignore", end="\n")
    for at, (column, cell, line) in enumerate(placed):
        told = cell[line] if line < len(cell) else ""
        right = column.heading.align is Align.RIGHT
        style = row[column.at].style if isinstance(row[column.at], Text) else ""  # type: ignore[union-attr]
        text.append(" " * GAP if at else "")
        text.append(told.rjust(column.ideal) if right else told.ljust(column.ideal), style)
    text.rstrip()
    assert len(text) <= width
    return text


def _broken(cell: CellText, column: _Column) -> list[str]:
    """The lines of a cell."""
    return [
        line for part in _plain(cell).split("\n") for line in wrap(part, column.ideal, break_on_hyphens=False) or [""]
    ]


def _plain(cell: CellText) -> str:
    return cell.plain if isinstance(cell, Text) else cell


def _moved_in(number: int) -> int:
    return GOES_ON if number else 0


def _width(band: Sequence[_Column]) -> int:
    return sum(one.least for one in band) + GAP * (len(band) - 1)


def _spread(band: _Band, room: int) -> _Band:
    """The columns of a line with the room that is left: those that want more get it, sentences last."""
    left = room - _width(band)
    wide: dict[int, int] = {}
    for one in sorted(band, key=lambda one: one.heading.align is Align.SENTENCE):
        more = min(left, one.ideal - one.least)
        wide[one.at] = one.least + more
        left -= more
    return [_Column(one.at, one.heading, wide[one.at], wide[one.at]) for one in band]
