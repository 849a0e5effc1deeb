"""Every address, walked as every role, as a guest, as a player whose session is locked, and as no user: who gets in is
who the table of permissions says.

An address without a door, and a door without an address, fail here: the user who adds the one adds the other.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from typing import Final

import httpx
import pytest
from fastapi.routing import iter_route_contexts
from starlette.routing import compile_path
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from cardroom.chart_of_accounts import Currency
from cardroom.room.user.permissions import PERMISSIONS, Role, has_permission
from cardroom.room.user.sign_in import UserSession
from cardroom.web.devices import DeviceLimits
from cardroom.web.middleware.permissions import (
    API,
    ROUTE_PERMISSIONS,
    SESSION_COOKIE,
    RoutePermission,
    find_route_permission,
)
from cardroom.web.middleware.rate_limits import TokenBuckets
from cardroom.web.page_routes import LIVE_PAGES, PERSONAL_LIVE_PAGES
from tests.deadline import LIMIT
from tests.service.staff import FIRST, HERE, LOGINS, PLAYER, SUPERVISOR, Both, hire, password_of, staffed
from tests.web.rooms import FREE, QUICK, ServedRoom, serve_room
from tests.web.users import Visitor, visit
from tests.web.walk import NOWHERE, Address, build_body, fill_address, list_addresses, list_socket_paths

GUEST: Final = "a guest"
NO_USER: Final = "nobody"
LOCKED: Final = "a player whose session is locked"
MUST_CHOOSE: Final = "a player who has yet to choose a password"
PERSONS: Final = {LOCKED: PLAYER, MUST_CHOOSE: "petra"}
ONCE: Final = dict[str, str]()
"""Passwords for one time, by login."""
SUSPENDED: Final = {LOCKED: "/unlock", MUST_CHOOSE: "/account/password"}
"""Whose session does nothing until the person has been at a page. Each also sends a guest's token that is no token."""
NEWCOMER: Final = "nora"
"""Who signs in where others do so too: of sessions of their own, people have only a few."""
CALLERS: Final = (*LOGINS.values(), GUEST, NO_USER, *SUSPENDED)
ROLES: Final = {login: role for role, login in LOGINS.items()}
UNLOCK: Final = f"{API}/sessions/unlock"
BY_TOKEN: Final = (f"{API}/sessions", UNLOCK)
"""A program names the session by its token."""
ENDS: Final = ("/sign-in", "/first", "/sign-out", "/lock", "/account/password", "/unlock", f"{API}/sessions", UNLOCK)
"""Where a session may end, or begin: the user who calls has one of their own for it."""
ONLY_ASKS: Final = ("/tables/{table}/check",)
"""What a page asks without changing anything: it needs no form."""


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("doors"), replace(QUICK, demo=True)) as room:
        hire(staffed(room.card_room), NEWCOMER, Role.DEALER)
        new = PERSONS[MUST_CHOOSE]
        room.card_room.players.admit_player("staff/account", FIRST, new, Currency.PLAY)
        register = Both(room.card_room).users.add
        ONCE[new] = register("staff/once", FIRST, new, "Petra", Role.PLAYER, second=SUPERVISOR).one_time_password
        # So many calls and refusals come from here in seconds as from a whole room in hours.
        room.server.config.app.state.fair_queue.limits = DeviceLimits(per_second=1e6, burst=1e6)  # type: ignore[union-attr]
        room.context.rejection_log._lines = TokenBuckets(FREE)
        yield room


@pytest.fixture(scope="module")
def people(room: ServedRoom) -> dict[str, Visitor]:
    """Everybody who calls, each signed in once."""
    there = {login: visit(room, login) for login in LOGINS.values()}
    there[GUEST], there[NO_USER] = Visitor(room.url), Visitor(room.url)
    there[GUEST].cookies.set("cardroom_token", room.admit_guest().token)
    room.visitors += [there[GUEST], there[NO_USER]]
    for who in SUSPENDED:
        there[who] = Visitor(room.url)
        suspend(room, there[who], who)
        room.visitors.append(there[who])
    return there


def suspend(room: ServedRoom, visitor: Visitor, who: str) -> UserSession:
    """Begin a session that is locked, or that began with a password for one time."""
    login = PERSONS[who]
    token, session = room.card_room.users.sign_in(login, password_for(login), HERE)
    if who == LOCKED:
        room.card_room.users.lock_session(session, "left alone")
    visitor.cookies.set(SESSION_COOKIE, token)
    visitor.cookies.set("cardroom_token", "junk")
    visitor.form, visitor.token = room.context.sessions.form_token(session), token
    return session


@pytest.fixture(scope="module")
def every_address(room: ServedRoom) -> list[Address]:
    return list(list_addresses(room.server.config.app))  # type: ignore[arg-type]


