"""The office: two people who verify what automatic tables have claimed, and pay it to the winners' balances."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random
from typing import Any

from tests.crash.live.line import Line, ServerDied
from tests.crash.live.model.room import Room

JACKPOTS = {
    "prime-1": "prime-1-final-four",
    "duel-1": "duel-1-tie-after-tie",
    "double-1": "double-1-super-3s",
    "deuces-1": "deuces-1-deuces-wild-jackpot",
}


class Office:
    """Pays what waits, and notes what was acknowledged."""

    def __init__(self, random: Random, room: Room) -> None:
        self._random, self._room = random, room
        self._unknown: str | None = None
        self._paid: dict[str, Any] = {}
        self.met: Counter[str] = Counter()

    @property
    def knows(self) -> bool:
        """Whether every payment that was sent was answered."""
        return self._unknown is None

    async def work(self, line: Line) -> None:
        """Until everything is paid that the model knows of, or the house dies."""
        try:
            for round_id in list(self._room.waiting):
                await asyncio.sleep(self._random.uniform(0, 0.1))  # cannot fail: only spreads the payments
                await self.pay(line, round_id)
        except ServerDied:
            return

    async def ask_again(self, line: Line) -> None:
        """What was sent to a house that died is sent again with its id."""
        if self._unknown is not None:
            self.met["payments sent again"] += 1
            await self.pay(line, self._unknown)

    async def pay(self, line: Line, round_id: str) -> None:
        if round_id in self._paid:
            return
        jackpot = JACKPOTS[round_id.partition(".")[0]]
        body = {"id": f"pay-{round_id}", "jackpot": jackpot, "claim": round_id}
        self._unknown = round_id
        response = await line.call("POST", "/office/claims", body=body)
        self._unknown = None
        if response.status == 404:
            return  # the real program has no such address
        assert response.status == 200, response
        self._paid[round_id] = response.json()
        if self._random.random() < 0.3:
            again = await line.call("POST", "/office/claims", body=body)
            assert again.json() == response.json()
            self.met["payments sent twice"] += 1

    def book(self) -> None:
        """The model hears of what was paid; it was what had been won."""
        for round_id, answer in self._paid.items():
            prizes = {one.seat: one.cents for one in self._room.pay(round_id)}
            assert {one["seat"]: one["cents"] for one in answer["prizes"]} == prizes, answer
            self.met["claims paid"] += 1
        self._paid = {}
