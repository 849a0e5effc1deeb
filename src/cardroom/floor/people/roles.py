"""The roles of a card room. A person has one: what somebody does at the table is not checked by the same somebody."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from cardroom.errors import BadInput, quote

MINUTE: Final = 60_000_000
HOUR: Final = 60 * MINUTE
"""In the ledger's time, millionths of a second."""


class UnknownRole(BadInput):
    """A role that there is not."""


class Role(StrEnum):
    """Who somebody is in the room."""

    PLAYER = "player"
    DEALER = "dealer"
    SUPERVISOR = "supervisor"
    CAGE = "cage"
    SURVEILLANCE = "surveillance"
    OPERATOR = "operator"
    AUDITOR = "auditor"

    @property
    def is_staff(self) -> bool:
        """Whether the room answers for what the person does."""
        return self is not Role.PLAYER

    @property
    def idle(self) -> int:
        """How long nobody may touch a device before it locks; 0 where it never does."""
        return 5 * MINUTE if self.is_staff else 0

    @property
    def lasts(self) -> int:
        """How long a session is good for, whatever is done in it."""
        return 12 * HOUR if self.is_staff else 7 * 24 * HOUR


def role_named(text: str) -> Role:
    """The role that a text names.

    >>> role_named("cage")
    <Role.CAGE: 'cage'>
    >>> role_named("king")
    Traceback (most recent call last):
    ...
    cardroom.floor.people.roles.UnknownRole: There is no role 'king': choose player, dealer, supervisor, cage,
    surveillance, operator or auditor.
    """
    try:
        return Role(text)
    except ValueError:
        *some, last = Role
        raise UnknownRole(f"There is no role {quote(text)}: choose {', '.join(some)} or {last}.") from None
