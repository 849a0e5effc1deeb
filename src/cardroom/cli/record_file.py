"""Read the record of a round from a file, with the table setup that it names."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from cardroom.cli.shared.files import STANDARD_INPUT, UnreadableFile, read_text, source_name
from cardroom.documents import read_toml
from cardroom.errors import quote, shorten
from cardroom.games.record import parse_record_json
from cardroom.games.setup import BadSetupFile


def read_record_file(source: str) -> Mapping[str, Any]:
    """The record as a mapping that contains the table's setup.

    A record may name the table's file (``"table": "prime-1.toml"``) instead of containing the setup. The path is
    relative to the record, or to the current folder when the record comes from standard input.
    """
    record = parse_record_json(read_text(source), source_name(source))
    table = record.get("table")
    if not isinstance(table, str):
        return record
    folder = Path() if source == STANDARD_INPUT else Path(source).parent
    return {**record, "table": _read_setup(folder, table)}


def _read_setup(folder: Path, table: str) -> dict[str, Any]:
    from cardroom.room.table.setup import TABLE_KEYS

    if table in ("", STANDARD_INPUT):
        raise UnreadableFile(
            f"'table' must be the setup of the table or the name of its file; {quote(table)} is neither."
        )
    file = str(folder / table)
    try:
        text = read_text(file)
    except UnreadableFile as fault:
        reason = shorten(str(fault).removesuffix(" Name a file, or - for standard input."), 400)
        raise UnreadableFile(
            f"The record's 'table' names a file: {reason} Write its path relative to the record."
        ) from None
    setup = read_toml(text, BadSetupFile, file)
    # The file also contains the table's name, its tabulator, and its options.
    return {name: value for name, value in setup.items() if name not in TABLE_KEYS}
