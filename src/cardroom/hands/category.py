"""The names of poker hands, over all the rankings of the house."""

from enum import StrEnum


class Category(StrEnum):
    """What a hand is called. Which beats which is the ranking's business, not the name's."""

    HIGH_CARD = "high card"
    PAIR = "pair"
    TWO_PAIR = "two pair"
    THREE_OF_A_KIND = "three of a kind"
    STRAIGHT = "straight"
    FLUSH = "flush"
    FULL_HOUSE = "full house"
    FOUR_OF_A_KIND = "four of a kind"
    FIVE_OF_A_KIND = "five of a kind"
    STRAIGHT_FLUSH = "straight flush"
    MINI_ROYAL = "mini-royal"
    ROYAL_FLUSH = "royal flush"
    NATURAL_ROYAL_FLUSH = "natural royal flush"
    WILD_ROYAL_FLUSH = "wild royal flush"
    FIVE_WILD_CARDS = "five wild cards"
    FOUR_OF_A_KIND_SUITED = "suited four of a kind"
    FIVE_OF_A_KIND_SUITED = "suited five of a kind"

    @property
    def slug(self) -> str:
        """As most paytables call their line for it.

        >>> Category.THREE_OF_A_KIND.slug
        'three-of-a-kind'
        """
        return self.replace(" ", "-")


SUITED = frozenset(
    {
        Category.FLUSH,
        Category.STRAIGHT_FLUSH,
        Category.MINI_ROYAL,
        Category.ROYAL_FLUSH,
        Category.NATURAL_ROYAL_FLUSH,
        Category.WILD_ROYAL_FLUSH,
        Category.FOUR_OF_A_KIND_SUITED,
        Category.FIVE_OF_A_KIND_SUITED,
    }
)
"""The hands whose cards are all of one suit."""
