"""Files and folders that only their owner can read: files with a room's data are created here, 0600 under any umask.

>>> from tempfile import TemporaryDirectory
>>> with TemporaryDirectory() as folder:
...     file = Path(folder) / "room" / "book.txt"
...     create_private_folder(file.parent)
...     with open_private_file(file, "x") as opened:
...         _ = opened.write("seat 1")
...     oct(file.stat().st_mode)[-3:], oct(file.parent.stat().st_mode)[-3:]
('600', '700')
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import IO, Any, Final

FILE_MODE: Final = 0o600
FOLDER_MODE: Final = 0o700


def open_private_file(path: Path | str, mode: str, encoding: str | None = None, newline: str | None = None) -> IO[Any]:
    """Open a file for writing as `open` does; a new file is readable by its owner only."""
    text = None if "b" in mode else (encoding or "utf-8")
    return open(path, mode, encoding=text, newline=newline, opener=_open_descriptor)


def create_private_file(path: Path) -> None:
    """Create an empty file if there is none, for a library that opens files by itself."""
    with suppress(OSError):  # the library reports the error when it opens the file
        os.close(_open_descriptor(path, os.O_RDWR | os.O_CREAT | os.O_EXCL))


def create_private_folder(path: Path) -> None:
    """Create a folder and its missing parents; only the owner can read the new ones."""
    if not path.is_dir():
        create_private_folder(path.parent)
        with suppress(FileExistsError):  # another program was quicker
            path.mkdir(mode=FOLDER_MODE)


def _open_descriptor(path: Any, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_CLOEXEC", 0), FILE_MODE)
