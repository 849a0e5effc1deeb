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

from cardroom.floor import Floor
from cardroom.jackpots.room.devices import DeviceStands
from cardroom.jackpots.setup.calendar import Calendar
from cardroom.jackpots.setup.devices import DeviceKind
from cardroom.ledger import Clock, LedgerDamaged, LedgerUnavailable, Note, system_clock
from cardroom.web.room.clerks import Clerks

SECOND: Final = 1_000_000
EVERY: Final = 15
"""Seconds after which a device says that it is there, if it has said nothing else."""
SILENT_AFTER: Final = 60
"""Seconds of silence after which people should look at a device."""
_CONSOLE_SILENT_AFTER: Final = 30 * 60
"""A dealer's console speaks when the dealer does something."""
SPELL: Final = 10 * 60
"""Seconds without a refusal after which those before are forgotten."""
NONSENSE: Final = 3
"""From so many refused calls on, people should look at the device."""
SHARED_EVERY: Final = 10.0
"""Seconds between two notes for other houses."""
DEVICES: Final = "devices"
"""What pages follow that show how it is with devices; no chain has that name."""
HEARD: Final = "devices heard"
"""What a page follows that says how long ago."""
_ABOUT: Final = "device "
_LONGEST: Final = 300


class Heard(NamedTuple):
    """What was heard of a device with its present token. Times are microseconds since 1970; 0 is never."""

    at: int = 0
    refused: int = 0
    """Calls that were refused, as long as no long time passed between two of them."""
    refused_at: int = 0
    refusal: str = ""
    """The last one, in words."""

    def and_then(self, later: Heard) -> Heard:
        """All that was heard.

        >>> Heard(9, 2, 9, "No.").and_then(Heard(12, 1, 12, "Never."))
        Heard(at=12, refused=3, refused_at=12, refusal='Never.')
        """
        at = max(self.at, later.at)
        if not later.refused:
            return self._replace(at=at)
        before = self.refused if later.refused_at - self.refused_at < SPELL * SECOND else 0
        if later.refused_at < self.refused_at:
            return self._replace(at=at, refused=before + later.refused)
        return Heard(at, before + later.refused, later.refused_at, later.refusal)

    def lately(self, now: int) -> Heard:
        """The same without refusals of long ago."""
        return self if now - self.refused_at < SPELL * SECOND else Heard(self.at)


class Speech(StrEnum):
    """How it is with a device, in the order in which people have to look at it."""

    HELD_UP = "held up"
    NONSENSE = "sends nonsense"
    SILENT = "silent"
    NOT_YET = "not heard yet"
    SPEAKING = "speaking"
    WITHDRAWN = "withdrawn"

    @property
    def is_for_people(self) -> bool:
        """Whether somebody should look at the device."""
        return self in (Speech.HELD_UP, Speech.NONSENSE, Speech.SILENT)


class DeviceSeen(NamedTuple):
    """A device as the floor sees it now."""

    device: str
    stands: DeviceStands
    heard: Heard
    speech: Speech
    now: int
    calendar: Calendar

    @property
    def words(self) -> str:
        """What there is to say about how it is, in a sentence or none; it does not change as time goes by."""
        match self.speech:
            case Speech.WITHDRAWN:
                return f"{self.stands.withdrawn}."
            case Speech.HELD_UP:
                return self.stands.held_up.why if self.stands.held_up else ""
            case Speech.SILENT:
                return f"Nothing was heard of it since {self._clock(self.heard.at)}: look at its plug and its line."
            case Speech.NOT_YET:
                return "It has not spoken with its present token yet."
        if not self.heard.refused:
            return ""
        calls = "1 call was" if self.heard.refused == 1 else f"{self.heard.refused:,} calls were"
        at = self._clock(self.heard.refused_at)
        return f"{calls} refused lately, the last one at {at} with the words: {self.heard.refusal}"

    def _clock(self, time: int) -> str:
        """A time of today by the clock alone."""
        today = self.calendar.told(self.now)[:10]
        return self.calendar.told(time)[:16].removeprefix(today).strip()

    @property
    def since(self) -> str:
        """When it was registered."""
        return self.calendar.told(self.stands.since)[:16]

    @property
    def last_heard(self) -> str:
        """How long ago it spoke."""
        return f"{told(self.now - self.heard.at)} ago" if self.heard.at else ""


