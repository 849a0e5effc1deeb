"""Backup while the card room plays on, and restore into an empty database; what was restored is verified whole."""

from __future__ import annotations

from pathlib import Path

from cardroom.floor.verification.report import FloorReport
from cardroom.floor.verification.whole import verify
from cardroom.ledger import Ledger, backup_ledger, restore_ledger
from cardroom.ledger import Report as LedgerReport


def backup(ledger: Ledger, path: Path | str) -> LedgerReport:
    """Copy a floor into a new file as it stands now. The copy is checked before it has its name."""
    return backup_ledger(ledger, path)


def restore(path: Path | str, url: str) -> FloorReport:
    """Copy a backup into an empty database and verify the floor there: chains, books, meters and every claim."""
    restore_ledger(path, url)
    return verify(url)
