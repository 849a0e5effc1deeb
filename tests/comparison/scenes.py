"""What no command prints: seeded evenings with every event type, the API, and golden rounds.

This is the only module of the comparison that uses internal names.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any, Final

import pytest

from cardroom.errors import BadInput
from cardroom.ledger import Command, CommandResult, Ledger, open_ledger
from cardroom.room.event_types import EVENT_TYPES
from cardroom.service import CardRoom, verify_card_room
from cardroom.service.verification.report import verification_report_to_json
from cardroom.web.app import create_app
from tests import timeouts
from tests.comparison.commands import GAMES, Files, Log
from tests.comparison.compare import CONTRACT
from tests.comparison.placeholders import Placeholders
from tests.crash.driver import answer_of
from tests.crash.evening import Evening
from tests.crash.script_inputs import ScriptInputs
from tests.crash.tables.evening import TableEvening
from tests.games.playthrough import SEEDS, lines
from tests.ledger.server import fresh_database, postgresql_server
from tests.service import staff
from tests.service.live_scenes import an_hour_with_a_dealer
from tests.service.table_evening import an_evening_at_five_games
from tests.service.test_event_types import a_day_at_the_door, the_rest
from tests.service.test_table_jackpots import an_hour_at_tables
from tests.service.test_verification import busy_evening

COMMANDS: Final = 250
"""Commands of an evening that a seed chooses."""
ROUNDS: Final = 4
"""Rounds of each game."""
CONTRACT_CALLS: Final = (
    "POST /api/v1/guests",
    "GET /api/v1/players/me",
    "GET /api/v1/tables",
    "POST /api/v1/tables",
    "POST /api/v1/tables/{}/seat",
    "DELETE /api/v1/tables/{}/seat",
    "GET /api/v1/tables/{}",
    "POST /api/v1/tables/{}/wagers",
    "POST /api/v1/tables/{}/decisions",
    "GET /api/v1/tables/{}/stream",
    "GET /api/v1/tables/{}/advice",
    "GET /api/v1/rounds/{}",
)

Answers = list[Any]
"""What a scene was answered, beside the answers that are stored."""
Scene = Callable[[Ledger, ScriptInputs, pytest.MonkeyPatch], Answers]
"""The inputs set the clock of the ledger, where a command has a time."""


def every_event(ledger: Ledger, inputs: ScriptInputs, patch: pytest.MonkeyPatch) -> Answers:
    """Every event type that is declared; a room with users."""
    card_room = CardRoom(ledger)
    busy_evening(card_room)
    the_rest(card_room)
    an_hour_at_tables(card_room, patch)
    an_hour_with_a_dealer(card_room)
    a_day_at_the_door(card_room)
    missing = set(EVENT_TYPES) - {event.kind for event in ledger.events()}
    assert not missing, f"no scene has these events: {sorted(missing)}"
    return []


def jackpots(ledger: Ledger, inputs: ScriptInputs, patch: pytest.MonkeyPatch) -> Answers:
    """Tabulators, claims, payments, voids, the office, and days, with refusals."""
    card_room = CardRoom(ledger, inputs.clock, inputs.key)
    return [answer_of(card_room, inputs, expected.command)[0] for expected in Evening(7).commands(COMMANDS)]


def tables(ledger: Ledger, inputs: ScriptInputs, patch: pytest.MonkeyPatch) -> Answers:
    """Automatic tables with clocks, bots, and practice, and tables with a dealer."""
    with TableEvening(7, Path(mkdtemp()) / "first.db") as evening:
        evening.commands(COMMANDS)
    card_room = CardRoom(ledger, inputs.clock, inputs.key)
    return [answer_of(card_room, inputs, dict(command))[0] for command, _ in evening.results]


def five_games(ledger: Ledger, inputs: ScriptInputs, patch: pytest.MonkeyPatch) -> Answers:
    """Rounds of all five games with their jackpots."""
    random = Random("five games")
    an_evening_at_five_games(CardRoom(ledger, keys=lambda: random.randbytes(32)), random, ROUNDS)
    return []


SCENES: Final[dict[str, Scene]] = {
    "every-event": every_event,
    "jackpots": jackpots,
    "tables": tables,
    "five-games": five_games,
}


def evenings(database: str) -> Files:
    """The books of every scene on one kind of database, and what the commands that need no login print of them."""
    staff.hash_quickly()
    timeouts.lengthen()
    timeouts.lengthen_leases()
    files: Files = {}
    with _databases(database) as address:
        for name, scene in SCENES.items():
            inputs, place = ScriptInputs(), address(name.replace("-", "_"))
            with place as url, open_ledger(url, inputs.clock) as ledger, pytest.MonkeyPatch.context() as patch:
                commands = _Commands(ledger)
                answers = scene(ledger, inputs, patch)
                placeholders = Placeholders(commands.numbers)
                files[f"books-{name}-{database}"] = _books(ledger, commands, answers, placeholders)
                log = Log(f"{name}-{database}", placeholders)
                for words in _looks(CardRoom(ledger)):
                    log.run(*words, "--database", url, label=" ".join(words))
            files |= log.files
    return files


def _looks(card_room: CardRoom) -> Iterator[tuple[str, ...]]:
    """Commands that read the books. Where the room has users, most of them need a login."""
    yield "verify", "--json"
    if card_room.users.has_users():
        return
    for words in ("jackpot list", "promotion list", "malfunction list", "rounds list", "player list"):
        yield *words.split(), "--json"
    for words in ("table list", "room show", "room history", "day show", "user list"):
        yield *words.split(), "--json"
    for report in ("meters", "deposits", "reconciliation", "master-games", "activity"):
        yield "report", report, "--json"
    for jackpot in card_room.list_jackpots():
        yield "jackpot", "show", jackpot, "--json"
        yield "jackpot", "history", jackpot, "--json"
    for table in card_room.list_tabulators():
        yield "tabulator", "history", table, "--json"
    for table in card_room.list_tables():
        yield "table", "show", table, "--json"
        yield "table", "history", table, "--json"
        for number in (1, 2):
            yield "rounds", "show", f"{table}.{number}", "--json"
            yield "rounds", "settle", f"{table}.{number}", "--json"
            yield "rounds", "export", f"{table}.{number}", "-o", "-"


@contextmanager
def _databases(kind: str) -> Iterator[Callable[[str], AbstractContextManager[str]]]:
    """How to get an empty database."""
    if kind == "sqlite":
        yield _file
    else:
        with postgresql_server() as server:
            yield partial(fresh_database, server)


@contextmanager
def _file(name: str) -> Iterator[str]:
    with TemporaryDirectory() as folder:
        yield f"sqlite:///{folder}/{name}.db"


def _books(ledger: Ledger, commands: _Commands, answers: Answers, placeholders: Placeholders) -> dict[str, Any]:
    """Everything that is stored: events and postings by chain, balances, answers in their order, verification."""
    put = placeholders.put
    stored = {"commands": put(commands.answers), "answers": put(json.loads(json.dumps(answers)))}
    chains = {
        chain: {
            "events": [
                {"type": event.kind, "version": event.version, "payload": put(event.payload, time=event.time)}
                for event in ledger.events(chain)
            ],
            "postings": [
                {
                    "event": entry.sequence,
                    "debit": str(entry.debit),
                    "credit": str(entry.credit),
                    "amount": entry.amount,
                }
                for entry in ledger.entries(chain)
            ],
        }
        for chain in ledger.chains()
    }
    balances = {str(account): amount for account, amount in ledger.balances().items()}
    report = verification_report_to_json(verify_card_room(ledger), 0)
    return stored | put({"chains": chains, "balances": balances, "verification": report})


class _Commands:
    """The answers of a ledger in the order in which it gave them, and the numbers of the commands' ids."""

    def __init__(self, ledger: Ledger) -> None:
        self.answers: list[Any] = []
        self.numbers: dict[str, int] = {}
        ledger.execute = self._noting(ledger.execute)  # type: ignore[method-assign]
        ledger.change_key = self._noting(ledger.change_key)  # type: ignore[method-assign]

    def _noting(self, carry_out: Callable[..., CommandResult]) -> Callable[..., CommandResult]:
        def carry_out_and_note(command: Command, *more: Any) -> CommandResult:
            number = len(self.answers) + 1
            for id in {command.id, command.displayed_id or command.id}:
                self.numbers.setdefault(id, number)
            try:
                carried = carry_out(command, *more)
            except BadInput as refusal:
                self.answers.append({"refused": str(refusal)})
                raise
            noted = {"answer": carried.response, "events": len(carried.event_ids), "repeated": carried.is_repeat}
            self.answers.append(noted)
            return carried

        return carry_out_and_note


