"""The packages of Python that the program needs to run, as they are installed here.

They are found by walking from what the program says that it needs to what those need, for this machine and this Python;
what is installed beside them for tests is not among them.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Iterable, Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from cardroom.reports.parts.part import NOBODY_TOLD, Part, Shelf

PROGRAM: Final = "cardroom"
_CLASSIFIER: Final = "License :: "
_LONGEST_NAME: Final = 60
"""Some write the whole licence where its name belongs."""


def installed_parts() -> tuple[Part, ...]:
    """The program first; then what it needs, with every extra that is installed."""
    found: dict[str, Distribution] = {}
    needs: dict[str, dict[str, None]] = {}
    wanted: list[tuple[str, frozenset[str]]] = [(PROGRAM, _extras(PROGRAM))]
    done: set[tuple[str, frozenset[str]]] = set()
    while wanted:
        name, extras = wanted.pop()
        if (name, extras) in done:
            continue
        done.add((name, extras))
        if name not in found:
            found[name] = distribution(name)
        for one in _required(found[name].requires or (), extras):
            other = str(canonicalize_name(one.name))
            if not _is_installed(other) or other == name:
                continue  # an extra that is not installed or is made of others; or said in words only, for elsewhere
            needs.setdefault(name, {})[other] = None
            wanted.append((other, frozenset(one.extras)))
    needed_by = defaultdict[str, list[str]](list)
    for name in sorted(needs):
        for other in needs[name]:
            needed_by[other].append(name)
    return tuple(
        Part(
            name,
            one.version,
            licence_of(one),
            Shelf.PYPI,
            tuple(sorted(needs.get(name, ()))),
            tuple(needed_by[name]),
            _hash(one),
        )
        for name, one in found.items()
    )


def _extras(name: str) -> frozenset[str]:
    return frozenset(distribution(name).metadata.get_all("Provides-Extra") or ())


def _required(written: Iterable[str], extras: frozenset[str]) -> Iterator[Requirement]:
    for text in written:
        one = Requirement(text)
        if one.marker is None or any(one.marker.evaluate({"extra": extra}) for extra in ("", *extras)):
            yield one


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def licence_of(one: Distribution) -> str:
    """The licence as the package tells it: its expression, else its name, else what it is filed under."""
    told = _first(one, "License-Expression") or _first(one, "License")
    if told and "\n" not in told and len(told) <= _LONGEST_NAME:
        return told.strip()
    filed = [text for text in one.metadata.get_all("Classifier") or () if text.startswith(_CLASSIFIER)]
    names = [text.rpartition(" :: ")[2] for text in filed if text.rpartition(" :: ")[2] != "OSI Approved"]
    return ", ".join(names) or told.strip().partition("\n")[0][:_LONGEST_NAME] or NOBODY_TOLD


def _first(one: Distribution, field: str) -> str:
    return str(one.metadata[field]) if field in one.metadata else ""


def as_expression(licence: str) -> str | None:
    """A licence as SPDX writes it, if it is one.

    >>> as_expression("mit OR apache-2.0"), as_expression("Dual License")
    ('MIT OR Apache-2.0', None)
    """
    try:
        return canonicalize_license_expression(licence)
    except InvalidLicenseExpression:
        return None


def _hash(one: Distribution) -> tuple[str, str] | None:
    """Of the list that has a hash of every file of the package."""
    record = one.read_text("RECORD")
    return ("SHA-256", hashlib.sha256(record.encode()).hexdigest()) if record else None
