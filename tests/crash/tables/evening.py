"""An evening at tables: commands from a seed, each chosen from the state of a card room that is never killed."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Self

from cardroom.ledger import open_ledger
from cardroom.room.table.state import Occupant, TableState
from cardroom.service import CardRoom
from cardroom.web.services.bots import BOT_NAMES, minimum_wagers
from tests.crash.driver import answer_of
from tests.crash.live.office import JACKPOTS
from tests.crash.live.room import TABLES
from tests.crash.live.wagers import some_wagers
from tests.crash.script_inputs import ScriptInputs
from tests.crash.tables.dealer import Dealer
from tests.crash.tables.room import CHIPS, LIVE, PRACTICE
from tests.service.table_evening import some_wagers as any_wagers

BEGINS = 1_800_000_000_000_000
STEP_MICROSECONDS = 20_000
"""Microseconds between two commands: many fit before a clock of a second runs out."""
RUN_OUT = 2_000_000
GUESTS = 6
AT_A_TABLE = 3
"""Players at the most, so that no user of the company has to give way."""
LEAST, BUY_IN = 40_00, 150_00
WORDS = ("", "", "plum", "Ω und ♠")


class TableEvening:
    """A card room on a file, on which everything is done once: what other card rooms answer is compared with it."""

    def __init__(self, seed: int, file: Path) -> None:
        self.random = Random(f"tables {seed}")
        self.url = f"sqlite:///{file}"
        self._seed, self._hand, self._time, self._number = seed, ScriptInputs(), BEGINS, 0
        self._ledger = open_ledger(self.url, self._hand.clock)
        self.card_room = CardRoom(self._ledger, self._hand.clock, self._hand.key)
        self.dealer = Dealer(self.random, self.card_room)
        self.players: list[str] = []
        self.private: dict[str, str] = {}
        """Practice tables, and whose they are."""
        self.results: list[tuple[Mapping[str, Any], Mapping[str, Any]]] = []
        """Each command, and what was said to it."""
        self.met: Counter[str] = Counter()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, _: BaseException | None, __: TracebackType | None) -> None:
        self._ledger.close()

    def commands(self, count: int) -> None:
        """The opening, so many commands, and then everybody goes home."""
        self._open()
        for _ in range(count):
            self.do(self._draw_command())
        self._go_home()

    def do(self, command: Mapping[str, Any]) -> Any:
        """Do it here, and note it with its answer; None when it is refused."""
        self._time += STEP_MICROSECONDS
        self._number += 1
        key = hashlib.sha256(f"{self._seed} {self._number}".encode()).hexdigest()
        made = {"id": f"{self._number:05}", **command, "time": self._time, "key": key}
        said, _ = answer_of(self.card_room, self._hand, made)
        self.met[str(command["do"]) if "answer" in said else "refused"] += 1
        self.results.append((made, json.loads(json.dumps(said))))
        return said.get("answer")

    # Opening and closing.

    def _open(self) -> None:
        self.do({"do": "set-up"})
        for table in TABLES:
            self.do({"do": "open-automatic", "table": table})
        for table in LIVE:
            self.do({"do": "open-live", "table": table})
        for _ in range(GUESTS):
            self.players.append(self.do({"do": "admit"})["player"])
        for game in PRACTICE:
            owner = self.do({"do": "admit"})["player"]
            table = f"practice-{owner}-{game}"
            self.do({"do": "open-practice", "player": owner, "table": table, "game": game})
            self.do({"do": "sit", "player": owner, "table": table, "buy_in_cents": 5 * BUY_IN})
            self.private[table] = owner

    def _go_home(self) -> None:
        """First the players: whose wagers are still played gets the safe answer. No user waits for company then."""
        for table in (*TABLES, *self.private):
            for one in [seat for seat in self.card_room.table(table).seats if not seat.is_bot]:
                if not one.leaving:
                    self.do({"do": "leave", "player": one.player, "table": table})
            while self.card_room.table(table).playing:
                self.do(self._due(self.card_room.table(table)))
            for one in self.card_room.table(table).seats:
                self.do({"do": "bot-leaves", "table": table, "player": one.player, "seat": one.seat})

    # Commands.

    def _draw_command(self) -> Mapping[str, Any]:
        chance = self.random.random()
        if chance < 0.3:
            return self.dealer.command()
        if chance < 0.35:
            return self._paid()
        table = self.random.choice((*TABLES, *TABLES, *self.private))
        state = self.card_room.table(table)
        if state.deadline and self.random.random() < 0.03:
            self._time += RUN_OUT
        if self.random.random() < 0.08:
            return self._mistake(state)
        if self.random.random() < 0.08 and table not in self.private:
            return self._coming_and_going(state)
        return self._due(state)

    def _due(self, state: TableState) -> Mapping[str, Any]:
        """What a user has to do at a table, or its clock for them."""
        if 0 < state.deadline <= self._time:
            return {"do": "clock", "table": state.table}
        return self._in_a_round(state) if state.playing else self._before_a_round(state)

    def _paid(self) -> Mapping[str, Any]:
        """Two people pay what an automatic table has claimed; now and then what no user has."""
        waiting = [
            (jackpot, claim.id) for jackpot in JACKPOTS.values() for claim in self.card_room.jackpot(jackpot).claims
        ]
        jackpot, claim = self.random.choice(waiting or [(JACKPOTS["prime-1"], "prime-1.99999")])
        return {"do": "pay-automatic", "jackpot": jackpot, "claim": claim}

    def _in_a_round(self, state: TableState) -> Mapping[str, Any]:
        asked, position = state.occupant(state.deciding_seat), self.card_room.read_position(state.table)
        assert asked is not None
        assert position is not None
        answer = str(self.random.choice(position.round.seat_turn.options))
        if not asked.is_bot:
            return {"do": "answer", "player": asked.player, "table": state.table, "answer": answer}
        result = {"table": state.table, "player": asked.player, "seat": asked.seat, "round": state.round}
        return {"do": "make-bot-decision", **result, "answer": answer}

    def _before_a_round(self, state: TableState) -> Mapping[str, Any]:
        """The user who has laid nothing yet does; company last, as it does everywhere."""
        left = [one for one in state.seats if state.wagers_at(one.seat) is None]
        players = [one for one in left if not one.is_bot]
        if not any(not one.is_bot for one in state.seats):
            return self._sits(state)
        if not players:
            return self._place_bot_wagers(state, self.random.choice(left))
        one = self.random.choice(players)
        if one.chips < LEAST:
            return {"do": "sit", "player": one.player, "table": state.table, "buy_in_cents": BUY_IN}
        result = {"do": "lay", "player": one.player, "table": state.table, "wagers": self._wagers(state, one.seat)}
        words = self.random.choice(WORDS)
        return result | ({"words": words} if words else {}) | ({"round": state.round} if words else {})

    def _wagers(self, state: TableState, seat: int) -> dict[str, int]:
        if state.table in self.private:
            return any_wagers(state, seat, self.random)
        return some_wagers(state.game.facts.slug, self.random)

    def _place_bot_wagers(self, state: TableState, one: Occupant) -> Mapping[str, Any]:
        if one.chips < LEAST:
            return {"do": "bot-leaves", "table": state.table, "player": one.player, "seat": one.seat}
        result = {"table": state.table, "player": one.player, "seat": one.seat, "round": state.round}
        return {"do": "place-bot-wagers", **result, "wagers": dict(minimum_wagers(state.open_table.table))}

    def _sits(self, state: TableState) -> Mapping[str, Any]:
        seat = {"seat": self.random.randint(1, 6)} if self.random.random() < 0.3 else {}
        player = self.random.choice(self.players)
        return {"do": "sit", "player": player, "table": state.table, "buy_in_cents": BUY_IN, **seat}

    def _coming_and_going(self, state: TableState) -> Mapping[str, Any]:
        players = [one for one in state.seats if not one.is_bot]
        group = [one for one in state.seats if one.is_bot and not one.leaving]
        dice = self.random.random()
        if dice < 0.35 and len(players) < AT_A_TABLE:
            return self._sits(state)
        if dice < 0.6 and players:
            return {"do": "leave", "player": self.random.choice(players).player, "table": state.table}
        free = [seat for seat in range(1, 7) if state.occupant(seat) is None]
        if len(group) < 2 and len(free) > AT_A_TABLE:
            seat = self.random.choice(free)
            result = {"table": state.table, "player": BOT_NAMES[seat - 1], "seat": seat}
            return {"do": "bot-sits", **result, "buy_in_cents": CHIPS}
        one = self.random.choice(state.seats) if state.seats else None
        result = {"table": state.table, "player": one.player if one else "", "seat": one.seat if one else 1}
        return {"do": "bot-leaves", **result}

    def _mistake(self, state: TableState) -> Mapping[str, Any]:
        """What a user may not do, or only now and then."""
        player = self.random.choice(self.players)
        result = {"player": player, "table": state.table}
        return self.random.choice(
            [
                {"do": "answer", **result, "answer": self.random.choice(("play", "fold", "war", "stand"))},
                {"do": "lay", **result, "wagers": {"ante-play": 10_00}},
                {"do": "lay", **result, "wagers": {"player": 10_01}},
                {"do": "sit", **result, "buy_in_cents": 90_000_00},
                {"do": "clock", "table": state.table},
                {"do": "leave", "player": "nobody", "table": state.table},
            ]
        )
