"""What the rules of a game pay, read off rounds that the game itself settles.

The odds count deals; what an ending takes or pays they never state. An example of each ending is played by the rules,
once, and its stakes are kept in units of the wager.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple

from cardroom.cards import Card
from cardroom.games import (
    ChanceTurn,
    Deal,
    DealerTurn,
    Decide,
    Decision,
    Payment,
    Round,
    SeatTurn,
    Table,
    TakeStep,
    default_setup,
    game,
)
from cardroom.games.places import Place
from cardroom.games.setup import Value
from cardroom.odds.endings import Net, net_units
from cardroom.paytables import Basis, Pay

SEAT: Final = 1


class Stake(NamedTuple):
    """One stake of a wager of one unit, as it was taken or paid."""

    name: str
    event: str
    wagered: Fraction
    net: Fraction
    pay: Pay
    by_table: bool
    """Whether the wager's paytable decides it, and not the rules alone."""


@dataclass(frozen=True)
class Settled:
    """How a wager of one unit ended in a round."""

    stakes: tuple[Stake, ...]

    @property
    def event(self) -> str:
        """Of the last stake, which is the one that a paytable decides where there is such a stake."""
        return self.stakes[-1].event

    @property
    def wagered(self) -> Fraction:
        """What was on the table in the end, raises included."""
        return sum((stake.wagered for stake in self.stakes), Fraction(0))

    @property
    def net(self) -> Fraction:
        """What was won or lost at the table where it was settled."""
        return sum((stake.net for stake in self.stakes), Fraction(0))

    def net_when(self, pay: Pay, basis: Basis, unit_cents: int) -> Net:
        """What is won or lost where the paytable decides on another pay. A percentage is won once."""
        units, found = Fraction(0), Net(Fraction(0), Fraction(0), False)
        for stake in self.stakes:
            if stake.by_table:
                found = net_units(pay, basis, int(stake.wagered * unit_cents))
                units += stake.wagered * found.units
            else:
                units += stake.net
        return found._replace(units=units)


@cache
def example_table(slug: str, options: tuple[tuple[str, Value], ...] = ()) -> Table:
    """A table with one seat that offers everything."""
    return game(slug).open(replace(default_setup(slug, seats=1), options=dict(options)))


def settled(
    table: Table,
    spot: str,
    dealt: Mapping[Place, tuple[Card, ...]],
    answers: Mapping[str, Decision],
    beside: tuple[str, ...] = (),
) -> Settled:
    """A round with the lowest wager on a spot, and as much on the spots ``beside`` it, and how that wager ended. Where
    no cards are given, any will do."""
    unit, paytable = table.spots[spot].limits.minimum, table.spots[spot].paytable
    over = _played(table, dict.fromkeys((spot, *beside), unit), dealt, answers)
    no_meter = dict.fromkeys(table.spots, 0)
    payments = [payment for payment in over.game.settle(over, no_meter).of(SEAT) if payment.spot == spot]

    def stake(payment: Payment) -> Stake:
        line = paytable.line(payment.event)
        by_table = line is not None and line.pay == payment.pay
        wagered, net = Fraction(payment.wagered, unit), Fraction(payment.paid - payment.wagered, unit)
        return Stake(payment.stake, payment.event, wagered, net, payment.pay, by_table)

    return Settled(tuple(map(stake, payments)))


def _played(
    table: Table, bets: Mapping[str, int], dealt: Mapping[Place, tuple[Card, ...]], answers: Mapping[str, Decision]
) -> Round:
    round_ = game(table.facts.slug).begin(table, {SEAT: bets})
    named = {card for cards in dealt.values() for card in cards}
    others = (card for card in table.deck.kinds() if card not in named)
    while not round_.is_over:
        match round_.turn:
            case ChanceTurn(place):
                cards = dealt.get(place, ())
                there = len(round_.dealt.get(place, ()))
                round_ = round_.apply(Deal(cards[there] if there < len(cards) else next(others)))
            case SeatTurn(seat, question):
                round_ = round_.apply(Decide(seat, answers[question]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
    return round_
