"""The packages of the program with their licenses."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table as Grid
from rich.text import Text

from cardroom.reports.sbom import UNKNOWN_LICENSE, SoftwareComponent
from cardroom.terminal.console import QUIET, SLUG, TITLE


def licenses_table(components: Sequence[SoftwareComponent]) -> RenderableType:
    """One line per package."""
    grid = Grid(box=None, pad_edge=False, header_style=TITLE)
    grid.add_column("package", style=SLUG)
    grid.add_column("version", no_wrap=True)
    grid.add_column("license")
    grid.add_column("needed by", style=QUIET)
    for component in components:
        license_text = Text(component.license, TITLE if component.license == UNKNOWN_LICENSE else "")
        grid.add_row(component.name, component.version, license_text, ", ".join(component.dependents))
    return grid
