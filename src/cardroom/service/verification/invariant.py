"""One invariant: what must be true, in a sentence, and the check that finds where it is not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple, TypeAlias

from cardroom.ledger.encryption import Vault
from cardroom.ledger.store import LedgerReader
from cardroom.service.verification.agreement import StoredChains
from cardroom.service.verification.replay_result import ReplayResult
from cardroom.service.verification.report import ReplayMismatch, replay_mismatch

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

    def mismatch(
        self, problem: str, chain: str, sequence: int, id: str, expected: object, actual: object
    ) -> ReplayMismatch:
        """An event with which this does not hold."""
        return replay_mismatch(problem, chain, sequence, id, expected, actual, self.name)


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
    "The rules allow each event after the events before it.",
)
TWO_PEOPLE: Final = Invariant(
    "two-people-take-part",
    "each chain by itself",
    "What takes two people names two different people.",
)
KEY_WAS_SEALED: Final = Invariant(
    "rounds-come-from-sealed-keys",
    "automatic tables",
    "The key of a round is the one whose seal was shown before the first wager, and the cards follow from it.",
)
DECISIONS_IN_TURN: Final = Invariant(
    "decisions-are-legal-and-in-turn",
    "automatic tables",
    "In each round, dealt again, each decision is legal, answers the question that is due, is made by the player of "
    "the seat, and costs what the rules say.",
)
TIMERS_KEPT: Final = Invariant(
    "players-have-the-announced-time",
    "automatic tables",
    "Each deadline is the one that the terms of the table give, and no wager, decision, timeout, or removal is too "
    "early or too late.",
)
SETTLED_BY_RULES: Final = Invariant(
    "rounds-pay-what-the-rules-say",
    "tables",
    "Each round, settled again by the rules of its game, pays each seat what was paid.",
)
JUDGED_ALIKE: Final = Invariant(
    "claims-and-statements-are-judged-alike",
    "jackpots and promotions",
    "Each claim, refusal, reversal, and bank statement, decided again by the rules, leads to the same events.",
)
CHECKED_BEFORE_PAYMENT: Final = Invariant(
    "surveillance-checks-before-payment",
    "jackpots",
    "Surveillance checks a claim after it is made and before it is paid.",
)
STATEMENT_LISTS_MOVEMENTS: Final = Invariant(
    "statements-list-the-movements",
    "jackpots",
    "A reconciled bank statement lists the movements of the account since its end, and lacks only movements that "
    "happened.",
)
VOID_ROUNDS_PAY_NOTHING: Final = Invariant(
    "void-rounds-pay-nothing",
    "jackpots",
    "A round is void only once its claims are refused and its prizes reversed, and no claim follows.",
)
COUNTERS_ADVANCE: Final = Invariant(
    "counters-advance-by-the-count",
    "tabulators",
    "Each counter of a tabulator advances by the number of wagers counted, and the amounts follow from that number.",
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
