"""Wagers that a tabulator, or a dealer by hand, has counted: the progressive grows in the same moment."""

from __future__ import annotations

from collections.abc import Mapping

from cardroom.accounts import CENT
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.jackpots.contents import Contribution
from cardroom.jackpots.happenings import WagersCounted
from cardroom.jackpots.meter.arithmetic import gained, room, taking_part
from cardroom.jackpots.meter.state import JackpotState, Meter
from cardroom.jackpots.pending import Wagers
from cardroom.jackpots.setup.jackpot import JackpotKind


class BadCount(BadInput):
    """Wagers that the jackpot cannot take."""


def count_wagers(
    state: JackpotState, table: str, wagers: int | Mapping[int, int], *, round_id: str = "", late: bool = False
) -> tuple[WagersCounted, ...]:
    """Count a round's jackpot wagers: how many, or how many of each amount in cents.

    ``late`` wagers were made while the jackpot was open and reach it only now, as from a data logger: they are the
    players' money and count whatever has become of the jackpot since (BJ-13).
    """
    if table not in state.tables:
        raise BadCount(f"Table {table} is not on jackpot {state.id}: let it join first.")
    if state.unavailable and not late:
        raise BadCount(f"Jackpot {state.id} takes no wagers: {state.unavailable}.")
    each = _amounts(state, wagers)
    count = sum(each.values())
    if count == 0:
        return ()
    amount = sum(cents * number for cents, number in each.items()) * CENT
    progressive = state.kind is JackpotKind.PROGRESSIVE
    counted = WagersCounted(
        jackpot=state.id,
        table=table,
        round=round_id,
        wagers=tuple(Wagers(cents, number) for cents, number in each.items()),
        count=count,
        amount=amount,
        collected=amount if state.collects else 0,
        levels={meter.name: _contribution(meter, each) for meter in state.meters if progressive},
    )
    return (counted,)


def _amounts(state: JackpotState, wagers: int | Mapping[int, int]) -> dict[int, int]:
    if isinstance(wagers, int):
        if len(state.wagers) > 1:
            several = " or ".join(map(format_cents, state.wagers))
            raise BadCount(f"A wager on jackpot {state.id} is {several}: say how many there are of each.")
        wagers = {state.wagers[0]: wagers}
    for cents, number in wagers.items():
        if cents not in state.wagers:
            only = " or ".join(map(format_cents, state.wagers))
            raise BadCount(f"A wager of {format_cents(cents)} cannot be on jackpot {state.id}: it takes {only}.")
        if number < 0:
            raise BadCount(f"{number} wagers cannot be counted: count none or more.")
    return {cents: wagers[cents] for cents in sorted(wagers) if wagers[cents]}


def _contribution(meter: Meter, wagers: Mapping[int, int]) -> Contribution:
    gain = gained(meter, taking_part(meter.parameters, wagers.items()))
    left = room(meter)
    shown = gain.meter if left is None else min(gain.meter, left)
    return Contribution(meter.display, shown, gain.reserve, gain.meter - shown, gain.carry, gain.reserve_carry)
