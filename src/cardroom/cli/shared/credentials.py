"""Where passwords come from: typed at a terminal without being shown, or from the environment of a script.

Never from an argument: everybody on a machine can read the arguments of a program that runs.

Who is signed in here: the tokens of sessions, by the address of their books, in a file that only its owner reads.
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
from cardroom.folders import state_folder
from cardroom.ledger import Ledger
from cardroom.private_files import create_private_folder

PASSWORD_VARIABLE: Final = "CARDROOM_PASSWORD"  # noqa: S105 - the name of a variable
SECOND_PASSWORD_VARIABLE: Final = "CARDROOM_SECOND_PASSWORD"  # noqa: S105 - the name of a variable
SURVEILLANCE_PASSWORD_VARIABLE: Final = "CARDROOM_SURVEILLANCE_PASSWORD"  # noqa: S105 - the name of a variable
NEW_PASSWORD_VARIABLE: Final = "CARDROOM_NEW_PASSWORD"  # noqa: S105 - the name of a variable
SECOND_NEW_PASSWORD_VARIABLE: Final = "CARDROOM_SECOND_NEW_PASSWORD"  # noqa: S105 - the name of a variable
NEW_PIN_VARIABLE: Final = "CARDROOM_NEW_PIN"


class PasswordMissing(BadInput):
    """A password that nobody can be asked for, or that was typed in two ways."""


def has_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def is_prompted(variable: str) -> bool:
    """Whether a person is asked for it at a terminal."""
    return not os.environ.get(variable) and has_terminal()


def ask_secret(label: str, variable: str) -> str:
    """Something secret: from the environment variable where it is set, or typed unseen."""
    if secret := os.environ.get(variable):
        return secret
    if not has_terminal():
        raise PasswordMissing(f"{label} is missing: type it at a terminal, or set {variable} for a script.")
    try:
        return getpass(f"{label}: ")
    except EOFError:
        raise PasswordMissing(f"{label} is missing: nothing was typed.") from None


def choose_secret(label: str, variable: str) -> str:
    """Something secret that is new: typed twice, because nobody sees what was typed."""
    secret = ask_secret(label, variable)
    if variable not in os.environ and ask_secret(f"{label}, once more", variable) != secret:
        raise PasswordMissing(f"{label} was typed in two ways: try again.")
    return secret


_SESSIONS_FILE: Final = "sessions.json"


class SessionNotStorable(BadInput):
    """A session that cannot be kept for the next command."""


def read_token(ledger: Ledger) -> str | None:
    """The token of the session that began here, if there is one."""
    return _read_tokens().get(_database_key(ledger))


def store_token(ledger: Ledger, token: str) -> None:
    """Keep a token for the commands that follow."""
    _write_tokens({**_read_tokens(), _database_key(ledger): token})


def delete_token(ledger: Ledger) -> None:
    """Keep it no longer."""
    tokens = _read_tokens()
    if tokens.pop(_database_key(ledger), None) is not None:
        _write_tokens(tokens)


def _database_key(ledger: Ledger) -> str:
    """The address of books without a password, and the same from every folder."""
    file = getattr(ledger.store, "path", None)
    return str(file.resolve()) if isinstance(file, Path) else ledger.store.address


def _sessions_folder() -> Path:
    return state_folder()


def _read_tokens() -> dict[str, str]:
    try:
        tokens = json.loads((_sessions_folder() / _SESSIONS_FILE).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return {str(database): str(token) for database, token in tokens.items()} if isinstance(tokens, dict) else {}


def _write_tokens(tokens: dict[str, str]) -> None:
    """Under another name first, so that no program ever reads half a file; a new file is its owner's alone (0600)."""
    folder = _sessions_folder()
    try:
        create_private_folder(folder)
        handle, partial = mkstemp(dir=folder, prefix=_SESSIONS_FILE)
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(tokens, file)
        os.replace(partial, folder / _SESSIONS_FILE)
    except OSError as fault:
        raise SessionNotStorable(
            f"{folder / _SESSIONS_FILE} cannot be written ({fault.strerror}): give --by LOGIN with each command."
        ) from None
