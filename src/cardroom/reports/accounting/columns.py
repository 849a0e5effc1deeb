"""The columns of a report's tables: an attribute of the lines, its title, its kind, and where it is shown."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum


class Cell(Enum):
    """The kind of value in a column."""

    TEXT = "text"
    COUNT = "count"
    AMOUNT = "amount"
    """Hundredths of a cent."""
    TIME = "time"
    DAY = "day"
    SHARE = "share"
    """An exact fraction."""
    FREQUENCY = "frequency"
    """An exact fraction, shown as ``1 in 8.0``."""
    EXPECTED = "expected"
    """An exact expected number."""
    FLAG = "flag"
    PLAIN = "plain"
    """Values as they are stored."""

    @property
    def numeric(self) -> bool:
        return self in (Cell.COUNT, Cell.AMOUNT, Cell.SHARE, Cell.FREQUENCY, Cell.EXPECTED)


@dataclass(frozen=True, slots=True)
class ReportColumn:
    """An attribute of the lines, by its name; the title is for people."""

    name: str
    title: str
    kind: Cell = Cell.TEXT
    wide: bool = False
    """Whether it takes the remaining width."""
    files_only: bool = False
    """Whether it is only in CSV and JSON."""
    people_only: bool = False
    """Whether it is only on paper and on screen."""


def define(kind: Cell, /, **titles: str) -> tuple[ReportColumn, ...]:
    """Columns of one kind: attributes with their titles."""
    return tuple(ReportColumn(name, title, kind) for name, title in titles.items())


def texts(**titles: str) -> tuple[ReportColumn, ...]:
    return define(Cell.TEXT, **titles)


def counts(**titles: str) -> tuple[ReportColumn, ...]:
    return define(Cell.COUNT, **titles)


def amounts(**titles: str) -> tuple[ReportColumn, ...]:
    return define(Cell.AMOUNT, **titles)


def widen(columns: tuple[ReportColumn, ...]) -> tuple[ReportColumn, ...]:
    """Columns that take the remaining width."""
    return tuple(replace(column, wide=True) for column in columns)


def files_only(columns: tuple[ReportColumn, ...]) -> tuple[ReportColumn, ...]:
    """Columns only in CSV and JSON."""
    return tuple(replace(column, files_only=True) for column in columns)


def people_only(columns: tuple[ReportColumn, ...]) -> tuple[ReportColumn, ...]:
    """Columns only on paper and on screen."""
    return tuple(replace(column, people_only=True) for column in columns)
