"""The card room itself: what holds at all its tables and jackpots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from hashlib import sha256
from typing import NamedTuple

from cardroom.floor.desks.answers import RoomStanding, room_standing, room_standing_entry
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.room_history import RoomChange, room_changes
from cardroom.jackpots.happenings import BackupRestored, ClockConfirmed
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.room.state import set_up_room
from cardroom.jackpots.setup.room import RoomSettings, settings_entry
from cardroom.ledger import Json, Time, schema
from cardroom.ledger.connect import UNFINISHED_RESTORE


class Books(NamedTuple):
    """Which books they are."""

    chains: int
    events: int
    heads: str
    """SHA-256 of where each chain ends."""


class RoomDesk(Desk):
    """What the office decides for the whole room."""

    def set_up_room(self, id: str, who: str, settings: RoomSettings, why: str, *, second: str) -> RoomStanding:
        """Say what holds in the whole room from now on."""
        body: dict[str, Json] = {
            "do": "set-up-room",
            "who": who,
            "second": second,
            "why": why,
            "settings": settings_entry(settings),
        }

        def decide(draft: Draft) -> Json:
            happened = set_up_room(draft.room(), settings, who=who, second=second, why=why)
            return room_standing_entry(draft.at_room(happened))

        return self._do(id, body, (ROOM,), decide, room_standing)

    def books(self) -> Books:
        """All that is stored, in a few figures."""
        with self.ledger.store.read() as now:
            heads = [row for row in now.rows(schema.heads) if row[1]]
        digest = sha256(b"".join(row[0].encode() + row[2] for row in sorted(heads))).hexdigest()
        return Books(len(heads), sum(row[1] for row in heads), digest)

    def confirm_restore(
        self, id: str, who: str, books: Books, last: int, users: Sequence[str], devices: Sequence[str], *, second: str
    ) -> None:
        """Two people confirm which books were restored, and each user and device in them; the second one's signature
        says so for ever. From then on the database can be opened. ``last`` is the time of the newest event in the
        backup."""
        body: dict[str, Json] = {"do": "confirm-restore", "who": who, "second": second, **books._asdict()}
        one, other = two_people(who, second, "books that are restored")

        def decide(draft: Draft) -> Json:
            draft.at_room((BackupRestored(one, other, last, tuple(users), tuple(devices)),))
            draft.tell(*UNFINISHED_RESTORE)
            return None

        access: dict[str, Json] = {"users": len(users), "devices": len(devices)}
        self._do(id, body | access, (ROOM,), decide, lambda _: None)

    def confirm_clock(self, id: str, who: str) -> Time:
        """An operator says that the clock is right although it jumped ahead: from now on everything is stored again.
        Returns when the last event before it happened."""
        last = self.ledger.newest_event_time()
        body: dict[str, Json] = {"do": "confirm-clock", "who": who}

        def decide(draft: Draft) -> Json:
            draft.at_room((ClockConfirmed(named(who, "person"), last),))
            return last

        command = replace(self._command(id, body, (ROOM,), decide), confirms_clock=True)
        return int(str(self.ledger.execute(command).response))

    def room_history(self) -> tuple[RoomChange, ...]:
        """Every set-up of the room, from the first to the last."""
        return tuple(room_changes(self.ledger.events(ROOM)))
