"""Leases: of several servers on one database, one acts for a chain by itself, and the others leave that to it.

A server says twice a second that it is there, which is one row however many leases it has. One that has said nothing
for `LIFE` is gone, and whichever server speaks next takes its leases over. Who holds a lease is decided by the database
alone: a command that is done under one is refused there when it has gone to somebody else, so a server that was only
held up can do no harm when it comes back, whatever it believes. Time is the database's, and no server's.

Whoever has two leases more than another living server hands some of them over, a few at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

from cardroom.ledger.records import Lease

EVERY: Final = 0.5
"""Seconds between two signs of life."""
LIFE: Final = 3.0
"""Seconds of silence after which a server counts as gone."""
LONG_GONE: Final = 60.0
"""Seconds of silence after which a server is forgotten."""
AT_ONCE: Final = 25
"""Leases that are handed over at a time."""
MICROSECONDS: Final = 1_000_000


class LeaseBook(ABC):
    """Where one server takes its leases. It is used by one thread at a time."""

    name: str
    """The server's, of this run; nobody else has it."""
    label: str
    """By which people know it."""

    def keep(self, wanted: Sequence[str]) -> Mapping[str, Lease]:
        """Say that this server is there, take what is free of the chains that it wants, and give back what it does not
        want any more. Gives all leases that it has."""
        held = self._keep(wanted)
        if unwanted := sorted(set(held) - set(wanted)):
            self._give(unwanted, "")
        return {chain: Lease(chain, self.name, held[chain]) for chain in wanted if chain in held}

    def share(self, held: Sequence[str]) -> frozenset[str]:
        """Hand some of these over, the last ones first, to the server that has fewest of them and of their like. Gives
        those that have gone; there are none when the others have as many."""
        others = self._counts()
        others.pop(self.name, None)
        if not others:
            return frozenset()
        fewest = min(others, key=lambda one: (others[one], one))
        excess = min((len(held) - others[fewest]) // 2, AT_ONCE)
        gone = frozenset(held[-excess:]) if excess > 0 else frozenset()
        if gone:
            self._give(sorted(gone), fewest)
        return gone

    def servers(self) -> frozenset[str]:
        """The names of the servers that are running now."""
        return frozenset(self._counts())

    @abstractmethod
    def leave(self) -> None:
        """Go: the leases are free at once."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @abstractmethod
    def _keep(self, wanted: Sequence[str]) -> dict[str, int]:
        """Be there for another `LIFE`, and take what is free: the chains of all leases that are held, with epochs."""

    @abstractmethod
    def _counts(self) -> dict[str, int]:
        """The servers that are there, with how many leases each has."""

    @abstractmethod
    def _give(self, chains: Sequence[str], to: str) -> None:
        """Give leases of ours to another server, or to nobody."""
