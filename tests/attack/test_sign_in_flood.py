"""An attacker floods the sign-in, or pretends to come from elsewhere; the staff still signs in."""

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
from tests.web.rooms import QUICK, Served, served

SENTENCE = "is wrong, or this login is locked here"


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Served]:
    """Behind a proxy on the same machine: every call arrives from 127.0.0.1, with the caller's address in a header."""
    with served(tmp_path, replace(QUICK, refusal_seconds=0.01), line=ListenerOptions(proxies=("127.0.0.1",))) as room:
        staffed(room.card_room)
        yield room


def sign_in(room: Served, login: str, password: str, address: str, **more: str) -> httpx.Response:
    headers = {"X-Forwarded-For": address, **more}
    body = {"login": login, "password": password}
    return httpx.post(f"{room.url}/api/v1/sessions", json=body, headers=headers)


def test_twenty_four_requests_of_a_stranger_behind_the_proxy_lock_out_no_one(room: Served) -> None:
    for login in [*LOGINS.values()] * ATTEMPTS_BEFORE_LOCK:
        sign_in(room, login, "a guess of mine", "203.0.113.9")
    for login in LOGINS.values():
        assert sign_in(room, login, password_of(login), "192.0.2.7").status_code == 201
        assert room.card_room.sign_in(login, password_of(login), f"{COMMAND_LINE} (room)")


def test_a_forged_forwarded_address_is_not_the_machine(room: Served) -> None:
    """The proxy appends the true address: what the stranger wrote before it changes nothing."""
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        assert sign_in(room, "dora", "a guess", "127.0.0.1, 203.0.113.9").status_code == 401
    assert room.card_room.user("dora").locked_places == ("203.0.113.9",)


def test_every_refusal_over_the_network_is_the_same_and_takes_one_comparison(room: Served) -> None:
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        sign_in(room, "dora", "a guess", "203.0.113.9")
    answers = set()
    for login, password in (("nobody", "x"), ("dora", password_of("dora")), ("sam", "x")):
        room.card_room.hasher = counting = CountingHasher()
        refused = sign_in(room, login, password, "203.0.113.9")
        answers.add((refused.status_code, refused.text, len(counting.compared)))
    ((status, text, compared),) = answers
    assert (status, compared) == (401, 1)
    assert SENTENCE in text


def test_a_flood_from_one_address_gets_429_and_another_address_signs_in(room: Served) -> None:
    let_go, comparing = threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        comparing.release()
        let_go.wait(LIMIT)

    room.house.password_attempts.begin = lambda _: 0.0  # type: ignore[method-assign]  # the queue alone is tested here
    room.card_room.hasher = CountingHasher(hold)
    crowd = 8
    flood = MAX_PER_ADDRESS + 1 + crowd
    with ThreadPoolExecutor(flood + 1) as pool:
        guesses = [pool.submit(sign_in, room, f"nobody-{one}", "x", "203.0.113.9") for one in range(flood)]
        comparing.acquire()  # one of the flood is being compared, as many as may wait do, and the others are refused
        wait_until(lambda: sum(one.done() for one in guesses) == crowd, "the refusals")
        honest = pool.submit(sign_in, room, "dora", password_of("dora"), "192.0.2.7")
        comparing.acquire()  # the honest one did not have to wait for the flood
        let_go.set()
        assert honest.result(LIMIT).status_code == 201
        refused = [one.result(LIMIT) for one in guesses]
    assert sorted(one.status_code for one in refused) == [401] * (MAX_PER_ADDRESS + 1) + [429] * crowd
    crowded = next(one for one in refused if one.status_code == 429)
    assert "from your address are waiting" in crowded.text
    assert int(crowded.headers["Retry-After"]) > 0


def test_guesses_from_many_addresses_keep_no_one_out_who_has_signed_in_before(room: Served) -> None:
    assert sign_in(room, OPERATOR, password_of(OPERATOR), "192.0.2.7").status_code == 201
    wait_until(lambda: "192.0.2.7" in room.house.known_places, "the room to know the address")
    room.house.sign_in_queue = SignInQueue(max_waiting=4)
    let_go, comparing = threading.Event(), threading.Semaphore(0)

    def hold() -> None:
        comparing.release()
        let_go.wait(LIMIT)

    room.card_room.hasher = CountingHasher(hold)
    strangers = MAX_CONCURRENT + 4 + 3
    with ThreadPoolExecutor(strangers + 1) as pool:
        guesses = [pool.submit(sign_in, room, OPERATOR, "x", f"203.0.113.{one}") for one in range(strangers)]
        wait_until(lambda: sum(one.done() for one in guesses) == 3, "a full queue")
        assert {one.result().status_code for one in guesses if one.done()} == {503}
        honest = pool.submit(sign_in, room, OPERATOR, password_of(OPERATOR), "192.0.2.7")
        wait_until(lambda: len(room.house.sign_in_queue) == 5, "the operator to wait in the other line")
        let_go.set()
        assert honest.result(LIMIT).status_code == 201
        assert sorted(one.result(LIMIT).status_code for one in guesses) == [401] * (MAX_CONCURRENT + 4) + [503] * 3


