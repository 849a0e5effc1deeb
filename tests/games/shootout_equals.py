"""Rounds of Texas Shootout in which the dealer has equal choices, on boards where it matters which suits are kept."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cardroom.cards import Card, Deck, Rank, Suit, card_from_rank_suit


@dataclass(frozen=True)
class Dealt:
    """The cards of one round, the dealer's in the order in which they were dealt."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*self.player, *self.dealer, *self.board)


def with_equal_choices(dice: random.Random) -> Dealt:
    """The dealer has three suits of a rank, all four, or two of them twice; the board has three or four cards of a suit
    that the dealer has."""
    rank, suits = dice.choice(list(Rank)), dice.sample(list(Suit), 4)
    dealer = {
        0: [
            *(card_from_rank_suit(rank, suit) for suit in suits[:3]),
            card_from_rank_suit(dice.choice([one for one in Rank if one != rank]), suits[3]),
        ],
        1: [card_from_rank_suit(rank, suit) for suit in suits],
        2: [card_from_rank_suit(rank, suit) for suit in suits[:2] * 2],
    }[dice.randrange(3)]
    dice.shuffle(dealer)
    flush = [card_from_rank_suit(one, suits[0]) for one in dice.sample(list(Rank), dice.choice((3, 4)))]
    left = list(Deck.SIX.cards())
    for one in (*dealer, *flush):
        left.remove(one)
    others = dice.sample(left, 9 - len(flush))
    return Dealt(tuple(others[:4]), tuple(dealer), (*flush, *others[4:]))
