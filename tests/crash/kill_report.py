"""A sheet on which a process notes what it is in the middle of, where its death does not reach."""

from __future__ import annotations

import mmap
import struct
import threading
from pathlib import Path
from typing import NamedTuple

_COUNTS = struct.Struct("=5I")


class Noted(NamedTuple):
    """What a life has noted up to its end."""

    writing: int = 0
    """Transactions that were begun to write something, and not ended."""
    committing: int = 0
    """Those of them whose commit was sent, and not answered."""
    stored: int = 0
    """Commands that were stored, and not acknowledged."""
    again: int = 0
    """Commands that were sent again, and got their first answer."""
    struck: int = 0
    """Whether death came from within, at the very place that was chosen for it; else from outside, at any moment."""


class Sheet:
    """Shared with the user who reads it afterwards."""

    def __init__(self, path: Path) -> None:
        path.write_bytes(bytes(_COUNTS.size))
        with path.open("r+b") as file:
            self._page = mmap.mmap(file.fileno(), _COUNTS.size)
        # Death may come to the user who notes something, and is noted first.
        self._noting = threading.RLock()

    def note(self, **more: int) -> None:
        """Add to what is noted, in one stroke."""
        with self._noting:
            now = Noted(*_COUNTS.unpack(self._page[:]))
            self._page[:] = _COUNTS.pack(*(one + more.get(name, 0) for name, one in now._asdict().items()))

    def begin(self) -> None:
        """Nothing is stored yet of what comes now."""
        with self._noting:
            self._page[:] = _COUNTS.pack(*Noted(*_COUNTS.unpack(self._page[:]))._replace(stored=0))


def noted(path: Path) -> Noted:
    """What stands on a sheet; nothing if there is none."""
    return Noted(*_COUNTS.unpack(path.read_bytes())) if path.exists() else Noted()
