"""Files that commands read, and new files that they write without overwriting."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from cardroom.documents import decode_text, read_json
from cardroom.errors import BadInput
from cardroom.private_files import open_private_file

STANDARD_INPUT = "-"


class BadHeadsFile(BadInput):
    """A file that has no exported heads."""


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
    """The name of a source at the beginning of a sentence."""
    return "Standard input" if source == STANDARD_INPUT else source


def read_heads_file(file: str) -> Any:
    """The document in a file of heads; the ledger checks its contents."""
    try:
        return read_json(read_text(file), BadHeadsFile, source_name(file))
    except BadHeadsFile as fault:
        raise BadHeadsFile(f"{fault} Name a file of exported heads.") from None


class FileNotWritable(BadInput):
    """A file that cannot be written."""


def write_new_file(path: Path, content: str | bytes) -> None:
    """Write a new file."""
    refuse_existing_file(path)
    try:
        with open_private_file(path, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as fault:
        raise FileNotWritable(f"{path} cannot be written: {fault.strerror or fault}.") from None


def refuse_existing_file(path: Path) -> None:
    """Refuse, before the work, a file that exists or whose folder does not."""
    if path.exists():
        raise FileNotWritable(f"{path} exists already: name a new file.")
    if not path.parent.is_dir():
        raise FileNotWritable(f"There is no folder {path.parent}: create it first.")
