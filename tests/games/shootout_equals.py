"""Deals of Texas Shootout with equal choices for the dealer, on boards where the suits of the choice matter."""

from __future__ import annotations

import random
from dataclasses import dataclass

from cardroom.cards import Card, Deck, Rank, Suit, card_from_rank_suit


@dataclass(frozen=True)
class DealtCards:
    """The cards of one round; the dealer's are in the order of the deal."""

    player: tuple[Card, ...]
    dealer: tuple[Card, ...]
    board: tuple[Card, ...]

    @property
    def cards(self) -> tuple[Card, ...]:
        return (*self.player, *self.dealer, *self.board)


def deal_equal_choices(dice: random.Random) -> DealtCards:
    """Deal equal choices to the dealer.

    The dealer has three suits of a rank, all four suits, or two suits twice. The board has three or four cards of one
    of the dealer's suits.
    """
    rank, suits = dice.choice(list(Rank)), dice.sample(list(Suit), 4)
    dealer = {
        0: [
            *(card_from_rank_suit(rank, suit) for suit in suits[:3]),
            card_from_rank_suit(dice.choice([other_rank for other_rank in Rank if other_rank != rank]), suits[3]),
        ],
        1: [card_from_rank_suit(rank, suit) for suit in suits],
        2: [card_from_rank_suit(rank, suit) for suit in suits[:2] * 2],
    }[dice.randrange(3)]
    dice.shuffle(dealer)
    flush = [card_from_rank_suit(flush_rank, suits[0]) for flush_rank in dice.sample(list(Rank), dice.choice((3, 4)))]
    remaining = list(Deck.SIX.cards())
    for card in (*dealer, *flush):
        remaining.remove(card)
    other_cards = dice.sample(remaining, 9 - len(flush))
    return DealtCards(tuple(other_cards[:4]), tuple(dealer), (*flush, *other_cards[4:]))
