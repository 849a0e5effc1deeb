"""Notices at the top of every office page: an operator was recovered at the machine, or the room has one operator only.

Who is an operator is read once for each person, and again only when something has happened to the person.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from cardroom.floor import Floor
from cardroom.floor.kept.chains import person_chain, person_of
from cardroom.floor.people.roles import Role
from cardroom.jackpots.room.recoveries import recovery_text

ONE_OPERATOR: Final = (
    "Only one operator can sign in. If that person forgets the password or leaves, no one in the room can help. "
    "Register a second operator now."
)
REGISTER: Final = "/office/people/new"


class Notice(NamedTuple):
    """Something that everyone in the office has to know."""

    text: str
    address: str
    """Where it is taken care of."""
    link: str


class Notices:
    """What the office has to know now. Threads may share one."""

    def __init__(self, floor: Floor, *, demo: bool) -> None:
        self._floor, self._demo = floor, demo
        self._operators: dict[str, tuple[int, bool]] = {}

    def read(self) -> tuple[Notice, ...]:
        """Blocks while it reads the books."""
        calendar = self._floor.calendar
        recovered = tuple(
            Notice(recovery_text(one, calendar), f"/office/people/{one.login}/acknowledge", "Acknowledge")
            for one in self._floor.open_recoveries()
        )
        alone = not self._demo and self._count_operators() < 2
        return (*recovered, Notice(ONE_OPERATOR, REGISTER, "Register")) if alone else recovered

    def _count_operators(self) -> int:
        places = self._floor.ledger.chain_lengths(person_chain(""))
        known = self._operators
        self._operators = {
            chain: known[chain] if known.get(chain, (0, False))[0] == events else (events, self._is_operator(chain))
            for chain, events in places.items()
        }
        return sum(is_operator for _, is_operator in self._operators.values())

    def _is_operator(self, chain: str) -> bool:
        login = person_of(chain)
        if login is None:
            return False
        state = self._floor.person(login)
        return state.is_active and state.role is Role.OPERATOR and state.has_own_password
