"""A claim that is refused, whole or for some seats: everything is as if what was refused had never been claimed.

What came in since stays, counted by the rates that would have been in force. Later claims on the same level are valued
anew, and so is what each reset took (BJ-14). Once another claim of the group was paid the refused one gives its own
money back: to the others of its line, if none of them was paid, or to the level (BJ-27).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.claim.anew import Again, leader, line_of, play_again, share_again
from cardroom.jackpots.claim.lines import without_refused
from cardroom.jackpots.claim.paying import decided_by
from cardroom.jackpots.claim.winning import BadClaim
from cardroom.jackpots.contents import LevelRefused
from cardroom.jackpots.happenings import ClaimRefused, Happening
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.pending import Claim, Part
from cardroom.jackpots.people import named
from cardroom.jackpots.reasons import Increase
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot


def refuse_claim(
    state: JackpotState,
    claim: str,
    *,
    refused_by: str,
    why: str,
    seats: Collection[int] | None = None,
    second: str | None = None,
) -> tuple[Happening, ...]:
    """Give a claim back, or the prizes of some seats of it; a second person decides that too, and two where an
    automatic table claimed it."""
    one = state.claim(claim)
    other = decided_by(one, refused_by, second)
    refused = tuple(one.seats if seats is None else seats)
    if not refused or not set(refused) <= set(one.seats):
        raise BadClaim(f"Claim {claim} has prizes of the seats {', '.join(map(str, one.seats))} only.")
    left = one._replace(prizes=tuple(prize for prize in one.prizes if prize.seat not in refused))
    jackpot = state.jackpot
    claims = {other.id: other for other in state.claims} | {claim: left}
    levels: dict[str, LevelRefused] = {}
    returned: Amount = 0
    for part in one.parts:
        given_back = 0
        if not part.is_open:
            changed, given_back = without_refused(tuple(claims.values()), one, claims[claim], part)
            claims |= changed
        if state.kind is JackpotKind.BONUS:
            claims |= share_again(jackpot, state, tuple(claims.values()), part.level)
            continue
        again = _as_if(jackpot, state, tuple(claims.values()), claims[claim], part, given_back * CENT)
        claims |= again.claims
        now = state.meter(part.level)
        returned += now.owed - again.meter.owed
        levels[part.level] = LevelRefused(
            part.taken - claims[claim].taken(part.level),
            now.held,
            again.held,
            again.meter.parameters,
            again.waiting,
            again.counting,
            again.void,
            again.replaced(state),
        )
    if not left.prizes:
        del claims[claim]
    refusal = ClaimRefused(
        jackpot=state.id,
        claim=claim,
        seats=refused,
        refused_by=named(refused_by, "name of the person who refuses"),
        why=named(why, "reason"),
        reason=Increase.PRIZE_REFUSED,
        levels=levels,
        claims=tuple(claims.values()),
        undeposited=max(returned, 0),
        funded=max(-returned, 0),
        second=other,
    )
    return (refusal,)


def _as_if(
    jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], left: Claim, part: Part, given_back: Amount
) -> Again:
    """Play the level again from where it stood before the refused claim took its money, or before the first claim that
    does not stand."""
    level, line = part.level, line_of(claims, part.level)
    if part.is_open:
        first = leader(line, left, level)
        start = next(at for at, one in enumerate(line) if first is not None and one.id == first.id)
        return play_again(jackpot, state, claims, level, start)
    start = next((at for at, one in enumerate(line) if not _part(one, level).fixed), len(line))
    return play_again(jackpot, state, claims, level, start, given_back)


def _part(claim: Claim, level: str) -> Part:
    part = claim.part(level)
    assert part is not None
    return part
