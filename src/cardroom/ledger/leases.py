"""Leases: of several servers on one database, exactly one runs the automatic work of a chain.

A server sends a heartbeat twice a second, which is one row however many leases it has. A server that has been silent
for `SERVER_TIMEOUT` counts as gone, and the next server that sends a heartbeat takes its leases over. Only the database
decides who holds a lease: a command under a lease is refused there when another server has the lease, so a server that
was delayed can do no harm when it comes back, whatever it believes. Time is the database's, not a server's.

A server with two leases more than another living server transfers some of them, a few at a time.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Final

from cardroom.ledger.types import Lease

HEARTBEAT_SECONDS: Final = 0.5
"""Seconds between two heartbeats."""
SERVER_TIMEOUT: Final = 3.0
"""Seconds of silence after which a server counts as gone."""
SERVER_EXPIRY: Final = 60.0
"""Seconds of silence after which a server's row is deleted."""
MAX_TRANSFER: Final = 25
"""Leases that are transferred at a time."""
MICROSECONDS: Final = 1_000_000


class LeaseRegistry(ABC):
    """The leases of one server. It is used by one thread at a time."""

    name: str
    """The server's id for this run, which no other server has."""
    label: str
    """The server's name for people."""

    def renew(self, chains: Sequence[str]) -> Mapping[str, Lease]:
        """Send a heartbeat, take what is free of the wanted chains, and give back the others. Returns all leases that
        the server holds."""
        epochs = self._renew(chains)
        if released_chains := sorted(set(epochs) - set(chains)):
            self._transfer(released_chains, "")
        return {chain: Lease(chain, self.name, epochs[chain]) for chain in chains if chain in epochs}

    def rebalance(self, chains: Sequence[str]) -> frozenset[str]:
        """Transfer some of these leases, the last ones first, to the server with the fewest of them and of their kind.
        Returns the transferred ones; none when the others have as many."""
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
        """Release all leases at once, and leave."""

    @abstractmethod
    def close(self) -> None:
        """Close the connection."""

    @abstractmethod
    def _renew(self, chains: Sequence[str]) -> dict[str, int]:
        """Extend the server's time by `SERVER_TIMEOUT`, and take what is free; returns the chains of all held leases,
        with epochs."""

    @abstractmethod
    def _lease_counts(self) -> dict[str, int]:
        """The running servers, with how many leases each holds."""

    @abstractmethod
    def _transfer(self, chains: Sequence[str], server: str) -> None:
        """Transfer leases to another server, or release them."""
