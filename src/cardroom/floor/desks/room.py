"""The card room itself: what holds at all its tables and jackpots."""

from __future__ import annotations

from cardroom.floor.desks.answers import RoomStanding, room_standing, room_standing_entry
from cardroom.floor.desks.desk import Desk
from cardroom.floor.desks.draft import Draft
from cardroom.floor.kept.chains import ROOM
from cardroom.floor.kept.room_history import RoomChange, room_changes
from cardroom.jackpots.room.state import set_up_room
from cardroom.jackpots.setup.room import RoomSettings, settings_entry
from cardroom.ledger import Json


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

    def room_history(self) -> tuple[RoomChange, ...]:
        """Every set-up of the room, from the first to the last."""
        return tuple(room_changes(self.ledger.events(ROOM)))
