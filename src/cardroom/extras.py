"""What the program can do beyond its core needs more packages; whoever lacks them is told which to install.

The core (cards, hands, paytables, games, odds, simulation) needs NumPy and Numba alone. A room that needs more says so
where it begins.

>>> need("reports", "Charts", "altair", "no_such_package")
Traceback (most recent call last):
...
cardroom.extras.MissingExtra: Charts need no_such_package, which is not installed: pip install 'cardroom[reports]'.
"""

from __future__ import annotations

from importlib.util import find_spec

from cardroom.faults import BadInput


class MissingExtra(BadInput, ImportError):
    """Something that is not installed, and the extra that brings it."""


def need(extra: str, what: str, *modules: str) -> None:
    """Refuse to go on without these packages, in the name of those that need them."""
    missing = [module for module in modules if not _is_there(module)]
    if missing:
        *others, last = missing
        named = f"{', '.join(others)} and {last}, which are" if others else f"{last}, which is"
        raise MissingExtra(f"{what} need {named} not installed: pip install 'cardroom[{extra}]'.")


def _is_there(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
