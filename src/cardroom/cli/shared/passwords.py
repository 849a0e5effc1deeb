"""Where passwords come from: typed at a terminal without being shown, or from the environment of a script.

Never from an argument: everybody on a machine can read the arguments of a program that runs.
"""

from __future__ import annotations

import os
import sys
from getpass import getpass
from typing import Final

from cardroom.errors import BadInput

PASSWORD: Final = "CARDROOM_PASSWORD"  # noqa: S105 - the name of a variable
SECOND: Final = "CARDROOM_SECOND_PASSWORD"
SURVEILLANCE: Final = "CARDROOM_SURVEILLANCE_PASSWORD"
NEW: Final = "CARDROOM_NEW_PASSWORD"
SECOND_NEW: Final = "CARDROOM_SECOND_NEW_PASSWORD"
NEW_PIN: Final = "CARDROOM_NEW_PIN"


class NoPassword(BadInput):
    """A password that nobody can be asked for, or that was typed in two ways."""


def at_a_terminal() -> bool:
    """Whether somebody can be asked."""
    return sys.stdin.isatty()


def is_typed(variable: str) -> bool:
    """Whether a person is asked for it at a terminal."""
    return not os.environ.get(variable) and at_a_terminal()


def ask(what: str, variable: str) -> str:
    """Something secret: from the environment variable where it is set, or typed unseen."""
    if given := os.environ.get(variable):
        return given
    if not at_a_terminal():
        raise NoPassword(f"{what} is missing: type it at a terminal, or set {variable} for a script.")
    try:
        return getpass(f"{what}: ")
    except EOFError:
        raise NoPassword(f"{what} is missing: nothing was typed.") from None


def choose(what: str, variable: str) -> str:
    """Something secret that is new: typed twice, because nobody sees what was typed."""
    first = ask(what, variable)
    if variable not in os.environ and ask(f"{what}, once more", variable) != first:
        raise NoPassword(f"{what} was typed in two ways: try again.")
    return first
