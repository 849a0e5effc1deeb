"""The printed tables as the rule sheets lay them out: the columns of an appendix side by side."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby

from cardroom.paytables.pay import words
from cardroom.paytables.sheets import printed_columns
from cardroom.paytables.table import Column, Line


@dataclass(frozen=True, slots=True)
class Appendix:
    """One table of an appendix."""

    columns: tuple[Column, ...]

    @property
    def rows(self) -> dict[str, str]:
        """The printed labels by event, in an order that every column's lines follow."""
        rows: dict[str, str] = {}
        for column in self.columns:
            order = list(rows)
            after = -1
            for line in column.lines:
                if line.event in rows:
                    after = order.index(line.event)
                else:
                    after += 1
                    order.insert(after, line.event)
                    rows[line.event] = line.printed
            rows = {event: rows[event] for event in order}
        return rows

    @property
    def overruled(self) -> tuple[str, ...]:
        """A sentence for each printed cell that a ruling sets aside."""
        told = {
            f"printed {line.cell}, but {line.overruled} rules: {words(line.pay)}."
            for column in self.columns
            for line in column.lines
            if line.overruled
        }
        return tuple(sorted(told))

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes under the table, each once."""
        return tuple(dict.fromkeys(note for column in self.columns for note in column.notes))


def line_of(column: Column, event: str) -> Line | None:
    """The line of a column for an event; None where its cell is blank."""
    return next((line for line in column.lines if line.event == event), None)


def appendices(game: str, wager: str | None = None) -> Iterator[Appendix]:
    """The tables of a game's sheet in its order; columns that stand together there share their notes.

    >>> [len(one.columns) for one in appendices("three-card-prime", "prime")]
    [2]
    """
    printed = (column for column in printed_columns(game) if wager in (None, column.wager))
    for _, group in groupby(printed, key=lambda column: (column.appendix, column.title, column.notes)):
        yield Appendix(tuple(group))
