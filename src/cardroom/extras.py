"""What the program can do beyond its core needs more packages; whoever lacks them is told which to install.

The core (cards, hands, paytables, games, odds, simulation) needs NumPy and Numba alone. A room that needs more says so
where it begins.

>>> require_packages("reports", "Charts", "altair", "no_such_package")
Traceback (most recent call last):
...
cardroom.extras.MissingExtra: Charts need no_such_package, which is not installed: pip install 'cardroom[reports]'.
"""

from __future__ import annotations

from importlib.util import find_spec

from cardroom.errors import BadInput


class MissingExtra(BadInput, ImportError):
    """Something that is not installed, and the extra that brings it."""


def require_packages(extra: str, feature: str, *modules: str) -> None:
    """Refuse to go on without these packages, in the name of those that need them."""
    missing = [module for module in modules if not _is_installed(module)]
    if missing:
        *first_modules, last_module = missing
        module_list = (
            f"{', '.join(first_modules)} and {last_module}, which are" if first_modules else f"{last_module}, which is"
        )
        raise MissingExtra(f"{feature} need {module_list} not installed: pip install 'cardroom[{extra}]'.")


def _is_installed(module: str) -> bool:
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False
