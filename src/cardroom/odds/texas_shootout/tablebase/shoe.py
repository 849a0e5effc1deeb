"""The shoe that is counted: six decks, or a small one with fewer ranks and copies, on which the count is proved.

Two cards have a number of their own here: {c, c + k}, going round the cards, stands at k * cards + c. So all pairs with
one distance lie side by side, and so do the cards that they are made of.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb, prod
from typing import Final

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import preference

SUITS: Final = 4
BOARD: Final = 5
SHARES: Final = 6
"""Of one dealer's hand; each of n equal choices has six nth parts."""

SUIT_ORDERS: Final = tuple(permutations(range(SUITS)))


@dataclass(frozen=True)
class Shoe:
    """Some ranks of all four suits, each card so many times."""

    ranks: tuple[int, ...] = tuple(range(13))
    """From the lowest up; 0 is the two."""
    copies: int = 6

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The codes of its cards. Here a card is known by its place in this list; its suit are the last two bits."""
        return np.array([rank << 2 | suit for rank in self.ranks for suit in range(SUITS)], np.int64)

    @property
    def kinds(self) -> int:
        return SUITS * len(self.ranks)

    @property
    def cards(self) -> int:
        """All its cards."""
        return self.copies * self.kinds

    @property
    def pair_count(self) -> int:
        return self.kinds * (self.kinds + 1) // 2

    @cached_property
    def pair_at(self) -> NDArray[np.uint16]:
        """By two cards, in any order: the number of the pair."""
        kinds = self.kinds
        one, other = np.indices((kinds, kinds))
        ahead = (other - one) % kinds
        apart = np.minimum(ahead, kinds - ahead)
        first = np.where(ahead == apart, one, other)
        # Pairs that are half way round lie the same either way; the lower card comes first.
        first = np.where(2 * apart == kinds, np.minimum(one, other), first)
        found: NDArray[np.uint16] = (apart * kinds + first).astype(np.uint16)
        return found

    @cached_property
    def pairs(self) -> NDArray[np.uint8]:
        """By number: the two cards."""
        apart, first = np.divmod(np.arange(self.pair_count), self.kinds)
        return np.column_stack([first, (first + apart) % self.kinds]).astype(np.uint8)

    @property
    def hand_deals(self) -> int:
        """Ways to deal the board and the dealer's four cards to one player's hand."""
        return comb(self.cards - 4, BOARD) * comb(self.cards - 4 - BOARD, 4)

    @property
    def deals(self) -> int:
        """Ways to deal a round."""
        return comb(self.cards, 4) * self.hand_deals

    def ways(self, some: tuple[int, ...]) -> int:
        """In how many ways these cards come out of the full shoe, in any order."""
        return prod(comb(self.copies, some.count(card)) for card in set(some))

    def ways_in_order(self, some: tuple[int, ...]) -> int:
        """The same when the order counts."""
        return prod(self.copies - some[:at].count(card) for at, card in enumerate(some))

    @cached_property
    def exchanges(self) -> NDArray[np.int64]:
        """By order of the suits: the card that each card becomes."""
        cards = np.arange(self.kinds)
        return np.array([cards & ~3 | np.array(suits)[cards & 3] for suits in SUIT_ORDERS])

    @cached_property
    def pair_exchanges(self) -> NDArray[np.uint16]:
        """By order of the suits: the pair that each pair becomes."""
        one, other = self.pairs.astype(np.int64).T
        return np.stack([self.pair_at[change[one], change[other]] for change in self.exchanges])

    @cached_property
    def wanted(self) -> NDArray[np.int64]:
        """By pair: how much the house way wants it."""
        return np.array([preference(int(self.codes[one]), int(self.codes[other])) for one, other in self.pairs])


SIX_DECKS: Final = Shoe()
