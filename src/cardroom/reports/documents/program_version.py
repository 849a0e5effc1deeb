"""The exact version of the program that made a report."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from cardroom import __version__
from cardroom.games.registry import find_package
from cardroom.kernels import source_digest

_TEMPLATES = ("documents/par.css", "documents/par.typ")


@dataclass(frozen=True, slots=True)
class Program:
    """The program, with the components that typeset its pages."""

    cardroom: str
    build: str
    """A digest of the program's source, including the rulings."""
    forms: str
    """A digest of the page templates."""
    altair: str
    typst: str
    vl_convert: str

    def __str__(self) -> str:
        return f"Cardroom {self.cardroom}, build {self.build}"

    def to_json(self) -> dict[str, str]:
        return asdict(self)


@cache
def current_program(game: str | None = None) -> Program:
    """The running program; for a game of an installed package, including the package."""
    folder = files("cardroom.reports")
    forms = hashlib.sha256(b"".join((folder / name).read_bytes() for name in _TEMPLATES)).hexdigest()[:16]
    return Program(
        cardroom=__version__,
        build=_build(game),
        forms=forms,
        altair=version("altair"),
        typst=version("typst"),
        vl_convert=version("vl-convert-python"),
    )


def _build(game: str | None) -> str:
    package = find_package(game) if game else None
    if package is None:
        return source_digest()
    digest = hashlib.sha256(source_digest().encode())
    for name, content in package.source_files():
        digest.update(name.encode())
        digest.update(content)
    return digest.hexdigest()[:16]
