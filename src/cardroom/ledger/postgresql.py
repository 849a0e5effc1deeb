"""A ledger on a PostgreSQL server, shared by several processes and machines.

A batch of commands costs two round trips: one that locks the heads and reads them, one that writes everything in a
single statement and commits.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from psycopg import errors
from sqlalchemy import URL, NullPool, Table, create_engine
from sqlalchemy.exc import DBAPIError

from cardroom.ledger.canonical_json import GENESIS, head_digest
from cardroom.ledger.clock import MAX_CLOCK_LAG, system_clock
from cardroom.ledger.errors import (
    BadLedger,
    ClockDiffers,
    ConnectionLost,
    DatabaseReadOnly,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.leases import LeaseRegistry
from cardroom.ledger.notifications import Notification, decode_notification, encode_notifications
from cardroom.ledger.postgresql_keepalive import Keepalive
from cardroom.ledger.postgresql_leases import CHANNEL as LEASES_CHANNEL
from cardroom.ledger.postgresql_leases import PostgresqlLeases
from cardroom.ledger.postgresql_reader import PostgresqlReader
from cardroom.ledger.postgresql_statements import (
    NOTE,
    PREPARE,
    REENCRYPT,
    SETTINGS,
    TIME_NOW,
    TIMES,
    WIDTHS,
    Connection,
    execute_all,
    format_array,
    format_arrays,
)
from cardroom.ledger.schema import SINCE, VERSION, VERSION_SQL, VERSION_TABLE
from cardroom.ledger.schema_version import migrate, refuse_newer
from cardroom.ledger.store import (
    ConnectedStore,
    HeadRow,
    LedgerReader,
    LockedState,
    NoteRow,
    RetryTransaction,
    WriteBatch,
)
from cardroom.ledger.types import KeyedEvent, Lease, Time, UniqueKey

SETUP_LOCK_ID: Final = 0x63617264
"""The lock that keeps two programs from setting up the same database."""

CHANNEL: Final = "cardroom"
"""The channel on which every commit names the chains with new events."""

IDLE_TIMEOUT_MS: Final = 2_000
"""Milliseconds after which a server that is stalled within a command loses its locks. A server that only takes long to
decide sends signs of life."""

CONNECT_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""Timeouts, in seconds (and milliseconds), after which a silent database counts as unreachable."""


