"""What can go wrong with a ledger, in three families.

`BadLedger`, `BadHeads` and `BadCommand` are bad input: what came in was wrong, and nothing was changed.
`LedgerUnavailable` passes: the same command, sent again with the same id, is carried out once. `LedgerDamaged` needs
a person.
"""

from __future__ import annotations

from cardroom.errors import BadInput
from cardroom.ledger.types import Finding


class BadLedger(BadInput):
    """An address that is no ledger's, a ledger of a newer program, or one that is not empty where it has to be."""


class EmptyDatabase(BadLedger):
    """An empty database where a ledger was looked for."""


class RestoreUnfinished(BadLedger):
    """A database in which a restore was interrupted."""


class BadHeads(BadInput):
    """A document that is not an export of heads."""


class BadCommand(BadInput):
    """A command whose id, chains or names cannot be used."""


class CommandIdReused(BadCommand):
    """A command's id was used before for something else."""


class UniqueKeyTaken(BadInput):
    """Another event of the chain has the name already."""


class LeaseLost(BadInput):
    """Another server acts for the chain by now."""


class BadCommandOutcome(ValueError):
    """A decision that cannot be stored: a chain that was not locked, a name that was not asked for, or values that are
    not plain JSON."""


class LedgerUnavailable(RuntimeError):
    """The database cannot take the command now. Nothing is half done; send it again with the same id.

    The sentence may be shown to anyone. It names no path, address, or other particular of the machine; those are in
    ``detail``, for the log and for the person at the machine."""

    def __init__(self, sentence: str, detail: str = "") -> None:
        super().__init__(sentence)
        self.detail = detail


class LedgerLocked(LedgerUnavailable):
    """Another program holds the database for longer than we wait."""


class LedgerFull(LedgerUnavailable):
    """There is no room left on the disk."""


class ConnectionLost(LedgerUnavailable):
    """The database server is not to be reached."""


class DatabaseReadOnly(LedgerUnavailable):
    """The database takes no writes."""


class DatabaseMoved(LedgerUnavailable):
    """The file of the database is not where it was opened, or another file is there."""


class DatabaseNewer(LedgerUnavailable):
    """A newer program has changed the tables so that this one, which is still running, cannot work on them."""


class KeyUnavailable(LedgerUnavailable):
    """This server cannot use the room's key: it is missing, or another one is in its place."""


class ClockRanBackwards(LedgerUnavailable):
    """The clock stands before the last event of a chain."""


class ClockDiffers(LedgerUnavailable):
    """This server's clock and the clock of the database server differ by more than the ledger accepts."""


class ClockJumped(LedgerUnavailable):
    """The clock went on by more than the time that passed. An operator has to confirm it."""


class LedgerDamaged(RuntimeError):
    """What is stored is not what was written."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


def format_error(error: Exception) -> str:
    """The sentence of a fault with its detail, for the log."""
    detail = error.detail if isinstance(error, LedgerUnavailable) else ""
    return f"{error} ({detail})" if detail else str(error)
