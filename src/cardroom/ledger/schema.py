"""The tables of the ledger, and the triggers that keep its history unchanged.

`canonical_json` defines the hash of each row; the migrations define what may never change. Text is compared byte by
byte in both databases, so both have the same order.

A missing trigger changes nothing by itself, but it may have been removed in order to change something. So a
verification that finds everything else in order checks the triggers too.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, TypeAlias

from sqlalchemy import (
    BigInteger,
    ClauseElement,
    Column,
    Dialect,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    Table,
    Text,
    func,
    insert,
    select,
)
from sqlalchemy.engine.default import DefaultDialect

from cardroom.ledger.types import Finding

VERSION: Final = "0001"
"""The revision of the newest migration."""

VERSION_TABLE: Final = "ledger_version"
VERSION_SQL: Final = str(select(Table(VERSION_TABLE, MetaData(), Column("version_num", Text))))

_Text: Final = Text().with_variant(Text(collation="C"), "postgresql")
_Integer: Final = BigInteger().with_variant(Integer(), "sqlite")
# SQLite stores the rows of a chain together in the order of their key; PostgreSQL leaves room to update in place.
_HISTORY_OPTIONS: Final[dict[str, Any]] = {"sqlite_with_rowid": False, "sqlite_strict": True}
_PROJECTION_OPTIONS: Final = _HISTORY_OPTIONS | {"postgresql_with": {"fillfactor": "50"}}

_EVENT_KEY: Final = {"chain": _Text, "sequence": _Integer}
_EVENT_REFERENCE: Final = (["chain", "sequence"], ["events.chain", "events.sequence"])

metadata = MetaData()


def _table(
    name: str,
    key_columns: dict[str, Any],
    other_columns: dict[str, Any],
    *constraints: ForeignKeyConstraint,
    **options: Any,
) -> Table:
    """A table of columns without nulls, those of the key first."""
    key_column_list = [
        Column(column, kind, primary_key=True, autoincrement=False) for column, kind in key_columns.items()
    ]
    return Table(
        name,
        metadata,
        *key_column_list,
        *(Column(*column, nullable=False) for column in other_columns.items()),
        *constraints,
        **options,
    )


_event_columns = {"id": _Text, "kind": _Text, "version": _Integer, "time": _Integer, "payload": _Text}
_hash_columns = {"seal": LargeBinary, "previous": LargeBinary, "hash": LargeBinary}
events = _table("events", _EVENT_KEY, _event_columns | _hash_columns, **_HISTORY_OPTIONS)

_posting_columns = {"debit": _Text, "credit": _Text, "amount": _Integer}
entries = _table(
    "entries",
    _EVENT_KEY | {"line": _Integer},
    _posting_columns,
    ForeignKeyConstraint(*_EVENT_REFERENCE),
    **_HISTORY_OPTIONS,
)

_unique_key_columns = {"chain": _Text, "name": _Text}
unique_keys = _table(
    "names", _unique_key_columns, {"sequence": _Integer}, ForeignKeyConstraint(*_EVENT_REFERENCE), **_HISTORY_OPTIONS
)

_command_columns = {"body": LargeBinary, "answer": _Text, "events": _Integer, "seal": LargeBinary}
commands = _table("commands", {"id": _Text}, _command_columns, **_HISTORY_OPTIONS)

_head_columns = {"sequence": _Integer, "hash": LargeBinary, "time": _Integer, "snapshot": _Text, "seal": LargeBinary}
heads = _table("heads", {"chain": _Text}, _head_columns, **_PROJECTION_OPTIONS)

balances = _table("balances", {"account": _Text}, {"debits": _Integer, "credits": _Integer}, **_PROJECTION_OPTIONS)

# Secrets cannot be in an event: they are stored beside the events, and deleted when an event reveals them.
secrets = _table("secrets", {"chain": _Text, "name": _Text}, {"value": LargeBinary}, **_PROJECTION_OPTIONS)

# Notes: the last known state of something outside the events. Nothing follows from a note, and losing it loses nothing.
notes = _table("notes", {"about": _Text}, {"time": _Integer, "text": _Text}, **_PROJECTION_OPTIONS)
# Which servers are running, and which of them runs which chain: true for seconds, and not part of the history.
servers = _table("servers", {"name": _Text}, {"label": _Text, "until": _Integer}, **_PROJECTION_OPTIONS)
leases = _table("leases", {"chain": _Text}, {"holder": _Text, "epoch": _Integer}, **_PROJECTION_OPTIONS)
Index("leases_of_a_holder", leases.c.holder)

compatibility = _table("ledger_readable", {"since": _Text}, {}, **_HISTORY_OPTIONS)
"""The oldest version whose programs may use these tables."""
SINCE: Final = str(select(func.max(compatibility.c.since)))

TABLES: Final = (commands, events, entries, unique_keys, heads, balances)
"""The tables that are verified, in the order in which they can be filled."""
BACKUP_TABLES: Final = (*TABLES, secrets)
"""The tables of a backup."""


SQLITE: Final = DefaultDialect(paramstyle="qmark")
POSTGRESQL: Final = DefaultDialect(paramstyle="format")
"""How the driver of each database writes a placeholder."""


def compile_sql(statement: ClauseElement, dialect: Dialect) -> str:
    """The SQL of a statement, with a placeholder for each value."""
    return str(statement.compile(dialect=dialect))


def upsert_note_sql(dialect: Dialect) -> str:
    """Write a note; an older one does not replace a newer one."""
    update_clause = "SET time = excluded.time, text = excluded.text WHERE excluded.time >= notes.time"
    return f"{insert_sql(notes, dialect)} ON CONFLICT (about) DO UPDATE {update_clause}"


def column_names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def key_column_names(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.primary_key)


def order_columns(table: Table) -> tuple[str, ...]:
    """The order in which rows are read: by their key, but unique keys beside the events that have them."""
    return ("chain", "sequence", "name") if table is unique_keys else key_column_names(table)


def select_sql(table: Table) -> str:
    """All columns, in the order in which the rows of `store` have them."""
    return str(select(table))


def insert_sql(table: Table, dialect: Dialect, *, prefix: str = "") -> str:
    """A row of all columns, with a placeholder for each; `prefix` such as OR REPLACE is before INTO."""
    statement = insert(table)
    return compile_sql(statement.prefix_with(prefix) if prefix else statement, dialect)


IMMUTABLE_TABLES: Final = (events, entries, unique_keys, commands)
"""The tables in which no row is ever changed."""

_IMMUTABLE_TEXT: Final = "is never changed: a correction is a new event."
_ADVICE: Final = "Find out who did it; a backup that is restored into a new database has all of them again."


class TriggerKey(NamedTuple):
    """The table of a trigger, and the trigger's name."""

    table: str
    name: str


