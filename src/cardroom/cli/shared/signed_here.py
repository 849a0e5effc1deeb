"""Who is signed in here: the tokens of sessions, by the address of their books, in a file that only its owner reads."""

from __future__ import annotations

import json
import os
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from cardroom.errors import BadInput
from cardroom.folders import state_folder
from cardroom.ledger import Ledger
from cardroom.private_files import create_private_folder

_FILE: Final = "sessions.json"


class CannotRemember(BadInput):
    """A session that cannot be kept for the next command."""


def token_here(ledger: Ledger) -> str | None:
    """The token of the session that began here, if there is one."""
    return _read().get(_books(ledger))


def remember(ledger: Ledger, token: str) -> None:
    """Keep a token for the commands that follow."""
    _write({**_read(), _books(ledger): token})


def forget(ledger: Ledger) -> None:
    """Keep it no longer."""
    kept = _read()
    if kept.pop(_books(ledger), None) is not None:
        _write(kept)


def _books(ledger: Ledger) -> str:
    """The address of books without a password, and the same from every folder."""
    file = getattr(ledger.store, "path", None)
    return str(file.resolve()) if isinstance(file, Path) else ledger.store.address


def _folder() -> Path:
    return state_folder()


def _read() -> dict[str, str]:
    try:
        kept = json.loads((_folder() / _FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(books): str(token) for books, token in kept.items()} if isinstance(kept, dict) else {}


def _write(kept: dict[str, str]) -> None:
    """Under another name first, so that no program ever reads half a file; a new file is its owner's alone (0600)."""
    folder = _folder()
    try:
        create_private_folder(folder)
        handle, part = mkstemp(dir=folder, prefix=_FILE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(kept, file)
        os.replace(part, folder / _FILE)
    except OSError as fault:
        raise CannotRemember(
            f"{folder / _FILE} cannot be written ({fault.strerror}): give --by LOGIN with each command."
        ) from None
