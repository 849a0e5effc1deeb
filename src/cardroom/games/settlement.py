"""Take or pay: for each seat and spot what happened, which cards made it, and what goes back to the player."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from cardroom.cards import Card
from cardroom.errors import BadInput
from cardroom.games.money import format_cents
from cardroom.games.payout_limit import PayoutLimit, odds_to_one
from cardroom.games.playable_table import WagerOffer
from cardroom.hands import Hand
from cardroom.paytables import ForOne, Pay, Percent, ToOne, compute_return, describe_pay
from cardroom.translation import gettext

EVEN_MONEY = ToOne(Fraction(1))
HALF_BACK = ForOne(Fraction(1, 2))


class UnknownMeter(BadInput):
    """A sum that depends on a meter whose value was not given."""


@dataclass(frozen=True, slots=True)
class MeterShare:
    """A prize that is a percentage of a meter, shared by the players of the round who won it (BJ-4, TS-7)."""

    percent: Fraction
    """Of the meter, before sharing: 1 is all of it."""
    winners: int
    """How many players share it."""
    cents: int | None
    """This hand's part when the meter's value is known."""
    paid_stake: str | None = None
    """The stake of the same player that the player's one share is paid on, when it is not this one (TS-7)."""

    @property
    def share(self) -> Fraction:
        """This hand's part of the meter."""
        return self.percent / self.winners if self.paid_stake is None else Fraction(0)


class HandComparison(NamedTuple):
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
    text: str
    """Why it was taken or paid: the hand, or both hands of a comparison."""
    cards: tuple[Card, ...]
    pay: Pay
    wagered: int
    returned: int | None
    """What goes back to the player in cents, the wager included where it is returned. None for a share of a meter whose
    value was not given: zero would be a lost wager."""
    meter: MeterShare | None = None
    hand_seat: int | None = None
    """The seat whose hand made the event, where it is not the one that wagered."""
    comparison: HandComparison | None = None
    """Both hands, where the better one decides the stake."""
    unlimited_return: int | None = None
    """What would go back without the table's payout limit, where that reduces it."""

    @property
    def net(self) -> int | None:
        """What the stake won or lost; None when that depends on a meter whose value was not given."""
        return None if self.returned is None else self.returned - self.wagered

    @property
    def pay_text(self) -> str:
        """What the stake is paid, and how many winners share a part of a meter."""
        if self.pay == HALF_BACK:
            return gettext("half back")
        pay = describe_pay(self.pay)
        if self.meter is None:
            return pay
        if self.meter.paid_stake is not None:
            return gettext("{pay}, paid on the {stake}").format(pay=pay, stake=self.meter.paid_stake)
        if self.meter.winners > 1:
            return gettext("{pay}, shared by {count}").format(pay=pay, count=self.meter.winners)
        return pay

    @property
    def known_return(self) -> int:
        """``returned`` as a number to add up. Refused with the name of the meter when it is not known."""
        if self.returned is None:
            raise _unknown_meter(self)
        return self.returned


@dataclass(frozen=True, slots=True)
class Settlement:
    """Every payment of a round. A sum with an unknown share of a meter in it is refused with ``UnknownMeter``."""

    payments: tuple[Payment, ...]

    def seat_payments(self, seat: int) -> tuple[Payment, ...]:
        """One seat's payments."""
        return tuple(payment for payment in self.payments if payment.seat == seat)

    def net(self, seat: int) -> int:
        """What a seat won or lost in all."""
        return sum(payment.known_return - payment.wagered for payment in self.seat_payments(seat))

    def require_known_meters(self) -> None:
        """Refuse a settlement with an unknown share, and name the missing meter."""
        for payment in self.payments:
            if payment.returned is None:
                raise _unknown_meter(payment)

    @property
    def seats(self) -> tuple[int, ...]:
        """Every seat that had a wager, in order."""
        return tuple(sorted({payment.seat for payment in self.payments}))

    @property
    def wagered(self) -> int:
        """All wagers on the layout, in cents."""
        return sum(payment.wagered for payment in self.payments)

    @property
    def returned(self) -> int:
        """What goes to the players, their own stakes included, in cents."""
        return sum(payment.known_return for payment in self.payments)

    @property
    def house_net(self) -> int:
        """What the house won or lost: every chip wagered either goes back or stays here."""
        return self.wagered - self.returned


