"""Operators who were recovered at the machine, without a password: each is a mark that stays, and a notice to everyone
in the office for 30 days, or until two operators have acknowledged it."""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_different_people, require_text
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.site.events import OperatorRecovered, RecoveryAcknowledged

NOTICE_PERIOD: Final = 30 * 24 * 3_600 * 1_000_000
"""How long a notice is shown that no two operators acknowledge."""
ACKNOWLEDGMENTS_NEEDED: Final = 2


class BadAcknowledgment(BadInput):
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
        return len(self.acknowledged) < ACKNOWLEDGMENTS_NEEDED and now - self.at < NOTICE_PERIOD


Recoveries: TypeAlias = tuple[Recovery, ...]


def recover_operator(login: str, first: str, second: str, account: str, now: Time) -> tuple[OperatorRecovered, ...]:
    """Two people at the machine recover an operator."""
    first_name, second_name = (
        require_text(first, "name of the first person"),
        require_text(second, "name of the second person"),
    )
    require_different_people(
        first_name,
        second_name,
        f"Two people recover an operator: {second_name} cannot be the second one beside {first_name}.",
    )
    return (OperatorRecovered(first_name, second_name, login, account, now),)


def acknowledge_recovery(recoveries: Recoveries, login: str, who: str, now: Time) -> tuple[RecoveryAcknowledged, ...]:
    """An operator has seen that another one was recovered at the machine. An operator whose own recovery is open
    acknowledges none: one person at the machine could recover every operator."""
    open_recoveries = [recovery for recovery in recoveries if recovery.login == login and recovery.is_open(now)]
    if not open_recoveries:
        raise BadAcknowledgment(f"There is no open notice that {login} was recovered at the machine.")
    if has_open_recovery(recoveries, who, now):
        raise BadAcknowledgment(
            f"{who} got a password at the machine, and that is not acknowledged yet: an operator who was not recovered "
            "acknowledges it."
        )
    if all(who in recovery.acknowledged for recovery in open_recoveries):
        raise BadAcknowledgment(f"{who} has acknowledged it already: a second operator acknowledges it too.")
    return (RecoveryAcknowledged(who, login),)


def has_open_recovery(recoveries: Recoveries, login: str, now: Time) -> bool:
    """Whether the office still shows that an operator was recovered."""
    return any(recovery.login == login and recovery.is_open(now) for recovery in recoveries)


def apply_recovery_event(recoveries: Recoveries, event: OperatorRecovered | RecoveryAcknowledged) -> Recoveries:
    """The recoveries after a happening. None is ever taken away."""
    if isinstance(event, OperatorRecovered):
        recovered = event
        return (*recoveries, Recovery(recovered.login, recovered.who, recovered.other, recovered.account, recovered.at))
    return tuple(
        recovery._replace(acknowledged=(*recovery.acknowledged, event.who))
        if recovery.login == event.login and event.who not in recovery.acknowledged
        else recovery
        for recovery in recoveries
    )


def describe_recovery(recovery: Recovery, calendar: Calendar) -> str:
    """What happened, in a sentence.

    >>> from datetime import UTC, time
    >>> describe_recovery(Recovery("olga", "Ann Lee", "Bo Ray", "room", 0), Calendar(UTC, "UTC", time(6)))
    'olga got a new password at the machine on 1970-01-01 00:00, without the old one: Ann Lee and Bo Ray were there
    (account room).'
    """
    acknowledgment_text = f" Acknowledged by {' and '.join(recovery.acknowledged)}." if recovery.acknowledged else ""
    when = calendar.format_time(recovery.at)[:16]
    return (
        f"{recovery.login} got a new password at the machine on {when}, without the old one: "
        f"{recovery.first} and {recovery.other} were there (account {recovery.account}).{acknowledgment_text}"
    )
