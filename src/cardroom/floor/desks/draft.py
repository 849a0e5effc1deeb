"""What a command wants stored: happenings are applied as they come, so that what follows sees them.

A state is a function of its snapshot, so a state that was read once is used again as long as the snapshot is the same.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Final, TypeVar

import orjson

from cardroom.accounts import CENT, MOST_CENTS
from cardroom.errors import BadInput
from cardroom.floor.desks.standings import Standings
from cardroom.floor.felt.state import FeltState
from cardroom.floor.kept.chains import jackpot_chain, promotion_chain, table_chain
from cardroom.floor.kept.subjects import FELTS, HEADS, JACKPOTS, PEOPLE, PLAYERS, PROMOTIONS, ROOM, TABLES, Subject
from cardroom.floor.kept.table import TableState
from cardroom.floor.people.state import PersonState
from cardroom.floor.players.state import PlayerState
from cardroom.games.money import format_cents
from cardroom.jackpots import Happening, RunningPromotion, happening_from
from cardroom.jackpots.day_end import ChainEnd
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.room.heads_log import HeadsLog
from cardroom.jackpots.room.state import RoomState
from cardroom.ledger import Clock, CommandOutcome, Head, Json, KeyedEvent, NewEvent, Time, UniqueKey, system_clock

S = TypeVar("S")


_LARGEST_NUMBER: Final = 10**16
"""No time and no count of a command is larger, and amounts in hundredths of a cent still fit into the books."""


LONGEST_NAME: Final = 200
_NAMES: Final = {
    "who": "The name of the person who does it",
    "second": "The name of the second person",
    "by": "The name of a person",
    "dealer": "The dealer's name",
    "player": "The player's name",
    "name": "The name",
    "reference": "The number of the slip",
}
"""What commands call names of people and things, in words."""


class TooMuch(BadInput):
    """More than the books hold."""


def too_much(cents: int) -> TooMuch:
    return TooMuch(
        f"{format_cents(cents)} is more than the books hold: an amount is {format_cents(MOST_CENTS)} at most."
    )


def refuse_too_much(value: object) -> None:
    """Refuse what no book holds: a number of a command that no amount, count or time can be, a name without end."""
    match value:
        case dict():
            for key, one in value.items():
                if key in _NAMES and isinstance(one, str) and len(one) > LONGEST_NAME:
                    raise TooMuch(f"{_NAMES[key]} has {len(one):,} characters: write {LONGEST_NAME} at most.")
                if key != "counters":  # what a counter can show is told of its unit
                    refuse_too_much(one)
        case list():
            for one in value:
                refuse_too_much(one)
        case int() if abs(value) >= _LARGEST_NUMBER:
            raise too_much(value)


def _as_stored(payload: Mapping[str, Any]) -> Any:
    try:
        return orjson.loads(orjson.dumps(payload, option=orjson.OPT_SORT_KEYS))
    except orjson.JSONEncodeError:
        refuse_too_much(payload)
        raise


MOST_KNOWN: Final = 20_000
"""Chains whose state is remembered."""


class Memory:
    """States that were read or made before, by chain, with the snapshot that they belong to."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Json, Any]] = {}

    def state(self, subject: Subject[S], head: Head) -> S:
        """The state that a head's snapshot holds."""
        known = self._known.get(head.chain)
        if known is not None and known[0] == head.snapshot:
            state: S = known[1]
            return state
        state = subject.read(head.snapshot)
        self.keep(head.chain, head.snapshot, state)
        return state

    def keep(self, chain: str, snapshot: Json, state: object) -> None:
        """Remember a state that is about to be stored. Should it not be, its snapshot will not be met again."""
        self._known[chain] = snapshot, state
        # Players come and go for years: those who were met longest ago are forgotten, and read again when they return.
        while len(self._known) > MOST_KNOWN:
            self._known.pop(next(iter(self._known)), None)


