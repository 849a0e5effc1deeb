"""How long the oldest money of a jackpot waits in the cage for the bank, and until when it has to be there.

The oldest money goes to the bank first. What leaves the cage otherwise is the newest, so that nothing that waits looks
younger for it. Hence what waits is the newest that came in and did not leave otherwise, and a look back along the chain
ends where all of it has come in.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date, timedelta
from typing import NamedTuple

from cardroom.accounts import CENT, AccountKind, Amount
from cardroom.floor.kept.chains import jackpot_chain
from cardroom.floor.kept.recall import happened, newest_first
from cardroom.jackpots import JackpotKind, JackpotState
from cardroom.jackpots.happenings import Deposited
from cardroom.jackpots.meter.account import booked
from cardroom.jackpots.setup.calendar import Calendar, Time
from cardroom.ledger import Event, Ledger


class DepositDue(NamedTuple):
    """Money that has to be taken to the bank."""

    jackpot: str
    amount: Amount
    """Every whole cent that waits."""
    since: date
    """The gaming day on which the oldest of it came in."""
    by: date
    """The last day on which it is in time."""
    today: date

    @property
    def is_due(self) -> bool:
        """Whether it has to be at the bank by today."""
        return self.today >= self.by

    @property
    def overdue_days(self) -> int:
        """How many days too late it is already."""
        return max((self.today - self.by).days, 0)


def deposit_due(ledger: Ledger, state: JackpotState, calendar: Calendar, now: Time) -> DepositDue | None:
    """What waits for the bank, and until when; None where nothing does, or no law asks."""
    most = state.law.deposit_days
    if state.kind is not JackpotKind.PROGRESSIVE or most is None or state.undeposited < CENT:
        return None
    waits_since = oldest_waiting(newest_first(ledger, jackpot_chain(state.id)), state.id, state.undeposited)
    since = calendar.day_of(now if waits_since is None else waits_since)
    whole = state.undeposited // CENT * CENT
    return DepositDue(state.id, whole, since, since + timedelta(days=most), calendar.day_of(now))


def oldest_waiting(newest_first: Iterable[Event], jackpot: str, undeposited: Amount) -> Time | None:
    """When the oldest cent came in that still waits; less than a cent cannot be deposited."""
    wanted, left_since, found = undeposited - CENT + 1, 0, 0
    for event in newest_first:
        if event.kind == Deposited.kind:
            continue
        came_in = booked(happened(event), AccountKind.UNDEPOSITED, jackpot)
        gone = min(max(came_in, 0), left_since)
        left_since += max(-came_in, 0) - gone
        found += max(came_in, 0) - gone
        if found >= wanted:
            return event.time
    return None
