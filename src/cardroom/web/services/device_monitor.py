"""The status of devices: the last contact of each, and its recent refusals.

This is not history, so it is not stored in events. Each server keeps its own contacts in memory and shares them through
notes in the database, because a device may contact another server.
"""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Callable, Collection, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable, Note, system_clock
from cardroom.room.setup.calendar import Calendar
from cardroom.room.setup.tabulator_models import DeviceKind
from cardroom.room.site.device import DeviceState
from cardroom.service import CardRoom
from cardroom.web.services.executors import Executors
from cardroom.web.services.time_format import format_clock, format_minute

SECOND: Final = 1_000_000
HEARTBEAT_SECONDS: Final = 15
"""Seconds between heartbeats of a device without other requests."""
SILENT_SECONDS: Final = 60
"""Seconds without contact until a device needs attention."""
_CONSOLE_SILENT_SECONDS: Final = 30 * 60
"""A dealer's console contacts the server only when the dealer acts."""
REFUSAL_WINDOW_SECONDS: Final = 10 * 60
"""Seconds without a refusal until earlier refusals are forgotten."""
MALFORMED_LIMIT: Final = 3
"""Refusals from which a device needs attention."""
SHARE_SECONDS: Final = 10.0
"""Seconds between two exchanges with other servers."""
DEVICES_CHANGED: Final = "devices"
"""The name that pages with device statuses follow; no chain has it."""
CONTACTS_CHANGED: Final = "device contacts"
"""The name that pages with the times of contacts follow."""
_NOTE_PREFIX: Final = "device "
_MAX_TEXT: Final = 300


class DeviceContact(NamedTuple):
    """The contacts of a device with its current token. Times are microseconds since 1970; 0 is never."""

    at: int = 0
    refused: int = 0
    """Refused requests without a long pause between them."""
    refused_at: int = 0
    refusal: str = ""
    """The last refusal."""

    def merge(self, later: DeviceContact) -> DeviceContact:
        """The contacts of both.

        >>> DeviceContact(9, 2, 9, "No.").merge(DeviceContact(12, 1, 12, "Never."))
        DeviceContact(at=12, refused=3, refused_at=12, refusal='Never.')
        """
        at = max(self.at, later.at)
        if not later.refused:
            return self._replace(at=at)
        before = self.refused if later.refused_at - self.refused_at < REFUSAL_WINDOW_SECONDS * SECOND else 0
        if later.refused_at < self.refused_at:
            return self._replace(at=at, refused=before + later.refused)
        return DeviceContact(at, before + later.refused, later.refused_at, later.refusal)

    def recent(self, now: int) -> DeviceContact:
        """The contacts without old refusals."""
        return self if now - self.refused_at < REFUSAL_WINDOW_SECONDS * SECOND else DeviceContact(self.at)


class DeviceStatus(StrEnum):
    """The status of a device, most urgent first."""

    HELD_UP = "on hold"
    MALFORMED = "sends invalid requests"
    SILENT = "silent"
    NEVER_CONNECTED = "not connected yet"
    CONNECTED = "connected"
    WITHDRAWN = "removed"

    @property
    def needs_attention(self) -> bool:
        """Whether the device needs attention."""
        return self in (DeviceStatus.HELD_UP, DeviceStatus.MALFORMED, DeviceStatus.SILENT)


class DeviceView(NamedTuple):
    """A device with its current status."""

    device: str
    registration: DeviceState
    contact: DeviceContact
    status: DeviceStatus
    now: int
    calendar: Calendar

    @property
    def description(self) -> str:
        """A sentence about the status, or none. It does not change with time."""
        match self.status:
            case DeviceStatus.WITHDRAWN:
                return f"{self.registration.withdrawn}."
            case DeviceStatus.HELD_UP:
                return self.registration.held_up.why if self.registration.held_up else ""
            case DeviceStatus.SILENT:
                return f"No contact since {self._time_text(self.contact.at)}. Check its power and network."
            case DeviceStatus.NEVER_CONNECTED:
                return "It has not connected with its current token yet."
        if not self.contact.refused:
            return ""
        requests = "1 request was" if self.contact.refused == 1 else f"{self.contact.refused:,} requests were"
        at = self._time_text(self.contact.refused_at)
        return f"{requests} refused recently, the last one at {at}: {self.contact.refusal}"

    def _time_text(self, time: int) -> str:
        """A time, without the date if it is today's."""
        is_today = self.calendar.local(time).date() == self.calendar.local(self.now).date()
        return (format_clock if is_today else format_minute)(self.calendar, time)

    @property
    def registered_at(self) -> str:
        """When it was added."""
        return format_minute(self.calendar, self.registration.since)

    @property
    def last_contact(self) -> str:
        """How long ago the last contact was."""
        return f"{format_duration(self.now - self.contact.at)} ago" if self.contact.at else ""


