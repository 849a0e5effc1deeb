"""Installed plug-in packages: games, and the modules that price and simulate them.

A package registers a game by an entry point. Its name is the slug of the game, and its value is the object to import:

    [project.entry-points."cardroom.games"]
    red-dog = "red_dog.rules:RULES"

The list of packages is read once per process, and a package is imported only when it is needed.
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

from cardroom.errors import BadInput

GAME_GROUP: Final = "cardroom.games"


class BadPackage(BadInput):
    """An installed package whose game cannot be loaded."""


@dataclass(frozen=True, slots=True, order=True)
class Plugin:
    """One entry point of a package for a game."""

    slug: str
    package: str
    """The distribution name of the package."""
    module: str
    name: str
    """The object in the module, such as ``RULES``."""

    def load(self) -> object:
        """Import it."""
        try:
            return attrgetter(self.name)(import_module(self.module))
        except Exception as exception:
            # Whatever a third-party module raises, the rest of the program continues.
            first_line = str(exception).partition("\n")[0]
            raise self.error(
                f"{self.module}:{self.name} cannot be loaded, {type(exception).__name__}: {first_line}"
            ) from exception

    def find_file(self, file: str) -> Path | None:
        """A file in the top folder of the package, found without an import; None if there is none."""
        return next((path for folder in self._folders() if (path := folder / file).is_file()), None)

    def source_files(self) -> Iterator[tuple[str, bytes]]:
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

    def error(self, reason: str) -> BadPackage:
        """The error of this package, with the reason."""
        return BadPackage(
            f"The package {self.package!r} cannot provide the game {self.slug!r}: {reason.rstrip('.')}. "
            "Install a corrected version, or remove the package."
        )


@cache
def installed_plugins(group: str) -> tuple[Plugin, ...]:
    """All entry points of a group, by slug."""
    return tuple(sorted(_plugin_from_entry_point(point) for point in entry_points(group=group)))


def _plugin_from_entry_point(point: EntryPoint) -> Plugin:
    module, _, name = (part.strip() for part in point.value.partition(":"))
    return Plugin(point.name, point.dist.name if point.dist else module, module, name)


def find_plugin(group: str, slug: str) -> Plugin | None:
    """The entry point for this game; None if there is none. Two for one game are refused."""
    plugins = [plugin for plugin in installed_plugins(group) if plugin.slug == slug]
    if len(plugins) > 1:
        raise plugins[0].error(f"the package {plugins[1].package!r} registers a game of that name too")
    return plugins[0] if plugins else None
