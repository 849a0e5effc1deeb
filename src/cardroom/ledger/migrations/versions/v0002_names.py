"""Names: an event may have some by which its chain knows it for ever, and no other event of the chain has them.

Rounds that were counted before get theirs here. Where a round had been counted twice, the later count has the name: it
is the one that was found until then. What was written in those days is told as it was, so it stands here once more.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import orjson
import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

AT_A_TIME = 2_000
LONGEST_NAME = 200

_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
_SOME = sa.text(
    "SELECT sequence, payload FROM events WHERE chain = :chain AND sequence > :after "
    "AND kind IN ('round-tabulated', 'counted-by-hand') ORDER BY sequence LIMIT :some"
)
_GIVE = sa.text(
    "INSERT INTO names (chain, name, sequence) VALUES (:chain, :name, :sequence) "
    "ON CONFLICT (chain, name) DO UPDATE SET sequence = excluded.sequence"
)


def upgrade() -> None:
    op.create_table(
        "names",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("name", _text, primary_key=True),
        sa.Column("sequence", _whole, nullable=False),
        sa.ForeignKeyConstraint(["chain", "sequence"], ["events.chain", "events.sequence"]),
        sqlite_with_rowid=False,
        sqlite_strict=True,
    )
    database = op.get_bind()
    for (chain,) in database.execute(sa.text("SELECT chain FROM heads ORDER BY chain")).all():
        for some in _rounds(database, chain):
            database.execute(_GIVE, some)
    if op.get_context().dialect.name == "sqlite":
        _guard_sqlite()
    else:
        op.execute(
            "CREATE TRIGGER names_refuse_change BEFORE UPDATE OR DELETE OR TRUNCATE ON names "
            "FOR EACH STATEMENT EXECUTE FUNCTION ledger_refuse_change()"
        )


def _rounds(database: sa.Connection, chain: str) -> Iterator[list[dict[str, Any]]]:
    """The rounds that a table has counted, some at a time. What is too long for a name has never been one."""
    after = 0
    while rows := database.execute(_SOME, {"chain": chain, "after": after, "some": AT_A_TIME}).all():
        named = [(row[0], orjson.loads(row[1]).get("round")) for row in rows]
        some = [{"chain": chain, "name": name, "sequence": sequence} for sequence, name in named if _can_be_kept(name)]
        if some:
            yield some
        after = rows[-1][0]


def _can_be_kept(name: object) -> bool:
    return isinstance(name, str) and 0 < len(name) <= LONGEST_NAME and "\0" not in name


def _guard_sqlite() -> None:
    refuse = "SELECT RAISE(ABORT, 'What stands in names is never changed: a correction is a new event.');"
    for deed in ("UPDATE", "DELETE"):
        op.execute(f"CREATE TRIGGER names_refuse_{deed.lower()} BEFORE {deed} ON names BEGIN {refuse} END")
    # INSERT OR REPLACE deletes without asking the trigger above.
    there = "EXISTS (SELECT 1 FROM names WHERE chain = NEW.chain AND name = NEW.name)"
    op.execute(f"CREATE TRIGGER names_refuse_replace BEFORE INSERT ON names WHEN {there} BEGIN {refuse} END")
