"""The imports between packages and folders, read from the source."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import cardroom

SOURCE = Path(cardroom.__file__).parent
BESIDE = tuple(sorted((Path(__file__).parents[2] / "packages").glob("*/src")))
"""The sources of the packages beside the core."""
INIT = "__init__"


@cache
def package_imports() -> Mapping[str, frozenset[str]]:
    """Each package (a module or folder directly below ``cardroom``, or a package beside the core) and the packages
    of the core that it imports from."""
    imports: dict[str, set[str]] = {}
    for folder, imported in folder_imports().items():
        package = folder.partition("/")[0]
        imports.setdefault(package, set()).update({name.partition("/")[0] for name in imported} - {package})
    return {package: frozenset(imported) for package, imported in imports.items()}


@cache
def folder_imports() -> Mapping[str, frozenset[str]]:
    """Each folder, such as ``games/texas_shootout``, and the folders that it imports from. Modules that are directly in
    a package belong to the package's own folder. An ``__init__`` counts separately: it exports names of the modules."""
    imports: dict[str, set[str]] = {}
    for file in sorted(file for source in (SOURCE, *BESIDE) for file in source.rglob("*.py")):
        folder = _folder(file)
        if folder is None:
            continue
        imported = {_folder(target) for target in _imported_files(file)}
        imports.setdefault(folder, set()).update(name for name in imported if name is not None and name != folder)
    return {folder: frozenset(imported) for folder, imported in imports.items()}


def _folder(file: Path) -> str | None:
    """The folder of a file. A module next to the packages counts as a package; cardroom's own ``__init__`` does not."""
    path = file.relative_to(next(source for source in (SOURCE, *BESIDE) if source in file.parents))
    if len(path.parts) == 1:
        return None if path.name == "__init__.py" else path.stem
    folder = "/".join(path.parts[:-1])
    return f"{folder}/{INIT}" if path.name == "__init__.py" else folder


def _imported_files(file: Path) -> Iterator[Path]:
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            for alias in node.names:
                yield from _module_file(f"{node.module}.{alias.name}") or _module_file(node.module)
        elif isinstance(node, ast.Import):
            for alias in node.names:
                yield from _module_file(alias.name)


def _module_file(name: str) -> tuple[Path, ...]:
    package, *parts = name.split(".")
    if package != cardroom.__name__:
        return ()
    path = SOURCE.joinpath(*parts)
    candidates = (path / "__init__.py", path.with_suffix(".py"))
    return tuple(file for file in candidates if file.is_file())[:1]


def find_cycle(graph: Mapping[str, frozenset[str]]) -> tuple[str, ...]:
    """Folders that import each other in a cycle; empty if there are none."""
    done: set[str] = set()

    def walk(node: str, path: tuple[str, ...]) -> tuple[str, ...]:
        if node in path:
            return (*path[path.index(node) :], node)
        if node in done:
            return ()
        for imported in sorted(graph.get(node, ())):
            cycle = walk(imported, (*path, node))
            if cycle:
                return cycle
        done.add(node)
        return ()

    return next((cycle for node in sorted(graph) if (cycle := walk(node, ()))), ())
