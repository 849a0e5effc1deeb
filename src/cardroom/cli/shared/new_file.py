"""Files that a command writes anew: never over another one."""

from __future__ import annotations

from pathlib import Path

from cardroom.errors import BadInput
from cardroom.private_files import open_private_file


class NoNewFile(BadInput):
    """A file that cannot be written there."""


def write_new(path: Path, content: str | bytes) -> None:
    """Write a file that is not there yet."""
    refuse_if_there(path)
    try:
        with open_private_file(path, "xb") as file:
            file.write(content.encode() if isinstance(content, str) else content)
    except OSError as fault:
        raise NoNewFile(f"{path} cannot be written: {fault.strerror or fault}.") from None


def refuse_if_there(path: Path) -> None:
    """Say before the work that a file would be overwritten, or has no folder."""
    if path.exists():
        raise NoNewFile(f"{path} is there already: name a new file.")
    if not path.parent.is_dir():
        raise NoNewFile(f"There is no folder {path.parent}: make it first.")
