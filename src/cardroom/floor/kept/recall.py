"""What happened last: the rounds of a table, the events of a jackpot. The newest come first."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, Final, NamedTuple

from cardroom.floor.desks.desk import Desk
from cardroom.floor.kept.chains import jackpot_chain, promotion_chain, table_chain
from cardroom.jackpots.tabulator.unit import BY_HAND, COUNTER_READ, TABULATED, VOIDED
from cardroom.ledger import Event, Ledger

LAST: Final = 50
"""How many are recalled unless the caller says otherwise."""
WAGERS_COUNTED: Final = "wagers-counted"
TAKEN_BACK: Final = "wagers-taken-back"
_BLOCK: Final = 250
_OF_A_ROUND: Final = frozenset({WAGERS_COUNTED, "claim-locked", "prizes-paid"})
_ROUNDS: Final = frozenset({TABULATED, BY_HAND, COUNTER_READ, VOIDED})


def newest_first(ledger: Ledger, chain: str) -> Iterator[Event]:
    """The events of a chain from the last to the first, read in blocks."""
    head = ledger.head(chain)
    end = head.sequence if head else 0
    while end > 0:
        start = max(end - _BLOCK, 0)
        yield from reversed(list(ledger.events(chain, start, end - start)))
        end = start


def recorded_round(ledger: Ledger, table: str, round_id: str) -> Event | None:
    """The event that recorded a round of a table, however long ago; None when the round was never counted."""
    return ledger.named(table_chain(table), round_id)


class Claimed(NamedTuple):
    """What was claimed of a round on a jackpot, however long ago."""

    locked: bool
    """Whether a claim that was not refused is pending or paid."""
    fixed: bool
    """Whether fixed prizes were paid."""


def claimed_before(ledger: Ledger, jackpot: str, table: str, round_id: str) -> Claimed:
    """Look through the events of a jackpot back to the round itself: its claims came after it."""
    refused, locked, fixed = set[str](), False, False
    for event in newest_first(ledger, jackpot_chain(jackpot)):
        payload: Any = event.payload
        if event.kind == "claim-refused" and payload["claim"] not in {one["id"] for one in payload["claims"]}:
            refused.add(payload["claim"])
        elif event.kind in _OF_A_ROUND and (payload["table"], payload["round"]) == (table, round_id):
            if event.kind == WAGERS_COUNTED:
                break
            locked |= event.kind == "claim-locked" and payload["claim"] not in refused
            fixed |= event.kind == "prizes-paid"
    return Claimed(locked, fixed)


class RecallDesk(Desk):
    """Recall for dealers, floor supervisors and the office."""

    def recall_rounds(self, table: str, last: int = LAST) -> tuple[Event, ...]:
        """The last rounds of a table in full: what was counted, by hand or by the tabulator, and what was voided."""
        self.table(table)
        return self._recalled(table_chain(table), last, lambda event: event.kind in _ROUNDS)

    def recall_jackpot(self, jackpot: str, last: int = LAST) -> tuple[Event, ...]:
        """The last events of a jackpot besides the wagers of each round: claims, prizes, resets, every adjustment."""
        self.jackpot(jackpot)
        return self._recalled(jackpot_chain(jackpot), last, lambda event: event.kind != WAGERS_COUNTED)

    def recall_promotion(self, promotion: str, last: int = LAST) -> tuple[Event, ...]:
        """The last events of a promotion."""
        self.promotion(promotion)
        return self._recalled(promotion_chain(promotion), last, lambda _: True)

    def _recalled(self, chain: str, last: int, wanted: Callable[[Event], bool]) -> tuple[Event, ...]:
        return tuple(islice(filter(wanted, newest_first(self.ledger, chain)), last))
