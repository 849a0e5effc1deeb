"""Sessions end when they should: ended elsewhere, by time, by three wrong PINs; and a device left alone locks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cardroom.ledger import system_clock
from cardroom.room.user.permissions import MINUTE, Role
from cardroom.room.user.sign_in import session_digest
from cardroom.web.middleware.permissions import ACTIVITY_COOKIE, SESSION_COOKIE
from tests.deadline import LIMIT, wait_until
from tests.service.staff import (
    CAGE,
    DEALER,
    HERE,
    OPERATOR,
    PLAYER,
    SUPERVISOR,
    Both,
    hire,
    password_of,
    signed_in,
    staffed,
)
from tests.web.rooms import QUICK, ServedRoom, serve_room
from tests.web.users import Visitor, add_signature, sign_in_player, visit

SECOND: Final = 1_000_000
PIN: Final = "4471"


class HandSet:
    """A clock that goes on only when a user sets it."""

    def __init__(self) -> None:
        self.now = system_clock()

    def __call__(self) -> int:
        return self.now


@pytest.fixture(scope="module")
def clock() -> HandSet:
    return HandSet()


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory, clock: HandSet) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("sessions"), QUICK, clock) as room:
        staffed(room.card_room)
        Both(room.card_room).players.pay_in("staked", CAGE, PLAYER, 500_00, "S-1", second=SUPERVISOR)
        yield room


@pytest.fixture
def dealer(room: ServedRoom) -> Iterator[Visitor]:
    """A dealer of the test's own, who has a PIN."""
    login = f"dealer-{len(room.card_room.users.list_users())}"
    session = hire(room.card_room, login, Role.DEALER)
    room.card_room.users.choose_pin(session, password_of(login), PIN, HERE)
    visitor = visit(room, login)
    yield visitor
    room.visitors.remove(visitor)
    visitor.close()


def test_cookies_are_read_by_no_script_and_sent_by_no_other_page(room: ServedRoom) -> None:
    with Visitor(room.url) as visitor:
        result = visitor.sign_in(DEALER).headers.get_list("set-cookie")
    assert {cookie.partition("=")[0] for cookie in result} == {SESSION_COOKIE, ACTIVITY_COOKIE}
    for cookie in result:
        assert {"HttpOnly", "SameSite=strict", "Path=/"} <= set(cookie.split("; "))
        assert "Domain" not in cookie


def test_over_a_secure_line_cookies_go_nowhere_else(folder: Path) -> None:
    with serve_room(folder, replace(QUICK, secure=True)) as room:
        staffed(room.card_room)
        with Visitor(room.url) as visitor:
            result = visitor.sign_in(DEALER).headers.get_list("set-cookie")
            assert {cookie.partition("=")[0] for cookie in result} == {
                f"__Host-{SESSION_COOKIE}",
                f"__Host-{ACTIVITY_COOKIE}",
            }
            assert all("Secure" in cookie.split("; ") for cookie in result)
            token = signed_in(room.card_room, DEALER)
            plain = visitor.get("/dealer", headers={"Cookie": f"{SESSION_COOKIE}={token}"})
            assert plain.status_code == 303  # a cookie that anybody on the line could have set is none
            assert visitor.get("/dealer", headers={"Cookie": f"__Host-{SESSION_COOKIE}={token}"}).status_code == 200


def test_signing_in_always_gives_another_token(room: ServedRoom) -> None:
    planted = f"{DEALER}.s.{'A' * 43}"
    tokens = {planted}
    for _ in range(2):
        with Visitor(room.url) as visitor:
            visitor.cookies.set(SESSION_COOKIE, planted, domain="127.0.0.1")
            tokens.add(visitor.sign_in(DEALER).cookies[SESSION_COOKIE])
            assert visitor.get("/dealer", headers={"Cookie": f"{SESSION_COOKIE}={planted}"}).status_code == 303
            visitor.send_form("/sign-out")
    assert len(tokens) == 3


@pytest.mark.parametrize(
    "forged",
    [
        "//evil.example",
        "\\\\evil.example",
        "/\\evil.example",
        "https://evil.example",
        "javascript:alert(1)",
        "/\t/evil",
    ],
)
def test_no_user_is_led_to_another_host(room: ServedRoom, dealer: Visitor, forged: str) -> None:
    with Visitor(room.url) as visitor:
        assert visitor.sign_in(DEALER, next=forged).headers["location"] == "/dealer"
        assert visitor.get("/sign-in", params={"next": forged}).headers["location"] == "/dealer"
    dealer.send_form("/lock", next=forged)
    assert dealer.send_form("/unlock", pin=PIN, next=forged).headers["location"] == "/dealer"


