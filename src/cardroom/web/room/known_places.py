"""Places at which people have signed in before, as the books know them: their sign-ins have a line of their own.

No sign-in reads the books for it. Every few seconds the server asks which people's chains have grown, and reads those.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from contextlib import suppress
from typing import Final

from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_chain, person_of
from cardroom.floor.people.places import is_at_machine
from cardroom.ledger import LedgerDamaged, LedgerUnavailable
from cardroom.web.room.clerks import Clerks

READ_EVERY: Final = 5.0
"""Seconds between two looks at the chains of people."""


class KnownPlaces:
    """Of every person the last places at which the right password was typed; how many, the person's state bounds."""

    def __init__(self, floor: Floor, clerks: Clerks) -> None:
        self._floor, self._clerks = floor, clerks
        self._read: dict[str, int] = {}
        """How many events of each chain were read."""
        self._of: dict[str, frozenset[str]] = {}
        """By login."""
        self._people: Counter[str] = Counter()
        """How many people have signed in at each place."""

    def __contains__(self, place: object) -> bool:
        """Whether a person has signed in at a place before, or only people at the machine can be there."""
        return isinstance(place, str) and (place in self._people or is_at_machine(place))

    async def run(self) -> None:
        """Follow the books; while they cannot be read, places stay as they were."""
        while True:
            with suppress(LedgerUnavailable, LedgerDamaged):
                await self.read()
            await asyncio.sleep(READ_EVERY)

    async def read(self) -> None:
        """Read of the people to whom something has happened where they have signed in."""
        chains = await self._clerks.look(self._floor.ledger.chain_lengths, person_chain(""))
        for chain, events in chains.items():
            login = person_of(chain)
            if login is None or self._read.get(chain) == events:
                continue
            state = await self._clerks.look(self._floor.person, login)
            self._keep(login, frozenset(place for place, tries in state.tries.items() if tries.known))
            self._read[chain] = events

    def _keep(self, login: str, places: frozenset[str]) -> None:
        before = self._of.get(login, frozenset())
        self._of[login] = places
        self._people.update(places - before)
        for place in before - places:
            self._people[place] -= 1
            if not self._people[place]:
                del self._people[place]
