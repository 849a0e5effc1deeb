"""What the state of a jackpot does not show of its money: that two people answered, that the surveillance checked
between claim and payment, and that a statement's reconciliation lists what moved on the account.
"""

from __future__ import annotations

from typing import NamedTuple

from cardroom.accounts import CENT
from cardroom.floor.verification.report import wrong
from cardroom.jackpots.claim.paying import is_between
from cardroom.jackpots.happenings import ClaimPaid, Happening, PrizesWon, Reconciled
from cardroom.jackpots.meter.account import movements
from cardroom.jackpots.meter.reconciling import Entered, Statement
from cardroom.jackpots.people import SamePerson, different
from cardroom.jackpots.references import plain_name
from cardroom.jackpots.setup.calendar import Time
from cardroom.jackpots.statements import Movement


class _Moved(NamedTuple):
    movement: Movement
    time: Time


class Custody:
    """Looks at one jackpot's chain, event by event."""

    def __init__(self, chain: str) -> None:
        self.chain = chain
        self._claimed: dict[str, Time] = {}
        """When each claim was made."""
        self._moved: list[_Moved] = []

    def look(self, sequence: int, id: str, time: Time, happening: Happening) -> None:
        """Look at an event."""
        who, second = _answers_for(happening), getattr(happening, "second", "")
        if second:
            try:
                different(who, second, "")
            except SamePerson:
                raise wrong("one person answers for it twice", self.chain, sequence, id, "two people", who) from None
        if isinstance(happening, PrizesWon):
            self._claimed[getattr(happening, "claim", "")] = time
        elif isinstance(happening, ClaimPaid):
            self._paid(sequence, id, time, happening)
        self._moved += (_Moved(one, time) for one in movements(happening))

    def _paid(self, sequence: int, id: str, time: Time, paid: ClaimPaid) -> None:
        seen = paid.surveillance
        if seen is not None and (seen.time is None or not is_between(seen.time, self._claimed[paid.claim], time)):
            what = f"the surveillance did not check claim {paid.claim} between claim and payment"
            raise wrong(what, self.chain, sequence, id, f"{self._claimed[paid.claim]} to {time}", seen.time)

    def statement(self, sequence: int, id: str, told: Reconciled) -> Statement:
        """A statement as the rules decide it: what moved since its end, and when each movement that it lacks was
        entered."""
        later = tuple(one.movement for one in self._moved if one.time >= told.ends)
        if list(map(_plain, told.later)) != list(map(_plain, later)):
            raise wrong("what moved since the statement is another", self.chain, sequence, id, later, told.later)
        times = {_plain(one.movement): one.time for one in self._moved if one.time < told.ends}
        for missing in (*told.in_transit, *told.outstanding):
            if _plain(missing) not in times:
                raise wrong("the statement lacks what never moved", self.chain, sequence, id, "a movement", missing)
        in_transit, outstanding = (
            tuple(Entered(one, times[_plain(one)]) for one in lacks) for lacks in (told.in_transit, told.outstanding)
        )
        return Statement(told.statement // CENT, told.day, told.ends, told.later, in_transit, outstanding)


def _answers_for(happening: Happening) -> str:
    """Who did it, whatever it is called."""
    names = (getattr(happening, name, "") for name in ("who", "verified_by", "refused_by"))
    return next(filter(None, names), "")


def _plain(movement: Movement) -> Movement:
    """However its number was typed."""
    return movement._replace(name=plain_name(movement.name))
