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

from cardroom.ledger.canonical import GENESIS, head_seal
from cardroom.ledger.clock import HELD, system_clock
from cardroom.ledger.faults import (
    BadLedger,
    ClockDiffers,
    ConnectionLost,
    DatabaseReadOnly,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
)
from cardroom.ledger.guards import Guards, Place, Trigger, of_postgresql, plain
from cardroom.ledger.leases import LeaseBook
from cardroom.ledger.migrate import migrate, refuse_newer
from cardroom.ledger.news import News, heard, told
from cardroom.ledger.postgresql_leases import CHANNEL as OF_LEASES
from cardroom.ledger.postgresql_leases import PostgresqlLeases
from cardroom.ledger.records import Lease, Name, Named, Time
from cardroom.ledger.schema import (
    SINCE,
    TABLES,
    VERSION,
    VERSION_TABLE,
    columns,
    commands,
    entries,
    events,
    heads,
    insert,
    key,
    leases,
    names,
    note,
    secrets,
    select,
)
from cardroom.ledger.store import (
    Batch,
    ConnectedStore,
    HeadRow,
    Look,
    NoteRow,
    Reading,
    Standing,
    TryAgain,
    places_asked,
    places_between,
)

Connection = psycopg.Connection[tuple[Any, ...]]

CREATING: Final = 0x63617264
"""The lock that keeps two programs from setting up the same database."""

CHANNEL: Final = "cardroom"
"""Where every commit tells which chains it has moved."""

HELD_UP: Final = 2_000
"""Milliseconds after which a server that stands still in the midst of a command loses what it has locked. A server that
only takes long to decide says now and then that it is there."""

ALIVE: Final = 0.5
"""Seconds between two signs of a server that decides."""

