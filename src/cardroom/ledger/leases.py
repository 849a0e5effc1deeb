"""Leases: of several servers on one database, one acts for a chain by itself, and the others leave that to it.

A server says twice a second that it is there, which is one row however many leases it has. One that has said nothing
for `SERVER_TIMEOUT` is gone, and whichever server speaks next takes its leases over. Who holds a lease is decided by
the database alone: a command that is done under one is refused there when it has gone to somebody else, so a server
that was only held up can do no harm when it comes back, whatever it believes. Time is the database's, and no server's.

Whoever has two leases more than another living server hands some of them over, a few at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

from cardroom.ledger.types import Lease

HEARTBEAT_SECONDS: Final = 0.5
"""Seconds between two signs of life."""
SERVER_TIMEOUT: Final = 3.0
"""Seconds of silence after which a server counts as gone."""
SERVER_EXPIRY: Final = 60.0
"""Seconds of silence after which a server is forgotten."""
MAX_TRANSFER: Final = 25
"""Leases that are handed over at a time."""
MICROSECONDS: Final = 1_000_000


class LeaseRegistry(ABC):
    """Where one server takes its leases. It is used by one thread at a time."""

    name: str
    """The server's, of this run; nobody else has it."""
    label: str
    """By which people know it."""

    def renew(self, chains: Sequence[str]) -> Mapping[str, Lease]:
        """Say that this server is there, take what is free of the chains that it wants, and give back what it does not
        want any more. Gives all leases that it has."""
        epochs = self._renew(chains)
        if released_chains := sorted(set(epochs) - set(chains)):
            self._transfer(released_chains, "")
        return {chain: Lease(chain, self.name, epochs[chain]) for chain in chains if chain in epochs}

    def rebalance(self, chains: Sequence[str]) -> frozenset[str]:
        """Hand some of these over, the last ones first, to the server that has fewest of them and of their like. Gives
        those that have gone; there are none when the others have as many."""
        lease_counts = self._lease_counts()
        lease_counts.pop(self.name, None)
        if not lease_counts:
            return frozenset()
        target = min(lease_counts, key=lambda server: (lease_counts[server], server))
        excess = min((len(chains) - lease_counts[target]) // 2, MAX_TRANSFER)
        transferred = frozenset(chains[-excess:]) if excess > 0 else frozenset()
        if transferred:
            self._transfer(sorted(transferred), target)
        return transferred

    def servers(self) -> frozenset[str]:
        """The names of the servers that are running now."""
        return frozenset(self._lease_counts())

    @abstractmethod
    def leave(self) -> None:
        """Go: the leases are free at once."""

    @abstractmethod
    def close(self) -> None:
        """Let go of the database."""

    @abstractmethod
    def _renew(self, chains: Sequence[str]) -> dict[str, int]:
        """Be there for another `SERVER_TIMEOUT`, and take what is free: the chains of all leases that are held, with
        epochs."""

    @abstractmethod
    def _lease_counts(self) -> dict[str, int]:
        """The servers that are there, with how many leases each has."""

    @abstractmethod
    def _transfer(self, chains: Sequence[str], server: str) -> None:
        """Give leases of ours to another server, or to nobody."""
