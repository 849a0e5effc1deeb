"""What happens to one level's money: wagers come in, a prize is locked, the meter is reset.

Nothing is rounded away. A contribution that is not a whole hundredth of a cent is carried, and what is not a whole
cent stays where it is when money moves.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from math import lcm
from typing import NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.games.settlement import MeterShare, Payment, share_meters
from cardroom.games.table import WagerOffer
from cardroom.paytables import Percent
from cardroom.room.jackpot.event_values import MeterFunding
from cardroom.room.jackpot.pending_claims import EqualWagers, JackpotPrize, LevelSnapshot, MeterCounting
from cardroom.room.jackpot.state import Meter, with_parameters
from cardroom.room.setup.jackpot import MeterParameters, WaitingChange


class MeterWithdrawal(NamedTuple):
    """What a round takes off a meter."""

    prizes: tuple[JackpotPrize, ...]
    amount: Amount
    is_whole_meter: bool
    """Whether the lines that were won take the whole meter, so that it is reset (BJ-12)."""


def whole_cents(amount: Amount) -> Amount:
    """The whole cents of an amount."""
    return amount - amount % CENT


def room_below_ceiling(meter: Meter) -> Amount | None:
    """How much the meter can still show; None without a ceiling."""
    ceiling = meter.parameters.ceiling
    return None if ceiling is None else max(ceiling - meter.display, 0)


def add_wager_money(meter: Meter, meter_amount: Amount, reserve_amount: Amount) -> Meter:
    """Money from wagers: at the ceiling the meter holds, and the rest is overflow."""
    headroom = room_below_ceiling(meter)
    displayed = meter_amount if headroom is None else min(meter_amount, headroom)
    return meter._replace(
        display=meter.display + displayed,
        overflow=meter.overflow + meter_amount - displayed,
        reserve=meter.reserve + reserve_amount,
    )


class WagerGain(NamedTuple):
    """What wagers bring a level, and what is carried afterwards."""

    meter: Amount
    reserve: Amount
    carry: int
    reserve_carry: int


def participating_amount(parameters: MeterParameters, wagers: Iterable[tuple[int, int]]) -> Amount:
    """What was wagered by those who take part in a level."""
    return sum(cents * number for cents, number in wagers if cents >= parameters.minimum) * CENT


def compute_gain(meter: Meter, amount: Amount) -> WagerGain:
    """What wagers of so much bring a level. Many rounds together bring what they bring one by one."""
    gain, carry = divmod(amount * meter.step + meter.carry, meter.over)
    reserved, reserve_carry = divmod(amount * meter.reserve_step + meter.reserve_carry, meter.reserve_over)
    return WagerGain(gain, reserved, carry, reserve_carry)


def count_into_meter(meter: Meter, wagers: Sequence[EqualWagers]) -> Meter:
    """The meter after these wagers were counted."""
    gain = compute_gain(meter, participating_amount(meter.parameters, wagers))
    came = add_wager_money(meter, gain.meter, gain.reserve)
    return came._replace(
        carry=gain.carry,
        reserve_carry=gain.reserve_carry,
        contributed=meter.contributed + gain.meter + gain.reserve,
    )


def count_out_of_meter(meter: Meter, wagers: Sequence[EqualWagers], parameters: MeterParameters) -> Meter:
    """The meter without wagers that it has counted by these parameters: what they brought comes off again, what of it
    was carried, too. At the ceiling the overflow goes down first. What is not there any more stays with the players
    (BJ-18)."""
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
    """How much goes, and what is carried then, over which denominator, when exactly so much is taken away."""
    common = lcm(over, exact.denominator)
    removed, carry_left = divmod(int(exact * common) - carry * (common // over), common)
    # What is carried is never below zero: the next whole amount goes as well.
    return (removed + 1, common, common - carry_left) if carry_left else (removed, common, 0)


def withdraw_prizes(offer: WagerOffer, meter: Meter, prizes: Sequence[JackpotPrize]) -> MeterWithdrawal:
    """Value a round's prizes on a meter: settled by the same rule as at the table (BJ-4, BJ-8)."""
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
    """What the lines that these prizes won pay together, each in full (BJ-8)."""
    lines = {prize.event: prize.share for prize in prizes if prize.share is not None}
    return CENT * sum(int(meter.displayed_cents * share) for share in lines.values())


def excess_funding(meter: Meter, amount: Amount) -> MeterFunding:
    """What a round takes beyond the meter comes from where a reset would come from (BJ-8)."""
    return _fund_from_reserves(meter, max(amount - whole_cents(meter.display), 0))


def lock_amount(meter: Meter, amount: Amount) -> Meter:
    """The amount is set aside until it is paid or given back; what the meter lacks of it is added first."""
    enough = add_funding(meter, excess_funding(meter, amount))
    return enough._replace(display=enough.display - amount, pending=enough.pending + amount)


def lock_from_reserves(meter: Meter, amount: Amount) -> Meter:
    """The amount is set aside, and the display left alone: it comes from where a reset would come from (BJ-27)."""
    fill = _fund_from_reserves(meter, amount)
    return add_funding(meter, fill)._replace(display=meter.display, pending=meter.pending + amount)


def reset_funding(meter: Meter) -> MeterFunding:
    """A reset adds the reset value to what is left on the meter (BJ-12)."""
    headroom = room_below_ceiling(meter)
    return _fund_from_reserves(
        meter, meter.parameters.seed if headroom is None else min(meter.parameters.seed, whole_cents(headroom))
    )


def _fund_from_reserves(meter: Meter, amount: Amount) -> MeterFunding:
    """From the overflow, then from the reserve, then from the house; only whole cents move (BJ-12)."""
    overflow = min(amount, whole_cents(meter.overflow))
    reserve = min(amount - overflow, whole_cents(meter.reserve))
    return MeterFunding(overflow, reserve, amount - overflow - reserve)


def add_funding(meter: Meter, funding: MeterFunding) -> Meter:
    """The meter with what came from elsewhere; the house is owed its part as seed money."""
    return meter._replace(
        display=meter.display + sum(funding),
        overflow=meter.overflow - funding.overflow,
        reserve=meter.reserve - funding.reserve,
        seed_owed=meter.seed_owed + funding.house,
    )


def counting_state(meter: Meter) -> MeterCounting:
    """How far the level has counted."""
    return MeterCounting(meter.carry, meter.over, meter.reserve_carry, meter.reserve_over, meter.contributed)


def restore_counting(meter: Meter, former_counting: MeterCounting) -> Meter:
    """The level when it had counted so far."""
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
    """The level as it stands."""
    held = meter.display, meter.reserve, meter.overflow, meter.seed_owed
    return LevelSnapshot(*held, meter.parameters, waiting, counting_state(meter))


def restore_level(meter: Meter, snapshot: LevelSnapshot) -> Meter:
    """The level as it stood. What is pending stays as it is now."""
    former_meter = with_parameters(meter, snapshot.parameters)._replace(
        display=snapshot.display, reserve=snapshot.reserve, overflow=snapshot.overflow, seed_owed=snapshot.seed_owed
    )
    return restore_counting(former_meter, snapshot.counting)