def passes(who: str, door: RoutePermission, path: str) -> bool:
    """Whether the table of permissions lets a user pass."""
    if door.permission is None:
        return False
    if who in SUSPENDED:
        if path in ("/sign-in", "/sign-out", f"{API}/sessions", SUSPENDED[who]) or (who, path) == (LOCKED, UNLOCK):
            return True
        return has_permission(None, door.permission) and path != "/me" and not path.startswith(API)
    if who == GUEST:
        return has_permission(None, door.permission) or (
            has_permission(Role.PLAYER, door.permission) and door.path != "/account" and _plays(door)
        )
    return has_permission(ROLES.get(who), door.permission)


def _plays(door: RoutePermission) -> bool:
    """A guest may do what players may, but has no account of the own to look after."""
    assert door.permission is not None
    return PERMISSIONS[door.permission].roles == {Role.PLAYER}


def password_for(login: str) -> str:
    return ONCE.get(login) or password_of(login)


@contextmanager
def another_session(room: ServedRoom, login: str, known: Visitor) -> Iterator[Visitor]:
    """A session that may end, at another browser; of sessions a person has only so many."""
    if login in SUSPENDED:
        with Visitor(room.url) as visitor:
            session = suspend(room, visitor, login)
            yield visitor
        room.card_room.users.end_session(session)
        room.context.sessions.forget(session.login)
        return
    if login not in ROLES:
        with Visitor(room.url) as visitor:
            visitor.cookies.update(known.cookies)
            yield visitor
        return
    token, session = room.card_room.users.sign_in(login, password_of(login), HERE)
    with Visitor(room.url) as visitor:
        visitor.cookies.set(SESSION_COOKIE, token)
        visitor.form, visitor.token = room.context.sessions.form_token(session), token
        yield visitor
    room.card_room.users.end_session(session)


def calls(visitor: Visitor, address: Address, who: str) -> httpx.Response:
    """What a user is answered who calls as the pages and programs do."""
    login = NEWCOMER if address.path in ("/sign-in", f"{API}/sessions") else PERSONS.get(who, who)
    said = build_body(address, login, password_for(login)) if address.method == "POST" else {}
    if address.is_page:
        if address.method == "GET":
            return visitor.get(address.path)
        return visitor.request(address.method, address.path, data={"form": visitor.form, "id": "0" * 32, **said})
    headers = {"Accept": "application/json"}
    if address.path in BY_TOKEN and visitor.token:
        headers["Authorization"] = f"Bearer {visitor.token}"
    return visitor.request(address.method, address.path, json=said or None, headers=headers)


def is_let_in(answer: httpx.Response) -> bool:
    """Whether the door was open, whatever came of the call."""
    led = answer.headers.get("location", "") if answer.request.method == "GET" else ""
    return answer.status_code not in (401, 403) and not led.startswith(("/sign-in?", "/unlock?", "/account/password?"))


def test_every_address_has_a_door_and_every_door_an_address(every_address: list[Address], room: ServedRoom) -> None:
    doors = {address: find_route_permission(address.method, address.path) for address in every_address}
    assert [address for address, door in doors.items() if door is None] == []
    used = {
        *doors.values(),
        *(find_route_permission("GET", path) for path in list_socket_paths(room.server.config.app)),
    }  # type: ignore[arg-type]
    unused = {door.path for door in ROUTE_PERMISSIONS if door not in used}
    assert unused == set()


def test_any_user_calls_gets_in_where_the_table_says_so_and_nowhere_else(
    room: ServedRoom, people: dict[str, Visitor], every_address: list[Address]
) -> None:
    wrong, walked = [], set()
    for who in CALLERS:
        for address in every_address:
            door = find_route_permission(address.method, address.path)
            assert door is not None
            spare = address.path in ENDS and address.method != "GET"
            with another_session(room, who, people[who]) if spare else nullcontext(people[who]) as visitor:
                answer = calls(visitor, address, who)
            walked.add((address, who))
            if is_let_in(answer) != passes(who, door, address.path):
                wrong.append((who, address.method, address.path, answer.status_code))
            if not passes(who, door, address.path) and door.permission is not None:
                signed_in = who in ROLES
                page = address.is_page and address.method == "GET" and not signed_in
                expected = 403 if signed_in else 303 if page else 401
                if answer.status_code != expected:
                    wrong.append((who, address.method, address.path, answer.status_code))
    assert not wrong, wrong
    assert len(walked) == len(set(every_address)) * len(CALLERS)


