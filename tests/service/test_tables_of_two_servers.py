"""Two servers on the same books: what both do at one table at the same instant happens once, and in one order."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor, ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from typing import TypeVar

import pytest

from cardroom.chart_of_accounts import CENT, HOUSE, Account, AccountKind, Currency
from cardroom.errors import BadInput
from cardroom.ledger import LedgerFull, open_ledger
from cardroom.service import CardRoom, PlayTerms, TableResult, WrongPhase, verify_card_room
from tests.deadline import LIMIT, wait_until
from tests.service.table_scenes import (
    ANTE,
    PRIME,
    HandClock,
    all_wager,
    an_id,
    events_of,
    guests,
    open_prime,
    stack,
    worth,
)
from tests.service.test_table_jackpots import WAGERS, open_room

R = TypeVar("R")


@pytest.fixture
def clock() -> HandClock:
    return HandClock()


@pytest.fixture
def card_rooms(url: str, clock: HandClock) -> Iterator[tuple[CardRoom, CardRoom]]:
    """Two card rooms, each with connections of its own."""
    with open_ledger(url, clock=clock) as one, open_ledger(url, clock=clock) as other:
        yield CardRoom(one, clock), CardRoom(other, clock)


@pytest.fixture
def people() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(32) as some:
        yield some


def together(people: ThreadPoolExecutor, *play_commands: Callable[[], R]) -> list[R | BadInput]:
    """What comes of commands that are begun at the same instant; one that is refused leaves the others alone."""
    start = threading.Barrier(len(play_commands))

    def begun(command: Callable[[], R]) -> R | BadInput:
        start.wait()
        try:
            return command()
        except BadInput as fault:
            return fault

    running: list[Future[R | BadInput]] = [people.submit(begun, command) for command in play_commands]
    return [one.result() for one in running]


def test_a_server_that_looks_while_another_one_plays_always_sees_a_round_that_was_there(
    card_rooms: tuple[CardRoom, CardRoom],
) -> None:
    dealing, looking = card_rooms
    open_prime(dealing)
    (ann,) = guests(dealing, 1, buy_in=1_000_00)
    seen, done = Counter[int](), threading.Event()

    def look() -> None:
        while not done.is_set():
            seen[looking.view_table(PRIME).version] += 1

    with ThreadPoolExecutor(1) as onlooker:
        looked = onlooker.submit(look)
        try:
            for number in range(40):
                before = len(seen)
                dealing.place_wagers(an_id(), ann, PRIME, ANTE)
                dealing.make_decision(an_id(), ann, PRIME, "fold")
                if number % 3 == 0:  # neither is so quick that the other one is never met
                    wait_until(lambda before=before: len(seen) > before or looked.done())  # type: ignore[misc]
        finally:
            done.set()
        looked.result()
    assert len(seen) > 10


def test_books_are_whole_at_every_moment_while_another_server_plays(card_rooms: tuple[CardRoom, CardRoom]) -> None:
    dealing, looking = card_rooms
    open_prime(dealing)
    ann, bob = guests(dealing, 2, buy_in=1_000_00)
    reports, done = list[str | None](), threading.Event()

    def verify() -> None:
        while not done.is_set():
            report = verify_card_room(looking.ledger)
            reports.append(report.discrepancy.sentence if report.discrepancy else None)

    with ThreadPoolExecutor(1) as auditor:
        verified = auditor.submit(verify)
        try:
            for number in range(20):
                before = len(reports)
                all_wager(dealing, [ann, bob])
                dealing.make_decision(an_id(), ann, PRIME, "play")
                dealing.make_decision(an_id(), bob, PRIME, "fold")
                if number % 5 == 0:  # neither is so quick that the other one is never met
                    wait_until(lambda before=before: len(reports) > before or verified.done())  # type: ignore[misc]
        finally:
            done.set()
        verified.result()
    assert len(reports) > 1
    assert set(reports) == {None}


def test_whatever_is_sent_to_both_servers_at_once_is_done_once(
    card_rooms: tuple[CardRoom, CardRoom], people: ThreadPoolExecutor
) -> None:
    """Two tables of one jackpot, five players at each. Every wager and every answer goes to both servers at the same
    instant, and so does an answer of a user who is not asked."""
    tables, rounds = ("play-1", "play-2"), 4
    open_room(card_rooms[0], *tables)
    players = {table: guests(card_rooms[0], 5, table) for table in tables}
    refused = Counter[str]()
    for number in range(1, rounds + 1):
        laid = [(table, one, an_id()) for table in tables for one in players[table]]
        both = [
            partial(card_room.place_wagers, id, one, table, WAGERS, f"words of {one}")
            for table, one, id in laid
            for card_room in card_rooms
        ]
        answers = together(people, *both)
        _shown_alike(answers)
        for table in tables:
            begun = [output for kind, output in events_of(card_rooms[1], f"table:{table}") if kind == "round-started"]
            assert [one["number"] for one in begun] == list(range(1, number + 1))
            assert len(begun[-1]["wagers"]) == 5
        while any(card_rooms[0].table(table).playing for table in tables):
            play_commands = list[Callable[[], object]]()
            for table in tables:
                seat = card_rooms[0].table(table).deciding_seat
                if not seat:
                    continue
                id, asked, other = an_id(), players[table][seat - 1], players[table][seat % 5]
                say = "fold" if seat > 2 else "play"
                play_commands += [partial(card_room.make_decision, id, asked, table, say) for card_room in card_rooms]
                play_commands += [partial(card_rooms[seat % 2].make_decision, an_id(), other, table, "play")]
                play_commands += [partial(card_room.view_table, table) for card_room in card_rooms]
            for one in together(people, *play_commands):
                if isinstance(one, BadInput):
                    refused[type(one).__name__] += 1
    assert set(refused) <= {"WrongPhase"}
    assert refused["WrongPhase"] > rounds
    for table in tables:
        kinds = Counter(kind for kind, _ in events_of(card_rooms[0], f"table:{table}"))
        assert (kinds["round-started"], kinds["round-played"], kinds["decision-made"]) == (rounds, rounds, 5 * rounds)
        assert kinds["wagers-placed"] == 5 * rounds
    assert card_rooms[1].jackpot("play-four").counted == 2 * 5 * rounds
    _adds_up(card_rooms[1])


def test_of_two_servers_whose_clocks_run_out_one_decides(
    card_rooms: tuple[CardRoom, CardRoom], clock: HandClock, people: ThreadPoolExecutor
) -> None:
    """While both see that time is up, the player answers on one of them: too late, whatever comes first."""
    open_prime(card_rooms[0], PlayTerms(betting=20, deciding=10))
    ann, bob = guests(card_rooms[0], 2)
    met = Counter[str]()
    for number in range(1, 9):
        card_rooms[number % 2].place_wagers(an_id(), ann, PRIME, ANTE)
        clock.wait(21)
        together(people, *(partial(card_room.apply_timeout, PRIME) for card_room in card_rooms))
        for _ in range(2):
            if card_rooms[0].table(PRIME).playing:
                clock.wait(11)
                late = partial(card_rooms[0].make_decision, an_id(), ann, PRIME, "play")
                *_, said = together(people, *(partial(one.apply_timeout, PRIME) for one in card_rooms), late)
                assert isinstance(said, WrongPhase)
                met[str(said).split(" ")[0]] += 1
    kinds = Counter(kind for kind, _ in events_of(card_rooms[0], f"table:{PRIME}"))
    assert kinds["round-started"] == kinds["round-played"] == kinds["decision-made"] == 8
    assert {output["by"] for kind, output in events_of(card_rooms[0], f"table:{PRIME}") if kind == "decision-made"} == {
        "clock"
    }
    assert sum(met.values()) == 8
    assert worth(card_rooms[1], bob) == 1_000_00
    _adds_up(card_rooms[1])


def test_a_player_who_leaves_on_one_server_while_another_ends_the_round_is_paid_once(
    card_rooms: tuple[CardRoom, CardRoom], people: ThreadPoolExecutor
) -> None:
    """Ann has answered and leaves while Bob's answer ends the round on the other server: her chips go back at once, and
    what her wagers bring with them, or after them."""
    open_prime(card_rooms[0])
    met = Counter[bool]()
    for _ in range(12):
        ann, bob = guests(card_rooms[0], 2)
        all_wager(card_rooms[0], [ann, bob])
        card_rooms[1].make_decision(an_id(), ann, PRIME, "play")
        left, ended = together(
            people,
            partial(card_rooms[0].leave_seat, an_id(), ann, PRIME),
            partial(card_rooms[1].make_decision, an_id(), bob, PRIME, "fold"),
        )
        assert not isinstance(left, BadInput)
        assert not isinstance(ended, BadInput)
        assert card_rooms[0].table(PRIME).seat_of(ann) is None
        assert dict(card_rooms[1].player_account(ann).seats) == {}
        met[left.version < ended.version] += 1
        card_rooms[1].leave_seat(an_id(), bob, PRIME)
        assert card_rooms[0].table(PRIME).seats == ()
    assert sum(met.values()) == 12
    _adds_up(card_rooms[1])


def test_a_seat_that_two_take_on_two_servers_is_one_persons(
    card_rooms: tuple[CardRoom, CardRoom], people: ThreadPoolExecutor
) -> None:
    open_prime(card_rooms[0])
    met = Counter[int]()
    for _ in range(12):
        pair = [card_rooms[0].players.admit_guest(an_id()).player for _ in range(2)]
        said = together(
            people,
            *(
                partial(card_room.take_seat, an_id(), one, PRIME, 1)
                for card_room, one in zip(card_rooms, pair, strict=True)
            ),
        )
        (winner,) = [at for at, one in enumerate(said) if not isinstance(one, BadInput)]
        assert isinstance(said[1 - winner], WrongPhase)
        assert [one.player for one in card_rooms[0].table(PRIME).seats] == [pair[winner]]
        card_rooms[1 - winner].leave_seat(an_id(), pair[winner], PRIME)
        met[winner] += 1
    assert sum(met.values()) == 12
    _adds_up(card_rooms[1])


def _shown_alike(answers: list[TableResult | BadInput]) -> None:
    """Both servers have shown the same, of every command."""
    assert not any(isinstance(one, BadInput) for one in answers), answers
    assert all(one == other for one, other in zip(answers[::2], answers[1::2], strict=True))


def _adds_up(card_room: CardRoom) -> None:
    report = verify_card_room(card_room.ledger)
    assert report.is_consistent, report.discrepancy
    play_tables = [card_room.table(table) for table in card_room.list_tables()]
    at_tables = sum(one.rack + sum(seat.chips + seat.wagered for seat in one.seats) for one in play_tables)
    players = sum(card_room.player_account(one).balance for one in card_room.players.list_players())
    assert at_tables + players == card_room.ledger.balances()[Account(AccountKind.ISSUED, HOUSE, Currency.PLAY)] // CENT


def test_a_count_that_one_server_could_not_store_is_not_taken_for_the_other_servers(
    card_rooms: tuple[CardRoom, CardRoom], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk of the first server is full when the round is to begin with two seats; it begins on the other one with
    three, and seat 3 wins all of the jackpot. The first server ends the round."""
    first, second = card_rooms
    open_room(first)
    ann, bob = guests(first, 2, "play-1")
    piles = {"seat 3 hand": "Jd Qd Kd", "seat 3 fourth": "Ad", "seat 1 hand": "2c 5d 9h", "seat 2 hand": "3c 6d 9s"}
    stack(first, monkeypatch, "play-1", WAGERS, piles, seats=3)
    first.place_wagers(an_id(), ann, "play-1", WAGERS)
    with monkeypatch.context() as full:
        full.setattr(first.ledger.store, "commit", _no_room)
        with pytest.raises(LedgerFull):
            first.place_wagers(an_id(), bob, "play-1", WAGERS)
    (cid,) = guests(second, 1, "play-1")
    all_wager(second, [cid, bob], "play-1", WAGERS)
    for player in (ann, bob, cid):
        first.make_decision(an_id(), player, "play-1", "fold")
    assert [one["seat"] for one in first.get_round_json("play-1.1")["waiting"]] == [3]
    _adds_up(second)