LINE: Final[dict[str, Any]] = {
    "connect_timeout": 10,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""In how many seconds (and milliseconds) a database that has gone without a word is noticed."""

AT_A_TIME: Final = 2_000
"""Rows that are brought over at once."""

_SETTINGS: Final = """
    SELECT set_config('lock_timeout', %s, false), set_config('plan_cache_mode', 'force_generic_plan', false),
           set_config('jit', 'off', false), set_config('standard_conforming_strings', 'on', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END
"""
_NOTE: Final = note("%s")
_MICROSECONDS: Final = "(extract(epoch FROM {}) * 1000000)::bigint"
_TIMES: Final = f"SELECT {_MICROSECONDS.format('now()')}, {_MICROSECONDS.format('clock_timestamp()')}"
"""When the message came, and when everything was locked."""
_TIME_NOW: Final = f"SELECT {_MICROSECONDS.format('clock_timestamp()')}, ({SINCE})"
"""When it is, and since which version programs may work on the tables."""
_KEEP_PLACE: Final = f"{insert(heads, '%s')} ON CONFLICT DO NOTHING"
# All is looked up by its key. The server plans once, when tables are small: it must not plan to read all of them.
_PREPARE: Final = f"""
    SET enable_seqscan = off;
    PREPARE lock_heads (text[]) AS {select(heads)} WHERE chain = ANY($1) ORDER BY chain FOR UPDATE;
    PREPARE known_commands (text[]) AS {select(commands)} WHERE id = ANY($1);
    PREPARE known_names (text[], text[]) AS SELECT asked.chain, asked.name, event.*
    FROM unnest($1, $2) AS asked (chain, name)
    CROSS JOIN LATERAL (SELECT sequence FROM names WHERE chain = asked.chain AND name = asked.name LIMIT 1) AS given
    CROSS JOIN LATERAL (SELECT sequence, id, time FROM events
                        WHERE chain = asked.chain AND sequence = given.sequence LIMIT 1) AS event;
    PREPARE held_leases (text[]) AS {select(leases)} WHERE chain = ANY($1) ORDER BY chain FOR SHARE;
    PREPARE encrypted_secret (bytea) AS SELECT value FROM secrets
    WHERE substring(value FROM 1 FOR length($1)) = $1 ORDER BY chain, name LIMIT 1;
    PREPARE write_all AS WITH
    a AS (INSERT INTO commands ({", ".join(columns(commands))})
          SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::bigint[], $5::bytea[])),
    b AS (INSERT INTO events ({", ".join(columns(events))})
          SELECT * FROM unnest($6::text[], $7::bigint[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
                               $12::text[], $13::bytea[], $14::bytea[], $15::bytea[])),
    c AS (INSERT INTO entries ({", ".join(columns(entries))})
          SELECT * FROM unnest($16::text[], $17::bigint[], $18::bigint[], $19::text[], $20::text[], $21::bigint[])),
    d AS (INSERT INTO names ({", ".join(columns(names))})
          SELECT * FROM unnest($22::text[], $23::text[], $24::bigint[])),
    f AS (DELETE FROM secrets USING unnest($34::text[], $35::text[]) AS told (chain, name)
          WHERE secrets.chain = told.chain AND secrets.name = told.name),
    g AS (INSERT INTO secrets ({", ".join(columns(secrets))})
          SELECT * FROM unnest($36::text[], $37::text[], $38::bytea[])
          ON CONFLICT (chain, name) DO NOTHING),
    e AS (UPDATE heads SET sequence = new.sequence, hash = new.hash, time = new.time, snapshot = new.snapshot,
                           seal = new.seal
          FROM unnest($25::text[], $26::bigint[], $27::bytea[], $28::bigint[], $29::text[], $30::bytea[])
               AS new ({", ".join(columns(heads))})
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
_PLACES: Final = places_asked("%s")
_GUARDS: Final = """
    SELECT tgname, relname, tgtype, tgqual IS NULL AND tgattr::text = '' AND tgnargs = 0, tgenabled IN ('O', 'A'),
           prosrc
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND relname = ANY(%s)
"""
_OF_THE_LEDGER: Final = ([table.name for table in TABLES],)


class PostgresqlStore(ConnectedStore[Connection]):
    """A ledger on a server."""

    def __init__(self, url: URL, patience: float, *, may_begin: bool = True, compares_clock: bool = False) -> None:
        self.address, self._patience = url.render_as_string(hide_password=True), patience
        self._compares_clock = compares_clock
        self._alive = _SignsOfLife()
        self.url = url.render_as_string(hide_password=False)
        self._was_open = False
        super().__init__()
        with self._faults():
            self._prepare(may_begin=may_begin)
        self._was_open = True

    def _prepare(self, *, may_begin: bool) -> None:
        """See that the database is a ledger; if need be, make it one."""
        connection = self._connect()
        try:
            if not _is_up_to_date(connection):
                connection.autocommit = False
                engine = create_engine("postgresql+psycopg://", creator=lambda: connection, poolclass=NullPool)
                with engine.connect() as schema:
                    # Two programs that set up the same database meet here; the second waits and finds it done.
                    connection.execute("SELECT pg_advisory_xact_lock(%s)", (CREATING,))
                    self.came_from = migrate(schema, self.address, may_begin=may_begin)
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
                **LINE,
            )
        except psycopg.OperationalError as fault:
            # The server says it in words only.
            if not self._was_open and 'database "' in str(fault) and "does not exist" in str(fault):
                raise BadLedger(f"There is no database {self.address}: make it first.") from None
            raise
        except psycopg.ProgrammingError as fault:
            raise BadLedger(f"{self.address} is no address of a database: {str(fault).strip()}.") from None
        connection.execute(_SETTINGS, (f"{round(self._patience * 1000)}ms",))
        return connection

    def begin(
        self, chains: Sequence[str], commands: Sequence[str], names: Sequence[Name], leases: Sequence[str] = ()
    ) -> Standing:
        with self._faults():
            writer = self._to_write()
            standing = self._begin(writer, chains, commands, names, leases)
            if len(standing.heads) < len(chains):
                # Chains that are new get a place to lock, in a transaction of its own so that locks keep their order.
                writer.execute("ROLLBACK")
                self._keep_places(writer, [chain for chain in chains if chain not in standing.heads])
                standing = self._begin(writer, chains, commands, names, leases)
            self._alive.begin(writer)
            return standing

    def _to_write(self) -> Connection:
        if self._writer is None or self._writer.closed:
            self._writer = self._connect()
            _send(self._writer, f"SET idle_in_transaction_session_timeout = {HELD_UP}; {_PREPARE}")
        return self._writer

    def _begin(
        self,
        connection: Connection,
        chains: Sequence[str],
        commands: Sequence[str],
        names: Sequence[Name],
        leases: Sequence[str],
    ) -> Standing:
        # Commands and names are asked for when the locks are held: the same from elsewhere were seen, or come later.
        asked = f"BEGIN; EXECUTE lock_heads ({_array(chains)}); {_TIMES}; {SINCE}; "
        asked += f"EXECUTE known_commands ({_array(commands)})"
        if names:
            asked += f"; EXECUTE known_names ({', '.join(_arrays(names, 2))})"
        if leases:
            # Last of all, and always in this order: who holds them waits for nobody, and is waited for but a moment.
            asked += f"; EXECUTE held_leases ({_array(leases)})"
        before = system_clock()
        answer = _send(connection, asked)
        after = system_clock()
        answer.nextset()
        locked: dict[str, HeadRow] = {row[0]: row for row in answer}
        answer.nextset()
        ((began, locked_at),) = answer
        self._compare_clocks(before - began, after - locked_at)
        answer.nextset()
        ((since,),) = answer
        refuse_newer(since, self.address)
        answer.nextset()
        known = {row[0]: row for row in answer}
        given = {Name(*row[:2]): Named(*row[2:]) for row in answer} if names and answer.nextset() else {}
        held = {row[0]: Lease(*row) for row in answer} if leases and answer.nextset() else {}
        return Standing(locked, known, given, held)

    def _compare_clocks(self, ahead: Time, behind: Time) -> None:
        """Refuse to write by a clock that differs from the database's. Whatever a message takes on its way, this clock
        is at least ``ahead`` of the database's and at most ``behind``, which is below zero when it is behind."""
        wrong = ahead if ahead > HELD else behind if behind < -HELD else 0
        if wrong and self._compares_clock:
            seconds, where = abs(wrong) / 1e6, "ahead of" if wrong > 0 else "behind"
            raise ClockDiffers(
                f"This server's clock is {seconds:.1f} seconds {where} the clock of the database: nothing is stored "
                "until they agree. Set this server's clock.",
                self.address,
            )

    def check_clock(self) -> None:
        with self._faults():
            connection = self._looking()
            try:
                self._compare_on(connection)
            finally:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                    self._idle.give_back(connection)

    def _compare_on(self, connection: Connection) -> None:
        """See whether this program may write: by its clock, and by its version."""
        before = system_clock()
        answer = connection.execute(_TIME_NOW).fetchone()
        after = system_clock()
        assert answer is not None
        self._compare_clocks(before - answer[0], after - answer[0])
        refuse_newer(answer[1], self.address)

    def _keep_places(self, connection: Connection, chains: Sequence[str]) -> None:
        nothing = b"null"
        rows = [(chain, 0, GENESIS, 0, nothing.decode(), head_seal(chain, 0, GENESIS, 0, nothing)) for chain in chains]
        with connection.transaction():
            connection.cursor().executemany(_KEEP_PLACE, rows)

    def store(self, batch: Batch) -> None:
        tables: list[Iterable[tuple[Any, ...]]] = [batch.commands, batch.events, batch.entries]
        tables += [batch.names, batch.heads, batch.balances, batch.told, batch.secrets]
        values = [array for rows, width in zip(tables, _WIDTHS, strict=True) for array in _arrays(rows, width)]
        with self._faults():
            assert self._writer is not None
            moved = _array(list(told((row[0], row[1]) for row in batch.heads)))
            tell = f"SELECT pg_notify('{CHANNEL}', said) FROM unnest({moved}::text[]) AS said"  # noqa: S608
            if batch.reencrypted:
                _send(self._writer, _REENCRYPT.format(*_arrays(batch.reencrypted, 3)))
            self._alive.end()
            _send(self._writer, f"EXECUTE write_all ({', '.join(values)}); {tell}; COMMIT")

    def encrypted_secret(self, mark: bytes) -> bytes:
        with self._faults():
            assert self._writer is not None
            # The lock comes first: a rotation that holds the table ends before the secret is read.
            locked = "LOCK TABLE secrets IN ROW EXCLUSIVE MODE"
            answer = _send(self._writer, f"{locked}; EXECUTE encrypted_secret ('\\x{mark.hex()}')")
            answer.nextset()
            found = answer.fetchone()
            return b"" if found is None else bytes(found[0])

    def lock_secrets(self) -> None:
        with self._faults():
            assert self._writer is not None
            self._writer.execute("LOCK TABLE secrets IN EXCLUSIVE MODE")

    def give_up(self) -> None:
        self._alive.end()
        try:
            if self._writer is not None:
                self._writer.execute("ROLLBACK")
        except psycopg.Error:
            self._drop_writer()

    def note(self, notes: Sequence[NoteRow]) -> None:
        with self._faults():
            writer = self._to_write()
            self._compare_on(writer)
            with writer.transaction():
                # In one order, so that two servers that note the same things wait for each other and no more.
                writer.cursor().executemany(_NOTE, sorted(notes))

    @contextmanager
    def reading(self) -> Iterator[Reading]:
        with self._faults():
            connection = self._looking()
            try:
                yield PostgresqlReading(connection)
            finally:
                if not connection.closed:
                    connection.execute("ROLLBACK")
                    self._idle.give_back(connection)

    def _looking(self) -> Connection:
        """A connection in a transaction of its own; one that broke while it was idle is forgotten."""
        begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        while True:
            idle = self._idle.take()
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
    def fill(self, tables: Mapping[Table, Iterable[Any]]) -> Iterator[Reading]:
        with self._faults():
            connection = self._connect()
            try:
                with connection.transaction():
                    for table, rows in tables.items():
                        with connection.cursor().copy(f"COPY {table.name} FROM STDIN") as copy:
                            for row in rows:
                                copy.write_row(row)
                    yield PostgresqlReading(connection)
            finally:
                connection.close()

    def lease_book(self, label: str) -> LeaseBook:
        return PostgresqlLeases(self.name, label, self._connect, self._faults, self._compare_on)

    def close(self) -> None:
        self._alive.close()
        super().close()

    async def news(self) -> AsyncGenerator[News, None]:
        """Until the connection breaks, or whoever listens goes."""
        with self._faults():
            connection = await psycopg.AsyncConnection.connect(
                self.url, autocommit=True, client_encoding="utf8", application_name=f"cardroom {self.name}", **LINE
            )
            try:
                await connection.execute(f"LISTEN {CHANNEL}")
                await connection.execute(f"LISTEN {OF_LEASES}")
                # Whatever happened before this was told to nobody here.
                yield News(missed=True)
                async for one in connection.notifies():
                    yield heard(one.payload) if one.channel == CHANNEL else News(leases=True)
            finally:
                await connection.close()

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            yield
        except (psycopg.Error, DBAPIError) as fault:
            raise self._in_words(fault) from fault

    def _in_words(self, fault: BaseException) -> Exception:
        detail = f"{self.address}: {_first_line(fault)}"
        match fault:
            case DBAPIError(orig=BaseException() as cause):
                return self._in_words(cause)
            case errors.DeadlockDetected() | errors.SerializationFailure() | errors.UniqueViolation():
                return TryAgain()
            case errors.IdleInTransactionSessionTimeout():
                return TryAgain()  # this server stood still, and the database undid what it had begun
            case errors.LockNotAvailable() | errors.QueryCanceled():
                return LedgerLocked(
                    f"Another program has kept the database locked for more than {self._patience:g} seconds: nothing "
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


class _SignsOfLife:
    """Tells the database now and then, while a command is decided, that this server is there. A server that stands
    still tells nothing, and the database lets go of what it has locked (`HELD_UP`)."""

    def __init__(self) -> None:
        self._deciding: Connection | None = None
        self._ended = threading.Event()
        self._thread: threading.Thread | None = None

    def begin(self, connection: Connection) -> None:
        """A command is being decided."""
        self._deciding = connection
        if self._thread is None:
            self._ended.clear()
            self._thread = threading.Thread(target=self._run, name="signs of life", daemon=True)
            self._thread.start()

    def end(self) -> None:
        """It is decided."""
        self._deciding = None

    def close(self) -> None:
        self._ended.set()
        if self._thread is not None:
            self._thread.join()
            self._thread = None

    def _run(self) -> None:
        while not self._ended.wait(ALIVE):
            connection = self._deciding
            if connection is not None:
                # Whoever decides finds out by itself what is wrong with the connection.
                with suppress(psycopg.Error):
                    connection.execute("SELECT")


def _is_up_to_date(connection: Connection) -> bool:
    there = connection.execute("SELECT to_regclass(%s) IS NOT NULL", (VERSION_TABLE,)).fetchone()
    if there != (True,):
        return False
    return connection.execute(f"SELECT version_num FROM {VERSION_TABLE}").fetchone() == (VERSION,)  # noqa: S608


def _send(connection: Connection, statements: str) -> psycopg.Cursor[tuple[Any, ...]]:
    """Several statements in one message, with their values written out: the quickest way there and back."""
    return connection.execute(statements.encode())


def _arrays(rows: Iterable[tuple[Any, ...]], width: int) -> list[str]:
    """The columns of some rows, each as one value of a statement."""
    return [_array(column) for column in zip(*rows, strict=True)] or ["'{}'"] * width


def _array(column: Sequence[Any]) -> str:
    """An array as the server reads it, quoted; the server is told to take strokes within quotes as they are."""
    match column:
        case [int(), *_]:
            texts = [str(one) for one in column]
        case [bytes(), *_]:
            texts = [f'"\\\\x{one.hex()}"' for one in column]
        case _:
            texts = ['"' + one.replace("\\", "\\\\").replace('"', '\\"').replace("'", "''") + '"' for one in column]
    return f"'{{{','.join(texts)}}}'"


def _first_line(fault: BaseException) -> str:
    return (str(fault).strip() or type(fault).__name__).splitlines()[0].rstrip(".")


class PostgresqlReading(Reading):
    """What one connection sees within its transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._cursors = 0

    def look(self, look: Look) -> Iterator[Any]:
        asked, values = look.asked("%s"), (*look.values, look.limit)
        if set(key(look.table)) <= set(look.where):
            return iter(self._connection.execute(asked, values, binary=True))
        return self._at_a_time(asked, values)

    def _at_a_time(self, asked: str, values: Sequence[Any]) -> Iterator[Any]:
        """With a cursor on the server, so that a ledger of any size needs little memory."""
        self._cursors += 1
        with self._connection.cursor(f"rows_{self._cursors}", binary=True) as cursor:
            cursor.execute(asked, values)
            while rows := cursor.fetchmany(AT_A_TIME):
                yield from rows

    def places(self, beginning: str, besides: str = "") -> Iterator[tuple[str, int]]:
        for between in places_between(beginning, besides):
            yield from self._at_a_time(_PLACES, between)

    def newest(self) -> int:
        found = self._connection.execute("SELECT coalesce(max(time), 0) FROM heads").fetchone()
        return int(found[0]) if found else 0

    def guards(self) -> Guards:
        there = {
            Place(table, name): Trigger(plain(f"{deeds} {'always' if unconditional else 'at times'} {does}"), is_on)
            for name, table, deeds, unconditional, is_on, does in self._connection.execute(_GUARDS, _OF_THE_LEDGER)
        }
        return Guards(of_postgresql(), there)

    def unreadable(self, table: Table) -> None:
        """The server refuses text that is none."""
