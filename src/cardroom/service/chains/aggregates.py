"""What has a chain of its own: tables, jackpots, promotions, the room; how a chain is read, carried on and booked."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from cardroom.accounts import Currency, Posting
from cardroom.errors import BadInput
from cardroom.room.codec import decode, encode
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.postings import postings_with_cage, promotion_postings
from cardroom.room.jackpot.reducer import apply_jackpot_event, jackpot_unique_keys
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.player.account import PlayerAccount, apply_player_event, player_postings, player_unique_keys
from cardroom.room.promotion.state import PromotionRecord, apply_promotion_event, promotion_unique_keys
from cardroom.room.site.heads_log import HeadsLog, apply_heads_log_event, heads_log_unique_keys
from cardroom.room.site.state import SiteState, apply_site_event, site_unique_keys
from cardroom.room.table.events import LiveRoundEvent
from cardroom.room.table.live_round import apply_live_event, live_unique_keys
from cardroom.room.table.postings import table_postings
from cardroom.room.table.reducer import apply_table_event, table_unique_keys
from cardroom.room.table.state import TableState
from cardroom.room.tabulator.installation import (
    TabulatedTableState,
    apply_table_tabulator_event,
    table_tabulator_postings,
    tabulator_unique_keys,
)
from cardroom.room.user.state import UserState, apply_user_event, user_unique_keys
from cardroom.service.chains.names import HEADS_CHAIN as HEADS_CHAIN
from cardroom.service.chains.names import ROOM_CHAIN as ROOM_CHAIN
from cardroom.service.chains.names import (
    jackpot_chain,
    player_chain,
    promotion_chain,
    table_chain,
    tabulator_chain,
    user_chain,
)

S = TypeVar("S")
Postings = tuple[Posting, ...]


class HasCurrency(Protocol):
    """What plays for one of the two moneys."""

    @property
    def money(self) -> Currency: ...


class UnknownTabulator(BadInput):
    """A table that was never opened."""


class UnknownJackpot(BadInput):
    """A jackpot that was never opened."""


class UnknownPromotion(BadInput):
    """A promotion that was never announced."""


class UnknownTable(BadInput):
    """A felt that was never opened, or that only somebody else may see."""


class UnknownPlayer(BadInput):
    """A player who was never admitted."""


class UnknownUser(BadInput):
    """A login that nobody has."""


class UnknownRoom(BadInput):
    """A room to which nothing has happened yet."""


class UnknownHeadsLog(BadInput):
    """A log of heads that was never begun."""


@dataclass(frozen=True, slots=True)
class Aggregate(Generic[S]):
    """How the chains of one subject are read, carried on and booked."""

    chain_name: Callable[[str], str]
    state_type: type[S]
    apply: Callable[[S | None, DomainEvent], S]
    postings: Callable[[S | None, S, DomainEvent], tuple[Posting, ...]]
    """Of the states before and after, and the happening: what it means for the books, in the subject's money."""
    unique_keys: Callable[[DomainEvent], tuple[str, ...]]
    """What the chain knows a happening by for ever."""
    make_unknown: Callable[[str], BadInput]

    def encode(self, state: S) -> Any:
        """A state in plain values, as a snapshot holds it."""
        return encode(state)

    def decode(self, snapshot: object) -> S:
        """The state that a snapshot holds."""
        return decode(self.state_type, snapshot)


def no_postings(_: object, __: object, ___: DomainEvent) -> tuple[Posting, ...]:
    """Nothing that happens there moves money."""
    return ()


def in_own_currency(
    postings: Callable[[DomainEvent], tuple[Posting, ...]],
) -> Callable[[object, HasCurrency, DomainEvent], Postings]:
    """What is posted follows from the happening alone; of which money it is, from what it happened to."""

    def post(_: object, after: HasCurrency, event: DomainEvent) -> Postings:
        posted, money = postings(event), after.money
        return posted if money is Currency.REAL else tuple(posting.with_currency(money) for posting in posted)

    return post


def _jackpot_postings(before: JackpotState | None, after: JackpotState, event: DomainEvent) -> Postings:
    posted, money = postings_with_cage(before, after, event), after.money
    return posted if money is Currency.REAL else tuple(posting.with_currency(money) for posting in posted)


TABULATORS: Final[Aggregate[TabulatedTableState]] = Aggregate(
    tabulator_chain,
    TabulatedTableState,
    apply_table_tabulator_event,
    in_own_currency(table_tabulator_postings),
    tabulator_unique_keys,
    lambda id: UnknownTabulator(f"There is no table {id!r}: open it first, or check its name."),
)
JACKPOTS: Final[Aggregate[JackpotState]] = Aggregate(
    jackpot_chain,
    JackpotState,
    apply_jackpot_event,
    _jackpot_postings,
    jackpot_unique_keys,
    lambda id: UnknownJackpot(f"There is no jackpot {id!r}: open it first, or check its name."),
)
PROMOTIONS: Final[Aggregate[PromotionRecord]] = Aggregate(
    promotion_chain,
    PromotionRecord,
    apply_promotion_event,
    in_own_currency(promotion_postings),
    promotion_unique_keys,
    lambda id: UnknownPromotion(f"There is no promotion {id!r}: announce it first, or check its name."),
)
ROOM: Final[Aggregate[SiteState]] = Aggregate(
    lambda _: ROOM_CHAIN,
    SiteState,
    apply_site_event,
    no_postings,
    site_unique_keys,
    lambda _: UnknownRoom("The room was never set up."),
)
HEADS: Final[Aggregate[HeadsLog]] = Aggregate(
    lambda _: HEADS_CHAIN,
    HeadsLog,
    apply_heads_log_event,
    no_postings,
    heads_log_unique_keys,
    lambda _: UnknownHeadsLog("No heads were ever signed."),
)


def _apply_table_event(state: TableState | None, event: DomainEvent) -> TableState:
    """A felt is played at by people or dealt at by a dealer; both stand on one chain."""
    return apply_live_event(state, event) if isinstance(event, LiveRoundEvent) else apply_table_event(state, event)


def _table_unique_keys(event: DomainEvent) -> tuple[str, ...]:
    return live_unique_keys(event) if isinstance(event, LiveRoundEvent) else table_unique_keys(event)


TABLES: Final[Aggregate[TableState]] = Aggregate(
    table_chain,
    TableState,
    _apply_table_event,
    table_postings,
    _table_unique_keys,
    lambda id: UnknownTable(f"There is no table {id!r} to play at: check its name."),
)
PLAYER_ACCOUNTS: Final[Aggregate[PlayerAccount]] = Aggregate(
    player_chain,
    PlayerAccount,
    apply_player_event,
    player_postings,
    player_unique_keys,
    lambda id: UnknownPlayer(f"There is no player {id!r}: check the name."),
)
USERS: Final[Aggregate[UserState]] = Aggregate(
    user_chain,
    UserState,
    apply_user_event,
    no_postings,
    user_unique_keys,
    lambda id: UnknownUser(f"There is nobody here with the login {id!r}: check it."),
)
