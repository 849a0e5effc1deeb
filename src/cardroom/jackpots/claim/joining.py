"""A claim of a round of which others were claimed before.

As long as none of them was paid they are valued together, as if they had been claimed at once (BJ-26). Once one was
paid, what the meter showed then is gone: a late claim gets its share all the same, of what others of its line hold or
else from the overflow, the reserve and the house, never from what the players of now see on the display (BJ-27).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.claim.anew import leader, line_of, play_again, share_again
from cardroom.jackpots.claim.earlier import ClaimedBefore
from cardroom.jackpots.claim.lines import divided, held_by
from cardroom.jackpots.claim.winning import offer_of
from cardroom.jackpots.contents import LevelJoined
from cardroom.jackpots.happenings import ClaimJoined
from cardroom.jackpots.meter.arithmetic import before, taken_off
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Claim, Part, Prize
from cardroom.jackpots.reasons import Reduction
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot


def joins(state: JackpotState, earlier: ClaimedBefore, of: tuple[str, str], prizes: Sequence[Prize]) -> bool:
    """Whether there are other claims of the round on one of the levels that these prizes come off."""
    levels = {prize.level for prize in prizes if prize.level is not None}
    pending = {part.level for claim in state.claims if claim.of == of for part in claim.parts}
    return any(level in pending or earlier.paid_on(level) for level in levels)


def join(
    state: JackpotState,
    jackpot: Jackpot,
    claim: str,
    earlier: ClaimedBefore,
    common: Mapping[str, Any],
    prizes: Sequence[Prize],
) -> ClaimJoined:
    """The claim, and the levels as they are with it."""
    levels = [meter.name for meter in state.meters if any(prize.level == meter.name for prize in prizes)]
    order, table, round_id = state.order + 1, common["table"], common["round"]
    group = [one for one in state.claims if one.of == (table, round_id)]
    parts = tuple(_part(state, level, earlier, group) for level in levels)
    for part in parts:
        if part.late:
            prizes = _late_shares(state, jackpot, common["game"], part.level, earlier, prizes)
    by = {name: common[name] for name in ("game", "dealer", "dealt", "automatic", "sat")}
    one = Claim(claim, order, table, round_id, prizes=tuple(prizes), parts=parts, **by)
    claims = {other.id: other for other in state.claims} | {claim: one}
    for part in parts:
        if part.late:
            claims |= _shared_with(claims[claim], part, [claims[other.id] for other in group], earlier)
    changes: dict[str, LevelJoined] = {}
    returned: Amount = 0
    for part in parts:
        pending = tuple(claims.values())
        if state.kind is JackpotKind.BONUS:
            claims |= share_again(jackpot, state, pending, part.level)
            continue
        again = play_again(jackpot, state, pending, part.level, _start(pending, claims[claim], part))
        claims |= again.claims
        now = state.meter(part.level)
        returned += now.owed - again.meter.owed
        taken = claims[claim].taken(part.level)
        changes[part.level] = LevelJoined(
            taken,
            part.late,
            now.held,
            again.held,
            again.meter.parameters,
            again.waiting,
            again.counting,
            again.replaced(state),
        )
    return ClaimJoined(
        **common,
        prizes=claims[claim].prizes,
        claim=claim,
        order=order,
        reason=Reduction.PRIZE_WON,
        levels=changes,
        claims=tuple(claims.values()),
        undeposited=max(returned, 0),
        funded=max(-returned, 0),
        anew=tuple(other.id for other in state.claims if other.cents != claims[other.id].cents),
    )


def _part(state: JackpotState, level: str, earlier: ClaimedBefore, group: Sequence[Claim]) -> Part:
    stood = before(state.meter(level), state.waiting_for(level))
    paid = earlier.paid_on(level)
    held = held_by(group, level, paid) if paid else ()
    return Part(level, stood, 0, late=bool(paid), held=held, paid=paid)


def _start(claims: Sequence[Claim], claim: Claim, part: Part) -> int:
    """Where the level is played again from: the place of the claim's group, or of the first late one."""
    line = line_of(claims, part.level)
    if part.late:
        parts = [(one.of, one.part(part.level)) for one in line]
        return next(at for at, (of, its) in enumerate(parts) if of == claim.of and its and its.late)
    first = leader(line, claim, part.level)
    return next(at for at, one in enumerate(line) if first is not None and one.id == first.id)


def _shared_with(late: Claim, part: Part, group: Sequence[Claim], earlier: ClaimedBefore) -> dict[str, Claim]:
    """A late claim, and the others with whom it shares lines of which no winner was paid."""
    claims = {one.id: one for one in (*group, late)}
    shares = {prize.event: prize.share for prize in late.on(part.level) if prize.share is not None}
    for event, share in shares.items():
        if event not in part.paid:
            whole = int(earlier.shown[part.level] * share)
            claims |= {one.id: one for one in divided(claims.values(), part.level, event, whole)}
    return claims


def _late_shares(
    state: JackpotState,
    jackpot: Jackpot,
    game: str,
    level: str,
    earlier: ClaimedBefore,
    prizes: Sequence[Prize],
) -> list[Prize]:
    """Late prizes on a level with what they would have been had all winners been claimed together."""
    late = {at: prize for at, prize in enumerate(prizes) if prize.level == level}
    others = enumerate(earlier.on(level), len(prizes))
    together = sorted([*late.items(), *others], key=lambda one: one[1].seat)
    then = state.meter(level)._replace(display=earlier.shown[level] * CENT)
    taken = taken_off(offer_of(jackpot, game), then, [prize for _, prize in together])
    shares = dict(zip([at for at, _ in together], taken.prizes, strict=True))
    return [shares.get(at, prize) for at, prize in enumerate(prizes)]
