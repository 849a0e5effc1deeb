"""The ledger: events, entries, unique keys, and commands that are never changed, heads and balances that follow them;
and beside them secrets, notes, running servers, and leases.

A later step that only adds tables leaves `ledger_readable` alone: servers of the version before continue while one
after the other is updated. A step after which they could not sets `ledger_readable` to itself.
"""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

KEYS = {
    "events": ("chain", "sequence"),
    "entries": ("chain", "sequence", "line"),
    "names": ("chain", "name"),
    "commands": ("id",),
}
"""The tables in which no row is ever changed, by their keys."""

_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_history: dict[str, Any] = {"sqlite_with_rowid": False, "sqlite_strict": True}
_projection = _history | {"postgresql_with": {"fillfactor": "50"}}


def upgrade() -> None:
    op.create_table(
        "events",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("sequence", _whole, primary_key=True, autoincrement=False),
        sa.Column("id", _text, nullable=False),
        sa.Column("kind", _text, nullable=False),
        sa.Column("version", _whole, nullable=False),
        sa.Column("time", _whole, nullable=False),
        sa.Column("payload", _text, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        sa.Column("previous", sa.LargeBinary, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        **_history,
    )
    op.create_table(
        "entries",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("sequence", _whole, primary_key=True, autoincrement=False),
        sa.Column("line", _whole, primary_key=True, autoincrement=False),
        sa.Column("debit", _text, nullable=False),
        sa.Column("credit", _text, nullable=False),
        sa.Column("amount", _whole, nullable=False),
        sa.ForeignKeyConstraint(["chain", "sequence"], ["events.chain", "events.sequence"]),
        **_history,
    )
    op.create_table(
        "names",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("name", _text, primary_key=True),
        sa.Column("sequence", _whole, nullable=False),
        sa.ForeignKeyConstraint(["chain", "sequence"], ["events.chain", "events.sequence"]),
        **_history,
    )
    op.create_table(
        "commands",
        sa.Column("id", _text, primary_key=True),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.Column("answer", _text, nullable=False),
        sa.Column("events", _whole, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        **_history,
    )
    op.create_table(
        "heads",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("sequence", _whole, nullable=False),
        sa.Column("hash", sa.LargeBinary, nullable=False),
        sa.Column("time", _whole, nullable=False),
        sa.Column("snapshot", _text, nullable=False),
        sa.Column("seal", sa.LargeBinary, nullable=False),
        **_projection,
    )
    op.create_table(
        "balances",
        sa.Column("account", _text, primary_key=True),
        sa.Column("debits", _whole, nullable=False),
        sa.Column("credits", _whole, nullable=False),
        **_projection,
    )
    op.create_table(
        "secrets",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("name", _text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
        **_projection,
    )
    op.create_table(
        "notes",
        sa.Column("about", _text, primary_key=True),
        sa.Column("time", _whole, nullable=False),
        sa.Column("text", _text, nullable=False),
        **_projection,
    )
    op.create_table(
        "servers",
        sa.Column("name", _text, primary_key=True),
        sa.Column("label", _text, nullable=False),
        sa.Column("until", _whole, nullable=False),
        **_projection,
    )
    op.create_table(
        "leases",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("holder", _text, nullable=False),
        sa.Column("epoch", _whole, nullable=False),
        **_projection,
    )
    op.create_index("leases_of_a_holder", "leases", ["holder"])
    op.create_table("ledger_readable", sa.Column("since", _text, primary_key=True), **_history)
    op.execute("INSERT INTO ledger_readable (since) VALUES ('0001')")
    if op.get_context().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        _guard_postgresql()


def _guard_sqlite() -> None:
    for table, key in KEYS.items():
        refuse = f"SELECT RAISE(ABORT, 'A row of {table} is never changed: a correction is a new event.');"
        for operation in ("UPDATE", "DELETE"):
            trigger = f"{table}_refuse_{operation.lower()}"
            op.execute(f"CREATE TRIGGER {trigger} BEFORE {operation} ON {table} BEGIN {refuse} END")
        # INSERT OR REPLACE deletes without firing the trigger above.
        same = " AND ".join(f"{column} = NEW.{column}" for column in key)
        there = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"  # noqa: S608
        op.execute(f"CREATE TRIGGER {table}_refuse_replace BEFORE INSERT ON {table} WHEN {there} BEGIN {refuse} END")


def _guard_postgresql() -> None:
    op.execute(
        """
        CREATE FUNCTION ledger_refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
            RAISE EXCEPTION 'A row of % is never changed: a correction is a new event.', TG_TABLE_NAME;
        END
        $$
        """
    )
    for table in KEYS:
        op.execute(
            f"CREATE TRIGGER {table}_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()"
        )
