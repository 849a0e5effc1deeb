"""Operators who were recovered at the machine, without a password: each is a mark that stays, and a notice to everyone
in the office for 30 days, or until two operators have acknowledged it."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from cardroom.errors import BadInput
from cardroom.jackpots.happenings.of_the_room import OperatorRecovered, RecoveryAcknowledged
from cardroom.jackpots.people import different, named
from cardroom.jackpots.setup.calendar import Calendar, Time

SHOWN_FOR: Final = 30 * 24 * 3_600 * 1_000_000
"""How long a notice is shown that no two operators acknowledge."""
ACKNOWLEDGED_BY: Final = 2


class CannotAcknowledge(BadInput):
    """A recovery that does not exist, that the operator has acknowledged already, or that the operator may not."""


class Recovery(NamedTuple):
    """An operator who got a one-time password at the machine."""

    login: str
    first: str
    other: str
    """The two people who were present, as they typed their names."""
    account: str
    """The account of the machine that gave the command."""
    at: Time
    acknowledged: tuple[str, ...] = ()
    """The operators who have acknowledged it."""

    def is_open(self, now: Time) -> bool:
        """Whether the office still shows it."""
        return len(self.acknowledged) < ACKNOWLEDGED_BY and now - self.at < SHOWN_FOR


Recoveries: TypeAlias = tuple[Recovery, ...]


def recover_operator(login: str, first: str, second: str, account: str, now: Time) -> tuple[OperatorRecovered, ...]:
    """Two people at the machine recover an operator."""
    one, other = named(first, "name of the first person"), named(second, "name of the second person")
    different(one, other, f"Two people recover an operator: {other} cannot be the second one beside {one}.")
    return (OperatorRecovered(one, other, login, account, now),)


def acknowledge(recoveries: Recoveries, login: str, who: str, now: Time) -> tuple[RecoveryAcknowledged, ...]:
    """An operator has seen that another one was recovered at the machine. An operator whose own recovery is open
    acknowledges none: one person at the machine could recover every operator."""
    there = [one for one in recoveries if one.login == login and one.is_open(now)]
    if not there:
        raise CannotAcknowledge(f"There is no open notice that {login} was recovered at the machine.")
    if has_open(recoveries, who, now):
        raise CannotAcknowledge(
            f"{who} got a password at the machine, and that is not acknowledged yet: an operator who was not recovered "
            "acknowledges it."
        )
    if all(who in one.acknowledged for one in there):
        raise CannotAcknowledge(f"{who} has acknowledged it already: a second operator acknowledges it too.")
    return (RecoveryAcknowledged(who, login),)


def has_open(recoveries: Recoveries, login: str, now: Time) -> bool:
    """Whether the office still shows that an operator was recovered."""
    return any(one.login == login and one.is_open(now) for one in recoveries)


def recoveries_after(recoveries: Recoveries, happening: OperatorRecovered | RecoveryAcknowledged) -> Recoveries:
    """The recoveries after a happening. None is ever taken away."""
    if isinstance(happening, OperatorRecovered):
        told = happening
        return (*recoveries, Recovery(told.login, told.who, told.other, told.account, told.at))
    return tuple(
        one._replace(acknowledged=(*one.acknowledged, happening.who))
        if one.login == happening.login and happening.who not in one.acknowledged
        else one
        for one in recoveries
    )


def recovery_text(recovery: Recovery, calendar: Calendar) -> str:
    """What happened, in a sentence.

    >>> from datetime import UTC, time
    >>> recovery_text(Recovery("olga", "Ann Lee", "Bo Ray", "room", 0), Calendar(UTC, "UTC", time(6)))
    'olga got a new password at the machine on 1970-01-01 00:00, without the old one: Ann Lee and Bo Ray were there
    (account room).'
    """
    seen = f" Acknowledged by {' and '.join(recovery.acknowledged)}." if recovery.acknowledged else ""
    when = calendar.told(recovery.at)[:16]
    return (
        f"{recovery.login} got a new password at the machine on {when}, without the old one: "
        f"{recovery.first} and {recovery.other} were there (account {recovery.account}).{seen}"
    )
