"""Who restores a backup: two people of the books that are in it.

The empty database knows nobody. So the backup is asked, which is only read: wrong passwords are not counted there. When
the books stand in their new place, both sign in there, and that is written down.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from cardroom.cli.shared import passwords
from cardroom.cli.shared.signing import ChooseFirst, NobodyThere, here
from cardroom.floor import Floor
from cardroom.floor.desks.signatures import Sign
from cardroom.floor.people.permissions import PERMISSIONS, Right, refuse, refuse_beside
from cardroom.floor.people.state import PersonState
from cardroom.jackpots.people import SecondMissing, two_people
from cardroom.ledger import open_backup

RESTORING: Final = "restoring these books"


class TwoPeople(NamedTuple):
    """Two people, and what they have typed."""

    login: str
    password: str
    second: str
    second_password: str


def restorers_of(file: str, by: str | None, second: str | None) -> TwoPeople | None:
    """Two people of a backup's books who may restore it; None where nobody can sign in to them yet."""
    with open_backup(file) as ledger:
        floor = Floor(ledger)
        return two_by_password(floor, by, second, Right.RESTORE, RESTORING) if floor.has_people() else None


def two_by_password(floor: Floor, by: str | None, second: str | None, right: Right, act: str) -> TwoPeople:
    """Two people who may do something, in a database to which nothing can be written yet: no session begins."""
    login, other = (by or "").strip(), (second or "").strip()
    if not login:
        raise NobodyThere(f"Say who does this with --by LOGIN: somebody who may {right}.")
    typed = passwords.ask(f"Password of {login}", passwords.PASSWORD)
    first = _chosen(floor.recognised(login, typed))
    if first.role not in PERMISSIONS[right].roles:
        raise refuse(login, first.role, right)
    if not other:
        raise SecondMissing(f"Nobody may {right} alone: name the second one beside {login}.")
    two_people(login, other, act)
    typed_too = passwords.ask(f"Password of {other}, beside {login}", passwords.SECOND)
    beside = _chosen(floor.recognised(other, typed_too))
    if beside.role not in PERMISSIONS[right].beside:
        raise refuse_beside(other, beside.role, right)
    return TwoPeople(login, typed, other, typed_too)


def _chosen(state: PersonState) -> PersonState:
    if state.once_until:
        raise ChooseFirst(f"{state.login} has a password for one time, and cannot do this with it.")
    return state


def write_down(floor: Floor, who: TwoPeople) -> None:
    """The first person signs in to the books as they are now: the second one has signed what was done."""
    floor.end_session(floor.sign_in(who.login, who.password, here()).session)


def choose_new(who: TwoPeople, keep: Collection[str]) -> TwoPeople:
    """Both people with new passwords, which they choose now; a password that was not changed since the backup stays."""
    if who.login not in keep:
        who = who._replace(password=passwords.choose(f"New password of {who.login}", passwords.NEW))
    if who.second not in keep:
        who = who._replace(second_password=passwords.choose(f"New password of {who.second}", passwords.SECOND_NEW))
    return who


def signing_for(floor: Floor, who: TwoPeople, right: Right) -> Sign:
    """How the second person signs, who has typed the password already."""
    return lambda to_sign: floor.sign(to_sign, who.second_password, right=right, address=here())
