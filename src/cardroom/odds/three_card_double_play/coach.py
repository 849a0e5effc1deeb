"""What each way to set six cards is worth against every hand that the dealer can have, for the cards at one table."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from fractions import Fraction
from typing import NamedTuple

from cardroom.cards import Card
from cardroom.games import Decision, Verb
from cardroom.games.three_card_double_play.divisions import Division, divisions
from cardroom.odds.three_card_double_play.dealer import hands_up_to
from cardroom.odds.three_card_double_play.results import doubling
from cardroom.odds.three_card_double_play.setting import LowHandPays


class Valued(NamedTuple):
    """A setting and its expected net result, in units of one of the two equal wagers."""

    division: Division
    stand: Fraction

    @property
    def double(self) -> Fraction:
        """Doubling multiplies both sides, and so every result (rule 4, DP-1)."""
        return doubling() * self.stand

    @property
    def best(self) -> Fraction:
        return max(self.stand, self.double)

    @property
    def played(self) -> Decision:
        """The setting together with what is right after it."""
        verb = Verb.DOUBLE if self.double > self.stand else Verb.STAND
        return Decision(verb, self.division.decision.groups)


def valued_settings(
    pays: LowHandPays, six: Sequence[Card], elsewhere: Collection[Card] = (), shown: Sequence[Card] = ()
) -> tuple[Valued, ...]:
    """The ten settings, the best first. Cards that are seen ``elsewhere`` on the table cannot be the dealer's; cards of
    the dealer's that are ``shown`` are in every hand that the dealer can have."""
    up_to = hands_up_to((*six, *elsewhere), shown)
    hands = int(up_to[-1])

    def valued(one: Division) -> Valued:
        low_beats, high_beats = int(up_to[one.low.strength]), int(up_to[one.high.strength])
        return Valued(one, pays.net(one.low.category, low_beats, high_beats, hands) / hands)

    # Of settings that are worth the same, the one with the better low hand, then the better high hand.
    return tuple(
        sorted(
            map(valued, divisions(six)),
            key=lambda one: (one.best, one.division.low.strength, one.division.high.strength),
            reverse=True,
        )
    )