@pytest.mark.parametrize("who", CALLERS)
def test_the_line_of_an_open_page_is_as_shut_as_the_page(
    room: ServedRoom, people: dict[str, Visitor], who: str
) -> None:
    cookies = "; ".join(f"{name}={value}" for name, value in people[who].cookies.items())
    for path, _ in (*LIVE_PAGES, *PERSONAL_LIVE_PAGES):
        page = fill_address(path)
        door = find_route_permission("GET", page)
        assert door is not None
        address = f"{room.url.replace('http', 'ws')}/live?page={page}"
        with connect(address, origin=room.url, additional_headers={"Cookie": cookies}) as line:  # type: ignore[arg-type]
            try:
                line.recv(LIMIT)
                closed = 0
            except ConnectionClosed as over:
                closed = over.rcvd.code if over.rcvd else 0
        assert (closed not in (4401, 4403)) is passes(who, door, page), page


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
    room: ServedRoom, people: dict[str, Visitor], every_address: list[Address]
) -> None:
    forged = 0
    for address in every_address:
        door = find_route_permission(address.method, address.path)
        if not address.is_page or address.method == "GET" or address.route in ONLY_ASKS:
            continue
        assert door is not None
        who = next(login for login in LOGINS.values() if passes(login, door, address.path))
        visitor, before = people[who], room.card_room.ledger.chain_lengths("")
        elsewhere = {"Origin": "https://elsewhere.example"}
        for form, headers in (("", {}), ("0" * 64, {}), (visitor.form, elsewhere), (visitor.form, {"Origin": ""})):
            with lines_of_the_door() as lines:
                answer = visitor.request(address.method, address.path, data={"form": form}, headers=headers)
            assert answer.status_code == 403, (address, who, form)
            result = [(record.reason, record.person) for record in lines]  # type: ignore[attr-defined]
            assert result == [("a forged form", who)], address
            assert visitor.form not in str([vars(record) for record in lines])
        assert room.card_room.ledger.chain_lengths("") == before, address
        forged += 1
    assert forged == len({address for address in every_address if address.is_page and address.method != "GET"}) - len(
        ONLY_ASKS
    )


def test_a_refusal_at_the_door_is_logged_with_the_person_and_the_reason(
    people: dict[str, Visitor], every_address: list[Address]
) -> None:
    office = next(address for address in every_address if address.path == "/office/verify" and address.method == "GET")
    with lines_of_the_door() as lines:
        assert people[LOGINS[Role.DEALER]].get(office.path).status_code == 403
        assert people[NO_USER].get(office.path, headers={"Accept": "application/json"}).status_code == 401
    assert {record.path for record in lines} == {"/office/verify"}  # type: ignore[attr-defined]
    assert [(record.reason, record.person) for record in lines] == [
        ("role not permitted", LOGINS[Role.DEALER]),
        ("not signed in", None),
    ]  # type: ignore[attr-defined]


def test_an_address_that_some_user_forgot_a_door_for_is_shut_for_everybody(
    room: ServedRoom, people: dict[str, Visitor]
) -> None:
    app = room.server.config.app
    app.add_api_route("/forgotten/{what}", lambda what: what)  # type: ignore[union-attr]
    for who in CALLERS:
        assert people[who].get("/forgotten/things").status_code == 403


@pytest.mark.parametrize("end", ["%0A", "%0D%0A", "%00", "%7F", "%C2%85", "%E2%80%A8"])
def test_an_address_with_a_control_character_is_no_address_for_anyone(
    room: ServedRoom, people: dict[str, Visitor], every_address: list[Address], end: str
) -> None:
    """The router takes a line break at the end of an address for its end; the table of permissions would not."""
    wrong = []
    for who in (LOGINS[Role.AUDITOR], NO_USER):
        for address in every_address:
            answer = calls(people[who], address._replace(path=address.path + end), who)
            if answer.status_code != 404:
                wrong.append((who, address.method, address.path, answer.status_code))
    assert not wrong, wrong


def test_no_name_of_anything_leads_past_the_door_of_its_address(room: ServedRoom, every_address: list[Address]) -> None:
    """A jackpot, a table, or a promotion may have a name that is also a word of an address, such as "new"."""
    app = room.server.config.app
    routes = [
        (compile_path(route.path)[0], route.methods, route.path)
        for route in iter_route_contexts(app.routes)  # type: ignore[union-attr]
        if route.path and route.methods
    ]
    words = sorted({part for _, _, path in routes for part in path.split("/") if part and "{" not in part})
    wrong, met = set(), 0
    for address in every_address:
        parts = address.path.split("/")
        for place in (place for place, part in enumerate(parts) if part == NOWHERE):
            for word in words:
                path = "/".join([*parts[:place], word, *parts[place + 1 :]])
                taken = next(r for pattern, methods, r in routes if address.method in methods and pattern.match(path))
                if taken == address.route:
                    met += 1
                    if find_route_permission(address.method, path) != find_route_permission(
                        address.method, address.path
                    ):
                        wrong.add((address.method, path))
    assert met > 1_000
    assert not wrong, sorted(wrong)
