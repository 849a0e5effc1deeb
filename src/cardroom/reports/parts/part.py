"""A part of the program: a package of somebody else that it needs to run, or the program itself."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final

NOBODY_TOLD: Final = "not told"
"""The licence of a package that does not say under which it is given."""


class Shelf(StrEnum):
    """Where packages come from, as package URLs call it."""

    PYPI = "pypi"
    NPM = "npm"


@dataclass(frozen=True, slots=True)
class Part:
    """A package as it is installed."""

    name: str
    version: str
    licence: str
    shelf: Shelf
    needs: tuple[str, ...] = ()
    """The names of those that it needs itself."""
    needed_by: tuple[str, ...] = ()
    hash: tuple[str, str] | None = None
    """An algorithm, and what it gives in hexadecimal digits."""

    @property
    def url(self) -> str:
        """The name under which the world knows it.

        >>> Part("@fontsource-variable/fraunces", "5.3.0", "OFL-1.1", Shelf.NPM).url
        'pkg:npm/%40fontsource-variable/fraunces@5.3.0'
        """
        return f"pkg:{self.shelf}/{self.name.replace('@', '%40')}@{self.version}"

    def entry(self) -> dict[str, Any]:
        """For programs."""
        return {
            "package": self.name,
            "version": self.version,
            "licence": None if self.licence == NOBODY_TOLD else self.licence,
            "needed_by": list(self.needed_by),
            "from": str(self.shelf),
        }
