"""A person at the machine recovers an operator without the password: two names, and a mark that no one can hide."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cardroom.cli.app import app
from cardroom.cli.shared.authentication import confirmation_sentence, warn_about_single_operator
from cardroom.ledger import open_ledger
from cardroom.room.dual_control import SamePerson
from cardroom.room.site.events import DayOpenItemKind
from cardroom.room.site.recovery import BadAcknowledgment
from cardroom.room.user.permissions import HOUR, Role
from cardroom.room.user.registration import BadUser
from cardroom.room.user.sign_in import SignInFailed
from cardroom.service import CardRoom, verify
from tests.service.staff import CAGE, FIRST, HERE, SUPERVISOR, Both, hire, open_staff, password_of, signed_in, staffed
from tests.web.rooms import Served, served
from tests.web.users import visit

DAY = 24 * HOUR


class Wall:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_780_000_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


@pytest.fixture
def wall() -> Wall:
    return Wall()


@pytest.fixture
def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path}/room.db"


@pytest.fixture
def card_room(url: str, wall: Wall) -> Iterator[CardRoom]:
    with open_ledger(url, clock=wall) as ledger:
        made = CardRoom(ledger, wall)
        open_staff(made)
        yield made


def recover(card_room: CardRoom, first: str = "Ann Lee", second: str = "Bo Ray", login: str = FIRST) -> str:
    return card_room.recover_operator(f"lost/{first}/{second}", login, first, second, "room").one_time_password


def test_the_operator_gets_a_one_time_password_and_every_session_ends(card_room: CardRoom) -> None:
    token = signed_in(card_room, FIRST)
    for _ in range(3):
        with pytest.raises(SignInFailed):
            card_room.sign_in(FIRST, "forgotten", HERE)
    once = recover(card_room)
    assert card_room.find_session(token) is None
    with pytest.raises(SignInFailed):
        card_room.sign_in(FIRST, password_of(FIRST), HERE)
    assert card_room.sign_in(FIRST, once, HERE).session.must_change_password


@pytest.mark.parametrize(
    ("first", "second"), [("Ann Lee", "ann lee."), ("Ann Lee", ""), ("", "Bo Ray"), (".", "Bo Ray")]
)
def test_one_person_under_two_names_or_none_recovers_no_one(card_room: CardRoom, first: str, second: str) -> None:
    before = card_room.ledger.chain_lengths()
    with pytest.raises(Exception, match=r"Two people must recover|is missing|is not a name"):
        recover(card_room, first, second)
    assert card_room.ledger.chain_lengths() == before


def test_only_an_operator_is_recovered_at_the_machine(card_room: CardRoom) -> None:
    with pytest.raises(BadUser):
        recover(card_room, login="dora")


def test_the_mark_stays_in_the_day_and_in_verify_for_good(card_room: CardRoom, url: str, wall: Wall) -> None:
    card_room.open_day("open", FIRST)
    recover(card_room)
    assert [one.of for one in card_room.list_open_items() if one.what is DayOpenItemKind.RECOVERY] == [FIRST]
    closed = card_room.close_day("close", FIRST)
    assert any(one.what is DayOpenItemKind.RECOVERY and "Ann Lee and Bo Ray" in one.words for one in closed.open)
    wall.now += 31 * DAY
    assert not card_room.list_open_recoveries()
    report = verify(url)
    assert report.is_consistent
    assert len(report.recoveries) == 1
    assert "Present: Ann Lee and Bo Ray" in report.recoveries[0]


def test_the_notice_goes_when_two_operators_have_acknowledged_it(card_room: CardRoom, url: str) -> None:
    recover(card_room)
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    hire(card_room, "ona", Role.OPERATOR, second="sam")
    card_room.acknowledge_recovery("1", "otto", FIRST)
    with pytest.raises(BadAcknowledgment, match="otto has already acknowledged it"):
        card_room.acknowledge_recovery("2", "otto", FIRST)
    assert len(card_room.list_open_recoveries()) == 1
    card_room.acknowledge_recovery("3", "ona", FIRST)
    assert not card_room.list_open_recoveries()
    with pytest.raises(BadAcknowledgment, match="no open notice"):
        card_room.acknowledge_recovery("4", "ona", FIRST)
    assert "Acknowledged by otto and ona" in verify(url).recoveries[0]


def test_one_person_who_recovers_every_operator_acknowledges_no_recovery(card_room: CardRoom, wall: Wall) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    wall.now += 8 * DAY
    for login in (FIRST, "otto"):
        once = recover(card_room, f"Ann of {login}", "Bo Ray", login)
        card_room.choose_password(
            card_room.sign_in(login, once, HERE).session, once, f"chosen by the thief as {login}", HERE
        )
    before = card_room.ledger.chain_lengths()
    for who in (FIRST, "otto"):
        for login in (FIRST, "otto"):
            with pytest.raises(BadAcknowledgment, match=f"{who} was recovered at the machine too"):
                card_room.acknowledge_recovery(f"{who}/{login}", who, login)
    assert card_room.ledger.chain_lengths() == before
    assert len(card_room.list_open_recoveries()) == 2


def test_an_operator_is_not_recovered_at_the_machine_while_another_one_signs_in(
    card_room: CardRoom, wall: Wall
) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    before = card_room.ledger.chain_lengths()
    with pytest.raises(BadUser, match=f"otto signed in .*: ask otto and a second person to recover {FIRST}"):
        recover(card_room)
    assert card_room.ledger.chain_lengths() == before
    wall.now += 8 * DAY
    with pytest.raises(SignInFailed):
        card_room.sign_in("otto", "forgotten, too", HERE)
    recover(card_room)
    recover(card_room, login="otto", first="Cy Orr")
    assert [one.login for one in card_room.list_open_recoveries()] == [FIRST, "otto"]


def test_an_operator_who_was_deactivated_keeps_no_one_from_being_recovered(card_room: CardRoom) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    Both(card_room).deactivate_user("bye", FIRST, "otto", "left", second="sam")
    recover(card_room)


def test_the_page_refuses_an_operator_who_would_acknowledge_the_own_recovery(tmp_path: Path) -> None:
    with served(tmp_path) as room:
        staffed(room.card_room)
        once = recover(room.card_room)
        session = room.card_room.sign_in(FIRST, once, HERE).session
        room.card_room.choose_password(session, once, password_of(FIRST), HERE)
        operator, address = visit(room, FIRST), f"/office/users/{FIRST}/acknowledge"
        assert "Your own recovery at the machine" in operator.get(address).text
        operator.sends(address, id="c0" * 16)
        assert not room.card_room.list_open_recoveries()[0].acknowledged


def test_a_mark_that_is_taken_out_of_the_books_is_found(card_room: CardRoom, url: str, tmp_path: Path) -> None:
    recover(card_room)
    with sqlite3.connect(tmp_path / "room.db") as books:
        for (trigger,) in books.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            books.execute(f'DROP TRIGGER "{trigger}"')
        books.execute("PRAGMA foreign_keys = OFF")
        assert books.execute("DELETE FROM events WHERE kind = 'operator-recovered'").rowcount == 1
    assert not verify(url).is_consistent


def test_every_office_page_shows_the_notice_and_the_warning_about_one_operator(tmp_path: Path) -> None:
    with served(tmp_path) as room:
        staffed(room.card_room)
        recover(room.card_room)
        supervisor = visit(room, SUPERVISOR)
        for page in ("/office", "/office/tables", "/office/players", "/office/room", "/office/no-such-page"):
            text = supervisor.get(page).text
            assert "received a new password at the machine" in text, page
            assert "Present: Ann Lee and Bo Ray" in text, page
            assert "Only one operator can sign in." in text, page
        assert visit(room, CAGE).get(f"/office/users/{FIRST}/acknowledge").status_code == 403
        hire(room.card_room, "otto", Role.OPERATOR, second="sam")
        hire(room.card_room, "ona", Role.OPERATOR, second="sam")
        acknowledge(room, "otto")
        assert "received a new password at the machine" in supervisor.get("/office").text
        acknowledge(room, "ona")
        text = supervisor.get("/office").text
        assert "received a new password at the machine" not in text
        assert "Only one operator can sign in." not in text


def acknowledge(room: Served, login: str) -> None:
    operator = visit(room, login)
    address = f"/office/users/{FIRST}/acknowledge"
    assert "was recovered at the machine" in operator.get(address).text
    assert operator.sends(address, id=(login.encode().hex() * 8)[:32]).status_code == 303


def test_a_server_warns_at_each_start_until_there_are_two_operators(
    card_room: CardRoom, caplog: pytest.LogCaptureFixture
) -> None:
    warn_about_single_operator(card_room)
    assert "Only one operator can sign in: add a second one now" in caplog.text
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    caplog.clear()
    warn_about_single_operator(card_room)
    assert not caplog.text


SENTENCE = confirmation_sentence(FIRST)


@pytest.mark.parametrize(
    ("typed", "says"),
    [
        (["Ann Lee", "Ann Leigh"], "The two entries of the name differ"),
        (["Ann Lee", "Ann Lee", "ann lee", "ann lee"], "Recovering an operator needs two people"),
        (["Ann Lee", "Ann Lee", "Bo Ray", "Bo Ray", "yes"], "The sentence is wrong"),
        (["Ann Lee", "Ann Lee"], "is missing: nothing was changed"),
    ],
)
def test_the_command_refuses_what_two_people_did_not_type(
    card_room: CardRoom, url: str, typed: list[str], says: str
) -> None:
    before = card_room.ledger.chain_lengths()
    result = CliRunner().invoke(app, ["user", "recover-operator", FIRST, "--database", url], input="\n".join(typed))
    assert result.exit_code == 2
    assert says in " ".join(result.output.split())
    assert card_room.ledger.chain_lengths() == before


def test_the_command_prints_the_password_once_and_verify_names_it(tmp_path: Path) -> None:
    books = f"sqlite:///{tmp_path}/room.db"
    with open_ledger(books) as ledger:
        made = CardRoom(ledger)
        open_staff(made)
    typed = "\n".join(["Ann Lee", "Ann Lee", "Bo Ray", "Bo Ray", SENTENCE])
    result = CliRunner().invoke(app, ["user", "recover-operator", FIRST, "--database", books], input=typed)
    assert result.exit_code == 0, result.output
    once = result.stdout.split()[-1]
    with open_ledger(books) as ledger:
        again = CardRoom(ledger)
        assert again.sign_in(FIRST, once, HERE).session.must_change_password
        (recovery,) = again.list_open_recoveries()
        assert (recovery.first, recovery.other) == ("Ann Lee", "Bo Ray")
        assert recovery.account
    payload = CliRunner().invoke(app, ["verify", "--database", books])
    assert "Recovered at the machine: olga" in " ".join(payload.stdout.split())


def test_a_name_typed_twice_by_one_person_is_refused_on_the_floor_too(card_room: CardRoom) -> None:
    with pytest.raises(SamePerson):
        recover(card_room, "Ann Lee", "Ann  LEE")
