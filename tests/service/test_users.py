"""People who sign in: one way in, three tries, two people for what is dangerous, and nothing secret in the books."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from cardroom.errors import BadInput
from cardroom.ledger import open_ledger
from cardroom.room.dual_control import SamePerson, SecondPersonMissing
from cardroom.room.user.passwords import ARGON2ID, BadPassword, password_hash_digest
from cardroom.room.user.permissions import HOUR, MINUTE, PERMISSIONS, Permission, PermissionDenied, Role, has_permission
from cardroom.room.user.registration import BadUser, UsersExist
from cardroom.room.user.sign_in import NoSession, SignInFailed, WrongPin
from cardroom.service import CardRoom, verify
from cardroom.service.chain_descriptions import describe_event
from cardroom.service.chains.names import user_chain
from cardroom.service.commands.second_signature import SignaturePart, SignatureRequest
from tests.service.staff import FIRST, HERE, LOGINS, QUICK, Both, hire, open_staff, password_of, signed_in


class Wall:
    """A clock on the wall that tests set."""

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
        yield made


@pytest.fixture(scope="module")
def books_with_staff(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("staff") / "room.db"
    wall = Wall()
    with open_ledger(f"sqlite:///{file}", clock=wall) as ledger:
        made = CardRoom(ledger, wall)
        open_staff(made)
    return file


@pytest.fixture
def staffed(books_with_staff: Path, url: str, wall: Wall, tmp_path: Path) -> Iterator[CardRoom]:
    shutil.copy(books_with_staff, tmp_path / "room.db")
    wall.now += MINUTE
    with open_ledger(url, clock=wall) as ledger:
        made = CardRoom(ledger, wall)
        yield made


def test_every_right_has_a_line_in_the_one_table() -> None:
    assert set(PERMISSIONS) == set(Permission)
    assert all(one.roles for one in PERMISSIONS.values())


def test_no_role_can_do_everything_and_no_user_in_particular_can_only_look_on_and_come_in() -> None:
    for role in Role:
        assert not all(has_permission(role, right) for right in Permission), role
    assert {right for right in Permission if has_permission(None, right)} == {Permission.WATCH, Permission.SIGN_IN}


def test_a_room_has_one_first_operator_and_no_password_before(card_room: CardRoom) -> None:
    assert not card_room.users.has_users()
    with pytest.raises(SignInFailed):
        card_room.users.sign_in("admin", "admin", HERE)
    card_room.users.add_first_operator("1", "olga", "Olga Ortiz", "seven quiet owls")
    with pytest.raises(UsersExist):
        card_room.users.add_first_operator("2", "mallory", "Mallory", "eight quiet owls")
    assert card_room.users.sign_in("olga", "seven quiet owls", HERE).session.role is Role.OPERATOR


def test_three_wrong_passwords_in_a_row_lock_and_even_the_right_one_is_refused_then(staffed: CardRoom) -> None:
    for _ in range(3):
        with pytest.raises(SignInFailed):
            staffed.users.sign_in("dora", "not the password", HERE)
    with pytest.raises(SignInFailed):
        staffed.users.sign_in("dora", password_of("dora"), HERE)
    assert staffed.user("dora").locked_places == (HERE,)
    once = Both(staffed).users.recover("help", FIRST, "dora", second="sam").one_time_password
    assert staffed.users.sign_in("dora", once, HERE).session.must_change_password


def test_a_right_password_forgets_the_wrong_ones_before_it(staffed: CardRoom) -> None:
    for _ in range(3):
        for _ in range(2):
            with pytest.raises(SignInFailed):
                staffed.users.sign_in("dora", "not the password", HERE)
        signed_in(staffed, "dora")


@pytest.mark.parametrize("login", [FIRST, "dora"])
def test_a_lock_ends_after_half_an_hour_for_one_more_try_at_a_time(staffed: CardRoom, wall: Wall, login: str) -> None:
    for _ in range(3):
        with pytest.raises(SignInFailed):
            staffed.users.sign_in(login, "not the password", HERE)
    wall.now += 29 * MINUTE
    with pytest.raises(SignInFailed):
        signed_in(staffed, login)
    wall.now += 2 * MINUTE
    with pytest.raises(SignInFailed):
        staffed.users.sign_in(login, "not the password", HERE)
    with pytest.raises(SignInFailed):
        signed_in(staffed, login)
    wall.now += 31 * MINUTE
    assert signed_in(staffed, login)


def test_no_user_is_shown_whether_the_login_or_the_password_was_wrong(staffed: CardRoom) -> None:
    result = []
    for login in ("dora", "no-such-login"):
        with pytest.raises(SignInFailed) as refused:
            staffed.users.sign_in(login, "not the password", HERE)
        result.append(str(refused.value))
    assert result[0] == result[1]


def test_a_session_is_good_until_it_is_ended_or_its_time_is_over(staffed: CardRoom, wall: Wall) -> None:
    token, other = signed_in(staffed, "dora"), signed_in(staffed, "dora")
    session = staffed.users.find_session(token)
    assert session is not None
    assert (session.login, session.role, session.must_change_password) == ("dora", Role.DEALER, False)
    staffed.users.end_session(session)
    assert staffed.users.find_session(token) is None
    assert staffed.users.find_session(other) is not None
    wall.now += 13 * HOUR
    assert staffed.users.find_session(other) is None


@pytest.mark.parametrize("false", ["", "dora", "dora.s." + "A" * 43, "nobody.s." + "A" * 43, "dora.1.abc", "a" * 5000])
def test_a_token_that_the_room_did_not_give_is_no_users(staffed: CardRoom, false: str) -> None:
    assert staffed.users.find_session(false) is None


def test_another_persons_login_in_front_of_a_token_is_no_users(staffed: CardRoom) -> None:
    token = signed_in(staffed, "dora")
    assert staffed.users.find_session(token.replace("dora", "olga")) is None


def test_at_a_sixth_place_the_oldest_session_ends(staffed: CardRoom) -> None:
    tokens = [signed_in(staffed, "sam") for _ in range(6)]
    assert [staffed.users.find_session(one) is not None for one in tokens] == [False] + [True] * 5


def test_another_password_ends_every_other_session(staffed: CardRoom) -> None:
    here, elsewhere = signed_in(staffed, "dora"), signed_in(staffed, "dora")
    session = staffed.users.find_session(here)
    assert session is not None
    staffed.users.choose_password(session, password_of("dora"), "nine brass kettles", HERE)
    assert staffed.users.find_session(here) is not None
    assert staffed.users.find_session(elsewhere) is None
    with pytest.raises(SignInFailed):
        signed_in(staffed, "dora")
    assert staffed.users.sign_in("dora", "nine brass kettles", HERE)


def test_a_wrong_old_password_changes_nothing_and_counts_as_a_wrong_one(staffed: CardRoom) -> None:
    session = staffed.users.find_session(signed_in(staffed, "dora"))
    assert session is not None
    with pytest.raises(SignInFailed):
        staffed.users.choose_password(session, "a guess of mine", "nine brass kettles", HERE)
    assert staffed.user("dora").attempts_at(HERE).refused == 1
    assert signed_in(staffed, "dora")


@pytest.mark.parametrize("weak", ["short", "password1234", "aaaaaaaaaaaaaa", "dora dora dora", "x" * 201])
def test_a_password_that_would_be_guessed_is_refused(staffed: CardRoom, weak: str) -> None:
    session = staffed.users.find_session(signed_in(staffed, "dora"))
    assert session is not None
    with pytest.raises(BadPassword):
        staffed.users.choose_password(session, password_of("dora"), weak, HERE)
    assert signed_in(staffed, "dora")


def test_a_password_for_one_time_ends_after_three_days(staffed: CardRoom, wall: Wall) -> None:
    once = Both(staffed).users.add("new", FIRST, "nina", "Nina", Role.DEALER, second="sam").one_time_password
    wall.now += 73 * HOUR
    with pytest.raises(SignInFailed):
        staffed.users.sign_in("nina", once, HERE)


def test_a_locked_session_goes_on_with_the_pin_and_ends_at_the_third_wrong_one(staffed: CardRoom) -> None:
    token = signed_in(staffed, "dora")
    session = staffed.users.find_session(token)
    assert session is not None
    staffed.users.choose_pin(session, password_of("dora"), "4471", HERE)
    staffed.users.lock_session(session, "idle")
    locked = staffed.users.find_session(token)
    assert locked is not None
    assert locked.locked == "idle"
    with pytest.raises(WrongPin):
        staffed.users.unlock_session(locked, "4472", HERE)
    staffed.users.unlock_session(locked, "4471", HERE)
    open_again = staffed.users.find_session(token)
    assert open_again is not None
    assert not open_again.locked
    staffed.users.lock_session(session, "idle")
    for _ in range(2):
        with pytest.raises(WrongPin):
            staffed.users.unlock_session(session, "0000", HERE)
    with pytest.raises(NoSession):
        staffed.users.unlock_session(session, "0000", HERE)
    assert staffed.users.find_session(token) is None


def to_sign(login: str, beside: str = "carl") -> SignatureRequest:
    """What a user is asked to sign."""
    return SignatureRequest(
        SignaturePart.SECOND, login, beside, "slip-7", "9c" * 32, "Pay $20 to pat from the balance, slip 7."
    )


def test_a_second_person_signs_for_one_act_and_gets_no_session(staffed: CardRoom) -> None:
    before = staffed.user("sam").sessions
    Both(staffed).users.recover("help", FIRST, "dora", second="sam")
    assert staffed.user("sam").sessions == before


def test_a_signature_is_stored_with_its_command_and_not_before(staffed: CardRoom) -> None:
    asked = to_sign("sam")
    signature = staffed.users.countersign(asked, password_of("sam"), permission=Permission.PAY_PLAYERS, address=HERE)
    assert signature.request == asked
    stored = [event.command_id for event in staffed.ledger.events(user_chain("sam")) if event.kind == "countersigned"]
    assert asked.command not in stored
    Both(staffed).users.recover("help", FIRST, "dora", second="sam")
    event = list(staffed.ledger.events(user_chain("sam")))[-1]
    assert (event.kind, event.command_id, event.payload["command"]) == ("countersigned", "by olga/help", "by olga/help")


@pytest.mark.parametrize(
    ("login", "password", "beside", "fault"),
    [
        ("carl", password_of("carl"), "carl", SamePerson),
        ("vera", password_of("vera"), "carl", PermissionDenied),
        ("sam", "a wrong password", "carl", SignInFailed),
        ("nobody", "a wrong password", "carl", SignInFailed),
    ],
)
def test_a_second_person_who_may_not_or_cannot_sign_is_refused(
    staffed: CardRoom, login: str, password: str, beside: str, fault: type[BadInput]
) -> None:
    with pytest.raises(fault):
        staffed.users.countersign(to_sign(login, beside), password, permission=Permission.PAY_PLAYERS, address=HERE)


def test_wrong_passwords_of_a_second_person_lock_like_any_others(staffed: CardRoom) -> None:
    for _ in range(3):
        with pytest.raises(SignInFailed):
            staffed.users.countersign(to_sign("sam"), "guess", permission=Permission.PAY_PLAYERS, address=HERE)
    with pytest.raises(SignInFailed):
        signed_in(staffed, "sam")


def test_no_user_makes_a_second_person_alone(staffed: CardRoom) -> None:
    with pytest.raises(SecondPersonMissing):
        staffed.users.add("1", FIRST, "puppet", "Puppet", Role.SUPERVISOR)
    with pytest.raises(SecondPersonMissing):
        staffed.users.recover("2", FIRST, "sam")
    with pytest.raises(SecondPersonMissing):
        staffed.users.assign_role("3", FIRST, "dora", Role.SUPERVISOR)
    with pytest.raises(SecondPersonMissing):
        staffed.users.deactivate("4", FIRST, "sam", "in the way")
    with pytest.raises(SamePerson):
        Both(staffed).users.recover("5", FIRST, "sam", second=FIRST)
    with pytest.raises(BadUser):
        Both(staffed).users.recover("6", FIRST, "sam", second="sam")


def test_a_repeated_registration_does_not_tell_the_password_again(staffed: CardRoom) -> None:
    first = Both(staffed).users.add("same", FIRST, "nina", "Nina", Role.DEALER, second="sam")
    again = Both(staffed).users.add("same", FIRST, "nina", "Nina", Role.DEALER, second="sam")
    assert first.one_time_password
    assert not again.one_time_password
    assert staffed.users.sign_in("nina", first.one_time_password, HERE)


def test_some_user_dismissed_is_out_at_once_and_for_good(staffed: CardRoom) -> None:
    token = signed_in(staffed, "dora")
    Both(staffed).users.deactivate("bye", FIRST, "dora", "left the room", second="sam")
    assert staffed.users.find_session(token) is None
    with pytest.raises(SignInFailed):
        signed_in(staffed, "dora")
    with pytest.raises(BadUser):
        Both(staffed).users.recover("back", FIRST, "dora", second="sam")


@pytest.mark.parametrize("login", ["", "X", "Rosa", "guest-1", "the house", "demo", "d-ora", "pat", "a" * 41])
def test_a_login_that_is_none_or_reads_like_another_is_refused(staffed: CardRoom, login: str) -> None:
    before = staffed.users.list_users()
    with pytest.raises(BadInput):
        Both(staffed).users.add("1", FIRST, login, "Somebody", Role.DEALER, second="sam")
    assert staffed.users.list_users() == before


def test_everything_that_happened_to_people_is_whole_and_shown_in_sentences(staffed: CardRoom, url: str) -> None:
    hire(staffed, "nina", Role.DEALER, second="sam")
    Both(staffed).users.assign_role("up", FIRST, "nina", Role.SUPERVISOR, second="sam")
    Both(staffed).users.deactivate("bye", FIRST, "nina", "left", second="sam")
    result = [
        describe_event(event, str) for chain in staffed.ledger.chains("user:") for event in staffed.ledger.events(chain)
    ]
    assert len(result) > 20
    assert "Deactivated by olga and sam: left." in result
    assert verify(url).is_consistent


def test_no_password_pin_or_token_is_in_any_table_of_the_books(staffed: CardRoom, tmp_path: Path) -> None:
    token = signed_in(staffed, "dora")
    session = staffed.users.find_session(token)
    assert session is not None
    staffed.users.choose_pin(session, password_of("dora"), "447183", HERE)
    with sqlite3.connect(tmp_path / "room.db") as books:
        everything = "\n".join(books.iterdump())
    secret = token.rpartition(".")[2]
    for hidden in (secret, "447183", password_of("dora"), password_of(FIRST)):
        assert hidden not in everything
        assert hidden.encode().hex().upper() not in everything.upper()
    assert session.digest in everything


def test_a_password_that_a_database_administrator_puts_in_fits_no_user_and_is_found(
    staffed: CardRoom, url: str, tmp_path: Path
) -> None:
    seal, mine = staffed.user("dora").password, QUICK.hash("the administrator")
    with sqlite3.connect(tmp_path / "room.db") as books:
        changed = books.execute("UPDATE secrets SET value = ? WHERE name = ?", (mine.encode(), seal)).rowcount
    assert changed == 1
    with pytest.raises(SignInFailed):
        staffed.users.sign_in("dora", "the administrator", HERE)
    report = verify(url)
    assert not report.is_consistent
    assert "password hash of dora" in str(report)
    assert password_hash_digest(mine) != seal


def test_the_chain_of_a_person_is_found_by_the_login() -> None:
    assert user_chain(LOGINS[Role.CAGE]) == "user:carl"


def test_a_password_takes_the_same_work_to_compare_whether_there_is_a_login_or_not() -> None:
    kept = ARGON2ID.hash("three green dice")
    work = "$argon2id$v=19$m=65536,t=4,p=1$"
    assert kept.startswith(work)
    assert ARGON2ID.decoy.startswith(work)
    assert len(ARGON2ID.decoy) == len(kept)
    assert ARGON2ID.verify(kept, "three green dice")
    assert not ARGON2ID.verify(ARGON2ID.decoy, "three green dice")
