"""What a command locks: known before its transaction begins, and taken once.

A command reads what it needs to know from committed states, without a lock: which jackpots a table is linked to,
whether a decision ends the round, who sits there. From that follow its locks. The ledger takes the chains in the order
of their names, so two commands never wait for each other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from cardroom.ledger import UniqueKey
from cardroom.service.chains.names import (
    HEADS_CHAIN,
    ROOM_CHAIN,
    jackpot_chain,
    player_chain,
    promotion_chain,
    table_chain,
    tabulator_chain,
    user_chain,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Locks:
    """The chains that a command locks, and the unique keys that it looks up or uses.

    >>> deal = Locks(tables=["prime-1"]) | Locks(tabulators=["prime-1"], jackpots=["final-four"])
    >>> deal.chains
    ('jackpot:final-four', 'table:prime-1', 'tabulator:prime-1')
    """

    room: bool = False
    heads_log: bool = False
    jackpots: Collection[str] = ()
    players: Collection[str] = ()
    promotions: Collection[str] = ()
    tables: Collection[str] = ()
    tabulators: Collection[str] = ()
    users: Collection[str] = ()
    all_chains: Collection[str] = ()
    """The names of all chains, for the command that closes a day."""
    unique_keys: Collection[UniqueKey] = ()

    def __or__(self, other: Locks) -> Locks:
        """The locks of both."""
        return Locks(
            room=self.room or other.room,
            heads_log=self.heads_log or other.heads_log,
            jackpots={*self.jackpots, *other.jackpots},
            players={*self.players, *other.players},
            promotions={*self.promotions, *other.promotions},
            tables={*self.tables, *other.tables},
            tabulators={*self.tabulators, *other.tabulators},
            users={*self.users, *other.users},
            all_chains={*self.all_chains, *other.all_chains},
            unique_keys={*self.unique_keys, *other.unique_keys},
        )

    @property
    def chains(self) -> tuple[str, ...]:
        """The names of the chains, in the order in which the ledger locks them."""
        return tuple(sorted({*self._named_chains(), *self.all_chains}))

    def _named_chains(self) -> Iterator[str]:
        if self.room:
            yield ROOM_CHAIN
        if self.heads_log:
            yield HEADS_CHAIN
        yield from map(jackpot_chain, self.jackpots)
        yield from map(player_chain, self.players)
        yield from map(promotion_chain, self.promotions)
        yield from map(table_chain, self.tables)
        yield from map(tabulator_chain, self.tabulators)
        yield from map(user_chain, self.users)
