"""What a happening is, and how each kind is declared once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from cardroom.faults import BadInput, quoted
from cardroom.jackpots.plain import read_as, written


class UnknownHappening(BadInput):
    """A kind, or a version of one, that is not declared here."""


class Happening:
    """One thing that happened."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1

    @property
    def payload(self) -> dict[str, Any]:
        """The content in plain values, as it is stored."""
        content: dict[str, Any] = written(self)
        return content


H = TypeVar("H", bound=Happening)
KINDS: Final[dict[str, type[Happening]]] = {}
"""Every kind that is declared here, by its name."""


@dataclass_transform(frozen_default=True)
def declared(kind: str) -> Callable[[type[H]], type[H]]:
    """Declare what happens under this name."""

    def declare(cls: type[H]) -> type[H]:
        made = dataclass(frozen=True, slots=True)(cls)
        made.kind = kind
        KINDS[kind] = made
        return made

    return declare


def happening_from(kind: str, version: int, payload: object) -> Happening:
    """The happening that was stored so."""
    known = KINDS.get(kind)
    if known is None or known.version != version:
        raise UnknownHappening(f"Version {version} of {quoted(kind)} is not known.")
    return read_as(known, payload)
