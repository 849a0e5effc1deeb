"""Program players: they sit, wager, answer, leave and come back at random, and sometimes do what they should not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

from tests.crash.live.bots import Company
from tests.crash.live.line import API, HouseDied, Line
from tests.crash.live.model.felt import Deed
from tests.crash.live.model.room import Acknowledged
from tests.crash.live.wagers import some_wagers

WORDS = ("", "", "plum", "swordfish", "Ω und ♠", "x" * 100)
LEAST = 40_00
"""With less chips somebody buys more, or leaves."""
BUY_IN = 150_00


class Guest:
    """One player, at a table or two. The same seed makes the same choices, as far as the cards let it."""

    def __init__(self, name: str, random: Random, company: Company) -> None:
        self.name, self.random, self.company = name, random, company
        self.player = ""
        self.tables: list[str] = []
        self._due: set[str] = set()
        """Deeds that everybody at a table waits for: nobody can have been quicker where there is no clock."""
        self._numbers, self._lives = count(1), 1

    async def come_in(self, line: Line) -> bool:
        """As a new player; the same id gives the same one, however often it is sent. The real program admits nobody."""
        response = await line.call("POST", f"{API}/guests", body={"id": f"{self.name}-{self._lives}"})
        if response.status == 403:
            return False
        assert response.status == 201, response
        told = response.json()
        assert told["balance_cents"] == 1_000_00, told
        self.player = told["player"]
        assert self.company.tokens.setdefault(self.player, told["token"]) == told["token"]
        self._lives += 1
        self.company.diary.met["came in"] += 1
        return True

    @property
    def token(self) -> str:
        return self.company.tokens[self.player]

    # Sending.

    def deed(self, do: str, table: str, **body: Any) -> Deed:
        return Deed(f"{self.name}-{next(self._numbers)}", self.player, table, do, body)

    def _due_deed(self, do: str, table: str, **body: Any) -> Deed:
        """One that can be refused for want of chips alone."""
        deed = self.deed(do, table, **body)
        self._due.add(deed.id)
        return deed

    async def send(self, line: Line, deed: Deed) -> Mapping[str, Any] | None:
        """Send a deed and note what comes of it; nothing when it is refused."""
        diary = self.company.diary
        try:
            if self.random.random() < 0.06:
                first, second = await self._twice(line, deed)
                assert first == second or first is None or second is None, f"{deed} was answered {first} and {second}"
                answer = first if first is not None else second
            else:
                answer = await self._once(line, deed)
        except HouseDied:
            diary.lost(deed)
            raise
        if answer is None:
            return None
        self._noted(deed, answer)
        await self._pester(line, deed, answer)
        return answer

    def _noted(self, deed: Deed, answer: Mapping[str, Any]) -> None:
        self.company.diary.acknowledged(deed, answer)
        self.company.ring(deed.table)
        if deed.do == "sit" and deed.table not in self.tables:
            self.tables.append(deed.table)
        elif deed.do == "leave":
            self.tables.remove(deed.table)

    async def _once(self, line: Line, deed: Deed) -> Mapping[str, Any] | None:
        response = await line.do(deed, self.token)
        if response.status == 200:
            answer: dict[str, Any] = response.json()
            return answer
        is_due = deed.id in self._due and deed.table not in self.company.hasty
        assert response.status in ((422,) if is_due else (409, 422)), f"{deed}: {response}"
        self.company.diary.refused(deed, response.status)
        return None

    async def _twice(self, line: Line, deed: Deed) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """At the same instant, with the same id: it is done once, and both get the answer."""
        self.company.diary.met["sent twice at once"] += 1
        both = await asyncio.gather(self._once(line, deed), self._once(line, deed), return_exceptions=True)
        answers = [one for one in both if not isinstance(one, BaseException)]
        faults = [one for one in both if isinstance(one, BaseException)]
        for fault in faults:
            # One answer is enough to know; when the house died between the two, the next call will tell.
            if not isinstance(fault, HouseDied) or not any(answers):
                raise fault
        return answers[0], answers[-1]

    async def _pester(self, line: Line, deed: Deed, answer: Mapping[str, Any]) -> None:
        """Send it again: the first answer comes again; or something else under its id, which is refused."""
        chance = self.random.random()
        if chance < 0.06:
            await self.again(line, deed, answer)
        elif chance < 0.1:
            other = {
                "sit": deed._replace(body={**deed.body, "buy_in_cents": 77_00}),
                "lay": deed._replace(body={"wagers": {"prime": 5_00}}),
                "answer": deed._replace(body={"answer": "shout"}),
                "leave": deed._replace(do="answer", body={"answer": "play"}),
            }[deed.do]
            response = await line.do(other, self.token)
            assert response.status == 409, f"{other} after {deed}: {response}"
            self.company.diary.met["other content"] += 1

    async def again(self, line: Line, deed: Deed, answer: Mapping[str, Any]) -> None:
        """A deed that was acknowledged gets its first answer again."""
        response = await line.do(deed, self.company.tokens[deed.player])
        assert response.status == 200, f"{deed} again: {response}"
        assert response.json() == answer, f"{deed} was answered {answer}, and again {response.json()}"
        self.company.diary.met["first answer again"] += 1

    async def ask_again(self, line: Line) -> Acknowledged | None:
        """What was sent to a house that died is sent again with its id, until somebody answers."""
        diary = self.company.diary
        deed = diary.unknown.get(self.player)
        if deed is None:
            return None
        try:
            answer = await self._once(line, deed)
        except HouseDied:
            diary.lost(deed)
            raise
        if answer is None:
            return None
        self._noted(deed, answer)
        return Acknowledged(deed, answer)

    # Playing.

    async def play(self, line: Line) -> None:
        """Until the house dies."""
        try:
            while True:
                await self._act(line)
        except HouseDied:
            self.company.has_died()

    async def _act(self, line: Line) -> None:
        if not self.tables or (len(self.tables) == 1 and self.random.random() < 0.01):
            await self._sit(line)
            return
        table = self.random.choice(self.tables)
        look = await line.look(table, self.token)
        self.company.memory.look(self.player, look)
        self.company.watch_the_clock(table, look.get("deadline", 0))
        chance = self.random.random()
        if chance < 0.02:
            await self.leave(line, table)
        elif chance < 0.05:
            await self._out_of_turn(line, look)
        elif chance < 0.08 and table in self.company.hasty:
            self.company.diary.met["dawdled"] += 1
            await self.company.pause(self.random.uniform(0.3, 1.3))
        elif look["state"] == "playing":
            await self._in_a_round(line, look)
        else:
            await self._before_a_round(line, look)

    async def _sit(self, line: Line) -> None:
        """At another table than those at which one sits: a seat that one left may still be played for."""
        table = self.random.choice([one for one in self.company.tables if one not in self.tables])
        cents = await self._affordable(line)
        if cents < LEAST:
            # Broke: somebody else comes in.
            if self.tables or not await self.come_in(line):
                await self.company.pause(0.5)
            return
        seat = {"seat": self.random.randint(1, 6)} if self.random.random() < 0.3 else {}
        if await self.send(line, self.deed("sit", table, buy_in_cents=cents, **seat)) is None:
            await self.company.pause(0.05)

    async def _affordable(self, line: Line) -> int:
        balance: int = (await line.me(self.token))["balance_cents"]
        return min(BUY_IN, balance)

    async def leave(self, line: Line, table: str) -> None:
        await self.send(line, self.deed("leave", table))

    async def _out_of_turn(self, line: Line, look: Mapping[str, Any]) -> None:
        """An answer to nothing, or to what somebody else is asked; wagers in the middle of a round, or for another."""
        turn = look["round"]["view"]["turn"] if look["round"] else {}
        if not turn and look["last_round"] and self.random.random() < 0.5:
            wagers = some_wagers(look["game"], self.random)
            deed = self.deed("lay", look["table"], wagers=wagers, round=look["last_round"])
        elif turn.get("seat") == look["seat"]:
            deed = self.deed("lay", look["table"], wagers=some_wagers(look["game"], self.random))
        else:
            deed = self.deed("answer", look["table"], answer=self.random.choice(("play", "fold", "war", "stand")))
        self.company.diary.met["out of turn"] += 1
        await self.send(line, deed)

    async def _in_a_round(self, line: Line, look: Mapping[str, Any]) -> None:
        turn = look["round"]["view"]["turn"]
        if turn.get("seat") != look["seat"]:
            await self.company.wait(look["table"], 0.25 / len(self.tables))
            return
        body = {"answer": self.random.choice(turn["options"])}
        if self.random.random() < 0.5:
            body |= {"round": look["round"]["round"], "question": turn["question"]}
        if await self.send(line, self._due_deed("answer", look["table"], **body)) is None:
            await self.company.wait(look["table"], 0.25)

    async def _before_a_round(self, line: Line, look: Mapping[str, Any]) -> None:
        table, chance = look["table"], self.random.random()
        if str(look["seat"]) not in look["laid"]:
            if look["chips_cents"] < LEAST:
                await self._more_chips(line, table)
                return
            words: str = self.random.choice(WORDS)
            body: dict[str, Any] = {"wagers": some_wagers(look["game"], self.random)}
            body |= {"words": words} if words else {}
            body |= {"round": look["coming"]["round"]} if self.random.random() < 0.5 else {}
            if await self.send(line, self._due_deed("lay", table, **body)) is None:
                await self.company.wait(table, 0.25)
        elif chance < 0.05:
            await self.send(line, self.deed("lay", table, wagers={}))
        elif chance < 0.1:
            await self.send(line, self.deed("lay", table, wagers=some_wagers(look["game"], self.random)))
        else:
            await self.company.wait(table, 0.25 / len(self.tables))

    async def _more_chips(self, line: Line, table: str) -> None:
        cents = await self._affordable(line)
        if cents < LEAST:
            await self.leave(line, table)
        else:
            await self.send(line, self.deed("sit", table, buy_in_cents=cents))
