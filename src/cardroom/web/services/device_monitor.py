"""What is heard of the room's devices: when each spoke last, and what of its calls was refused lately.

It is no history, so it stands in no event. Each house keeps in memory what it hears itself, and now and then shares it
with the others through notes beside the books: a device may speak to another server.
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
from cardroom.room.setup.equipment import DeviceKind
from cardroom.room.site.device import DeviceState
from cardroom.service import CardRoom
from cardroom.web.services.executors import Executors

SECOND: Final = 1_000_000
HEARTBEAT_SECONDS: Final = 15
"""Seconds after which a device says that it is there, if it has said nothing else."""
SILENT_SECONDS: Final = 60
"""Seconds of silence after which people should look at a device."""
_CONSOLE_SILENT_SECONDS: Final = 30 * 60
"""A dealer's console speaks when the dealer does something."""
REFUSAL_WINDOW_SECONDS: Final = 10 * 60
"""Seconds without a refusal after which those before are forgotten."""
MALFORMED_LIMIT: Final = 3
"""From so many refused calls on, people should look at the device."""
SHARE_SECONDS: Final = 10.0
"""Seconds between two notes for other houses."""
DEVICES_CHANGED: Final = "devices"
"""What pages follow that show how it is with devices; no chain has that name."""
CONTACTS_CHANGED: Final = "devices heard"
"""What a page follows that says how long ago."""
_NOTE_PREFIX: Final = "device "
_MAX_TEXT: Final = 300


