"""A card room on a real server, with people who may do things at the same instant."""

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
from tests.web.races.command_order import Call, Lines, Said

TIMES: Final = 25
"""How often each race is run at least."""
P = ParamSpec("P")
R = TypeVar("R")
_numbers: Final = count(1)


def races(met: Sized, times: int = TIMES) -> Iterator[int]:
    """Run a race some times, and go on until both of its outcomes were met."""
    deadline = Deadline()
    for number in count():
        if number >= times and len(met) >= 2:
            return
        deadline.check("the other outcome")
        yield number


def fresh_id() -> str:
    return f"race-{next(_numbers)}"


@dataclass(frozen=True)
class Served:
    """A room, its server, and the lines to it."""

    card_room: CardRoom
    house: AppContext
    address: str
    lines: Lines

    # A user wants something.

    def call(self, player: str, method: str, path: str, **body: Any) -> Call:
        return Call(method, path, self.house.tokens.issue(player), body or None)

    def seat(self, player: str, table: str, id: str | None = None, **wanted: Any) -> Call:
        return self.call(player, "POST", f"/tables/{table}/seat", id=id or fresh_id(), **wanted)

    def leave(self, player: str, table: str, id: str | None = None) -> Call:
        return self.call(player, "DELETE", f"/tables/{table}/seat?id={id or fresh_id()}")

    def wager(self, player: str, table: str, wagers: Mapping[str, int] = ANTE, id: str | None = None) -> Call:
        return self.call(player, "POST", f"/tables/{table}/wagers", id=id or fresh_id(), wagers=dict(wagers))

    def answer(self, player: str, table: str, answer: str, id: str | None = None) -> Call:
        return self.call(player, "POST", f"/tables/{table}/decisions", id=id or fresh_id(), answer=answer)

    def together(self, *calls: Call) -> list[Said]:
        return self.lines.together(*calls)

    # What was there before.

    def table(self, seated: int = 0, terms: PlayTerms = UNTIMED, seats: int = 5) -> tuple[str, list[str]]:
        """A fresh table, and guests who sit there."""
        table = fresh_id()
        open_prime(self.card_room, terms, table, seats)
        return table, self.guests(seated, table)

    def guests(self, number: int, table: str | None = None) -> list[str]:
        players = [self.card_room.admit_guest(fresh_id()).player for _ in range(number)]
        if table is not None:
            for player in players:
                self.card_room.take_seat(fresh_id(), player, table)
        return players

    def playing(self, seated: int, terms: PlayTerms = UNTIMED) -> tuple[str, list[str]]:
        """A table at which a round is played, and seat 1 is asked."""
        table, players = self.table(seated, terms)
        for player in players:
            self.card_room.place_wagers(fresh_id(), player, table, ANTE)
        return table, players

    # What has come of it.

    def play_table(self, table: str) -> TableState:
        return self.card_room.table(table)

    def happened(self, table: str, kind: str) -> list[Mapping[str, Any]]:
        """What happened of one kind at a table."""
        return [payload for one, payload in events_of(self.card_room, f"table:{table}") if one == kind]

    def answers(self, table: str) -> list[tuple[int, str, str]]:
        """By seat, what was answered and by whom."""
        return [(one["seat"], one["answer"], one["by"]) for one in self.happened(table, "decision-made")]

    def adds_up(self) -> None:
        """The books are whole, and all money that there is was issued."""
        report = verify_card_room(self.card_room.ledger)
        assert report.is_consistent, report.discrepancy
        assert all_money(self.card_room) == issued(self.card_room)


def all_money(card_room: CardRoom) -> int:
    """What players have on their balances and at seats, and the tables in their racks, in cents."""
    play_tables = [card_room.table(table) for table in card_room.list_tables()]
    at_tables = sum(one.rack + sum(seat.chips + seat.wagered for seat in one.seats) for one in play_tables)
    return at_tables + sum(card_room.player_account(one).balance for one in card_room.list_players())


def issued(card_room: CardRoom) -> int:
    return card_room.ledger.balances().get(Account(AccountKind.ISSUED, HOUSE, Currency.PLAY), 0) // CENT


@contextmanager
def served(card_room: CardRoom, clock: Clock = system_clock, **rules: Any) -> Iterator[Served]:
    """A server in a thread, on a free port."""
    app = create_app(card_room, ServerOptions(guests=True, coach=False, **rules), clock)
    # A line of ours may be silent for long.
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
        lines = Lines(address)
        yield Served(card_room, app.state.context, address, lines)
        lines.close()
    finally:
        server.should_exit = True
        thread.join()


def statuses(said: Sequence[Said]) -> list[int]:
    return sorted(one.status for one in said)


def refused(command: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> str:
    """The sentence with which the card room refuses something; empty when it does not."""
    try:
        command(*args, **kwargs)
    except BadInput as fault:
        return str(fault)
    return ""


def void(card_room: CardRoom, table: str) -> str:
    """The sentence with which the card room refuses to call a round off; empty when it does not."""
    return refused(card_room.void_automatic_round, fresh_id(), "Olga", table, "a fire drill", second="Vera")


class DeadHeat:
    """A race between a user of the house, who stands at the books, and a call that has to come over the wire. The
    user who
    was the first gives the other one a head start the next time, so that they come closer and both win some."""

    def __init__(self, house: ThreadPoolExecutor) -> None:
        self._house = house
        self._lead, self._step = 0.002, 0.002
        self._winner: bool | None = None

    def run(
        self, room: Served, call: Call, command: Callable[P, R], *args: P.args, **kwargs: P.kwargs
    ) -> tuple[Said, R]:
        """What the call is answered, and what comes of the command."""

        def done() -> R:
            time.sleep(max(self._lead, 0.0))  # cannot fail: either may win
            return command(*args, **kwargs)

        running = self._house.submit(done)
        time.sleep(max(-self._lead, 0.0))  # cannot fail: either may win
        return room.lines.say(call), running.result()

    def note(self, call_was_first: bool) -> None:
        self._step = 2 * self._step if call_was_first is self._winner else 0.001
        self._winner = call_was_first
        self._lead += -self._step if call_was_first else self._step
