"""The user of a command, and the second person: sessions, passwords, and permissions.

- A command runs in a stored session, or the user signs in for this one command.
- The first operator chooses a password, because there is no default one.
- Two people at the machine recover an operator when no operator can sign in. Only here, access to the machine is
  enough; the ledger permanently stores both names, the confirmation, and the account of the machine.
- Two users of a backup restore it. The backup is only read, so wrong passwords are not counted there. After the
  restore, the first one signs in to the new database, and this is recorded.
"""

from __future__ import annotations

import logging
import os
import uuid
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from typing import Final, NamedTuple

import typer

from cardroom.cli.shared import credentials
from cardroom.errors import BadInput
from cardroom.ledger import LedgerDamaged, LedgerUnavailable, open_backup
from cardroom.room.dual_control import SecondPersonMissing, require_different_people, require_text, require_two_people
from cardroom.room.user.permissions import PERMISSIONS, Permission, countersign_error, has_permission, permission_error
from cardroom.room.user.sign_in import NoSession, UserSession, login_of_token
from cardroom.room.user.state import COMMAND_LINE, UserState
from cardroom.service import CardRoom
from cardroom.service.commands.second_signature import Signature, SignaturePart, SignatureRequest, Signer
from cardroom.service.commands.users import UserCredentials

SESSION_VARIABLE: Final = "CARDROOM_SESSION"


class LoginMissing(BadInput):
    """A command without a user."""


class NoUsers(BadInput):
    """A database without users."""


class WrongUser(BadInput):
    """A session of another user than the named one."""


class PasswordChangeRequired(BadInput):
    """A user with a one-time password."""


def sign_in_place() -> str:
    """The place of a sign-in for the ledger, with the account of the operating system."""
    account = system_account()
    return f"{COMMAND_LINE} ({account})" if account else COMMAND_LINE


