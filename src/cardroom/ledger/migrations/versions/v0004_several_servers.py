"""Several servers on one database: who is there, who runs what, and which programs may work on these tables.

None of it is history, and none of it is verified or backed up: a server says that it is there as long as it is, and has
the lease of a chain until another one takes it.

From here on a step that only adds tables leaves `ledger_readable` alone, so that servers of the version before go on
while one after the other is brought up to date. A step after which they could not, says so there.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"

_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "servers",
        sa.Column("name", _text, primary_key=True),
        sa.Column("label", _text, nullable=False),
        sa.Column("until", _whole, nullable=False),
        sqlite_with_rowid=False,
        sqlite_strict=True,
        postgresql_with={"fillfactor": "50"},
    )
    op.create_table(
        "leases",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("holder", _text, nullable=False),
        sa.Column("epoch", _whole, nullable=False),
        sqlite_with_rowid=False,
        sqlite_strict=True,
        postgresql_with={"fillfactor": "50"},
    )
    op.create_index("leases_of_a_holder", "leases", ["holder"])
    op.create_table(
        "ledger_readable",
        sa.Column("since", _text, primary_key=True),
        sqlite_with_rowid=False,
        sqlite_strict=True,
    )
    op.execute("INSERT INTO ledger_readable (since) VALUES ('0004')")
