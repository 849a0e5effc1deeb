"""Replay a level with one more claim, with one less, or with other winners.

The pending claims on a level form a line in the order of their time, with the wagers counted between them. Claims of
one round are a group: at the position of its first claim, all its prizes are valued together, as if they had been
claimed at once (BJ-26). When a claim is added or removed, the level is restored to that position, and everything after
it is replayed (BJ-14).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.room.claim.prizes import find_offer
from cardroom.room.jackpot.event_values import LevelBalances, LevelTerms
from cardroom.room.jackpot.meter_arithmetic import (
    add_funding,
    add_wager_money,
    count_into_meter,
    count_out_of_meter,
    counting_state,
    level_snapshot,
    lock_amount,
    lock_from_reserves,
    reset_funding,
    restore_level,
    withdraw_prizes,
)
from cardroom.room.jackpot.pending_claims import (
    Claim,
    ClaimPart,
    JackpotPrize,
    MeterCounting,
    VoidRound,
    add_wagers,
    subtract_wagers,
)
from cardroom.room.jackpot.state import JackpotState, Meter, with_parameters
from cardroom.room.setup.jackpot import JackpotKind, WaitingChange
from cardroom.room.setup.jackpot_validation import Jackpot


class LevelReplay(NamedTuple):
    """A replayed level."""

    meter: Meter
    waiting: WaitingChange | None
    claims: dict[str, Claim]
    """The claims that changed."""
    counting: MeterCounting
    """The counting state of the level afterward."""
    void: tuple[VoidRound, ...]
    """Void rounds that came off, because no claim from before their voiding is left after them."""

    @property
    def balances(self) -> LevelBalances:
        return self.meter.balances

    def replaced_terms(self, state: JackpotState) -> LevelTerms | None:
        """The level's former terms, if they changed."""
        parameters = state.meter(self.meter.name).parameters
        if parameters == self.meter.parameters:
            return None
        return LevelTerms(parameters, state.waiting_change(self.meter.name))


def find_group_leader(line: Iterable[Claim], claim: Claim, level: str) -> Claim | None:
    """The first claim of a group that can still be revalued."""
    return next(
        (
            other
            for other in line
            if other.round_key == claim.round_key and (part := other.part(level)) and part.is_open
        ),
        None,
    )


def line_position(line: Sequence[Claim], claim: Claim, level: str) -> int:
    """The position at which a claim takes its money: 0 if its prizes are held already, its own order if it is late,
    otherwise the order of its group."""
    part = claim.part(level)
    assert part is not None
    first = claim if part.late else find_group_leader(line, claim, level)
    return 0 if first is None or all(part.holds(prize.event) for prize in claim.prizes_on(level)) else first.order


def value_group(jackpot: Jackpot, group: Sequence[Claim], meter: Meter) -> tuple[dict[str, Claim], Amount, bool]:
    """Value a group's prizes on one level together: the claims, the amount that they take, and whether they take the
    whole meter, so that it is reset."""
    prizes = {(claim.id, index): prize for claim in group for index, prize in enumerate(claim.prizes)}
    on_level = [key for key, prize in prizes.items() if prize.level == meter.name]
    places = sorted(on_level, key=lambda key: prizes[key].seat)  # odd cents go to the first from the dealer's left
    withdrawal = withdraw_prizes(find_offer(jackpot, group[0].game), meter, [prizes[key] for key in places])
    prizes |= dict(zip(places, withdrawal.prizes, strict=True))
    changed = {
        claim.id: claim._replace(prizes=tuple(prizes[claim.id, index] for index in range(len(claim.prizes))))
        for claim in group
    }
    return changed, withdrawal.amount, withdrawal.is_whole_meter


def redivide_level(jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str) -> dict[str, Claim]:
    """Divide the prizes on a level of a bonus jackpot again among the winners of each group; no meter changes."""
    changed: dict[str, Claim] = {}
    for claim in claims:
        part = claim.part(level)
        if part is None:
            continue
        if not claim.prizes_on(level):
            changed[claim.id] = claim.without_part(level)
        elif find_group_leader((other for other in claims if other.prizes_on(level)), claim, level) is claim:
            meter = restore_level(state.meter(level), part.before)
            changed |= value_group(jackpot, _claims_of_round(claims, claim, level), meter)[0]
    return changed


def _claims_of_round(claims: Sequence[Claim], claim: Claim, level: str) -> list[Claim]:
    same_round = [other for other in claims if other.round_key == claim.round_key and other.prizes_on(level)]
    return [other for other in same_round if (part := other.part(level)) and part.is_open]


def replay_level(
    jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str, start: int, returned: Amount = 0
) -> LevelReplay:
    """Replay a level of a progressive from a position in its line. ``claims`` are all pending claims afterward; a claim
    without a prize on the level leaves it. ``returned`` goes back to the level at that position."""
    return _LevelReplayer(jackpot, state, claims, level).replay(start, returned)


def claims_in_order(claims: Sequence[Claim], level: str) -> list[Claim]:
    """The pending claims on a level."""
    return [claim for claim in claims if claim.part(level)]