def _no_room(_: object) -> None:
    raise LedgerFull("There is no room left on the disk.")


def _sit_and_play(url: str, number: int, rounds: int) -> tuple[set[str], set[str]]:
    """What one server does for two players of its own at a table that it shares with others, each command again and
    again until something else is due: what was done, by its id, and how it was refused."""
    done, refused = set[str](), set[str]()
    with open_ledger(url, lock_timeout=LIMIT) as ledger:
        card_room = CardRoom(ledger)
        players = [card_room.players.admit_guest(f"server {number}, guest {one}").player for one in range(2)]
        for one in players:
            card_room.take_seat(f"{one} sits", one, "play-1", buy_in=1_000_00)
        while (state := card_room.table("play-1")).number <= rounds:
            for one in players:
                here = state.seat_of(one)
                if here is None or (state.playing and state.deciding_seat != here.seat):
                    continue
                id = f"{one}, {'answer' if state.playing else 'wagers'} of {state.round}"
                try:
                    if state.playing:
                        card_room.make_decision(id, one, "play-1", "fold")
                    else:
                        card_room.place_wagers(id, one, "play-1", WAGERS)
                    done.add(id)
                except BadInput as fault:
                    refused.add(type(fault).__name__)
            card_room.view_table("play-1")
    return done, refused


@pytest.mark.long
def test_three_processes_play_at_one_table_and_nothing_is_lost_or_done_twice(url: str) -> None:
    servers, rounds = 3, 60
    with open_ledger(url) as ledger:
        card_room = CardRoom(ledger)
        open_room(card_room)
        with ProcessPoolExecutor(servers, get_context("spawn")) as processes:
            output = list(processes.map(_sit_and_play, [url] * servers, range(servers), [rounds] * servers))
        kinds = Counter(kind for kind, _ in events_of(card_room, "table:play-1"))
        assert kinds["round-started"] == kinds["round-played"] == rounds
        assert kinds["decision-made"] + kinds["wagers-placed"] == sum(len(done) for done, _ in output)
        assert set[str]().union(*(refused for _, refused in output)) <= {"WrongPhase", "NotEnoughChips"}
        _adds_up(card_room)
