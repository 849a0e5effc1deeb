"""An event-sourced ledger: hash chains of immutable events, with the double-entry postings that they cause.

A command names its chains and decides with their heads locked. It returns when its events, their postings, the new
heads, the balances, and its result are on disk, all in one transaction. SQLite is the default; a URL selects
PostgreSQL.
"""

from cardroom.extras import require_packages

require_packages("service", "Ledgers", "sqlalchemy", "alembic", "orjson")

from cardroom.ledger.backup import backup_ledger, open_backup, restore_ledger
from cardroom.ledger.canonical_json import LONGEST_NAME
from cardroom.ledger.clock import Clock, system_clock
from cardroom.ledger.connect import open_ledger
from cardroom.ledger.errors import (
    BadCommand,
    BadCommandOutcome,
    BadHeads,
    BadLedger,
    ClockDiffers,
    ClockJumped,
    ClockRanBackwards,
    CommandIdReused,
    ConnectionLost,
    DatabaseMoved,
    DatabaseNewer,
    DatabaseReadOnly,
    LeaseLost,
    LedgerDamaged,
    LedgerFull,
    LedgerLocked,
    LedgerUnavailable,
    RestoreUnfinished,
    UniqueKeyTaken,
)
from cardroom.ledger.leases import LeaseRegistry
from cardroom.ledger.ledger import Ledger
from cardroom.ledger.notifications import Notification
from cardroom.ledger.types import (
    Command,
    CommandOutcome,
    CommandResult,
    Entry,
    Event,
    Finding,
    Head,
    Json,
    KeyedEvent,
    Lease,
    LedgerReport,
    NewEvent,
    Note,
    Time,
    UniqueKey,
    event_to_json,
)
from cardroom.ledger.verification import iterate_verified_events, verify_chains

__all__ = [
    "LONGEST_NAME",
    "BadCommand",
    "BadCommandOutcome",
    "BadHeads",
    "BadLedger",
    "Clock",
    "ClockDiffers",
    "ClockJumped",
    "ClockRanBackwards",
    "Command",
    "CommandIdReused",
    "CommandOutcome",
    "CommandResult",
    "ConnectionLost",
    "DatabaseMoved",
    "DatabaseNewer",
    "DatabaseReadOnly",
    "Entry",
    "Event",
    "Finding",
    "Head",
    "Json",
    "KeyedEvent",
    "Lease",
    "LeaseLost",
    "LeaseRegistry",
    "Ledger",
    "LedgerDamaged",
    "LedgerFull",
    "LedgerLocked",
    "LedgerReport",
    "LedgerUnavailable",
    "NewEvent",
    "Note",
    "Notification",
    "RestoreUnfinished",
    "Time",
    "UniqueKey",
    "UniqueKeyTaken",
    "backup_ledger",
    "event_to_json",
    "iterate_verified_events",
    "open_backup",
    "open_ledger",
    "restore_ledger",
    "system_clock",
    "verify_chains",
]
