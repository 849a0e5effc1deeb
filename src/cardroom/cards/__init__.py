"""Cards, decks, the shoe and the shuffle."""

from cardroom.cards.card import (
    JOKER,
    JOKER_CODE,
    STANDARD_DECK,
    BadCard,
    Card,
    Rank,
    Suit,
    card,
    cards,
    names,
    of,
    of_code,
    printed,
)
from cardroom.cards.deck import Deck, TooManyCopies, deck_of
from cardroom.cards.given import CardLike, Cards, as_card, as_cards
from cardroom.cards.shoe import EmptyShoe, Shoe, fresh_shoe
from cardroom.cards.shuffle import ChaCha20Source, RandomSource, Seal, key_from_seed, key_stream, shuffled

__all__ = [
    "JOKER",
    "JOKER_CODE",
    "STANDARD_DECK",
    "BadCard",
    "Card",
    "CardLike",
    "Cards",
    "ChaCha20Source",
    "Deck",
    "EmptyShoe",
    "RandomSource",
    "Rank",
    "Seal",
    "Shoe",
    "Suit",
    "TooManyCopies",
    "as_card",
    "as_cards",
    "card",
    "cards",
    "deck_of",
    "fresh_shoe",
    "key_from_seed",
    "key_stream",
    "names",
    "of",
    "of_code",
    "printed",
    "shuffled",
]
