"""A line to a card room that is here: no user has to call."""

from __future__ import annotations

from typing import Any

from cardroom.service import CardRoom
from tests.crash.live.line import Answer, Line


class AtTheTable(Line):
    """A player's token is the player's name."""

    def __init__(self, card_room: CardRoom) -> None:
        self.card_room = card_room

    async def call(self, *_: Any, **__: Any) -> Answer:
        """A round that is played is shown to no user."""
        return Answer(404, b"")

    async def look(self, table: str, token: str | None = None) -> dict[str, Any]:
        return self.card_room.view_table_json(table, token)

    async def me(self, token: str) -> dict[str, Any]:
        state = self.card_room.player_account(token)
        chips = {table: self.card_room.table(table).occupant(seat) for table, seat in state.seats.items()}
        seats = [{"table": table, "seat": one.seat, "chips_cents": one.chips} for table, one in chips.items() if one]
        return {"player": token, "balance_cents": state.balance, "seats": seats}

    async def round(self, round_id: str, token: str | None = None) -> dict[str, Any]:
        return self.card_room.get_past_round(round_id).redact_for(token).to_json()
