"""Optional dependencies: an import that needs a missing package names the extra to install.

The core (cards, hands, paytables, games, odds, simulation) needs only NumPy, Numba, platformdirs, and filelock. A
package that needs more checks this in its ``__init__``.

>>> require_packages("reports", "Charts", "altair", "no_such_package")
Traceback (most recent call last):
...
cardroom.extras.MissingExtra: Charts need no_such_package, which is not installed: pip install 'cardroom[reports]'.
"""

from __future__ import annotations

from importlib.util import find_spec

from cardroom.errors import BadInput


class MissingExtra(BadInput, ImportError):
    """A package that is not installed; the sentence names the extra that installs it."""


def require_packages(extra: str, feature: str, *modules: str) -> None:
    """Raise ``MissingExtra`` if one of these packages is missing. ``feature`` begins the sentence."""
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
