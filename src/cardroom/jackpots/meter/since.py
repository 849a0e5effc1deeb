"""What came in on a level since a claim was made: each level's latest pending claim remembers it, so that the level can
be played again should a claim be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from cardroom.jackpots.happenings import WagersCounted, WagersTakenBack
from cardroom.jackpots.pending import Claim, Part, Wagers, added, lessened


def with_what_came_in(claims: tuple[Claim, ...], counted: WagersCounted) -> tuple[Claim, ...]:
    """Each level's latest pending claim remembers what came in after it."""
    for level in counted.levels:
        claims = _latest_with(claims, level, partial(_more_since, counted.wagers))
    return claims


def _latest_with(claims: tuple[Claim, ...], level: str, change: Callable[[Part], Part]) -> tuple[Claim, ...]:
    for at in reversed(range(len(claims))):
        part = claims[at].part(level)
        if part is not None:
            return (*claims[:at], claims[at].with_part(change(part)), *claims[at + 1 :])
    return claims


def _more_since(wagers: Iterable[Wagers], part: Part) -> Part:
    return part._replace(since=added(part.since, wagers))


def without_paid(claims: tuple[Claim, ...], paid: Claim) -> tuple[Claim, ...]:
    """The claims that are left. Those of the group that was paid are fixed; what came in since the paid one came in
    since the one before it; void rounds that were counted before it were won with it (BJ-18)."""
    at = claims.index(paid)
    earlier, later = claims[:at], claims[at + 1 :]
    for part in paid.parts:
        earlier = _latest_with(earlier, part.level, partial(_more_since, part.since))
    return tuple(_fixed(one, paid) if one.of == paid.of else one for one in (*earlier, *later))


def _fixed(claim: Claim, paid: Claim) -> Claim:
    """A claim of the same round: what its group takes off a level stands, and so do the lines that were paid."""
    for part in paid.parts:
        own = claim.part(part.level)
        if own is not None:
            events = dict.fromkeys((*own.paid, *(prize.event for prize in paid.on(part.level))))
            claim = claim.with_part(own._replace(fixed=own.fixed or own.is_open, paid=tuple(events)))
    return claim


def without_a_void_round(claims: tuple[Claim, ...], level: str, back: WagersTakenBack) -> tuple[Claim, ...]:
    """A round that was counted after all claims on a level did not come in since any more."""
    return _latest_with(claims, level, lambda part: part._replace(since=lessened(part.since, back.wagers)))
