"""Who does it: somebody who is signed in, or who signs in for this one command; and who signs beside them.

The first operator of a room: nothing has a default password, so somebody chooses one before anything else.

Two people at the machine recover an operator who has lost the only password.

This is the one place where possession of the machine is enough: no one can sign in. So the names of two people, a
sentence, and the account of the machine stay in the books for good.

Who restores a backup: two people of the books that are in it.

The empty database knows nobody. So the backup is asked, which is only read: wrong passwords are not counted there. When
the books stand in their new place, both sign in there, and that is written down.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import typer

from cardroom.cli.shared import credentials as passwords
from cardroom.cli.shared import credentials as signed_here
from cardroom.errors import BadInput
from cardroom.ledger import LedgerDamaged, LedgerUnavailable, open_backup
from cardroom.room.dual_control import SecondPersonMissing, require_different_people, require_text, require_two_people
from cardroom.room.user.permissions import PERMISSIONS, Permission, countersign_error, has_permission, permission_error
from cardroom.room.user.sign_in import NoSession, UserSession, login_of_token
from cardroom.room.user.state import COMMAND_LINE, UserState
from cardroom.service import CardRoom
from cardroom.service.commands.signatures import Signature, SignaturePart, SignatureRequest, Signer
from cardroom.service.commands.users import UserCredentials

SESSION_VARIABLE: Final = "CARDROOM_SESSION"


class LoginMissing(BadInput):
    """A command that somebody has to answer for."""


class NoUsers(BadInput):
    """Books in which nobody could sign in."""


class WrongUser(BadInput):
    """A session that is not of the person who was named."""


class PasswordChangeRequired(BadInput):
    """Somebody whose password is for one time."""


def sign_in_place() -> str:
    """Where people sign in, as their chains tell it: the name is the operating system's, which nobody can type."""
    account = system_account()
    return f"{COMMAND_LINE} ({account})" if account else COMMAND_LINE


