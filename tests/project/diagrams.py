"""The list of packages in ``docs/architecture.md``.

``python -m tests.project.diagrams`` prints it for the present source, with the descriptions from the document.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.project.imports import INIT, folder_imports, package_imports

DOCUMENT = Path(__file__).parents[2] / "docs" / "architecture.md"
ITSELF = "itself"
"""A folder that imports modules of its package that are in no folder."""
_BLOCK = re.compile(r"```text\n(.*?)```", re.DOTALL)
_LINE = re.compile(r"(?P<indent>(?:  )?)(?P<name>[\w/]+) {2,}(?P<description>\S.*?)(?: +→ (?P<imports>.+))?")


@dataclass(frozen=True)
class Line:
    """A line of the list: a package, or a folder of one."""

    folder: str
    description: str
    imports: tuple[str, ...]

    @property
    def package(self) -> str:
        return self.folder.partition("/")[0]


def documented_lines() -> tuple[Line, ...]:
    """Every line of the list in the document, from the top layer down."""
    block = _BLOCK.search(DOCUMENT.read_text("utf-8"))
    assert block, "the document has no list of packages"
    return tuple(_parse(block[1].splitlines()))


def _parse(lines: list[str]) -> Iterator[Line]:
    package = ""
    for text in lines:
        line = _LINE.fullmatch(text)
        assert line, f"not a line of the list: {text!r}"
        package = package if line["indent"] else line["name"]
        folder = f"{package}/{line['name']}" if line["indent"] else package
        yield Line(folder, line["description"], tuple((line["imports"] or "").split()))


def expected_imports(folder: str) -> tuple[str, ...]:
    """The names after the arrow: other packages for a package, and folders of the same package for a folder."""
    package, *inside = folder.split("/")
    if not inside:
        return tuple(sorted(package_imports()[package]))
    imported = folder_imports().get(folder, frozenset()) | folder_imports().get(f"{folder}/{INIT}", frozenset())
    near = {name for name in imported if name.partition("/")[0] == package and name not in (folder, f"{folder}/{INIT}")}
    return tuple(
        sorted(
            ITSELF if name == package else name.removeprefix(f"{package}/").removesuffix(f"/{INIT}") for name in near
        )
    )


def all_folders() -> tuple[str, ...]:
    """Every package and every folder."""
    inside = {folder.removesuffix(f"/{INIT}") for folder in folder_imports()}
    return tuple(sorted(inside | set(package_imports())))


def render(descriptions: Mapping[str, str]) -> str:
    """The list for the present source: each package above those that it imports, and so in each package."""
    names: list[tuple[str, str]] = []
    for package in _sorted_by_layer(package_imports()):
        names.append((package, package))
        near = {name: expected_imports(name) for name in all_folders() if name.startswith(f"{package}/")}
        inside = {name: frozenset(f"{package}/{imported}" for imported in imports) for name, imports in near.items()}
        names += [(f"  {name.removeprefix(f'{package}/')}", name) for name in _sorted_by_layer(inside)]
    rows = [(name, descriptions.get(folder, "…"), " ".join(expected_imports(folder))) for name, folder in names]
    name_width = max(len(name) for name, _, _ in rows)
    description_width = max(len(description) for _, description, _ in rows)
    return "\n".join(
        f"{name:<{name_width}}  {description:<{description_width}}  → {imports}"
        if imports
        else f"{name:<{name_width}}  {description}"
        for name, description, imports in rows
    )


def _sorted_by_layer(graph: Mapping[str, frozenset[str]]) -> list[str]:
    """First the folders that no other one imports, then those that only they import, and so on; else by name."""
    left, ordered = dict(graph), []
    while left:
        free = sorted(name for name in left if not any(name in left[other] for other in left if other != name))
        assert free, f"folders import each other in a cycle: {sorted(left)}"
        ordered.append(free[0])
        del left[free[0]]
    return ordered


if __name__ == "__main__":
    print(render({line.folder: line.description for line in documented_lines()}))
