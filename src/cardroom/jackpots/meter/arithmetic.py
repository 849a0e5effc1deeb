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
from cardroom.jackpots.contents import Fill
from cardroom.jackpots.meter.state import Meter, with_parameters
from cardroom.jackpots.pending import Before, Counting, Prize, Wagers
from cardroom.jackpots.setup.parameters import Parameters, WaitingChange
from cardroom.paytables import Percent


class Taken(NamedTuple):
    """What a round takes off a meter."""

    prizes: tuple[Prize, ...]
    amount: Amount
    whole: bool
    """Whether the lines that were won take the whole meter, so that it is reset (BJ-12)."""


def whole_cents(amount: Amount) -> Amount:
    """The whole cents of an amount."""
    return amount - amount % CENT


def room(meter: Meter) -> Amount | None:
    """How much the meter can still show; None without a ceiling."""
    ceiling = meter.parameters.ceiling
    return None if ceiling is None else max(ceiling - meter.display, 0)


def come_in(meter: Meter, for_the_meter: Amount, for_the_reserve: Amount) -> Meter:
    """Money from wagers: at the ceiling the meter holds, and the rest is overflow."""
    left = room(meter)
    shown = for_the_meter if left is None else min(for_the_meter, left)
    return meter._replace(
        display=meter.display + shown,
        overflow=meter.overflow + for_the_meter - shown,
        reserve=meter.reserve + for_the_reserve,
    )


class Gain(NamedTuple):
    """What wagers bring a level, and what is carried afterwards."""

    meter: Amount
    reserve: Amount
    carry: int
    reserve_carry: int


def taking_part(parameters: Parameters, wagers: Iterable[tuple[int, int]]) -> Amount:
    """What was wagered by those who take part in a level."""
    return sum(cents * number for cents, number in wagers if cents >= parameters.minimum) * CENT


def gained(meter: Meter, amount: Amount) -> Gain:
    """What wagers of so much bring a level. Many rounds together bring what they bring one by one."""
    gain, carry = divmod(amount * meter.step + meter.carry, meter.over)
    reserved, reserve_carry = divmod(amount * meter.reserve_step + meter.reserve_carry, meter.reserve_over)
    return Gain(gain, reserved, carry, reserve_carry)


def counted_in(meter: Meter, wagers: Sequence[Wagers]) -> Meter:
    """The meter after these wagers were counted."""
    gain = gained(meter, taking_part(meter.parameters, wagers))
    came = come_in(meter, gain.meter, gain.reserve)
    return came._replace(
        carry=gain.carry,
        reserve_carry=gain.reserve_carry,
        contributed=meter.contributed + gain.meter + gain.reserve,
    )


def uncounted(meter: Meter, wagers: Sequence[Wagers], parameters: Parameters) -> Meter:
    """The meter without wagers that it has counted by these parameters: what they brought comes off again, what of it
    was carried, too. At the ceiling the overflow goes down first. What is not there any more stays with the players
    (BJ-18)."""
    amount = taking_part(parameters, wagers)
    gain, over, carry = _less(meter.carry, meter.over, amount * parameters.contribution)
    reserve_gain, reserve_over, reserve_carry = _less(
        meter.reserve_carry, meter.reserve_over, amount * parameters.reserve
    )
    from_overflow = min(gain, meter.overflow) if room(meter) == 0 else 0
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


def _less(carry: int, over: int, exact: Fraction) -> tuple[Amount, int, int]:
    """How much goes, and what is carried then, over which denominator, when exactly so much is taken away."""
    common = lcm(over, exact.denominator)
    gone, left = divmod(int(exact * common) - carry * (common // over), common)
    # What is carried is never below zero: the next whole amount goes as well.
    return (gone + 1, common, common - left) if left else (gone, common, 0)


def taken_off(offer: WagerOffer, meter: Meter, prizes: Sequence[Prize]) -> Taken:
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
    settled = share_meters(payments, {spot: meter.shown}).payments
    valued = tuple(prize._replace(cents=one.known_return) for prize, one in zip(prizes, settled, strict=True))
    lines = {prize.event: prize.share for prize in prizes if prize.share is not None}
    amount = sum(prize.cents for prize in valued) * CENT
    return Taken(valued, amount, sum(lines.values(), Fraction(0)) >= 1)


def line_prizes(meter: Meter, prizes: Sequence[Prize]) -> Amount:
    """What the lines that these prizes won pay together, each in full (BJ-8)."""
    lines = {prize.event: prize.share for prize in prizes if prize.share is not None}
    return CENT * sum(int(meter.shown * share) for share in lines.values())


def beyond(meter: Meter, amount: Amount) -> Fill:
    """What a round takes beyond the meter comes from where a reset would come from (BJ-8)."""
    return _from_elsewhere(meter, max(amount - whole_cents(meter.display), 0))


def locked(meter: Meter, amount: Amount) -> Meter:
    """The amount is set aside until it is paid or given back; what the meter lacks of it is added first."""
    enough = filled(meter, beyond(meter, amount))
    return enough._replace(display=enough.display - amount, pending=enough.pending + amount)


def locked_from_elsewhere(meter: Meter, amount: Amount) -> Meter:
    """The amount is set aside, and the display left alone: it comes from where a reset would come from (BJ-27)."""
    fill = _from_elsewhere(meter, amount)
    return filled(meter, fill)._replace(display=meter.display, pending=meter.pending + amount)


def fill_for(meter: Meter) -> Fill:
    """A reset adds the reset value to what is left on the meter (BJ-12)."""
    left = room(meter)
    return _from_elsewhere(
        meter, meter.parameters.seed if left is None else min(meter.parameters.seed, whole_cents(left))
    )


def _from_elsewhere(meter: Meter, wanted: Amount) -> Fill:
    """From the overflow, then from the reserve, then from the house; only whole cents move (BJ-12)."""
    overflow = min(wanted, whole_cents(meter.overflow))
    reserve = min(wanted - overflow, whole_cents(meter.reserve))
    return Fill(overflow, reserve, wanted - overflow - reserve)


def filled(meter: Meter, fill: Fill) -> Meter:
    """The meter with what came from elsewhere; the house is owed its part as seed money."""
    return meter._replace(
        display=meter.display + sum(fill),
        overflow=meter.overflow - fill.overflow,
        reserve=meter.reserve - fill.reserve,
        seed_owed=meter.seed_owed + fill.house,
    )


def counting(meter: Meter) -> Counting:
    """How far the level has counted."""
    return Counting(meter.carry, meter.over, meter.reserve_carry, meter.reserve_over, meter.contributed)


def counting_from(meter: Meter, then: Counting) -> Meter:
    """The level when it had counted so far."""
    carry, over, reserve_carry, reserve_over, contributed = then
    return meter._replace(
        step=int(meter.parameters.contribution * over),
        over=over,
        carry=carry,
        reserve_step=int(meter.parameters.reserve * reserve_over),
        reserve_over=reserve_over,
        reserve_carry=reserve_carry,
        contributed=contributed,
    )


def before(meter: Meter, waiting: WaitingChange | None) -> Before:
    """The level as it stands."""
    held = meter.display, meter.reserve, meter.overflow, meter.seed_owed
    return Before(*held, meter.parameters, waiting, counting(meter))


def back_to(meter: Meter, stood: Before) -> Meter:
    """The level as it stood. What is pending stays as it is now."""
    then = with_parameters(meter, stood.parameters)._replace(
        display=stood.display, reserve=stood.reserve, overflow=stood.overflow, seed_owed=stood.seed_owed
    )
    return counting_from(then, stood.counting)
