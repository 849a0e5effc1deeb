"""What a happening is, and how each kind is declared once.

Events are stored as they were written, for ever. Where a later program needs another payload, the kind gets another
version, and a pure function from each version to the next; an older event is read through them:

>>> @event_type("doctest-lamp-lit")
... class LampLit(DomainEvent):
...     version = 2
...     color: str
...
...     @staticmethod
...     def upcast_v1_v2(payload: dict[str, Any]) -> dict[str, Any]:
...         return payload | {"color": "white"}
>>> decode_event("doctest-lamp-lit", 1, {}), decode_event("doctest-lamp-lit", 2, {"color": "red"})
(LampLit(color='white'), LampLit(color='red'))
>>> decode_event("doctest-lamp-lit", 3, {})
Traceback (most recent call last):
...
cardroom.room.event_types.UnknownEventType: Version 3 of 'doctest-lamp-lit' is not known ...
>>> del EVENT_TYPES["doctest-lamp-lit"]

What was won in a round that is known by its record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from cardroom.errors import BadInput, quote
from cardroom.room.codec import JsonObject, decode, encode, restore_record_order


class UnknownEventType(BadInput):
    """A kind, or a version of one, that is not declared here."""


class DomainEvent:
    """One thing that happened."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1
    """The newest version of its payload. From each older one leads a static method ``upcast_v1_v2``, ``upcast_v2_v3``
    and so on, which gets a payload and gives the next version's without changing the one that it got."""

    @property
    def payload(self) -> dict[str, Any]:
        """The content in plain values, as it is stored."""
        content: dict[str, Any] = encode(self)
        return content


EventT = TypeVar("EventT", bound=DomainEvent)
EVENT_TYPES: Final[dict[str, type[DomainEvent]]] = {}
"""Every kind that is declared here, by its name."""


@dataclass_transform(frozen_default=True)
def event_type(kind: str) -> Callable[[type[EventT]], type[EventT]]:
    """Declare what happens under this name."""

    def declare(cls: type[EventT]) -> type[EventT]:
        event_class = dataclass(frozen=True, slots=True)(cls)
        event_class.kind = kind
        for older in range(1, event_class.version):
            assert hasattr(event_class, _upcaster(older)), f"{event_class} needs {_upcaster(older)}."
        EVENT_TYPES[kind] = event_class
        return event_class

    return declare


def _upcaster(version: int) -> str:
    return f"upcast_v{version}_v{version + 1}"


def decode_event(kind: str, version: int, payload: object) -> DomainEvent:
    """The happening that was stored so."""
    newest = newest_payload(kind, version, payload)
    return decode(EVENT_TYPES[kind], newest)


def newest_payload(kind: str, version: int, payload: Any) -> Any:
    """The payload of a stored event in the newest version of its kind."""
    known = EVENT_TYPES.get(kind)
    if known is None or not 0 < version <= known.version:
        knows = f"version {known.version}" if known else "no such event"
        raise UnknownEventType(
            f"Version {version} of {quote(kind)} is not known (this program knows {knows}): use the newer Cardroom "
            "that wrote it."
        )
    for older in range(version, known.version):
        payload = getattr(known, _upcaster(older))(payload)
    return payload


@dataclass(frozen=True, slots=True)
class RecordedWin(DomainEvent):
    """What was won in a round that is known by its record."""

    table: str
    round: str
    dealer: str
    record: JsonObject
    layout: tuple[str, ...]
    """The wagers in the order of the layout: what is stored keeps no order of names."""

    @property
    def ordered_record(self) -> dict[str, Any]:
        """The record with the wagers of its table in the order of the layout."""
        return restore_record_order(self.record, self.layout)