class DeviceContact(NamedTuple):
    """What was heard of a device with its present token. Times are microseconds since 1970; 0 is never."""

    at: int = 0
    refused: int = 0
    """Calls that were refused, as long as no long time passed between two of them."""
    refused_at: int = 0
    refusal: str = ""
    """The last one, in words."""

    def merge(self, later: DeviceContact) -> DeviceContact:
        """All that was heard.

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
        """The same without refusals of long ago."""
        return self if now - self.refused_at < REFUSAL_WINDOW_SECONDS * SECOND else DeviceContact(self.at)


class DeviceStatus(StrEnum):
    """How it is with a device, in the order in which people have to look at it."""

    HELD_UP = "held up"
    MALFORMED = "sends nonsense"
    SILENT = "silent"
    NEVER_CONNECTED = "not heard yet"
    CONNECTED = "speaking"
    WITHDRAWN = "withdrawn"

    @property
    def needs_attention(self) -> bool:
        """Whether somebody should look at the device."""
        return self in (DeviceStatus.HELD_UP, DeviceStatus.MALFORMED, DeviceStatus.SILENT)


class DeviceView(NamedTuple):
    """A device as the floor sees it now."""

    device: str
    registration: DeviceState
    contact: DeviceContact
    status: DeviceStatus
    now: int
    calendar: Calendar

    @property
    def description(self) -> str:
        """What there is to say about how it is, in a sentence or none; it does not change as time goes by."""
        match self.status:
            case DeviceStatus.WITHDRAWN:
                return f"{self.registration.withdrawn}."
            case DeviceStatus.HELD_UP:
                return self.registration.held_up.why if self.registration.held_up else ""
            case DeviceStatus.SILENT:
                return (
                    f"Nothing was heard of it since {self._time_text(self.contact.at)}: look at its plug and its line."
                )
            case DeviceStatus.NEVER_CONNECTED:
                return "It has not spoken with its present token yet."
        if not self.contact.refused:
            return ""
        calls = "1 call was" if self.contact.refused == 1 else f"{self.contact.refused:,} calls were"
        at = self._time_text(self.contact.refused_at)
        return f"{calls} refused lately, the last one at {at} with the words: {self.contact.refusal}"

    def _time_text(self, time: int) -> str:
        """A time of today by the clock alone."""
        today = self.calendar.format_time(self.now)[:10]
        return self.calendar.format_time(time)[:16].removeprefix(today).strip()

    @property
    def registered_at(self) -> str:
        """When it was registered."""
        return self.calendar.format_time(self.registration.since)[:16]

    @property
    def last_contact(self) -> str:
        """How long ago it spoke."""
        return f"{format_duration(self.now - self.contact.at)} ago" if self.contact.at else ""


class DeviceMonitor:
    """Everything that was heard of devices. Threads may share it."""

    def __init__(
        self,
        floor: CardRoom,
        clock: Clock = system_clock,
        on_change: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:
        self._floor, self._clock, self._on_change = floor, clock, on_change
        self._started_at = clock()
        self._lock = threading.Lock()
        self._shared_contacts: dict[str, DeviceContact] = {}
        """What all houses have noted, by token."""
        self._local_contacts: dict[str, DeviceContact] = {}
        """What was heard here since then."""

    def record_call(self, device: str, registration: DeviceState) -> None:
        """A device has spoken."""
        self._add(device, registration, DeviceContact(self._clock()))

    def record_refusal(self, device: str, registration: DeviceState, reason: str) -> None:
        """A device has said what had to be refused."""
        now = self._clock()
        self._add(device, registration, DeviceContact(now, 1, now, reason[:_MAX_TEXT]))

    def _add(self, device: str, registration: DeviceState, contact: DeviceContact) -> None:
        about = _note_key(device, registration)
        with self._lock:
            self._local_contacts[about] = self._local_contacts.get(about, DeviceContact()).merge(contact)

    def contact_of(self, device: str, registration: DeviceState) -> DeviceContact:
        """What was heard of a device, here and elsewhere."""
        about = _note_key(device, registration)
        with self._lock:
            return (
                self._shared_contacts.get(about, DeviceContact())
                .merge(self._local_contacts.get(about, DeviceContact()))
                .recent(self._clock())
            )

    def list_devices(self, table: str | None = None) -> list[DeviceView]:
        """Every device as it is now, or those of one table: by table, those that people should look at first."""
        now, calendar = self._clock(), self._floor.calendar
        device_views = [
            self._device_view(name, registration, now, calendar)
            for name, registration in self._floor.list_devices().items()
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
        """The devices that somebody should look at."""
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
        # A device could not speak while the house was closed.
        silent = now - max(contact.at, self._started_at)
        return DeviceStatus.SILENT if silent > _silent_limit(registration.kind) * SECOND else DeviceStatus.CONNECTED

    def share(self) -> None:
        """Let other houses know what was heard here, and hear what they know."""
        with self._lock:
            local, self._local_contacts = self._local_contacts, {}
        try:
            shared = self._read_notes()
            news = {about: shared.get(about, DeviceContact()).merge(contact) for about, contact in local.items()}
            self._floor.ledger.save_notes([_encode_note(about, contact) for about, contact in news.items()])
        except BaseException:
            with self._lock:  # nobody has heard of it: what came since follows on it
                for about, contact in local.items():
                    self._local_contacts[about] = contact.merge(self._local_contacts.get(about, DeviceContact()))
            raise
        with self._lock:
            self._shared_contacts = shared | news

    def _read_notes(self) -> dict[str, DeviceContact]:
        notes = self._floor.ledger.read_notes(_NOTE_PREFIX)
        return {note.key: contact for note in notes if (contact := _decode_note(note.text)) is not None}

    async def run(self, executors: Executors, interval: float) -> None:
        """Share what is heard, and tell the open pages when a device falls silent, or speaks again."""
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
            # How it is with each is told at once; how much was refused, no more often than it is shared.
            counts = counts or tuple(device.contact.refused for device in devices)
            now = tuple((device.device, device.status) for device in devices), counts
            if now != last_sent:
                last_sent = now
                self._on_change((DEVICES_CHANGED,))
            await asyncio.sleep(interval)


def _silent_limit(kind: DeviceKind) -> int:
    """Seconds for which a device may be silent."""
    return _CONSOLE_SILENT_SECONDS if kind is DeviceKind.CONSOLE else SILENT_SECONDS


def _note_key(device: str, registration: DeviceState) -> str:
    return f"{_NOTE_PREFIX}{device}.{registration.generation}"


def _encode_note(about: str, contact: DeviceContact) -> Note:
    return Note(about, max(contact.at, contact.refused_at), json.dumps(contact._asdict(), ensure_ascii=False))


def _decode_note(text: str) -> DeviceContact | None:
    """What a note says; nothing where somebody else has written there.

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
    """How long something takes, in the largest unit that fits.

    >>> [format_duration(seconds * SECOND) for seconds in (-1, 1, 59, 60, 7_200, 500_000)]
    ['0 seconds', '1 second', '59 seconds', '1 minute', '2 hours', '5 days']
    """
    seconds = max(microseconds, 0) // SECOND
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        if seconds >= size or size == 1:
            number = seconds // size
            return f"{number:,} {unit}{'s' * (number != 1)}"
    raise AssertionError
