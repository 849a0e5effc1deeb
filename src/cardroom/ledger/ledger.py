"""The ledger: commands in, answers out when everything is on disk; and all that was stored, to read."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import orjson

from cardroom.accounts import Account, Amount
from cardroom.faults import BadInput
from cardroom.ledger import schema
from cardroom.ledger.canonical import LONGEST_NAME, is_name
from cardroom.ledger.clock import Clock
from cardroom.ledger.clock_guard import ClockGuard
from cardroom.ledger.export import check, export
from cardroom.ledger.faults import (
    BadCommand,
    ConnectionLost,
    LedgerDamaged,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.group import Group, account_from, first_answer, head_from
from cardroom.ledger.records import Carried, Command, Entry, Event, Head, Name, Note, Time
from cardroom.ledger.report import Finding
from cardroom.ledger.room_key import BadKey, KeyMissing, KeySource, WrongKey, key_source, room_key
from cardroom.ledger.store import Batch, EntryRow, EventRow, Store, TryAgain
from cardroom.ledger.vault import MARK, Vault, fingerprint_in, fingerprint_of

TRIES: Final = 20
"""How often a transaction that the database undid is done again."""

TOGETHER: Final = 64
"""At most so many commands share a commit, so that nobody waits long."""

PROBE: Final = 1 << 16
"""Characters that are written to find out whether there is room for a command."""

LINGER: Final = 0.002
"""Seconds to wait at most for those who were answered together the last time."""


class Ledger:
    """One ledger. Threads may share it; processes each open their own on the same database."""

    def __init__(self, store: Store, clock: Clock, guard: ClockGuard | None = None) -> None:
        self.store, self._clock, self._guard = store, clock, guard
        self._vault: Vault | None = None
        self._vault_is_given = False
        self.trouble: Exception | None = None
        """Why the last thing could not be written; None when it was."""
        self._queue: deque[_Waiting] = deque()
        self._arrived = threading.Condition()
        self._company = 1
        self._leader: _Waiting | None = None
        self._writing = threading.Lock()

    @property
    def vault(self) -> Vault:
        """Encrypts and decrypts the room's secrets. The key is looked for when it is first needed."""
        if self._vault is None:
            self._vault = Vault(room_key(self.key_source, self.key_fingerprint()))
        return self._vault

    @property
    def key_source(self) -> KeySource:
        """Where this machine has the room's key."""
        file = getattr(self.store, "path", None)
        return key_source(file if isinstance(file, Path) else None)

    def key_fingerprint(self) -> str:
        """Of the key that the secrets in the database are encrypted under; empty where there are none."""
        with self.store.reading() as now:
            return fingerprint_in(now)

    def find_vault(self) -> Vault | None:
        """The vault, where secrets are in the database and this machine has their key; nothing is created."""
        try:
            return self.vault if self._vault is not None or self.key_fingerprint() else None
        except (BadKey, KeyMissing, WrongKey):
            return None

    def use_vault(self, vault: Vault) -> None:
        """Encrypt new secrets with another key than those that are in the database, which is lost."""
        self._vault, self._vault_is_given = vault, True

    def _encrypt(self, called: Name, value: bytes) -> bytes:
        return self.vault.encrypt(*called, value)

    def change_key(self, command: Command, vault: Vault) -> Carried:
        """Carry out a command that changes the room's key, and encrypt every secret under the new one in the same
        transaction."""
        old = self.vault

        def encrypt(called: Name, value: bytes) -> bytes:
            return vault.encrypt(*called, value)

        self.check_clock()
        with self._writing, self._noting_trouble():
            try:
                group = Group(self.store.begin(sorted(command.chains), [command.id], [], []), self._clock, encrypt)
                done = group.carry_out(_checked(command))
                batch = group.batch()
                if batch is None:
                    self.store.give_up()
                    return done
                self.store.lock_secrets()
                with self.store.reading() as now:
                    batch.reencrypted = [
                        (chain, name, vault.encrypt(chain, name, old.decrypt(chain, name, bytes(value))))
                        for chain, name, value in now.rows(schema.secrets)
                        if fingerprint_of(bytes(value))
                    ]
                self.store.store(batch)
            except BaseException:
                self.store.give_up()
                raise
            self._vault = vault
        return done

    def carry_out(self, command: Command) -> Carried:
        """Do it, and answer when it is on disk. Threads that come at the same time share one commit."""
        waiting = _Waiting(_checked(command))
        with self._arrived:
            self._queue.append(waiting)
            if self._leader is None:
                self._leader = waiting
            elif len(self._queue) >= self._company:
                self._arrived.notify()
        # One leads and works for all who wait; the others sleep until they have their answer, or are to lead.
        try:
            while waiting.result is None:
                if self._leader is waiting:
                    self._serve(self._gather())
                else:
                    waiting.sleep()
        finally:
            self._leave(waiting)
        if isinstance(waiting.result, Carried):
            return waiting.result
        assert waiting.result is not None
        raise waiting.result

    def carry_out_all(self, commands: Sequence[Command]) -> list[Carried | BadInput]:
        """Do them in order with one commit; one that is refused leaves the others untouched."""
        for command in commands:
            _checked(command)
        with self._writing:
            done = self._persist(commands, together=True)
        return [one for one in done if isinstance(one, (Carried, BadInput))]

    def _leave(self, waiting: _Waiting) -> None:
        """Whoever has waited longest leads next."""
        with self._arrived:
            if waiting in self._queue:
                self._queue.remove(waiting)
            if self._leader is waiting:
                self._leader = self._queue[0] if self._queue else None
                if self._leader is not None:
                    self._leader.wake()

    def _gather(self) -> list[_Waiting]:
        """The commands that wait. Tables that were answered together are soon back together: worth a moment."""
        with self._arrived:
            self._arrived.wait_for(lambda: len(self._queue) >= self._company, LINGER)
            group = [self._queue.popleft() for _ in range(min(TOGETHER, len(self._queue)))]
            self._company = len(group)
        return group

    def _serve(self, group: Sequence[_Waiting]) -> None:
        done: Sequence[Carried | Exception] = [LedgerUnavailable("The ledger was interrupted.")] * len(group)
        try:
            with self._writing:
                done = self._persist([one.command for one in group], together=False)
        except Exception as fault:
            done = [fault] * len(group)
        finally:
            for one, result in zip(group, done, strict=True):
                one.result = result
                one.wake()

    def _persist(self, commands: Sequence[Command], together: bool) -> list[Carried | Exception]:
        with self._noting_trouble():
            confirms = any(command.confirms_clock for command in commands)
            if self._guard is not None and not confirms:
                self._guard.check()
            done = self._transact_again(commands, together)
            if self._guard is not None and confirms:
                self._guard.confirm()
            return done

    @contextmanager
    def _noting_trouble(self) -> Iterator[None]:
        """Remember whether the database takes what is written."""
        try:
            yield
        except (LedgerUnavailable, LedgerDamaged) as fault:
            self.trouble = fault
            raise
        self.trouble = None

    def _transact_again(self, commands: Sequence[Command], together: bool) -> list[Carried | Exception]:
        """Once more when the connection breaks: the locks then tell for certain whether the first time counted."""
        lost = 0
        for _ in range(TRIES):
            try:
                return self._transact(commands, together)
            except TryAgain:
                continue
            except ConnectionLost:
                lost += 1
                if lost == 2:
                    raise
        raise LedgerLocked(
            "Other programs write to the database without a gap: nothing was stored. Try again.", self.store.address
        )

    def _transact(self, commands: Sequence[Command], together: bool) -> list[Carried | Exception]:
        chains = sorted({chain for command in commands for chain in command.chains})
        try:
            ids = sorted({command.id for command in commands})
            names = sorted({name for command in commands for name in command.names})
            leases = sorted({command.under.chain for command in commands if command.under is not None})
            group = Group(self.store.begin(chains, ids, names, leases), self._clock, self._encrypt)
            done: list[Carried | Exception] = []
            for command in commands:
                try:
                    done.append(group.carry_out(command))
                except Exception as fault:
                    if together and not isinstance(fault, BadInput):
                        raise
                    done.append(fault)
            batch = group.batch()
            if batch is None:
                self.store.give_up()
            else:
                self._check_key(batch)
                self.store.store(batch)
            return done
        except BaseException:
            self.store.give_up()
            raise

    def _check_key(self, batch: Batch) -> None:
        """Another program may have rotated the room's key since this one read it: then what was encrypted under the old
        one is not stored, and the transaction is done again with the new one."""
        if self._vault is None or self._vault_is_given or not any(fingerprint_of(row[2]) for row in batch.secrets):
            return
        if fingerprint_of(self.store.encrypted_secret(MARK)) not in ("", self._vault.key.fingerprint):
            self._vault = None
            raise TryAgain

    def carried(self, command: str) -> Carried | None:
        """The answer that a command got, by its id: for a sender who never heard it."""
        with self.store.reading() as now:
            return next((first_answer(row) for row in now.rows(schema.commands, {"id": command})), None)

    def named(self, chain: str, name: str) -> Event | None:
        """The event of a chain that has a name, however long ago it happened."""
        if not is_name(name):
            return None
        with self.store.reading() as now:
            for row in now.rows(schema.names, {"chain": chain, "name": name}):
                return next(map(event_from, now.rows(schema.events, {"chain": chain, "sequence": row[2]})), None)
        return None

    def note(self, notes: Sequence[Note]) -> None:
        """Write down what is known last about some things, beside the books: it is in no chain, and nothing follows
        from it. What somebody else has noted later stays."""
        if not notes:
            return
        with self._writing, self._noting_trouble():
            try:
                self.store.note(notes)
            except TryAgain:
                raise LedgerLocked(
                    "Other programs write to the database: nothing was noted.", self.store.address
                ) from None
            except BaseException:
                self.store.give_up()
                raise

    def check_clock(self) -> None:
        """Refuse a clock that cannot be right, as every command does."""
        if self._guard is not None:
            with self._writing:
                self._guard.check()
        self.store.check_clock()

    def trust_clock(self) -> None:
        """Believe the clock as it is now: a database that was just restored has nothing to compare it with, however old
        the backup is."""
        if self._guard is not None:
            with self._writing:
                self._guard.confirm()

    def probe(self) -> None:
        """Write something beside the books, as large as a command is, and write it small again: raises what is wrong
        where the database does not take it."""
        for size in (PROBE, 0):
            self.note([Note("probe", self._clock(), "." * size)])

    def notes(self, beginning: str) -> list[Note]:
        """What is noted about everything whose name begins so."""
        with self.store.reading() as now:
            return [Note(*row) for row in now.rows(schema.notes) if row[0].startswith(beginning)]

    def secret(self, chain: str, name: str) -> bytes | None:
        """What a chain keeps hidden under a name; nothing when it was told, or never was."""
        stored = self._stored(chain, name)
        return None if stored is None else self.vault.decrypt(chain, name, stored)

    def password_hash(self, chain: str, name: str) -> bytes | None:
        """The password hash that a chain has under a name."""
        return self._stored(chain, name)

    def _stored(self, chain: str, name: str) -> bytes | None:
        with self.store.reading() as now:
            return next((bytes(row[2]) for row in now.rows(schema.secrets, {"chain": chain, "name": name})), None)

    def head(self, chain: str) -> Head | None:
        """Where a chain ends; nothing if it has no events."""
        with self.store.reading() as now:
            return next((head_from(row) for row in now.rows(schema.heads, {"chain": chain})), None)

    def newest(self) -> Time:
        """When the last event of all chains happened; 0 when there is none."""
        with self.store.reading() as now:
            return now.newest()

    def chains(self, beginning: str = "") -> tuple[str, ...]:
        """The chains that have events; those alone whose names go on from a beginning, where one is given."""
        return tuple(self.places(beginning))

    def places(self, beginning: str = "", besides: str = "") -> dict[str, int]:
        """The chains whose names begin so and that have events, each with how many: cheap enough to ask all the time
        whether another program has done something. Those whose names go on like ``besides`` are left out."""
        with self.store.reading() as now:
            return dict(now.places(beginning, besides))

    def events(self, chain: str | None = None, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of a chain, or of all chains one after the other; `after` is a place within each chain."""
        where = None if chain is None else {"chain": chain}
        with self.store.reading() as now:
            for row in now.rows(schema.events, where, {"sequence": after} if after else None, limit):
                yield event_from(row)

    def entries(self, chain: str | None = None, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a chain's events, or of all chains, in the same order."""
        where = None if chain is None else {"chain": chain}
        with self.store.reading() as now:
            for row in now.rows(schema.entries, where, {"sequence": after} if after else None, limit):
                yield entry_from(row)

    def balances(self) -> dict[Account, Amount]:
        """Every account that money went through: what it has or has cost, or what is owed or was earned on it."""
        with self.store.reading() as now:
            sums = {account_from(row[0]): (row[1], row[2]) for row in now.rows(schema.balances)}
        return {
            account: debits - credits if account.kind.is_debit else credits - debits
            for account, (debits, credits) in sums.items()
        }

    def export_heads(self) -> dict[str, Any]:
        """The heads of all chains as a document to keep elsewhere: it tells later whether history was rewritten."""
        with self.store.reading() as now:
            return export(list(now.rows(schema.heads, after={"sequence": 0})), self._clock())

    def check_heads(self, document: object) -> tuple[Finding, ...]:
        """What is wrong: each head that was exported has to be on its chain still."""
        with self.store.reading() as now:
            return tuple(check(document, now))

    def close(self) -> None:
        """Let go of the database; a later command opens it again."""
        with self._writing:
            self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _Waiting:
    """A command in the queue, and what came of it."""

    __slots__ = ("_awake", "command", "result")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.result: Carried | Exception | None = None
        self._awake = threading.Semaphore(0)

    def sleep(self) -> None:
        self._awake.acquire()

    def wake(self) -> None:
        self._awake.release()


def _checked(command: Command) -> Command:
    if not is_name(command.id):
        raise BadCommand(f"{command.id!r} cannot be a command's id: use 1 to {LONGEST_NAME} printable characters.")
    for chain in command.chains:
        if not is_name(chain):
            raise BadCommand(f"{chain!r} cannot be a chain's name: use 1 to {LONGEST_NAME} printable characters.")
    for asked in command.names:
        if not is_name(asked.name):
            raise BadCommand(f"{asked.name!r} cannot be an id: use 1 to {LONGEST_NAME} printable characters.")
    return command


def event_from(row: EventRow) -> Event:
    chain, sequence, id, kind, version, time, payload, seal, previous, hash = row
    return Event(chain, sequence, id, kind, version, time, orjson.loads(payload), previous, hash, seal)


def entry_from(row: EntryRow) -> Entry:
    chain, sequence, line, debit, credit, amount = row
    return Entry(chain, sequence, line, account_from(debit), account_from(credit), amount)
