"""The parts of the program, and under which licence each is given."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.reports.parts import NOBODY_TOLD, Part
from cardroom.terminal.palette import QUIET, SLUG, TITLE


def licences_table(parts: Sequence[Part]) -> RenderableType:
    """A line for each."""
    grid = Grid(box=None, pad_edge=False, header_style=TITLE)
    grid.add_column("package", style=SLUG)
    grid.add_column("version", no_wrap=True)
    grid.add_column("licence")
    grid.add_column("needed by", style=QUIET)
    for one in parts:
        licence = Text(one.licence, TITLE if one.licence == NOBODY_TOLD else "")
        grid.add_row(one.name, one.version, licence, ", ".join(one.needed_by))
    return grid
