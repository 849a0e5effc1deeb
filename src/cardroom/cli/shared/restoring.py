"""Who restores a backup: two people of the books that are in it.

The empty database knows nobody. So the backup is asked, which is only read: wrong passwords are not counted there. When
the books stand in their new place, both sign in there, and that is written down.
"""

from __future__ import annotations

import uuid
from typing import Final, NamedTuple

from cardroom.cli.shared import passwords
from cardroom.cli.shared.signing import ChooseFirst, NobodyThere, here
from cardroom.floor import Floor
from cardroom.floor.desks.signatures import Signature, ToSign, carry_out_signed
from cardroom.floor.people.permissions import PERMISSIONS, Right, refuse, refuse_beside
from cardroom.floor.people.state import PersonState
from cardroom.jackpots.people import SecondMissing, two_people
from cardroom.ledger import look_into_backup, open_ledger

_ACT: Final = "restoring these books"


class Restorers(NamedTuple):
    """Two people, and what they have typed."""

    login: str
    password: str
    second: str
    second_password: str


def restorers_of(file: str, by: str | None, second: str | None) -> Restorers | None:
    """Two people of a backup's books who may restore it; None where nobody can sign in to them yet."""
    with look_into_backup(file) as ledger:
        floor = Floor(ledger)
        if not floor.has_people():
            return None
        login, other = (by or "").strip(), (second or "").strip()
        if not login:
            raise NobodyThere("Say who restores with --by LOGIN: somebody who can sign in to the books of the backup.")
        typed = passwords.ask(f"Password of {login}", passwords.PASSWORD)
        first = _chosen(floor.recognised(login, typed))
        if first.role not in PERMISSIONS[Right.RESTORE].roles:
            raise refuse(login, first.role, Right.RESTORE)
        if not other:
            raise SecondMissing(f"Nobody may {Right.RESTORE} alone: name the second one beside {login}.")
        two_people(login, other, _ACT)
        typed_too = passwords.ask(f"Password of {other}, beside {login}", passwords.SECOND)
        beside = _chosen(floor.recognised(other, typed_too))
        if beside.role not in PERMISSIONS[Right.RESTORE].beside:
            raise refuse_beside(other, beside.role, Right.RESTORE)
        return Restorers(login, typed, other, typed_too)


def _chosen(state: PersonState) -> PersonState:
    if state.once_until:
        raise ChooseFirst(f"{state.login} has a password for one time, and cannot restore with it.")
    return state


def write_down(url: str, who: Restorers) -> None:
    """Both sign in to the books that were restored, and the second person signs what was."""
    with open_ledger(url) as ledger:
        floor = Floor(ledger)
        books = floor.books()
        session = floor.sign_in(who.login, who.password, here()).session

        def sign(to_sign: ToSign) -> Signature:
            return floor.sign(to_sign, who.second_password, right=Right.RESTORE, address=here())

        id = str(uuid.uuid4())
        carry_out_signed(lambda: floor.confirm_restore(id, who.login, books, second=who.second), sign)
        floor.end_session(session)
