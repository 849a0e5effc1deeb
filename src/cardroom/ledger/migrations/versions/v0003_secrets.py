"""Secrets: what must stay hidden for a while is kept beside the events, such as the key of a round that is played.

They are no history. What was hidden is told by an event in the end, and then goes from here.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_text = sa.Text().with_variant(sa.Text(collation="C"), "postgresql")


def upgrade() -> None:
    op.create_table(
        "secrets",
        sa.Column("chain", _text, primary_key=True),
        sa.Column("name", _text, primary_key=True),
        sa.Column("value", sa.LargeBinary, nullable=False),
        sqlite_with_rowid=False,
        sqlite_strict=True,
        postgresql_with={"fillfactor": "50"},
    )
