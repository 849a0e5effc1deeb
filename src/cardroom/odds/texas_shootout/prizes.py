"""What the Shootout Bonus, the Jackpot and their features pay for the kinds of hands that a seat plays.

The rules are those of ``games.texas_shootout`` and ``games.shootout_features``; here they are applied to counts of
boards instead of a round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from cardroom.games import FeatureKind
from cardroom.games.table import OfferedFeature
from cardroom.odds.endings import endings
from cardroom.odds.result import Ending
from cardroom.odds.texas_shootout.boards import Kind
from cardroom.paytables import Basis, Dollars, ForOne, Loss, OperatorBonus, Pay, Paytable, Percent, Push, ToOne

Cents: TypeAlias = int | Fraction


def kind_ending(kind: Kind, table: Paytable, *, jackpot: bool = False) -> Ending:
    """How a wager on one hand ends with this kind of hand."""
    return next(one for one in endings({kind.events: 1}, table, jackpot=jackpot) if one.combinations)


def pay_of(kind: Kind, table: Paytable) -> Pay:
    """What the table pays for a kind of hand."""
    line = table.first(kind.events)
    return line.pay if line else Loss()


def matched_ending(one: Ending, other: Ending, count: int) -> Ending:
    """How a matched Shootout Bonus ends: a wager on each hand of a split."""
    return Ending(_together(one, other), "both hands", count, one.net + other.net, wagered=Fraction(2))


def jackpot_ending(kinds: tuple[Kind, Kind], table: Paytable, count: int) -> Ending:
    """How the one jackpot wager of a split ends: each hand can win on it, it goes back at most once, and two hands on
    one percentage line have one share (TS-7), on two lines both percentages (BJ-8)."""
    one, other = (kind_ending(kind, table, jackpot=True) for kind in kinds)
    back_once = 1 if all(isinstance(pay_of(kind, table), ToOne | Push) for kind in kinds) else 0
    percent = one.percent if one.event == other.event else one.percent + other.percent
    return Ending(
        _together(one, other),
        "both hands",
        count,
        one.net + other.net + 1 - back_once,
        percent=percent,
        hit=one.is_hit or other.is_hit,
    )


def _together(one: Ending, other: Ending) -> str:
    first, second = sorted((one.event, other.event))
    return f"both hands {first}" if first == second else f"{first} and {second}"


@dataclass(frozen=True, slots=True)
class Stake:
    """A proposition wager of a seat, in cents, with its paytable and the feature that it has qualified for."""

    wager: int
    table: Paytable
    feature: OfferedFeature | None = None

    def bonus_net(self, kind: Kind) -> Cents:
        """What the Shootout Bonus wins on one hand."""
        pay = pay_of(kind, self.table)
        if isinstance(pay, Dollars) and self.table.basis is Basis.TO_ONE:
            return pay.cents
        return _returned(pay, self.wager, 0) - self.wager

    def jackpot_net(self, kinds: Sequence[Kind], meter: int) -> Cents:
        """What the Jackpot wins on the one or two hands that share the wager; ``meter`` is what it shows in cents."""
        pays = [pay_of(kind, self.table) for kind in kinds]
        won = sum(_returned(pay, self.wager, meter) for pay in pays)
        if len(pays) == 2:
            if all(isinstance(pay, ToOne | Push) for pay in pays):
                won -= self.wager
            same_line = self.table.first(kinds[0].events) is self.table.first(kinds[1].events)
            if same_line and isinstance(pays[0], Percent):  # one share (TS-7)
                won -= int(meter * pays[0].share)
        return won - self.wager

    def feature_cents(self, own: int, kinds: Sequence[Kind]) -> int:
        """What the feature wins for the wager on hand ``own`` of the seat's hands by what they make. Other seats'
        hands are left out, and the Color Bonus, which looks at all seven cards."""
        if self.feature is None:
            return 0
        match self.feature.kind:
            case FeatureKind.COLOR:
                return 0
            case FeatureKind.FIVE_ACE_FRENZY:
                return self._prize(("five-aces",) if kinds[own].five_aces else ())
            case FeatureKind.ENVY:
                return sum(self._prize(kind.events) for at, kind in enumerate(kinds) if at != own)
            case FeatureKind.SHARE_THE_WEALTH:
                return sum(self._prize(kind.events) for kind in kinds)

    @property
    def color_cents(self) -> int:
        """What seven cards of one color win."""
        on_color = self.feature is not None and self.feature.kind is FeatureKind.COLOR
        return self._prize(("seven-cards-same-color",)) if on_color else 0

    def _prize(self, events: Sequence[str]) -> int:
        assert self.feature is not None
        line = self.feature.paytable.first(events)
        return line.pay.cents if line is not None and isinstance(line.pay, Dollars) else 0


def _returned(pay: Pay, wager: int, meter: int) -> Cents:
    """What goes back for one wager, exact where it is no whole number of cents."""
    match pay:
        case ToOne(odds):
            return _whole(wager + wager * odds)
        case Push():
            return wager
        case Dollars(cents):
            return cents
        case Percent(share):
            return int(meter * share)
        case ForOne(odds):
            return _whole(wager * odds)
        case Loss() | OperatorBonus():
            return 0


def _whole(cents: Fraction) -> Cents:
    return cents.numerator if cents.denominator == 1 else cents
