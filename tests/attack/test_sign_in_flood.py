"""An attacker floods the sign-in, or forges the network address of the requests. The staff can still sign in."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from cardroom.room.user.sign_in import SignInFailed
from cardroom.room.user.state import ATTEMPTS_BEFORE_LOCK, COMMAND_LINE, MOST_KNOWN_PLACES
from cardroom.web.middleware.listener_options import ListenerOptions
from cardroom.web.middleware.rejections import RateLimited
from cardroom.web.middleware.sign_in_queue import MAX_CONCURRENT, MAX_PER_ADDRESS, QueueFull, SignInQueue
from tests.attack.test_password_guessing import CountingHasher
from tests.deadline import LIMIT, wait_until
from tests.service.staff import LOGINS, OPERATOR, password_of, staffed
from tests.web.rooms import QUICK, ServedRoom, serve_room

SENTENCE = "is wrong, or this login is locked here"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[ServedRoom]:
    """A room behind a proxy on the same machine: every call arrives from 127.0.0.1, with the caller's address in a
    header."""
    with serve_room(
        tmp_path, replace(QUICK, refusal_seconds=0.01), line=ListenerOptions(proxies=("127.0.0.1",))
    ) as room:
        staffed(room.card_room)
        yield room


def sign_in(room: ServedRoom, login: str, password: str, address: str, **more: str) -> httpx.Response:
    headers = {"X-Forwarded-For": address, **more}
    body = {"login": login, "password": password}
    return httpx.post(f"{room.url}/api/v1/sessions", json=body, headers=headers)


def test_wrong_guesses_of_a_stranger_through_the_proxy_lock_no_login_at_other_addresses(room: ServedRoom) -> None:
    for login in [*LOGINS.values()] * ATTEMPTS_BEFORE_LOCK:
        sign_in(room, login, "a guess of mine", "203.0.113.9")
    for login in LOGINS.values():
        assert sign_in(room, login, password_of(login), "192.0.2.7").status_code == 201
        assert room.card_room.users.sign_in(login, password_of(login), f"{COMMAND_LINE} (room)")


def test_a_forged_forwarded_address_does_not_replace_the_true_address(room: ServedRoom) -> None:
    """The proxy appends the true address. An address that the stranger wrote before it changes nothing."""
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        assert sign_in(room, "dora", "a guess", "127.0.0.1, 203.0.113.9").status_code == 401
    assert room.card_room.user("dora").locked_places == ("203.0.113.9",)


def test_every_refused_sign_in_over_the_network_has_the_same_text_and_costs_one_comparison(room: ServedRoom) -> None:
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        sign_in(room, "dora", "a guess", "203.0.113.9")
    responses = set()
    for login, password in (("nobody", "x"), ("dora", password_of("dora")), ("sam", "x")):
        room.card_room.users.hasher = counting = CountingHasher()
        refused = sign_in(room, login, password, "203.0.113.9")
        responses.add((refused.status_code, refused.text, len(counting.compared)))
    ((status, text, compared),) = responses
    assert (status, compared) == (401, 1)
    assert SENTENCE in text


def test_a_flood_from_one_address_gets_429_and_another_address_signs_in(room: ServedRoom) -> None:
    release, comparing = threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        comparing.release()
        release.wait(LIMIT)

    room.context.password_attempts.begin = lambda _: 0.0  # type: ignore[method-assign]  # this test checks the queue only
    room.card_room.users.hasher = CountingHasher(hold)
    crowd = 8
    flood = MAX_PER_ADDRESS + 1 + crowd
    with ThreadPoolExecutor(flood + 1) as pool:
        guesses = [pool.submit(sign_in, room, f"nobody-{number}", "x", "203.0.113.9") for number in range(flood)]
        comparing.acquire()  # one guess is in comparison, the queue for its address is full, the others are refused
        wait_until(lambda: sum(guess.done() for guess in guesses) == crowd, "the refusals")
        honest = pool.submit(sign_in, room, "dora", password_of("dora"), "192.0.2.7")
        comparing.acquire()  # the honest sign-in does not have to wait for the flood
        release.set()
        assert honest.result(LIMIT).status_code == 201
        refused = [guess.result(LIMIT) for guess in guesses]
    assert sorted(response.status_code for response in refused) == [401] * (MAX_PER_ADDRESS + 1) + [429] * crowd
    crowded = next(response for response in refused if response.status_code == 429)
    assert "from your address are waiting" in crowded.text
    assert int(crowded.headers["Retry-After"]) > 0


def test_guesses_from_many_addresses_do_not_keep_out_a_user_at_a_known_address(room: ServedRoom) -> None:
    assert sign_in(room, OPERATOR, password_of(OPERATOR), "192.0.2.7").status_code == 201
    wait_until(lambda: "192.0.2.7" in room.context.known_places, "the known address")
    room.context.sign_in_queue = SignInQueue(max_waiting=4)
    release, comparing = threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        comparing.release()
        release.wait(LIMIT)

    room.card_room.users.hasher = CountingHasher(hold)
    strangers = MAX_CONCURRENT + 4 + 3
    with ThreadPoolExecutor(strangers + 1) as pool:
        guesses = [pool.submit(sign_in, room, OPERATOR, "x", f"203.0.113.{number}") for number in range(strangers)]
        wait_until(lambda: sum(guess.done() for guess in guesses) == 3, "a full queue")
        assert {guess.result().status_code for guess in guesses if guess.done()} == {503}
        honest = pool.submit(sign_in, room, OPERATOR, password_of(OPERATOR), "192.0.2.7")
        wait_until(lambda: len(room.context.sign_in_queue) == 5, "the operator's sign-in in the other line")
        release.set()
        assert honest.result(LIMIT).status_code == 201
        statuses = sorted(guess.result(LIMIT).status_code for guess in guesses)
        assert statuses == [401] * (MAX_CONCURRENT + 4) + [503] * 3


def test_after_a_restart_the_known_addresses_are_those_in_the_ledger(tmp_path: Path) -> None:
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        for number in range(MOST_KNOWN_PLACES + 1):
            room.card_room.users.sign_in(OPERATOR, password_of(OPERATOR), f"192.0.2.{number}")
        attempts = room.card_room.user(OPERATOR).attempts
        address_of_a_guess = "203.0.113.9"
        with pytest.raises(SignInFailed):
            room.card_room.users.sign_in(OPERATOR, "a guess of mine", address_of_a_guess)
        wait_until(lambda: "192.0.2.12" in room.context.known_places, "the known address")
    with serve_room(tmp_path) as restarted:
        wait_until(lambda: "192.0.2.12" in restarted.context.known_places, "the known address")
        assert {place for place in attempts if place in restarted.context.known_places} == {
            place for place, tries in attempts.items() if tries.known
        }
        assert "192.0.2.0" not in restarted.context.known_places
        assert address_of_a_guess not in restarted.context.known_places
        assert "127.0.0.1" in restarted.context.known_places


def test_the_two_lines_of_the_queue_take_turns_and_neither_line_fills_the_other() -> None:
    async def sign_ins() -> list[str]:
        queue, finished = SignInQueue(max_concurrent=1, max_waiting=3), list[str]()
        free = asyncio.Event()

        async def sign_in(place: str, known: bool) -> None:
            try:
                async with queue.turn(place, is_known=known):
                    await free.wait()
                    finished.append(place)
            except QueueFull:
                finished.append(f"{place} was refused")

        names = [*(f"strange-{number}" for number in range(5)), *(f"known-{number}" for number in range(3))]
        crowd = [asyncio.create_task(sign_in(name, name.startswith("known"))) for name in names]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*crowd)
        return finished

    assert asyncio.run(sign_ins()) == [
        "strange-4 was refused",
        *("strange-0", "known-0", "strange-1", "known-1", "strange-2", "known-2", "strange-3"),
    ]


def test_a_full_queue_makes_room_for_an_address_that_has_none_waiting() -> None:
    async def flood() -> list[str]:
        queue, finished = SignInQueue(max_waiting=8, max_per_address=4), list[str]()
        busy = asyncio.Event()

        async def sign_in(place: str) -> None:
            try:
                async with queue.turn(place):
                    await busy.wait()
                    finished.append(place)
            except (QueueFull, RateLimited) as fault:
                finished.append(type(fault).__name__)

        crowd = [asyncio.create_task(sign_in(f"bot-{number % 4}")) for number in range(16)]
        await asyncio.sleep(0)
        assert len(queue) <= 8
        honest = asyncio.create_task(sign_in("room"))
        await asyncio.sleep(0)
        busy.set()
        await asyncio.gather(*crowd, honest)
        return finished

    finished = asyncio.run(flood())
    assert finished.count("room") == 1
    assert finished.index("room") < len(finished) - 1
    assert "QueueFull" in finished


def test_a_sign_in_that_leaves_the_queue_delays_no_other_sign_in() -> None:
    async def join_and_leave() -> int:
        queue = SignInQueue()
        busy = asyncio.Event()

        async def sign_in(place: str) -> None:
            async with queue.turn(place):
                await busy.wait()

        crowd = [asyncio.create_task(sign_in(f"place-{number}")) for number in range(10)]
        await asyncio.sleep(0)
        assert len(queue) == 10 - MAX_CONCURRENT
        for task in crowd:
            task.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)
        busy.set()
        await asyncio.wait_for(sign_in("honest"), LIMIT)
        return len(queue)

    assert asyncio.run(join_and_leave()) == 0
