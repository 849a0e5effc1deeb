"""Who does it: somebody who is signed in, or who signs in for this one command; and who signs beside them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import typer

from cardroom.cli.shared import passwords, signed_here
from cardroom.errors import BadInput
from cardroom.floor import Floor
from cardroom.floor.desks.signatures import Part, Signature, ToSign
from cardroom.floor.people.permissions import PERMISSIONS, Right, may, refuse
from cardroom.floor.people.places import COMMAND_LINE
from cardroom.floor.people.signing import NoSession, Session, login_of
from cardroom.jackpots.people import SecondMissing
from cardroom.ledger import LedgerDamaged, LedgerUnavailable

SESSION: Final = "CARDROOM_SESSION"


class NobodyThere(BadInput):
    """A command that somebody has to answer for."""


class NobodyYet(BadInput):
    """Books in which nobody could sign in."""


class AnotherPerson(BadInput):
    """A session that is not of the person who was named."""


class ChooseFirst(BadInput):
    """Somebody whose password is for one time."""


def here() -> str:
    """Where people sign in, as their chains tell it: the name is the operating system's, which nobody can type."""
    account = account_here()
    return f"{COMMAND_LINE} ({account})" if account else COMMAND_LINE


def account_here() -> str:
    """The account of this machine under which the command runs; empty where the system does not tell."""
    try:
        from pwd import getpwuid

        return getpwuid(os.getuid()).pw_name
    except (ImportError, KeyError):
        return ""


def nobody_yet(floor: Floor) -> NobodyYet:
    """The sentence for books that have nobody."""
    return NobodyYet(
        f"Nobody can sign in to {floor.ledger.store.address} yet: `cardroom people first` registers the first operator."
    )


@contextmanager
def looking_on(floor: Floor, by: str | None, right: Right) -> Iterator[Session | None]:
    """Who looks. What everybody may see asks nobody, and books that have nobody yet have nobody to ask."""
    if PERMISSIONS[right].anybody or not floor.has_people():
        yield None
        return
    with signed_in(floor, by, right) as session:
        yield session


@contextmanager
def signed_in(floor: Floor, by: str | None, right: Right, *, choosing: bool = False) -> Iterator[Session]:
    """Somebody who may. ``choosing`` lets those in too whose password is for one time: they choose another one."""
    if not floor.has_people():
        raise nobody_yet(floor)
    login = (by or "").strip()
    session = session_here(floor, login)
    if session is not None:
        yield _let_in(floor, session, right, choosing)
        return
    if not login:
        raise NobodyThere("Say who does this: sign in with `cardroom sign-in LOGIN`, or give --by LOGIN.")
    with for_one_command(floor, login) as one:
        yield _let_in(floor, one, right, choosing)


def session_here(floor: Floor, login: str = "") -> Session | None:
    """The session that a script was given, or that began here; None where the person who is named has none."""
    if token := os.environ.get(SESSION):
        session = floor.session_of(token)
        if session is None:
            raise NoSession(f"The session in {SESSION} has ended, or never was: sign in again.")
        if login not in ("", session.login):
            raise AnotherPerson(f"The session in {SESSION} is of {session.login}, not of {login}: name one person.")
        return session
    token = signed_here.token_here(floor.ledger)
    if token is None or login not in ("", login_of(token)):
        return None
    session = floor.session_of(token)
    if session is None:
        signed_here.forget(floor.ledger)
        if not login:
            raise NoSession(f"The session of {login_of(token)} has ended: sign in again with `cardroom sign-in LOGIN`.")
    return session


@contextmanager
def for_one_command(floor: Floor, login: str) -> Iterator[Session]:
    """A session that ends with the command."""
    session = floor.sign_in(login, passwords.ask(f"Password of {login}", passwords.PASSWORD), here()).session
    try:
        yield session
    finally:
        # Nobody has its token any more: where the books are away by now it ends by itself.
        with suppress(LedgerUnavailable, LedgerDamaged):
            floor.end_session(session)


def _let_in(floor: Floor, session: Session, right: Right, choosing: bool) -> Session:
    if session.locked:
        raise NoSession(f"The session of {session.login} is locked ({session.locked}): unlock it, or sign in again.")
    if session.must_choose and not choosing:
        raise ChooseFirst(
            f"The password of {session.login} is for one time: choose another one with `cardroom people password`."
        )
    floor.refuse_role(session, right)
    return session


def confirmed_by(floor: Floor, by: str | None, right: Right) -> str:
    """The login of somebody who may, by a session that lasts or by the password alone; who is at the machine in books
    without people. Nothing is written down."""
    if not floor.has_people():
        return here()
    login, session = (by or "").strip(), None
    with suppress(NoSession):  # a clock that jumps ends sessions
        session = session_here(floor, login)
    if session is not None:
        return _let_in(floor, session, right, choosing=False).login
    if not login:
        raise NobodyThere("Say who does this: give --by LOGIN.")
    person = floor.recognised(login, passwords.ask(f"Password of {login}", passwords.PASSWORD))
    if not may(person.role, right):
        raise refuse(login, person.role, right)
    return login


def refuse_alone(who: str, right: Right, second: str | None) -> None:
    """Where nobody may do it alone a second person has to be named, also where the floor would let one do it."""
    if PERMISSIONS[right].always_two and not (second or "").strip():
        raise SecondMissing(f"Nobody may {right} alone: name the second one beside {who}.")


def sign_beside(floor: Floor, to_sign: ToSign, right: Right) -> Signature:
    """Another person reads what the command does, and signs it with the password."""
    login, by_surveillance = to_sign.login, to_sign.part is Part.SURVEILLANCE
    variable = passwords.SURVEILLANCE if by_surveillance else passwords.SECOND
    if passwords.is_typed(variable):
        typer.echo(f"{login} signs: {to_sign.act}", err=True)
    typed = passwords.ask(f"Password of {login}, beside {to_sign.beside}", variable)
    return floor.sign(to_sign, typed, right=Right.CHECK_JACKPOTS if by_surveillance else right, address=here())
