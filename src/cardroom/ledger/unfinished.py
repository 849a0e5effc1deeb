"""The mark of a restore that is not finished. It is stored in the transaction that copies the backup, and removed in
the one in which two people confirm what was restored. A database that has it is not opened for anything else: its
sessions and its rounds in progress are those of the backup."""

from __future__ import annotations

from typing import Final

from cardroom.ledger import schema
from cardroom.ledger.faults import RestoreUnfinished
from cardroom.ledger.records import Name
from cardroom.ledger.store import Reading

UNFINISHED: Final = Name("room", "restore-unfinished")
"""A row beside the secrets of the room's chain: the command that confirms the restore removes it like any of them."""


def refuse_unfinished(now: Reading, address: str) -> None:
    """Refuse a database in which a restore was interrupted."""
    if any(now.rows(schema.secrets, {"chain": UNFINISHED.chain, "name": UNFINISHED.name})):
        raise RestoreUnfinished(
            f"{address} contains a restore that was not finished, and cannot be used: restore the backup again into a "
            "new, empty database, then delete this one."
        )