def test_places_are_known_after_a_restart_and_as_long_as_the_books_know_them(tmp_path: Path) -> None:
    with served(tmp_path) as room:
        staffed(room.card_room)
        for one in range(MOST_KNOWN_PLACES + 1):
            room.card_room.sign_in(OPERATOR, password_of(OPERATOR), f"192.0.2.{one}")
        known = room.card_room.user(OPERATOR).attempts
        with_a_guess = "203.0.113.9"
        with pytest.raises(SignInFailed):
            room.card_room.sign_in(OPERATOR, "a guess of mine", with_a_guess)
        wait_until(lambda: "192.0.2.12" in room.house.known_places, "the room to know the address")
    with served(tmp_path) as again:
        wait_until(lambda: "192.0.2.12" in again.house.known_places, "the room to know the address")
        assert {one for one in known if one in again.house.known_places} == {
            one for one, tries in known.items() if tries.known
        }
        assert "192.0.2.0" not in again.house.known_places
        assert with_a_guess not in again.house.known_places
        assert "127.0.0.1" in again.house.known_places


def test_the_two_lines_of_the_queue_take_turns_and_neither_fills_the_other() -> None:
    async def sign_ins() -> list[str]:
        queue, ended = SignInQueue(max_concurrent=1, max_waiting=3), list[str]()
        free = asyncio.Event()

        async def sign_in(place: str, known: bool) -> None:
            try:
                async with queue.turn(place, is_known=known):
                    await free.wait()
                    ended.append(place)
            except QueueFull:
                ended.append(f"{place} was refused")

        names = [*(f"strange-{one}" for one in range(5)), *(f"known-{one}" for one in range(3))]
        crowd = [asyncio.create_task(sign_in(name, name.startswith("known"))) for name in names]
        await asyncio.sleep(0)
        free.set()
        await asyncio.gather(*crowd)
        return ended

    assert asyncio.run(sign_ins()) == [
        "strange-4 was refused",
        *("strange-0", "known-0", "strange-1", "known-1", "strange-2", "known-2", "strange-3"),
    ]


def test_a_full_queue_makes_room_for_an_address_that_has_none_waiting() -> None:
    async def flood() -> list[str]:
        queue, ended = SignInQueue(max_waiting=8, max_per_address=4), list[str]()
        busy = asyncio.Event()

        async def sign_in(place: str) -> None:
            try:
                async with queue.turn(place):
                    await busy.wait()
                    ended.append(place)
            except (QueueFull, RateLimited) as fault:
                ended.append(type(fault).__name__)

        crowd = [asyncio.create_task(sign_in(f"bot-{one % 4}")) for one in range(16)]
        await asyncio.sleep(0)
        assert len(queue) <= 8
        honest = asyncio.create_task(sign_in("room"))
        await asyncio.sleep(0)
        busy.set()
        await asyncio.gather(*crowd, honest)
        return ended

    ended = asyncio.run(flood())
    assert ended.count("room") == 1
    assert ended.index("room") < len(ended) - 1
    assert "QueueFull" in ended


def test_who_leaves_the_queue_holds_up_no_one() -> None:
    async def come_and_go() -> int:
        queue = SignInQueue()
        busy = asyncio.Event()

        async def sign_in(place: str) -> None:
            async with queue.turn(place):
                await busy.wait()

        crowd = [asyncio.create_task(sign_in(f"place-{one}")) for one in range(10)]
        await asyncio.sleep(0)
        assert len(queue) == 10 - MAX_CONCURRENT
        for one in crowd:
            one.cancel()
        await asyncio.gather(*crowd, return_exceptions=True)
        busy.set()
        await asyncio.wait_for(sign_in("honest"), LIMIT)
        return len(queue)

    assert asyncio.run(come_and_go()) == 0