class _LevelReplayer:
    """Replays the pending claims on a level in their order."""

    def __init__(self, jackpot: Jackpot, state: JackpotState, claims: Sequence[Claim], level: str) -> None:
        assert state.kind is JackpotKind.PROGRESSIVE
        self.jackpot, self.state, self.level = jackpot, state, level
        self.line = claims_in_order(claims, level)
        self.remaining = [claim for claim in self.line if claim.prizes_on(level)]
        self.changed: dict[str, Claim] = {}
        self.removed_rounds: list[VoidRound] = []

    def replay(self, start: int, returned: Amount) -> LevelReplay:
        meter, waiting = self.state.meter(self.level), self.state.waiting_change(self.level)
        if start < len(self.line):
            snapshot = self._part(start).before
            meter, waiting = restore_level(meter, snapshot), snapshot.waiting
        meter = add_wager_money(meter, returned, 0)
        for index, claim in enumerate(self.line):
            if self._takes_money(index):
                self._change(
                    claim, self._part(index)._replace(taken=_total(self._current(claim).prizes_on(self.level)))
                )
            if index >= start:
                if self._takes_money(index):
                    meter, waiting = self._lock(index, meter, waiting)
                meter = self._add_wagers(index, meter)
            if not self._takes_money(index):
                for void in self._leave(index):
                    meter = count_out_of_meter(meter, void.wagers, void.parameters)
        pending = sum(self._current(claim).taken_on(self.level) for claim in self.remaining)
        return LevelReplay(
            meter._replace(pending=pending), waiting, self.changed, counting_state(meter), tuple(self.removed_rounds)
        )

    def _current(self, claim: Claim) -> Claim:
        return self.changed.get(claim.id, claim)

    def _part(self, index: int) -> ClaimPart:
        part = self._current(self.line[index]).part(self.level)
        assert part is not None
        return part

    def _change(self, claim: Claim, part: ClaimPart) -> None:
        self.changed[claim.id] = self._current(claim).with_part(part)

    def _takes_money(self, index: int) -> bool:
        return bool(self.line[index].prizes_on(self.level))

    def _lock(self, index: int, meter: Meter, waiting: WaitingChange | None) -> tuple[Meter, WaitingChange | None]:
        """The level after a claim takes its money, if it takes it at this position."""
        claim, part = self.line[index], self._part(index)
        self._change(claim, part._replace(before=level_snapshot(meter, waiting)))
        if part.late:
            open_prizes = [prize for prize in claim.prizes_on(self.level) if not part.holds(prize.event)]
            return lock_from_reserves(meter, _total(open_prizes)), waiting
        if part.fixed or find_group_leader(self.remaining, claim, self.level) is not claim:
            return meter, waiting
        group = [self._current(other) for other in _claims_of_round(self.line, claim, self.level)]
        changed, amount, takes_whole_meter = value_group(self.jackpot, group, meter)
        for other in changed.values():
            other_part = other.part(self.level)
            assert other_part is not None
            self.changed[other.id] = other.with_part(other_part._replace(taken=_total(other.prizes_on(self.level))))
        meter = lock_amount(meter, amount)
        if not takes_whole_meter:
            return meter, waiting
        if waiting:
            meter = with_parameters(meter, waiting.after)
        return add_funding(meter, reset_funding(meter)), None

    def _add_wagers(self, index: int, meter: Meter) -> Meter:
        """The level after the wagers that were counted since the claim, at the rates in force now."""
        if index + 1 < len(self.line):
            next_part = self._part(index + 1)
            void = tuple(void_round._replace(parameters=meter.parameters) for void_round in next_part.void)
            self._change(self.line[index + 1], next_part._replace(void=void))
        return count_into_meter(meter, self._part(index).since)

    def _leave(self, index: int) -> list[VoidRound]:
        """Remove a claim from the level. The wagers counted since it move to the claim before it. Its void rounds move
        to the next claim, if that was made before they were voided; the others come off here."""
        claim, part = self.line[index], self._part(index)
        earlier = next((other for other in reversed(self.line[:index]) if other.prizes_on(self.level)), None)
        next_claim = self.line[index + 1] if index + 1 < len(self.line) else None
        kept_rounds = tuple(void for void in part.void if next_claim is not None and next_claim.order <= void.made)
        dropped_rounds = [void for void in part.void if void not in kept_rounds]
        if next_claim is not None:
            next_part = self._part(index + 1)
            self._change(next_claim, next_part._replace(void=kept_rounds + next_part.void))
        if earlier is not None:
            earlier_part = self._current(earlier).part(self.level)
            assert earlier_part is not None
            self._change(earlier, _move_wagers(earlier_part, part, dropped_rounds))
        self.changed[claim.id] = self._current(claim).without_part(self.level)
        self.removed_rounds += dropped_rounds
        return dropped_rounds


def _total(prizes: Iterable[JackpotPrize]) -> Amount:
    return CENT * sum(prize.cents for prize in prizes)


def _move_wagers(earlier_part: ClaimPart, leaving: ClaimPart, void: Sequence[VoidRound]) -> ClaimPart:
    """Move the wagers counted since a removed claim to the claim before it, except those of void rounds."""
    wagers = add_wagers(earlier_part.since, leaving.since)
    for void_round in void:
        wagers = subtract_wagers(wagers, void_round.wagers)
    return earlier_part._replace(since=wagers)
