"""What a wager pays: a paytable applied to counts, and the payments of example rounds that the game settles.

The odds count deals and never restate what an outcome takes or pays. The rules play one example of each outcome, and
its stakes are stored in units of the wager.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, NamedTuple, TypeAlias

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
from cardroom.games.card_places import Place
from cardroom.games.setup import OptionValue
from cardroom.odds.result import WagerOutcome
from cardroom.paytables import (
    Basis,
    Dollars,
    ForOne,
    OperatorBonus,
    Pay,
    Paytable,
    PaytableLine,
    Percent,
    ToOne,
    compute_exact_return,
    describe_pay,
)

TriggerCounts: TypeAlias = Mapping[tuple[str, ...], int]
"""The number of combinations that meet exactly these events, the best event first."""


class Net(NamedTuple):
    """What a wager of one unit wins or loses."""

    units: Fraction
    """Without prizes from a meter."""
    percent: Fraction
    """The part of the meter that it wins."""
    hit: bool
    """Whether it wins a prize, however small."""


def net_units(pay: Pay, basis: Basis, wager_cents: int) -> Net:
    """The net units of a pay. Prizes in dollars are divided by this wager.

    >>> [str(net_units(pay, Basis.TO_ONE, 100).units) for pay in (ToOne(Fraction(3)), ForOne(Fraction(3)), Dollars(50))]
    ['3', '2', '1/2']
    """
    match pay:
        case Percent(share):
            return Net(Fraction(-1), share, True)
        case OperatorBonus():
            return Net(Fraction(-1), Fraction(0), False)  # nothing until the operator sets the amount
        case _:
            returned_cents = Fraction(compute_exact_return(pay, wager_cents, basis))
            return Net(returned_cents / wager_cents - 1, Fraction(0), _is_prize(pay))


def _is_prize(pay: Pay) -> bool:
    match pay:
        case ToOne(amount) | ForOne(amount) | Dollars(amount):
            return amount > 0
        case _:
            return False


def apply_paytable(
    counts: TriggerCounts, table: Paytable, *, is_jackpot: bool = False, wager_cents: int = 100
) -> Iterator[WagerOutcome]:
    """The outcomes of a wager on this table, from the top line down, and last the outcome that no line pays.

    An open top line of a jackpot's table counts as the meter: break-even solves for its amount.
    """
    line_counts: dict[PaytableLine | None, int] = dict.fromkeys(table.lines, 0)
    for events, count in counts.items():
        line = table.find_matching_line(events)
        line_counts[line] = line_counts.get(line, 0) + count
    for line, count in line_counts.items():
        if line is None:
            yield WagerOutcome("other", "loss", count, Fraction(-1))
        elif count:
            net, percent, hit = net_units(line.pay, table.basis, wager_cents)
            if is_jackpot and line is table.lines[0] and isinstance(line.pay, OperatorBonus):
                percent, hit = Fraction(1), True
            yield WagerOutcome(line.trigger, describe_pay(line.pay), count, net, percent=percent, hit=hit)


SEAT: Final = 1


class StakePayoff(NamedTuple):
    """One stake of a wager of one unit, as taken or paid."""

    name: str
    trigger: str
    wagered: Fraction
    net: Fraction
    pay: Pay
    uses_paytable: bool
    """Whether the wager's paytable decides the stake; otherwise the rules alone do."""


@dataclass(frozen=True)
class WagerPayoff:
    """The outcome of a wager of one unit in a round."""

    stakes: tuple[StakePayoff, ...]

    @property
    def trigger(self) -> str:
        """Of the last stake, which is the one that a paytable decides, if any stake is."""
        return self.stakes[-1].trigger

    @property
    def wagered(self) -> Fraction:
        """The total wager at the end, raises included."""
        return sum((stake.wagered for stake in self.stakes), Fraction(0))

    @property
    def net(self) -> Fraction:
        """What the wager won or lost at the table that settled it."""
        return sum((stake.net for stake in self.stakes), Fraction(0))

    def net_with_pay(self, pay: Pay, basis: Basis, unit_cents: int) -> Net:
        """What the wager wins or loses if the paytable decides on another pay. A percentage is won once."""
        units, stake_net = Fraction(0), Net(Fraction(0), Fraction(0), False)
        for stake in self.stakes:
            if stake.uses_paytable:
                stake_net = net_units(pay, basis, int(stake.wagered * unit_cents))
                units += stake.wagered * stake_net.units
            else:
                units += stake.net
        return stake_net._replace(units=units)


@cache
def example_table(slug: str, options: tuple[tuple[str, OptionValue], ...] = ()) -> Table:
    """A table with one seat and every wager."""
    return game(slug).open(replace(default_setup(slug, seats=1), options=dict(options)))


def settle_example(
    table: Table,
    spot: str,
    cards: Mapping[Place, tuple[Card, ...]],
    decisions: Mapping[str, Decision],
    other_spots: tuple[str, ...] = (),
) -> WagerPayoff:
    """The outcome of the lowest wager on a spot, with as much on each of ``other_spots``. Without given cards, any
    cards are used."""
    unit, paytable = table.spots[spot].limits.minimum, table.spots[spot].paytable
    finished_round = _play_example(table, dict.fromkeys((spot, *other_spots), unit), cards, decisions)
    no_meter = dict.fromkeys(table.spots, 0)
    payments = [
        payment
        for payment in finished_round.game.settle(finished_round, no_meter).seat_payments(SEAT)
        if payment.spot == spot
    ]

    def stake(payment: Payment) -> StakePayoff:
        line = paytable.find_line(payment.event)
        uses_paytable = line is not None and line.pay == payment.pay
        wagered, net = Fraction(payment.wagered, unit), Fraction(payment.known_return - payment.wagered, unit)
        return StakePayoff(payment.stake, payment.event, wagered, net, payment.pay, uses_paytable)

    return WagerPayoff(tuple(map(stake, payments)))


def _play_example(
    table: Table,
    bets: Mapping[str, int],
    cards_by_place: Mapping[Place, tuple[Card, ...]],
    decisions: Mapping[str, Decision],
) -> Round:
    round_ = game(table.facts.slug).begin(table, {SEAT: bets})
    used_cards = {card for cards in cards_by_place.values() for card in cards}
    spare_cards = (card for card in table.deck.distinct_cards() if card not in used_cards)
    while not round_.is_terminal:
        match round_.turn:
            case ChanceTurn(place):
                cards = cards_by_place.get(place, ())
                dealt_count = len(round_.piles.get(place, ()))
                round_ = round_.apply(Deal(cards[dealt_count] if dealt_count < len(cards) else next(spare_cards)))
            case SeatTurn(seat, question):
                round_ = round_.apply(Decide(seat, decisions[question]))
            case DealerTurn(step):
                round_ = round_.apply(TakeStep(step))
    return round_
