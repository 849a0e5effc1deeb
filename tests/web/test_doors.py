"""Every address, walked as every role, as a guest and as nobody: who gets in is who the table of permissions says.

An address without a door, and a door without an address, fail here: whoever adds the one adds the other.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Final

import httpx
import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cardroom.floor.people.permissions import PERMISSIONS, may
from cardroom.floor.people.roles import Role
from cardroom.web.addresses import BOARDS, OFFERING
from cardroom.web.devices import Allowed
from cardroom.web.doors.buckets import Buckets, Rate
from cardroom.web.rights.cookies import SESSION
from cardroom.web.rights.doors import API, DOORS, Door, door_at
from tests.deadline import LIMIT
from tests.floor.staff import HERE, LOGINS, hire, password_of
from tests.web.people import Visitor, staffed, visit
from tests.web.rooms import QUICK, Served, served
from tests.web.walk import Address, addresses, filled, said_to, sockets

GUEST: Final = "a guest"
NOBODY: Final = "nobody"
NEWCOMER: Final = "nora"
"""Who signs in where others do so too: of sessions of their own, people have only a few."""
CALLERS: Final = (*LOGINS.values(), GUEST, NOBODY)
ROLES: Final = {login: role for role, login in LOGINS.items()}
ENDS: Final = ("/sign-in", "/first", "/sign-out", "/lock", "/account/password", "/api/v1/sessions")
"""Where a session may end, or begin: whoever calls has one of their own for it."""
ONLY_ASKS: Final = ("/tables/{table}/check",)
"""What a page asks without changing anything: it needs no form."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("doors"), replace(QUICK, demo=True)) as one:
        hire(staffed(one.floor), NEWCOMER, Role.DEALER)
        # So many calls and refusals come from here in seconds as from a whole room in hours.
        one.server.config.app.state.turns.allowed = Allowed(a_second=1e6, saved=1e6)  # type: ignore[union-attr]
        one.house.door._lines = Buckets(Rate(1e6, 1e6))
        yield one


@pytest.fixture(scope="module")
def people(room: Served) -> dict[str, Visitor]:
    """Everybody who calls, each signed in once."""
    there = {login: visit(room, login) for login in LOGINS.values()}
    there[GUEST], there[NOBODY] = Visitor(room.url), Visitor(room.url)
    there[GUEST].cookies.set("cardroom_token", room.guest().token)
    room.visitors += [there[GUEST], there[NOBODY]]
    return there


@pytest.fixture(scope="module")
def every_address(room: Served) -> list[Address]:
    return list(addresses(room.server.config.app))  # type: ignore[arg-type]


def passes(who: str, door: Door) -> bool:
    """Whether the table of permissions lets somebody pass."""
    if door.right is None:
        return False
    if who == GUEST:
        return may(None, door.right) or (may(Role.PLAYER, door.right) and door.path != "/account" and _plays(door))
    return may(ROLES.get(who), door.right)


def _plays(door: Door) -> bool:
    """A guest may do what players may, but has no account of the own to look after."""
    assert door.right is not None
    return PERMISSIONS[door.right].roles == {Role.PLAYER}


@contextmanager
def another_session(room: Served, login: str, known: Visitor) -> Iterator[Visitor]:
    """A session that may end, at another browser; of sessions a person has only so many."""
    if login not in ROLES:
        with Visitor(room.url) as visitor:
            visitor.cookies.update(known.cookies)
            yield visitor
        return
    token, session = room.floor.sign_in(login, password_of(login), HERE)
    with Visitor(room.url) as visitor:
        visitor.cookies.set(SESSION, token)
        visitor.form, visitor.token = room.house.sessions.form_token(session), token
        yield visitor
    room.floor.end_session(session)


def calls(visitor: Visitor, address: Address, who: str) -> httpx.Response:
    """What somebody is answered who calls as the pages and programs do."""
    login = NEWCOMER if address.path in ("/sign-in", f"{API}/sessions") else who
    said = said_to(address, login, password_of(login)) if address.method == "POST" else {}
    if address.is_page:
        if address.method == "GET":
            return visitor.get(address.path)
        return visitor.request(address.method, address.path, data={"form": visitor.form, "id": "0" * 32, **said})
    headers = {"Accept": "application/json"}
    if address.method == "DELETE" and visitor.token:  # a program signs out by its token
        headers["Authorization"] = f"Bearer {visitor.token}"
    return visitor.request(address.method, address.path, json=said or None, headers=headers)


def is_let_in(answer: httpx.Response) -> bool:
    """Whether the door was open, whatever came of the call."""
    led = answer.headers.get("location", "") if answer.request.method == "GET" else ""
    return answer.status_code not in (401, 403) and not led.startswith(("/sign-in?", "/unlock?"))


