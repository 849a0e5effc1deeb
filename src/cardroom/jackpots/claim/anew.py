"""A level is played again: with a claim more, with one less, or with other winners.

All that is pending on a level stands in a line, in the order in which it was claimed, with the wagers that came in
between. Claims of one round are a group: at the place of its first claim all its prizes are valued together, as if they
had been claimed at once (BJ-26). So whatever is added or taken away, the level is put back to where it stood at that
place, and everything after it happens once more (BJ-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.jackpots.claim.winning import offer_of
from cardroom.jackpots.contents import Held, Terms
from cardroom.jackpots.meter.arithmetic import (
    back_to,
    before,
    come_in,
    counted_in,
    counting,
    fill_for,
    filled,
    locked,
    locked_from_elsewhere,
    taken_off,
    uncounted,
)
from cardroom.jackpots.meter.state import JackpotState, Meter, with_parameters
from cardroom.jackpots.pending import Claim, Counting, Part, Prize, VoidRound, added, lessened
from cardroom.jackpots.setup.jackpot import JackpotKind
from cardroom.jackpots.setup.opening import Jackpot
from cardroom.jackpots.setup.parameters import WaitingChange


class Again(NamedTuple):
    """A level that was played again."""

    meter: Meter
    waiting: WaitingChange | None
    claims: dict[str, Claim]
    """Those that changed."""
    counting: Counting
    """How far the level has counted now."""
    void: tuple[VoidRound, ...]
    """Void rounds that came off, because no claim that was made before they were void stands behind them any more."""

    @property
    def held(self) -> Held:
        return self.meter.held

    def replaced(self, state: JackpotState) -> Terms | None:
        """The level's terms before, where others are in force now."""
        parameters = state.meter(self.meter.name).parameters
        if parameters == self.meter.parameters:
            return None
        return Terms(parameters, state.waiting_for(self.meter.name))


def leader(line: Iterable[Claim], claim: Claim, level: str) -> Claim | None:
    """The first claim of a group that can still be valued anew."""
    return next((one for one in line if one.of == claim.of and (part := one.part(level)) and part.is_open), None)


def place(line: Sequence[Claim], claim: Claim, level: str) -> int:
    """Where in its order a claim takes its money: what is held already comes before everything, a late claim stands
    where it was made, all others at the place of their group."""
    part = claim.part(level)
    assert part is not None
    first = claim if part.late else leader(line, claim, level)
    return 0 if first is None or all(part.holds(prize.event) for prize in claim.on(level)) else first.order


def valued(jackpot: Jackpot, group: Sequence[Claim], meter: Meter) -> tuple[dict[str, Claim], Amount, bool]:
    """The claims of a group with their prizes on one level valued together; what they take, and whether that is the
    whole meter, so that it is reset."""
    prizes = {(claim.id, at): prize for claim in group for at, prize in enumerate(claim.prizes)}
    on_level = [one for one, prize in prizes.items() if prize.level == meter.name]
    places = sorted(on_level, key=lambda one: prizes[one].seat)  # odd cents go to the first from the dealer's left
    taken = taken_off(offer_of(jackpot, group[0].game), meter, [prizes[one] for one in places])
    prizes |= dict(zip(places, taken.prizes, strict=True))
    changed = {
        claim.id: claim._replace(prizes=tuple(prizes[claim.id, at] for at in range(len(claim.prizes))))
        for claim in group
    }
    return changed, taken.amount, taken.whole


def share_again(jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str) -> dict[str, Claim]:
    """The claims on a level of a bonus jackpot: no meter moves, only the winners of each group share anew."""
    changed: dict[str, Claim] = {}
    for claim in claims:
        part = claim.part(level)
        if part is None:
            continue
        if not claim.on(level):
            changed[claim.id] = claim.without_part(level)
        elif leader((one for one in claims if one.on(level)), claim, level) is claim:
            shown = back_to(state.meter(level), part.before)
            changed |= valued(jackpot, _group(claims, claim, level), shown)[0]
    return changed


def _group(claims: Sequence[Claim], claim: Claim, level: str) -> list[Claim]:
    of_it = [one for one in claims if one.of == claim.of and one.on(level)]
    return [one for one in of_it if (part := one.part(level)) and part.is_open]


def play_again(
    jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str, start: int, returned: Amount = 0
) -> Again:
    """Play a level of a progressive again from a place in its line on. ``claims`` are all that are pending, as they
    shall be; one without a prize on the level leaves it. ``returned`` comes back to the level there."""
    return _Line(jackpot, state, claims, level).played(start, returned)


def line_of(claims: Sequence[Claim], level: str) -> list[Claim]:
    """What is pending on a level."""
    return [claim for claim in claims if claim.part(level)]


