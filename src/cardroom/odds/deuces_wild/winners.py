"""Seats of Deuces Wild that win the Bonus Jackpot together. It looks at a seat's own five cards."""

from __future__ import annotations

from typing import Final

from cardroom.cards import JOKER, Deck, Rank
from cardroom.odds.pricer import Settings
from cardroom.odds.rounds.holdings import Holding, bits, chances, seats_holding
from cardroom.odds.rounds.winners import Joint, Uncounted, WinnersCount, joint_of, percentage_events
from cardroom.paytables import Paytable

FIVE_WILD: Final = "five-wild-cards"
_HAND: Final = 5


class DeucesWinners(WinnersCount):
    """Five wild cards are all that the deck has, so one seat wins or none."""

    def joint(self, wager: str, table: Paytable, settings: Settings) -> Joint | Uncounted:  # noqa: ARG002
        others = set(percentage_events(table)) - {FIVE_WILD}
        if others:
            return Uncounted(f"Winners of {', '.join(sorted(others))} have not been counted: they are not rare.")
        wild = bits(card for card in Deck.WITH_JOKER.kinds() if card == JOKER or card.rank is Rank.TWO)
        return joint_of(table, chances(seats_holding([Holding(wild, 0)], 1), Deck.WITH_JOKER.size, _HAND))


WINNERS: Final = DeucesWinners()
