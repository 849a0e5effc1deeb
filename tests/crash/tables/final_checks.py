"""What must hold after an evening at tables, however often it was killed."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.ledger import open_ledger, schema
from cardroom.service import CardRoom
from cardroom.service.verification.run import verify
from cardroom.web.services.bots import BOT_NAMES
from tests.crash.live.model.memory import Memory
from tests.crash.live.model.room import Acknowledged, Room
from tests.crash.live.model.table import Command
from tests.crash.live.observations import look_at_everything
from tests.crash.live.room import TABLES
from tests.crash.live.server_process import AtTheTable
from tests.crash.tables.room import FINAL_FOUR

SEED = 5_000_00
OF_EACH_DOLLAR = 20
"""Cents that the Final Four of the dealers' tables grows by."""
LINES = (
    schema.commands,
    schema.events,
    schema.entries,
    schema.unique_keys,
    schema.balances,
    schema.secrets,
    schema.heads,
)
SAME = {"bot-sits": "sit", "bot-leaves": "leave", "place-bot-wagers": "lay", "make-bot-decision": "answer"}
"""Commands of the company, as a player does them."""

Body = Mapping[str, Any]


def check_ledger(url: str, reference: str, acknowledged_commands: Sequence[tuple[Body, Body]]) -> None:
    """The books are whole, the same line by line as where no user was killed, and the model agrees to the cent with
    what was acknowledged."""
    report = verify(url)
    assert report.is_consistent, report.discrepancy
    with open_ledger(url) as ledger, open_ledger(reference) as as_expected:
        assert lines(ledger) == lines(as_expected)
        card_room = CardRoom(ledger)
        asyncio.run(_check_tables(card_room, acknowledged_commands))
        _check_meter(card_room, acknowledged_commands)


def lines(ledger: Any) -> dict[str, list[Any]]:
    """Every line of the books. Of a chain on which nothing has happened a database may keep the place."""
    with ledger.store.read() as now:
        found = {table.name: sorted(map(tuple, now.rows(table))) for table in LINES}
    place = [column.name for column in schema.heads.columns].index("sequence")
    found["heads"] = [row for row in found["heads"] if row[place]]
    # The same secret is never encrypted twice to the same bytes.
    found["secrets"] = [(chain, name, ledger.read_secret(chain, name)) for chain, name, *_ in found["secrets"]]
    return found


async def _check_tables(card_room: CardRoom, acknowledged_commands: Sequence[tuple[Body, Body]]) -> None:
    """Automatic tables that all may play at, to the last chip: the model of the nights follows what was answered."""
    room = Room({table: (game, bool(terms.deciding)) for table, (game, terms) in TABLES.items()})
    acknowledged: dict[str, list[Acknowledged]] = {table: [] for table in TABLES}
    at_private = {command["player"] for command, _ in acknowledged_commands if command["do"] == "open-practice"}
    players = [ack["answer"]["player"] for command, ack in acknowledged_commands if command["do"] == "admit"]
    room.balances |= dict.fromkeys(BOT_NAMES, 0)
    for player in players:
        room.admit(player)
    for command, ack in acknowledged_commands:
        do, table = SAME.get(command["do"], command["do"]), command.get("table")
        if do in ("sit", "leave", "lay", "answer") and table in acknowledged and "answer" in ack:
            answer = ack["answer"] | {"chips_cents": ack["answer"]["chips"]}
            acknowledged[table].append(
                Acknowledged(Command(command["id"], command["player"], table, do, command), answer)
            )
    line = AtTheTable(card_room)
    open_to_all = {player: player for player in players if player not in at_private}
    found = await look_at_everything(line, open_to_all, room, Memory())
    for table in TABLES:
        room.catch_up(table, acknowledged[table], found.tables[table], found.ended[table])
    for command, ack in acknowledged_commands:
        if command["do"] == "pay-automatic" and "answer" in ack:
            prizes = {one.seat: one.cents for one in room.pay(command["claim"])}
            assert {one["seat"]: one["cents"] for one in ack["answer"]["prizes"]} == prizes, ack
    for me in found.mine:
        room.check_player(me)


def _check_meter(card_room: CardRoom, acknowledged_commands: Sequence[tuple[Body, Body]]) -> None:
    """The Final Four of the dealers' tables: each wager that was counted, and not voided, has added to it."""
    counted: dict[str, int] = {}
    for command, ack in acknowledged_commands:
        if "answer" in ack and "covered" in command:
            counted[ack["answer"]["round"]] = len(command["covered"])
        elif "answer" in ack and command["do"] == "void":
            before = ack["answer"]["round"].rpartition(".")
            counted.pop(f"{before[0]}.{int(before[2]) - 1}", None)
    (meter,) = card_room.jackpot(FINAL_FOUR).meters
    assert meter.displayed_cents == SEED + OF_EACH_DOLLAR * sum(counted.values())