class Hearing:
    """Everything that was heard of devices. Threads may share it."""

    def __init__(
        self,
        floor: Floor,
        clock: Clock = system_clock,
        tell: Callable[[Collection[str]], None] = lambda _: None,
    ) -> None:
        self._floor, self._clock, self._tell = floor, clock, tell
        self._opened = clock()
        self._lock = threading.Lock()
        self._known: dict[str, Heard] = {}
        """What all houses have noted, by token."""
        self._own: dict[str, Heard] = {}
        """What was heard here since then."""

    def hear(self, device: str, stands: DeviceStands) -> None:
        """A device has spoken."""
        self._add(device, stands, Heard(self._clock()))

    def refuse(self, device: str, stands: DeviceStands, why: str) -> None:
        """A device has said what had to be refused."""
        now = self._clock()
        self._add(device, stands, Heard(now, 1, now, why[:_LONGEST]))

    def _add(self, device: str, stands: DeviceStands, heard: Heard) -> None:
        about = _about(device, stands)
        with self._lock:
            self._own[about] = self._own.get(about, Heard()).and_then(heard)

    def heard(self, device: str, stands: DeviceStands) -> Heard:
        """What was heard of a device, here and elsewhere."""
        about = _about(device, stands)
        with self._lock:
            return self._known.get(about, Heard()).and_then(self._own.get(about, Heard())).lately(self._clock())

    def seen(self, table: str | None = None) -> list[DeviceSeen]:
        """Every device as it is now, or those of one table: by table, those that people should look at first."""
        now, calendar = self._clock(), self._floor.calendar
        found = [
            self._seen(name, stands, now, calendar)
            for name, stands in self._floor.devices().items()
            if table is None or stands.table == table
        ]
        order = list(Speech)
        return sorted(found, key=lambda one: (bool(one.stands.withdrawn), one.stands.table, order.index(one.speech)))

    def for_people(self, table: str | None = None) -> list[DeviceSeen]:
        """The devices that somebody should look at."""
        return [one for one in self.seen(table) if one.speech.is_for_people]

    def _seen(self, device: str, stands: DeviceStands, now: int, calendar: Calendar) -> DeviceSeen:
        heard = self.heard(device, stands)
        return DeviceSeen(device, stands, heard, self._speech(stands, heard, now), now, calendar)

    def _speech(self, stands: DeviceStands, heard: Heard, now: int) -> Speech:
        if stands.withdrawn:
            return Speech.WITHDRAWN
        if stands.held_up:
            return Speech.HELD_UP
        if heard.refused >= NONSENSE:
            return Speech.NONSENSE
        if not heard.at:
            return Speech.NOT_YET
        # A device could not speak while the house was closed.
        silent = now - max(heard.at, self._opened)
        return Speech.SILENT if silent > _allowed(stands.kind) * SECOND else Speech.SPEAKING

    def share(self) -> None:
        """Let other houses know what was heard here, and hear what they know."""
        with self._lock:
            own, self._own = self._own, {}
        try:
            known = self._noted()
            news = {about: known.get(about, Heard()).and_then(heard) for about, heard in own.items()}
            self._floor.ledger.save_notes([_note(about, heard) for about, heard in news.items()])
        except BaseException:
            with self._lock:  # nobody has heard of it: what came since follows on it
                for about, heard in own.items():
                    self._own[about] = heard.and_then(self._own.get(about, Heard()))
            raise
        with self._lock:
            self._known = known | news

    def _noted(self) -> dict[str, Heard]:
        notes = self._floor.ledger.read_notes(_ABOUT)
        return {one.key: heard for one in notes if (heard := _read(one.text)) is not None}

    async def run(self, clerks: Clerks, every: float) -> None:
        """Share what is heard, and tell the open pages when a device falls silent, or speaks again."""
        loop = asyncio.get_running_loop()
        told: object = None
        shared, counts = -SHARED_EVERY, None
        while True:
            try:
                if loop.time() - shared >= SHARED_EVERY:
                    shared, counts = loop.time(), None
                    await clerks.do(self.share)
                    self._tell((HEARD,))
                seen = await clerks.look(self.seen)
            except (LedgerUnavailable, LedgerDamaged):
                await asyncio.sleep(every)
                continue
            # How it is with each is told at once; how much was refused, no more often than it is shared.
            counts = counts or tuple(one.heard.refused for one in seen)
            now = tuple((one.device, one.speech) for one in seen), counts
            if now != told:
                told = now
                self._tell((DEVICES,))
            await asyncio.sleep(every)


def _allowed(kind: DeviceKind) -> int:
    """Seconds for which a device may be silent."""
    return _CONSOLE_SILENT_AFTER if kind is DeviceKind.CONSOLE else SILENT_AFTER


def _about(device: str, stands: DeviceStands) -> str:
    return f"{_ABOUT}{device}.{stands.generation}"


def _note(about: str, heard: Heard) -> Note:
    return Note(about, max(heard.at, heard.refused_at), json.dumps(heard._asdict(), ensure_ascii=False))


def _read(text: str) -> Heard | None:
    """What a note says; nothing where somebody else has written there.

    >>> _read(_note("", Heard(9)).text), _read("[]"), _read("{")
    (Heard(at=9, refused=0, refused_at=0, refusal=''), None, None)
    """
    try:
        entry = json.loads(text)
    except ValueError:
        return None
    types: Mapping[str, type] = {"at": int, "refused": int, "refused_at": int, "refusal": str}
    if not isinstance(entry, dict) or {name: type(one) for name, one in entry.items()} != types:
        return None
    return Heard(**entry)


def told(microseconds: int) -> str:
    """How long something takes, in the largest unit that fits.

    >>> [told(seconds * SECOND) for seconds in (-1, 1, 59, 60, 7_200, 500_000)]
    ['0 seconds', '1 second', '59 seconds', '1 minute', '2 hours', '5 days']
    """
    seconds = max(microseconds, 0) // SECOND
    for unit, size in (("day", 86_400), ("hour", 3_600), ("minute", 60), ("second", 1)):
        if seconds >= size or size == 1:
            number = seconds // size
            return f"{number:,} {unit}{'s' * (number != 1)}"
    raise AssertionError