class Draft(Standings):
    """What one command decides, with the heads of its chains in hand."""

    def __init__(
        self,
        memory: Memory,
        heads: Mapping[str, Head | None],
        names: Collection[UniqueKey] = (),
        clock: Clock = system_clock,
    ) -> None:
        self._memory, self._heads, self._names, self._clock = memory, heads, names, clock
        self._now: Time | None = None
        self._events: list[NewEvent] = []
        self._states: dict[str, tuple[Subject[Any], Any]] = {}
        self._secrets: dict[UniqueKey, bytes] = {}
        self._hashes: dict[UniqueKey, bytes] = {}
        self._told: list[UniqueKey] = []

    @property
    def now(self) -> Time:
        """The time by which the command is decided. Its events have the same time, however long the decision takes."""
        if self._now is None:
            self._now = self._clock()
        return self._now

    def has(self, subject: Subject[Any], id: str) -> bool:
        """Whether there is one of that name."""
        return self._heads[subject.chain(id)] is not None

    def events_at(self, table: str) -> int:
        """How many events there have been at a table."""
        head = self._heads[table_chain(table)]
        return head.sequence if head is not None else 0

    def holds_jackpots(self, ids: Sequence[str]) -> bool:
        """Whether the chains of these jackpots are locked for the command."""
        return all(jackpot_chain(id) in self._heads for id in ids)

    def counted(self, table: str, round_id: str) -> KeyedEvent | None:
        """The event by which a table counted a round that the command asked for, if it did."""
        return self.named(table_chain(table), round_id)

    def named(self, chain: str, name: str) -> KeyedEvent | None:
        """The event of a chain that has a name which the command asked for, if one has."""
        head = self._heads[chain]
        return head.keyed_events.get(name) if head is not None else None

    def paid_hand(self, promotion: str, name: str) -> KeyedEvent | None:
        """The event by which a promotion paid a hand that the command asked for, if it did."""
        head = self._heads[promotion_chain(promotion)]
        return head.keyed_events.get(name) if head is not None else None

    def ends(self) -> tuple[ChainEnd, ...]:
        """Where each chain that is locked for the command ends before it."""
        heads = (self._heads[chain] for chain in sorted(self._heads))
        return tuple(ChainEnd(head.chain, head.sequence, head.hash.hex()) for head in heads if head is not None)

    def head(self, chain: str) -> Head | None:
        """Where a chain ends that the command has locked."""
        return self._heads[chain]

    def at_table(self, id: str, happenings: Sequence[Happening]) -> TableState:
        """Let something happen at a table."""
        return self._carry_on(TABLES, id, happenings)

    def at_jackpot(self, id: str, happenings: Sequence[Happening]) -> JackpotState:
        """Let something happen to a jackpot."""
        return self._carry_on(JACKPOTS, id, happenings)

    def at_promotion(self, id: str, happenings: Sequence[Happening]) -> RunningPromotion:
        """Let something happen to a promotion."""
        return self._carry_on(PROMOTIONS, id, happenings)

    def at_felt(self, table: str, happenings: Sequence[Happening]) -> FeltState:
        """Let something happen at a felt."""
        return self._carry_on(FELTS, table, happenings)

    def at_player(self, player: str, happenings: Sequence[Happening]) -> PlayerState:
        """Let something happen to a player."""
        return self._carry_on(PLAYERS, player, happenings)

    def at_person(self, login: str, happenings: Sequence[Happening]) -> PersonState:
        """Let something happen to a person."""
        return self._carry_on(PEOPLE, login, happenings)

    def hide(self, chain: str, name: str, value: bytes) -> None:
        """Keep what must not be told yet."""
        self._secrets[UniqueKey(chain, name)] = value

    def keep_hash(self, chain: str, name: str, value: bytes) -> None:
        """Keep a password hash."""
        self._hashes[UniqueKey(chain, name)] = value

    def tell(self, chain: str, name: str) -> None:
        """Something that was hidden is told now."""
        self._told.append(UniqueKey(chain, name))

    def holds(self, *chains: str) -> bool:
        """Whether the chains are locked for the command."""
        return all(chain in self._heads for chain in chains)

    def asked(self, *names: UniqueKey) -> bool:
        """Whether the command has asked for these names."""
        return all(name in self._names for name in names)

    def version(self, chain: str) -> int:
        """How many events a chain has with those of this command."""
        head = self._heads[chain]
        return (head.sequence if head else 0) + sum(event.chain == chain for event in self._events)

    def at_room(self, happenings: Sequence[Happening]) -> RoomState:
        """Let something happen to the room."""
        return self._carry_on(ROOM, "", happenings)

    def at_heads_log(self, happenings: Sequence[Happening]) -> HeadsLog:
        """Let something happen to the log of heads."""
        return self._carry_on(HEADS, "", happenings)

    def outcome(self, answer: Json) -> CommandOutcome:
        """All of it, and the answer to the sender."""
        snapshots: dict[str, Json] = {}
        for chain, (subject, state) in self._states.items():
            snapshots[chain] = subject.write(state)
            self._memory.keep(chain, snapshots[chain], state)
        told = tuple(self._told)
        return CommandOutcome(tuple(self._events), snapshots, answer, self._secrets, self._hashes, told, self._now)

    def _state(self, subject: Subject[S], id: str) -> S:
        chain = subject.chain(id)
        if chain in self._states:
            state: S = self._states[chain][1]
            return state
        head = self._heads[chain]
        if head is None:
            raise subject.unknown(id)
        return self._memory.state(subject, head)

    def _carry_on(self, subject: Subject[S], id: str, happenings: Sequence[Happening]) -> S:
        chain = subject.chain(id)
        new = chain not in self._states and self._heads[chain] is None
        state = None if new else self._state(subject, id)
        for told in happenings:
            # As a replay will read it: names come in the order in which they are stored.
            payload = _as_stored(told.payload)
            happening = happening_from(told.kind, told.version, payload)
            before, state = state, subject.after(state, happening)
            posted, names = subject.postings(before, state, happening), subject.names(happening)
            for posting in posted:
                if posting.amount > MOST_CENTS * CENT:
                    raise too_much(posting.amount // CENT)
            self._events.append(NewEvent(chain, told.kind, told.version, payload, posted, names))
        if state is None:
            raise subject.unknown(id)
        if happenings:
            self._states[chain] = subject, state
        return state
