"""Arithmetic of one level's money: wagers come in, a prize is locked, the meter is reset.

Nothing is lost to rounding. A contribution that is not a whole hundredth of a cent is carried, and a fraction of a
cent stays in place when money moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cardroom.chart_of_accounts import CENT, Amount
from cardroom.games.playable_table import WagerOffer
from cardroom.games.settlement import MeterShare, Payment, share_meters
from cardroom.paytables import Percent
from cardroom.room.jackpot.event_values import MeterFunding
from cardroom.room.jackpot.pending_claims import EqualWagers, JackpotPrize, LevelSnapshot, MeterCounting
from cardroom.room.jackpot.state import Meter, with_parameters
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


class MeterWithdrawal(NamedTuple):
    """The prizes that a round takes from a meter."""

    prizes: tuple[JackpotPrize, ...]
    amount: Amount
    is_whole_meter: bool
    """Whether the winning lines take the whole meter, so that it is reset (BJ-12)."""


def whole_cents(amount: Amount) -> Amount:
    """The whole cents of an amount."""
    return amount - amount % CENT


def room_below_ceiling(meter: Meter) -> Amount | None:
    """How much the meter can still rise; None without a ceiling."""
    ceiling = meter.parameters.ceiling
    return None if ceiling is None else max(ceiling - meter.display, 0)


def add_wager_money(meter: Meter, meter_amount: Amount, reserve_amount: Amount) -> Meter:
    """Add money from wagers. The display stops at the ceiling, and the rest is overflow."""
    headroom = room_below_ceiling(meter)
    displayed = meter_amount if headroom is None else min(meter_amount, headroom)
    return meter._replace(
        display=meter.display + displayed,
        overflow=meter.overflow + meter_amount - displayed,
        reserve=meter.reserve + reserve_amount,
    )


class WagerGain(NamedTuple):
    """The contribution of wagers to a level, and the carry afterward."""

    meter: Amount
    reserve: Amount
    carry: int
    reserve_carry: int


def participating_amount(parameters: MeterParameters, wagers: Iterable[tuple[int, int]]) -> Amount:
    """The total of the wagers that reach the level's minimum."""
    return sum(cents * number for cents, number in wagers if cents >= parameters.minimum) * CENT


def compute_gain(meter: Meter, amount: Amount) -> WagerGain:
    """The contribution of this total of wagers. Rounds contribute the same together as one by one."""
    gain, carry = divmod(amount * meter.step + meter.carry, meter.over)
    reserved, reserve_carry = divmod(amount * meter.reserve_step + meter.reserve_carry, meter.reserve_over)
    return WagerGain(gain, reserved, carry, reserve_carry)


def count_into_meter(meter: Meter, wagers: Sequence[EqualWagers]) -> Meter:
    """The meter after it counts these wagers."""
    gain = compute_gain(meter, participating_amount(meter.parameters, wagers))
    came = add_wager_money(meter, gain.meter, gain.reserve)
    return came._replace(
        carry=gain.carry,
        reserve_carry=gain.reserve_carry,
        contributed=meter.contributed + gain.meter + gain.reserve,
    )


def count_out_of_meter(meter: Meter, wagers: Sequence[EqualWagers], parameters: MeterParameters) -> Meter:
    """The meter without wagers that it counted by these parameters: their contribution comes off, with its carry. At
    the ceiling the overflow goes down first. What has left the meter since stays with the players (BJ-18)."""
    amount = participating_amount(parameters, wagers)
    gain, over, carry = _subtract_exact(meter.carry, meter.over, amount * parameters.contribution)
    reserve_gain, reserve_over, reserve_carry = _subtract_exact(
        meter.reserve_carry, meter.reserve_over, amount * parameters.reserve
    )
    from_overflow = min(gain, meter.overflow) if room_below_ceiling(meter) == 0 else 0
    from_display = min(gain - from_overflow, meter.display)
    from_reserve = min(reserve_gain, meter.reserve)
    return meter._replace(
        display=meter.display - from_display,
        overflow=meter.overflow - from_overflow,
        reserve=meter.reserve - from_reserve,
        step=int(meter.parameters.contribution * over),
        over=over,
        carry=carry,
        reserve_step=int(meter.parameters.reserve * reserve_over),
        reserve_over=reserve_over,
        reserve_carry=reserve_carry,
        contributed=meter.contributed - from_display - from_overflow - from_reserve,
    )


