"""A forger who has the program: the books are written again from their first event, with one thing changed.

Every hash, entry, state and name is right, so that only a replay can find it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import orjson

from cardroom.chart_of_accounts import Posting
from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandOutcome, Event, Head, Ledger, NewEvent, UniqueKey, open_ledger, schema
from cardroom.ledger.encryption import fingerprint_of
from cardroom.room.event_types import DomainEvent, decode_event
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.chains.aggregates import (
    HEADS,
    JACKPOTS,
    PLAYER_ACCOUNTS,
    PROMOTIONS,
    ROOM,
    TABLES,
    TABULATORS,
    USERS,
)
from cardroom.service.chains.names import HEADS_CHAIN as HEADS_CHAIN
from cardroom.service.chains.names import (
    parse_jackpot_chain,
    parse_player_chain,
    parse_promotion_chain,
    parse_table_chain,
    parse_tabulator_chain,
    parse_user_chain,
)
from tests.ledger.empty import empty_ledger

Payload = dict[str, Any]
Rewritten = tuple[str, Payload]
"""The event type and the payload of a rewritten event."""
Change = Callable[[Event, Payload], Sequence[Rewritten] | None]
"""What stands in the place of an event; None when it stays."""
_SUBJECTS = (
    (parse_table_chain, TABLES),
    (parse_player_chain, PLAYER_ACCOUNTS),
    (parse_tabulator_chain, TABULATORS),
    (parse_jackpot_chain, JACKPOTS),
    (parse_promotion_chain, PROMOTIONS),
    (parse_user_chain, USERS),
)


def subject_of(chain: str) -> Any:
    if chain == HEADS_CHAIN:
        return HEADS
    return next((subject for of, subject in _SUBJECTS if of(chain) is not None), ROOM)


def commands_in_order(ledger: Ledger) -> Iterator[list[Event]]:
    """The events command by command, as they can have been stored: each chain keeps its order."""
    left = {chain: list(ledger.events(chain)) for chain in ledger.chains()}
    sizes: dict[str, int] = {}
    for event in ledger.events():
        sizes[event.command_id] = sizes.get(event.command_id, 0) + 1
    while any(left.values()):
        heads: dict[str, list[Event]] = {}
        for events in left.values():
            for event in events:
                if event.command_id != events[0].command_id:
                    break
                heads.setdefault(event.command_id, []).append(event)
        ready = [its for command, its in heads.items() if len(its) == sizes[command]]
        its = min(ready, key=lambda its: its[0].time)
        for event in its:
            left[event.chain].remove(event)
        yield sorted(its, key=lambda event: int(event.id.rpartition("/")[2]))


class _Pen:
    """Writes books again."""

    def __init__(self, original: Ledger, copy: Ledger, set_clock: Callable[[int], None]) -> None:
        self._original, self._copy, self._set_clock = original, copy, set_clock
        self._states: dict[str, Any] = {}

    def write(self, change: Change) -> None:
        for its in commands_in_order(self._original):
            self._set_clock(its[0].time)
            events = [new for event in its for new in self._rewritten(event, change)]
            if not events:
                continue
            chains = tuple(dict.fromkeys(one.chain for one in events))
            snapshots = {chain: subject_of(chain).encode(self._states[chain]) for chain in chains}
            names = tuple(UniqueKey(one.chain, name) for one in events for name in one.unique_keys)
            outcome = CommandOutcome(tuple(events), snapshots, None)
            self._copy.execute(Command(its[0].command_id, chains, {"do": "forge"}, lambda _, it=outcome: it, names))

    def _rewritten(self, event: Event, change: Change) -> Iterator[NewEvent]:
        result = change(event, orjson.loads(orjson.dumps(event.payload)))
        for kind, payload in [(event.kind, event.payload)] if result is None else result:
            yield self._new(event, kind, orjson.loads(orjson.dumps(payload, option=orjson.OPT_SORT_KEYS)))

    def _new(self, event: Event, kind: str, payload: Payload) -> NewEvent:
        subject, before = subject_of(event.chain), self._states.get(event.chain)
        domain_event = decode_event(kind, 1, payload)
        try:
            after = subject.apply(before, domain_event)
            posted = subject.postings(before, after, domain_event)
        except (BadInput, ValueError):
            after = before  # what cannot follow moves what was moved before
            entries = self._original.entries(event.chain, event.sequence - 1)
            its = [one for one in entries if one.sequence == event.sequence]
            posted = tuple(Posting(one.debit, one.credit, one.amount) for one in its)
        self._states[event.chain] = after
        return NewEvent(event.chain, kind, 1, payload, posted, subject.unique_keys(domain_event))


@contextmanager
def forged(
    card_room: CardRoom,
    folder: Path,
    change: Change,
    secrets: Callable[[Mapping[UniqueKey, bytes]], Mapping[UniqueKey, bytes]] = dict,
    address: str | None = None,
) -> Iterator[CardRoom]:
    """The same ledger with something changed, in another file or at an address; the secrets are copied too."""
    with card_room.ledger.store.read() as now:
        kept = {UniqueKey(chain, name): bytes(value) for chain, name, value in now.rows(schema.secrets)}
    hashes = {name: value for name, value in kept.items() if not fingerprint_of(value)}
    hidden = {name: card_room.ledger.vault.decrypt(*name, kept[name]) for name in kept.keys() - hashes.keys()}
    time = [0]
    with open_ledger(address or empty_ledger(folder / "forged.db"), clock=lambda: time[0]) as copy:
        pen = _Pen(card_room.ledger, copy, lambda now: time.__setitem__(0, now))
        pen.write(change)
        beside = CommandOutcome((), {}, None, secrets(hidden), hashes)
        chains = tuple(dict.fromkeys(one.chain for one in (*beside.secrets, *beside.password_hashes)))
        copy.execute(Command("what-is-hidden", chains, None, lambda _: beside))
        yield CardRoom(copy)


def found(card_room: CardRoom, folder: Path, change: Change, **more: Any) -> str:
    """What a verification says of books in which something was changed; the ledger itself finds nothing."""
    met = [0]

    def counted(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        result = change(event, payload)
        met[0] += result is not None
        return result

    with forged(card_room, folder, counted, **more) as forgery:
        report = verify_card_room(forgery.ledger)
        assert met[0] or more, "nothing was changed"
        assert report.ledger.is_intact, report.ledger.finding
        assert report.discrepancy is not None, "nobody has noticed"
        return report.discrepancy.sentence


def nothing(_: Event, __: Payload) -> None:
    """The books as they are."""


def where(chain: str, kind: str, at: int = 1, /, **changes: Any) -> Change:
    """Change some of what the event number ``at`` of a kind says; a function is given what stood there."""
    met = [0]

    def change(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        if (event.chain, event.kind) != (chain, kind):
            return None
        met[0] += 1
        if met[0] != at:
            return None
        for name, value in changes.items():
            payload[name] = value(payload.get(name)) if callable(value) else value
        return [(event.kind, payload)]

    return change


def together(*changes: Change) -> Change:
    """Several changes, of different events."""

    def change(event: Event, payload: Payload) -> Sequence[Rewritten] | None:
        result = [now for one in changes if (now := one(event, payload)) is not None]
        return result[-1] if result else None

    return change


def append(
    card_room: CardRoom,
    chain: str,
    *events: DomainEvent,
    id: str = "forged",
    postings: Sequence[Posting] | None = None,
    names: Sequence[str] | None = None,
    change_snapshot: Callable[[Any], Any] = lambda snapshot: snapshot,
) -> None:
    """Store events as the card room would, without asking whether they are allowed."""
    subject = subject_of(chain)
    keys = [subject.unique_keys(event) if names is None else tuple(names) for event in events]

    def decide(heads: Mapping[str, Head | None]) -> CommandOutcome:
        head, stored = heads[chain], []
        state = None if head is None else subject.decode(head.snapshot)
        for event, of in zip(events, keys, strict=True):
            after = subject.apply(state, event)
            booked = tuple(subject.postings(state, after, event)) if postings is None else tuple(postings)
            payload = orjson.loads(orjson.dumps(event.payload, option=orjson.OPT_SORT_KEYS))
            stored.append(NewEvent(chain, event.kind, event.version, payload, booked, of))
            state = after
        return CommandOutcome(tuple(stored), {chain: change_snapshot(subject.encode(state))}, None)

    asked = tuple(UniqueKey(chain, name) for of in keys for name in of)
    card_room.ledger.execute(Command(id, (chain,), {"do": "forge"}, decide, asked))
