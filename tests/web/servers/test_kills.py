"""Two servers under load, and one of them is killed again and again: nothing that was acknowledged is lost, no table is
run twice, every page heals."""

from __future__ import annotations

import signal
import subprocess
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest
from websockets.sync.client import connect

from cardroom.ledger import open_ledger
from cardroom.ledger.leases import SERVER_TIMEOUT
from cardroom.service import CardRoom, PlayTerms
from cardroom.web.services.bots import BOT_NAMES, seat_bot
from cardroom.web.services.sessions import GuestTokens
from cardroom.web.services.table_timers import MAX_SLEEP_SECONDS
from tests.deadline import LIMIT, wait_until
from tests.service.staff import with_first_operator
from tests.service.table_scenes import ANTE, open_prime
from tests.web.processes import CARDROOM
from tests.web.rooms import new_id
from tests.web.servers.pair import Pair, start_pair
from tests.web.servers.players import Follower, Traveller, follow_page, follow_stream
from tests.web.servers.witness import Observations, watch_servers

GOES_ON = 5.0
"""Seconds in which a table goes on whose server has died."""
RICH = 1_000_000_00
CLOCKS = PlayTerms(betting=1, deciding=1)


def clocked(card_room: CardRoom, table: str) -> str:
    """A table whose clock runs out soon."""
    open_prime(card_room, CLOCKS, table)
    return table


def test_the_tables_of_a_server_that_is_killed_go_on_at_the_other_within_five_seconds(folder: Path, books: str) -> None:
    """Ann has laid her wagers and Bob has not, so that the clock is to begin the round; the server that runs the table
    is killed before it does. The other one takes it over as soon as the lease has run out, and the clock decides."""
    with_first_operator(books)
    with open_ledger(books) as ledger, start_pair(folder, books) as both:
        card_room = CardRoom(ledger)
        table = clocked(card_room, "prime-1")
        ann, bob = (card_room.players.admit_guest(new_id()).player for _ in range(2))
        for player in (ann, bob):
            card_room.take_seat(new_id(), player, table)
        holder = wait_until(lambda: both.holder(table))
        assert holder is not None
        holder.process.send_signal(signal.SIGSTOP)  # so that it does nothing more, however long the next line takes
        card_room.place_wagers(new_id(), ann, table, ANTE)
        both.kill(holder)
        wait_until(lambda: card_room.table(table).playing or card_room.table(table).number > 1)
    assert SERVER_TIMEOUT + MAX_SLEEP_SECONDS < GOES_ON


ROUNDS, ANSWERS = 2, 5
"""That are played and given for each trouble, at least."""
SOME_MEET_A_COMMAND = 10
"""Of so many kills some come while a command is under way, which is then sent again; of a few perhaps none."""


@dataclass
class Night:
    """What came of some minutes."""

    travellers: list[Traveller]
    troubles: list[str] = field(default_factory=list)
    seen: Observations = field(default_factory=Observations)
    rounds: int = 0


def play_on(folder: Path, books: str, *, tables: int, kills: int, seed: int, pause: float = 0) -> Night:
    """Several tables with two players and company each, on two servers to which something happens all the time."""
    with open_ledger(books) as ledger, ExitStack() as stack:
        card_room = CardRoom(ledger)
        names = [clocked(card_room, f"prime-{number}") for number in range(1, tables + 1)]
        tokens, seats = GuestTokens(card_room.get_room_secret()), list[tuple[str, str]]()
        for table in names:
            seat_bot(card_room, new_id(), table, 5, BOT_NAMES[0])
            for _ in range(2):
                player = card_room.players.admit_guest(new_id()).player
                card_room.players.pay_in(new_id(), "Olga", player, RICH, "for a long night", second="Carl")
                card_room.take_seat(new_id(), player, table, None, RICH)
                seats.append((player, table))
        with_first_operator(books)
        both = stack.enter_context(start_pair(folder, books))
        people = [Traveller(both, player, tokens.issue(player), at, seed + n) for n, (player, at) in enumerate(seats)]
        night = Night(people)
        with watch_servers(books) as night.seen:
            stream, page = Follower(both, follow_stream(names[0])), Follower(both, follow_page(f"/tables/{names[0]}"))
            wait_until(lambda: stream.seen is not None and page.seen is not None)

            def got_on(turn: int) -> bool:
                rounds = sum(card_room.table(table).number - 1 for table in names)
                answered = sum(len(traveler.acknowledged) for traveler in people)
                return rounds > ROUNDS * 2 * turn and answered > ANSWERS * 2 * turn

            _play(night, lambda: both.trouble(seed, kills, night.troubles, got_on, pause))
            _has_healed(both, card_room, names[0], stream, page)
        _nothing_is_lost(both, night)
        night.rounds = sum(card_room.table(table).number - 1 for table in names)
    result = subprocess.run(
        [*CARDROOM, "verify", "--database", books], capture_output=True, text=True, timeout=2 * LIMIT
    )
    assert (result.returncode, result.stdout[:9]) == (0, "Verified:"), result.stdout + result.stderr
    return night


