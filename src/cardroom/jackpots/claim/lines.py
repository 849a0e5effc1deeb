"""The lines of a round of which one winner was paid.

A payment fixes its own line: the winners of one event on one level. As long as no winner of a line was paid all who
were claimed share it, however late they come, as if they had been claimed at once (BJ-27).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from cardroom.jackpots.pending import Claim, Part


def divided(group: Iterable[Claim], level: str, event: str, cents: int) -> Iterator[Claim]:
    """The winners of a line with an equal share each; odd cents go to the first from the dealer's left (BJ-4)."""
    claims = {claim.id: claim for claim in group}
    won = [
        (prize.seat, claim.id, at)
        for claim in claims.values()
        for at, prize in enumerate(claim.prizes)
        if (prize.level, prize.event) == (level, event)
    ]
    won.sort(key=lambda one: one[0])
    for place, (_, id, at) in enumerate(won):
        each, odd = divmod(cents, len(won))
        prizes = list(claims[id].prizes)
        prizes[at] = prizes[at]._replace(cents=each + (place < odd))
        claims[id] = claims[id]._replace(prizes=tuple(prizes))
    return iter(claims.values())


def events_on(claim: Claim, level: str) -> tuple[str, ...]:
    """The events whose lines a claim has won on a level."""
    return tuple(dict.fromkeys(prize.event for prize in claim.on(level)))


def held_by(group: Iterable[Claim], level: str, paid: Iterable[str]) -> tuple[str, ...]:
    """The events whose lines the pending claims of a round hold on a level, and none of whose winners was paid."""
    events = (
        event
        for claim in group
        for event in events_on(claim, level)
        if (part := claim.part(level)) and part.holds(event)
    )
    return tuple(event for event in dict.fromkeys(events) if event not in paid)


def without_refused(claims: Sequence[Claim], before: Claim, left: Claim, part: Part) -> tuple[dict[str, Claim], int]:
    """The claims of a round of which one was paid, once of one of them only so much is left; and the cents that come
    back to the level. Others of a line that was not paid share what it pays; what nobody else shares is given back."""
    level, returned = part.level, 0
    group = {one.id: one for one in claims if one.of == left.of} | {left.id: left}
    for event in events_on(before, level):
        gone = _cents([before], level, event) - _cents([left], level, event)
        if event not in part.paid and any(event in events_on(one, level) for one in group.values()):
            others = [one for one in claims if one.of == left.of and one.id != left.id]
            whole = _cents([before, *others], level, event)
            group |= {one.id: one for one in divided(group.values(), level, event, whole)}
        elif part.holds(event):
            returned += gone
    return group, returned


def _cents(claims: Iterable[Claim], level: str, event: str) -> int:
    return sum(prize.cents for claim in claims for prize in claim.on(level) if prize.event == event)