def api() -> Files:
    """The description of the API; and of the calls of the contract, with every reference resolved."""
    with TemporaryDirectory() as folder, open_ledger(f"sqlite:///{folder}/books.db") as ledger:
        document = create_app(CardRoom(ledger)).openapi()
    calls = {
        f"{method.upper()} {re.sub('{.*?}', '{}', path)}": call
        for path, methods in document["paths"].items()
        for method, call in methods.items()
    }
    contract = {call: _resolve(calls[call], document["components"]["schemas"]) for call in CONTRACT_CALLS}
    return {"openapi": {"document": document}, f"{CONTRACT}-openapi": contract}


def _resolve(value: Any, schemas: dict[str, Any], inside: tuple[str, ...] = ()) -> Any:
    """A description with its schemas in place of their names."""
    if isinstance(value, list):
        return [_resolve(member, schemas, inside) for member in value]
    if not isinstance(value, dict):
        return value
    reference = value.get("$ref")
    if isinstance(reference, str):
        name = reference.rpartition("/")[2]
        return "(itself)" if name in inside else _resolve(schemas[name], schemas, (*inside, name))
    names = {"title", "operationId"}
    return {
        key: _resolve(member, schemas, inside)
        for key, member in value.items()
        if not (key in names and isinstance(member, str))
    }


def golden_rounds() -> Files:
    """Complete rounds as text, played now."""
    return {"golden-rounds": {f"{game} {seed}": list(lines(game, seed)) for game in GAMES for seed in SEEDS}}
