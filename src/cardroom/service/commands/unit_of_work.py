"""The states of tables, jackpots, promotions, and the room, as stored or in the middle of a command.

A unit of work collects what one command stores. Events are applied as they are appended, so that later decisions see
them.

A state is a function of its snapshot, so a state that was read once is used again as long as the snapshot is the same.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

import orjson

from cardroom.chart_of_accounts import CENT, MOST_CENTS
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.ledger import Clock, CommandOutcome, Head, Json, KeyedEvent, NewEvent, Time, UniqueKey, system_clock
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.room.jackpot.state import JackpotState
from cardroom.room.player.account import PlayerAccount
from cardroom.room.promotion.state import PromotionRecord
from cardroom.room.setup.calendar import Calendar
from cardroom.room.site.events import ChainEnd
from cardroom.room.site.heads_log import HeadsLog
from cardroom.room.site.state import SiteState
from cardroom.room.table.state import TableState
from cardroom.room.tabulator.installation import TabulatedTableState
from cardroom.room.user.state import UserState
from cardroom.service.chains.aggregates import (
    HEADS,
    JACKPOTS,
    PLAYER_ACCOUNTS,
    PROMOTIONS,
    ROOM,
    TABLES,
    TABULATORS,
    USERS,
    Aggregate,
    UnknownHeadsLog,
    UnknownRoom,
)
from cardroom.service.chains.names import promotion_chain, tabulator_chain

S = TypeVar("S")


class StateChanged(BadInput):
    """What a command read before its transaction is no longer so: another command came first."""

    def __init__(self) -> None:
        super().__init__("Another person is changing the same thing right now: send the command again.")


class StateAccess(ABC):
    """Access to the states of all aggregates."""

    def tabulator(self, id: str) -> TabulatedTableState:
        """The state of a tabulator."""
        return self._load_state(TABULATORS, id)

    def jackpot(self, id: str) -> JackpotState:
        """The state of a jackpot."""
        return self._load_state(JACKPOTS, id)

    def promotion(self, id: str) -> PromotionRecord:
        """The state of a promotion."""
        return self._load_state(PROMOTIONS, id)

    def table(self, table: str) -> TableState:
        """The state of a table."""
        return self._load_state(TABLES, table)

    def player_account(self, name: str) -> PlayerAccount:
        """The state of a player account."""
        return self._load_state(PLAYER_ACCOUNTS, name)

    def user(self, login: str) -> UserState:
        """The state of a user."""
        return self._load_state(USERS, login)

    def heads_log(self) -> HeadsLog | None:
        """The log of heads after the newest signed head; None before the first one is signed."""
        try:
            return self._load_state(HEADS, "")
        except UnknownHeadsLog:
            return None

    def room(self) -> SiteState:
        """The state of the card room; before its first event, the initial state."""
        try:
            return self._load_state(ROOM, "")
        except UnknownRoom:
            return SiteState()

    @property
    def calendar(self) -> Calendar:
        """The clock by which the room shows times and counts days."""
        return self.room().settings.calendar

    @abstractmethod
    def _load_state(self, aggregate: Aggregate[S], id: str) -> S:
        """The state of one aggregate."""


_LARGEST_NUMBER: Final = 10**16
"""No time or count in a command is larger, and amounts in hundredths of a cent still fit the ledger's columns."""


MAX_NAME_LENGTH: Final = 200
_FIELD_LABELS: Final = {
    "who": "The name of the person who does it",
    "second": "The name of the second person",
    "by": "The name of a person",
    "dealer": "The dealer's name",
    "player": "The player's name",
    "name": "The name",
    "reference": "The number of the slip",
}
"""How refusals call the names and numbers of a command."""


class AmountTooLarge(BadInput):
    """An amount larger than the ledger can store."""


def amount_too_large(cents: int) -> AmountTooLarge:
    return AmountTooLarge(f"{format_cents(cents)} is too much: the largest amount is {format_cents(MOST_CENTS)}.")


