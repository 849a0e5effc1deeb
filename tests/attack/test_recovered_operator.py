"""Two people at the machine recover an operator who lost the password. The record of the recovery stays visible."""

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
from tests.web.rooms import ServedRoom, serve_room
from tests.web.users import visit

DAY = 24 * HOUR


class ManualClock:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1_780_000_000_000_000

    def __call__(self) -> int:
        self.now += 1
        return self.now


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
        yield card_room


def recover(card_room: CardRoom, first: str = "Ann Lee", second: str = "Bo Ray", login: str = FIRST) -> str:
    return card_room.users.recover_operator(f"lost/{first}/{second}", login, first, second, "room").one_time_password


def test_the_operator_gets_a_one_time_password_and_every_session_ends(card_room: CardRoom) -> None:
    token = signed_in(card_room, FIRST)
    for _ in range(3):
        with pytest.raises(SignInFailed):
            card_room.users.sign_in(FIRST, "forgotten", HERE)
    one_time_password = recover(card_room)
    assert card_room.users.find_session(token) is None
    with pytest.raises(SignInFailed):
        card_room.users.sign_in(FIRST, password_of(FIRST), HERE)
    assert card_room.users.sign_in(FIRST, one_time_password, HERE).session.must_change_password


@pytest.mark.parametrize(
    ("first", "second"), [("Ann Lee", "ann lee."), ("Ann Lee", ""), ("", "Bo Ray"), (".", "Bo Ray")]
)
def test_a_recovery_needs_the_names_of_two_different_people(card_room: CardRoom, first: str, second: str) -> None:
    before = card_room.ledger.chain_lengths()
    with pytest.raises(Exception, match=r"Two people must recover|is missing|is not a name"):
        recover(card_room, first, second)
    assert card_room.ledger.chain_lengths() == before


def test_only_an_operator_is_recovered_at_the_machine(card_room: CardRoom) -> None:
    with pytest.raises(BadUser):
        recover(card_room, login="dora")


def test_a_recovery_stays_in_the_day_report_and_in_verify_permanently(
    card_room: CardRoom, url: str, clock: ManualClock
) -> None:
    card_room.days.open("open", FIRST)
    recover(card_room)
    assert [item.of for item in card_room.days.list_open_items() if item.what is DayOpenItemKind.RECOVERY] == [FIRST]
    closed = card_room.days.close("close", FIRST)
    assert any(item.what is DayOpenItemKind.RECOVERY and "Ann Lee and Bo Ray" in item.words for item in closed.open)
    clock.now += 31 * DAY
    assert not card_room.users.list_open_recoveries()
    report = verify(url)
    assert report.is_consistent
    assert len(report.recoveries) == 1
    assert "Present: Ann Lee and Bo Ray" in report.recoveries[0]


def test_the_notice_closes_when_two_operators_have_acknowledged_it(card_room: CardRoom, url: str) -> None:
    recover(card_room)
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    hire(card_room, "ona", Role.OPERATOR, second="sam")
    card_room.users.acknowledge_recovery("1", "otto", FIRST)
    with pytest.raises(BadAcknowledgment, match="otto has already acknowledged it"):
        card_room.users.acknowledge_recovery("2", "otto", FIRST)
    assert len(card_room.users.list_open_recoveries()) == 1
    card_room.users.acknowledge_recovery("3", "ona", FIRST)
    assert not card_room.users.list_open_recoveries()
    with pytest.raises(BadAcknowledgment, match="no open notice"):
        card_room.users.acknowledge_recovery("4", "ona", FIRST)
    assert "Acknowledged by otto and ona" in verify(url).recoveries[0]


def test_a_recovered_operator_cannot_acknowledge_any_recovery(card_room: CardRoom, clock: ManualClock) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    clock.now += 8 * DAY
    for login in (FIRST, "otto"):
        one_time_password = recover(card_room, f"Ann of {login}", "Bo Ray", login)
        card_room.users.choose_password(
            card_room.users.sign_in(login, one_time_password, HERE).session,
            one_time_password,
            f"chosen by the thief as {login}",
            HERE,
        )
    before = card_room.ledger.chain_lengths()
    for who in (FIRST, "otto"):
        for login in (FIRST, "otto"):
            with pytest.raises(BadAcknowledgment, match=f"{who} was recovered at the machine too"):
                card_room.users.acknowledge_recovery(f"{who}/{login}", who, login)
    assert card_room.ledger.chain_lengths() == before
    assert len(card_room.users.list_open_recoveries()) == 2


