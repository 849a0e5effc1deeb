"""Commands decided one after the other within one transaction, and all that they want written.

Nothing touches the database before the whole group is decided, so a command that is refused leaves no trace.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from functools import lru_cache
from typing import Final

import orjson

from cardroom.accounts import CENT, MOST_CENTS, Account, Posting
from cardroom.ledger.canonical import (
    GENESIS,
    body_digest,
    canonical,
    command_seal,
    event_hash,
    head_seal,
    name,
    names_text,
    postings_text,
)
from cardroom.ledger.clock import Clock, in_words, not_before
from cardroom.ledger.faults import BadOutcome, DifferentCommand, LeaseLost, LedgerDamaged, NameTaken
from cardroom.ledger.records import Carried, Command, Head, Name, Named, Outcome, Time, command_of
from cardroom.ledger.report import Finding
from cardroom.ledger.store import Batch, CommandRow, EntryRow, EventRow, HeadRow, Standing

LARGEST: Final = MOST_CENTS * CENT


class Group:
    """The commands of one transaction."""

    def __init__(self, standing: Standing, clock: Clock, encrypt: Callable[[Name, bytes], bytes]) -> None:
        self._heads, self._commands, self._clock = standing.heads, standing.commands, clock
        self._leases, self._encrypt = standing.leases, encrypt
        self._names: dict[str, dict[str, Named]] = {}
        for (chain, called), named in standing.names.items():
            self._names.setdefault(chain, {})[called] = named
        self._moved: dict[str, HeadRow] = {}
        self._balances: dict[str, tuple[int, int]] = {}
        self._secrets: dict[Name, bytes] = {}
        self._told: set[Name] = set()
        self._batch = Batch()

    def batch(self) -> Batch | None:
        """What is to be written, each table in the order of its key; nothing if every command was refused."""
        if not self._batch.commands:
            return None
        self._batch.commands.sort()
        self._batch.names.sort()
        self._batch.heads = sorted(self._moved.values())
        self._batch.balances = sorted((account, *sums) for account, sums in self._balances.items())
        self._batch.secrets = sorted((*called, value) for called, value in self._secrets.items())
        self._batch.told = sorted(self._told)
        return self._batch

    def carry_out(self, command: Command) -> Carried:
        """Decide one command; later ones see what it did."""
        body = body_digest(command.body)
        known = self._commands.get(command.id)
        if known is not None:
            return first_answer(known, body, command.sent)
        if command.under is not None and self._leases.get(command.under.chain) != command.under:
            raise LeaseLost(f"Another server acts for {command.under.chain} by now.")
        outcome = command.decide({chain: self._head(chain) for chain in command.chains})
        answer = canonical(outcome.answer)
        seal = command_seal(command.id, body, answer, len(outcome.events))
        events, entries, heads, names = self._events(command, outcome, seal)
        hidden = {called: self._encrypt(called, value) for called, value in outcome.secrets.items()}
        row = (command.id, body, answer.decode(), len(events), seal)
        # From here on nothing can be refused.
        self._commands[command.id] = row
        self._batch.commands.append(row)
        self._batch.events += events
        self._batch.entries += entries
        self._heads |= heads
        self._moved |= heads
        for (chain, called), named in names.items():
            self._batch.names.append((chain, called, named.sequence))
            self._names.setdefault(chain, {})[called] = named
        self._add(entries)
        self._hide(hidden | dict(outcome.hashes), outcome.told)
        return Carried(orjson.loads(answer), tuple(event[2] for event in events), repeated=False)

    def _head(self, chain: str) -> Head | None:
        row = self._heads.get(chain)
        return None if row is None else head_from(row, self._names.get(chain))

    def _events(
        self, command: Command, outcome: Outcome, seal: bytes
    ) -> tuple[list[EventRow], list[EntryRow], dict[str, HeadRow], dict[Name, Named]]:
        places = self._places(command, outcome)
        time = self._time(places, outcome.time)
        events: list[EventRow] = []
        entries: list[EntryRow] = []
        asked, names = frozenset(command.names), dict[Name, Named]()
        for number, new in enumerate(outcome.events, 1):
            sequence, previous = places[new.chain]
            sequence += 1
            id, payload = f"{command.id}/{number}", canonical(new.payload)
            if not isinstance(new.version, int) or new.version < 1:
                raise BadOutcome(f"{new.version!r} is no version of {new.kind}: use 1 or more.")
            lines = [_line(posting) for posting in new.postings]
            kind = name(new.kind, "kind of event")
            hash = event_hash(
                new.chain,
                sequence,
                id,
                kind,
                new.version,
                time,
                payload,
                postings_text(lines),
                names_text(sorted(new.names)),
                seal,
                previous,
            )
            events.append((new.chain, sequence, id, kind, new.version, time, payload.decode(), seal, previous, hash))
            entries += [(new.chain, sequence, at, *line) for at, line in enumerate(lines, 1)]
            for called in new.names:
                self._give(Name(new.chain, called), Named(sequence, id, time), asked, names)
            places[new.chain] = sequence, hash
        heads = {chain: self._moved_head(chain, *at, time, outcome) for chain, at in places.items()}
        return events, entries, heads, names

    def _give(self, called: Name, named: Named, asked: Collection[Name], names: dict[Name, Named]) -> None:
        """A name is given once."""
        if called not in asked:
            raise BadOutcome(f"The decision calls an event {called.name!r}, which the command did not ask for.")
        taken = names.get(called) or self._names.get(called.chain, {}).get(called.name)
        if taken is not None:
            raise NameTaken(
                f"{called.name} is event {taken.sequence} of {called.chain} since {in_words(taken.time)}, by command "
                f"{command_of(taken.id)}: give another name."
            )
        names[called] = named

    def _places(self, command: Command, outcome: Outcome) -> dict[str, tuple[int, bytes]]:
        """Where each chain ends that gets events."""
        chains = {event.chain for event in outcome.events}
        hidden = {called.chain for called in (*outcome.secrets, *outcome.hashes, *outcome.told)}
        for what, used in (("an event", chains), ("a snapshot", set(outcome.snapshots)), ("a secret", hidden)):
            if strange := sorted(used - set(command.chains)):
                raise BadOutcome(f"The decision has {what} for {strange[0]}, which the command did not name.")
        if idle := sorted(set(outcome.snapshots) - chains):
            raise BadOutcome(f"The state of {idle[0]} cannot change without an event.")
        ends = {chain: self._heads.get(chain) for chain in chains}
        return {chain: (end[1], end[2]) if end else (0, GENESIS) for chain, end in ends.items()}

    def _time(self, places: Mapping[str, object], decided: Time | None) -> Time:
        """One time for all events of a command: the one that it was decided by, if it was decided by one."""
        now = time = self._clock() if decided is None else decided
        for chain in places:
            if end := self._heads.get(chain):
                time = max(time, not_before(now, end[3], chain))
        return time

    def _moved_head(self, chain: str, sequence: int, hash: bytes, time: Time, outcome: Outcome) -> HeadRow:
        if chain in outcome.snapshots:
            snapshot = canonical(outcome.snapshots[chain])
        else:
            end = self._heads.get(chain)
            snapshot = end[4].encode() if end else b"null"
        return chain, sequence, hash, time, snapshot.decode(), head_seal(chain, sequence, hash, time, snapshot)

    def _hide(self, hidden: Mapping[Name, bytes], told: Collection[Name]) -> None:
        """A secret that is kept and told within one group was never kept."""
        self._secrets |= hidden
        for called in told:
            self._secrets.pop(called, None)
            self._told.add(called)

    def _add(self, entries: list[EntryRow]) -> None:
        sums = self._balances
        for _, _, _, debit, credit, amount in entries:
            debits, credits = sums.get(debit, (0, 0))
            sums[debit] = debits + amount, credits
            debits, credits = sums.get(credit, (0, 0))
            sums[credit] = debits, credits + amount


def first_answer(row: CommandRow, body: bytes | None = None, sent: str = "") -> Carried:
    """The answer that a command got the first time, if it is the same command."""
    id, asked, answer, events, _ = row
    if body is not None and body != asked:
        told = sent or id
        raise DifferentCommand(f"The id {told} was used before for another command: give this one an id of its own.")
    return Carried(orjson.loads(answer), tuple(f"{id}/{number}" for number in range(1, events + 1)), repeated=True)


def head_from(row: HeadRow, names: Mapping[str, Named] | None = None) -> Head | None:
    """The head that a row holds; a row that only keeps the place of a chain to come holds none."""
    chain, sequence, hash, time, snapshot, seal = row
    if sequence == 0:
        return None
    if head_seal(chain, sequence, hash, time, snapshot.encode()) != seal:
        sentence = f"The head of {chain} was changed outside the ledger: verify it, then restore the last good backup."
        raise LedgerDamaged(Finding("heads", "sequence, hash, time, snapshot or seal", sentence, chain, sequence))
    return Head(chain, sequence, hash, orjson.loads(snapshot), time, names or {})


def _line(posting: Posting) -> tuple[str, str, int]:
    if posting.amount > LARGEST:
        raise BadOutcome(f"An amount of {posting.amount} hundredths of a cent is more than a ledger can add up.")
    return name(str(posting.debit), "account"), name(str(posting.credit), "account"), posting.amount


@lru_cache(maxsize=1 << 16)
def account_from(text: str) -> Account:
    return Account.parse(text)
