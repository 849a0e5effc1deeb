"""What happens to one level's money: wagers come in, a prize is locked, the meter is reset.

Nothing is rounded away. A contribution that is not a whole hundredth of a cent is carried, and what is not a whole
cent stays where it is when money moves.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from cardroom.accounts import CENT, Amount
from cardroom.games.settlement import MeterShare, Payment, shared
from cardroom.games.table import Offered
from cardroom.jackpots.contents import Fill
from cardroom.jackpots.meter.state import Meter, with_parameters
from cardroom.jackpots.pending import Before, Prize
from cardroom.jackpots.setup.parameters import WaitingChange
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


def taken_off(offer: Offered, meter: Meter, prizes: Sequence[Prize]) -> Taken:
    """Value a round's prizes on a meter: settled by the same rule as at the table (BJ-4, BJ-8)."""
    spot = offer.wager.slug
    payments = [
        Payment(
            seat=prize.seat,
            spot=spot,
            stake=prize.stake,
            event=prize.event,
            words=prize.words,
            cards=(),
            pay=Percent(prize.share),
            wagered=0,
            returned=None,
            meter=MeterShare(prize.share, 1, None),
        )
        for prize in prizes
        if prize.share is not None
    ]
    settled = shared(payments, {spot: meter.shown}).payments
    valued = tuple(prize._replace(cents=one.paid) for prize, one in zip(prizes, settled, strict=True))
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


def before(meter: Meter, waiting: WaitingChange | None) -> Before:
    """The level as it stands."""
    return Before(meter.display, meter.reserve, meter.overflow, meter.seed_owed, meter.parameters, waiting)


def back_to(meter: Meter, stood: Before) -> Meter:
    """The level as it stood. What is pending and what is carried stay as they are now."""
    return with_parameters(meter, stood.parameters)._replace(
        display=stood.display, reserve=stood.reserve, overflow=stood.overflow, seed_owed=stood.seed_owed
    )
