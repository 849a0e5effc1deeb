"""One invariant: what must be true, in a sentence, and the check that finds where it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from cardroom.ledger.encryption import Vault
from cardroom.ledger.store import LedgerReader
from cardroom.service.verification.agreement import StoredChains
from cardroom.service.verification.replay_result import ReplayResult

Balances: TypeAlias = Mapping[str, tuple[int, int]]
"""Debits and credits by account."""


class ReplayedRoom(NamedTuple):
    """All that a check looks at: what the replay of every chain came to, and what is stored."""

    result: ReplayResult
    balances: Balances
    """As stored, by account."""
    reader: LedgerReader
    vault: Vault | None
    """None without the room's key: then secrets are not decrypted."""

    @property
    def chains(self) -> StoredChains:
        return StoredChains(self.reader)


Check = Callable[[ReplayedRoom], None]
"""Raises ``ReplayMismatch`` with the first discrepancy."""


@dataclass(frozen=True, slots=True)
class Invariant:
    """What must be true in every room."""

    name: str
    between: str
    """The chains and the other parts of the ledger that agree."""
    sentence: str
    check: Check | None = None
    """None if the invariant concerns one chain alone: it is checked while that chain is replayed."""


def invariant(name: str, between: str, sentence: str) -> Callable[[Check], Invariant]:
    """Declare an invariant with its check."""
    return lambda check: Invariant(name, between, sentence, check)


STORED_AS_WRITTEN: Final = Invariant(
    "stored-as-written",
    "every chain, the double entry, and the commands",
    "Events, entries, unique keys, heads, balances, and commands are stored as they were written: hashes follow one "
    "another, debits equal credits, sums are right, and the triggers that protect all of it work.",
)
RULES_ALLOW: Final = Invariant(
    "rules-allow-each-event",
    "each chain by itself",
    "The rules allow each event after the events before it: every claim and refusal, judged again, every round of an "
    "automatic table, dealt again from its key, and every statement of an account come out the same.",
)
ENTRIES_FOLLOW: Final = Invariant(
    "entries-follow-from-events",
    "each chain and the double entry",
    "The entries stored with an event are those that follow from it.",
)
UNIQUE_KEYS_FOLLOW: Final = Invariant(
    "unique-keys-follow-from-events",
    "each chain and the unique keys",
    "The unique keys stored with an event are those that follow from it, so that no round is counted twice.",
)
SNAPSHOT_FOLLOWS: Final = Invariant(
    "snapshot-follows-from-events",
    "each chain and its head",
    "The snapshot in the head of a chain is the state to which its events lead.",
)
