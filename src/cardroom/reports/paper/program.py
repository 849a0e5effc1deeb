"""Which program made a report, to the last byte that can change it."""

from __future__ import annotations

import hashlib
from dataclasses import asdict, dataclass
from functools import cache
from importlib.metadata import version
from importlib.resources import files

from cardroom import __version__
from cardroom.kernels import source_digest

_FORMS = ("paper/par.css", "paper/par.typ", "par/rulings.toml")


@dataclass(frozen=True, slots=True)
class Program:
    """The program and the parts that set its pages."""

    cardroom: str
    build: str
    """A digest of the program's source."""
    forms: str
    """A digest of the forms that reports are set in."""
    altair: str
    typst: str
    vl_convert: str

    def __str__(self) -> str:
        return f"Cardroom {self.cardroom}, build {self.build}"

    def entry(self) -> dict[str, str]:
        return asdict(self)


@cache
def this_program() -> Program:
    """The program that is running."""
    folder = files("cardroom.reports")
    forms = hashlib.sha256(b"".join((folder / name).read_bytes() for name in _FORMS)).hexdigest()[:16]
    return Program(
        cardroom=__version__,
        build=source_digest(),
        forms=forms,
        altair=version("altair"),
        typst=version("typst"),
        vl_convert=version("vl-convert-python"),
    )
