"""The file of a written round: its name in sentences, and the table that it refers to."""

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
    """What a record says, with its table's set-up in it.

    A record may name the operator's file of the table (``"table": "prime-1.toml"``) in place of the set-up itself. It
    lies beside the record, or under the current folder when the record comes from standard input.
    """
    record = parse_record_json(read_text(source), source_name(source))
    table = record.get("table")
    if not isinstance(table, str):
        return record
    folder = Path() if source == STANDARD_INPUT else Path(source).parent
    return {**record, "table": _read_setup(folder, table)}


def _read_setup(folder: Path, table: str) -> dict[str, Any]:
    from cardroom.cli.shared.setup_files import TABLE_KEYS

    if table in ("", STANDARD_INPUT):
        raise UnreadableFile(f"'table' is the set-up of the table or the name of its file; {quote(table)} is neither.")
    file = str(folder / table)
    try:
        text = read_text(file)
    except UnreadableFile as fault:
        reason = shorten(str(fault).removesuffix(" Name a file, or - for standard input."), 400)
        raise UnreadableFile(
            f"The record's 'table' names a file: {reason} Write its place as seen from the record."
        ) from None
    setup = read_toml(text, BadSetupFile, file)
    # What an operator's file says besides: the table's name, its tabulator, how it is played.
    return {name: value for name, value in setup.items() if name not in TABLE_KEYS}
