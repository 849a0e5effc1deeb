"""What has a chain of its own: tables, jackpots, promotions, the room; how a chain is read, carried on and booked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, TypeVar

from cardroom.accounts import Posting
from cardroom.faults import BadInput
from cardroom.floor.kept.chains import ROOM as ROOM_CHAIN
from cardroom.floor.kept.chains import jackpot_chain, promotion_chain, table_chain
from cardroom.floor.kept.table import TableState, table_after, table_names, table_postings
from cardroom.jackpots import Happening, RunningPromotion, jackpot_after, promotion_after, read_as, written
from cardroom.jackpots.meter.naming import jackpot_names
from cardroom.jackpots.meter.posting import jackpot_postings, promotion_postings
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.promotion.running import promotion_names
from cardroom.jackpots.room.state import RoomState, room_after, room_names

S = TypeVar("S")


class UnknownTable(BadInput):
    """A table that was never opened."""


class UnknownJackpot(BadInput):
    """A jackpot that was never opened."""


class UnknownPromotion(BadInput):
    """A promotion that was never announced."""


class UnknownRoom(BadInput):
    """A room to which nothing has happened yet."""


@dataclass(frozen=True, slots=True)
class Subject(Generic[S]):
    """How the chains of one subject are read, carried on and booked."""

    chain: Callable[[str], str]
    state: type[S]
    after: Callable[[S | None, Happening], S]
    postings: Callable[[Happening], tuple[Posting, ...]]
    names: Callable[[Happening], tuple[str, ...]]
    """What the chain knows a happening by for ever."""
    unknown: Callable[[str], BadInput]

    def write(self, state: S) -> Any:
        """A state in plain values, as a snapshot holds it."""
        return written(state)

    def read(self, snapshot: object) -> S:
        """The state that a snapshot holds."""
        return read_as(self.state, snapshot)


def nameless(_: Happening) -> tuple[str, ...]:
    """Nothing that happens there is looked up by a name."""
    return ()


def unbooked(_: Happening) -> tuple[Posting, ...]:
    """Nothing that happens there moves money."""
    return ()


TABLES: Final[Subject[TableState]] = Subject(
    table_chain,
    TableState,
    table_after,
    table_postings,
    table_names,
    lambda id: UnknownTable(f"There is no table {id!r}: open it first, or check its name."),
)
JACKPOTS: Final[Subject[JackpotState]] = Subject(
    jackpot_chain,
    JackpotState,
    jackpot_after,
    jackpot_postings,
    jackpot_names,
    lambda id: UnknownJackpot(f"There is no jackpot {id!r}: open it first, or check its name."),
)
PROMOTIONS: Final[Subject[RunningPromotion]] = Subject(
    promotion_chain,
    RunningPromotion,
    promotion_after,
    promotion_postings,
    promotion_names,
    lambda id: UnknownPromotion(f"There is no promotion {id!r}: announce it first, or check its name."),
)
ROOM: Final[Subject[RoomState]] = Subject(
    lambda _: ROOM_CHAIN,
    RoomState,
    room_after,
    unbooked,
    room_names,
    lambda _: UnknownRoom("The room was never set up."),
)
