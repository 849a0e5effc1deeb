"""Columns that fit the width of the terminal: nothing is cut off, and no number is broken over two lines.

Texts are broken between words. If the columns do not fit side by side, the widest texts move below their row, and
further columns continue in the next line.

>>> from rich.console import Console
>>> headings = [ColumnHeading("Table"), ColumnHeading("Win", ColumnAlign.RIGHT)]
>>> sheet = TextColumns(headings, [("prime-1", "1,234.50"), ("duel-1", "7.00")])
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

from cardroom.terminal.console import QUIET

CellText: TypeAlias = str | Text

GAP: Final = 2
EDGE: Final = 1
CONTINUATION_INDENT: Final = 4
"""The indent of a line that continues a row."""
READABLE_WIDTH: Final = 12
"""The minimum width of a column with a longer text."""
READABLE_SENTENCE_WIDTH: Final = 34


class ColumnAlign(Enum):
    """The alignment of a column."""

    LEFT = "left"
    RIGHT = "right"
    """For numbers, which are never broken."""
    NO_WRAP = "whole"
    """Left-aligned and never broken, such as a time."""
    SENTENCE = "sentence"
    """Takes the remaining width, or a line of its own."""


class ColumnHeading(NamedTuple):
    """The title and alignment of a column."""

    title: str
    align: ColumnAlign = ColumnAlign.LEFT


@dataclass(frozen=True, slots=True)
class _Column:
    index: int
    heading: ColumnHeading
    minimum: int
    ideal: int


_Band: TypeAlias = list[_Column]


@dataclass(frozen=True)
class TextColumns:
    """Rows under headings, with an optional total row."""

    headings: Sequence[ColumnHeading]
    rows: Sequence[Sequence[CellText]]
    total: Sequence[CellText] | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        width = options.max_width
        bands = self._bands(width - EDGE)
        titles = [Text(heading.title, QUIET) for heading in self.headings]
        yield from self._row(titles, bands, width)
        rule = max(_width(band) + _indent(number) for number, band in enumerate(bands))
        yield Text(" " * EDGE + "─" * min(rule, width - EDGE), QUIET)
        for row in self.rows:
            yield from self._row(row, bands, width)
        if self.total is not None:
            yield Text(" " * EDGE + "─" * min(rule, width - EDGE), QUIET)
            yield from self._row([Text(_plain_text(cell), "bold") for cell in self.total], bands, width)

    def _bands(self, room: int) -> list[_Band]:
        """The columns by line, with their widths."""
        columns = [self._column(index, heading, room) for index, heading in enumerate(self.headings)]
        if _width(columns) <= room:
            return [_distribute_width(columns, room)]
        sentences = [
            sentence
            for sentence in columns
            if sentence.heading.align is ColumnAlign.SENTENCE and sentence.ideal > READABLE_WIDTH
        ]
        bands: list[_Band] = [[]]
        for column in columns:
            if column in sentences:
                continue
            band_room = room - _indent(len(bands) - 1)
            if bands[-1] and _width([*bands[-1], column]) > band_room:
                bands.append([])
            bands[-1].append(column)
        bands = [band for band in [*bands, *([sentence] for sentence in sentences)] if band]
        return [_distribute_width(band, room - _indent(number)) for number, band in enumerate(bands)]

    def _column(self, index: int, heading: ColumnHeading, room: int) -> _Column:
        rows = [*self.rows, *([] if self.total is None else [self.total])]
        lines = [line for row in rows for line in _plain_text(row[index]).split("\n")]
        ideal = max(map(len, lines), default=0)
        if heading.align in (ColumnAlign.LEFT, ColumnAlign.SENTENCE):
            word = max((len(word) for line in lines for word in line.split()), default=0)
            readable = READABLE_SENTENCE_WIDTH if heading.align is ColumnAlign.SENTENCE else READABLE_WIDTH
            minimum = max(word, min(ideal, readable))
        else:
            minimum = ideal
        minimum = max(minimum, *map(len, heading.title.split()), 0)
        ideal = max(ideal, len(heading.title))
        maximum = room - CONTINUATION_INDENT
        return _Column(index, heading, min(minimum, maximum), min(ideal, maximum))

    def _row(self, row: Sequence[CellText], bands: Sequence[_Band], width: int) -> Iterator[Text]:
        for number, band in enumerate(bands):
            cells = [_wrap_cell(row[column.index], column) for column in band]
            if number and not any(any(cell) for cell in cells):
                continue
            for line in range(max(map(len, cells))):
                yield _line(
                    [(column, cell, line) for column, cell in zip(band, cells, strict=True)], row, number, width
                )


def _line(cells: Sequence[tuple[_Column, list[str], int]], row: Sequence[CellText], number: int, width: int) -> Text:
    text = Text(" " * (EDGE + _indent(number)), no_wrap=True, overflow="ignore", end="\n")
    for position, (column, cell, line) in enumerate(cells):
        cell_line = cell[line] if line < len(cell) else ""
        right = column.heading.align is ColumnAlign.RIGHT
        style = row[column.index].style if isinstance(row[column.index], Text) else ""  # type: ignore[union-attr]
        text.append(" " * GAP if position else "")
        text.append(cell_line.rjust(column.ideal) if right else cell_line.ljust(column.ideal), style)
    text.rstrip()
    assert len(text) <= width
    return text


def _wrap_cell(cell: CellText, column: _Column) -> list[str]:
    """The lines of a cell."""
    return [
        line
        for part in _plain_text(cell).split("\n")
        for line in wrap(part, column.ideal, break_on_hyphens=False) or [""]
    ]


def _plain_text(cell: CellText) -> str:
    return cell.plain if isinstance(cell, Text) else cell


def _indent(number: int) -> int:
    return CONTINUATION_INDENT if number else 0


def _width(band: Sequence[_Column]) -> int:
    return sum(column.minimum for column in band) + GAP * (len(band) - 1)


def _distribute_width(band: _Band, room: int) -> _Band:
    """The columns of a line with the spare width, which sentences get last."""
    spare = room - _width(band)
    widths: dict[int, int] = {}
    for column in sorted(band, key=lambda column: column.heading.align is ColumnAlign.SENTENCE):
        extra = min(spare, column.ideal - column.minimum)
        widths[column.index] = column.minimum + extra
        spare -= extra
    return [_Column(column.index, column.heading, widths[column.index], widths[column.index]) for column in band]
