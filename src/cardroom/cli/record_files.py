"""The file of a written round: its name in sentences, and the table that it refers to."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardroom.cli.shared.reading import STANDARD_INPUT, Unreadable, read_text, source_name
from cardroom.documents import read_toml
from cardroom.errors import quote, shorten
from cardroom.games.record import parse_record_json
from cardroom.games.setup import BadSetupFile


def read_record_file(source: str) -> Mapping[str, Any]:
    """What a record says, with its table's set-up in it.

    A record may name the operator's file of the table (``"table": "prime-1.toml"``) in place of the set-up itself. It
    lies beside the record, or under the current folder when the record comes from standard input.
    """
    entry = parse_record_json(read_text(source), source_name(source))
    table = entry.get("table")
    if not isinstance(table, str):
        return entry
    folder = Path() if source == STANDARD_INPUT else Path(source).parent
    return {**entry, "table": _set_up(folder, table)}


def _set_up(folder: Path, table: str) -> dict[str, Any]:
    from cardroom.cli.jackpot.table_file import BESIDE

    if table in ("", STANDARD_INPUT):
        raise Unreadable(f"'table' is the set-up of the table or the name of its file; {quote(table)} is neither.")
    file = str(folder / table)
    try:
        text = read_text(file)
    except Unreadable as fault:
        told = shorten(str(fault).removesuffix(" Name a file, or - for standard input."), 400)
        raise Unreadable(
            f"The record's 'table' names a file: {told} Write its place as seen from the record."
        ) from None
    entry = read_toml(text, BadSetupFile, file)
    # What an operator's file says besides: the table's name, its tabulator, how it is played.
    return {name: value for name, value in entry.items() if name not in BESIDE}