def test_every_address_has_a_door_and_every_door_an_address(every_address: list[Address], room: Served) -> None:
    doors = {one: door_at(one.method, one.path) for one in every_address}
    assert [one for one, door in doors.items() if door is None] == []
    used = {*doors.values(), *(door_at("GET", path) for path in sockets(room.server.config.app))}  # type: ignore[arg-type]
    unused = {door.path for door in DOORS if door not in used}
    assert unused == set()


def test_whoever_calls_gets_in_where_the_table_says_so_and_nowhere_else(
    room: Served, people: dict[str, Visitor], every_address: list[Address]
) -> None:
    wrong, walked = [], set()
    for who in CALLERS:
        for address in every_address:
            door = door_at(address.method, address.path)
            assert door is not None
            spare = address.path in ENDS and address.method != "GET"
            with another_session(room, who, people[who]) if spare else nullcontext(people[who]) as visitor:
                answer = calls(visitor, address, who)
            walked.add((address, who))
            if is_let_in(answer) != passes(who, door):
                wrong.append((who, address.method, address.path, answer.status_code))
            if not passes(who, door) and door.right is not None:
                signed_in = who in ROLES
                page = address.is_page and address.method == "GET" and not signed_in
                expected = 403 if signed_in else 303 if page else 401
                if answer.status_code != expected:
                    wrong.append((who, address.method, address.path, answer.status_code))
    assert not wrong, wrong
    assert len(walked) == len(set(every_address)) * len(CALLERS)


@pytest.mark.parametrize("who", CALLERS)
def test_the_line_of_an_open_page_is_as_shut_as_the_page(room: Served, people: dict[str, Visitor], who: str) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in people[who].cookies.items())
    for path, _ in (*BOARDS, *OFFERING):
        page = filled(path)
        door = door_at("GET", page)
        assert door is not None
        address = f"{room.url.replace('http', 'ws')}/live?page={page}"
        with connect(address, origin=room.url, additional_headers={"Cookie": cookies}) as line:  # type: ignore[arg-type]
            try:
                line.recv(LIMIT)
                closed = 0
            except ConnectionClosed as over:
                closed = over.rcvd.code if over.rcvd else 0
        assert (closed not in (4401, 4403)) is passes(who, door), page


@contextmanager
def lines_of_the_door() -> Iterator[list[logging.LogRecord]]:
    """What is written into the log of the door."""
    kept: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = kept.append  # type: ignore[method-assign]
    log = logging.getLogger("cardroom.security")
    log.addHandler(handler)
    try:
        yield kept
    finally:
        log.removeHandler(handler)


def test_a_form_that_no_page_of_ours_has_sent_changes_nothing_and_is_logged(
    room: Served, people: dict[str, Visitor], every_address: list[Address]
) -> None:
    forged = 0
    for address in every_address:
        door = door_at(address.method, address.path)
        if not address.is_page or address.method == "GET" or address.route in ONLY_ASKS:
            continue
        assert door is not None
        who = next(login for login in LOGINS.values() if passes(login, door))
        visitor, before = people[who], room.floor.ledger.places("")
        elsewhere = {"Origin": "https://elsewhere.example"}
        for form, headers in (("", {}), ("0" * 64, {}), (visitor.form, elsewhere), (visitor.form, {"Origin": ""})):
            with lines_of_the_door() as lines:
                answer = visitor.request(address.method, address.path, data={"form": form}, headers=headers)
            assert answer.status_code == 403, (address, who, form)
            told = [(one.why, one.person) for one in lines]  # type: ignore[attr-defined]
            assert told == [("a forged form", who)], address
            assert visitor.form not in str([vars(one) for one in lines])
        assert room.floor.ledger.places("") == before, address
        forged += 1
    assert forged == len({one for one in every_address if one.is_page and one.method != "GET"}) - len(ONLY_ASKS)


def test_a_refusal_at_the_door_is_logged_with_the_person_and_the_reason(
    people: dict[str, Visitor], every_address: list[Address]
) -> None:
    office = next(one for one in every_address if one.path == "/office/verify" and one.method == "GET")
    with lines_of_the_door() as lines:
        assert people[LOGINS[Role.DEALER]].get(office.path).status_code == 403
        assert people[NOBODY].get(office.path, headers={"Accept": "application/json"}).status_code == 401
    assert {one.path for one in lines} == {"/office/verify"}  # type: ignore[attr-defined]
    assert [(one.why, one.person) for one in lines] == [("not this role", LOGINS[Role.DEALER]), ("not signed in", None)]  # type: ignore[attr-defined]


def test_an_address_that_somebody_forgot_a_door_for_is_shut_for_everybody(
    room: Served, people: dict[str, Visitor]
) -> None:
    app = room.server.config.app
    app.add_api_route("/forgotten/{what}", lambda what: what)  # type: ignore[union-attr]
    for who in CALLERS:
        assert people[who].get("/forgotten/things").status_code == 403