def system_account() -> str:
    """The account of this machine under which the command runs; empty where the system does not tell."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return ""


def no_users(card_room: CardRoom) -> NoUsers:
    """The sentence for books that have nobody."""
    return NoUsers(
        f"Nobody can sign in to {card_room.ledger.store.address} yet: `cardroom init` registers the first operator."
    )


@contextmanager
def open_reader_session(card_room: CardRoom, login: str | None, permission: Permission) -> Iterator[UserSession | None]:
    """Who looks. What everybody may see asks nobody, and books that have nobody yet have nobody to ask."""
    if PERMISSIONS[permission].is_public or not card_room.has_users():
        yield None
        return
    with open_session(card_room, login, permission) as session:
        yield session


@contextmanager
def open_session(
    card_room: CardRoom, by_login: str | None, permission: Permission, *, may_choose_password: bool = False
) -> Iterator[UserSession]:
    """A user who may do this. ``may_choose_password`` also admits users with a one-time password: they choose
    another one."""
    if not card_room.has_users():
        raise no_users(card_room)
    login = (by_login or "").strip()
    session = find_session(card_room, login)
    if session is not None:
        yield _check_session(card_room, session, permission, may_choose_password)
        return
    if not login:
        raise LoginMissing("Say who does this: sign in with `cardroom sign-in LOGIN`, or give --by LOGIN.")
    with open_temporary_session(card_room, login) as temporary:
        yield _check_session(card_room, temporary, permission, may_choose_password)


def find_session(card_room: CardRoom, login: str = "") -> UserSession | None:
    """The session that a script was given, or that began here; None where the person who is named has none."""
    if token := os.environ.get(SESSION_VARIABLE):
        session = card_room.find_session(token)
        if session is None:
            raise NoSession(f"The session in {SESSION_VARIABLE} has ended, or never was: sign in again.")
        if login not in ("", session.login):
            raise WrongUser(
                f"The session in {SESSION_VARIABLE} is of {session.login}, not of {login}: name one person."
            )
        return session
    token = signed_here.read_token(card_room.ledger)
    if token is None or login not in ("", login_of_token(token)):
        return None
    session = card_room.find_session(token)
    if session is None:
        signed_here.delete_token(card_room.ledger)
        if not login:
            raise NoSession(
                f"The session of {login_of_token(token)} has ended: sign in again with `cardroom sign-in LOGIN`."
            )
    return session


@contextmanager
def open_temporary_session(card_room: CardRoom, login: str) -> Iterator[UserSession]:
    """A session that ends with the command."""
    session = card_room.sign_in(
        login, passwords.ask_secret(f"Password of {login}", passwords.PASSWORD_VARIABLE), sign_in_place()
    ).session
    try:
        yield session
    finally:
        # Nobody has its token any more: where the books are away by now it ends by itself.
        with suppress(LedgerUnavailable, LedgerDamaged):
            card_room.end_session(session)


def _check_session(
    card_room: CardRoom, session: UserSession, permission: Permission, may_choose_password: bool
) -> UserSession:
    if session.locked:
        raise NoSession(f"The session of {session.login} is locked ({session.locked}): unlock it, or sign in again.")
    if session.must_change_password and not may_choose_password:
        raise PasswordChangeRequired(
            f"The password of {session.login} is for one time: choose another one with `cardroom user change-password`."
        )
    card_room.require_permission(session, permission)
    return session


def confirm_login(card_room: CardRoom, by_login: str | None, permission: Permission) -> str:
    """The login of somebody who may, by a session that lasts or by the password alone; who is at the machine in books
    without people. Nothing is written down."""
    if not card_room.has_users():
        return sign_in_place()
    login, session = (by_login or "").strip(), None
    with suppress(NoSession):  # a clock that jumps ends sessions
        session = find_session(card_room, login)
    if session is not None:
        return _check_session(card_room, session, permission, may_choose_password=False).login
    if not login:
        raise LoginMissing("Say who does this: give --by LOGIN.")
    user = card_room.recognize_user(login, passwords.ask_secret(f"Password of {login}", passwords.PASSWORD_VARIABLE))
    if not has_permission(user.role, permission):
        raise permission_error(login, user.role, permission)
    return login


def require_second(login: str, permission: Permission, second: str | None) -> None:
    """Where nobody may do it alone a second person has to be named, also where the floor would let one do it."""
    if PERMISSIONS[permission].always_needs_two and not (second or "").strip():
        raise SecondPersonMissing(f"Nobody may {permission} alone: name the second one beside {login}.")


def countersign(card_room: CardRoom, to_sign: SignatureRequest, permission: Permission) -> Signature:
    """Another person reads what the command does, and signs it with the password."""
    login, by_surveillance = to_sign.login, to_sign.part is SignaturePart.SURVEILLANCE
    variable = passwords.SURVEILLANCE_PASSWORD_VARIABLE if by_surveillance else passwords.SECOND_PASSWORD_VARIABLE
    if passwords.is_prompted(variable):
        typer.echo(f"{login} signs: {to_sign.description}", err=True)
    password = passwords.ask_secret(f"Password of {login}, beside {to_sign.sender}", variable)
    return card_room.countersign(
        to_sign,
        password,
        permission=Permission.CHECK_JACKPOTS if by_surveillance else permission,
        address=sign_in_place(),
    )


log: Final = logging.getLogger(__name__)


def register_first_operator(card_room: CardRoom, login: str, name: str, command_id: str | None = None) -> str:
    """Register the first operator, whose password is asked for."""
    password = passwords.choose_secret(f"Password for {login}", passwords.PASSWORD_VARIABLE)
    return card_room.add_first_operator(command_id or str(uuid.uuid4()), login, name, password)


def ask_for_first_operator(card_room: CardRoom) -> None:
    """Before a room is opened: where nobody can sign in yet, ask at the terminal who is the first operator."""
    if card_room.has_users():
        return
    if not passwords.has_terminal():
        raise no_users(card_room)
    typer.echo("Nobody can sign in to this room yet. Who is the first operator?", err=True)
    login = typer.prompt("Login, such as rosa", err=True)
    name = typer.prompt("Name", err=True)
    register_first_operator(card_room, login, name)
    typer.echo(f"{login} is the first operator and signs in with this password.", err=True)


def warn_about_single_operator(card_room: CardRoom) -> None:
    """At each start, until there are two operators: one who forgets the password could be helped by no one."""
    if len(card_room.list_operators()) >= 2:
        return
    log.warning(
        "Only one operator can sign in: register a second one now, with cardroom user add LOGIN --name NAME "
        "--role operator, or in the office under People."
    )


class ConfirmationMissing(BadInput):
    """A name that was typed in two ways, or a sentence that was not typed."""


def confirmation_sentence(login: str) -> str:
    """What has to be typed."""
    return f"We recover {login} without a password."


def recover_operator(card_room: CardRoom, login: str) -> UserCredentials:
    """Ask for two people and their confirmation, and recover the operator."""
    card_room.user(login)
    first = _ask_name("Name of the first person at this machine")
    second = _ask_name("Name of the second person at this machine")
    require_different_people(
        first, second, f"Two people recover an operator: {second} cannot be the second one beside {first}."
    )
    sentence = confirmation_sentence(login)
    typer.echo(
        "Every session of the operator ends. The record stays for good, with both names, and the office shows it.\n"
        f"Type this sentence to go on: {sentence}",
        err=True,
    )
    if _ask_text("Sentence") != sentence:
        raise ConfirmationMissing(f"The sentence was not typed: nothing was changed. It is: {sentence}")
    return card_room.recover_operator(str(uuid.uuid4()), login, first, second, system_account())


def _ask_name(label: str) -> str:
    name = require_text(_ask_text(label), "name")
    if require_text(_ask_text(f"{label}, once more"), "name") != name:
        raise ConfirmationMissing("The name was typed in two ways: nothing was changed. Start again.")
    return name


def _ask_text(label: str) -> str:
    try:
        return str(typer.prompt(label, err=True)).strip()
    except typer.Abort:
        raise ConfirmationMissing(f"{label} is missing: nothing was changed.") from None


RESTORE_ACTION: Final = "restoring these books"


class TwoUsers(NamedTuple):
    """Two people, and what they have typed."""

    login: str
    password: str
    second: str
    second_password: str


def authenticate_restorers(file: str, login: str | None, second: str | None) -> TwoUsers | None:
    """Two people of a backup's books who may restore it; None where nobody can sign in to them yet."""
    with open_backup(file) as ledger:
        card_room = CardRoom(ledger)
        return (
            authenticate_two(card_room, login, second, Permission.RESTORE, RESTORE_ACTION)
            if card_room.has_users()
            else None
        )


