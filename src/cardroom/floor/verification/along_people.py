"""Along the chain of a person who signs in: two people decide about logins, and one is the first of the room."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final

from cardroom.floor.kept.chains import person_chain
from cardroom.floor.kept.subjects import PEOPLE
from cardroom.floor.people.happenings import (
    Countersigned,
    PersonDismissed,
    PersonRecovered,
    PersonRegistered,
    RoleGiven,
)
from cardroom.floor.people.registering import can_sign_beside
from cardroom.floor.people.roles import MINUTE, Role
from cardroom.floor.people.state import PersonState
from cardroom.floor.verification.along import Chain
from cardroom.floor.verification.replayed import DecidedAlone
from cardroom.floor.verification.report import wrong
from cardroom.floor.verification.signatures import signature
from cardroom.jackpots import Happening
from cardroom.jackpots.people import same_person
from cardroom.jackpots.room.recoveries import Recoveries

_UNSEEN: Final = MINUTE
"""Longer than two servers' clocks and transactions can be apart."""


def compare_recoveries(people: Mapping[str, PersonState], marks: Recoveries) -> None:
    """Every operator who was recovered at the machine has a mark on the room's chain, and every mark its operator."""
    counted = Counter(one.login for one in marks)
    for login in sorted({*people, *counted}):
        there = people[login].machine_recoveries if login in people else 0
        if there != counted[login]:
            what = f"{login} was recovered at the machine, and the room's chain says otherwise"
            raise wrong(what, person_chain(login), 0, login, f"{there} marks", counted[login])


class PersonChain(Chain):
    subject = PEOPLE

    def look(self, sequence: int, id: str, happening: Happening, before: Any, after: Any) -> None:
        if isinstance(happening, Countersigned):
            self.replayed.signed.append(signature(self.chain, sequence, id, happening, before))
        if (able := can_sign_beside(after)) != (before is not None and can_sign_beside(before)):
            self.replayed.can_sign.setdefault(after.login, []).append((self.time, able))
        if not isinstance(happening, PersonRegistered | RoleGiven | PersonRecovered | PersonDismissed):
            return
        if same_person(happening.who, happening.second):
            raise wrong("one person answers for it", self.chain, sequence, id, "two people", happening.second)
        if not happening.second and after.role is not Role.PLAYER:
            first = isinstance(happening, PersonRegistered) and happening.who == happening.login
            alone = DecidedAlone(self.chain, sequence, id, self.time, happening.who, first)
            self.replayed.alone.append(alone)
        if not isinstance(happening, PersonRegistered) and same_person(happening.who, happening.login):
            raise wrong("a person has decided it alone", self.chain, sequence, id, "somebody else", happening.who)

    def end(self, last: int) -> None:
        super().end(last)
        self.replayed.people[self.state.login] = self.state


def compare_lone_decisions(alone: Sequence[DecidedAlone], can_sign: Mapping[str, Sequence[tuple[int, bool]]]) -> None:
    """One person was the first operator, and one person decided about users only while no one else could sign."""
    firsts = sorted((one for one in alone if one.is_first), key=lambda one: one.time)
    for second in firsts[1:]:
        what = "another one was the first operator of the room"
        raise wrong(what, second.chain, second.sequence, second.id, firsts[0].chain, second.chain)
    for one in alone:
        if not firsts or one.time < firsts[0].time:
            what = "one person registered it before the room had a first operator"
            raise wrong(what, one.chain, one.sequence, one.id, "the first operator before it", one.chain)
        for login, changes in can_sign.items():
            if login != one.who and not one.is_first and _could_sign(changes, one.time):
                what = f"{one.who} decided it alone although {login} could sign"
                raise wrong(what, one.chain, one.sequence, one.id, "a second person", "none")


def _could_sign(changes: Sequence[tuple[int, bool]], time: int) -> bool:
    """Whether a user was able to sign at a time, and had been for a while: the decision may not have seen a change
    that another server stored at almost the same time."""
    last = next(((since, able) for since, able in reversed(changes) if since <= time), (time, False))
    return last[1] and last[0] < time - _UNSEEN
