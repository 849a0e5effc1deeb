"""Files that are named on the command line: any text, heads of chains.

Files that a command writes anew: never over another one.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cardroom.documents import decode_text, read_json
from cardroom.errors import BadInput
from cardroom.private_files import open_private_file

STANDARD_INPUT = "-"


class BadHeadsFile(BadInput):
    """A file that is no export of heads."""


class UnreadableFile(BadInput):
    """A file that cannot be read."""


def read_text(source: str) -> str:
    """The text of a file, or of standard input when the source is ``-``."""
    name = source_name(source)
    try:
        content = sys.stdin.buffer.read() if source == STANDARD_INPUT else Path(source).read_bytes()
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) and fault.strerror else str(fault)
        raise UnreadableFile(f"{name} cannot be read: {reason}. Name a file, or - for standard input.") from None
    return decode_text(content, name)


def source_name(source: str) -> str:
    """What a sentence calls a source, also where the sentence begins."""
    return "Standard input" if source == STANDARD_INPUT else source


def read_heads_file(file: str) -> Any:
    """The document that an export wrote; what is inside is checked by the ledger."""
    try:
        return read_json(read_text(file), BadHeadsFile, source_name(file))
    except BadHeadsFile as fault:
        raise BadHeadsFile(f"{fault} Name a file of exported heads.") from None


class FileNotWritable(BadInput):
    """A file that cannot be written there."""


def write_new_file(path: Path, content: str | bytes) -> None:
    """Write a file that is not there yet."""
    refuse_existing_file(path)
    try:
        with open_private_file(path, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as fault:
        raise FileNotWritable(f"{path} cannot be written: {fault.strerror or fault}.") from None


def refuse_existing_file(path: Path) -> None:
    """Say before the work that a file would be overwritten, or has no folder."""
    if path.exists():
        raise FileNotWritable(f"{path} is there already: name a new file.")
    if not path.parent.is_dir():
        raise FileNotWritable(f"There is no folder {path.parent}: make it first.")
