"""What has a chain of its own: tables, jackpots, promotions, the room; how a chain is read, carried on and booked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from cardroom.accounts import Currency, Posting
from cardroom.errors import BadInput
from cardroom.floor.felt.applying import felt_after
from cardroom.floor.felt.booking import felt_postings
from cardroom.floor.felt.naming import felt_names
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import HEADS as HEADS_CHAIN
from cardroom.floor.kept.chains import ROOM as ROOM_CHAIN
from cardroom.floor.kept.chains import (
    felt_chain,
    jackpot_chain,
    person_chain,
    player_chain,
    promotion_chain,
    table_chain,
)
from cardroom.floor.kept.table import TableState, table_after, table_names, table_postings
from cardroom.floor.live.applying import live_after, live_names
from cardroom.floor.live.happenings import OfALiveRound
from cardroom.floor.people.state import PersonState, person_after, person_names
from cardroom.floor.players.state import PlayerState, player_after, player_names, player_postings
from cardroom.jackpots import Happening, RunningPromotion, jackpot_after, promotion_after, read_as, written
from cardroom.jackpots.meter.naming import jackpot_names
from cardroom.jackpots.meter.posting import entries_with_the_cage, promotion_postings
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.promotion.running import promotion_names
from cardroom.jackpots.room.heads_log import HeadsLog, heads_log_after, heads_log_names
from cardroom.jackpots.room.state import RoomState, room_after, room_names

S = TypeVar("S")
Booked = tuple[Posting, ...]


class OfMoney(Protocol):
    """What plays for one of the two moneys."""

    @property
    def money(self) -> Currency: ...


class UnknownTable(BadInput):
    """A table that was never opened."""


class UnknownJackpot(BadInput):
    """A jackpot that was never opened."""


class UnknownPromotion(BadInput):
    """A promotion that was never announced."""


class UnknownFelt(BadInput):
    """A felt that was never opened, or that only somebody else may see."""


class UnknownPlayer(BadInput):
    """A player who was never admitted."""


class UnknownPerson(BadInput):
    """A login that nobody has."""


class UnknownRoom(BadInput):
    """A room to which nothing has happened yet."""


class UnknownHeads(BadInput):
    """A log of heads that was never begun."""


@dataclass(frozen=True, slots=True)
class Subject(Generic[S]):
    """How the chains of one subject are read, carried on and booked."""

    chain: Callable[[str], str]
    state: type[S]
    after: Callable[[S | None, Happening], S]
    postings: Callable[[S | None, S, Happening], tuple[Posting, ...]]
    """Of the states before and after, and the happening: what it means for the books, in the subject's money."""
    names: Callable[[Happening], tuple[str, ...]]
    """What the chain knows a happening by for ever."""
    unknown: Callable[[str], BadInput]

    def write(self, state: S) -> Any:
        """A state in plain values, as a snapshot holds it."""
        return written(state)

    def read(self, snapshot: object) -> S:
        """The state that a snapshot holds."""
        return read_as(self.state, snapshot)


def unbooked(_: object, __: object, ___: Happening) -> tuple[Posting, ...]:
    """Nothing that happens there moves money."""
    return ()


def in_its_money(
    postings: Callable[[Happening], tuple[Posting, ...]],
) -> Callable[[object, OfMoney, Happening], Booked]:
    """What is posted follows from the happening alone; of which money it is, from what it happened to."""

    def booked(_: object, after: OfMoney, happening: Happening) -> Booked:
        posted, money = postings(happening), after.money
        return posted if money is Currency.REAL else tuple(one.with_currency(money) for one in posted)

    return booked


def _jackpot_entries(before: JackpotState | None, after: JackpotState, happening: Happening) -> Booked:
    posted, money = entries_with_the_cage(before, after, happening), after.money
    return posted if money is Currency.REAL else tuple(one.with_currency(money) for one in posted)


TABLES: Final[Subject[TableState]] = Subject(
    table_chain,
    TableState,
    table_after,
    in_its_money(table_postings),
    table_names,
    lambda id: UnknownTable(f"There is no table {id!r}: open it first, or check its name."),
)
JACKPOTS: Final[Subject[JackpotState]] = Subject(
    jackpot_chain,
    JackpotState,
    jackpot_after,
    _jackpot_entries,
    jackpot_names,
    lambda id: UnknownJackpot(f"There is no jackpot {id!r}: open it first, or check its name."),
)
PROMOTIONS: Final[Subject[RunningPromotion]] = Subject(
    promotion_chain,
    RunningPromotion,
    promotion_after,
    in_its_money(promotion_postings),
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
HEADS: Final[Subject[HeadsLog]] = Subject(
    lambda _: HEADS_CHAIN,
    HeadsLog,
    heads_log_after,
    unbooked,
    heads_log_names,
    lambda _: UnknownHeads("No heads were ever signed."),
)


def _felt_after(state: FeltState | None, happening: Happening) -> FeltState:
    """A felt is played at by people or dealt at by a dealer; both stand on one chain."""
    return live_after(state, happening) if isinstance(happening, OfALiveRound) else felt_after(state, happening)


def _felt_names(happening: Happening) -> tuple[str, ...]:
    return live_names(happening) if isinstance(happening, OfALiveRound) else felt_names(happening)


FELTS: Final[Subject[FeltState]] = Subject(
    felt_chain,
    FeltState,
    _felt_after,
    felt_postings,
    _felt_names,
    lambda id: UnknownFelt(f"There is no table {id!r} to play at: check its name."),
)
PLAYERS: Final[Subject[PlayerState]] = Subject(
    player_chain,
    PlayerState,
    player_after,
    player_postings,
    player_names,
    lambda id: UnknownPlayer(f"There is no player {id!r}: check the name."),
)
PEOPLE: Final[Subject[PersonState]] = Subject(
    person_chain,
    PersonState,
    person_after,
    unbooked,
    person_names,
    lambda id: UnknownPerson(f"There is nobody here with the login {id!r}: check it."),
)