def refuse_too_large(value: object) -> None:
    """Refuse numbers that no amount, count, or time can be, and names that are too long."""
    match value:
        case dict():
            for key, item in value.items():
                if key in _FIELD_LABELS and isinstance(item, str) and len(item) > MAX_NAME_LENGTH:
                    raise AmountTooLarge(
                        f"{_FIELD_LABELS[key]} has {len(item):,} characters: write at most {MAX_NAME_LENGTH}."
                    )
                if key != "counters":  # the limits of a counter belong to its unit
                    refuse_too_large(item)
        case list():
            for item in value:
                refuse_too_large(item)
        case int() if abs(value) >= _LARGEST_NUMBER:
            raise amount_too_large(value)


def _normalize_payload(payload: Mapping[str, Any]) -> Any:
    try:
        return orjson.loads(orjson.dumps(payload, option=orjson.OPT_SORT_KEYS))
    except orjson.JSONEncodeError:
        refuse_too_large(payload)
        raise


MAX_CACHED_STATES: Final = 20_000
"""Cached states of chains."""


class StateCache:
    """States that were read or made before, by chain, with the snapshot to which they belong."""

    def __init__(self) -> None:
        self._states: dict[str, tuple[Json, Any]] = {}

    def load(self, aggregate: Aggregate[S], head: Head) -> S:
        """The state that a head's snapshot holds."""
        cached = self._states.get(head.chain)
        if cached is not None and cached[0] == head.snapshot:
            state: S = cached[1]
            return state
        state = aggregate.decode(head.snapshot)
        self.store(head.chain, head.snapshot, state)
        return state

    def store(self, chain: str, snapshot: Json, state: object) -> None:
        """Cache a state that is about to be stored. If it is not stored after all, no head ever has its snapshot."""
        self._states[chain] = snapshot, state
        # Players come and go for years: the least recently used states are dropped, and read again when needed.
        while len(self._states) > MAX_CACHED_STATES:
            self._states.pop(next(iter(self._states)), None)


