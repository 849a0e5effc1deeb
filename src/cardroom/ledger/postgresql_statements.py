"""The SQL statements of a ledger on a PostgreSQL server, and the literals in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import psycopg

from cardroom.ledger import store
from cardroom.ledger.schema import (
    POSTGRESQL,
    SINCE,
    TABLES,
    column_names,
    commands,
    compile_sql,
    entries,
    events,
    heads,
    leases,
    secrets,
    select_sql,
    unique_keys,
    upsert_note_sql,
)

Connection = psycopg.Connection[tuple[Any, ...]]

SETTINGS: Final = """
    SELECT set_config('lock_timeout', %s, false), set_config('plan_cache_mode', 'force_generic_plan', false),
           set_config('jit', 'off', false), set_config('standard_conforming_strings', 'on', false),
           CASE WHEN current_setting('synchronous_commit') = 'off'
                THEN set_config('synchronous_commit', 'on', false) END
"""
NOTE: Final = upsert_note_sql(POSTGRESQL)
MICROSECONDS: Final = "(extract(epoch FROM {}) * 1000000)::bigint"
TIMES: Final = f"SELECT {MICROSECONDS.format('now()')}, {MICROSECONDS.format('clock_timestamp()')}"
"""When the message arrived, and when everything was locked."""
TIME_NOW: Final = f"SELECT {MICROSECONDS.format('clock_timestamp()')}, ({SINCE})"
"""The time, and the oldest version whose programs may use the tables."""
# Every row is found by its key. The server plans once, when tables are small: it must not plan to scan them.
PREPARE: Final = f"""
    SET enable_seqscan = off;
    PREPARE lock_heads (text[]) AS {select_sql(heads)} WHERE chain = ANY($1) ORDER BY chain FOR UPDATE;
    PREPARE insert_heads AS INSERT INTO heads ({", ".join(column_names(heads))})
    SELECT * FROM unnest($1::text[], $2::bigint[], $3::bytea[], $4::bigint[], $5::text[], $6::bytea[])
    ON CONFLICT DO NOTHING;
    PREPARE known_commands (text[]) AS {select_sql(commands)} WHERE id = ANY($1);
    PREPARE known_keys (text[], text[]) AS SELECT requested.chain, requested.name, event.*
    FROM unnest($1, $2) AS requested (chain, name)
    CROSS JOIN LATERAL (SELECT sequence FROM names
                        WHERE chain = requested.chain AND name = requested.name LIMIT 1) AS key
    CROSS JOIN LATERAL (SELECT sequence, id, time FROM events
                        WHERE chain = requested.chain AND sequence = key.sequence LIMIT 1) AS event;
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
    f AS (DELETE FROM secrets USING unnest($34::text[], $35::text[]) AS revealed (chain, name)
          WHERE secrets.chain = revealed.chain AND secrets.name = revealed.name),
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
REENCRYPT: Final = """
    UPDATE secrets SET value = new.value FROM unnest({}::text[], {}::text[], {}::bytea[]) AS new (chain, name, value)
    WHERE secrets.chain = new.chain AND secrets.name = new.name
"""
WIDTHS: Final = (5, 10, 6, 3, 6, 3, 2, 3)
CHAIN_LENGTHS: Final = compile_sql(store.CHAIN_LENGTHS, POSTGRESQL)
# Internal triggers belong to foreign keys. O and A are enabled, D is disabled, and R fires only on replicas.
TRIGGERS: Final = """
    SELECT tgname, relname, tgtype, tgqual IS NULL AND tgattr::text = '' AND tgnargs = 0, tgenabled IN ('O', 'A'),
           prosrc
    FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
    WHERE NOT tgisinternal AND pg_table_is_visible(tgrelid) AND relname = ANY(%s)
"""
TABLE_NAMES: Final = ([table.name for table in TABLES],)


def execute_all(connection: Connection, statements: str) -> psycopg.Cursor[tuple[Any, ...]]:
    """Several statements in one message, with their values written out: the fastest round trip."""
    return connection.execute(statements.encode())


def format_arrays(rows: Iterable[tuple[Any, ...]], width: int) -> list[str]:
    """The columns of some rows, each as one SQL value."""
    return [format_array(column) for column in zip(*rows, strict=True)] or ["'{}'"] * width


def format_array(column: Sequence[Any]) -> str:
    """An array as an SQL literal; the server takes backslashes within quotes literally."""
    match column:
        case [int(), *_]:
            texts = [str(value) for value in column]
        case [bytes(), *_]:
            texts = [f'"\\\\x{value.hex()}"' for value in column]
        case _:
            texts = ['"' + value.replace("\\", "\\\\").replace('"', '\\"').replace("'", "''") + '"' for value in column]
    return f"'{{{','.join(texts)}}}'"
