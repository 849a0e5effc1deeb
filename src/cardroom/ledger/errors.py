"""The errors of a ledger, in three families.

`BadLedger`, `BadHeads`, and `BadCommand` are bad input: the input was wrong, and nothing was changed.
`LedgerUnavailable` is temporary: the same command, sent again with the same id, is carried out once. `LedgerDamaged`
needs a person.
"""

from __future__ import annotations

from cardroom.errors import BadInput
from cardroom.ledger.types import Finding


class BadLedger(BadInput):
    """An address that is not a ledger's, a ledger of a newer program, or a database that should be empty and is not."""


class EmptyDatabase(BadLedger):
    """An empty database where a ledger was expected."""


class RestoreUnfinished(BadLedger):
    """A database with an unfinished restore."""


class BadHeads(BadInput):
    """A document that is not an export of heads."""


class BadCommand(BadInput):
    """A command whose id, chains, or unique keys cannot be used."""


class CommandIdReused(BadCommand):
    """The id of an earlier, different command."""


class UniqueKeyTaken(BadInput):
    """Another event of the chain has the unique key already."""


class LeaseLost(BadInput):
    """Another server has the lease of the chain by now."""


class BadCommandOutcome(ValueError):
    """A decision that cannot be stored: it has a chain that was not locked, a unique key that was not requested, or
    values that are not JSON."""


class LedgerUnavailable(RuntimeError):
    """The database cannot take the command now. Nothing was stored halfway; send the command again with the same id.

    The sentence may be shown to any reader. It names no path, address, or other detail of the machine; those are in
    ``detail``, for the log and for the person at the machine."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


class LedgerLocked(LedgerUnavailable):
    """Another program has held the database lock longer than the timeout."""


class LedgerFull(LedgerUnavailable):
    """The disk is full."""


class ConnectionLost(LedgerUnavailable):
    """The database server is unreachable."""


class DatabaseReadOnly(LedgerUnavailable):
    """The database is read-only."""


class DatabaseMoved(LedgerUnavailable):
    """The database file is not where it was opened, or another file is there."""


class DatabaseNewer(LedgerUnavailable):
    """A newer program has changed the tables so that this running program cannot use them."""


class KeyUnavailable(LedgerUnavailable):
    """This server cannot use the room's key: it is missing, or another one is in its place."""


class ClockRanBackwards(LedgerUnavailable):
    """The clock is behind the last event of a chain."""


class ClockDiffers(LedgerUnavailable):
    """This server's clock and the clock of the database server differ by more than the ledger accepts."""


class ClockJumped(LedgerUnavailable):
    """The clock advanced by more than the time that passed. An operator must confirm it."""


class LedgerDamaged(RuntimeError):
    """What is stored is not what was written."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


def format_error(error: Exception) -> str:
    """The sentence of an error with its detail, for the log."""
    detail = error.detail if isinstance(error, LedgerUnavailable) else ""
    return f"{error} ({detail})" if detail else str(error)
