"""What installed packages announce to the house: games, and who prices and simulates them.

A package announces by an entry point. Its name is the slug of the game, its value says where the thing lies:

    [project.entry-points."cardroom.games"]
    red-dog = "red_dog.rules:RULES"

Which packages are installed is read once a process, and nothing of a package is imported before it is asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from operator import attrgetter
from pathlib import Path
from typing import Final

from cardroom.faults import BadInput

GAMES: Final = "cardroom.games"


class BadPackage(BadInput):
    """An installed package that announces what it cannot give."""


@dataclass(frozen=True, slots=True, order=True)
class Announced:
    """One thing that a package announces for a game."""

    slug: str
    package: str
    """The name that the package was installed under."""
    module: str
    name: str
    """What the module calls it, such as ``RULES``."""

    def load(self) -> object:
        """Import it."""
        try:
            return attrgetter(self.name)(import_module(self.module))
        except Exception as fault:
            # Whatever a stranger's module raises, the rest of the house goes on.
            told = str(fault).partition("\n")[0]
            raise self.refused(f"{self.module}:{self.name} cannot be loaded, {type(fault).__name__}: {told}") from fault

    def beside(self, file: str) -> Path | None:
        """A file in the top folder of the package, found without importing anything; None where there is none."""
        return next((path for folder in self._folders() if (path := folder / file).is_file()), None)

    def source(self) -> Iterator[tuple[str, bytes]]:
        """The name and the content of every file of the package that can change what its game does."""
        for folder in self._folders():
            files = (file for file in folder.rglob("*") if file.suffix in (".py", ".toml"))
            for file in sorted(files):
                yield str(file.relative_to(folder)), file.read_bytes()

    def _folders(self) -> tuple[Path, ...]:
        try:
            spec = find_spec(self.module.partition(".")[0])
        except (ImportError, ValueError):
            return ()
        return tuple(map(Path, (spec.submodule_search_locations if spec else None) or ()))

    def refused(self, why: str) -> BadPackage:
        """The sentence against the package."""
        return BadPackage(
            f"The package {self.package!r} cannot give the game {self.slug!r}: {why.rstrip('.')}. "
            "Install one that can, or remove it."
        )


@cache
def announced(group: str) -> tuple[Announced, ...]:
    """Everything that installed packages announce in a group, by slug."""
    return tuple(sorted(_announced(one) for one in entry_points(group=group)))


def _announced(point: EntryPoint) -> Announced:
    module, _, name = (part.strip() for part in point.value.partition(":"))
    return Announced(point.name, point.dist.name if point.dist else module, module, name)


def announced_for(group: str, slug: str) -> Announced | None:
    """Who announces something for this game; None when nobody does. Where two do, neither can be trusted."""
    claims = [one for one in announced(group) if one.slug == slug]
    if len(claims) > 1:
        raise claims[0].refused(f"the package {claims[1].package!r} announces one of that name too")
    return claims[0] if claims else None