def test_an_operator_is_not_recovered_at_the_machine_while_another_operator_can_sign_in(
    card_room: CardRoom, clock: ManualClock
) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    before = card_room.ledger.chain_lengths()
    with pytest.raises(BadUser, match=f"otto signed in .*: ask otto and a second person to recover {FIRST}"):
        recover(card_room)
    assert card_room.ledger.chain_lengths() == before
    clock.now += 8 * DAY
    with pytest.raises(SignInFailed):
        card_room.users.sign_in("otto", "forgotten, too", HERE)
    recover(card_room)
    recover(card_room, login="otto", first="Cy Orr")
    assert [recovery.login for recovery in card_room.users.list_open_recoveries()] == [FIRST, "otto"]


def test_a_deactivated_operator_does_not_prevent_a_recovery(card_room: CardRoom) -> None:
    hire(card_room, "otto", Role.OPERATOR, second="sam")
    Both(card_room).users.deactivate("bye", FIRST, "otto", "left", second="sam")
    recover(card_room)


def test_the_page_does_not_let_operators_acknowledge_their_own_recovery(tmp_path: Path) -> None:
    with serve_room(tmp_path) as room:
        staffed(room.card_room)
        one_time_password = recover(room.card_room)
        session = room.card_room.users.sign_in(FIRST, one_time_password, HERE).session
        room.card_room.users.choose_password(session, one_time_password, password_of(FIRST), HERE)
        operator, address = visit(room, FIRST), f"/office/users/{FIRST}/acknowledge"
        assert "Your own recovery at the machine" in operator.get(address).text
        operator.send_form(address, id="c0" * 16)
        assert not room.card_room.users.list_open_recoveries()[0].acknowledged


def test_verify_detects_a_recovery_that_was_deleted_from_the_ledger(
    card_room: CardRoom, url: str, tmp_path: Path
) -> None:
    recover(card_room)
    with sqlite3.connect(tmp_path / "room.db") as database:
        for (trigger,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            database.execute(f'DROP TRIGGER "{trigger}"')
        database.execute("PRAGMA foreign_keys = OFF")
        assert database.execute("DELETE FROM events WHERE kind = 'operator-recovered'").rowcount == 1
    assert not verify(url).is_consistent


def test_every_office_page_shows_the_notice_and_the_warning_about_one_operator(tmp_path: Path) -> None:
    with serve_room(tmp_path) as room:
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


def acknowledge(room: ServedRoom, login: str) -> None:
    operator = visit(room, login)
    address = f"/office/users/{FIRST}/acknowledge"
    assert "was recovered at the machine" in operator.get(address).text
    assert operator.send_form(address, id=(login.encode().hex() * 8)[:32]).status_code == 303


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
    ("typed", "message"),
    [
        (["Ann Lee", "Ann Leigh"], "The two entries of the name differ"),
        (["Ann Lee", "Ann Lee", "ann lee", "ann lee"], "Recovering an operator needs two people"),
        (["Ann Lee", "Ann Lee", "Bo Ray", "Bo Ray", "yes"], "The sentence is wrong"),
        (["Ann Lee", "Ann Lee"], "is missing: nothing was changed"),
    ],
)
def test_the_command_refuses_a_recovery_that_two_people_did_not_confirm(
    card_room: CardRoom, url: str, typed: list[str], message: str
) -> None:
    before = card_room.ledger.chain_lengths()
    result = CliRunner().invoke(app, ["user", "recover-operator", FIRST, "--database", url], input="\n".join(typed))
    assert result.exit_code == 2
    assert message in " ".join(result.output.split())
    assert card_room.ledger.chain_lengths() == before


def test_the_command_prints_the_password_once_and_verify_shows_the_recovery(tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path}/room.db"
    with open_ledger(database) as ledger:
        open_staff(CardRoom(ledger))
    typed = "\n".join(["Ann Lee", "Ann Lee", "Bo Ray", "Bo Ray", SENTENCE])
    result = CliRunner().invoke(app, ["user", "recover-operator", FIRST, "--database", database], input=typed)
    assert result.exit_code == 0, result.output
    one_time_password = result.stdout.split()[-1]
    with open_ledger(database) as ledger:
        card_room = CardRoom(ledger)
        assert card_room.users.sign_in(FIRST, one_time_password, HERE).session.must_change_password
        (recovery,) = card_room.users.list_open_recoveries()
        assert (recovery.first, recovery.other) == ("Ann Lee", "Bo Ray")
        assert recovery.account
    report = CliRunner().invoke(app, ["verify", "--database", database])
    assert "Recovered at the machine: olga" in " ".join(report.stdout.split())


def test_two_spellings_of_one_name_count_as_one_person(card_room: CardRoom) -> None:
    with pytest.raises(SamePerson):
        recover(card_room, "Ann Lee", "Ann  LEE")