class DeviceMonitor:
    """The contacts of all devices. Thread-safe."""

    def __init__(
        self,
        card_room: CardRoom,
        clock: Clock = system_clock,
        on_change: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:
        self._card_room, self._clock, self._on_change = card_room, clock, on_change
        self._started_at = clock()
        self._lock = threading.Lock()
        self._shared_contacts: dict[str, DeviceContact] = {}
        """The shared contacts of all servers, by token."""
        self._local_contacts: dict[str, DeviceContact] = {}
        """The contacts here since the last exchange."""

    def record_call(self, device: str, registration: DeviceState) -> None:
        """Record a contact."""
        self._add(device, registration, DeviceContact(self._clock()))

    def record_refusal(self, device: str, registration: DeviceState, reason: str) -> None:
        """Record a refused request."""
        now = self._clock()
        self._add(device, registration, DeviceContact(now, 1, now, reason[:_MAX_TEXT]))

    def _add(self, device: str, registration: DeviceState, contact: DeviceContact) -> None:
        key = _note_key(device, registration)
        with self._lock:
            self._local_contacts[key] = self._local_contacts.get(key, DeviceContact()).merge(contact)

    def contact_of(self, device: str, registration: DeviceState) -> DeviceContact:
        """The contacts of a device at all servers."""
        key = _note_key(device, registration)
        with self._lock:
            return (
                self._shared_contacts.get(key, DeviceContact())
                .merge(self._local_contacts.get(key, DeviceContact()))
                .recent(self._clock())
            )

    def list_devices(self, table: str | None = None) -> list[DeviceView]:
        """All devices, or those of one table, by table and urgency."""
        now, calendar = self._clock(), self._card_room.calendar
        device_views = [
            self._device_view(name, registration, now, calendar)
            for name, registration in self._card_room.list_devices().items()
            if table is None or registration.table == table
        ]
        order = list(DeviceStatus)
        return sorted(
            device_views,
            key=lambda device_view: (
                bool(device_view.registration.withdrawn),
                device_view.registration.table,
                order.index(device_view.status),
            ),
        )

    def list_problems(self, table: str | None = None) -> list[DeviceView]:
        """The devices that need attention."""
        return [device_view for device_view in self.list_devices(table) if device_view.status.needs_attention]

    def _device_view(self, device: str, registration: DeviceState, now: int, calendar: Calendar) -> DeviceView:
        contact = self.contact_of(device, registration)
        return DeviceView(device, registration, contact, self._status(registration, contact, now), now, calendar)

    def _status(self, registration: DeviceState, contact: DeviceContact, now: int) -> DeviceStatus:
        if registration.withdrawn:
            return DeviceStatus.WITHDRAWN
        if registration.held_up:
            return DeviceStatus.HELD_UP
        if contact.refused >= MALFORMED_LIMIT:
            return DeviceStatus.MALFORMED
        if not contact.at:
            return DeviceStatus.NEVER_CONNECTED
        # A device could not connect while the server was down.
        silent = now - max(contact.at, self._started_at)
        return DeviceStatus.SILENT if silent > _silent_limit(registration.kind) * SECOND else DeviceStatus.CONNECTED

    def share(self) -> None:
        """Exchange contacts with other servers."""
        with self._lock:
            local, self._local_contacts = self._local_contacts, {}
        try:
            shared = self._read_notes()
            updates = {key: shared.get(key, DeviceContact()).merge(contact) for key, contact in local.items()}
            self._card_room.ledger.save_notes([_encode_note(key, contact) for key, contact in updates.items()])
        except BaseException:
            with self._lock:  # not shared: keep it for the next exchange
                for key, contact in local.items():
                    self._local_contacts[key] = contact.merge(self._local_contacts.get(key, DeviceContact()))
            raise
        with self._lock:
            self._shared_contacts = shared | updates

    def _read_notes(self) -> dict[str, DeviceContact]:
        notes = self._card_room.ledger.read_notes(_NOTE_PREFIX)
        return {note.key: contact for note in notes if (contact := _decode_note(note.text)) is not None}

    async def run(self, executors: Executors, interval: float) -> None:
        """Exchange contacts, and notify open pages when a status changes."""
        loop = asyncio.get_running_loop()
        last_sent: object = None
        shared, counts = -SHARE_SECONDS, None
        while True:
            try:
                if loop.time() - shared >= SHARE_SECONDS:
                    shared, counts = loop.time(), None
                    await executors.execute(self.share)
                    self._on_change((CONTACTS_CHANGED,))
                devices = await executors.query(self.list_devices)
            except (LedgerUnavailable, LedgerDamaged):
                await asyncio.sleep(interval)
                continue
            # A status change notifies pages at once; the number of refusals only after each exchange.
            counts = counts or tuple(device.contact.refused for device in devices)
            current = tuple((device.device, device.status) for device in devices), counts
            if current != last_sent:
                last_sent = current
                self._on_change((DEVICES_CHANGED,))
            await asyncio.sleep(interval)


def _silent_limit(kind: DeviceKind) -> int:
    """Seconds without contact until a device counts as silent."""
    return _CONSOLE_SILENT_SECONDS if kind is DeviceKind.CONSOLE else SILENT_SECONDS


def _note_key(device: str, registration: DeviceState) -> str:
    return f"{_NOTE_PREFIX}{device}.{registration.generation}"


def _encode_note(key: str, contact: DeviceContact) -> Note:
    return Note(key, max(contact.at, contact.refused_at), json.dumps(contact._asdict(), ensure_ascii=False))


def _decode_note(text: str) -> DeviceContact | None:
    """The contacts of a note; None for an invalid note.

    >>> _decode_note(_encode_note("", DeviceContact(9)).text), _decode_note("[]"), _decode_note("{")
    (DeviceContact(at=9, refused=0, refused_at=0, refusal=''), None, None)
    """
    try:
        entry = json.loads(text)
    except ValueError:
        return None
    types: Mapping[str, type] = {"at": int, "refused": int, "refused_at": int, "refusal": str}
    if not isinstance(entry, dict) or {name: type(value) for name, value in entry.items()} != types:
        return None
    return DeviceContact(**entry)


def format_duration(microseconds: int) -> str:
    """A duration in its largest unit.

    >>> [format_duration(seconds * SECOND) for seconds in (-1, 1, 59, 60, 7_200, 500_000)]
    ['0 seconds', '1 second', '59 seconds', '1 minute', '2 hours', '5 days']
    """
    seconds = max(microseconds, 0) // SECOND
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        if seconds >= size or size == 1:
            number = seconds // size
            return f"{number:,} {unit}{'s' * (number != 1)}"
    raise AssertionError
