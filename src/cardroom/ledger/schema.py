"""The six tables. What each row is hashed with stands in `canonical`; what may never change, in the migrations.

Text is compared byte by byte in both databases, so that both keep the same order.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, Integer, LargeBinary, MetaData, Table, Text

VERSION: Final = "0002"
"""The revision of the newest migration."""

VERSION_TABLE: Final = "ledger_version"

_Text: Final = Text().with_variant(Text(collation="C"), "postgresql")
_Whole: Final = BigInteger().with_variant(Integer(), "sqlite")
# SQLite keeps the rows of a chain together in the order of their key; PostgreSQL leaves room to update in place.
_HISTORY: Final[dict[str, Any]] = {"sqlite_with_rowid": False, "sqlite_strict": True}
_PROJECTION: Final = _HISTORY | {"postgresql_with": {"fillfactor": "50"}}

metadata = MetaData()

events = Table(
    "events",
    metadata,
    Column("chain", _Text, primary_key=True),
    Column("sequence", _Whole, primary_key=True, autoincrement=False),
    Column("id", _Text, nullable=False),
    Column("kind", _Text, nullable=False),
    Column("version", _Whole, nullable=False),
    Column("time", _Whole, nullable=False),
    Column("payload", _Text, nullable=False),
    Column("seal", LargeBinary, nullable=False),
    Column("previous", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    **_HISTORY,
)

entries = Table(
    "entries",
    metadata,
    Column("chain", _Text, primary_key=True),
    Column("sequence", _Whole, primary_key=True, autoincrement=False),
    Column("line", _Whole, primary_key=True, autoincrement=False),
    Column("debit", _Text, nullable=False),
    Column("credit", _Text, nullable=False),
    Column("amount", _Whole, nullable=False),
    ForeignKeyConstraint(["chain", "sequence"], ["events.chain", "events.sequence"]),
    **_HISTORY,
)

names = Table(
    "names",
    metadata,
    Column("chain", _Text, primary_key=True),
    Column("name", _Text, primary_key=True),
    Column("sequence", _Whole, nullable=False),
    ForeignKeyConstraint(["chain", "sequence"], ["events.chain", "events.sequence"]),
    **_HISTORY,
)

commands = Table(
    "commands",
    metadata,
    Column("id", _Text, primary_key=True),
    Column("body", LargeBinary, nullable=False),
    Column("answer", _Text, nullable=False),
    Column("events", _Whole, nullable=False),
    Column("seal", LargeBinary, nullable=False),
    **_HISTORY,
)

heads = Table(
    "heads",
    metadata,
    Column("chain", _Text, primary_key=True),
    Column("sequence", _Whole, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    Column("time", _Whole, nullable=False),
    Column("snapshot", _Text, nullable=False),
    Column("seal", LargeBinary, nullable=False),
    **_PROJECTION,
)

balances = Table(
    "balances",
    metadata,
    Column("account", _Text, primary_key=True),
    Column("debits", _Whole, nullable=False),
    Column("credits", _Whole, nullable=False),
    **_PROJECTION,
)

TABLES: Final = (commands, events, entries, names, heads, balances)
"""In the order in which they can be filled."""


def columns(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.columns)


def key(table: Table) -> tuple[str, ...]:
    return tuple(column.name for column in table.primary_key)


def order(table: Table) -> tuple[str, ...]:
    """The order in which rows are read: by their key, but names beside the events that have them."""
    return ("chain", "sequence", "name") if table is names else key(table)


def select(table: Table) -> str:
    """All columns, in the order in which the rows of `store` have them."""
    return f"SELECT {', '.join(columns(table))} FROM {table.name}"  # noqa: S608


def insert(table: Table, sign: str) -> str:
    """`sign` stands for a value: ? or %s."""
    signs = ", ".join([sign] * len(table.columns))
    return f"INSERT INTO {table.name} ({', '.join(columns(table))}) VALUES ({signs})"  # noqa: S608
