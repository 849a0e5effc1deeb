"""Take or pay: for each seat and spot what happened, which cards made it, and what goes back to the player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from cardroom.cards import Card
from cardroom.faults import BadInput
from cardroom.games.money import money
from cardroom.games.payout_limit import PayoutLimit, odds_of
from cardroom.games.table import Offered
from cardroom.hands import Hand
from cardroom.paytables import Pay, Percent, ToOne, returned
from cardroom.paytables import words as pay_words

EVEN_MONEY = ToOne(Fraction(1))


class MeterUnknown(BadInput):
    """A sum that hangs on a meter whose value was not given."""


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A prize that is a percentage of a meter, shared by the players of the round who won it (BJ-4, TS-7)."""

    percent: Fraction
    """Of the meter, before sharing: 1 is all of it."""
    winners: int
    """How many players share it."""
    cents: int | None
    """This hand's part when the meter's value is known."""
    paid_on: str | None = None
    """The stake of the same player that the player's one share is paid on, when it is not this one (TS-7)."""

    @property
    def share(self) -> Fraction:
        """This hand's part of the meter."""
        return self.percent / self.winners if self.paid_on is None else Fraction(0)


class Compared(NamedTuple):
    """The two hands of a comparison: the cards that made the player's, and those that made the other one."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    """The dealer's, or the community card of a duel."""


@dataclass(frozen=True, slots=True)
class Payment:
    """One stake taken or paid."""

    seat: int
    spot: str
    stake: str
    """Which chips of the spot: ``ante``, ``play``, ``high``, or a feature that rides on it."""
    event: str
    words: str
    """Why it was taken or paid: the hand, both hands of a comparison, and what a stake was lost to."""
    cards: tuple[Card, ...]
    pay: Pay
    wagered: int
    returned: int | None
    """What goes back to the player in cents, the wager included where it is returned. None for a share of a meter whose
    value was not given: nobody knows it then, and zero would be a lost wager."""
    meter: MeterShare | None = None
    hand_of: int | None = None
    """The seat whose hand made the event, where it is not the one that wagered."""
    compared: Compared | None = None
    """Both hands, where the stake hung on which of them was the better one."""
    before_limit: int | None = None
    """What would go back without the table's payout limit, where that reduces it."""

    @property
    def net(self) -> int | None:
        """What the stake won or lost; None when that hangs on a meter whose value was not given."""
        return None if self.returned is None else self.returned - self.wagered

    @property
    def pays(self) -> str:
        """What the stake is paid, in words, and among how many winners a share of a meter was divided."""
        told = pay_words(self.pay)
        if self.meter is None:
            return told
        if self.meter.paid_on is not None:
            return f"{told}, paid on the {self.meter.paid_on}"
        return f"{told}, shared by {self.meter.winners}" if self.meter.winners > 1 else told

    @property
    def paid(self) -> int:
        """``returned`` as a number to add up. When it is not known, a sentence says which meter to give."""
        if self.returned is None:
            raise _unknown(self)
        return self.returned


@dataclass(frozen=True, slots=True)
class Settlement:
    """Every payment of a round. A sum with an unknown share of a meter in it is refused with ``MeterUnknown``."""

    payments: tuple[Payment, ...]

    def of(self, seat: int) -> tuple[Payment, ...]:
        """One seat's payments."""
        return tuple(payment for payment in self.payments if payment.seat == seat)

    def net(self, seat: int) -> int:
        """What a seat won or lost in all."""
        return sum(payment.paid - payment.wagered for payment in self.of(seat))

    def refuse_unknown(self) -> None:
        """Say which meter is missing, when a share of one is not known."""
        for payment in self.payments:
            if payment.returned is None:
                raise _unknown(payment)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that had a wager, in order."""
        return tuple(sorted({payment.seat for payment in self.payments}))

    @property
    def wagered(self) -> int:
        """What lay on the layout, in cents."""
        return sum(payment.wagered for payment in self.payments)

    @property
    def returned(self) -> int:
        """What goes to the players, their own stakes included, in cents."""
        return sum(payment.paid for payment in self.payments)

    @property
    def house(self) -> int:
        """What the house won or lost: every chip wagered either goes back or stays here."""
        return self.wagered - self.returned


def _unknown(payment: Payment) -> MeterUnknown:
    return MeterUnknown(
        f"Seat {payment.seat} wins {pay_words(payment.pay)} on {payment.spot} ({payment.event}), and nobody has "
        f'said what that meter shows: add "meters": {{"{payment.spot}": 1000000}} with its cents when the round began.'
    )


_returned = lru_cache(maxsize=4096)(returned)


def against(player: Hand, verdict: str, dealer: Hand) -> str:
    """Both hands of a comparison in words: ``pair of sixes, ace kicker; loses to the dealer's flush, king high``."""
    return f"{player.words}; {verdict} the dealer's {dealer.words}"


def fixed(
    seat: int,
    spot: str,
    stake: str,
    wagered: int,
    event: str,
    words: str,
    cards: Iterable[Card],
    pay: Pay,
    compared: Compared | None = None,
) -> Payment:
    """A stake that the rules themselves take or pay, such as even money."""
    back = _returned(pay, wagered)
    return Payment(seat, spot, stake, event, words, tuple(cards), pay, wagered, back, compared=compared)


