"""The blocks of a report, for every output format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final, TypeAlias

MAX_ROWS_TOGETHER: Final = 18
DIGEST: Final = "SHA-256 of the content"
"""The label of a document's digest."""


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    new_page: bool = False
    """Whether it begins a new page on paper."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text; words in backticks are names."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A numbered or an unnumbered list."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """Names with their values."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GridColumn:
    title: str
    numeric: bool = False
    """Whether its cells are numbers with equal numbers of decimals, aligned at the decimal point."""
    wide: bool = False
    """Whether it takes the remaining width."""


def number_columns(*titles: str) -> tuple[GridColumn, ...]:
    """Columns of numbers."""
    return tuple(GridColumn(title, numeric=True) for title in titles)


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[GridColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    total: bool = False
    """Whether the last row has the totals."""

    @property
    def fits_one_page(self) -> bool:
        """Whether it is short enough to stay on one page."""
        return len(self.rows) <= MAX_ROWS_TOGETHER


@dataclass(frozen=True, slots=True)
class Picture:
    svg: str
    words: str
    """What it shows, as text for screen readers."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """Signature lines, one for each role."""

    statement: str
    roles: tuple[str, ...]


Block: TypeAlias = Heading | Paragraph | Items | Terms | Grid | Picture | Signatures


@dataclass(frozen=True, slots=True)
class Document:
    """A report, ready for layout."""

    kind: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """The facts on the first page."""
    prepared: date
    digest: str
    content_json: str
    """The content attached to the file."""
    blocks: tuple[Block, ...]
    stamp: str = ""
    """A notice at the head of every page; empty for none."""
