"""Operators who were recovered at the machine, without a password.

Each recovery stays in the state, and the office shows it for 30 days or until two operators acknowledge it.
"""

from __future__ import annotations

from typing import Final, NamedTuple, TypeAlias

from cardroom.errors import BadInput
from cardroom.room.dual_control import require_different_people, require_text
from cardroom.room.setup.calendar import Calendar, Time
from cardroom.room.site.events import OperatorRecovered, RecoveryAcknowledged

NOTICE_PERIOD: Final = 30 * 24 * 3_600 * 1_000_000
"""How long the office shows an unacknowledged recovery."""
ACKNOWLEDGMENTS_NEEDED: Final = 2


class BadAcknowledgment(BadInput):
    """A recovery that does not exist, or that this operator has already acknowledged or may not acknowledge."""


class Recovery(NamedTuple):
    """An operator who got a one-time password at the machine."""

    login: str
    first: str
    other: str
    """The two people who were present, as they typed their names."""
    account: str
    """The machine's account that ran the command."""
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
        f"Two people must recover an operator: {second_name} cannot be the second person besides {first_name}.",
    )
    return (OperatorRecovered(first_name, second_name, login, account, now),)


def acknowledge_recovery(recoveries: Recoveries, login: str, who: str, now: Time) -> tuple[RecoveryAcknowledged, ...]:
    """Acknowledge that an operator was recovered at the machine. An operator whose own recovery is open may not
    acknowledge one: one person at the machine could recover every operator."""
    open_recoveries = [recovery for recovery in recoveries if recovery.login == login and recovery.is_open(now)]
    if not open_recoveries:
        raise BadAcknowledgment(f"There is no open notice that {login} was recovered at the machine.")
    if has_open_recovery(recoveries, who, now):
        raise BadAcknowledgment(
            f"{who} was recovered at the machine too, and that is not acknowledged yet: ask another operator to "
            "acknowledge it."
        )
    if all(who in recovery.acknowledged for recovery in open_recoveries):
        raise BadAcknowledgment(f"{who} has already acknowledged it: a second operator must acknowledge it too.")
    return (RecoveryAcknowledged(who, login),)


def has_open_recovery(recoveries: Recoveries, login: str, now: Time) -> bool:
    """Whether the office still shows that an operator was recovered."""
    return any(recovery.login == login and recovery.is_open(now) for recovery in recoveries)


def apply_recovery_event(recoveries: Recoveries, event: OperatorRecovered | RecoveryAcknowledged) -> Recoveries:
    """The recoveries after an event. None is ever removed."""
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
    """The description of a recovery, in a sentence.

    >>> from datetime import UTC, time
    >>> describe_recovery(Recovery("olga", "Ann Lee", "Bo Ray", "room", 0), Calendar(UTC, "UTC", time(6)))
    'olga received a new password at the machine on 1970-01-01 00:00, without the old one. Present: Ann Lee and Bo Ray
    (account room).'
    """
    acknowledgment_text = f" Acknowledged by {' and '.join(recovery.acknowledged)}." if recovery.acknowledged else ""
    when = calendar.format_time(recovery.at)[:16]
    return (
        f"{recovery.login} received a new password at the machine on {when}, without the old one. Present: "
        f"{recovery.first} and {recovery.other} (account {recovery.account}).{acknowledgment_text}"
    )
