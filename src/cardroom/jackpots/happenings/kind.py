"""What a happening is, and how each kind is declared once.

Events are stored as they were written, for ever. Where a later program needs another payload, the kind gets another
version, and a pure function from each version to the next; an older event is read through them:

>>> @declared("doctest-lamp-lit")
... class LampLit(Happening):
...     version = 2
...     color: str
...
...     @staticmethod
...     def upcast_v1_v2(payload: dict[str, Any]) -> dict[str, Any]:
...         return payload | {"color": "white"}
>>> happening_from("doctest-lamp-lit", 1, {}), happening_from("doctest-lamp-lit", 2, {"color": "red"})
(LampLit(color='white'), LampLit(color='red'))
>>> happening_from("doctest-lamp-lit", 3, {})
Traceback (most recent call last):
...
cardroom.jackpots.happenings.kind.UnknownHappening: Version 3 of 'doctest-lamp-lit' is not known ...
>>> del KINDS["doctest-lamp-lit"]
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from cardroom.errors import BadInput, quote
from cardroom.jackpots.plain import read_as, written


class UnknownHappening(BadInput):
    """A kind, or a version of one, that is not declared here."""


class Happening:
    """One thing that happened."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1
    """The newest version of its payload. From each older one leads a static method ``upcast_v1_v2``, ``upcast_v2_v3``
    and so on, which gets a payload and gives the next version's without changing the one that it got."""

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
        for older in range(1, made.version):
            assert hasattr(made, _upcaster(older)), f"{made} needs {_upcaster(older)}."
        KINDS[kind] = made
        return made

    return declare


def _upcaster(version: int) -> str:
    return f"upcast_v{version}_v{version + 1}"


def happening_from(kind: str, version: int, payload: object) -> Happening:
    """The happening that was stored so."""
    newest = newest_payload(kind, version, payload)
    return read_as(KINDS[kind], newest)


def newest_payload(kind: str, version: int, payload: Any) -> Any:
    """The payload of a stored event in the newest version of its kind."""
    known = KINDS.get(kind)
    if known is None or not 0 < version <= known.version:
        knows = f"version {known.version}" if known else "no such event"
        raise UnknownHappening(
            f"Version {version} of {quote(kind)} is not known (this program knows {knows}): use the newer Cardroom "
            "that wrote it."
        )
    for older in range(version, known.version):
        payload = getattr(known, _upcaster(older))(payload)
    return payload
