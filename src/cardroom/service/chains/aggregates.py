"""The aggregates, each with chains of its own: tables, jackpots, promotions, the room; how events of a chain are read,
applied, and posted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Generic, Protocol, TypeVar

from cardroom.chart_of_accounts import Currency, Posting
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
from cardroom.room.table.live_round_steps import apply_live_event, live_unique_keys
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
    """A state with a currency."""

    @property
    def money(self) -> Currency: ...


class UnknownTabulator(BadInput):
    """A table that was never added."""


class UnknownJackpot(BadInput):
    """A jackpot that was never added."""


class UnknownPromotion(BadInput):
    """A promotion that was never announced."""


class UnknownTable(BadInput):
    """A table that was never added, or that only another player may see."""


class UnknownPlayer(BadInput):
    """A player without an account."""


class UnknownUser(BadInput):
    """A login that does not exist."""


class UnknownRoom(BadInput):
    """A room without any event yet."""


class UnknownHeadsLog(BadInput):
    """A log of heads that was never begun."""


@dataclass(frozen=True, slots=True)
class Aggregate(Generic[S]):
    """How the events of one kind of aggregate are read, applied, and posted."""

    chain_name: Callable[[str], str]
    state_type: type[S]
    apply: Callable[[S | None, DomainEvent], S]
    postings: Callable[[S | None, S, DomainEvent], tuple[Posting, ...]]
    """The postings of an event, from the states before and after it, in the aggregate's currency."""
    unique_keys: Callable[[DomainEvent], tuple[str, ...]]
    """The keys of an event, unique on the chain forever."""
    make_unknown: Callable[[str], BadInput]

    def encode(self, state: S) -> Any:
        """A state as JSON, for a snapshot."""
        return encode(state)

    def decode(self, snapshot: object) -> S:
        """The state of a snapshot."""
        return decode(self.state_type, snapshot)


def no_postings(_: object, __: object, ___: DomainEvent) -> tuple[Posting, ...]:
    """No event of the aggregate moves money."""
    return ()


def in_own_currency(
    postings: Callable[[DomainEvent], tuple[Posting, ...]],
) -> Callable[[object, HasCurrency, DomainEvent], Postings]:
    """Postings that follow from the event alone; the currency is the aggregate's."""

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
    lambda id: UnknownTabulator(f"There is no table {id!r}: check its name, or add it first."),
)
JACKPOTS: Final[Aggregate[JackpotState]] = Aggregate(
    jackpot_chain,
    JackpotState,
    apply_jackpot_event,
    _jackpot_postings,
    jackpot_unique_keys,
    lambda id: UnknownJackpot(f"There is no jackpot {id!r}: check its name, or add it first."),
)
PROMOTIONS: Final[Aggregate[PromotionRecord]] = Aggregate(
    promotion_chain,
    PromotionRecord,
    apply_promotion_event,
    in_own_currency(promotion_postings),
    promotion_unique_keys,
    lambda id: UnknownPromotion(f"There is no promotion {id!r}: check its name, or announce it first."),
)
ROOM: Final[Aggregate[SiteState]] = Aggregate(
    lambda _: ROOM_CHAIN,
    SiteState,
    apply_site_event,
    no_postings,
    site_unique_keys,
    lambda _: UnknownRoom("The room was never set up: configure it first."),
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
    """A table is automatic or live, with the events of both on one kind of chain."""
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
    lambda id: UnknownUser(f"There is no user with the login {id!r}: check it."),
)
