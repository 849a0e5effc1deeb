"""Notes: what was noted last about something, beside the books. They are no history, and nothing follows from them."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")
_whole = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "notes",
        sa.Column("about", _text, primary_key=True),
        sa.Column("time", _whole, nullable=False),
        sa.Column("text", _text, nullable=False),
        sqlite_with_rowid=False,
        sqlite_strict=True,
        postgresql_with={"fillfactor": "50"},
    )
