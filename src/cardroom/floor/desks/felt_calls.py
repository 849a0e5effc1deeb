"""Calls at a felt: for somebody who has gone without a word while others wait."""

from __future__ import annotations

from collections.abc import Callable

from cardroom.floor.desks.draft import Draft
from cardroom.floor.desks.felt_answers import FeltStanding
from cardroom.floor.desks.felt_rounds import FeltRoundDesk
from cardroom.floor.desks.felts import seat_of
from cardroom.floor.felt.calling import answer_call, call, lead_away
from cardroom.floor.felt.state import FeltState, Seated
from cardroom.floor.kept.chains import player_chain
from cardroom.ledger import Json, Lease


class FeltCallDesk(FeltRoundDesk):
    """Where those are called for whom others wait. Each command names the seat's player, so that it is refused when
    somebody else sits there meanwhile."""

    def call_seat(self, id: str, player: str, table: str, *, under: Lease | None = None) -> FeltStanding:
        """Call a player for whom others wait, and whom nobody sees in the room."""

        def decide(draft: Draft, state: FeltState, here: Seated) -> FeltState:
            return draft.at_felt(table, (call(state, here, draft.now),))

        return self._at_seat(id, "call-seat", player, table, decide, under)

    def answer_call(self, id: str, player: str, table: str) -> FeltStanding:
        """Say that a player who is called is in the room."""

        def decide(draft: Draft, state: FeltState, here: Seated) -> FeltState:
            return draft.at_felt(table, (answer_call(state, here),))

        return self._at_seat(id, "answer-call", player, table, decide)

    def lead_away(self, id: str, player: str, table: str, *, under: Lease | None = None) -> FeltStanding:
        """Give up the seat of a player who has not answered in time: the chips go back to the balance. The round begins
        when all others are ready."""

        def decide(draft: Draft, state: FeltState, here: Seated) -> FeltState:
            left = lead_away(state, here, draft.now)
            state = self._gone(draft, draft.at_felt(table, (left,)), left, here)
            return self._after_leaving(draft, state)

        return self._at_seat(id, "lead-away", player, table, decide, under)

    def _at_seat(
        self,
        id: str,
        do: str,
        player: str,
        table: str,
        decide: Callable[[Draft, FeltState, Seated], FeltState],
        under: Lease | None = None,
    ) -> FeltStanding:
        body: dict[str, Json] = {"do": do, "player": player, "table": table}

        def decided(draft: Draft) -> Json:
            state = draft.felt(table)
            here = seat_of(state, player)
            return self._standing(draft, decide(draft, state, here), here.seat)

        return self._at_felt(id, table, body, decided, (player_chain(player),), under=under)
