"""A claim that is refused, whole or for some seats: everything is as if what was refused had never been claimed.

What came in since stays. Later claims on the same level are valued anew, and so is what each reset took (BJ-14).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from cardroom.accounts import Amount
from cardroom.jackpots.claim.paying import second_person
from cardroom.jackpots.claim.winning import BadClaim, offer_of
from cardroom.jackpots.contents import LevelRefused
from cardroom.jackpots.happenings import ClaimRefused, Happening
from cardroom.jackpots.meter.arithmetic import (
    Taken,
    back_to,
    before,
    come_in,
    fill_for,
    filled,
    locked,
    taken_off,
    whole_cents,
)
from cardroom.jackpots.meter.state import JackpotState, Meter, with_parameters
from cardroom.jackpots.pending import Claim, Part
from cardroom.jackpots.people import named
from cardroom.jackpots.reasons import Increase
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot
from cardroom.jackpots.setup.parameters import WaitingChange


class _Level(NamedTuple):
    """A level after a refusal."""

    meter: Meter
    waiting: WaitingChange | None
    claims: dict[str, Claim]


def refuse_claim(
    state: JackpotState, claim: str, *, refused_by: str, why: str, seats: Collection[int] | None = None
) -> tuple[Happening, ...]:
    """Give a claim back, or the prizes of some seats of it; a second person decides that too."""
    one = state.claim(claim)
    second_person(one, refused_by)
    refused = tuple(one.seats if seats is None else seats)
    if not refused or not set(refused) <= set(one.seats):
        raise BadClaim(f"Claim {claim} has prizes of the seats {', '.join(map(str, one.seats))} only.")
    left = one._replace(prizes=tuple(prize for prize in one.prizes if prize.seat not in refused))
    jackpot = state.jackpot
    claims = {other.id: other for other in state.claims} | {claim: left}
    levels: dict[str, LevelRefused] = {}
    returned: Amount = 0
    if state.kind is JackpotKind.BONUS:  # no meter moved: only the winners that are left share anew
        claims[claim] = _shared_anew(jackpot, state, left)
    for part in one.parts if state.kind is JackpotKind.PROGRESSIVE else ():
        level = _as_if(jackpot, state, claims, claim, part)
        claims |= level.claims
        now = state.meter(part.level)
        returned += now.owed - level.meter.owed
        levels[part.level] = LevelRefused(
            _taken(one, part.level) - _taken(claims[claim], part.level),
            now.held,
            level.meter.held,
            level.meter.parameters,
            level.waiting,
        )
    if not left.prizes:
        del claims[claim]
    from_cage = min(max(returned, 0), whole_cents(state.undeposited))
    refusal = ClaimRefused(
        jackpot=state.id,
        claim=claim,
        seats=refused,
        refused_by=named(refused_by, "name of the person who refuses"),
        why=named(why, "reason"),
        reason=Increase.PRIZE_REFUSED,
        levels=levels,
        claims=tuple(claims.values()),
        undeposited=from_cage,
        escrow=max(returned, 0) - from_cage,
        funded=max(-returned, 0),
    )
    return (refusal,)


def _taken(claim: Claim, level: str) -> Amount:
    part = claim.part(level)
    return part.taken if part else 0


def _shared_anew(jackpot: Jackpot, state: JackpotState, claim: Claim) -> Claim:
    for part in claim.parts:
        claim = _valued(jackpot, claim, back_to(state.meter(part.level), part.before))[0]
    return claim


def _valued(jackpot: Jackpot, claim: Claim, meter: Meter) -> tuple[Claim, Taken]:
    """A claim with its prizes on one level valued."""
    prizes = [prize for prize in claim.prizes if prize.level == meter.name]
    taken = taken_off(offer_of(jackpot, claim.game), meter, prizes)
    valued = iter(taken.prizes)
    replaced = tuple(next(valued) if prize.level == meter.name else prize for prize in claim.prizes)
    return claim._replace(prizes=replaced), taken


def _as_if(jackpot: Jackpot, state: JackpotState, claims: dict[str, Claim], refused: str, part: Part) -> _Level:
    """Play a level again from where it stood before the refused claim."""
    name = part.level
    on_level = [claims[other.id] for other in state.pending_on(name)]
    at = next(number for number, other in enumerate(on_level) if other.id == refused)
    earlier, again = on_level[:at], on_level[at:]
    meter, waiting = back_to(state.meter(name), part.before), part.before.waiting
    meter = meter._replace(pending=sum(_taken(other, name) for other in earlier))
    changed: dict[str, Claim] = {}
    for claim in again:
        came_in = claim.part(name)
        assert came_in is not None
        if any(prize.level == name for prize in claim.prizes):
            stood = before(meter, waiting)
            valued, taken = _valued(jackpot, claim, meter)
            changed[claim.id] = valued.with_part(came_in._replace(before=stood, taken=taken.amount))
            meter = locked(meter, taken.amount)
            if taken.whole:
                meter, waiting = _reset(meter, waiting)
        else:
            changed[claim.id] = claim._replace(parts=tuple(one for one in claim.parts if one.level != name))
            changed |= _passed_on(earlier, came_in)
        meter = come_in(meter, came_in.counted, came_in.reserved)
    return _Level(meter, waiting, changed)


def _reset(meter: Meter, waiting: WaitingChange | None) -> tuple[Meter, WaitingChange | None]:
    if waiting:
        meter = with_parameters(meter, waiting.after)
    return filled(meter, fill_for(meter)), None


def _passed_on(earlier: list[Claim], came_in: Part) -> dict[str, Claim]:
    """What came in since the refused claim came in since the one before it."""
    if not earlier:
        return {}
    last = earlier[-1]
    part = last.part(came_in.level)
    assert part is not None
    more = part._replace(counted=part.counted + came_in.counted, reserved=part.reserved + came_in.reserved)
    return {last.id: last.with_part(more)}
