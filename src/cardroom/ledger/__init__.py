"""The ledger: what happened, in chains of events that cannot be changed unnoticed, and the money that it moved.

A command names its chains, decides with their heads in hand, and is answered when its events, their postings, the new
heads, the balances and the answer itself are on disk, all in one transaction. SQLite by default, PostgreSQL by URL.
"""

from cardroom.extras import need

need("floor", "Books", "sqlalchemy", "alembic", "orjson")

from cardroom.ledger.backup import backup_ledger, look_into_backup, restore_ledger
from cardroom.ledger.canonical import LONGEST_NAME
from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.faults import (
    BadCommand,
    BadHeads,
    BadLedger,
    BadOutcome,
    ClockDiffers,
    ClockJumped,
    ClockRanBackwards,
    ConnectionLost,
    DatabaseMoved,
    DatabaseNewer,
    DatabaseReadOnly,
    DifferentCommand,
    LeaseLost,
    LedgerDamaged,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
    NameTaken,
    RestoreUnfinished,
)
from cardroom.ledger.leases import LeaseBook
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.news import News
from cardroom.ledger.opening import open_ledger
from cardroom.ledger.records import (
    Carried,
    Command,
    Entry,
    Event,
    Head,
    Json,
    Lease,
    Name,
    Named,
    NewEvent,
    Note,
    Outcome,
    Time,
    event_entry,
)
from cardroom.ledger.report import Finding, Report
from cardroom.ledger.verification import verified_events, verify_chains

__all__ = [
    "LONGEST_NAME",
    "BadCommand",
    "BadHeads",
    "BadLedger",
    "BadOutcome",
    "Carried",
    "Clock",
    "ClockDiffers",
    "ClockJumped",
    "ClockRanBackwards",
    "Command",
    "ConnectionLost",
    "DatabaseMoved",
    "DatabaseNewer",
    "DatabaseReadOnly",
    "DifferentCommand",
    "Entry",
    "Event",
    "Finding",
    "Head",
    "Json",
    "Lease",
    "LeaseBook",
    "LeaseLost",
    "Ledger",
    "LedgerDamaged",
    "LedgerFull",
    "LedgerLocked",
    "LedgerUnavailable",
    "Name",
    "NameTaken",
    "Named",
    "NewEvent",
    "News",
    "Note",
    "Outcome",
    "Report",
    "RestoreUnfinished",
    "Time",
    "backup_ledger",
    "event_entry",
    "look_into_backup",
    "open_ledger",
    "restore_ledger",
    "system_clock",
    "verified_events",
    "verify_chains",
]
