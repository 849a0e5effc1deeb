"""What the Shootout Bonus, the Jackpot and their features pay for the kinds of hands that a seat plays.

The rules are those of ``games.texas_shootout``; here they are applied to counts of boards instead of a round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from typing import Final, TypeAlias

from cardroom.cards import Rank, Suit, of
from cardroom.games import Limits, MeterShare
from cardroom.games.settlement import by_table, shared
from cardroom.games.table import Offered, OfferedFeature
from cardroom.games.texas_shootout.features import (
    FIRST_HAND,
    ONLY_HAND,
    SECOND_HAND,
    FeatureKind,
    PlayerHand,
    feature_prizes,
)
from cardroom.games.texas_shootout.rules import RULES, wager_goes_back_twice
from cardroom.hands import SIX_DECK, best_five_six_deck
from cardroom.hands.category import SUITED
from cardroom.odds.endings import endings
from cardroom.odds.result import Ending
from cardroom.odds.settled import SEAT
from cardroom.odds.texas_shootout.boards import HAND_KINDS, HandKind
from cardroom.paytables import OperatorBonus, Paytable, Percent, given_back

_JACKPOT: Final = "jackpot"
_WAGER: Final = 1_00
Cents: TypeAlias = int | Fraction


def kind_ending(kind: HandKind, table: Paytable, *, jackpot: bool = False) -> Ending:
    """How a wager on one hand ends with this kind of hand."""
    return next(one for one in endings({kind.events: 1}, table, jackpot=jackpot) if one.combinations)


def matched_ending(one: Ending, other: Ending, count: int) -> Ending:
    """How a matched Shootout Bonus ends: a wager on each hand of a split."""
    won = tuple((each.event, max(each.net, Fraction(0))) for each in (one, other))
    return Ending(_together(one, other), "both hands", count, one.net + other.net, wagered=Fraction(2), parts=won)


def jackpot_ending(kinds: tuple[HandKind, HandKind], table: Paytable, count: int) -> Ending:
    """How the one jackpot wager of a split ends: each hand can win on it, it goes back at most once, and two hands on
    one percentage line have one share (TS-7), on two lines both percentages (BJ-8)."""
    one, other = (kind_ending(kind, table, jackpot=True) for kind in kinds)
    first, second = (table.pay(kind.events) for kind in kinds)
    back_once = int(wager_goes_back_twice(first, second))
    percent = one.percent + other.percent
    if one.percent and other.percent:
        percent = sum((share.share for share in _shares(kinds, _meter_on_top(table))), Fraction(0))
    return Ending(
        _together(one, other),
        "both hands",
        count,
        one.net + other.net + 1 - back_once,
        percent=percent,
        hit=one.is_hit or other.is_hit,
    )


def _shares(
    kinds: Sequence[HandKind], table: Paytable, meters: Mapping[str, int] | None = None
) -> Iterator[MeterShare]:
    """What the hands of one player win of the meter, both on percentages."""
    offered = Offered(RULES.facts.wager(_JACKPOT), table, Limits(_WAGER, _WAGER, _WAGER), None)
    paid = (by_table(offered, SEAT, _JACKPOT, "", _WAGER, kind.events, "", ()) for kind in kinds)
    return (payment.meter for payment in shared(paid, meters or {}).payments if payment.meter)


def _meter_on_top(table: Paytable) -> Paytable:
    """An open line on top of a jackpot's table stands for the whole meter."""
    top, *others = table.lines
    open_top = isinstance(top.pay, OperatorBonus)
    return replace(table, lines=(replace(top, pay=Percent(Fraction(1))), *others)) if open_top else table


def _together(one: Ending, other: Ending) -> str:
    first, second = sorted((one.event, other.event))
    return f"both hands {first}" if first == second else f"{first} and {second}"


@dataclass(frozen=True, slots=True)
class Stake:
    """A proposition wager of a seat, in cents, with its paytable and the feature that it has qualified for."""

    wager: int
    table: Paytable
    feature: OfferedFeature | None = None

    def bonus_net(self, kind: HandKind) -> Cents:
        """What the Shootout Bonus wins on one hand."""
        return self._given_back(kind) - self.wager

    def jackpot_net(self, kinds: Sequence[HandKind], meter: int) -> Cents:
        """What the Jackpot wins on the one or two hands that share the wager; ``meter`` is what it shows in cents."""
        return self.fixed_jackpot_net(kinds) + self.from_meter(tuple(filter(self.on_percentage, kinds)), meter)

    def fixed_jackpot_net(self, kinds: Sequence[HandKind]) -> Cents:
        """The same without what comes off the meter."""
        won = sum(self._given_back(kind) for kind in kinds)
        pays = [self.table.pay(kind.events) for kind in kinds]
        if len(pays) == 2 and wager_goes_back_twice(*pays):
            won -= self.wager
        return won - self.wager

    def on_percentage(self, kind: HandKind) -> bool:
        """Whether such a hand wins a share of the meter."""
        return isinstance(self.table.pay(kind.events), Percent)

    def from_meter(self, kinds: Sequence[HandKind], meter: int) -> int:
        """What hands on percentages win of it."""
        return sum(share.cents or 0 for share in _shares(kinds, self.table, {_JACKPOT: meter})) if kinds else 0

    def _given_back(self, kind: HandKind) -> Cents:
        """For one hand in cents, exact where it is no whole number of them; without what comes off a meter."""
        pay = self.table.pay(kind.events)
        if isinstance(pay, Percent | OperatorBonus):
            return 0
        back = given_back(pay, self.wager, self.table.basis)
        return back.numerator if back.denominator == 1 else back

    def feature_cents(self, own: int, kinds: Sequence[HandKind]) -> int:
        """What the feature wins for the wager on hand ``own`` of the seat's hands by what they make. Other seats'
        hands are left out, and the Color Bonus, which looks at all seven cards."""
        if self.feature is None:
            return 0
        names = (ONLY_HAND,) if len(kinds) == 1 else (FIRST_HAND, SECOND_HAND)
        hands = [_example(kind, name) for kind, name in zip(kinds, names, strict=True)]
        return _won(self.feature, hands[own], hands)

    @property
    def color_cents(self) -> int:
        """What seven cards of one color win."""
        if self.feature is None or self.feature.kind != FeatureKind.COLOR:
            return 0
        hand = _example(HAND_KINDS[0], ONLY_HAND)._replace(seven=(of(Rank.TWO, Suit.CLUBS),) * 7)
        return _won(self.feature, hand, [hand])


def _won(feature: OfferedFeature, own: PlayerHand, hands: Sequence[PlayerHand]) -> int:
    return sum(payment.paid for payment in feature_prizes(feature, "", own, hands))


@cache
def _example(kind: HandKind, name: str) -> PlayerHand:
    """A hand of a kind, with cards of both colors beside it."""
    one = next(one for one in SIX_DECK.classes if HandKind.of(one) == kind)
    suits = (Suit.CLUBS,) * 5 if one.category in SUITED else (*Suit, Suit.CLUBS)
    five = tuple(of(Rank(rank), suit) for rank, suit in zip(one.ranks, suits, strict=True))
    beside = of(Rank.TWO, Suit.CLUBS), of(Rank.TWO, Suit.DIAMONDS)
    return PlayerHand(SEAT, name, (*five, *beside), best_five_six_deck(five))
