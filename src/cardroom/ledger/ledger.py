"""The ledger: carries out commands, returns their results when everything is on disk, and reads what was stored."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import orjson

from cardroom.chart_of_accounts import Account, Amount
from cardroom.errors import BadInput
from cardroom.ledger import schema
from cardroom.ledger.canonical_json import LONGEST_NAME, is_valid_name
from cardroom.ledger.clock import Clock, ClockGuard
from cardroom.ledger.encryption import (
    ENCRYPTED_PREFIX,
    BadRoomKey,
    KeySource,
    MissingRoomKey,
    Vault,
    WrongRoomKey,
    find_fingerprint,
    find_key_source,
    fingerprint_of,
    load_room_key,
)
from cardroom.ledger.errors import (
    BadCommand,
    ConnectionLost,
    LedgerDamaged,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.head_export import check_exported_heads, export_heads
from cardroom.ledger.store import EntryRow, EventRow, RetryTransaction, Store, WriteBatch
from cardroom.ledger.transaction import Transaction, head_from_row, parse_account, stored_result
from cardroom.ledger.types import Command, CommandResult, Entry, Event, Finding, Head, Note, Time, UniqueKey

MAX_ATTEMPTS: Final = 20
"""How often a transaction that the database rolled back is repeated."""

MAX_BATCH_COMMANDS: Final = 64
"""The largest number of commands in one commit, so that no command waits long."""

PROBE_CHARACTERS: Final = 1 << 16
"""Characters that are written to check whether there is space for a command."""

GATHER_SECONDS: Final = 0.002
"""The longest wait, in seconds, for the senders of the last batch to come back."""


class Ledger:
    """One ledger. Threads may share it; each process opens its own on the same database."""

    def __init__(self, store: Store, clock: Clock, guard: ClockGuard | None = None) -> None:
        self.store, self._clock, self._guard = store, clock, guard
        self._vault: Vault | None = None
        self._has_custom_vault = False
        self.last_error: Exception | None = None
        """Why the last write failed; None when it succeeded."""
        self._queue: deque[_PendingCommand] = deque()
        self._queue_condition = threading.Condition()
        self._last_batch_size = 1
        self._leader: _PendingCommand | None = None
        self._write_lock = threading.Lock()

    @property
    def vault(self) -> Vault:
        """Encrypts and decrypts the room's secrets. The key is loaded on first use."""
        if self._vault is None:
            self._vault = Vault(load_room_key(self.key_source, self.key_fingerprint()))
        return self._vault

    @property
    def key_source(self) -> KeySource:
        """Where this machine has the room's key."""
        file = getattr(self.store, "path", None)
        return find_key_source(file if isinstance(file, Path) else None)

    def key_fingerprint(self) -> str:
        """The fingerprint of the key that encrypts the secrets in the database; empty where there are none."""
        with self.store.read() as reader:
            return find_fingerprint(reader)

    def try_vault(self) -> Vault | None:
        """The vault, where secrets are in the database and this machine has their key; nothing is created."""
        try:
            return self.vault if self._vault is not None or self.key_fingerprint() else None
        except (BadRoomKey, MissingRoomKey, WrongRoomKey):
            return None

    def use_vault(self, vault: Vault) -> None:
        """Encrypt new secrets with another key than those in the database, whose key is lost."""
        self._vault, self._has_custom_vault = vault, True

    def _encrypt(self, key: UniqueKey, value: bytes) -> bytes:
        return self.vault.encrypt(*key, value)

    def change_key(self, command: Command, vault: Vault) -> CommandResult:
        """Carry out a command that changes the room's key, and encrypt every secret under the new one in the same
        transaction."""
        old = self.vault

        def encrypt(key: UniqueKey, value: bytes) -> bytes:
            return vault.encrypt(*key, value)

        self.check_clock()
        with self._write_lock, self._record_errors():
            try:
                transaction = Transaction(
                    self.store.begin(sorted(command.chains), [command.id], [], []), self._clock, encrypt
                )
                result = transaction.execute(_validate_command(command))
                batch = transaction.build_batch()
                if batch is None:
                    self.store.roll_back()
                    return result
                self.store.lock_secrets()
                with self.store.read() as reader:
                    batch.reencrypted_secrets = [
                        (chain, name, vault.encrypt(chain, name, old.decrypt(chain, name, bytes(value))))
                        for chain, name, value in reader.rows(schema.secrets)
                        if fingerprint_of(bytes(value))
                    ]
                self.store.commit(batch)
            except BaseException:
                self.store.roll_back()
                raise
            self._vault = vault
        return result

    def execute(self, command: Command) -> CommandResult:
        """Carry out a command, and return when it is on disk. Threads that come at the same time share one commit."""
        pending = _PendingCommand(_validate_command(command))
        with self._queue_condition:
            self._queue.append(pending)
            if self._leader is None:
                self._leader = pending
            elif len(self._queue) >= self._last_batch_size:
                self._queue_condition.notify()
        # One thread leads and works for all waiting commands; the others sleep until they have their result, or are to
        # lead.
        try:
            while pending.result is None:
                if self._leader is pending:
                    self._serve(self._gather())
                else:
                    pending.sleep()
        finally:
            self._leave(pending)
        if isinstance(pending.result, CommandResult):
            return pending.result
        assert pending.result is not None
        raise pending.result

    def execute_all(self, commands: Sequence[Command]) -> list[CommandResult | BadInput]:
        """Carry out commands in order with one commit; one that is refused leaves the others unchanged."""
        for command in commands:
            _validate_command(command)
        with self._write_lock:
            results = self._persist(commands, all_or_nothing=True)
        return [result for result in results if isinstance(result, (CommandResult, BadInput))]

    def _leave(self, pending: _PendingCommand) -> None:
        """Let the thread that has waited longest lead next."""
        with self._queue_condition:
            if pending in self._queue:
                self._queue.remove(pending)
            if self._leader is pending:
                self._leader = self._queue[0] if self._queue else None
                if self._leader is not None:
                    self._leader.wake()

    def _gather(self) -> list[_PendingCommand]:
        """The waiting commands. Senders of the last batch tend to be back soon: a short wait puts them into one
        batch."""
        with self._queue_condition:
            self._queue_condition.wait_for(lambda: len(self._queue) >= self._last_batch_size, GATHER_SECONDS)
            pending_commands = [self._queue.popleft() for _ in range(min(MAX_BATCH_COMMANDS, len(self._queue)))]
            self._last_batch_size = len(pending_commands)
        return pending_commands

    def _serve(self, pending_commands: Sequence[_PendingCommand]) -> None:
        results: Sequence[CommandResult | Exception] = [LedgerUnavailable("The ledger was interrupted.")] * len(
            pending_commands
        )
        try:
            with self._write_lock:
                results = self._persist([pending.command for pending in pending_commands], all_or_nothing=False)
        except Exception as error:
            results = [error] * len(pending_commands)
        finally:
            for pending, result in zip(pending_commands, results, strict=True):
                pending.result = result
                pending.wake()

    def _persist(self, commands: Sequence[Command], all_or_nothing: bool) -> list[CommandResult | Exception]:
        with self._record_errors():
            confirms = any(command.confirms_clock for command in commands)
            if self._guard is not None and not confirms:
                self._guard.check()
            results = self._transact_with_retry(commands, all_or_nothing)
            if self._guard is not None and confirms:
                self._guard.confirm()
            return results

    @contextmanager
    def _record_errors(self) -> Iterator[None]:
        """Record whether the database accepts writes."""
        try:
            yield
        except (LedgerUnavailable, LedgerDamaged) as error:
            self.last_error = error
            raise
        self.last_error = None

    def _transact_with_retry(
        self, commands: Sequence[Command], all_or_nothing: bool
    ) -> list[CommandResult | Exception]:
        """Repeat once when the connection breaks: the locks then show for certain whether the first attempt was
        stored."""
        lost_connections = 0
        for _ in range(MAX_ATTEMPTS):
            try:
                return self._transact(commands, all_or_nothing)
            except RetryTransaction:
                continue
            except ConnectionLost:
                lost_connections += 1
                if lost_connections == 2:
                    raise
        raise LedgerLocked(
            "Other programs keep writing to the database: nothing was stored. Try again.", self.store.address
        )

    def _transact(self, commands: Sequence[Command], all_or_nothing: bool) -> list[CommandResult | Exception]:
        chains = sorted({chain for command in commands for chain in command.chains})
        try:
            ids = sorted({command.id for command in commands})
            unique_keys = sorted({unique_key for command in commands for unique_key in command.unique_keys})
            leases = sorted({command.lease.chain for command in commands if command.lease is not None})
            transaction = Transaction(self.store.begin(chains, ids, unique_keys, leases), self._clock, self._encrypt)
            results: list[CommandResult | Exception] = []
            for command in commands:
                try:
                    results.append(transaction.execute(command))
                except Exception as error:
                    if all_or_nothing and not isinstance(error, BadInput):
                        raise
                    results.append(error)
            batch = transaction.build_batch()
            if batch is None:
                self.store.roll_back()
            else:
                self._check_key(batch)
                self.store.commit(batch)
            return results
        except BaseException:
            self.store.roll_back()
            raise

    def _check_key(self, batch: WriteBatch) -> None:
        """Another program may have rotated the room's key since this one read it: then secrets encrypted under the old
        one are not stored, and the transaction is repeated with the new one."""
        if self._vault is None or self._has_custom_vault or not any(fingerprint_of(row[2]) for row in batch.secrets):
            return
        if fingerprint_of(self.store.encrypted_secret(ENCRYPTED_PREFIX)) not in ("", self._vault.key.fingerprint):
            self._vault = None
            raise RetryTransaction

    def find_result(self, command_id: str) -> CommandResult | None:
        """The result of an earlier command, by its id, for a sender who did not receive it."""
        with self.store.read() as reader:
            return next((stored_result(row) for row in reader.rows(schema.commands, {"id": command_id})), None)

    def find_event(self, chain: str, key: str) -> Event | None:
        """The event of a chain with a unique key, however long ago it happened."""
        if not is_valid_name(key):
            return None
        with self.store.read() as reader:
            for row in reader.rows(schema.unique_keys, {"chain": chain, "name": key}):
                return next(map(event_from_row, reader.rows(schema.events, {"chain": chain, "sequence": row[2]})), None)
        return None

    def save_notes(self, notes: Sequence[Note]) -> None:
        """Write notes, beside the events: they are in no chain, and nothing follows from them. A newer note of another
        program stays."""
        if not notes:
            return
        with self._write_lock, self._record_errors():
            try:
                self.store.save_notes(notes)
            except RetryTransaction:
                raise LedgerLocked(
                    "Other programs keep writing to the database: no note was written. Try again.", self.store.address
                ) from None
            except BaseException:
                self.store.roll_back()
                raise

    def check_clock(self) -> None:
        """Refuse a clock that cannot be right, as every command does."""
        if self._guard is not None:
            with self._write_lock:
                self._guard.check()
        self.store.check_clock()

    def trust_clock(self) -> None:
        """Accept the clock as it is now: a database that was just restored has nothing to compare it with, however old
        the backup is."""
        if self._guard is not None:
            with self._write_lock:
                self._guard.confirm()

    def probe(self) -> None:
        """Write something beside the events, as large as a command, and make it small again: raises the error if the
        database does not accept it."""
        for size in (PROBE_CHARACTERS, 0):
            self.save_notes([Note("probe", self._clock(), "." * size)])

    def read_notes(self, prefix: str) -> list[Note]:
        """The notes whose names begin with a prefix."""
        with self.store.read() as reader:
            return [Note(*row) for row in reader.rows(schema.notes) if row[0].startswith(prefix)]

    def read_secret(self, chain: str, key: str) -> bytes | None:
        """A secret of a chain; None when an event has revealed it, or it never existed."""
        stored = self._read_stored_secret(chain, key)
        return None if stored is None else self.vault.decrypt(chain, key, stored)

    def read_password_hash(self, chain: str, key: str) -> bytes | None:
        """A password hash of a chain."""
        return self._read_stored_secret(chain, key)

    def _read_stored_secret(self, chain: str, key: str) -> bytes | None:
        with self.store.read() as reader:
            return next((bytes(row[2]) for row in reader.rows(schema.secrets, {"chain": chain, "name": key})), None)

    def head(self, chain: str) -> Head | None:
        """The head of a chain; None if it has no events."""
        with self.store.read() as reader:
            return next((head_from_row(row) for row in reader.rows(schema.heads, {"chain": chain})), None)

    def newest_event_time(self) -> Time:
        """When the last event of all chains happened; 0 when there is none."""
        with self.store.read() as reader:
            return reader.newest_event_time()

    def chains(self, prefix: str = "") -> tuple[str, ...]:
        """The chains that have events; where a prefix is given, only those whose names begin with it."""
        return tuple(self.chain_lengths(prefix))

    def chain_lengths(self, prefix: str = "", excluded_prefix: str = "") -> dict[str, int]:
        """The lengths of the chains whose names begin with a prefix and that have events: a cheap way to notice what
        another program has done. Names that begin with ``excluded_prefix`` are left out."""
        with self.store.read() as reader:
            return dict(reader.chain_lengths(prefix, excluded_prefix))

    def events(self, chain: str | None = None, after: int = 0, limit: int | None = None) -> Iterator[Event]:
        """The events of a chain, or of all chains one after the other; `after` is a place within each chain."""
        where = None if chain is None else {"chain": chain}
        with self.store.read() as reader:
            for row in reader.rows(schema.events, where, {"sequence": after} if after else None, limit):
                yield event_from_row(row)

    def entries(self, chain: str | None = None, after: int = 0, limit: int | None = None) -> Iterator[Entry]:
        """The entries of a chain's events, or of all chains, in the same order."""
        where = None if chain is None else {"chain": chain}
        with self.store.read() as reader:
            for row in reader.rows(schema.entries, where, {"sequence": after} if after else None, limit):
                yield entry_from_row(row)

    def balances(self) -> dict[Account, Amount]:
        """The balance of every account that has entries: an asset's or expense's debit balance, or the credit balance
        of a liability or income account."""
        with self.store.read() as reader:
            sums = {parse_account(row[0]): (row[1], row[2]) for row in reader.rows(schema.balances)}
        return {
            account: debits - credits if account.kind.is_debit else credits - debits
            for account, (debits, credits) in sums.items()
        }

    def export_heads(self) -> dict[str, Any]:
        """The heads of all chains as a document to store elsewhere: it shows later whether history was rewritten."""
        with self.store.read() as reader:
            return export_heads(list(reader.rows(schema.heads, after={"sequence": 0})), self._clock())

    def check_heads(self, document: object) -> tuple[Finding, ...]:
        """The contradictions: each exported head must still be on its chain."""
        with self.store.read() as reader:
            return tuple(check_exported_heads(document, reader))

    def close(self) -> None:
        """Close the database; a later command opens it again."""
        with self._write_lock:
            self.store.close()

    def __enter__(self) -> Ledger:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class _PendingCommand:
    """A command in the queue, and its result."""

    __slots__ = ("_wake_signal", "command", "result")

    def __init__(self, command: Command) -> None:
        self.command = command
        self.result: CommandResult | Exception | None = None
        self._wake_signal = threading.Semaphore(0)

    def sleep(self) -> None:
        self._wake_signal.acquire()

    def wake(self) -> None:
        self._wake_signal.release()


def _validate_command(command: Command) -> Command:
    if not is_valid_name(command.id):
        raise BadCommand(f"{command.id!r} cannot be a command's id: use 1 to {LONGEST_NAME} printable characters.")
    for chain in command.chains:
        if not is_valid_name(chain):
            raise BadCommand(f"{chain!r} cannot be a chain's name: use 1 to {LONGEST_NAME} printable characters.")
    for unique_key in command.unique_keys:
        if not is_valid_name(unique_key.key):
            raise BadCommand(f"{unique_key.key!r} cannot be an id: use 1 to {LONGEST_NAME} printable characters.")
    return command


def event_from_row(row: EventRow) -> Event:
    chain, sequence, id, kind, version, time, payload, command_digest, previous, hash = row
    return Event(chain, sequence, id, kind, version, time, orjson.loads(payload), previous, hash, command_digest)


def entry_from_row(row: EntryRow) -> Entry:
    chain, sequence, line, debit, credit, amount = row
    return Entry(chain, sequence, line, parse_account(debit), parse_account(credit), amount)
