"""What a report is made of, whatever it is printed on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

MAX_ROWS_TOGETHER: Final = 18
DIGEST: Final = "SHA-256 of the content"
"""What the digest of a document is called where it stands."""


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    text: str
    new_page: bool = False
    """Whether it begins a page on paper."""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Text; what stands between backticks is a name."""

    text: str
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Items:
    """A list in an order that matters, or not."""

    items: tuple[str, ...]
    numbered: bool = False


@dataclass(frozen=True, slots=True)
class Terms:
    """Names and what they stand for."""

    rows: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class GridColumn:
    title: str
    numeric: bool = False
    """Whether its cells are numbers with equal digits after the point, set so that the points stand under another."""
    wide: bool = False
    """Whether it takes the room that the others leave."""


def number_columns(*titles: str) -> tuple[GridColumn, ...]:
    """Columns of numbers."""
    return tuple(GridColumn(title, numeric=True) for title in titles)


@dataclass(frozen=True, slots=True)
class Grid:
    columns: tuple[GridColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    total: bool = False
    """Whether the last row sums up the others."""

    @property
    def fits_one_page(self) -> bool:
        """Whether it is short enough to stay on one page."""
        return len(self.rows) <= MAX_ROWS_TOGETHER


@dataclass(frozen=True, slots=True)
class Picture:
    svg: str
    words: str
    """What it shows, for who cannot see it."""


@dataclass(frozen=True, slots=True)
class Signatures:
    """Lines to sign on, one for each role."""

    statement: str
    roles: tuple[str, ...]


Block: TypeAlias = Heading | Paragraph | Items | Terms | Grid | Picture | Signatures


@dataclass(frozen=True, slots=True)
class Document:
    """A report that is ready to be set."""

    kind: str
    title: str
    facts: tuple[tuple[str, str], ...]
    """The block on the first page that says what this is about."""
    prepared: str
    digest: str
    content_json: str
    """The content that travels inside the file."""
    blocks: tuple[Block, ...]
    stamp: str = ""
    """What every page says at its head; empty for nothing."""
