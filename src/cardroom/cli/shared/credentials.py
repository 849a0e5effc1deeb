"""Passwords, typed at a terminal or from a script's environment, and stored session tokens.

Passwords are never arguments: all users of a machine can read the arguments of running programs. Session tokens are
stored by database address in a file that only its owner can read.
"""

from __future__ import annotations

import json
import os
import sys
from getpass import getpass
from pathlib import Path
from tempfile import mkstemp
from typing import Final

from cardroom.errors import BadInput
from cardroom.folders import USER_FOLDERS
from cardroom.ledger import Ledger
from cardroom.private_files import create_private_folder

PASSWORD_VARIABLE: Final = "CARDROOM_PASSWORD"  # noqa: S105 - the name of a variable
SECOND_PASSWORD_VARIABLE: Final = "CARDROOM_SECOND_PASSWORD"  # noqa: S105 - the name of a variable
SURVEILLANCE_PASSWORD_VARIABLE: Final = "CARDROOM_SURVEILLANCE_PASSWORD"  # noqa: S105 - the name of a variable
NEW_PASSWORD_VARIABLE: Final = "CARDROOM_NEW_PASSWORD"  # noqa: S105 - the name of a variable
SECOND_NEW_PASSWORD_VARIABLE: Final = "CARDROOM_SECOND_NEW_PASSWORD"  # noqa: S105 - the name of a variable
NEW_PIN_VARIABLE: Final = "CARDROOM_NEW_PIN"


class PasswordMissing(BadInput):
    """A password that cannot be asked for, or whose two entries differ."""


def has_terminal() -> bool:
    """Whether a person can be asked at a terminal."""
    return sys.stdin.isatty()


def is_prompted(variable: str) -> bool:
    """Whether a person types this secret at a terminal."""
    return not os.environ.get(variable) and has_terminal()


def ask_secret(label: str, variable: str) -> str:
    """A secret from the environment variable if it is set, else typed without being shown."""
    if secret := os.environ.get(variable):
        return secret
    if not has_terminal():
        raise PasswordMissing(f"{label} is missing: type it at a terminal, or set {variable} for a script.")
    try:
        return getpass(f"{label}: ")
    except EOFError:
        raise PasswordMissing(f"{label} is missing: nothing was typed.") from None


def choose_secret(label: str, variable: str) -> str:
    """A new secret, typed twice because it is not shown."""
    secret = ask_secret(label, variable)
    if variable not in os.environ and ask_secret(f"{label}, once more", variable) != secret:
        raise PasswordMissing(f"{label}: the two entries differ. Try again.")
    return secret


_SESSIONS_FILE: Final = "sessions.json"


class SessionNotStorable(BadInput):
    """A session that cannot be stored for the next command."""


def read_token(ledger: Ledger) -> str | None:
    """The stored token for a database, if any."""
    return _read_tokens().get(_database_key(ledger))


def store_token(ledger: Ledger, token: str) -> None:
    """Store a token for the next commands."""
    _write_tokens({**_read_tokens(), _database_key(ledger): token})


def delete_token(ledger: Ledger) -> None:
    """Delete the stored token."""
    tokens = _read_tokens()
    if tokens.pop(_database_key(ledger), None) is not None:
        _write_tokens(tokens)


def _database_key(ledger: Ledger) -> str:
    """The address of the database without a password, the same from every folder."""
    file = getattr(ledger.store, "path", None)
    return str(file.resolve()) if isinstance(file, Path) else ledger.store.address


def _read_tokens() -> dict[str, str]:
    try:
        tokens = json.loads((USER_FOLDERS.user_state_path / _SESSIONS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(database): str(token) for database, token in tokens.items()} if isinstance(tokens, dict) else {}


def _write_tokens(tokens: dict[str, str]) -> None:
    """Write under another name first, so that no program reads half a file. Only its owner can read the file (0600)."""
    folder = USER_FOLDERS.user_state_path
    try:
        create_private_folder(folder)
        handle, partial = mkstemp(dir=folder, prefix=_SESSIONS_FILE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(tokens, file)
        os.replace(partial, folder / _SESSIONS_FILE)
    except OSError as fault:
        raise SessionNotStorable(
            f"{folder / _SESSIONS_FILE} cannot be written ({fault.strerror}): add --by LOGIN to each command."
        ) from None