def by_table(
    offered: Offered,
    seat: int,
    spot: str,
    stake: str,
    wagered: int,
    events: Iterable[str],
    words: str,
    cards: Iterable[Card],
    compared: Compared | None = None,
) -> Payment:
    """A stake that the wager's paytable takes or pays. ``events`` are all that the hand meets, the best one first;
    the table is matched from its top line down. A hand that gets nothing is told so."""
    event, pay, back = offered.paid(tuple(events), wagered)
    meter = MeterShare(pay.share, 1, None) if isinstance(pay, Percent) else None
    told = f"{words}; no line pays" if back == 0 else words
    return Payment(seat, spot, stake, event, told, tuple(cards), pay, wagered, back, meter, compared=compared)


def meter_prize(percent: Percent, meter: int) -> int:
    """What a percentage of a meter is, in cents; what is no whole cent stays on the meter."""
    return int(meter * percent.share)


def shared(payments: Iterable[Payment], meters: Mapping[str, int]) -> Settlement:
    """Divide each percentage prize among the players who won it; odd cents go to the first of them from the dealer's
    left. A player whose two hands meet the same line has one share, on the first of them (TS-7).

    Each line pays its percentage of what the meter showed when the round began, whatever other lines were won (BJ-8).
    ``meters`` gives what the meters show in cents, by spot; without a value the shares are told, and what they return
    is not known.
    """
    settled = list(payments)
    winners: dict[tuple[str, str], list[int]] = defaultdict(list)
    for at, payment in enumerate(settled):
        if payment.meter:
            winners[payment.spot, payment.event].append(at)
    for (spot, _), places in winners.items():
        percent = settled[places[0]].pay
        assert isinstance(percent, Percent)
        prize = meter_prize(percent, meters[spot]) if spot in meters else None
        hands: dict[int, list[int]] = defaultdict(list)
        for at in places:
            hands[settled[at].seat].append(at)
        for order, (first, *others) in enumerate(hands.values()):
            part = None if prize is None else prize // len(hands) + (order < prize % len(hands))
            meter = MeterShare(percent.share, len(hands), part)
            for at in others:
                settled[at] = _without_a_share(settled[at], replace(meter, cents=0, paid_on=settled[first].stake))
            settled[first] = replace(
                settled[first],
                meter=meter,
                returned=part,
                words=settled[first].words
                + ("; one share for both hands" if others else "")
                + ("; its share comes to nothing" if part == 0 else ""),
            )
    return Settlement(tuple(settled))


def within_limit(settlement: Settlement, limit: PayoutLimit | None, paid_first: Collection[str] = ()) -> Settlement:
    """The settlement with what covered wagers win reduced to the table's payout limit (GEN-5).

    A wager itself goes back undiminished. Winners share the limit by what they would have won, to the whole cent; odd
    cents go to the first of them from the dealer's left (GEN-4). Spots that are ``paid_first``, before the deal is
    over, count first.
    """
    if limit is None:
        return settlement
    settled, left = list(settlement.payments), limit.cents
    for first in (True, False):
        places = [
            at
            for at, one in enumerate(settled)
            if (one.spot in paid_first) is first and one.spot in limit.spots and won_by_odds(one)
        ]
        won = [won_by_odds(settled[at]) for at in places]
        for at, before, after in zip(places, won, shared_out(won, left), strict=True):
            if after < before:
                settled[at] = _reduced(settled[at], before - after, limit)
        left -= min(left, sum(won))
    return Settlement(tuple(settled))


def shared_out(won: Sequence[int], most: int) -> list[int]:
    """Amounts in proportion to these that come to no more than ``most``; odd cents go to the first of them.

    >>> shared_out([500, 300, 200], 1_000), shared_out([500, 300, 201], 100)
    ([500, 300, 200], [50, 30, 20])
    """
    total = sum(won)
    if total <= most:
        return list(won)
    parts = [one * most // total for one in won]
    odd = most - sum(parts)
    return [part + (at < odd) for at, part in enumerate(parts)]


def won_by_odds(payment: Payment) -> int:
    """What a stake wins by odds, over the wager and before any payout limit: 51 for 1 wins as much as 50 to 1. A prize
    of another kind is nothing here."""
    back = payment.returned if payment.before_limit is None else payment.before_limit
    if back is None or not odds_of(payment.pay):
        return 0
    return max(back - payment.wagered, 0)


def _reduced(payment: Payment, by: int, limit: PayoutLimit) -> Payment:
    assert payment.returned is not None
    told = f"reduced from {money(payment.returned)} to {money(payment.returned - by)} by the table's payout limit of"
    words = f"{payment.words}; {told} {money(limit.cents)} a deal"
    return replace(payment, returned=payment.returned - by, before_limit=payment.returned, words=words)


def _without_a_share(payment: Payment, meter: MeterShare) -> Payment:
    words = f"{payment.words}; its share is paid on the {meter.paid_on}"
    return replace(payment, meter=meter, returned=0, words=words)
