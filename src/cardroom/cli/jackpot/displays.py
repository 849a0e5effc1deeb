"""The displays of a table that were asked for, and the files that they are drawn into."""

from __future__ import annotations

from pathlib import Path

from cardroom.errors import BadInput, quote
from cardroom.jackpots import Display


class NoDisplay(BadInput):
    """A display that the table does not have."""


def chosen_displays(displays: tuple[Display, ...], kind: str | None, table: str) -> tuple[Display, ...]:
    """All displays of a table, or those of one kind."""
    found = tuple(one for one in displays if kind in (None, one.kind))
    if not found:
        there = ", ".join(dict.fromkeys(str(one.kind) for one in displays)) or "none"
        raise NoDisplay(f"{table} has no display {quote(kind)}: it has {there}.")
    return found


def picture_files(displays: tuple[Display, ...], output: Path) -> dict[Path, Display]:
    """A file for each display; with several, each name says which one it is."""
    if len(displays) == 1:
        return {output: displays[0]}
    kinds = [str(one.kind) for one in displays]
    names = [
        kind if kinds.count(kind) == 1 else f"{kind}-{kinds[: at + 1].count(kind)}" for at, kind in enumerate(kinds)
    ]
    return {
        output.with_name(f"{output.stem}-{name}{output.suffix}"): one for name, one in zip(names, displays, strict=True)
    }


def drawn(displays: tuple[Display, ...], output: Path, table: str) -> str:
    """Draw them and say what each file shows."""
    from cardroom.reports.displays import write_display

    files = picture_files(displays, output)
    for path, one in files.items():
        write_display(one, path)
    return "\n".join(f"{path}: {str(one.kind).replace('-', ' ')} of {table}" for path, one in files.items())
