"""A wager can use two printed columns at once; here they become one paytable."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from cardroom.paytables.table import Column, Line, Paytable


@dataclass(frozen=True, slots=True)
class Half:
    """The columns that can stand on one side, and how their lines are called there."""

    columns: tuple[str, ...]
    event: str = "{event}"
    printed: str = "{printed}"

    def lines(self, column: Column) -> tuple[Line, ...]:
        """The lines of a column as they are called on this side."""
        return tuple(
            replace(line, event=self.event.format(event=line.event), printed=self.printed.format(printed=line.printed))
            for line in column.lines
        )


@dataclass(frozen=True, slots=True)
class Joined:
    """A wager whose tables are made of two columns; the one above is matched first."""

    name: str
    """How the whole is called, such as ``{below}+{above}``."""
    above: Half
    below: Half

    def tables(self, columns: Sequence[Column]) -> tuple[Paytable, ...]:
        """Every column below with every one above."""
        return tuple(
            self._table(above, below, columns)
            for below in columns
            if below.name in self.below.columns
            for above in columns
            if above.name in self.above.columns
        )

    def names(self, column: str) -> bool:
        """Whether the name of a column appears in that of a table; if not, it is no table that one can choose."""
        return ("{below}" if column in self.below.columns else "{above}") in self.name

    def _table(self, above: Column, below: Column, columns: Sequence[Column]) -> Paytable:
        both = tuple(column for column in columns if column in (above, below))
        return replace(
            single(both[0]),
            name=self.name.format(above=above.name, below=below.name),
            lines=self.above.lines(above) + self.below.lines(below),
            columns=both,
        )


def single(column: Column) -> Paytable:
    """A column that is used by itself."""
    return Paytable(
        game=column.game,
        wager=column.wager,
        name=column.name,
        basis=column.basis,
        lines=column.lines,
        columns=(column,),
        feature=column.feature,
        decks=column.decks,
    )