@contextmanager
def open_page(visitor: Visitor, page: str) -> Iterator[Callable[[], int]]:
    """An open page; what is given waits until its line is closed, and tells the code."""
    url = str(visitor.base_url).rstrip("/")
    cookies = "; ".join(f"{name}={value}" for name, value in visitor.cookies.items())
    address = f"{url.replace('http', 'ws')}/live?page={page}"
    with connect(address, origin=url, additional_headers={"Cookie": cookies}) as line:  # type: ignore[arg-type]
        assert line.recv(LIMIT)

        def closed() -> int:
            try:
                while True:
                    line.recv(LIMIT)
            except ConnectionClosed as over:
                return over.rcvd.code if over.rcvd else 0

        yield closed


def by_the_person(room: ServedRoom, login: str, token: str) -> None:
    room.card_room.users.end_user_session(
        "ended/" + login, login, login, session_digest(token, room.card_room.get_room_secret()), "from elsewhere"
    )


def by_dismissal(room: ServedRoom, login: str, _: str) -> None:
    Both(room.card_room).users.deactivate("dismissed/" + login, OPERATOR, login, "gone", second=SUPERVISOR)


def by_another_role(room: ServedRoom, login: str, _: str) -> None:
    Both(room.card_room).users.assign_role("role/" + login, OPERATOR, login, Role.CAGE, second=SUPERVISOR)


def by_recovery(room: ServedRoom, login: str, _: str) -> None:
    Both(room.card_room).users.recover("recovered/" + login, OPERATOR, login, second=SUPERVISOR)


@pytest.mark.parametrize("ends", [by_the_person, by_dismissal, by_another_role, by_recovery])
def test_a_session_that_was_ended_elsewhere_is_refused_within_a_second(
    room: ServedRoom, clock: HandSet, dealer: Visitor, ends: Callable[..., Any]
) -> None:
    assert dealer.get("/dealer").status_code == 200
    ends(room, dealer.login, dealer.cookies[SESSION_COOKIE])
    clock.now += SECOND + 1
    assert dealer.get("/dealer").headers["location"] == "/sign-in?next=/dealer"
    assert dealer.get("/dealer", headers={"Accept": "application/json"}).status_code == 401
    assert dealer.send_form("/dealer/nowhere/begin").status_code == 401


