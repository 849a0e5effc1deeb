"""Program players: they sit, wager, answer, leave and come back at random, and sometimes do what they should not."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from itertools import count
from random import Random
from typing import Any

from tests.crash.live.bots import PlayerGroup
from tests.crash.live.line import API, Line, ServerDied
from tests.crash.live.model.room import Acknowledged
from tests.crash.live.model.table import Command
from tests.crash.live.wagers import some_wagers

WORDS = ("", "", "plum", "swordfish", "Ω und ♠", "x" * 100)
LEAST = 40_00
"""With less chips a user buys more, or leaves."""
BUY_IN = 150_00


class Guest:
    """One player, at a table or two. The same seed makes the same choices, as far as the cards let it."""

    def __init__(self, name: str, random: Random, group: PlayerGroup) -> None:
        self.name, self.random, self.group = name, random, group
        self.player = ""
        self.tables: list[str] = []
        self._due: set[str] = set()
        """Commands that everybody at a table waits for: no user can have been quicker where there is no clock."""
        self._numbers, self._lives = count(1), 1

    async def come_in(self, line: Line) -> bool:
        """As a new player; the same id gives the same player, however often it is sent. The program admits no user."""
        response = await line.call("POST", f"{API}/guests", body={"id": f"{self.name}-{self._lives}"})
        if response.status == 403:
            return False
        assert response.status == 201, response
        result = response.json()
        assert result["balance_cents"] == 1_000_00, result
        self.player = result["player"]
        assert self.group.tokens.setdefault(self.player, result["token"]) == result["token"]
        self._lives += 1
        self.group.log.met["came in"] += 1
        return True

    @property
    def token(self) -> str:
        return self.group.tokens[self.player]

    # Sending.

    def command(self, do: str, table: str, **body: Any) -> Command:
        return Command(f"{self.name}-{next(self._numbers)}", self.player, table, do, body)

    def _due_command(self, do: str, table: str, **body: Any) -> Command:
        """One that can be refused for want of chips alone."""
        command = self.command(do, table, **body)
        self._due.add(command.id)
        return command

    async def send(self, line: Line, command: Command) -> Mapping[str, Any] | None:
        """Send a command and note what comes of it; nothing when it is refused."""
        log = self.group.log
        try:
            if self.random.random() < 0.06:
                first, second = await self._twice(line, command)
                assert first == second or first is None or second is None, (
                    f"{command} was answered {first} and {second}"
                )
                answer = first if first is not None else second
            else:
                answer = await self._once(line, command)
        except ServerDied:
            log.lost(command)
            raise
        if answer is None:
            return None
        self._noted(command, answer)
        await self._pester(line, command, answer)
        return answer

    def _noted(self, command: Command, answer: Mapping[str, Any]) -> None:
        self.group.log.acknowledged(command, answer)
        self.group.ring(command.table)
        if command.do == "sit" and command.table not in self.tables:
            self.tables.append(command.table)
        elif command.do == "leave":
            self.tables.remove(command.table)

    async def _once(self, line: Line, command: Command) -> Mapping[str, Any] | None:
        response = await line.do(command, self.token)
        if response.status == 200:
            answer: dict[str, Any] = response.json()
            return answer
        is_due = command.id in self._due and command.table not in self.group.hasty
        assert response.status in ((422,) if is_due else (409, 422)), f"{command}: {response}"
        self.group.log.refused(command, response.status)
        return None

    async def _twice(self, line: Line, command: Command) -> tuple[Mapping[str, Any] | None, Mapping[str, Any] | None]:
        """At the same instant, with the same id: it is done once, and both get the answer."""
        self.group.log.met["sent twice at once"] += 1
        both = await asyncio.gather(self._once(line, command), self._once(line, command), return_exceptions=True)
        answers = [one for one in both if not isinstance(one, BaseException)]
        faults = [one for one in both if isinstance(one, BaseException)]
        for fault in faults:
            # One answer is enough to know; when the house died between the two, the next call will tell.
            if not isinstance(fault, ServerDied) or not any(answers):
                raise fault
        return answers[0], answers[-1]

    async def _pester(self, line: Line, command: Command, answer: Mapping[str, Any]) -> None:
        """Send it again: the first answer comes again; or something else under its id, which is refused."""
        chance = self.random.random()
        if chance < 0.06:
            await self.again(line, command, answer)
        elif chance < 0.1:
            other = {
                "sit": command._replace(body={**command.body, "buy_in_cents": 77_00}),
                "lay": command._replace(body={"wagers": {"prime": 5_00}}),
                "answer": command._replace(body={"answer": "shout"}),
                "leave": command._replace(do="answer", body={"answer": "play"}),
            }[command.do]
            response = await line.do(other, self.token)
            assert response.status == 409, f"{other} after {command}: {response}"
            self.group.log.met["other content"] += 1

    async def again(self, line: Line, command: Command, answer: Mapping[str, Any]) -> None:
        """A command that was acknowledged gets its first answer again."""
        response = await line.do(command, self.group.tokens[command.player])
        assert response.status == 200, f"{command} again: {response}"
        assert response.json() == answer, f"{command} was answered {answer}, and again {response.json()}"
        self.group.log.met["first answer again"] += 1

    async def ask_again(self, line: Line) -> Acknowledged | None:
        """What was sent to a house that died is sent again with its id, until a user answers."""
        log = self.group.log
        command = log.unknown.get(self.player)
        if command is None:
            return None
        try:
            answer = await self._once(line, command)
        except ServerDied:
            log.lost(command)
            raise
        if answer is None:
            return None
        self._noted(command, answer)
        return Acknowledged(command, answer)

    # Playing.

    async def play(self, line: Line) -> None:
        """Until the house dies."""
        try:
            while True:
                await self._act(line)
        except ServerDied:
            self.group.has_died()

    async def _act(self, line: Line) -> None:
        if not self.tables or (len(self.tables) == 1 and self.random.random() < 0.01):
            await self._sit(line)
            return
        table = self.random.choice(self.tables)
        look = await line.look(table, self.token)
        self.group.memory.look(self.player, look)
        self.group.watch_the_clock(table, look.get("deadline", 0))
        chance = self.random.random()
        if chance < 0.02:
            await self.leave(line, table)
        elif chance < 0.05:
            await self._out_of_turn(line, look)
        elif chance < 0.08 and table in self.group.hasty:
            self.group.log.met["dawdled"] += 1
            await self.group.pause(self.random.uniform(0.3, 1.3))
        elif look["state"] == "playing":
            await self._in_a_round(line, look)
        else:
            await self._before_a_round(line, look)

    async def _sit(self, line: Line) -> None:
        """At another table than those at which one sits: a seat that one left may still be played for."""
        table = self.random.choice([one for one in self.group.tables if one not in self.tables])
        cents = await self._affordable(line)
        if cents < LEAST:
            # Broke: a user else comes in.
            if self.tables or not await self.come_in(line):
                await self.group.pause(0.5)
            return
        seat = {"seat": self.random.randint(1, 6)} if self.random.random() < 0.3 else {}
        if await self.send(line, self.command("sit", table, buy_in_cents=cents, **seat)) is None:
            await self.group.pause(0.05)

    async def _affordable(self, line: Line) -> int:
        balance: int = (await line.me(self.token))["balance_cents"]
        return min(BUY_IN, balance)

    async def leave(self, line: Line, table: str) -> None:
        await self.send(line, self.command("leave", table))

    async def _out_of_turn(self, line: Line, look: Mapping[str, Any]) -> None:
        """An answer to nothing, or to what a user else is asked; wagers in the middle of a round, or for another."""
        turn = look["round"]["view"]["turn"] if look["round"] else {}
        if not turn and look["last_round"] and self.random.random() < 0.5:
            wagers = some_wagers(look["game"], self.random)
            command = self.command("lay", look["table"], wagers=wagers, round=look["last_round"])
        elif turn.get("seat") == look["seat"]:
            command = self.command("lay", look["table"], wagers=some_wagers(look["game"], self.random))
        else:
            command = self.command("answer", look["table"], answer=self.random.choice(("play", "fold", "war", "stand")))
        self.group.log.met["out of turn"] += 1
        await self.send(line, command)

    async def _in_a_round(self, line: Line, look: Mapping[str, Any]) -> None:
        turn = look["round"]["view"]["turn"]
        if turn.get("seat") != look["seat"]:
            await self.group.wait(look["table"], 0.25 / len(self.tables))
            return
        body = {"answer": self.random.choice(turn["options"])}
        if self.random.random() < 0.5:
            body |= {"round": look["round"]["round"], "question": turn["question"]}
        if await self.send(line, self._due_command("answer", look["table"], **body)) is None:
            await self.group.wait(look["table"], 0.25)

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
            if await self.send(line, self._due_command("lay", table, **body)) is None:
                await self.group.wait(table, 0.25)
        elif chance < 0.05:
            await self.send(line, self.command("lay", table, wagers={}))
        elif chance < 0.1:
            await self.send(line, self.command("lay", table, wagers=some_wagers(look["game"], self.random)))
        else:
            await self.group.wait(table, 0.25 / len(self.tables))

    async def _more_chips(self, line: Line, table: str) -> None:
        cents = await self._affordable(line)
        if cents < LEAST:
            await self.leave(line, table)
        else:
            await self.send(line, self.command("sit", table, buy_in_cents=cents))
