"""Joint winners of the Bonus Jackpot of Deuces Wild, which depends on a seat's own five cards."""

from __future__ import annotations

from typing import Final

from cardroom.cards import JOKER, Deck, Rank
from cardroom.odds.pricer import Settings
from cardroom.odds.simulation.meter_winners import (
    JointProbabilities,
    UnknownWinners,
    WinnersCounter,
    WinningHand,
    build_joint,
    card_bits,
    count_joint_hands,
    joint_hand_probabilities,
    percentage_triggers,
)
from cardroom.paytables import Paytable

FIVE_WILD: Final = "five-wild-cards"
_HAND: Final = 5


class DeucesWinners(WinnersCounter):
    """The deck has only five wild cards, so at most one seat wins."""

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        others = set(percentage_triggers(table)) - {FIVE_WILD}
        if others:
            return UnknownWinners(f"Joint winners of {', '.join(sorted(others))} are not counted: they are not rare.")
        wild = card_bits(card for card in Deck.WITH_JOKER.distinct_cards() if card == JOKER or card.rank is Rank.TWO)
        return build_joint(
            table, joint_hand_probabilities(count_joint_hands([WinningHand(wild, 0)], 1), Deck.WITH_JOKER.size, _HAND)
        )


WINNERS: Final = DeucesWinners()
