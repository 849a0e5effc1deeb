"""What a wager came to, read off a round that the game itself settled."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from cardroom.games import Payment, Round
from cardroom.odds.any.layout import SEAT, Layout
from cardroom.odds.endings import net_units
from cardroom.odds.result import Ending
from cardroom.paytables import Push, words


class End(NamedTuple):
    """How a round ended for the wager that is asked about, in cents."""

    event: str
    pays: str
    net: int
    wagered: int
    percent: Fraction
    """Of the meter."""
    hit: bool | None
    others: int
    """What the wagers that must go with it won or lost."""
    parts: tuple[tuple[str, int], ...] = ()
    """What each of several stakes won over its wager, by event."""


def end_of(layout: Layout, round_: Round) -> End:
    """Of a round that is over."""
    asked = layout.wager.slug
    mine: list[Payment] = []
    others = 0
    # What a meter adds is told beside the net, as a part of whatever it shows.
    for payment in layout.rules.settle(round_, dict.fromkeys(layout.table.spots, 0)).of(SEAT):
        if layout.table.spots[payment.spot].wager.slug == asked:
            mine.append(payment)
        else:
            others += payment.paid - payment.wagered
    return End(
        event=mine[0].event,
        pays=", ".join(_words(layout, payment, mine[0].stake) for payment in mine),
        net=sum(payment.paid - payment.wagered for payment in mine),
        wagered=sum(payment.wagered for payment in mine),
        percent=sum((payment.meter.share for payment in mine if payment.meter), Fraction(0)),
        hit=_hit(layout, mine),
        others=others,
        parts=_parts(mine),
    )


def _parts(payments: list[Payment]) -> tuple[tuple[str, int], ...]:
    if len(payments) == 1:
        return ()
    return tuple((payment.event, max(payment.paid - payment.wagered, 0)) for payment in payments)


def _words(layout: Layout, payment: Payment, first: str) -> str:
    if not payment.wagered:
        return f"{Fraction(payment.paid, layout.unit)} units bonus"
    told = layout.printed(payment.event) or words(payment.pay)
    return told if payment.stake == first else f"{payment.stake} {told}"


def _hit(layout: Layout, payments: list[Payment]) -> bool | None:
    """A line of a side wager's table that pays anything is a hit; a wager with several stakes hits when it wins."""
    if len(payments) > 1 or layout.wager.required or not layout.paytable.lines:
        return None
    payment = payments[0]
    return bool(payment.meter) or (payment.paid > 0 and not isinstance(payment.pay, Push))


def with_unhit(layout: Layout, seen: tuple[Ending, ...]) -> tuple[Ending, ...]:
    """Endings that were simulated, and beside them the prizes of the table that no round won."""
    lines = {line.event: number for number, line in enumerate(layout.paytable.lines)}
    both = (*seen, *_unhit(layout, seen))
    return tuple(sorted(both, key=lambda one: lines.get(one.event, len(lines))))


def _unhit(layout: Layout, seen: tuple[Ending, ...]) -> Iterator[Ending]:
    """Where more than the base wager was on the table the prize is that of all of it, because it may be paid on any
    part."""
    hit = {one.event for one in seen} | {event for one in seen for event, _ in one.parts}
    wagered = max((one.wagered for one in seen), default=Fraction(1))
    for line in layout.paytable.lines:
        net, percent, prize = net_units(line.pay, layout.paytable.basis, layout.unit)
        if line.event not in hit and prize:
            is_hit = None if layout.wager.required else True
            yield Ending(line.event, words(line.pay), 0, net * wagered, wagered, percent, is_hit)


def endings(layout: Layout, combinations: Mapping[End, int]) -> tuple[Ending, ...]:
    """One ending for each event and pay: in the order of the table, then the others from the best to the worst."""
    lines = {line.event: number for number, line in enumerate(layout.paytable.lines)}
    found: dict[Ending, int] = {}
    for end, count in combinations.items():
        net, wagered = Fraction(end.net, layout.unit), Fraction(end.wagered, layout.unit)
        parts = tuple((event, Fraction(cents, layout.unit)) for event, cents in end.parts)
        alike = Ending(end.event, end.pays, 0, net, wagered, end.percent, end.hit, parts)
        found[alike] = found.get(alike, 0) + count

    def place(one: Ending) -> tuple[int, Fraction, Fraction, str]:
        return lines.get(one.event, len(lines)), -one.net, one.wagered, one.event

    return tuple(replace(one, combinations=found[one]) for one in sorted(found, key=place))
