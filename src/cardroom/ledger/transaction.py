"""Commands decided one after the other within one transaction, and everything that they write.

Nothing is written before the whole batch is decided, so a command that is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final

import orjson

from cardroom.chart_of_accounts import CENT, MOST_CENTS, Account, Posting
from cardroom.ledger.canonical_json import (
    GENESIS,
    body_digest,
    command_digest,
    encode_canonical,
    encode_postings,
    encode_unique_keys,
    event_hash,
    head_digest,
    require_name,
)
from cardroom.ledger.clock import Clock, format_time, next_event_time
from cardroom.ledger.errors import BadCommandOutcome, CommandIdReused, LeaseLost, LedgerDamaged, UniqueKeyTaken
from cardroom.ledger.store import CommandRow, EntryRow, EventRow, HeadRow, LockedState, WriteBatch
from cardroom.ledger.types import (
    Command,
    CommandOutcome,
    CommandResult,
    Finding,
    Head,
    KeyedEvent,
    Time,
    UniqueKey,
    command_id_of,
)

MAX_AMOUNT: Final = MOST_CENTS * CENT


class Transaction:
    """The commands of one transaction."""

    def __init__(self, locked_state: LockedState, clock: Clock, encrypt: Callable[[UniqueKey, bytes], bytes]) -> None:
        self._heads, self._commands, self._clock = locked_state.heads, locked_state.commands, clock
        self._leases, self._encrypt = locked_state.leases, encrypt
        self._keyed_events: dict[str, dict[str, KeyedEvent]] = {}
        for (chain, key), keyed_event in locked_state.keyed_events.items():
            self._keyed_events.setdefault(chain, {})[key] = keyed_event
        self._new_heads: dict[str, HeadRow] = {}
        self._balances: dict[str, tuple[int, int]] = {}
        self._secrets: dict[UniqueKey, bytes] = {}
        self._revealed_secrets: set[UniqueKey] = set()
        self._batch = WriteBatch()

    def build_batch(self) -> WriteBatch | None:
        """The rows to write, each table in the order of its key; None if every command was refused."""
        if not self._batch.commands:
            return None
        self._batch.commands.sort()
        self._batch.unique_keys.sort()
        self._batch.heads = sorted(self._new_heads.values())
        self._batch.balances = sorted((account, *sums) for account, sums in self._balances.items())
        self._batch.secrets = sorted((*key, value) for key, value in self._secrets.items())
        self._batch.deleted_secrets = sorted(self._revealed_secrets)
        return self._batch

    def execute(self, command: Command) -> CommandResult:
        """Decide one command; later ones see its events."""
        body = body_digest(command.body)
        command_row = self._commands.get(command.id)
        if command_row is not None:
            return stored_result(command_row, body, command.displayed_id)
        if command.lease is not None and self._leases.get(command.lease.chain) != command.lease:
            raise LeaseLost(f"Another server has the lease of {command.lease.chain} by now.")
        outcome = command.decide({chain: self._head(chain) for chain in command.chains})
        response = encode_canonical(outcome.response)
        digest = command_digest(command.id, body, response, len(outcome.events))
        events, entries, heads, keyed_events = self._build_rows(command, outcome, digest)
        encrypted_secrets = {key: self._encrypt(key, value) for key, value in outcome.secrets.items()}
        row = (command.id, body, response.decode(), len(events), digest)
        # From here on nothing can be refused.
        self._commands[command.id] = row
        self._batch.commands.append(row)
        self._batch.events += events
        self._batch.entries += entries
        self._heads |= heads
        self._new_heads |= heads
        for (chain, key), keyed_event in keyed_events.items():
            self._batch.unique_keys.append((chain, key, keyed_event.sequence))
            self._keyed_events.setdefault(chain, {})[key] = keyed_event
        self._add_to_balances(entries)
        self._store_secrets(encrypted_secrets | dict(outcome.password_hashes), outcome.revealed_secrets)
        return CommandResult(orjson.loads(response), tuple(event[2] for event in events), is_repeat=False)

    def _head(self, chain: str) -> Head | None:
        row = self._heads.get(chain)
        return None if row is None else head_from_row(row, self._keyed_events.get(chain))

    def _build_rows(
        self, command: Command, outcome: CommandOutcome, command_digest: bytes
    ) -> tuple[list[EventRow], list[EntryRow], dict[str, HeadRow], dict[UniqueKey, KeyedEvent]]:
        chain_ends = self._chain_ends(command, outcome)
        time = self._event_time(chain_ends, outcome.time)
        events: list[EventRow] = []
        entries: list[EntryRow] = []
        allowed_keys, keyed_events = frozenset(command.unique_keys), dict[UniqueKey, KeyedEvent]()
        for number, new_event in enumerate(outcome.events, 1):
            sequence, previous = chain_ends[new_event.chain]
            sequence += 1
            id, payload = f"{command.id}/{number}", encode_canonical(new_event.payload)
            if not isinstance(new_event.version, int) or new_event.version < 1:
                raise BadCommandOutcome(f"{new_event.version!r} is not a version of {new_event.kind}: use 1 or more.")
            lines = [_encode_posting(posting) for posting in new_event.postings]
            kind = require_name(new_event.kind, "kind of event")
            hash = event_hash(
                new_event.chain,
                sequence,
                id,
                kind,
                new_event.version,
                time,
                payload,
                encode_postings(lines),
                encode_unique_keys(sorted(new_event.unique_keys)),
                command_digest,
                previous,
            )
            events.append(
                (
                    new_event.chain,
                    sequence,
                    id,
                    kind,
                    new_event.version,
                    time,
                    payload.decode(),
                    command_digest,
                    previous,
                    hash,
                )
            )
            entries += [(new_event.chain, sequence, position, *line) for position, line in enumerate(lines, 1)]
            for key in new_event.unique_keys:
                self._claim_key(
                    UniqueKey(new_event.chain, key), KeyedEvent(sequence, id, time), allowed_keys, keyed_events
                )
            chain_ends[new_event.chain] = sequence, hash
        heads = {chain: self._build_head_row(chain, *position, time, outcome) for chain, position in chain_ends.items()}
        return events, entries, heads, keyed_events

    def _claim_key(
        self,
        key: UniqueKey,
        keyed_event: KeyedEvent,
        allowed_keys: Collection[UniqueKey],
        keyed_events: dict[UniqueKey, KeyedEvent],
    ) -> None:
        """A unique key is used once."""
        if key not in allowed_keys:
            raise BadCommandOutcome(f"The decision uses the unique key {key.key!r}, which the command did not request.")
        existing_event = keyed_events.get(key) or self._keyed_events.get(key.chain, {}).get(key.key)
        if existing_event is not None:
            raise UniqueKeyTaken(
                f"{key.key} is event {existing_event.sequence} of {key.chain} since "
                f"{format_time(existing_event.time)}, by command {command_id_of(existing_event.id)}: choose another "
                "one."
            )
        keyed_events[key] = keyed_event

    def _chain_ends(self, command: Command, outcome: CommandOutcome) -> dict[str, tuple[int, bytes]]:
        """The end of each chain that gets events."""
        chains = {event.chain for event in outcome.events}
        secret_chains = {key.chain for key in (*outcome.secrets, *outcome.password_hashes, *outcome.revealed_secrets)}
        for content_text, used_chains in (
            ("an event", chains),
            ("a snapshot", set(outcome.snapshots)),
            ("a secret", secret_chains),
        ):
            if undeclared_chains := sorted(used_chains - set(command.chains)):
                raise BadCommandOutcome(
                    f"The decision has {content_text} for {undeclared_chains[0]}, which the command did not name."
                )
        if unchanged_chains := sorted(set(outcome.snapshots) - chains):
            raise BadCommandOutcome(f"The state of {unchanged_chains[0]} cannot change without an event.")
        ends = {chain: self._heads.get(chain) for chain in chains}
        return {chain: (end[1], end[2]) if end else (0, GENESIS) for chain, end in ends.items()}

    def _event_time(self, chain_ends: Mapping[str, object], decision_time: Time | None) -> Time:
        """One time for all events of a command: the time of its decision, if the decision used one."""
        now = time = self._clock() if decision_time is None else decision_time
        for chain in chain_ends:
            if end := self._heads.get(chain):
                time = max(time, next_event_time(now, end[3], chain))
        return time

    def _build_head_row(self, chain: str, sequence: int, hash: bytes, time: Time, outcome: CommandOutcome) -> HeadRow:
        if chain in outcome.snapshots:
            snapshot = encode_canonical(outcome.snapshots[chain])
        else:
            end = self._heads.get(chain)
            snapshot = end[4].encode() if end else b"null"
        return chain, sequence, hash, time, snapshot.decode(), head_digest(chain, sequence, hash, time, snapshot)

    def _store_secrets(self, new_secrets: Mapping[UniqueKey, bytes], revealed_secrets: Collection[UniqueKey]) -> None:
        """A secret that is stored and revealed within one batch is never stored."""
        self._secrets |= new_secrets
        for key in revealed_secrets:
            self._secrets.pop(key, None)
            self._revealed_secrets.add(key)

    def _add_to_balances(self, entries: list[EntryRow]) -> None:
        sums = self._balances
        for _, _, _, debit, credit, amount in entries:
            debits, credits = sums.get(debit, (0, 0))
            sums[debit] = debits + amount, credits
            debits, credits = sums.get(credit, (0, 0))
            sums[credit] = debits, credits + amount


def stored_result(row: CommandRow, body: bytes | None = None, displayed_id: str = "") -> CommandResult:
    """The result of the first attempt, if it is the same command."""
    id, stored_body, response, events, _ = row
    if body is not None and body != stored_body:
        id_text = displayed_id or id
        raise CommandIdReused(f"The id {id_text} belongs to an earlier command: give this one an id of its own.")
    return CommandResult(
        orjson.loads(response), tuple(f"{id}/{number}" for number in range(1, events + 1)), is_repeat=True
    )


def head_from_row(row: HeadRow, keyed_events: Mapping[str, KeyedEvent] | None = None) -> Head | None:
    """The head of a row; a row that only locks the place of a future chain has none."""
    chain, sequence, hash, time, snapshot, digest = row
    if sequence == 0:
        return None
    if head_digest(chain, sequence, hash, time, snapshot.encode()) != digest:
        sentence = f"The head of {chain} was changed outside the ledger: verify it, then restore the last good backup."
        raise LedgerDamaged(Finding("heads", "sequence, hash, time, snapshot, or digest", sentence, chain, sequence))
    return Head(chain, sequence, hash, orjson.loads(snapshot), time, keyed_events or {})


def _encode_posting(posting: Posting) -> tuple[str, str, int]:
    if posting.amount > MAX_AMOUNT:
        raise BadCommandOutcome(f"An amount of {posting.amount} hundredths of a cent is more than a ledger can add up.")
    return require_name(str(posting.debit), "account"), require_name(str(posting.credit), "account"), posting.amount


@lru_cache(maxsize=1 << 16)
def parse_account(text: str) -> Account:
    return Account.parse(text)