def _play(night: Night, trouble: Callable[[], None]) -> None:
    stopped, faults = threading.Event(), list[BaseException]()

    def played(traveler: Traveller) -> None:
        try:
            traveler.play(stopped)
        except BaseException as fault:
            faults.append(fault)

    threads = [threading.Thread(target=played, args=(traveler,)) for traveler in night.travellers]
    for thread in threads:
        thread.start()
    try:
        trouble()
    finally:
        stopped.set()
        for thread in threads:
            thread.join(2 * LIMIT)
    assert not faults, faults


def _has_healed(both: Pair, card_room: CardRoom, table: str, stream: Follower, page: Follower) -> None:
    """When the clock has brought the last round to its end, both show what is true."""
    wait_until(lambda: not card_room.table(table).playing and not card_room.table(table).seat_wagers)
    wait_until(lambda: stream.seen == card_room.read_table_version(table))

    def as_it_is() -> bool:
        url = both.urls()[0]
        with connect(f"{url.replace('http', 'ws')}/live?page=/tables/{table}", origin=url) as line:  # type: ignore[arg-type]
            return bool(page.seen == line.recv(LIMIT))

    wait_until(as_it_is)
    for follower in (stream, page):
        follower.end()
        assert follower.opened > 1, "its server never went away"


def _nothing_is_lost(both: Pair, night: Night) -> None:
    """Every command that was answered gets the same answer once more, from whichever server."""
    with httpx.Client() as client:
        for traveler in night.travellers:
            for number, sent in enumerate(traveler.acknowledged):
                at = both.urls()[number % 2]
                bearer = {"Authorization": f"Bearer {sent.token}"}
                again = client.post(f"{at}/api/v1{sent.path}", json=sent.body, headers=bearer)
                assert (again.status_code, again.json()) == (200, sent.result)


def _judge(night: Night, servers: int, capsys: pytest.CaptureFixture[str]) -> None:
    """So many servers at least must have run tables."""
    answered = sum(len(traveler.acknowledged) for traveler in night.travellers)
    moved, refused = (sum(getattr(traveler, what) for traveler in night.travellers) for what in ("moved", "refused"))
    kills, play_commands = night.troubles.count("killed"), sum(night.seen.play_commands.values())
    with capsys.disabled():
        print(
            f"\n{len(night.troubles)} troubles ({kills} kills), {night.rounds} rounds; {answered} commands "
            f"acknowledged, {refused} refused, {moved} sent again; {play_commands} deeds of the house by "
            f"{len(night.seen.play_commands)} servers, {night.seen.handed} leases handed on"
        )
    assert night.seen.without_lease == []
    assert night.seen.out_of_order == []
    assert len(night.seen.play_commands) >= servers
    assert night.rounds > ROUNDS * len(night.troubles)
    assert answered > ANSWERS * len(night.troubles)
    assert moved > 0 or kills < SOME_MEET_A_COMMAND


def test_servers_that_are_killed_and_silenced_lose_nothing_and_run_no_table_twice(
    folder: Path, books: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _judge(play_on(folder, books, tables=2, kills=3, seed=13), 2, capsys)


@pytest.mark.long
def test_ten_minutes_with_a_server_killed_every_twenty_seconds(
    folder: Path, books: str, capsys: pytest.CaptureFixture[str]
) -> None:
    _judge(play_on(folder, books, tables=8, kills=30, seed=13, pause=20), 20, capsys)