def test_a_session_ends_by_time_whatever_is_done_in_it(room: ServedRoom, clock: HandSet, dealer: Visitor) -> None:
    for _ in range(12 * 60 // 4):
        clock.now += 4 * MINUTE
        if dealer.get("/dealer").status_code != 200:
            break
    clock.now += MINUTE
    assert dealer.get("/dealer").headers["location"] == "/sign-in?next=/dealer"


def test_the_page_of_some_user_whose_session_has_ended_is_shown_out(room: ServedRoom, clock: HandSet) -> None:
    operator = visit(room, OPERATOR)
    with open_page(operator, "/office") as closed:
        operator.send_form("/sign-out")
        clock.now += SECOND + 1
        assert closed() == 4401


def test_a_device_left_alone_for_five_minutes_locks_and_the_pin_unlocks_it(
    room: ServedRoom, clock: HandSet, dealer: Visitor
) -> None:
    clock.now += 4 * MINUTE
    assert dealer.get("/dealer").status_code == 200
    clock.now += 5 * MINUTE + 1
    assert dealer.get("/dealer?x=1").headers["location"] == "/unlock?next=/dealer%3Fx%3D1"
    assert dealer.get("/dealer", headers={"Accept": "application/json"}).status_code == 401
    token = {"Authorization": f"Bearer {dealer.cookies[SESSION_COOKIE]}", "Accept": "application/json"}
    assert dealer.get("/dealer", headers=token).status_code == 401
    assert dealer.send_form("/dealer/nowhere/begin").status_code == 401
    assert "The device was idle" in dealer.get("/unlock").text
    wrong = dealer.send_form("/unlock", pin="9999", next="/dealer")
    assert wrong.status_code == 401
    assert "That is not the PIN" in wrong.text
    assert dealer.send_form("/unlock", pin=PIN, next="/dealer").headers["location"] == "/dealer"
    assert dealer.get("/dealer").status_code == 200


def test_what_a_page_asks_for_by_itself_keeps_no_device_awake(room: ServedRoom, clock: HandSet) -> None:
    operator = visit(room, OPERATOR)
    for _ in range(6):
        assert operator.get("/office/verify/progress").status_code == 200
        clock.now += MINUTE
    assert operator.get("/office").headers["location"] == "/unlock?next=/office"


def test_an_open_page_is_shown_out_when_its_device_locks(room: ServedRoom, clock: HandSet) -> None:
    supervisor = visit(room, SUPERVISOR)
    with open_page(supervisor, "/office") as closed:
        supervisor.send_form("/lock")
        clock.now += SECOND + 1
        assert closed() == 4401


def test_an_open_page_that_no_user_touches_is_shown_out_after_five_minutes(room: ServedRoom, clock: HandSet) -> None:
    operator = visit(room, OPERATOR)
    with open_page(operator, "/office") as closed:
        clock.now += 5 * MINUTE + 1
        assert closed() == 4401
    assert operator.get("/office").headers["location"] == "/unlock?next=/office"


def test_three_wrong_pins_end_the_session(room: ServedRoom, dealer: Visitor) -> None:
    dealer.send_form("/lock")
    for _ in range(2):
        assert dealer.send_form("/unlock", pin="9999").status_code == 401
    assert dealer.send_form("/unlock", pin="9999").headers["location"] == "/sign-in"
    assert SESSION_COOKIE not in dealer.cookies
    assert not room.card_room.user(dealer.login).locked_places  # the password is not locked by that


def test_any_user_has_a_password_for_one_time_can_only_choose_another(room: ServedRoom) -> None:
    once = (
        Both(room.card_room)
        .users.add("new", OPERATOR, "newbie", "New Bie", Role.OPERATOR, second=SUPERVISOR)
        .one_time_password
    )
    with Visitor(room.url) as visitor:
        assert visitor.sign_in("newbie", once).headers["location"] == "/account/password"
        visitor.form = room.context.sessions.form_token(_session(room, visitor))
        for path in ("/office", "/account", "/office/users", "/account/pin"):
            assert visitor.get(path).headers["location"].startswith("/account/password?next="), path
        assert visitor.send_form("/office/day/open", id="a" * 32).status_code == 401
        token = {"Authorization": f"Bearer {visitor.cookies[SESSION_COOKIE]}", "Accept": "application/json"}
        assert visitor.get("/office", headers=token).status_code == 401
        new = "four quiet storks at noon"
        chosen = visitor.send_form("/account/password", password=once, new=new, again=new)
        assert chosen.headers["location"] == "/account?done=password"
        assert visitor.get("/office").status_code == 200


def _session(room: ServedRoom, visitor: Visitor) -> Any:
    return room.card_room.users.find_session(visitor.cookies[SESSION_COOKIE])


def test_three_wrong_passwords_lock_a_login_and_an_operator_helps(room: ServedRoom) -> None:
    hire(room.card_room, "lena", Role.CAGE)
    with Visitor(room.url) as visitor:
        for _ in range(3):
            assert visitor.sign_in("lena", "not that one").status_code == 401
        assert visitor.sign_in("lena").status_code == 401
    operator = visit(room, OPERATOR)
    assert "locked after three wrong passwords" in operator.get("/office/users/log?person=lena").text
    result = operator.send_form("/office/users/lena/recover", add_signature(SUPERVISOR, id="b" * 32))
    assert result.status_code == 200
    assert "has a one-time password" in operator.get("/office/users/log?person=lena").text


def test_another_players_balance_cards_and_rounds_are_not_shown(room: ServedRoom) -> None:
    table = room.open_table("of-two")
    pat, ann = sign_in_player(room), room.admit_guest()
    for player in (pat, ann):
        player.sit(table)
    for player in (pat, ann):
        player.wager(table, ante_play=10_00)
    seen = pat.view(table)
    cards = seen["round"]["view"]["cards"]
    assert "??" not in cards["seat 1 hand"]
    assert set(cards["seat 2 hand"]) == {"??"}
    assert set(seen["seats"]["2"]) == {"player", "chips_cents"}
    for player in (pat, ann):
        player.decide(table, "fold")
    wait_until(lambda: room.card_room.table(table).last_round is not None)
    assert pat.get("/players/me").json()["player"] == PLAYER
    assert pat.get(f"/players/{ann.name}").status_code == 404
    own = pat.get("/players/me/rounds").json()
    assert ann.name not in str(own)
    with Visitor(room.url) as no_user:
        for path in (f"/office/players/{ann.name}", "/office/rounds", f"/office/rounds?player={PLAYER}"):
            assert no_user.get(path).headers["location"].startswith("/sign-in?next=")


def test_who_sat_in_a_round_is_shown_to_those_who_did_and_to_people_who_watch(room: ServedRoom) -> None:
    table = room.open_table("public-1")
    pat, ann, stranger = sign_in_player(room), room.admit_guest(), room.admit_guest()
    for player in (pat, ann):
        player.sit(table)
    for player in (pat, ann):
        player.wager(table, ante_play=10_00)
    for player in (pat, ann):
        player.decide(table, "fold")
    wait_until(lambda: room.card_room.table(table).last_round is not None)
    id = f"{table}.1"
    entry = stranger.get(f"/rounds/{id}").json()
    assert entry["players"] == {"1": "a player", "2": "a player"}
    assert {decision["by"] for decision in entry["answered_by"]} == {"a player"}
    assert entry["key"]
    assert pat.get(f"/rounds/{id}").json()["players"] == {"1": PLAYER, "2": ann.name}
    paths = [f"/rounds/{id}", f"/rounds/{id}/steps/1", f"/rounds/{id}/round.json", f"/rounds/{id}/record.json"]
    with Visitor(room.url) as no_user:
        for path in paths:
            result = no_user.get(path)
            assert result.status_code == 200
            assert ann.name not in result.text, path
            assert f"· {PLAYER}" not in result.text, path
    assert ann.name in visit(room, SUPERVISOR).get(paths[0]).text
    assert ann.name not in visit(room, DEALER).get(paths[0]).text