def authenticate_two(
    card_room: CardRoom, by_login: str | None, second: str | None, permission: Permission, action: str
) -> TwoUsers:
    """Two people who may do something, in a database to which nothing can be written yet: no session begins."""
    login, second_login = (by_login or "").strip(), (second or "").strip()
    if not login:
        raise LoginMissing(f"Say who does this with --by LOGIN: somebody who may {permission}.")
    password = passwords.ask_secret(f"Password of {login}", passwords.PASSWORD_VARIABLE)
    user = _require_chosen_password(card_room.recognize_user(login, password))
    if user.role not in PERMISSIONS[permission].roles:
        raise permission_error(login, user.role, permission)
    if not second_login:
        raise SecondPersonMissing(f"Nobody may {permission} alone: name the second one beside {login}.")
    require_two_people(login, second_login, action)
    second_password = passwords.ask_secret(
        f"Password of {second_login}, beside {login}", passwords.SECOND_PASSWORD_VARIABLE
    )
    second_user = _require_chosen_password(card_room.recognize_user(second_login, second_password))
    if second_user.role not in PERMISSIONS[permission].countersigners:
        raise countersign_error(second_login, second_user.role, permission)
    return TwoUsers(login, password, second_login, second_password)


def _require_chosen_password(state: UserState) -> UserState:
    if state.one_time_until:
        raise PasswordChangeRequired(f"{state.login} has a password for one time, and cannot do this with it.")
    return state


def record_sign_in(card_room: CardRoom, users: TwoUsers) -> None:
    """The first person signs in to the books as they are now: the second one has signed what was done."""
    card_room.end_session(card_room.sign_in(users.login, users.password, sign_in_place()).session)


def choose_new_passwords(users: TwoUsers, unchanged_logins: Collection[str]) -> TwoUsers:
    """Both people with new passwords, which they choose now; a password that was not changed since the backup stays."""
    if users.login not in unchanged_logins:
        users = users._replace(
            password=passwords.choose_secret(f"New password of {users.login}", passwords.NEW_PASSWORD_VARIABLE)
        )
    if users.second not in unchanged_logins:
        users = users._replace(
            second_password=passwords.choose_secret(
                f"New password of {users.second}", passwords.SECOND_NEW_PASSWORD_VARIABLE
            )
        )
    return users


def second_signer(card_room: CardRoom, users: TwoUsers, permission: Permission) -> Signer:
    """How the second person signs, who has typed the password already."""
    return lambda to_sign: card_room.countersign(
        to_sign, users.second_password, permission=permission, address=sign_in_place()
    )
