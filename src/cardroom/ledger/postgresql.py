"""A ledger on a PostgreSQL server, shared by several processes and machines.

A group of commands costs two round trips: one that locks the heads and reads them, one that writes everything in a
single statement and commits.
"""

from __future__ import annotations

import threading
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
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
from cardroom.ledger.postgresql_leases import CHANNEL as OF_LEASES
from cardroom.ledger.postgresql_leases import PostgresqlLeases
from cardroom.ledger.schema import (
    SINCE,
    TABLES,
    VERSION,
    VERSION_TABLE,
    Trigger,
    TriggerCheck,
    TriggerKey,
    column_names,
    commands,
    entries,
    events,
    heads,
    insert_sql,
    key_column_names,
    leases,
    normalize_whitespace,
    postgresql_triggers,
    secrets,
    select_sql,
    unique_keys,
    upsert_note_sql,
)
from cardroom.ledger.schema_version import migrate, refuse_newer
from cardroom.ledger.store import (
    ConnectedStore,
    HeadRow,
    LedgerReader,
    LockedState,
    NoteRow,
    RetryTransaction,
    RowQuery,
    WriteBatch,
    chain_lengths_sql,
    name_ranges,
)
from cardroom.ledger.types import KeyedEvent, Lease, Time, UniqueKey

Connection = psycopg.Connection[tuple[Any, ...]]

SETUP_LOCK_ID: Final = 0x63617264
"""The lock that keeps two programs from setting up the same database."""

CHANNEL: Final = "cardroom"
"""Where every commit tells which chains it has moved."""

IDLE_TIMEOUT_MS: Final = 2_000
"""Milliseconds after which a server that stands still in the midst of a command loses what it has locked. A server that
only takes long to decide says now and then that it is there."""

KEEPALIVE_SECONDS: Final = 0.5
"""Seconds between two signs of a server that decides."""

