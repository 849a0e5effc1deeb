"""The base class of domain events, and the registry of event types.

A stored event never changes. When a later program needs another payload, the event type gets a new version and an
upcaster, a pure function from each version to the next. An older event is read through its upcasters:

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

``RecordedWin`` is the base class of events for prizes won in a recorded round.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Final, TypeVar, dataclass_transform

from cardroom.errors import BadInput, quote
from cardroom.room.codec import JsonObject, decode, encode, restore_record_order


class UnknownEventType(BadInput):
    """An event type, or a version of one, that this program does not declare."""


class DomainEvent:
    """Something that happened: an immutable fact on the chain of one aggregate."""

    __slots__ = ()
    kind: ClassVar[str]
    version: ClassVar[int] = 1
    """The current version of the payload. A static method leads from each older version to the next: ``upcast_v1_v2``,
    ``upcast_v2_v3``, and so on. It returns a new payload and leaves its argument unchanged."""

    @property
    def payload(self) -> dict[str, Any]:
        """The content as JSON values, as it is stored."""
        content: dict[str, Any] = encode(self)
        return content


EventT = TypeVar("EventT", bound=DomainEvent)
EVENT_TYPES: Final[dict[str, type[DomainEvent]]] = {}
"""Every declared event class, by event type."""


@dataclass_transform(frozen_default=True)
def event_type(kind: str) -> Callable[[type[EventT]], type[EventT]]:
    """Class decorator: declare a frozen dataclass as the event of this type."""

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
    """The event of a stored type, version, and payload."""
    newest = newest_payload(kind, version, payload)
    return decode(EVENT_TYPES[kind], newest)


def newest_payload(kind: str, version: int, payload: Any) -> Any:
    """The payload of a stored event, in the current version of its type."""
    known = EVENT_TYPES.get(kind)
    if known is None or not 0 < version <= known.version:
        supported = f"version {known.version}" if known else "no such event"
        raise UnknownEventType(
            f"Version {version} of {quote(kind)} is not known (this program reads {supported}): use the newer Cardroom "
            "that stored it."
        )
    for older in range(version, known.version):
        payload = getattr(known, _upcaster(older))(payload)
    return payload


@dataclass(frozen=True, slots=True)
class RecordedWin(DomainEvent):
    """Prizes won in a round whose record the event contains."""

    table: str
    round: str
    dealer: str
    record: JsonObject
    layout: tuple[str, ...]
    """The wagers in the order of the layout: stored JSON objects have no order."""

    @property
    def ordered_record(self) -> dict[str, Any]:
        """The record with the wagers of its table in the order of the layout."""
        return restore_record_order(self.record, self.layout)
