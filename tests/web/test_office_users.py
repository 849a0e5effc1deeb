"""Users in the office: listed, added by two people, recovered, deactivated; and the sign-in log."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from pathlib import Path
from typing import Final

import pytest

from cardroom.chart_of_accounts import Currency
from cardroom.room.user.permissions import Role
from cardroom.service.chains.names import user_chain
from tests.service.staff import (
    AUDITOR,
    CAGE,
    DEALER,
    FIRST,
    LOGINS,
    OPERATOR,
    PLAYER,
    SUPERVISOR,
    SURVEILLANCE,
    hire,
    password_of,
    staffed,
)
from tests.web import rooms
from tests.web.rooms import ServedRoom, new_id, serve_room
from tests.web.test_office_actions import find_refusals
from tests.web.users import Visitor, add_signature, visit

ONCE: Final = re.compile(r'<code class="once">([a-z0-9]{4}(?:-[a-z0-9]{4}){3})</code>')


@pytest.fixture(scope="module")
def room(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServedRoom]:
    with serve_room(tmp_path_factory.mktemp("users")) as room:
        staffed(room.card_room)
        yield room


@pytest.fixture(scope="module")
def operator(room: ServedRoom) -> Visitor:
    return visit(room, OPERATOR)


def test_every_user_is_listed_with_role_state_and_sessions(room: ServedRoom, operator: Visitor) -> None:
    page = operator.get("/office/users").text
    for role, login in LOGINS.items():
        assert (f">{login}</a></th>" in page) is (role is not Role.PLAYER)
    assert f">{PLAYER}</a></th>" in operator.get("/office/users?players=too").text
    assert re.search(r"olga</a></th>.*?operator</td><td[^>]*>active</td><td[^>]*>[1-5]</td>", page)


def test_two_people_add_a_user_and_the_password_is_shown_once(room: ServedRoom, operator: Visitor) -> None:
    typed = add_signature(SUPERVISOR, id="a" * 32, role="dealer", login="rosa-d", name="Rosa Diaz")
    created = operator.send_form("/office/users/new", typed)
    assert created.status_code == 200
    (once,) = ONCE.findall(created.text)
    assert created.headers["cache-control"] == "no-store"
    again = operator.send_form("/office/users/new", typed)  # on a reload, the browser sends the form again
    assert again.status_code == 200
    assert not ONCE.findall(again.text)
    assert once not in again.text
    assert "has a one-time password" in operator.get("/office/users/log?person=rosa-d").text
    assert once not in operator.get("/office/users/log").text
    assert once not in str([event.payload for event in room.card_room.ledger.events(user_chain("rosa-d"))])
    with Visitor(room.url) as rosa:
        assert rosa.sign_in("rosa-d", once).headers["location"] == "/account/password"


def test_a_new_user_needs_a_second_person_and_an_unused_login(room: ServedRoom, operator: Visitor) -> None:
    typed = {"role": "dealer", "login": "tom", "name": "Tom"}
    before = room.card_room.ledger.chain_lengths("user:")
    alone = operator.send_form("/office/users/new", typed)
    assert alone.status_code == 422
    taken = operator.send_form("/office/users/new", add_signature(SUPERVISOR, role="cage", login="ca-rl", name="Carl"))
    assert "carl" in find_refusals(taken)["login"]
    player = operator.send_form("/office/users/new", add_signature(SUPERVISOR, role="player", login="pit", name="Pit"))
    assert set(find_refusals(player)) == {"role"}
    by_dealer = operator.send_form("/office/users/new", add_signature(DEALER, **typed))
    assert set(find_refusals(by_dealer)) == {"second"}
    assert set(room.card_room.ledger.chain_lengths("user:")) == set(before)


def test_changing_a_role_ending_a_session_and_deactivating_a_user(room: ServedRoom, operator: Visitor) -> None:
    hire(room.card_room, "wim", Role.DEALER)
    wim = visit(room, "wim")
    assert wim.get("/dealer").status_code == 200
    form = operator.get("/office/users/wim/end-session").text
    session = re.findall(r'<option value="([0-9a-f]{64})"', form)[0]
    assert 'name="second"' not in form
    assert 'type="password"' not in form
    ended = operator.send_form("/office/users/wim/end-session", session=session, why="left it open")
    assert ended.status_code == 303
    assert wim.get("/dealer").status_code == 303
    other = operator.send_form("/office/users/wim/role", add_signature(SUPERVISOR, role="cage"))
    assert other.status_code == 303
    assert room.card_room.user("wim").role is Role.CAGE
    gone = operator.send_form("/office/users/wim/dismiss", add_signature(SUPERVISOR, why="moved away"))
    assert gone.status_code == 303
    assert "deactivated: moved away" in operator.get("/office/users").text
    assert operator.get("/office/users/wim/recover").status_code == 409


def test_a_user_cannot_decide_about_the_own_login(operator: Visitor) -> None:
    for action in ("recover", "role", "dismiss", "end-session"):
        page = operator.get(f"/office/users/{OPERATOR}/{action}")
        assert page.status_code == 409


def test_the_log_lists_sign_ins_and_signatures_newest_first_page_by_page(room: ServedRoom, operator: Visitor) -> None:
    for number in range(60):
        room.card_room.users.sign_in(DEALER, password_of(DEALER), f"10.0.0.{number}")
    first = operator.get(f"/office/users/log?person={DEALER}").text
    assert first.index("Signed in at 10.0.0.59") < first.index("Signed in at 10.0.0.58")
    assert "10.0.0.1." not in first
    (earlier,) = re.findall(r'href="(/office/users/log\?person=[^"]*before=[^"]*)">Earlier', first)
    assert "Signed in at 10.0.0.1." in operator.get(unescape(earlier)).text
    all_users = visit(room, SURVEILLANCE).get("/office/users/log").text
    assert re.search(r">dora</a>.*10\.0\.0\.59", all_users)
    assert "Signed as the second person with olga" in operator.get(
        f"/office/users/log?person={SUPERVISOR}"
    ).text.replace("'", "&#39;")
    assert operator.get("/office/users/log?person=nobody-here").status_code == 404


def test_pages_offer_only_permitted_actions(room: ServedRoom, operator: Visitor) -> None:
    cage, auditor = visit(room, CAGE), visit(room, AUDITOR)
    links = {who: re.findall(r'<a href="(/office[^"]*)"[^>]*>', who.get("/office").text) for who in (operator, cage)}
    assert "/office/users" in links[operator]
    assert "/office/users" not in links[cage]
    assert "/office/ledger" not in links[cage]
    assert "/office/users/new" in operator.get("/office/users").text
    assert "/office/users/new" not in auditor.get("/office/users").text
    assert "/pay-in" in cage.get(f"/office/players/{PLAYER}").text
    assert "/pay-in" not in operator.get(f"/office/players/{PLAYER}").text
    assert "/office/day/open" not in auditor.get("/office").text
    for who in (cage, auditor, operator):
        for page in ("/office", "/office/players", "/office/jackpots", "/office/tables", "/office/room"):
            for to in re.findall(r'href="(/office[^"#?]*)', who.get(page).text):
                assert who.get(to).status_code != 403, (who.login, page, to)


def test_a_player_gets_a_login_on_the_players_own_page(room: ServedRoom) -> None:
    room.card_room.players.admit_player(new_id(), CAGE, "ann-lee", Currency.PLAY)
    cage = visit(room, CAGE)
    assert "/office/players/ann-lee/sign-in" in cage.get("/office/players/ann-lee").text
    created = cage.send_form("/office/players/ann-lee/sign-in", add_signature(SUPERVISOR, id="c" * 32, name="Ann Lee"))
    (once,) = ONCE.findall(created.text)
    assert room.card_room.users.sign_in("ann-lee", once, "127.0.0.1").session.role is Role.PLAYER
    assert cage.get("/office/players/ann-lee/sign-in").status_code == 409
    another = cage.send_form("/office/players/ann-lee/recover", add_signature(SUPERVISOR, id="d" * 32))
    assert ONCE.findall(another.text) != [once]
    assert cage.send_form("/office/players/nobody-here/sign-in", add_signature(SUPERVISOR)).status_code == 404


def test_one_person_alone_adds_one_user_for_each_role_on_a_demo_server(folder: Path) -> None:
    with serve_room(folder, replace(rooms.QUICK, demo=True)) as room, Visitor(room.url) as first:
        password = password_of(FIRST)
        typed = {"login": FIRST, "name": "Olga Ortiz", "password": password, "again": password, "id": "e" * 32}
        assert first.post("/first", data=typed).headers["location"] == "/office"
        first.form = re.findall(r'data-form="([0-9a-f]{64})"', first.get("/account").text)[0]
        page = first.get("/office/users/one-of-each").text
        assert "You sign alone" in page
        assert "second-password" not in page
        created = first.send_form("/office/users/one-of-each", id="f" * 32)
        passwords = ONCE.findall(created.text)
        assert len(set(passwords)) == 5
        assert sorted(room.card_room.users.list_users()) == [
            "auditor",
            "cage",
            "dealer",
            "olga",
            "supervisor",
            "surveillance",
        ]
        room.card_room.users.sign_in("dealer", passwords[0], "127.0.0.1")
        assert first.send_form("/office/users/one-of-each", id="f" * 32).status_code == 409
        assert "one-of-each" not in first.get("/office/users").text


def test_only_a_demo_server_adds_one_user_for_each_role(room: ServedRoom, operator: Visitor) -> None:
    assert operator.get("/office/users/one-of-each").status_code == 409