def system_account() -> str:
    """The operating system's account; empty if unknown."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return ""


def no_users(card_room: CardRoom) -> NoUsers:
    """The refusal for a database without users."""
    return NoUsers(f"{card_room.ledger.store.address} has no users yet: `cardroom init` adds the first operator.")


@contextmanager
def open_reader_session(card_room: CardRoom, login: str | None, permission: Permission) -> Iterator[UserSession | None]:
    """The user of a query; None for public information and for a database without users."""
    if PERMISSIONS[permission].is_public or not card_room.users.has_users():
        yield None
        return
    with open_session(card_room, login, permission) as session:
        yield session


@contextmanager
def open_session(
    card_room: CardRoom, by_login: str | None, permission: Permission, *, may_choose_password: bool = False
) -> Iterator[UserSession]:
    """The session of a user with this permission. ``may_choose_password`` also admits users with a one-time password,
    who are about to choose a new one."""
    if not card_room.users.has_users():
        raise no_users(card_room)
    login = (by_login or "").strip()
    session = find_session(card_room, login)
    if session is not None:
        yield _check_session(card_room, session, permission, may_choose_password)
        return
    if not login:
        raise LoginMissing("No user is signed in: sign in with `cardroom sign-in LOGIN`, or add --by LOGIN.")
    with open_temporary_session(card_room, login) as temporary:
        yield _check_session(card_room, temporary, permission, may_choose_password)


def find_session(card_room: CardRoom, login: str = "") -> UserSession | None:
    """The session of the environment variable or of this machine; None if the named user has none."""
    if token := os.environ.get(SESSION_VARIABLE):
        session = card_room.users.find_session(token)
        if session is None:
            raise NoSession(f"The session in {SESSION_VARIABLE} has ended or is unknown: sign in again.")
        if login not in ("", session.login):
            raise WrongUser(
                f"The session in {SESSION_VARIABLE} belongs to {session.login}, not to {login}: name the same user."
            )
        return session
    token = credentials.read_token(card_room.ledger)
    if token is None or login not in ("", login_of_token(token)):
        return None
    session = card_room.users.find_session(token)
    if session is None:
        credentials.delete_token(card_room.ledger)
        if not login:
            raise NoSession(
                f"The session of {login_of_token(token)} has ended: sign in again with `cardroom sign-in LOGIN`."
            )
    return session


@contextmanager
def open_temporary_session(card_room: CardRoom, login: str) -> Iterator[UserSession]:
    """A session for one command."""
    session = card_room.users.sign_in(
        login, credentials.ask_secret(f"Password of {login}", credentials.PASSWORD_VARIABLE), sign_in_place()
    ).session
    try:
        yield session
    finally:
        # If the database has become unreachable, the session expires by itself; its token was never printed.
        with suppress(LedgerUnavailable, LedgerDamaged):
            card_room.users.end_session(session)


def _check_session(
    card_room: CardRoom, session: UserSession, permission: Permission, may_choose_password: bool
) -> UserSession:
    if session.locked:
        raise NoSession(f"The session of {session.login} is locked ({session.locked}): unlock it, or sign in again.")
    if session.must_change_password and not may_choose_password:
        raise PasswordChangeRequired(
            f"{session.login} has a one-time password: choose a new one with `cardroom user change-password`."
        )
    card_room.users.require_permission(session, permission)
    return session


def confirm_login(card_room: CardRoom, by_login: str | None, permission: Permission) -> str:
    """The login of a user with this permission, by a stored session or by the password alone; the account of the
    machine if the database has no users. Nothing is recorded."""
    if not card_room.users.has_users():
        return sign_in_place()
    login, session = (by_login or "").strip(), None
    with suppress(NoSession):  # a jump of the clock ends sessions
        session = find_session(card_room, login)
    if session is not None:
        return _check_session(card_room, session, permission, may_choose_password=False).login
    if not login:
        raise LoginMissing("No user is signed in: add --by LOGIN.")
    user = card_room.users.recognize(
        login, credentials.ask_secret(f"Password of {login}", credentials.PASSWORD_VARIABLE)
    )
    if not has_permission(user.role, permission):
        raise permission_error(login, user.role, permission)
    return login


def require_second(login: str, permission: Permission, second: str | None) -> None:
    """Refuse a command that always needs two people if no second person is named."""
    if PERMISSIONS[permission].always_needs_two and not (second or "").strip():
        raise SecondPersonMissing(f"Two people are needed to {permission}: name the second person beside {login}.")


def countersign(card_room: CardRoom, to_sign: SignatureRequest, permission: Permission) -> Signature:
    """The second person reads what the command does, and signs it with the password."""
    login, by_surveillance = to_sign.login, to_sign.part is SignaturePart.SURVEILLANCE
    variable = credentials.SURVEILLANCE_PASSWORD_VARIABLE if by_surveillance else credentials.SECOND_PASSWORD_VARIABLE
    if credentials.is_prompted(variable):
        typer.echo(f"{login} signs: {to_sign.description}", err=True)
    password = credentials.ask_secret(f"Password of {login}, beside {to_sign.sender}", variable)
    return card_room.users.countersign(
        to_sign,
        password,
        permission=Permission.CHECK_JACKPOTS if by_surveillance else permission,
        address=sign_in_place(),
    )


log: Final = logging.getLogger(__name__)


def register_first_operator(card_room: CardRoom, login: str, name: str, command_id: str | None = None) -> str:
    """Add the first operator, who types a password."""
    password = credentials.choose_secret(f"Password for {login}", credentials.PASSWORD_VARIABLE)
    return card_room.users.add_first_operator(command_id or str(uuid.uuid4()), login, name, password)


def ask_for_first_operator(card_room: CardRoom) -> None:
    """Before the server starts: if the database has no users, ask for the first operator at the terminal."""
    if card_room.users.has_users():
        return
    if not credentials.has_terminal():
        raise no_users(card_room)
    typer.echo("This database has no users yet. Who is the first operator?", err=True)
    login = typer.prompt("Login, such as rosa", err=True)
    name = typer.prompt("Name", err=True)
    register_first_operator(card_room, login, name)
    typer.echo(f"{login} is the first operator. Sign in with this password.", err=True)


def warn_about_single_operator(card_room: CardRoom) -> None:
    """Warn at each start until there are two operators: a single one who forgets the password cannot be recovered."""
    if len(card_room.users.list_operators()) >= 2:
        return
    log.warning(
        "Only one operator can sign in: add a second one now, with cardroom user add LOGIN --name NAME "
        "--role operator, or in the office under People."
    )


class ConfirmationMissing(BadInput):
    """Two different names, or a missing confirmation."""


def confirmation_sentence(login: str) -> str:
    """The sentence to type."""
    return f"We recover {login} without a password."


def recover_operator(card_room: CardRoom, login: str) -> UserCredentials:
    """Ask for two people and their confirmation, and recover the operator."""
    card_room.user(login)
    first = _ask_name("Name of the first person at this machine")
    second = _ask_name("Name of the second person at this machine")
    require_different_people(
        first, second, f"Recovering an operator needs two people: {second} is the same as {first}."
    )
    sentence = confirmation_sentence(login)
    typer.echo(
        "All sessions of the operator end. The record with both names is permanent, and the office shows it.\n"
        f"Type this sentence to continue: {sentence}",
        err=True,
    )
    if _ask_text("Sentence") != sentence:
        raise ConfirmationMissing(f"The sentence is wrong: nothing was changed. Type: {sentence}")
    return card_room.users.recover_operator(str(uuid.uuid4()), login, first, second, system_account())


def _ask_name(label: str) -> str:
    name = require_text(_ask_text(label), "name")
    if require_text(_ask_text(f"{label}, once more"), "name") != name:
        raise ConfirmationMissing("The two entries of the name differ: nothing was changed. Start again.")
    return name


def _ask_text(label: str) -> str:
    try:
        return str(typer.prompt(label, err=True)).strip()
    except typer.Abort:
        raise ConfirmationMissing(f"{label} is missing: nothing was changed.") from None


RESTORE_ACTION: Final = "restoring this backup"


class TwoUsers(NamedTuple):
    """Two users with the passwords that they typed."""

    login: str
    password: str
    second: str
    second_password: str


def authenticate_restorers(file: str, login: str | None, second: str | None) -> TwoUsers | None:
    """Two users of a backup who may restore it; None if the backup has no users."""
    with open_backup(file) as ledger:
        card_room = CardRoom(ledger)
        return (
            authenticate_two(card_room, login, second, Permission.RESTORE, RESTORE_ACTION)
            if card_room.users.has_users()
            else None
        )


def authenticate_two(
    card_room: CardRoom, by_login: str | None, second: str | None, permission: Permission, action: str
) -> TwoUsers:
    """Two users with this permission, in a database that cannot be written yet: no session starts."""
    login, second_login = (by_login or "").strip(), (second or "").strip()
    if not login:
        raise LoginMissing(f"Add --by LOGIN: a user who may {permission}.")
    password = credentials.ask_secret(f"Password of {login}", credentials.PASSWORD_VARIABLE)
    user = _require_chosen_password(card_room.users.recognize(login, password))
    if user.role not in PERMISSIONS[permission].roles:
        raise permission_error(login, user.role, permission)
    if not second_login:
        raise SecondPersonMissing(f"Two people are needed to {permission}: name the second person beside {login}.")
    require_two_people(login, second_login, action)
    second_password = credentials.ask_secret(
        f"Password of {second_login}, beside {login}", credentials.SECOND_PASSWORD_VARIABLE
    )
    second_user = _require_chosen_password(card_room.users.recognize(second_login, second_password))
    if second_user.role not in PERMISSIONS[permission].countersigners:
        raise countersign_error(second_login, second_user.role, permission)
    return TwoUsers(login, password, second_login, second_password)


def _require_chosen_password(state: UserState) -> UserState:
    if state.one_time_until:
        raise PasswordChangeRequired(f"{state.login} has a one-time password: choose a new one first.")
    return state


def record_sign_in(card_room: CardRoom, users: TwoUsers) -> None:
    """Record a sign-in of the first person; the signature of the second person is recorded already."""
    card_room.users.end_session(card_room.users.sign_in(users.login, users.password, sign_in_place()).session)


def choose_new_passwords(users: TwoUsers, unchanged_logins: Collection[str]) -> TwoUsers:
    """Both users with new passwords, which they choose now. A password that is unchanged since the backup stays."""
    if users.login not in unchanged_logins:
        users = users._replace(
            password=credentials.choose_secret(f"New password of {users.login}", credentials.NEW_PASSWORD_VARIABLE)
        )
    if users.second not in unchanged_logins:
        users = users._replace(
            second_password=credentials.choose_secret(
                f"New password of {users.second}", credentials.SECOND_NEW_PASSWORD_VARIABLE
            )
        )
    return users


def second_signer(card_room: CardRoom, users: TwoUsers, permission: Permission) -> Signer:
    """The signer for a second person who has typed the password already."""
    return lambda to_sign: card_room.users.countersign(
        to_sign, users.second_password, permission=permission, address=sign_in_place()
    )
