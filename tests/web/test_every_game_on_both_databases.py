"""Programs play every game as they please, with side and jackpot wagers, on both databases: every chip is accounted
for, and every round is shown as it was played."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cardroom.games.record_settlement import settle_record
from cardroom.games.round import find_bet_fault
from cardroom.games.serialization import settlement_to_json
from cardroom.service import verify_card_room
from cardroom.web.services.practice_tables import open_demo
from tests.ledger.server import fresh_database, postgresql_server
from tests.web.races.served import sum_issued, sum_money
from tests.web.rooms import GAMES, Player, ServedRoom, expect_success, new_id, serve_room

ROUNDS = 12
SEATS = 3
QUESTIONS = {
    "deuces-wild": {"play", "fortune", "raise"},
    "three-card-prime": {"play"},
    "texas-shootout": {"hand"},
    "dueling-for-dollars": set[str](),  # a tie is too seldom to be waited for
    "three-card-double-play": {"set", "double"},
}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def demo(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    """The five tables of the demonstration, without company."""
    folder = tmp_path_factory.mktemp("room")
    if request.param == "sqlite":
        yield from _opened(folder, "")
        return
    with postgresql_server() as server, fresh_database(server, "every_game") as address:
        yield from _opened(folder, address)


def _opened(folder: Path, database: str) -> Iterator[ServedRoom]:
    with serve_room(folder, database=database) as room:
        open_demo(room.card_room, bots=0)
        yield room


class Program:
    """A user who wagers and answers at random, and counts along."""

    def __init__(self, room: ServedRoom, table: str, chance: random.Random) -> None:
        self.table, self.chance, self.at = table, chance, room.card_room.table(table).open_table
        self.player: Player = room.players.admit_guest()
        self.seat: int = self.player.sit(table, buy_in_cents=1_000_00)["seat"]
        self.chips = 1_000_00
        self.asked = Counter[str]()

    def wager(self) -> dict[str, int]:
        """Some wagers that the table takes."""
        spots = self.at.table.spots
        while True:
            chosen = self.chance.sample(list(spots), self.chance.randint(1, min(4, len(spots))))
            wagers = {spot: spots[spot].limits.minimum for spot in chosen}
            if find_bet_fault(self.at.game, self.at.table, self.seat, wagers) is None:
                break
        body = {"wagers": wagers, "words": self.chance.choice(["", "swordfish", "häß 🂡"])}
        expect_success(self.player.post(f"/tables/{self.table}/wagers", id=new_id(), **body))
        return wagers

    def decide(self, seen: dict[str, Any]) -> dict[str, Any]:
        turn = seen["round"]["view"]["turn"]
        answer = self.chance.choice(turn["options"])
        self.asked[turn["question"]] += 1
        self.player.decide(self.table, answer)
        return {"seat": turn["seat"], "question": turn["question"], "answer": answer}


@pytest.mark.parametrize("game", GAMES)
def test_programs_play_as_they_please_and_every_chip_is_accounted_for(demo: ServedRoom, game: str) -> None:
    chance, table = random.Random(game), f"{game}-1"
    programs = [Program(demo, table, chance) for _ in range(SEATS)]
    for number in range(1, ROUNDS + 1):
        wagers = {str(program.seat): program.wager() for program in programs}
        decisions = []
        while (seen := programs[0].player.view(table))["state"] == "playing":
            decider = programs[seen["round"]["view"]["turn"]["seat"] - 1]
            decisions.append(decider.decide(decider.player.view(table)))
        result = expect_success(programs[0].player.get(f"/rounds/{table}.{number}"))
        assert result["record"]["wagers"] == wagers
        assert result["record"]["decisions"] == decisions
        shown_of = settle_record(json.dumps(result["record"]))
        facts, settlement = shown_of.facts, shown_of.settlement
        assert settlement_to_json(settlement, facts)["payments"] == result["payments"]
        for program in programs:
            won = [payment["net"] for payment in result["payments"] if payment["seat"] == program.seat]
            assert won
            now = program.player.view(table)
            # What a jackpot pays waits for two people and goes to the balance: it is seldom, and not among the chips.
            by_jackpot = [
                payment["net"]
                for payment in result["payments"]
                if payment["seat"] == program.seat and payment["spot"] in now["meters"] and payment["net"] > 0
            ]
            program.chips = now["chips_cents"] if by_jackpot else program.chips + sum(won)
            assert now["chips_cents"] == program.chips
    assert set().union(*(program.asked for program in programs)) >= QUESTIONS[game]
    assert sum_money(demo.card_room) == sum_issued(demo.card_room)


def test_the_books_are_whole_after_all_that(demo: ServedRoom) -> None:
    report = verify_card_room(demo.card_room.ledger)
    assert report.is_consistent, report.discrepancy
    assert report.rounds == sum(demo.card_room.table(table).number - 1 for table in demo.card_room.list_tables())
