"""The components of the program: the program itself, Python packages that it needs to run, and packages of the pages.

The Python packages are the program's requirements and their requirements, for this machine and this Python, without
packages installed only for tests. The packages of the pages become part of the program when it is built.
"""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

UNKNOWN_LICENSE: Final = "not stated"
"""The license of a package that does not state one."""


class PackageIndex(StrEnum):
    """The source of a package, as in package URLs."""

    PYPI = "pypi"
    NPM = "npm"


@dataclass(frozen=True, slots=True)
class SoftwareComponent:
    """An installed package."""

    name: str
    version: str
    license: str
    package_index: PackageIndex
    dependencies: tuple[str, ...] = ()
    """The names of its own requirements."""
    dependents: tuple[str, ...] = ()
    hash: tuple[str, str] | None = None
    """An algorithm, and its hash in hexadecimal digits."""

    def to_json(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "package": self.name,
            "version": self.version,
            "license": None if self.license == UNKNOWN_LICENSE else self.license,
            "needed_by": list(self.dependents),
            "from": str(self.package_index),
        }


PROGRAM: Final = "cardroom"
_CLASSIFIER: Final = "License :: "
_MAX_NAME_LENGTH: Final = 60
"""The longest license name: some packages have the full license text in its place."""


def installed_components() -> tuple[SoftwareComponent, ...]:
    """The program first; then its requirements, with every installed extra."""
    distributions: dict[str, Distribution] = {}
    dependencies: dict[str, dict[str, None]] = {}
    queue: list[tuple[str, frozenset[str]]] = [(PROGRAM, _extras(PROGRAM))]
    visited: set[tuple[str, frozenset[str]]] = set()
    while queue:
        name, extras = queue.pop()
        if (name, extras) in visited:
            continue
        visited.add((name, extras))
        if name not in distributions:
            distributions[name] = distribution(name)
        for item in _parse_requirements(distributions[name].requires or (), extras):
            dependency = str(canonicalize_name(item.name))
            if dependency == PROGRAM or not _is_installed(dependency):
                continue  # an extra that combines others or is not installed, or a requirement for another platform
            dependencies.setdefault(name, {})[dependency] = None
            queue.append((dependency, frozenset(item.extras)))
    dependents = defaultdict[str, list[str]](list)
    for name in sorted(dependencies):
        for dependency in dependencies[name]:
            dependents[dependency].append(name)
    return tuple(
        SoftwareComponent(
            name,
            item.version,
            find_license(item),
            PackageIndex.PYPI,
            tuple(sorted(dependencies.get(name, ()))),
            tuple(dependents[name]),
            _hash(item),
        )
        for name, item in distributions.items()
    )


def _extras(name: str) -> frozenset[str]:
    return frozenset(distribution(name).metadata.get_all("Provides-Extra") or ())


def _parse_requirements(texts: Iterable[str], extras: frozenset[str]) -> Iterator[Requirement]:
    for text in texts:
        requirement = Requirement(text)
        if requirement.marker is None or any(requirement.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield requirement


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def find_license(package: Distribution) -> str:
    """The license as the package states it: its expression, otherwise its name, otherwise its classifier."""
    name = _first_metadata(package, "License-Expression") or _first_metadata(package, "License")
    if name and "\n" not in name and len(name) <= _MAX_NAME_LENGTH:
        return name.strip()
    filed = [text for text in package.metadata.get_all("Classifier") or () if text.startswith(_CLASSIFIER)]
    names = [text.rpartition(" :: ")[2] for text in filed if text.rpartition(" :: ")[2] != "OSI Approved"]
    return ", ".join(names) or name.strip().partition("\n")[0][:_MAX_NAME_LENGTH] or UNKNOWN_LICENSE


def _first_metadata(package: Distribution, field: str) -> str:
    return str(package.metadata[field]) if field in package.metadata else ""


def _hash(package: Distribution) -> tuple[str, str] | None:
    """The hash of the list that has a hash of every file of the package."""
    record = package.read_text("RECORD")
    return ("SHA-256", hashlib.sha256(record.encode()).hexdigest()) if record else None


_NAME: Final = "package-lock.json"
_IN_THE_REPOSITORY: Final = Path(__file__).parents[4] / "front" / _NAME
_IN_THE_PACKAGE: Final = Path(__file__).parents[2] / "web" / "static" / "vendor" / _NAME
LOCK: Final = _IN_THE_REPOSITORY if _IN_THE_REPOSITORY.is_file() else _IN_THE_PACKAGE
_FOLDER: Final = "node_modules/"


def frontend_components(program: str, lock: Path = LOCK) -> tuple[SoftwareComponent, ...]:
    """The packages of the pages, from the file that pins them; empty if the program was installed without it."""
    if not lock.is_file():
        return ()
    packages = json.loads(lock.read_text("utf-8"))["packages"]
    return tuple(
        SoftwareComponent(
            path.rpartition(_FOLDER)[2],
            package["version"],
            package.get("license", UNKNOWN_LICENSE),
            PackageIndex.NPM,
            dependents=(program,),
            hash=_integrity_hash(package.get("integrity", "")),
        )
        for path, package in packages.items()
        if path
    )


def _integrity_hash(integrity: str) -> tuple[str, str] | None:
    """
    >>> _integrity_hash("sha512-AAECAw==")
    ('SHA-512', '00010203')
    """
    algorithm, _, digest = integrity.partition("-")
    return ("SHA-512", b64decode(digest).hex()) if algorithm == "sha512" else None


def all_components() -> tuple[SoftwareComponent, ...]:
    """The program first, then all packages that it needs to run, by name: Python packages and packages of the pages."""
    program, *dependencies = installed_components()
    front = frontend_components(program.name)
    program = replace(program, dependencies=(*program.dependencies, *(component.name for component in front)))
    return (program, *sorted((*dependencies, *front), key=lambda component: component.name))
