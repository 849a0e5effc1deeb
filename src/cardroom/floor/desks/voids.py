"""Void rounds: every wager goes back (BJ-7), and what the round put on the meters is taken off again (BJ-18).

A level on which something was won since has paid the money out, so nothing is taken off it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from cardroom.floor.desks.answers import RoundCounted, round_counted, round_counted_entry
from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.linked import LinkedDesk, shown_at, still_changing
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import WAGERS_COUNTED, Claimed, claimed_before, newest_first, recorded_round
from cardroom.jackpots import Happening, take_back
from cardroom.jackpots.meter.applying import fixed_key, round_key
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.tabulator.unit import CannotTabulate, void_round
from cardroom.ledger import Command, Event, Json


@dataclass(frozen=True, slots=True)
class _CameIn:
    """What a round brought a jackpot, as far as it is still there."""

    jackpot: str
    claims: tuple[int, tuple[str, ...]]
    """How many claims there had been when this was looked up, and which were pending."""
    count: int
    amount: int
    levels: dict[str, tuple[int, int, int]]
    """Displayed, reserved and overflowed, in hundredths of a cent."""


class VoidDesk(LinkedDesk):
    """Rounds are declared void."""

    def void_round(self, id: str, who: str, table: str, round_id: str, reason: str) -> RoundCounted:
        """Declare a round void, as after a malfunction of the shuffler."""
        body: dict[str, Json] = {"do": "void-round", "who": who, "table": table, "round": round_id, "reason": reason}

        def command() -> Command:
            recorded = self._recorded(table, round_id)
            came_in = [self._came_in(jackpot, table, round_id) for jackpot in _jackpots(recorded)]
            claimed = [claimed_before(self.ledger, one.jackpot, table, round_id) for one in came_in]

            def decide(draft: Draft) -> Json:
                before = self._linked(draft, table)
                happening = Happening(recorded.kind, recorded.version, dict(recorded.payload))
                voided = void_round(before.tabulator, round_id, by=who, reason=reason, recorded=happening)
                after = draft.at_table(table, voided)
                for one, before_it in zip(came_in, claimed, strict=True):
                    state = draft.jackpot(one.jackpot)
                    if _claims(state) != one.claims:
                        raise still_changing(table)
                    _refuse_if_claimed(state, before_it, table, round_id)
                    wagers = one.count, one.amount
                    back = take_back(state, table, round_id, wagers, one.levels, who=who, why=reason)
                    draft.at_jackpot(one.jackpot, back)
                counts = {one["wager"]: -one["count"] for one in voided[0].payload["wagers"]}
                return round_counted_entry(after, round_id, counts, shown_at(draft, after))

            return self._at_linked(id, table, body, decide, *(one.jackpot for one in came_in))

        return self._steady(command, round_counted, table)

    def _recorded(self, table: str, round_id: str) -> Event:
        """The event that recorded a round."""
        self.table(table)
        recorded = recorded_round(self.ledger, table, round_id)
        if recorded is None:
            raise CannotTabulate(f"Round {round_id} was not counted at {table}: check its id.")
        return recorded

    def _came_in(self, jackpot: str, table: str, round_id: str) -> _CameIn:
        claims, won, refused = _claims(self.jackpot(jackpot)), set[str](), set[str]()
        for event in newest_first(self.ledger, jackpot_chain(jackpot)):
            payload: Any = event.payload
            if event.kind == "claim-refused" and payload["claim"] not in {one["id"] for one in payload["claims"]}:
                refused.add(payload["claim"])
            elif event.kind == "claim-locked" and payload["claim"] not in refused:
                won |= set(payload["levels"])
            elif event.kind == WAGERS_COUNTED and (payload["table"], payload["round"]) == (table, round_id):
                levels = {name: tuple(amounts[1:4]) for name, amounts in payload["levels"].items() if name not in won}
                return _CameIn(jackpot, claims, payload["count"], payload["amount"], levels)
        raise CannotTabulate(f"Jackpot {jackpot} never heard of round {round_id} of {table}: verify the ledger.")


def _claims(state: JackpotState) -> tuple[int, tuple[str, ...]]:
    """What changes when a claim is made, paid or refused."""
    return state.order, tuple(claim.id for claim in state.claims)


def _refuse_if_claimed(state: JackpotState, before: Claimed, table: str, round_id: str) -> None:
    """What was won in a round is decided before the round can be void."""
    if any(before) or round_key(table, round_id) in state.claimed or fixed_key(table, round_id) in state.claimed:
        raise CannotTabulate(
            f"Round {round_id} of {table} was claimed on {state.id}: it can be void only when the claim is refused."
        )


def _jackpots(recorded: Event) -> Iterator[str]:
    """The jackpots that a recorded round brought wagers."""
    wagers: Any = recorded.payload["wagers"]
    for wager in wagers:
        if wager["jackpot"] is not None and wager["count"]:
            yield wager["jackpot"]