CONNECT_OPTIONS: Final[dict[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""In how many seconds (and milliseconds) a database that has gone without a word is noticed."""

FETCH_ROWS: Final = 2_000
"""Rows that are brought over at once."""

_SETTINGS: Final = """
    SELECT set_config('lock_timeout', %s, false), set_config('plan_cache_mode', 'force_generic_plan', false),
           set_config('jit', 'off', false), set_config('standard_conforming_strings', 'on', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END
"""
_NOTE: Final = upsert_note_sql("%s")
_MICROSECONDS: Final = "(extract(epoch FROM {}) * 1000000)::bigint"
_TIMES: Final = f"SELECT {_MICROSECONDS.format('now()')}, {_MICROSECONDS.format('clock_timestamp()')}"
"""When the message came, and when everything was locked."""
_TIME_NOW: Final = f"SELECT {_MICROSECONDS.format('clock_timestamp()')}, ({SINCE})"
"""When it is, and since which version programs may work on the tables."""
_INSERT_HEAD: Final = f"{insert_sql(heads, '%s')} ON CONFLICT DO NOTHING"
# All is looked up by its key. The server plans once, when tables are small: it must not plan to read all of them.
_PREPARE: Final = f"""
    SET enable_seqscan = off;
    PREPARE lock_heads (text[]) AS {select_sql(heads)} WHERE chain = ANY($1) ORDER BY chain FOR UPDATE;
    PREPARE known_commands (text[]) AS {select_sql(commands)} WHERE id = ANY($1);
    PREPARE known_names (text[], text[]) AS SELECT asked.chain, asked.name, event.*
    FROM unnest($1, $2) AS asked (chain, name)
    CROSS JOIN LATERAL (SELECT sequence FROM names WHERE chain = asked.chain AND name = asked.name LIMIT 1) AS given
    CROSS JOIN LATERAL (SELECT sequence, id, time FROM events
                        WHERE chain = asked.chain AND sequence = given.sequence LIMIT 1) AS event;
    PREPARE held_leases (text[]) AS {select_sql(leases)} WHERE chain = ANY($1) ORDER BY chain FOR SHARE;
    PREPARE encrypted_secret (bytea) AS SELECT value FROM secrets
    WHERE substring(value FROM 1 FOR length($1)) = $1 ORDER BY chain, name LIMIT 1;
    PREPARE write_all AS WITH
    a AS (INSERT INTO commands ({", ".join(column_names(commands))})
          SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bigint[], $5::bytea[])),
    b AS (INSERT INTO events ({", ".join(column_names(events))})
          SELECT * FROM unnest($6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
                               $12::text[], $13::bytea[], $14::bytea[], $15::bytea[])),
    c AS (INSERT INTO entries ({", ".join(column_names(entries))})
          SELECT * FROM unnest($16::text[], $17::bigint[], $18::bigint[], $19::text[], $20::text[], $21::bigint[])),
    d AS (INSERT INTO names ({", ".join(column_names(unique_keys))})
          SELECT * FROM unnest($22::text[], $23::text[], $24::bigint[])),
    f AS (DELETE FROM secrets USING unnest($34::text[], $35::text[]) AS told (chain, name)
          WHERE secrets.chain = told.chain AND secrets.name = told.name),
    g AS (INSERT INTO secrets ({", ".join(column_names(secrets))})
          SELECT * FROM unnest($36::text[], $37::text[], $38::bytea[])
          ON CONFLICT (chain, name) DO NOTHING),
    e AS (UPDATE heads SET sequence = new.sequence, hash = new.hash, time = new.time, snapshot = new.snapshot,
                           seal = new.seal
          FROM unnest($25::text[], $26::bigint[], $27::bytea[], $28::bigint[], $29::text[], $30::bytea[])
               AS new ({", ".join(column_names(heads))})
          WHERE heads.chain = new.chain)
    INSERT INTO balances (account, debits, credits)
    SELECT * FROM unnest($31::text[], $32::bigint[], $33::bigint[])
    ON CONFLICT (account) DO UPDATE
    SET debits = balances.debits + excluded.debits, credits = balances.credits + excluded.credits
"""  # noqa: S608
_REENCRYPT: Final = """
    UPDATE secrets SET value = new.value FROM unnest({}::text[], {}::text[], {}::bytea[]) AS new (chain, name, value)
    WHERE secrets.chain = new.chain AND secrets.name = new.name
"""
_WIDTHS: Final = (5, 10, 6, 3, 6, 3, 2, 3)
# Those that the server makes for foreign keys are its own affair. O and A are on; D is off, and R but for copies.
_CHAIN_LENGTHS: Final = chain_lengths_sql("%s")
_TRIGGERS: Final = """
    SELECT tgname, relname, tgtype, tgqual IS NULL AND tgattr::text = '' AND tgnargs = 0, tgenabled IN ('O', 'A'),
           prosrc
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND relname = ANY(%s)
"""
_TABLE_NAMES: Final = ([table.name for table in TABLES],)


class PostgresqlStore(ConnectedStore[Connection]):
    """A ledger on a server."""

    def __init__(self, url: URL, lock_timeout: float, *, may_create: bool = True, compares_clock: bool = False) -> None:
        self.address, self._lock_timeout = url.render_as_string(hide_password=True), lock_timeout
        self._compares_clock = compares_clock
        self._keepalive = _Keepalive()
        self.url = url.render_as_string(hide_password=False)
        self._was_open = False
        super().__init__()
        with self._translated_errors():
            self._prepare(may_create=may_create)
        self._was_open = True

    def _prepare(self, *, may_create: bool) -> None:
        """See that the database is a ledger; if need be, make it one."""
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
            # The driver prepares nothing by itself: it would also forget what we prepare.
            connection: Connection = psycopg.connect(
                self.url,
                autocommit=True,
                prepare_threshold=None,
                client_encoding="utf8",
                application_name=f"cardroom {self.name}",
                **CONNECT_OPTIONS,
            )
        except psycopg.OperationalError as error:
            # The server says it in words only.
            if not self._was_open and 'database "' in str(error) and "does not exist" in str(error):
                raise BadLedger(f"There is no database {self.address}: make it first.") from None
            raise
        except psycopg.ProgrammingError as error:
            raise BadLedger(f"{self.address} is no address of a database: {str(error).strip()}.") from None
        connection.execute(_SETTINGS, (f"{round(self._lock_timeout * 1000)}ms",))
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
                # Chains that are new get a place to lock, in a transaction of its own so that locks keep their order.
                writer.execute("ROLLBACK")
                self._insert_new_heads(writer, [chain for chain in chains if chain not in locked_state.heads])
                locked_state = self._lock_and_read(writer, chains, commands, unique_keys, leases)
            self._keepalive.begin(writer)
            return locked_state

    def _writer_connection(self) -> Connection:
        if self._writer is None or self._writer.closed:
            self._writer = self._connect()
            _execute_all(self._writer, f"SET idle_in_transaction_session_timeout = {IDLE_TIMEOUT_MS}; {_PREPARE}")
        return self._writer

    def _lock_and_read(
        self,
        connection: Connection,
        chains: Sequence[str],
        commands: Sequence[str],
        unique_keys: Sequence[UniqueKey],
        leases: Sequence[str],
    ) -> LockedState:
        # Commands and names are asked for when the locks are held: the same from elsewhere were seen, or come later.
        sql = f"BEGIN; EXECUTE lock_heads ({_format_array(chains)}); {_TIMES}; {SINCE}; "
        sql += f"EXECUTE known_commands ({_format_array(commands)})"
        if unique_keys:
            sql += f"; EXECUTE known_names ({', '.join(_format_arrays(unique_keys, 2))})"
        if leases:
            # Last of all, and always in this order: who holds them waits for nobody, and is waited for but a moment.
            sql += f"; EXECUTE held_leases ({_format_array(leases)})"
        sent_at = system_clock()
        cursor = _execute_all(connection, sql)
        received_at = system_clock()
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
        """Refuse to write by a clock that differs from the database's. Whatever a message takes on its way, this clock
        is at least ``lead`` of the database's and at most ``lag``, which is below zero when it is behind."""
        difference = lead if lead > MAX_CLOCK_LAG else lag if lag < -MAX_CLOCK_LAG else 0
        if difference and self._compares_clock:
            seconds, direction = abs(difference) / 1e6, "ahead of" if difference > 0 else "behind"
            raise ClockDiffers(
                f"This server's clock is {seconds:.1f} seconds {direction} the clock of the database: nothing is "
                "stored "
                "until they agree. Set this server's clock.",
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
        """See whether this program may write: by its clock, and by its version."""
        sent_at = system_clock()
        row = connection.execute(_TIME_NOW).fetchone()
        received_at = system_clock()
        assert row is not None
        self._compare_clocks(sent_at - row[0], received_at - row[0])
        refuse_newer(row[1], self.address)

    def _insert_new_heads(self, connection: Connection, chains: Sequence[str]) -> None:
        empty_snapshot = b"null"
        rows = [
            (chain, 0, GENESIS, 0, empty_snapshot.decode(), head_digest(chain, 0, GENESIS, 0, empty_snapshot))
            for chain in chains
        ]
        with connection.transaction():
            connection.cursor().executemany(_INSERT_HEAD, rows)

    def commit(self, batch: WriteBatch) -> None:
        tables: list[Iterable[tuple[Any, ...]]] = [batch.commands, batch.events, batch.entries]
        tables += [batch.unique_keys, batch.heads, batch.balances, batch.deleted_secrets, batch.secrets]
        values = [array for rows, width in zip(tables, _WIDTHS, strict=True) for array in _format_arrays(rows, width)]
        with self._translated_errors():
            assert self._writer is not None
            messages = _format_array(list(encode_notifications((row[0], row[1]) for row in batch.heads)))
            notify_sql = f"SELECT pg_notify('{CHANNEL}', said) FROM unnest({messages}::text[]) AS said"  # noqa: S608
            if batch.reencrypted_secrets:
                _execute_all(self._writer, _REENCRYPT.format(*_format_arrays(batch.reencrypted_secrets, 3)))
            self._keepalive.end()
            _execute_all(self._writer, f"EXECUTE write_all ({', '.join(values)}); {notify_sql}; COMMIT")

    def encrypted_secret(self, prefix: bytes) -> bytes:
        with self._translated_errors():
            assert self._writer is not None
            # The lock comes first: a rotation that holds the table ends before the secret is read.
            lock_sql = "LOCK TABLE secrets IN ROW EXCLUSIVE MODE"
            cursor = _execute_all(self._writer, f"{lock_sql}; EXECUTE encrypted_secret ('\\x{prefix.hex()}')")
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
                # In one order, so that two servers that note the same things wait for each other and no more.
                writer.cursor().executemany(_NOTE, sorted(notes))

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
        """A connection in a transaction of its own; one that broke while it was idle is forgotten."""
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
        """Until the connection breaks, or whoever listens goes."""
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
                await connection.execute(f"LISTEN {OF_LEASES}")
                # Whatever happened before this was told to nobody here.
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
                return RetryTransaction()  # this server stood still, and the database undid what it had begun
            case errors.LockNotAvailable() | errors.QueryCanceled():
                return LedgerLocked(
                    f"Another program has kept the database locked for more than {self._lock_timeout:g} seconds: "
                    "nothing "
                    "was stored. Send the command again.",
                    detail,
                )
            case errors.DiskFull():
                return LedgerFull(
                    "There is no room left on the disk of the database: nothing was stored. Make room and send the "
                    "command again.",
                    detail,
                )
            case errors.ReadOnlySqlTransaction() | errors.InsufficientPrivilege():
                return DatabaseReadOnly("The database may only be read: nothing was stored.", detail)
            case psycopg.OperationalError():
                return ConnectionLost(
                    "The database is not to be reached: nothing is half done. Send the command again with the same id; "
                    "it is carried out once.",
                    detail,
                )
        return LedgerUnavailable("The database could not be used: nothing is half done.", detail)


class _Keepalive:
    """Tells the database now and then, while a command is decided, that this server is there. A server that stands
    still tells nothing, and the database lets go of what it has locked (`IDLE_TIMEOUT_MS`)."""

    def __init__(self) -> None:
        self._busy_connection: Connection | None = None
        self._stop_event = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, connection: Connection) -> None:
        """A command is being decided."""
        self._busy_connection = connection
        if self._thread is None:
            self._stop_event.clear()
            self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """It is decided."""
        self._busy_connection = None

    def close(self) -> None:
        self._stop_event.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._stop_event.wait(KEEPALIVE_SECONDS):
            connection = self._busy_connection
            if connection is not None:
                # Whoever decides finds out by itself what is wrong with the connection.
                with suppress(psycopg.Error):
                    connection.execute("SELECT")


def _is_up_to_date(connection: Connection) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (VERSION_TABLE,)).fetchone()
    if row != (True,):
        return False
    return connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone() == (VERSION,)  # noqa: S608


def _execute_all(connection: Connection, statements: str) -> psycopg.Cursor[tuple[Any, ...]]:
    """Several statements in one message, with their values written out: the quickest way there and back."""
    return connection.execute(statements.encode())


def _format_arrays(rows: Iterable[tuple[Any, ...]], width: int) -> list[str]:
    """The columns of some rows, each as one value of a statement."""
    return [_format_array(column) for column in zip(*rows, strict=True)] or ["'{}'"] * width


def _format_array(column: Sequence[Any]) -> str:
    """An array as the server reads it, quoted; the server is told to take strokes within quotes as they are."""
    match column:
        case [int(), *_]:
            texts = [str(value) for value in column]
        case [bytes(), *_]:
            texts = [f'"\\\\x{value.hex()}"' for value in column]
        case _:
            texts = ['"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("'", "''") + '"' for value in column]
    return f"'{{{','.join(texts)}}}'"


def _first_line(error: BaseException) -> str:
    return (str(error).strip() or type(error).__name__).splitlines()[0].rstrip(".")


class PostgresqlReader(LedgerReader):
    """What one connection sees within its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursors = 0

    def run_query(self, query: RowQuery) -> Iterator[Any]:
        sql, values = query.sql("%s"), (*query.values, query.limit)
        if set(key_column_names(query.table)) <= set(query.where):
            return iter(self._connection.execute(sql, values, binary=True))
        return self._fetch_in_chunks(sql, values)

    def _fetch_in_chunks(self, sql: str, values: Sequence[Any]) -> Iterator[Any]:
        """With a cursor on the server, so that a ledger of any size needs little memory."""
        self._cursors += 1
        with self._connection.cursor(f"rows_{self._cursors}", binary=True) as cursor:
            cursor.execute(sql, values)
            while rows := cursor.fetchmany(FETCH_ROWS):
                yield from rows

    def chain_lengths(self, prefix: str, excluded_prefix: str = "") -> Iterator[tuple[str, int]]:
        for name_range in name_ranges(prefix, excluded_prefix):
            yield from self._fetch_in_chunks(_CHAIN_LENGTHS, name_range)

    def newest_event_time(self) -> int:
        row = self._connection.execute("SELECT coalesce(max(time), 0) FROM heads").fetchone()
        return int(row[0]) if row else 0

    def check_triggers(self) -> TriggerCheck:
        triggers = {
            TriggerKey(table, name): Trigger(
                normalize_whitespace(f"{trigger_type} {'always' if unconditional else 'at times'} {function_body}"),
                is_enabled,
            )
            for name, table, trigger_type, unconditional, is_enabled, function_body in self._connection.execute(
                _TRIGGERS, _TABLE_NAMES
            )
        }
        return TriggerCheck(postgresql_triggers(), triggers)

    def find_unreadable(self, table: Table) -> None:
        """The server refuses text that is none."""
