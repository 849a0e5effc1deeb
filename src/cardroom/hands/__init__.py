"""Poker hands of three to seven cards: with wild cards, from one deck or from several."""

from cardroom.hands.category import Category
from cardroom.hands.hand import (
    BadHand,
    Hand,
    batch,
    best_five,
    best_five_six_deck,
    best_five_wild,
    codes,
    evaluate,
    evaluate_all,
    four_card,
    is_wild,
    rank_strength,
    three_card,
    three_card_wild,
)
from cardroom.hands.ranking import (
    FIVE_CARD,
    FIVE_CARD_WILD,
    FOUR_CARD,
    RANKINGS,
    SIX_DECK,
    THREE_CARD,
    THREE_CARD_WILD,
    HandClass,
    Ranking,
)
from cardroom.hands.straight_flush import straight_flush_top

__all__ = [
    "FIVE_CARD",
    "FIVE_CARD_WILD",
    "FOUR_CARD",
    "RANKINGS",
    "SIX_DECK",
    "THREE_CARD",
    "THREE_CARD_WILD",
    "BadHand",
    "Category",
    "Hand",
    "HandClass",
    "Ranking",
    "batch",
    "best_five",
    "best_five_six_deck",
    "best_five_wild",
    "codes",
    "evaluate",
    "evaluate_all",
    "four_card",
    "is_wild",
    "rank_strength",
    "straight_flush_top",
    "three_card",
    "three_card_wild",
]
