"""Recall: what happened last at a table, to a jackpot or to a promotion. The newest come first."""

from __future__ import annotations

from itertools import islice
from typing import Final

from cardroom.floor.desks.desk import Desk
from cardroom.floor.kept.chains import jackpot_chain, table_chain
from cardroom.floor.kept.recall import newest_first
from cardroom.jackpots.happenings import (
    KINDS,
    CountedByHand,
    CounterRead,
    ReadingTakenBack,
    RoundTabulated,
    RoundVoided,
    WagersCounted,
)
from cardroom.ledger import Event

LAST: Final = 50
"""How many are recalled unless the caller says otherwise."""
_ROUNDS: Final = frozenset(
    one.kind for one in (RoundTabulated, CountedByHand, CounterRead, ReadingTakenBack, RoundVoided)
)
_BESIDES_WAGERS: Final = frozenset(KINDS) - {WagersCounted.kind}


class RecallDesk(Desk):
    """Recall for dealers, floor supervisors and the office."""

    def recall_rounds(self, table: str, last: int = LAST) -> tuple[Event, ...]:
        """The last rounds of a table in full: what was counted, by hand or by the tabulator, and what was voided."""
        self.table(table)
        return self._recalled(table_chain(table), last, _ROUNDS)

    def recall_life(self, table: str, last: int = LAST) -> tuple[Event, ...]:
        """The last events of a table besides its counts: its set-ups, its tabulator, its end."""
        self.table(table)
        return self._recalled(table_chain(table), last, frozenset(KINDS) - _ROUNDS)

    def recall_jackpot(self, jackpot: str, last: int = LAST) -> tuple[Event, ...]:
        """The last events of a jackpot besides the wagers of each round: claims, prizes, resets, every adjustment."""
        self.jackpot(jackpot)
        return self._recalled(jackpot_chain(jackpot), last, _BESIDES_WAGERS)

    def _recalled(self, chain: str, last: int, kinds: frozenset[str]) -> tuple[Event, ...]:
        wanted = (event for event in newest_first(self.ledger, chain) if event.kind in kinds)
        return tuple(islice(wanted, last))