class UnitOfWork(StateAccess):
    """What one command decides, with the heads of its locked chains."""

    def __init__(
        self,
        state_cache: StateCache,
        heads: Mapping[str, Head | None],
        unique_keys: Collection[UniqueKey] = (),
        clock: Clock = system_clock,
    ) -> None:
        self._state_cache, self._heads, self._unique_keys, self._clock = state_cache, heads, unique_keys, clock
        self._now: Time | None = None
        self._events: list[NewEvent] = []
        self._states: dict[str, tuple[Aggregate[Any], Any]] = {}
        self._secrets: dict[UniqueKey, bytes] = {}
        self._hashes: dict[UniqueKey, bytes] = {}
        self._revealed: list[UniqueKey] = []

    @property
    def now(self) -> Time:
        """The time at which the command is decided. Its events have this time, however long the decision takes."""
        if self._now is None:
            self._now = self._clock()
        return self._now

    def has(self, aggregate: Aggregate[Any], id: str) -> bool:
        """Whether the aggregate with this id exists."""
        return self.head(aggregate.chain_name(id)) is not None

    def count_tabulator_events(self, table: str) -> int:
        """The number of events of a tabulator."""
        head = self.head(tabulator_chain(table))
        return head.sequence if head is not None else 0

    def find_count_event(self, table: str, round_id: str) -> KeyedEvent | None:
        """The event by which the tabulator counted a requested round, if it exists."""
        return self.find_keyed_event(tabulator_chain(table), round_id)

    def find_keyed_event(self, chain: str, key: str) -> KeyedEvent | None:
        """The event of a chain with a requested unique key, if it exists."""
        self._require_requested(UniqueKey(chain, key))
        head = self.head(chain)
        return head.keyed_events.get(key) if head is not None else None

    def find_paid_hand_event(self, promotion: str, key: str) -> KeyedEvent | None:
        """The event by which a promotion paid a requested hand, if it exists."""
        return self.find_keyed_event(promotion_chain(promotion), key)

    def list_chain_ends(self) -> tuple[ChainEnd, ...]:
        """The last event of each locked chain before the command."""
        heads = (self._heads[chain] for chain in sorted(self._heads))
        return tuple(ChainEnd(head.chain, head.sequence, head.hash.hex()) for head in heads if head is not None)

    def head(self, chain: str) -> Head | None:
        """The head of a locked chain. A command that needs another one as well was prepared from states that have
        changed since."""
        if chain not in self._heads:
            raise StateChanged
        return self._heads[chain]

    def apply_to_tabulator(self, id: str, events: Sequence[DomainEvent]) -> TabulatedTableState:
        """Append events to a tabulator."""
        return self._apply(TABULATORS, id, events)

    def apply_to_jackpot(self, id: str, events: Sequence[DomainEvent]) -> JackpotState:
        """Append events to a jackpot."""
        return self._apply(JACKPOTS, id, events)

    def apply_to_promotion(self, id: str, events: Sequence[DomainEvent]) -> PromotionRecord:
        """Append events to a promotion."""
        return self._apply(PROMOTIONS, id, events)

    def apply_to_table(self, table: str, events: Sequence[DomainEvent]) -> TableState:
        """Append events to a table."""
        return self._apply(TABLES, table, events)

    def apply_to_player_account(self, player: str, events: Sequence[DomainEvent]) -> PlayerAccount:
        """Append events to a player account."""
        return self._apply(PLAYER_ACCOUNTS, player, events)

    def apply_to_user(self, login: str, events: Sequence[DomainEvent]) -> UserState:
        """Append events to a user."""
        return self._apply(USERS, login, events)

    def put_secret(self, chain: str, name: str, secret: bytes) -> None:
        """Store a secret until it may be revealed."""
        self._secrets[UniqueKey(chain, name)] = secret

    def put_password_hash(self, chain: str, name: str, value: bytes) -> None:
        """Store a password hash."""
        self._hashes[UniqueKey(chain, name)] = value

    def reveal_secret(self, chain: str, name: str) -> None:
        """Delete a secret, because an event reveals it now."""
        self._revealed.append(UniqueKey(chain, name))

    def has_locked(self, *chains: str) -> bool:
        """Whether the command has locked these chains."""
        return all(chain in self._heads for chain in chains)

    def count_events(self, chain: str) -> int:
        """The number of events of a chain, including those of this command."""
        head = self.head(chain)
        return (head.sequence if head else 0) + sum(event.chain == chain for event in self._events)

    def apply_to_room(self, events: Sequence[DomainEvent]) -> SiteState:
        """Append events to the room."""
        return self._apply(ROOM, "", events)

    def apply_to_heads_log(self, events: Sequence[DomainEvent]) -> HeadsLog:
        """Append events to the log of heads."""
        return self._apply(HEADS, "", events)

    def build_outcome(self, result: Json) -> CommandOutcome:
        """Everything to store, and the result for the sender."""
        snapshots: dict[str, Json] = {}
        for chain, (aggregate, state) in self._states.items():
            snapshots[chain] = aggregate.encode(state)
            self._state_cache.store(chain, snapshots[chain], state)
        revealed = tuple(self._revealed)
        return CommandOutcome(tuple(self._events), snapshots, result, self._secrets, self._hashes, revealed, self._now)

    def _require_requested(self, *unique_keys: UniqueKey) -> None:
        if not all(key in self._unique_keys for key in unique_keys):
            raise StateChanged

    def _load_state(self, aggregate: Aggregate[S], id: str) -> S:
        chain = aggregate.chain_name(id)
        if chain in self._states:
            state: S = self._states[chain][1]
            return state
        head = self.head(chain)
        if head is None:
            raise aggregate.make_unknown(id)
        return self._state_cache.load(aggregate, head)

    def _apply(self, aggregate: Aggregate[S], id: str, events: Sequence[DomainEvent]) -> S:
        chain = aggregate.chain_name(id)
        new = chain not in self._states and self.head(chain) is None
        state = None if new else self._load_state(aggregate, id)
        for new_event in events:
            # Normalize names as stored: a replay reads them in that order.
            payload = _normalize_payload(new_event.payload)
            event = decode_event(new_event.kind, new_event.version, payload)
            before, state = state, aggregate.apply(state, event)
            posted, names = aggregate.postings(before, state, event), aggregate.unique_keys(event)
            self._require_requested(*(UniqueKey(chain, name) for name in names))
            for posting in posted:
                if posting.amount > MOST_CENTS * CENT:
                    raise amount_too_large(posting.amount // CENT)
            self._events.append(NewEvent(chain, new_event.kind, new_event.version, payload, posted, names))
        if state is None:
            raise aggregate.make_unknown(id)
        if events:
            self._states[chain] = aggregate, state
        return state
