"""Dealers at live tables: steps in their order, cards that are typed, claims that are made, paid and refused."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from cardroom.games.procedure import StepKind
from cardroom.room.table.live_procedure import is_complete, next_steps
from cardroom.room.table.state import TableState
from cardroom.service import CardRoom
from tests.crash.printed_slips import ALSO, TYPED
from tests.crash.tables.room import FINAL_FOUR, LIVE

DEALERS = ("Kim", "Dan O'Neil")
HOUSE_PAYS = [event for event in TYPED["final-four"] if "royal" not in event]
"""Lines of which the meter pays nothing, so that it is easy to tell what it shows."""


class Dealer:
    """Chooses what is done next at the tables at which a user deals."""

    def __init__(self, random: Random, card_room: CardRoom) -> None:
        self._random, self._card_room = random, card_room

    def command(self) -> Mapping[str, Any]:
        if self._random.random() < 0.12:
            return self._decided()
        state = self._card_room.table(self._random.choice(LIVE))
        if state.live is None:
            return self._at(state, "begin", positions=self._some(range(1, 7)))
        dice = self._random.random()
        if dice < 0.05:
            return self._at(state, "undo")
        if dice < 0.08:
            return self._at(state, "void", second=self._random.choice(["Flo", "Flo", "Flo", None]))
        if dice < 0.12:
            return self._at(state, "step", step=self._random.choice(["deal", "collect", "shout"]))
        if dice < 0.4 and len(state.live.taken) > 1:
            return self._typed(state) if dice < 0.26 else self._claimed(state)
        return self._goes_on(state)

    def _at(self, state: TableState, do: str, **more: Any) -> Mapping[str, Any]:
        return {"do": do, "dealer": self._random.choice(DEALERS), "table": state.table, **more}

    def _some(self, of: Any) -> list[int]:
        among = list(of)
        return sorted(self._random.sample(among, self._random.randint(1, len(among))))

    def _goes_on(self, state: TableState) -> Mapping[str, Any]:
        assert state.live is not None
        due = next_steps(state, state.live)
        if not due or (is_complete(state, state.live) and self._random.random() < 0.7):
            return self._at(state, "end")
        step = self._random.choice(due)
        if step.kind is not StepKind.TABULATE:
            return self._at(state, "step", step=step.name)
        return self._at(state, "step", step=step.name, covered=self._some(state.live.positions))

    def _typed(self, state: TableState) -> Mapping[str, Any]:
        """A seat's hand and wagers; now and then cards that lie elsewhere already."""
        assert state.live is not None
        seat, hand = self._random.choice(state.live.positions), self._hand()
        cards = {f"seat {seat} hand": hand["hand"], f"seat {seat} fourth": hand["fourth"]}
        return self._at(state, "type", cards=cards, wagers={str(seat): {"ante-play": 10_00}})

    def _hand(self) -> dict[str, str]:
        event = self._random.choice(HOUSE_PAYS)
        return self._random.choice([TYPED["final-four"][event], *ALSO.get(("final-four", event), ())])

    def _claimed(self, state: TableState) -> Mapping[str, Any]:
        """A seat's hand as it was typed, where it was; now and then another one."""
        assert state.live is not None
        seat = self._random.choice(state.live.positions)
        piles = {pile: state.live.cards.get(f"seat {seat} {pile}", ()) for pile in ("hand", "fourth")}
        typed = {pile: " ".join(names) for pile, names in piles.items()}
        cards = typed if all(typed.values()) and self._random.random() < 0.8 else self._hand()
        result = {"jackpot": FINAL_FOUR, "round": state.round, "seat": seat, "cards": cards}
        return self._at(state, "claim", **result)

    def _decided(self) -> Mapping[str, Any]:
        """A claim that waits is paid or refused, by a user who may, or by who dealt it."""
        waiting = self._card_room.jackpot(FINAL_FOUR).claims
        who = self._random.choice(["Flo", "Flo", "Flo", *DEALERS])
        if not waiting:
            return {"do": "refuse", "who": who, "jackpot": FINAL_FOUR, "claim": "nobody's"}
        claim = self._random.choice(waiting)
        result = {"who": who, "jackpot": FINAL_FOUR, "claim": claim.id}
        if self._random.random() < 0.3:
            return {"do": "refuse", **result}
        return {"do": "pay", **result, "seats": [one.seat for one in claim.prizes]}