def _unknown_meter(payment: Payment) -> UnknownMeter:
    return UnknownMeter(
        f"Seat {payment.seat} wins {describe_pay(payment.pay)} on {payment.spot} ({payment.event}), and the amount on "
        f'that meter is missing: add "meters": {{"{payment.spot}": 1000000}} with its cents when the round began.'
    )


_cached_return = lru_cache(maxsize=4096)(compute_return)


def describe_comparison(player: Hand, dealer: Hand) -> str:
    """Both hands of a comparison and which is better: ``pair of sixes, ace kicker; loses to the dealer's flush, king
    high``."""
    if player.strength > dealer.strength:
        text = gettext("{hand}; beats the dealer's {dealer_hand}")
    elif player.strength < dealer.strength:
        text = gettext("{hand}; loses to the dealer's {dealer_hand}")
    else:
        text = gettext("{hand}; ties the dealer's {dealer_hand}")
    return text.format(hand=player.description, dealer_hand=dealer.description)


def describe_winning_copy(player: Hand, dealer: Hand) -> str:
    """Two equal hands in a game where equal hands win for the player."""
    text = gettext("{hand}; copies the dealer's {dealer_hand}, and copies win")
    return text.format(hand=player.description, dealer_hand=dealer.description)


def fixed_payment(
    seat: int,
    spot: str,
    stake: str,
    wagered: int,
    event: str,
    text: str,
    cards: Iterable[Card],
    pay: Pay,
    comparison: HandComparison | None = None,
) -> Payment:
    """A stake that the rules themselves take or pay, such as even money."""
    returned_cents = _cached_return(pay, wagered)
    return Payment(seat, spot, stake, event, text, tuple(cards), pay, wagered, returned_cents, comparison=comparison)


def paytable_payment(
    offer: WagerOffer,
    seat: int,
    spot: str,
    stake: str,
    wagered: int,
    events: Iterable[str],
    text: str,
    cards: Iterable[Card],
    comparison: HandComparison | None = None,
) -> Payment:
    """A stake that the wager's paytable takes or pays. ``events`` are all that the hand meets, the best one first;
    the table is matched from its top line down. The text of a hand that gets nothing says so."""
    event, pay, returned_cents = offer.find_pay(tuple(events), wagered)
    meter = MeterShare(pay.share, 1, None) if isinstance(pay, Percent) else None
    payment_text = gettext("{outcome}; no win").format(outcome=text) if returned_cents == 0 else text
    return Payment(
        seat, spot, stake, event, payment_text, tuple(cards), pay, wagered, returned_cents, meter, comparison=comparison
    )


def meter_prize(percent: Percent, meter: int) -> int:
    """A percentage of a meter in whole cents; the fraction of a cent stays on the meter."""
    return int(meter * percent.share)


def share_meters(payments: Iterable[Payment], meters: Mapping[str, int]) -> Settlement:
    """Divide each percentage prize among the players who won it; odd cents go to the first of them from the dealer's
    left. A player whose two hands meet the same line has one share, on the first of them (TS-7).

    Each line pays its percentage of what the meter showed when the round began, whatever other lines were won (BJ-8).
    ``meters`` gives what the meters show in cents, by spot. Without it the shares are known and their amounts are not.
    """
    results = list(payments)
    winners: dict[tuple[str, str], list[int]] = defaultdict(list)
    for index, payment in enumerate(results):
        if payment.meter:
            winners[payment.spot, payment.event].append(index)
    for (spot, _), indexes in winners.items():
        percent = results[indexes[0]].pay
        assert isinstance(percent, Percent)
        prize = meter_prize(percent, meters[spot]) if spot in meters else None
        hands: dict[int, list[int]] = defaultdict(list)
        for index in indexes:
            hands[results[index].seat].append(index)
        for order, (first, *other_indexes) in enumerate(hands.values()):
            part = None if prize is None else prize // len(hands) + (order < prize % len(hands))
            meter = MeterShare(percent.share, len(hands), part)
            for index in other_indexes:
                results[index] = _remove_share(results[index], replace(meter, cents=0, paid_stake=results[first].stake))
            results[first] = replace(
                results[first],
                meter=meter,
                returned=part,
                text=_describe_share(results[first].text, is_for_both_hands=bool(other_indexes), is_empty=part == 0),
            )
    return Settlement(tuple(results))


