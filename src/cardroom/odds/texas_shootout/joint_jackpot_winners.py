"""Joint winners of the Jackpot of Texas Shootout: not counted."""

from __future__ import annotations

from typing import Final

from cardroom.odds.pricer import Settings
from cardroom.odds.simulation.meter_winners import JointProbabilities, UnknownWinners, WinnersCounter
from cardroom.paytables import Paytable


class ShootoutWinners(WinnersCounter):
    """The two cards that a seat plays depend on all four of its cards. On one board with a royal, about 26,000 kinds of
    hands can win in six decks, so there are some 7 x 10**8 pairs of seats for each of thousands of boards."""

    def joint_probabilities(
        self, wager: str, table: Paytable, settings: Settings
    ) -> JointProbabilities | UnknownWinners:
        return UnknownWinners(
            "How often several seats of Texas Shootout win together is not counted: the cards that a seat plays depend "
            "on all four of its cards, so a single board can have some 26,000 kinds of winning hands, and a pair of "
            "seats 700 million pairs of them."
        )


WINNERS: Final = ShootoutWinners()
