"""Count wagers into a jackpot, and reverse the wagers of a void round.

A progressive grows as soon as the tabulator, or the dealer by hand, counts a wager. When a round is void, its
contributions come off the meters again. What has been won since stays with the players (BJ-18).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.room.dual_control import require_text, require_two_people
from cardroom.room.event_types import DomainEvent
from cardroom.room.jackpot.event_values import (
    Contribution,
    ContributionReversal,
    Reduction,
    RememberedVoid,
    split_by_holder,
)
from cardroom.room.jackpot.events import (
    ChangeApplied,
    ClaimJoined,
    ClaimLocked,
    ClaimPaid,
    WagersCounted,
    WagersReversed,
)
from cardroom.room.jackpot.meter_arithmetic import (
    compute_gain,
    count_out_of_meter,
    participating_amount,
    room_below_ceiling,
)
from cardroom.room.jackpot.pending_claims import ClaimPart, EqualWagers, VoidRound
from cardroom.room.jackpot.state import JackpotState, Meter
from cardroom.room.setup.jackpot import JackpotKind, MeterParameters


class BadCount(BadInput):
    """Wagers that the jackpot cannot count."""


def count_wagers(
    state: JackpotState, table: str, wagers: int | Mapping[int, int], *, round_id: str = "", late: bool = False
) -> tuple[WagersCounted, ...]:
    """Count a round's jackpot wagers: how many, or how many of each amount in cents.

    ``late`` wagers were made while the jackpot was open and arrive only now, such as from a data logger: they are the
    players' money, and count even if the jackpot is unavailable now (BJ-13).
    """
    if table not in state.tables:
        raise BadCount(f"Table {table} is not linked to jackpot {state.id}: link it first.")
    if state.unavailability and not late:
        raise BadCount(f"Jackpot {state.id} takes no wagers: {state.unavailability}.")
    count_by_cents = _count_by_amount(state, wagers)
    count = sum(count_by_cents.values())
    if count == 0:
        return ()
    amount = sum(cents * number for cents, number in count_by_cents.items()) * CENT
    progressive = state.kind is JackpotKind.PROGRESSIVE
    event = WagersCounted(
        jackpot=state.id,
        table=table,
        round=round_id,
        wagers=tuple(EqualWagers(cents, number) for cents, number in count_by_cents.items()),
        count=count,
        amount=amount,
        collected=amount if state.collects else 0,
        levels={meter.name: _compute_contribution(meter, count_by_cents) for meter in state.meters if progressive},
    )
    return (event,)


def _count_by_amount(state: JackpotState, wagers: int | Mapping[int, int]) -> dict[int, int]:
    if isinstance(wagers, int):
        if len(state.wagers) > 1:
            several = " or ".join(map(format_cents, state.wagers))
            raise BadCount(f"A wager on jackpot {state.id} is {several}: enter how many there are of each.")
        wagers = {state.wagers[0]: wagers}
    for cents, number in wagers.items():
        if cents not in state.wagers:
            only = " or ".join(map(format_cents, state.wagers))
            raise BadCount(f"Jackpot {state.id} does not take a wager of {format_cents(cents)}: it takes {only}.")
        if number < 0:
            raise BadCount(f"{number} wagers cannot be counted: enter none or more.")
    return {cents: wagers[cents] for cents in sorted(wagers) if wagers[cents]}


def _compute_contribution(meter: Meter, wagers: Mapping[int, int]) -> Contribution:
    gain = compute_gain(meter, participating_amount(meter.parameters, wagers.items()))
    headroom = room_below_ceiling(meter)
    displayed = gain.meter if headroom is None else min(gain.meter, headroom)
    return Contribution(meter.display, displayed, gain.reserve, gain.meter - displayed, gain.carry, gain.reserve_carry)


class LaterEvents(NamedTuple):
    """What happened to a jackpot after it counted a round."""

    made: frozenset[str] = frozenset()
    """The claims made since."""
    paid: frozenset[str] = frozenset()
    """The levels on which one of those claims was paid."""
    parameters: Mapping[str, MeterParameters] = {}
    """By level: the parameters by which the round was counted, if the operator has changed them since."""

    @classmethod
    def from_events(cls, events: Sequence[DomainEvent]) -> LaterEvents:
        """Collect it from the events since then."""
        new_claims = frozenset(event.claim for event in events if isinstance(event, ClaimLocked | ClaimJoined))
        paid = [event for event in events if isinstance(event, ClaimPaid) and event.claim in new_claims]
        return cls(
            new_claims, frozenset(level for event in paid for level in event.levels), _parameters_when_counted(events)
        )


def _parameters_when_counted(events: Sequence[DomainEvent]) -> dict[str, MeterParameters]:
    """By level: the parameters before the operator's first change. A change that a claim's reset put into effect does
    not count: it applies only after the claim."""
    parameters_by_level: dict[str, MeterParameters] = {}
    for event in events:
        if isinstance(event, ChangeApplied) and event.claim is None:
            parameters_by_level.setdefault(event.level, event.before)
    return parameters_by_level


class _LaterClaim(NamedTuple):
    """A claim made after a round, and its effect on a level."""

    claim: str
    part: ClaimPart


def _find_later_claim(state: JackpotState, level: str, later: LaterEvents) -> _LaterClaim | None:
    parts = ((claim, claim.part(level)) for claim in state.claims if claim.id in later.made)
    return next((_LaterClaim(claim.id, part) for claim, part in parts if part is not None), None)


def reverse_wagers(
    state: JackpotState, count: WagersCounted, later: LaterEvents, *, who: str, second: str | None, why: str
) -> tuple[DomainEvent, ...]:
    """Take the wagers of a void round off the totals, and their contributions off the levels. If a claim came after
    the round, the contribution is part of the pending prize: nothing comes off while the claim is pending."""
    first_name, second_name = require_two_people(who, second, "a void round")
    reversals: dict[str, ContributionReversal] = {}
    remembered: dict[str, RememberedVoid] = {}
    for level in count.levels:
        if level in later.paid:
            continue
        meter, later_claim = state.meter(level), _find_later_claim(state, level, later)
        if later_claim is not None:
            parameters = later.parameters.get(level, later_claim.part.before.parameters)
            void = VoidRound(count.table, count.round, count.wagers, parameters, state.order)
            remembered[level] = RememberedVoid(later_claim.claim, void)
            continue
        after = count_out_of_meter(meter, count.wagers, later.parameters.get(level, meter.parameters))
        amounts = meter.display - after.display, meter.reserve - after.reserve, meter.overflow - after.overflow
        reversals[level] = ContributionReversal(meter.display, *amounts)
    to_the_house = sum(sum(split_by_holder(reversal)) for reversal in reversals.values())
    wager_reversal = WagersReversed(
        jackpot=state.id,
        table=count.table,
        round=count.round,
        count=count.count,
        amount=count.amount,
        levels=reversals,
        reason=Reduction.MALFUNCTION,
        undeposited=to_the_house,
        who=first_name,
        why=require_text(why, "reason"),
        second=second_name,
        wagers=count.wagers,
        parameters={
            level: level_parameters for level, level_parameters in later.parameters.items() if level in reversals
        },
        remembered=remembered,
        won=tuple(level for level in count.levels if level in later.paid),
    )
    return (wager_reversal,)
