"""A card room on a real server, with users who send commands at the same instant."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import count
from typing import Any, Final, ParamSpec, TypeVar

import uvicorn

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Currency
from cardroom.errors import BadInput
from cardroom.ledger import Clock, system_clock
from cardroom.service import CardRoom, PlayTerms, TableState, verify_card_room
from cardroom.web.app import create_app
from cardroom.web.services.app_context import AppContext, ServerOptions
from tests.deadline import Deadline, wait_until
from tests.service.table_scenes import ANTE, UNTIMED, events_of, open_prime
from tests.web.races.command_order import Call, Connections, Response

TIMES: Final = 25
"""The least number of runs of each race."""
P = ParamSpec("P")
R = TypeVar("R")
_numbers: Final = count(1)


def run_race(outcomes: Sized, times: int = TIMES) -> Iterator[int]:
    """Run a race some number of times, and then until both of its outcomes have occurred."""
    deadline = Deadline()
    for number in count():
        if number >= times and len(outcomes) >= 2:
            return
        deadline.check("the other outcome")
        yield number


def fresh_id() -> str:
    return f"race-{next(_numbers)}"


@dataclass(frozen=True)
class RaceRoom:
    """A room, its server, and the connections to it."""

    card_room: CardRoom
    context: AppContext
    address: str
    connections: Connections

    # Calls.

    def call(self, player: str, method: str, path: str, **body: Any) -> Call:
        return Call(method, path, self.context.tokens.issue(player), body or None)

    def seat(self, player: str, table: str, id: str | None = None, **options: Any) -> Call:
        return self.call(player, "POST", f"/tables/{table}/seat", id=id or fresh_id(), **options)

    def leave(self, player: str, table: str, id: str | None = None) -> Call:
        return self.call(player, "DELETE", f"/tables/{table}/seat?id={id or fresh_id()}")

    def wager(self, player: str, table: str, wagers: Mapping[str, int] = ANTE, id: str | None = None) -> Call:
        return self.call(player, "POST", f"/tables/{table}/wagers", id=id or fresh_id(), wagers=dict(wagers))

    def decide(self, player: str, table: str, decision: str, id: str | None = None) -> Call:
        return self.call(player, "POST", f"/tables/{table}/decisions", id=id or fresh_id(), answer=decision)

    def send_together(self, *calls: Call) -> list[Response]:
        return self.connections.send_together(*calls)

    # Preparation.

    def open_table(self, seated: int = 0, terms: PlayTerms = UNTIMED, seats: int = 5) -> tuple[str, list[str]]:
        """Open a new table and seat guests there."""
        table = fresh_id()
        open_prime(self.card_room, terms, table, seats)
        return table, self.admit_guests(seated, table)

    def admit_guests(self, number: int, table: str | None = None) -> list[str]:
        players = [self.card_room.players.admit_guest(fresh_id()).player for _ in range(number)]
        if table is not None:
            for player in players:
                self.card_room.take_seat(fresh_id(), player, table)
        return players

    def open_playing_table(self, seated: int, terms: PlayTerms = UNTIMED) -> tuple[str, list[str]]:
        """Open a table with a round in progress; it is the turn of seat 1."""
        table, players = self.open_table(seated, terms)
        for player in players:
            self.card_room.place_wagers(fresh_id(), player, table, ANTE)
        return table, players

    # Results.

    def get_table(self, table: str) -> TableState:
        return self.card_room.table(table)

    def payloads_of(self, table: str, kind: str) -> list[Mapping[str, Any]]:
        """Return the payloads of the events of one kind at a table."""
        return [payload for event_kind, payload in events_of(self.card_room, f"table:{table}") if event_kind == kind]

    def list_decisions(self, table: str) -> list[tuple[int, str, str]]:
        """Return every decision by seat, and who made it."""
        return [
            (decision["seat"], decision["answer"], decision["by"])
            for decision in self.payloads_of(table, "decision-made")
        ]

    def assert_consistent(self) -> None:
        """Check that the ledger is consistent and that all money in the room was issued."""
        report = verify_card_room(self.card_room.ledger)
        assert report.is_consistent, report.discrepancy
        assert sum_money(self.card_room) == sum_issued(self.card_room)


def sum_money(card_room: CardRoom) -> int:
    """Return the cents on the balances of players, at their seats, and in the racks of tables."""
    tables = [card_room.table(table) for table in card_room.list_tables()]
    at_tables = sum(table.rack + sum(seat.chips + seat.wagered for seat in table.seats) for table in tables)
    return at_tables + sum(card_room.player_account(player).balance for player in card_room.players.list_players())


def sum_issued(card_room: CardRoom) -> int:
    return card_room.ledger.balances().get(Account(AccountKind.ISSUED, HOUSE, Currency.PLAY), 0) // CENT


@contextmanager
def serve_races(card_room: CardRoom, clock: Clock = system_clock, **options: Any) -> Iterator[RaceRoom]:
    """Serve a card room in a thread on a free port."""
    app = create_app(card_room, ServerOptions(guests=True, coach=False, **options), clock)
    # A connection of a test may be idle for long.
    config = uvicorn.Config(
        app, port=0, log_config=None, ws="none", lifespan="on", timeout_graceful_shutdown=1, timeout_keep_alive=600
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run)
    thread.start()
    try:
        wait_until(lambda: server.started or not thread.is_alive())
        assert server.started
        address = f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
        connections = Connections(address)
        yield RaceRoom(card_room, app.state.context, address, connections)
        connections.close()
    finally:
        server.should_exit = True
        thread.join()


def sort_statuses(responses: Sequence[Response]) -> list[int]:
    return sorted(response.status for response in responses)


def catch_refusal(command: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> str:
    """Return the sentence with which the card room refuses a command; empty if it does not."""
    try:
        command(*args, **kwargs)
    except BadInput as fault:
        return str(fault)
    return ""


def try_to_void(card_room: CardRoom, table: str) -> str:
    """Return the sentence with which the card room refuses to void a round; empty if it does not."""
    return catch_refusal(card_room.void_automatic_round, fresh_id(), "Olga", table, "a fire drill", second="Vera")


class DeadHeat:
    """A race between a command on the card room and a call over the network. The winner gives the other one a head
    start the next time, so that both win some of the races."""

    def __init__(self, executor: ThreadPoolExecutor) -> None:
        self._executor = executor
        self._lead, self._step = 0.002, 0.002
        self._winner: bool | None = None

    def run(
        self, room: RaceRoom, call: Call, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Response, R]:
        """Return the response to the call and the result of the command."""

        def run_command() -> R:
            time.sleep(max(self._lead, 0.0))  # cannot fail: either may win
            return command(*args, **kwargs)

        running = self._executor.submit(run_command)
        time.sleep(max(-self._lead, 0.0))  # cannot fail: either may win
        return room.connections.send(call), running.result()

    def note(self, call_was_first: bool) -> None:
        self._step = 2 * self._step if call_was_first is self._winner else 0.001
        self._winner = call_was_first
        self._lead += -self._step if call_was_first else self._step
