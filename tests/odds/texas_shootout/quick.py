"""Cards and a quick pricer of Texas Shootout for the tests of its odds."""

from __future__ import annotations

from functools import cache

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, cards, of_code
from cardroom.odds.texas_shootout.best_play import BestPlay
from cardroom.odds.texas_shootout.pricer import TexasShootoutPricer
from cardroom.odds.texas_shootout.race import Stream, deal_round, fair_limits, full_deck


@cache
def quick_pricer() -> TexasShootoutPricer:
    """The pricer with a short race and few rounds."""
    few = 8 << 16
    return TexasShootoutPricer(BestPlay(first_lap=128, most_rounds=512, price_rounds=few, simple_rounds=few))


def dealt(block: int, seed: int, stream: int) -> tuple[Card, ...]:
    """The 13 cards of the first round of a block: the player's four, the dealer's four, the board."""
    deck = full_deck()
    deal_round(deck, 4, fair_limits(len(deck), 4), 0, Stream(seed, stream, block, 1))
    return tuple(of_code(int(code)) for code in deck[:13])


def codes_of(text: str) -> NDArray[np.uint8]:
    return np.array([card.code for card in cards(text)], np.uint8)
