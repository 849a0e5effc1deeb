"""Empty ledgers in files. To begin one takes longer than many a test: it is begun once, and copied."""

from __future__ import annotations

import tempfile
from functools import cache
from pathlib import Path

from cardroom.ledger import open_ledger


def empty_ledger(file: Path) -> str:
    """The address of a ledger in a new file, as the program begins it."""
    file.write_bytes(_as_begun())
    return f"sqlite:///{file}"


@cache
def _as_begun() -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "begun.db"
        open_ledger(f"sqlite:///{file}").close()
        return file.read_bytes()
