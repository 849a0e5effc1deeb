"""Tables, jackpots, promotions and the room, as they stand in the books or in the middle of a command."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TypeVar

from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.subjects import (
    FELTS,
    HEADS,
    JACKPOTS,
    PEOPLE,
    PLAYERS,
    PROMOTIONS,
    ROOM,
    TABLES,
    Subject,
    UnknownHeads,
    UnknownRoom,
)
from cardroom.floor.kept.table import TableState
from cardroom.floor.people.state import PersonState
from cardroom.floor.players.state import PlayerState
from cardroom.jackpots import RunningPromotion
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.room.heads_log import HeadsLog
from cardroom.jackpots.room.state import RoomState
from cardroom.jackpots.setup.calendar import Calendar

S = TypeVar("S")


class Standings(ABC):
    """Where states can be looked up."""

    def table(self, id: str) -> TableState:
        """A table as it stands."""
        return self._state(TABLES, id)

    def jackpot(self, id: str) -> JackpotState:
        """A jackpot as it stands."""
        return self._state(JACKPOTS, id)

    def promotion(self, id: str) -> RunningPromotion:
        """A promotion as it stands."""
        return self._state(PROMOTIONS, id)

    def felt(self, table: str) -> FeltState:
        """A felt as it stands."""
        return self._state(FELTS, table)

    def player(self, name: str) -> PlayerState:
        """A player as the books have them."""
        return self._state(PLAYERS, name)

    def person(self, login: str) -> PersonState:
        """Somebody who signs in."""
        return self._state(PEOPLE, login)

    def heads_log(self) -> HeadsLog | None:
        """The log of heads after the newest signed head; None where none was ever signed."""
        try:
            return self._state(HEADS, "")
        except UnknownHeads:
            return None

    def room(self) -> RoomState:
        """The card room as it stands; as every room begins when nothing has happened to it."""
        try:
            return self._state(ROOM, "")
        except UnknownRoom:
            return RoomState()

    @property
    def calendar(self) -> Calendar:
        """The clock by which the room tells its times and counts its days."""
        return self.room().settings.calendar

    @abstractmethod
    def _state(self, subject: Subject[S], id: str) -> S:
        """The state of one of them."""
