"""Where commands are carried out: everything that a command changes is locked, decided, and stored together."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from datetime import date
from typing import Any, TypeVar

from cardroom.cards.shuffle import KEY_BYTES
from cardroom.floor.desks.draft import Draft, Memory, refuse_too_much
from cardroom.floor.desks.standings import Standings
from cardroom.floor.kept.chains import (
    ROOM,
    jackpot_chain,
    jackpot_of,
    promotion_chain,
    promotion_of,
    table_chain,
    table_of,
)
from cardroom.floor.kept.subjects import Subject
from cardroom.ledger import Clock, Command, Head, Json, Lease, Ledger, Name, Outcome, system_clock

A = TypeVar("A")
Body = Mapping[str, Json]
Decide = Callable[[Draft], Json]
"""Makes what happens, and the answer."""


Keys = Callable[[], bytes]
"""Where keys come in from outside."""


def fresh_key() -> bytes:
    """A key that nobody can know."""
    return secrets.token_bytes(KEY_BYTES)


class Desk(Standings):
    """A ledger, and the states that were read from it. Threads may share one; processes each have their own."""

    def __init__(self, ledger: Ledger, clock: Clock = system_clock, keys: Keys = fresh_key) -> None:
        self.ledger = ledger
        self._clock, self._fresh_key = clock, keys
        self._memory = Memory()

    def _state(self, subject: Subject[A], id: str) -> A:
        head = self.ledger.head(subject.chain(id))
        if head is None:
            raise subject.unknown(id)
        return self._memory.state(subject, head)

    def _today(self) -> date:
        """The day in the card room's own time."""
        return self.calendar.local(self._clock()).date()

    def tables(self) -> tuple[str, ...]:
        """The tables that have been opened."""
        return tuple(table for chain in self.ledger.chains() if (table := table_of(chain)) is not None)

    def jackpots(self) -> tuple[str, ...]:
        """The jackpots that have been opened, also those that were removed since."""
        return tuple(jackpot for chain in self.ledger.chains() if (jackpot := jackpot_of(chain)) is not None)

    def house_versions(self) -> dict[str, int]:
        """How many events there have been on each chain of the house's own: jackpots, promotions, tables, the room."""
        kinds = (jackpot_chain(""), promotion_chain(""), table_chain(""), ROOM)
        return {chain: events for kind in kinds for chain, events in self.ledger.places(kind).items()}

    def promotions(self) -> tuple[str, ...]:
        """The promotions that have been announced, also those that have ended."""
        return tuple(name for chain in self.ledger.chains() if (name := promotion_of(chain)) is not None)

    def _command(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        names: tuple[Name, ...] = (),
        under: Lease | None = None,
    ) -> Command:
        def decided(heads: Mapping[str, Head | None]) -> Outcome:
            draft = Draft(self._memory, heads, names)
            return draft.outcome(decide(draft))

        refuse_too_much(body)
        return Command(id, chains, body, decided, names, under)

    def _do(
        self,
        id: str,
        body: Body,
        chains: tuple[str, ...],
        decide: Decide,
        read: Callable[[Any], A],
        names: tuple[Name, ...] = (),
    ) -> A:
        return read(self.ledger.carry_out(self._command(id, body, chains, decide, names)).answer)