class _Line:
    """What is pending on a level, in the order in which it was claimed."""

    def __init__(self, jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str) -> None:
        assert state.kind is JackpotKind.PROGRESSIVE
        self.jackpot, self.state, self.level = jackpot, state, level
        self.line = line_of(claims, level)
        self.standing = [claim for claim in self.line if claim.on(level)]
        self.changed: dict[str, Claim] = {}
        self.gone: list[VoidRound] = []

    def played(self, start: int, returned: Amount) -> Again:
        meter, waiting = self.state.meter(self.level), self.state.waiting_for(self.level)
        if start < len(self.line):
            stood = self._part(start).before
            meter, waiting = back_to(meter, stood), stood.waiting
        meter = come_in(meter, returned, 0)
        for at, claim in enumerate(self.line):
            if self._stands(at):
                self._change(claim, self._part(at)._replace(taken=_sum(self._now(claim).on(self.level))))
            if at >= start:
                if self._stands(at):
                    meter, waiting = self._locked(at, meter, waiting)
                meter = self._came_in(at, meter)
            if not self._stands(at):
                for void in self._leave(at):
                    meter = uncounted(meter, void.wagers, void.parameters)
        pending = sum(self._now(claim).taken(self.level) for claim in self.standing)
        return Again(meter._replace(pending=pending), waiting, self.changed, counting(meter), tuple(self.gone))

    def _now(self, claim: Claim) -> Claim:
        return self.changed.get(claim.id, claim)

    def _part(self, at: int) -> Part:
        part = self._now(self.line[at]).part(self.level)
        assert part is not None
        return part

    def _change(self, claim: Claim, part: Part) -> None:
        self.changed[claim.id] = self._now(claim).with_part(part)

    def _stands(self, at: int) -> bool:
        return bool(self.line[at].on(self.level))

    def _locked(self, at: int, meter: Meter, waiting: WaitingChange | None) -> tuple[Meter, WaitingChange | None]:
        """The level after a claim took its money, if this is the place where it does."""
        claim, part = self.line[at], self._part(at)
        self._change(claim, part._replace(before=before(meter, waiting)))
        if part.late:
            own = [prize for prize in claim.on(self.level) if not part.holds(prize.event)]
            return locked_from_elsewhere(meter, _sum(own)), waiting
        if part.fixed or leader(self.standing, claim, self.level) is not claim:
            return meter, waiting
        group = [self._now(one) for one in _group(self.line, claim, self.level)]
        changed, taken, whole = valued(self.jackpot, group, meter)
        for one in changed.values():
            its = one.part(self.level)
            assert its is not None
            self.changed[one.id] = one.with_part(its._replace(taken=_sum(one.on(self.level))))
        meter = locked(meter, taken)
        if not whole:
            return meter, waiting
        if waiting:
            meter = with_parameters(meter, waiting.after)
        return filled(meter, fill_for(meter)), None

    def _came_in(self, at: int, meter: Meter) -> Meter:
        """The level after the wagers that came in since the claim, by the rates that are in force now."""
        if at + 1 < len(self.line):
            behind = self._part(at + 1)
            void = tuple(one._replace(parameters=meter.parameters) for one in behind.void)
            self._change(self.line[at + 1], behind._replace(void=void))
        return counted_in(meter, self._part(at).since)

    def _leave(self, at: int) -> list[VoidRound]:
        """A claim leaves the level: what came in since it came in since the one before it. Void rounds before it are
        now before the one behind it if that one was made before they were void; the others come off here."""
        claim, part = self.line[at], self._part(at)
        earlier = next((one for one in reversed(self.line[:at]) if one.on(self.level)), None)
        behind = self.line[at + 1] if at + 1 < len(self.line) else None
        kept = tuple(void for void in part.void if behind is not None and behind.order <= void.made)
        gone = [void for void in part.void if void not in kept]
        if behind is not None:
            next_part = self._part(at + 1)
            self._change(behind, next_part._replace(void=kept + next_part.void))
        if earlier is not None:
            before_it = self._now(earlier).part(self.level)
            assert before_it is not None
            self._change(earlier, _passed_on(before_it, part, gone))
        self.changed[claim.id] = self._now(claim).without_part(self.level)
        self.gone += gone
        return gone


def _sum(prizes: Iterable[Prize]) -> Amount:
    return CENT * sum(prize.cents for prize in prizes)


def _passed_on(to: Part, leaving: Part, void: Sequence[VoidRound]) -> Part:
    """What came in since a claim that is gone came in since the one before it, but for rounds that are void."""
    since = added(to.since, leaving.since)
    for one in void:
        since = lessened(since, one.wagers)
    return to._replace(since=since)
