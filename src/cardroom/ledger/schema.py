"""The tables. What each row is hashed with stands in `canonical`; what may never change, in the migrations.

Text is compared byte by byte in both databases, so that both keep the same order.
"""

from __future__ import annotations

from typing import Any, Final

from sqlalchemy import BigInteger, Column, ForeignKeyConstraint, Index, Integer, LargeBinary, MetaData, Table, Text

VERSION: Final = "0001"
"""The revision of the newest migration."""

VERSION_TABLE: Final = "ledger_version"

_Text: Final = Text().with_variant(Text(collation="C"), "postgresql")
_Whole: Final = BigInteger().with_variant(Integer(), "sqlite")
# SQLite keeps the rows of a chain together in the order of their key; PostgreSQL leaves room to update in place.
_HISTORY: Final[dict[str, Any]] = {"sqlite_with_rowid": False, "sqlite_strict": True}
_PROJECTION: Final = _HISTORY | {"postgresql_with": {"fillfactor": "50"}}

_EVENT: Final = {"chain": _Text, "sequence": _Whole}
_OF_AN_EVENT: Final = (["chain", "sequence"], ["events.chain", "events.sequence"])

metadata = MetaData()


def _table(name: str, key: dict[str, Any], others: dict[str, Any], *rules: ForeignKeyConstraint, **kept: Any) -> Table:
    """A table of columns that are never empty, those of the key first."""
    keys = [Column(one, kind, primary_key=True, autoincrement=False) for one, kind in key.items()]
    return Table(name, metadata, *keys, *(Column(*one, nullable=False) for one in others.items()), *rules, **kept)


_told = {"id": _Text, "kind": _Text, "version": _Whole, "time": _Whole, "payload": _Text}
_proof = {"seal": LargeBinary, "previous": LargeBinary, "hash": LargeBinary}
events = _table("events", _EVENT, _told | _proof, **_HISTORY)

_moved = {"debit": _Text, "credit": _Text, "amount": _Whole}
entries = _table("entries", _EVENT | {"line": _Whole}, _moved, ForeignKeyConstraint(*_OF_AN_EVENT), **_HISTORY)

_name = {"chain": _Text, "name": _Text}
names = _table("names", _name, {"sequence": _Whole}, ForeignKeyConstraint(*_OF_AN_EVENT), **_HISTORY)

_carried_out = {"body": LargeBinary, "answer": _Text, "events": _Whole, "seal": LargeBinary}
commands = _table("commands", {"id": _Text}, _carried_out, **_HISTORY)

_end = {"sequence": _Whole, "hash": LargeBinary, "time": _Whole, "snapshot": _Text, "seal": LargeBinary}
heads = _table("heads", {"chain": _Text}, _end, **_PROJECTION)

balances = _table("balances", {"account": _Text}, {"debits": _Whole, "credits": _Whole}, **_PROJECTION)

# What must stay hidden for a while cannot be in an event: it is kept beside them, and taken away when it is told.
secrets = _table("secrets", {"chain": _Text, "name": _Text}, {"value": LargeBinary}, **_PROJECTION)

# Beside the books: what was noted last about something. Nothing follows from it, and losing it loses nothing.
notes = _table("notes", {"about": _Text}, {"time": _Whole, "text": _Text}, **_PROJECTION)
# Who is there, and who runs what: true for seconds, and no part of the books.
servers = _table("servers", {"name": _Text}, {"label": _Text, "until": _Whole}, **_PROJECTION)
leases = _table("leases", {"chain": _Text}, {"holder": _Text, "epoch": _Whole}, **_PROJECTION)
Index("leases_of_a_holder", leases.c.holder)

readable = _table("ledger_readable", {"since": _Text}, {}, **_HISTORY)
"""The oldest version whose programs may work on these tables."""
SINCE: Final = f"SELECT max(since) FROM {readable.name}"  # noqa: S608

TABLES: Final = (commands, events, entries, names, heads, balances)
"""What is verified, in the order in which it can be filled."""
KEPT: Final = (*TABLES, secrets)
"""What a backup holds."""


def note(sign: str) -> str:
    """Note something; who comes late with something older has noted nothing."""
    later = "SET time = excluded.time, text = excluded.text WHERE excluded.time >= notes.time"
    return f"{insert(notes, sign)} ON CONFLICT (about) DO UPDATE {later}"


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
