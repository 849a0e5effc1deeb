"""What came in on a level since a claim was made: each level's latest pending claim remembers it, so that the level can
be played again should a claim be refused."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from cardroom.jackpots.contents import Contribution, GivenBack
from cardroom.jackpots.happenings import WagersCounted, WagersTakenBack
from cardroom.jackpots.pending import Claim, Part, Wagers, added, lessened


def with_what_came_in(claims: tuple[Claim, ...], counted: WagersCounted) -> tuple[Claim, ...]:
    """Each level's latest pending claim remembers what came in after it."""
    for level, came_in in counted.levels.items():
        claims = _latest_with(claims, level, partial(_more_since, counted.wagers, came_in))
    return claims


def _latest_with(claims: tuple[Claim, ...], level: str, change: Callable[[Part], Part]) -> tuple[Claim, ...]:
    for at in reversed(range(len(claims))):
        part = claims[at].part(level)
        if part is not None:
            return (*claims[:at], claims[at].with_part(change(part)), *claims[at + 1 :])
    return claims


def _more_since(wagers: Iterable[Wagers], came_in: Contribution, part: Part) -> Part:
    if part.since is not None:
        return part._replace(since=added(part.since, wagers))
    return part._replace(
        counted=part.counted + came_in.shown + came_in.spilt, reserved=part.reserved + came_in.reserved
    )


def without_paid(claims: tuple[Claim, ...], paid: Claim) -> tuple[Claim, ...]:
    """The claims that are left. Those of the group that was paid are fixed; what came in since the paid one came in
    since the one before it; void rounds that were counted before it were won with it (BJ-18)."""
    at = claims.index(paid)
    earlier, later = claims[:at], claims[at + 1 :]
    for part in paid.parts:
        earlier = _latest_with(earlier, part.level, partial(_came_in_before, part))
    return tuple(_fixed(one, paid) if one.of == paid.of else one for one in (*earlier, *later))


def _came_in_before(paid: Part, earlier: Part) -> Part:
    if earlier.since is not None and paid.since is not None:
        return earlier._replace(since=added(earlier.since, paid.since))
    return earlier._replace(counted=earlier.counted + paid.counted, reserved=earlier.reserved + paid.reserved)


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
    return _latest_with(claims, level, partial(_less_since, back.wagers, back.levels[level]))


def _less_since(wagers: Iterable[Wagers], given: GivenBack, part: Part) -> Part:
    if part.since is not None:
        return part._replace(since=lessened(part.since, wagers))
    return part._replace(counted=part.counted - given.shown - given.spilt, reserved=part.reserved - given.reserved)
