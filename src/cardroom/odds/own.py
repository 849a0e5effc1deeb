"""What a game has of its own in the odds room: the house's in their folders, those of packages by entry points."""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple

from cardroom.games.book import game, house_folder
from cardroom.packages import announced_for


class Own(NamedTuple):
    """Where it is looked for."""

    module: str
    """In the folder of a game of the house."""
    name: str
    """What the module calls it."""
    group: str
    """The entry points by which a package announces it."""
    does: str
    """What it must be able to do, in words."""
    anybody: str
    """The class that does it for any game, by the rules alone."""


def brought(slug: str, own: Own, kind: type) -> Any:
    """What a game brings: the house's own, what a package brings, or what needs nothing but the rules."""
    rules = game(slug)  # refuses a game that does not exist
    slug = rules.facts.slug
    folder = house_folder(slug)
    if folder is not None:
        found = getattr(import_module(f"cardroom.odds.{folder}.{own.module}"), own.name)
        assert isinstance(found, kind)
        return found
    package = announced_for(own.group, slug)
    if package is None:
        return getattr(import_module(f"cardroom.odds.any.{own.module}"), own.anybody)(rules)
    loaded = package.load()
    if not isinstance(loaded, kind):
        raise package.refused(f"{package.module}:{package.name} does not {own.does}")
    return loaded