class Trigger(NamedTuple):
    """What a trigger does, as its database describes it, apart from whitespace."""

    text: str
    is_enabled: bool = True


Triggers: TypeAlias = Mapping[TriggerKey, Trigger]


class TriggerCheck(NamedTuple):
    """The triggers that should exist, and those that do."""

    expected: Triggers
    actual: Triggers

    def find_problem(self) -> Finding | None:
        """The first trigger that no longer protects history, or that does not belong to the ledger."""
        for key in sorted(self.expected.keys() | self.actual.keys()):
            if sentence := self._describe_problem(key):
                return Finding("triggers", "trigger", f"{sentence} {_ADVICE}", id=key.name)
        return None

    def _describe_problem(self, trigger_key: TriggerKey) -> str | None:
        expected, actual = self.expected.get(trigger_key), self.actual.get(trigger_key)
        subject_text = f"The trigger {trigger_key.name}, which keeps {trigger_key.table} as it was written,"
        if expected is None:
            return f"The trigger {trigger_key.name} on {trigger_key.table} does not belong to the ledger."
        if actual is None:
            return f"{subject_text} is missing."
        if not actual.is_enabled:
            return f"{subject_text} is disabled."
        return f"{subject_text} was changed." if actual != expected else None


def sqlite_triggers() -> dict[TriggerKey, Trigger]:
    """The triggers of a file: one for each operation, and one against INSERT OR REPLACE, which deletes rows without
    firing the delete trigger."""
    triggers: dict[TriggerKey, Trigger] = {}
    for table in IMMUTABLE_TABLES:
        table_name = table.name
        refuse = f"BEGIN SELECT RAISE(ABORT, 'A row of {table_name} {_IMMUTABLE_TEXT}'); END"
        same = " AND ".join(f"{column} = NEW.{column}" for column in key_column_names(table))
        exists_clause = f"WHEN EXISTS (SELECT 1 FROM {table_name} WHERE {same})"  # noqa: S608
        statements = {
            f"{table_name}_refuse_update": f"BEFORE UPDATE ON {table_name}",
            f"{table_name}_refuse_delete": f"BEFORE DELETE ON {table_name}",
            f"{table_name}_refuse_replace": f"BEFORE INSERT ON {table_name} {exists_clause}",
        }
        triggers |= {
            TriggerKey(table_name, name): Trigger(f"CREATE TRIGGER {name} {statement} {refuse}")
            for name, statement in statements.items()
        }
    return triggers


TRIGGER_TYPE: Final = 2 + 16 + 8 + 32
"""PostgreSQL's code for a trigger per statement."""


def postgresql_triggers() -> dict[TriggerKey, Trigger]:
    """The triggers of a server: one for each table, with the body of its function."""
    refuse = f"BEGIN RAISE EXCEPTION 'A row of % {_IMMUTABLE_TEXT}', TG_TABLE_NAME; END"
    trigger = Trigger(f"{TRIGGER_TYPE} always {refuse}")
    return {TriggerKey(table.name, f"{table.name}_refuse_change"): trigger for table in IMMUTABLE_TABLES}


def normalize_whitespace(text: str) -> str:
    """A text without regard to whitespace."""
    return " ".join(text.split())
