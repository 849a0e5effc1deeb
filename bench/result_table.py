"""Figures of one benchmark as a table, and as JSON entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from textwrap import fill
from typing import Any

from rich.table import Table

from bench.measure import Figure, format_number


@dataclass(frozen=True)
class Sheet:
    """A table of related figures."""

    title: str
    figures: tuple[Figure, ...]
    note: str = ""

    @property
    def kept(self) -> bool:
        return all(figure.kept for figure in self.figures)

    @property
    def headings(self) -> tuple[str, ...]:
        """The headings of the columns with ratios."""
        return tuple(dict.fromkeys(heading for figure in self.figures for heading in figure.ratios))

    def entries(self, benchmark: str) -> list[dict[str, Any]]:
        return [{"room": benchmark, "sheet": self.title, **figure.entry} for figure in self.figures]

    def table(self) -> Table:
        promises = any(figure.promise for figure in self.figures)
        units = {figure.unit for figure in self.figures}
        unit = units.pop() if len(units) == 1 else None
        table = Table(title=self.title, title_style="bold", title_justify="left")
        table.add_column("")
        table.add_column(unit or "measured", justify="right", no_wrap=True)
        if promises:
            table.add_column("that is", justify="right", no_wrap=True)
            table.add_column("promised")
            table.add_column("", no_wrap=True)
        for heading in self.headings:
            table.add_column(fill(heading, 12), justify="right", no_wrap=True)
        for figure in self.figures:
            cells = [figure.what, _with_unit(figure.measured_text, figure, unit)]
            if promises:
                cells += _promise(figure)
            table.add_row(*cells, *_ratios(figure, self.headings))
        return table


def _with_unit(number: str, figure: Figure, in_heading: str | None) -> str:
    return f"{number} {figure.unit}" if number and not in_heading else number


def _promise(figure: Figure) -> list[str]:
    promise = figure.promise
    if promise is None:
        return ["", "", ""]
    verdict = "[green]kept[/]" if promise.kept else "[bold red]missed[/]"
    return [f"{format_number(promise.ratio)} ×", promise.bound_text, verdict]


def _ratios(figure: Figure, headings: Iterable[str]) -> Iterable[str]:
    return (f"{format_number(figure.ratios[heading])} ×" if heading in figure.ratios else "" for heading in headings)