class PostgresqlStore(ConnectedStore[Connection]):
    """A ledger on a server."""

    def __init__(self, url: URL, lock_timeout: float, *, may_create: bool = True, compares_clock: bool = False) -> None:
        self.address, self._lock_timeout = url.render_as_string(hide_password=True), lock_timeout
        self._compares_clock = compares_clock
        self._keepalive = Keepalive()
        self.url = url.render_as_string(hide_password=False)
        self._was_open = False
        super().__init__()
        with self._translated_errors():
            self._prepare(may_create=may_create)
        self._was_open = True

    def _prepare(self, *, may_create: bool) -> None:
        """Check that the database is a ledger; make it one if necessary."""
        connection = self._connect()
        try:
            if not _is_up_to_date(connection):
                connection.autocommit = False
                engine = create_engine("postgresql+psycopg://", creator=lambda: connection, poolclass=NullPool)
                with engine.connect() as schema:
                    # Two programs that set up the same database meet here; the second waits and finds it done.
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (SETUP_LOCK_ID,))
                    self.migrated_from = migrate(schema, self.address, may_create=may_create)
                    schema.commit()
        finally:
            connection.close()

    def _connect(self) -> Connection:
        try:
            # The driver prepares nothing by itself: it would also drop our prepared statements.
            connection: Connection = psycopg.connect(
                self.url,
                autocommit=True,
                prepare_threshold=None,
                client_encoding="utf8",
                application_name=f"cardroom {self.name}",
                **CONNECT_OPTIONS,
            )
        except psycopg.OperationalError as error:
            # The server has no error code for this.
            if not self._was_open and 'database "' in str(error) and "does not exist" in str(error):
                raise BadLedger(f"There is no database {self.address}: create it first.") from None
            raise
        except psycopg.ProgrammingError as error:
            raise BadLedger(f"{self.address} is not the address of a database: {str(error).strip()}.") from None
        connection.execute(SETTINGS, (f"{round(self._lock_timeout * 1000)}ms",))
        return connection

    def begin(
        self,
        chains: Sequence[str],
        commands: Sequence[str],
        unique_keys: Sequence[UniqueKey],
        leases: Sequence[str] = (),
    ) -> LockedState:
        with self._translated_errors():
            writer = self._writer_connection()
            locked_state = self._lock_and_read(writer, chains, commands, unique_keys, leases)
            if len(locked_state.heads) < len(chains):
                # New chains get a row to lock. The transaction begins again, so that it holds no other lock while it
                # waits for a transaction that inserts the same row: locks keep their order.
                new_heads = _format_new_heads([chain for chain in chains if chain not in locked_state.heads])
                begin = ("ROLLBACK", "BEGIN", f"EXECUTE insert_heads ({new_heads})")
                locked_state = self._lock_and_read(writer, chains, commands, unique_keys, leases, begin)
            self._keepalive.begin(writer)
            return locked_state

    def _writer_connection(self) -> Connection:
        if self._writer is None or self._writer.closed:
            self._writer = self._connect()
            execute_all(self._writer, f"SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT_MS}; {PREPARE}")
        return self._writer

    def _lock_and_read(
        self,
        connection: Connection,
        chains: Sequence[str],
        commands: Sequence[str],
        unique_keys: Sequence[UniqueKey],
        leases: Sequence[str],
        begin: Sequence[str] = ("BEGIN",),
    ) -> LockedState:
        # Commands and unique keys are read once the locks are held: those of other transactions were stored before, or
        # come later.
        sql = f"{'; '.join(begin)}; EXECUTE lock_heads ({format_array(chains)}); {TIMES}; {SINCE}; "
        sql += f"EXECUTE known_commands ({format_array(commands)})"
        if unique_keys:
            sql += f"; EXECUTE known_keys ({', '.join(format_arrays(unique_keys, 2))})"
        if leases:
            # Last of all, and always in this order: the transaction that has locked these rows waits for no other one,
            # and is short.
            sql += f"; EXECUTE held_leases ({format_array(leases)})"
        sent_at = system_clock()
        cursor = execute_all(connection, sql)
        received_at = system_clock()
        for _ in begin:
            cursor.nextset()
        head_rows: dict[str, HeadRow] = {row[0]: row for row in cursor}
        cursor.nextset()
        ((database_start, locked_at),) = cursor
        self._compare_clocks(sent_at - database_start, received_at - locked_at)
        cursor.nextset()
        ((since,),) = cursor
        refuse_newer(since, self.address)
        cursor.nextset()
        command_rows = {row[0]: row for row in cursor}
        keyed_events = (
            {UniqueKey(*row[:2]): KeyedEvent(*row[2:]) for row in cursor} if unique_keys and cursor.nextset() else {}
        )
        held_leases = {row[0]: Lease(*row) for row in cursor} if leases and cursor.nextset() else {}
        return LockedState(head_rows, command_rows, keyed_events, held_leases)

    def _compare_clocks(self, lead: Time, lag: Time) -> None:
        """Refuse to write by a clock that differs from the database's. However long a message takes, this clock is at
        least ``lead`` and at most ``lag`` ahead of the database's; a negative value means behind."""
        difference = lead if lead > MAX_CLOCK_LAG else lag if lag < -MAX_CLOCK_LAG else 0
        if difference and self._compares_clock:
            seconds, direction = abs(difference) / 1e6, "ahead of" if difference > 0 else "behind"
            raise ClockDiffers(
                f"This server's clock is {seconds:.1f} seconds {direction} the clock of the database: nothing is "
                "stored until they agree. Set this server's clock.",
                self.address,
            )

    def check_clock(self) -> None:
        with self._translated_errors():
            connection = self._reader_connection()
            try:
                self._compare_clock_of(connection)
            finally:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                    self._reader_pool.put(connection)

    def _compare_clock_of(self, connection: Connection) -> None:
        """Check that this program may write: by its clock, and by its version."""
        sent_at = system_clock()
        row = connection.execute(TIME_NOW).fetchone()
        received_at = system_clock()
        assert row is not None
        self._compare_clocks(sent_at - row[0], received_at - row[0])
        refuse_newer(row[1], self.address)

    def commit(self, batch: WriteBatch) -> None:
        tables: list[Iterable[tuple[Any, ...]]] = [batch.commands, batch.events, batch.entries]
        tables += [batch.unique_keys, batch.heads, batch.balances, batch.deleted_secrets, batch.secrets]
        values = [array for rows, width in zip(tables, WIDTHS, strict=True) for array in format_arrays(rows, width)]
        with self._translated_errors():
            assert self._writer is not None
            messages = format_array(list(encode_notifications((row[0], row[1]) for row in batch.heads)))
            notify_sql = f"SELECT pg_notify('{CHANNEL}', message) FROM unnest({messages}::text[]) AS message"  # noqa: S608
            if batch.reencrypted_secrets:
                execute_all(self._writer, REENCRYPT.format(*format_arrays(batch.reencrypted_secrets, 3)))
            self._keepalive.end()
            execute_all(self._writer, f"EXECUTE write_all ({', '.join(values)}); {notify_sql}; COMMIT")

    def encrypted_secret(self, prefix: bytes) -> bytes:
        with self._translated_errors():
            assert self._writer is not None
            # The lock comes first: a rotation that has locked the table ends before the secret is read.
            lock_sql = "LOCK TABLE secrets IN ROW EXCLUSIVE MODE"
            cursor = execute_all(self._writer, f"{lock_sql}; EXECUTE encrypted_secret ('\\x{prefix.hex()}')")
            cursor.nextset()
            row = cursor.fetchone()
            return b"" if row is None else bytes(row[0])

    def lock_secrets(self) -> None:
        with self._translated_errors():
            assert self._writer is not None
            self._writer.execute("LOCK TABLE secrets IN EXCLUSIVE MODE")

    def roll_back(self) -> None:
        self._keepalive.end()
        try:
            if self._writer is not None:
                self._writer.execute("ROLLBACK")
        except psycopg.Error:
            self._drop_writer()

    def save_notes(self, notes: Sequence[NoteRow]) -> None:
        with self._translated_errors():
            writer = self._writer_connection()
            self._compare_clock_of(writer)
            with writer.transaction():
                # In one order, so that two servers that write the same notes wait for each other at most once.
                writer.cursor().executemany(NOTE, sorted(notes))

    @contextmanager
    def read(self) -> Iterator[LedgerReader]:
        with self._translated_errors():
            connection = self._reader_connection()
            try:
                yield PostgresqlReader(connection)
            finally:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                    self._reader_pool.put(connection)

    def _reader_connection(self) -> Connection:
        """A connection in a transaction of its own; one that broke while it was idle is dropped."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        while True:
            idle = self._reader_pool.take()
            connection = idle or self._connect()
            try:
                connection.execute(begin)
            except psycopg.OperationalError:
                connection.close()
                if idle is None:
                    raise
            else:
                return connection

    @contextmanager
    def fill(self, tables: Mapping[Table, Iterable[Any]]) -> Iterator[LedgerReader]:
        with self._translated_errors():
            connection = self._connect()
            try:
                with connection.transaction():
                    for table, rows in tables.items():
                        with connection.cursor().copy(f"COPY {table.name} FROM STDIN") as copy:
                            for row in rows:
                                copy.write_row(row)
                    yield PostgresqlReader(connection)
            finally:
                connection.close()

    def lease_registry(self, label: str) -> LeaseRegistry:
        return PostgresqlLeases(self.name, label, self._connect, self._translated_errors, self._compare_clock_of)

    def close(self) -> None:
        self._keepalive.close()
        super().close()

    async def notifications(self) -> AsyncGenerator[Notification, None]:
        """Yield notifications until the connection breaks, or the caller stops."""
        with self._translated_errors():
            connection = await psycopg.AsyncConnection.connect(
                self.url,
                autocommit=True,
                client_encoding="utf8",
                application_name=f"cardroom {self.name}",
                **CONNECT_OPTIONS,
            )
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                await connection.execute(f"LISTEN {LEASES_CHANNEL}")
                # Events before this moment were not notified here.
                yield Notification(has_gap=True)
                async for notification in connection.notifies():
                    yield (
                        decode_notification(notification.payload)
                        if notification.channel == CHANNEL
                        else Notification(leases_changed=True)
                    )
            finally:
                await connection.close()

    @contextmanager
    def _translated_errors(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, DBAPIError) as error:
            raise self._translate_error(error) from error

    def _translate_error(self, error: BaseException) -> Exception:
        detail = f"{self.address}: {_first_line(error)}"
        match error:
            case DBAPIError(orig=BaseException() as cause):
                return self._translate_error(cause)
            case errors.DeadlockDetected() | errors.SerializationFailure() | errors.UniqueViolation():
                return RetryTransaction()
            case errors.IdleInTransactionSessionTimeout():
                return RetryTransaction()  # this server was stalled, and the database rolled back its transaction
            case errors.LockNotAvailable() | errors.QueryCanceled():
                return LedgerLocked(
                    f"Another program has kept the database locked for more than {self._lock_timeout:g} seconds: "
                    "nothing was stored. Send the command again.",
                    detail,
                )
            case errors.DiskFull():
                return LedgerFull(
                    "The disk of the database is full: nothing was stored. Free some space and send the command again.",
                    detail,
                )
            case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
                return DatabaseReadOnly(
                    "The database is read-only: nothing was stored. Let this program write to it.", detail
                )
            case psycopg.OperationalError():
                return ConnectionLost(
                    "The database is unreachable. Send the command again with the same id; it is carried out once.",
                    detail,
                )
        return LedgerUnavailable(
            "The database failed. Send the command again with the same id; it is carried out once.", detail
        )


def _format_new_heads(chains: Sequence[str]) -> str:
    """The rows of chains that have no event yet."""
    snapshot = b"null"
    rows = [
        (chain, 0, GENESIS, 0, snapshot.decode(), head_digest(chain, 0, GENESIS, 0, snapshot))
        for chain in sorted(chains)
    ]
    return ", ".join(format_arrays(rows, 6))


def _is_up_to_date(connection: Connection) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (VERSION_TABLE,)).fetchone()
    if row != (True,):
        return False
    return connection.execute(VERSION_SQL).fetchone() == (VERSION,)


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")
