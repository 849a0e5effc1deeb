"""An attacker guesses passwords: many at the same time, from many addresses, for every login. The attacker learns
nothing and does not lock out the staff."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from cardroom.ledger import open_ledger
from cardroom.room.user.permissions import MINUTE, Permission
from cardroom.room.user.sign_in import LONGEST_PAUSE, SECOND_US, NoSession, SignInFailed, WrongPin
from cardroom.room.user.state import ATTEMPTS_BEFORE_LOCK, COMMAND_LINE, MOST_PLACES
from cardroom.service import CardRoom, verify
from cardroom.service.chains.names import user_chain
from cardroom.service.commands.second_signature import SignaturePart, SignatureRequest
from tests.deadline import LIMIT
from tests.service.staff import FIRST, HERE, LOGINS, QUICK, Both, open_staff, password_of

STRANGER = "203.0.113.9"


class ManualClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_780_000_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


class CountingHasher:
    """The real hasher, which also records the password hashes that it compares with."""

    decoy = QUICK.decoy

    def __init__(self, before: Callable[[], None] = lambda: None) -> None:
        self.compared: list[str] = []
        self._before, self._lock = before, threading.Lock()

    def hash(self, password: str, /) -> str:
        return QUICK.hash(password)

    def verify(self, password_hash: str, password: str, /) -> bool:
        with self._lock:
            self.compared.append(password_hash)
        self._before()
        return QUICK.verify(password_hash, password)


@pytest.fixture
def clock() -> ManualClock:
    return ManualClock()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/room.db"


@pytest.fixture
def card_room(url: str, clock: ManualClock) -> Iterator[CardRoom]:
    with open_ledger(url, clock=clock) as ledger:
        card_room = CardRoom(ledger, clock)
        open_staff(card_room)
        clock.now += MINUTE
        yield card_room


def open_another_server(url: str, clock: ManualClock) -> CardRoom:
    return CardRoom(open_ledger(url, clock=clock), clock)


def guess(card_room: CardRoom, login: str, address: str, password: str = "a guess of mine") -> str:
    with pytest.raises(SignInFailed) as refused:
        card_room.users.sign_in(login, password, address)
    return str(refused.value)


def read_password_hash(card_room: CardRoom, login: str) -> str:
    password_hash = card_room.ledger.read_password_hash(user_chain(login), card_room.user(login).password)
    assert password_hash is not None
    return password_hash.decode()


def test_of_many_guesses_sent_to_two_servers_at_once_only_three_are_compared(
    card_room: CardRoom, url: str, clock: ManualClock
) -> None:
    """Every comparison waits until all guesses have arrived. A check just before the comparison would let all pass."""
    arrived = threading.Semaphore(0)
    release = threading.Event()

    def hold() -> None:
        arrived.release()
        release.wait(LIMIT)

    servers = [card_room, open_another_server(url, clock)]
    hashers = [CountingHasher(hold) for _ in servers]
    for server, hasher in zip(servers, hashers, strict=True):
        server.users.hasher = hasher
    secret = read_password_hash(card_room, "dora")
    with ThreadPoolExecutor(24) as pool:
        guesses = [
            pool.submit(guess, servers[number % 2], "dora", STRANGER, f"guess number {number}") for number in range(24)
        ]
        for _ in range(ATTEMPTS_BEFORE_LOCK):
            arrived.acquire()
        release.set()
        for attempt in guesses:
            attempt.result(LIMIT)
    assert sum(hasher.compared.count(secret) for hasher in hashers) == ATTEMPTS_BEFORE_LOCK
    servers[1].ledger.close()


def test_unknown_locked_wrong_and_deactivated_logins_get_the_same_refusal_for_the_same_work(
    card_room: CardRoom,
) -> None:
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        guess(card_room, "dora", STRANGER)
    Both(card_room).users.deactivate("bye", FIRST, "aldo", "left", second="sam")
    refusals, comparisons = set(), []
    for login, password in [
        ("no-such-login", "a guess"),
        ("dora", "a guess"),
        ("dora", password_of("dora")),
        ("sam", "a guess"),
        ("aldo", password_of("aldo")),
    ]:
        card_room.users.hasher = counting = CountingHasher()
        refusals.add(guess(card_room, login, STRANGER, password))
        comparisons.append(len(counting.compared))
    assert len(refusals) == 1
    assert comparisons == [1] * 5


def test_a_stranger_who_locks_every_login_does_not_lock_the_staff_out_at_other_addresses(
    card_room: CardRoom, clock: ManualClock
) -> None:
    for login in LOGINS.values():
        for _ in range(ATTEMPTS_BEFORE_LOCK):
            guess(card_room, login, STRANGER)
        guess(card_room, login, STRANGER, password_of(login))
    for login in LOGINS.values():
        assert card_room.users.sign_in(login, password_of(login), HERE)
        assert card_room.users.sign_in(login, password_of(login), f"{COMMAND_LINE} (room)")
    clock.now += 2 * SECOND_US
    for login in LOGINS.values():
        assert card_room.users.sign_in(login, password_of(login), "192.0.2.44"), "a new address waits a second or two"


def test_guesses_from_a_thousand_addresses_are_compared_once_a_minute_and_the_user_still_signs_in(
    card_room: CardRoom, url: str, clock: ManualClock
) -> None:
    usual = "192.0.2.7"
    card_room.users.sign_in("dora", password_of("dora"), usual)
    before = len(list(card_room.ledger.events(user_chain("dora"))))
    secret, card_room.users.hasher = read_password_hash(card_room, "dora"), CountingHasher()
    started = clock.now
    for number in range(1_000):
        guess(card_room, "dora", f"198.51.{number // 250}.{number % 250}")
        clock.now += SECOND_US
    minutes = (clock.now - started) // MINUTE
    compared = card_room.users.hasher.compared.count(secret)
    assert compared <= ATTEMPTS_BEFORE_LOCK + 7 + minutes, (
        "after three guesses, each pause is twice as long, up to a minute"
    )
    assert LONGEST_PAUSE == 60
    after = len(list(card_room.ledger.events(user_chain("dora"))))
    assert after - before == 2 * compared, "a refusal without a comparison is not stored"
    assert len(card_room.user("dora").attempts) <= MOST_PLACES
    for address in (usual, HERE, f"{COMMAND_LINE} (room)"):
        assert card_room.users.sign_in("dora", password_of("dora"), address)
    assert verify(url).is_consistent


def test_a_crash_between_counting_and_comparing_counts_as_a_wrong_password(card_room: CardRoom) -> None:
    class Stopped(Exception):
        pass

    def stop() -> None:
        raise Stopped

    card_room.users.hasher = CountingHasher(stop)
    for _ in range(ATTEMPTS_BEFORE_LOCK):
        with pytest.raises(Stopped):
            card_room.users.sign_in("dora", "a guess", STRANGER)
    assert card_room.user("dora").locked_places == (STRANGER,)


def request_signature(login: str) -> SignatureRequest:
    """The request that a second person signs."""
    return SignatureRequest(
        SignaturePart.SECOND, login, "carl", "slip-7", "9c" * 32, "Pay $20 to pat from the balance, slip 7."
    )


def test_guesses_of_a_second_persons_password_follow_the_same_rules(card_room: CardRoom) -> None:
    secret, card_room.users.hasher = read_password_hash(card_room, "sam"), CountingHasher()
    refusals = set()
    for _ in range(ATTEMPTS_BEFORE_LOCK + 2):
        with pytest.raises(SignInFailed) as refused:
            card_room.users.countersign(
                request_signature("sam"), "guess", permission=Permission.PAY_PLAYERS, address=STRANGER
            )
        refusals.add(str(refused.value))
    assert card_room.users.hasher.compared.count(secret) == ATTEMPTS_BEFORE_LOCK
    assert len(card_room.users.hasher.compared) == ATTEMPTS_BEFORE_LOCK + 2
    assert len(refusals) == 1


def test_of_many_pins_sent_at_once_only_three_are_compared(card_room: CardRoom) -> None:
    token = card_room.users.sign_in("dora", password_of("dora"), HERE).token
    session = card_room.users.find_session(token)
    assert session is not None
    card_room.users.choose_pin(session, password_of("dora"), "4471", HERE)
    card_room.users.lock_session(session, "idle")
    arrived, release = threading.Semaphore(0), threading.Event()

    def hold() -> None:
        arrived.release()
        release.wait(LIMIT)

    card_room.users.hasher = counting = CountingHasher(hold)

    def try_pin(pin: int) -> None:
        with pytest.raises((WrongPin, NoSession)):
            card_room.users.unlock_session(session, f"{pin:04}", HERE)

    with ThreadPoolExecutor(12) as pool:
        pins = [pool.submit(try_pin, pin) for pin in range(12)]
        for _ in range(ATTEMPTS_BEFORE_LOCK):
            arrived.acquire()
        release.set()
        for attempt in pins:
            attempt.result(LIMIT)
    assert len(counting.compared) == ATTEMPTS_BEFORE_LOCK
    assert card_room.users.find_session(token) is None


def test_a_right_password_for_a_refused_action_does_not_count_as_a_wrong_password(card_room: CardRoom) -> None:
    for _ in range(ATTEMPTS_BEFORE_LOCK + 1):
        with pytest.raises(Exception, match="vera is from surveillance"):
            card_room.users.countersign(
                request_signature("vera"), password_of("vera"), permission=Permission.PAY_PLAYERS, address=STRANGER
            )
    assert card_room.users.sign_in("vera", password_of("vera"), STRANGER)


def test_five_windows_of_one_user_can_sign_in_at_the_same_time(card_room: CardRoom) -> None:
    with ThreadPoolExecutor(5) as pool:
        sessions = [pool.submit(card_room.users.sign_in, "dora", password_of("dora"), STRANGER) for _ in range(5)]
        assert all(session.result(LIMIT) for session in sessions)
