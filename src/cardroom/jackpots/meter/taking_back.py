"""A void round: its wagers go back, and what they put on the meters is taken off again, as if they had never been
counted. What was won since stays with the players (BJ-18)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardroom.jackpots.contents import GivenBack, RememberedVoid, by_holder
from cardroom.jackpots.happenings import (
    ChangeApplied,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    Happening,
    WagersCounted,
    WagersTakenBack,
)
from cardroom.jackpots.meter.arithmetic import uncounted
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Part, VoidRound
from cardroom.jackpots.people import named, two_people
from cardroom.jackpots.reasons import Reduction
from cardroom.jackpots.setup.parameters import Parameters


class SinceCounted(NamedTuple):
    """What became of a jackpot since a round was counted for it."""

    made: frozenset[str] = frozenset()
    """The claims that were made since."""
    paid: frozenset[str] = frozenset()
    """The levels on which one of those was paid."""
    parameters: Mapping[str, Parameters] = {}
    """By level, by what the round was counted, where the operator changed that since."""

    @classmethod
    def of(cls, since: Sequence[Happening]) -> SinceCounted:
        """What the happenings since then tell."""
        made = frozenset(one.claim for one in since if isinstance(one, ClaimLocked | ClaimJoined))
        paid = [one for one in since if isinstance(one, ClaimPaid) and one.claim in made]
        return cls(made, frozenset(level for one in paid for level in one.levels), _counted_by(since))


def _counted_by(since: Sequence[Happening]) -> dict[str, Parameters]:
    """By level, what was in force before the operator's first change. What a claim's reset brought into force is no
    such change: it holds behind the claim only."""
    found: dict[str, Parameters] = {}
    for one in since:
        if isinstance(one, ChangeApplied) and one.claim is None:
            found.setdefault(one.level, one.before)
    return found


class _Behind(NamedTuple):
    """A claim that was made after a round, and what it did to a level."""

    claim: str
    part: Part


def _first_behind(state: JackpotState, level: str, since: SinceCounted) -> _Behind | None:
    parts = ((claim, claim.part(level)) for claim in state.claims if claim.id in since.made)
    return next((_Behind(claim.id, part) for claim, part in parts if part is not None), None)


def take_back(
    state: JackpotState, counted: WagersCounted, since: SinceCounted, *, who: str, second: str | None, why: str
) -> tuple[Happening, ...]:
    """Take the wagers of a void round off the totals, and what they brought off the levels. Where a claim stands behind
    the round, what it brought is part of what is pending: nothing comes off as long as the claim stands."""
    one, other = two_people(who, second, "a void round")
    back: dict[str, GivenBack] = {}
    remembered: dict[str, RememberedVoid] = {}
    for level in counted.levels:
        if level in since.paid:
            continue
        meter, behind = state.meter(level), _first_behind(state, level, since)
        if behind is not None:
            stood = since.parameters.get(level, behind.part.before.parameters)
            void = VoidRound(counted.table, counted.round, counted.wagers, stood, state.order)
            remembered[level] = RememberedVoid(behind.claim, void)
            continue
        after = uncounted(meter, counted.wagers, since.parameters.get(level, meter.parameters))
        gone = meter.display - after.display, meter.reserve - after.reserve, meter.overflow - after.overflow
        back[level] = GivenBack(meter.display, *gone)
    to_the_house = sum(sum(by_holder(given)) for given in back.values())
    taken_back = WagersTakenBack(
        jackpot=state.id,
        table=counted.table,
        round=counted.round,
        count=counted.count,
        amount=counted.amount,
        levels=back,
        reason=Reduction.MALFUNCTION,
        undeposited=to_the_house,
        who=one,
        why=named(why, "reason"),
        second=other,
        wagers=counted.wagers,
        parameters={level: then for level, then in since.parameters.items() if level in back},
        remembered=remembered,
        won=tuple(level for level in counted.levels if level in since.paid),
    )
    return (taken_back,)
