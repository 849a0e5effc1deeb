"""Which folder of the house asks which, read off the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import cardroom

HOUSE = Path(cardroom.__file__).parent
DOOR = "__init__"


@cache
def rooms() -> Mapping[str, frozenset[str]]:
    """Each room (a module or folder of the house) and the rooms that it imports from."""
    found: dict[str, set[str]] = {}
    for folder, asked in folders().items():
        room = folder.partition("/")[0]
        found.setdefault(room, set()).update({one.partition("/")[0] for one in asked} - {room})
    return {room: frozenset(asked) for room, asked in found.items()}


@cache
def folders() -> Mapping[str, frozenset[str]]:
    """Each folder, such as ``games/texas_shootout``, and the folders that it imports from. What lies in a room itself
    counts as the room's own folder; its front door, ``__init__``, stands apart: it shows what lies behind it."""
    found: dict[str, set[str]] = {}
    for file in sorted(HOUSE.rglob("*.py")):
        here = _folder(file)
        if here is None:
            continue
        asked = {_folder(target) for target in _imported(file)}
        found.setdefault(here, set()).update(one for one in asked if one is not None and one != here)
    return {folder: frozenset(asked) for folder, asked in found.items()}


def _folder(file: Path) -> str | None:
    """Where a file lies; a module beside the rooms is a room of its own, and the house's own ``__init__`` is none."""
    inside = file.relative_to(HOUSE)
    if len(inside.parts) == 1:
        return None if inside.name == "__init__.py" else inside.stem
    folder = "/".join(inside.parts[:-1])
    return f"{folder}/{DOOR}" if inside.name == "__init__.py" else folder


def _imported(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                yield from _file(f"{node.module}.{alias.name}") or _file(node.module)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _file(alias.name)


def _file(name: str) -> tuple[Path, ...]:
    package, *inside = name.split(".")
    if package != cardroom.__name__:
        return ()
    place = HOUSE.joinpath(*inside)
    candidates = (place / "__init__.py", place.with_suffix(".py"))
    return tuple(file for file in candidates if file.is_file())[:1]


def cycle(graph: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Folders that ask each other in a circle; empty when there are none."""
    done: set[str] = set()

    def walk(node: str, path: tuple[str, ...]) -> tuple[str, ...]:
        if node in path:
            return (*path[path.index(node) :], node)
        if node in done:
            return ()
        for asked in sorted(graph.get(node, ())):
            found = walk(asked, (*path, node))
            if found:
                return found
        done.add(node)
        return ()

    return next((found for node in sorted(graph) if (found := walk(node, ()))), ())