def _subtract_exact(carry: int, over: int, exact: Fraction) -> tuple[Amount, int, int]:
    """Subtract an exact amount: the whole amount removed, the new denominator, and the new carry."""
    common = lcm(over, exact.denominator)
    removed, carry_left = divmod(int(exact * common) - carry * (common // over), common)
    # The carry is never negative: one more whole amount goes.
    return (removed + 1, common, common - carry_left) if carry_left else (removed, common, 0)


def withdraw_prizes(offer: WagerOffer, meter: Meter, prizes: Sequence[JackpotPrize]) -> MeterWithdrawal:
    """Value a round's prizes on a meter by the same rule as at the table (BJ-4, BJ-8)."""
    spot = offer.wager.slug
    payments = [
        Payment(
            seat=prize.seat,
            spot=spot,
            stake=prize.stake,
            event=prize.event,
            text=prize.words,
            cards=(),
            pay=Percent(prize.share),
            wagered=0,
            returned=None,
            meter=MeterShare(prize.share, 1, None),
        )
        for prize in prizes
        if prize.share is not None
    ]
    shared_payments = share_meters(payments, {spot: meter.displayed_cents}).payments
    valued = tuple(
        prize._replace(cents=payment.known_return) for prize, payment in zip(prizes, shared_payments, strict=True)
    )
    lines = {prize.event: prize.share for prize in prizes if prize.share is not None}
    amount = sum(prize.cents for prize in valued) * CENT
    return MeterWithdrawal(valued, amount, sum(lines.values(), Fraction(0)) >= 1)


def line_prize_total(meter: Meter, prizes: Sequence[JackpotPrize]) -> Amount:
    """The total of the winning lines, each in full (BJ-8)."""
    lines = {prize.event: prize.share for prize in prizes if prize.share is not None}
    return CENT * sum(int(meter.displayed_cents * share) for share in lines.values())


def excess_funding(meter: Meter, amount: Amount) -> MeterFunding:
    """The sources of what a round takes beyond the meter: the same as of a reset (BJ-8)."""
    return _fund_from_reserves(meter, max(amount - whole_cents(meter.display), 0))


def lock_amount(meter: Meter, amount: Amount) -> Meter:
    """Set the amount aside until it is paid or given back; add what the meter lacks first."""
    enough = add_funding(meter, excess_funding(meter, amount))
    return enough._replace(display=enough.display - amount, pending=enough.pending + amount)


def lock_from_reserves(meter: Meter, amount: Amount) -> Meter:
    """Set the amount aside from the sources of a reset; the display stays the same (BJ-27)."""
    fill = _fund_from_reserves(meter, amount)
    return add_funding(meter, fill)._replace(display=meter.display, pending=meter.pending + amount)


def reset_funding(meter: Meter) -> MeterFunding:
    """The sources of a reset, which adds the reset value to what is left on the meter (BJ-12)."""
    headroom = room_below_ceiling(meter)
    return _fund_from_reserves(
        meter, meter.parameters.seed if headroom is None else min(meter.parameters.seed, whole_cents(headroom))
    )


def _fund_from_reserves(meter: Meter, amount: Amount) -> MeterFunding:
    """Take the amount from the overflow, then the reserve, then the house; only whole cents move (BJ-12)."""
    overflow = min(amount, whole_cents(meter.overflow))
    reserve = min(amount - overflow, whole_cents(meter.reserve))
    return MeterFunding(overflow, reserve, amount - overflow - reserve)


def add_funding(meter: Meter, funding: MeterFunding) -> Meter:
    """The meter with the funding added; the house's part is seed money that it is owed."""
    return meter._replace(
        display=meter.display + sum(funding),
        overflow=meter.overflow - funding.overflow,
        reserve=meter.reserve - funding.reserve,
        seed_owed=meter.seed_owed + funding.house,
    )


def counting_state(meter: Meter) -> MeterCounting:
    """The counting state of a level."""
    return MeterCounting(meter.carry, meter.over, meter.reserve_carry, meter.reserve_over, meter.contributed)


def restore_counting(meter: Meter, former_counting: MeterCounting) -> Meter:
    """The level with a former counting state."""
    carry, over, reserve_carry, reserve_over, contributed = former_counting
    return meter._replace(
        step=int(meter.parameters.contribution * over),
        over=over,
        carry=carry,
        reserve_step=int(meter.parameters.reserve * reserve_over),
        reserve_over=reserve_over,
        reserve_carry=reserve_carry,
        contributed=contributed,
    )


def level_snapshot(meter: Meter, waiting: WaitingChange | None) -> LevelSnapshot:
    """A snapshot of the level."""
    held = meter.display, meter.reserve, meter.overflow, meter.seed_owed
    return LevelSnapshot(*held, meter.parameters, waiting, counting_state(meter))


def restore_level(meter: Meter, snapshot: LevelSnapshot) -> Meter:
    """The level as in the snapshot. Its pending amount stays."""
    former_meter = with_parameters(meter, snapshot.parameters)._replace(
        display=snapshot.display, reserve=snapshot.reserve, overflow=snapshot.overflow, seed_owed=snapshot.seed_owed
    )
    return restore_counting(former_meter, snapshot.counting)