def _describe_share(text: str, *, is_for_both_hands: bool, is_empty: bool) -> str:
    if is_for_both_hands:
        text = gettext("{outcome}; one share for both hands").format(outcome=text)
    if is_empty:
        text = gettext("{outcome}; its share comes to nothing").format(outcome=text)
    return text


def apply_payout_limit(
    settlement: Settlement, limit: PayoutLimit | None, early_spots: Collection[str] = ()
) -> Settlement:
    """The settlement with what covered wagers win reduced to the table's payout limit (GEN-5).

    A wager itself goes back undiminished. Winners share the limit by what they would have won, to the whole cent; odd
    cents go to the first of them from the dealer's left (GEN-4). Spots that are ``early_spots``, before the deal is
    over, count first.
    """
    if limit is None:
        return settlement
    results, remaining = list(settlement.payments), limit.cents
    for is_early in (True, False):
        indexes = [
            index
            for index, payment in enumerate(results)
            if (payment.spot in early_spots) is is_early and payment.spot in limit.spots and odds_winnings(payment)
        ]
        winnings = [odds_winnings(results[index]) for index in indexes]
        for index, full_cents, reduced_cents in zip(
            indexes, winnings, allocate_cents(winnings, remaining), strict=True
        ):
            if reduced_cents < full_cents:
                results[index] = _reduce_payment(results[index], full_cents - reduced_cents, limit)
        remaining -= min(remaining, sum(winnings))
    return Settlement(tuple(results))


def allocate_cents(amounts: Sequence[int], limit: int) -> list[int]:
    """Amounts in proportion to these that come to no more than ``limit``; odd cents go to the first of them.

    >>> allocate_cents([500, 300, 200], 1_000), allocate_cents([500, 300, 201], 100)
    ([500, 300, 200], [50, 30, 20])
    """
    total = sum(amounts)
    if total <= limit:
        return list(amounts)
    parts = [amount * limit // total for amount in amounts]
    odd = limit - sum(parts)
    return [part + (index < odd) for index, part in enumerate(parts)]


def odds_winnings(payment: Payment) -> int:
    """What a stake wins by odds, over the wager and before any payout limit: 51 for 1 wins as much as 50 to 1. A prize
    of another kind is nothing here."""
    returned_cents = payment.returned if payment.unlimited_return is None else payment.unlimited_return
    if returned_cents is None or not odds_to_one(payment.pay):
        return 0
    return max(returned_cents - payment.wagered, 0)


def _reduce_payment(payment: Payment, cents: int, limit: PayoutLimit) -> Payment:
    assert payment.returned is not None
    text = gettext("{outcome}; reduced from {full} to {reduced} by the table's payout limit of {limit} a deal").format(
        outcome=payment.text,
        full=format_cents(payment.returned),
        reduced=format_cents(payment.returned - cents),
        limit=format_cents(limit.cents),
    )
    return replace(payment, returned=payment.returned - cents, unlimited_return=payment.returned, text=text)


def _remove_share(payment: Payment, meter: MeterShare) -> Payment:
    text = gettext("{outcome}; its share is paid on the {stake}").format(outcome=payment.text, stake=meter.paid_stake)
    return replace(payment, meter=meter, returned=0, text=text)
