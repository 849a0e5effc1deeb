"""A void round: its wagers go back, and what they put on the meters is taken off again."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.accounts import Amount
from cardroom.jackpots.contents import GivenBack, by_holder
from cardroom.jackpots.happenings import Happening, WagersTakenBack
from cardroom.jackpots.meter.arithmetic import whole_cents
from cardroom.jackpots.meter.custody import free_meter
from cardroom.jackpots.meter.state import JackpotState
from cardroom.jackpots.people import named
from cardroom.jackpots.reasons import Reduction


def take_back(
    state: JackpotState,
    table: str,
    round_id: str,
    wagers: tuple[int, Amount],
    levels: Mapping[str, tuple[Amount, Amount, Amount]],
    *,
    who: str,
    why: str,
) -> tuple[Happening, ...]:
    """A void round: take its wagers off the totals (how many, and their amount) and what they put on display, into the
    reserve and into the overflow off the levels, to the hundredth of a cent. What is not there any more, because
    something was won since, stays with the players (BJ-18)."""
    back: dict[str, GivenBack] = {}
    for level, amounts in levels.items():
        meter = free_meter(state, level)
        held = meter.display, meter.reserve, meter.overflow
        back[level] = GivenBack(meter.display, *map(min, held, amounts))
    to_the_house = sum(sum(by_holder(one)) for one in back.values())
    # The bank pays whole cents: what it pays too much, the cage keeps for the jackpot.
    from_bank = state.escrow - min(state.escrow, whole_cents(state.owed - to_the_house))
    count, amount = wagers
    taken_back = WagersTakenBack(
        jackpot=state.id,
        table=table,
        round=round_id,
        count=count,
        amount=amount,
        levels=back,
        reason=Reduction.MALFUNCTION,
        undeposited=to_the_house - from_bank,
        escrow=from_bank,
        who=named(who, "name of the person who declares it void"),
        why=named(why, "reason"),
    )
    return (taken_back,)
