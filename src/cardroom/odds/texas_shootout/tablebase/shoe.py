"""The shoe that is counted, the house way for every four cards of it, and its boards by suit class.

The shoe has six decks, or it is a small one with fewer ranks and copies for the tests of the count. A pair of cards has
a number here: {c, c + k}, counting around the cards, is at k * cards + c. So all pairs with one distance are adjacent,
and so are their cards.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import permutations
from math import comb, prod
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.games.texas_shootout.house_way import pair_preference
from cardroom.kernels import kernel

SUITS: Final = 4
BOARD: Final = 5
SHARES: Final = 6
"""The shares of one dealer's hand; each of n equal choices has 6 / n of them."""

SUIT_ORDERS: Final = tuple(permutations(range(SUITS)))


@dataclass(frozen=True)
class TablebaseShoe:
    """A shoe with some ranks of all four suits, and this many copies of each card."""

    ranks: tuple[int, ...] = tuple(range(13))
    """The ranks from the lowest up; 0 is the two."""
    copies: int = 6

    @cached_property
    def codes(self) -> NDArray[np.int64]:
        """The codes of its cards. Here a card is its index in this list; the last two bits are its suit."""
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
    def pair_numbers(self) -> NDArray[np.uint16]:
        """The number of the pair, by two cards in any order."""
        kinds = self.kinds
        row_card, column_card = np.indices((kinds, kinds))
        ahead = (column_card - row_card) % kinds
        apart = np.minimum(ahead, kinds - ahead)
        first = np.where(ahead == apart, row_card, column_card)
        # Pairs halfway around have the same distance either way; the lower card comes first.
        first = np.where(2 * apart == kinds, np.minimum(row_card, column_card), first)
        numbers: NDArray[np.uint16] = (apart * kinds + first).astype(np.uint16)
        return numbers

    @cached_property
    def pairs(self) -> NDArray[np.uint8]:
        """The two cards of each pair number."""
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

    def combinations(self, cards: tuple[int, ...]) -> int:
        """The number of ways to deal these cards from the full shoe, in any order."""
        return prod(comb(self.copies, cards.count(card)) for card in set(cards))

    def ordered_combinations(self, cards: tuple[int, ...]) -> int:
        """The number of ordered ways to deal these cards from the full shoe."""
        return prod(self.copies - cards[:at].count(card) for at, card in enumerate(cards))

    @cached_property
    def exchanges(self) -> NDArray[np.int64]:
        """The card that each card becomes, by order of the suits."""
        cards = np.arange(self.kinds)
        return np.array([cards & ~3 | np.array(suits)[cards & 3] for suits in SUIT_ORDERS])

    @cached_property
    def pair_exchanges(self) -> NDArray[np.uint16]:
        """The pair that each pair becomes, by order of the suits."""
        first, second = self.pairs.astype(np.int64).T
        return np.stack([self.pair_numbers[change[first], change[second]] for change in self.exchanges])

    @cached_property
    def pair_preferences(self) -> NDArray[np.int64]:
        """The preference of the house way for each pair."""
        return np.array(
            [pair_preference(int(self.codes[first]), int(self.codes[second])) for first, second in self.pairs]
        )


SIX_DECKS: Final = TablebaseShoe()


class HouseWayTable(NamedTuple):
    """The choices of the house way, by pairs."""

    share: NDArray[np.uint8]
    """The share, in sixths, in which two cards are kept beside two others."""
    share_by_cards: NDArray[np.uint8]
    """The same by pair and two single cards: ``beside[pair, one, other]``."""
    starts: NDArray[np.int64]
    """The first index of each pair in the next two lists; one more for the end."""
    first_cards: NDArray[np.uint8]
    """The two other cards beside which the pair may be kept."""
    second_cards: NDArray[np.uint8]
    shares: NDArray[np.uint8]
    kept_pairs: NDArray[np.uint16]
    """The pair that is kept of pair p and other pair q. If equal choices have different cards: the number after the
    last pair."""
    tie_starts: NDArray[np.int64]
    """The first index of each pair p in ``tied_pairs``; one more for the end."""
    tied_pairs: NDArray[np.uint16]
    """The other pairs q with several equal choices of different cards."""
    partners: NDArray[np.int32]
    """Sixths of ways, by pair and one more card, in which a further card of the full shoe (without these three) makes
    the dealer keep the pair."""


@kernel
def _fill_shares(
    pairs: NDArray[np.uint8], pair_numbers: NDArray[np.uint16], preferences: NDArray[np.int64],
    share: NDArray[np.uint8], kept_pairs: NDArray[np.uint16],
) -> None:  # fmt: skip
    six = np.empty(6, np.int64)
    for p in range(len(pairs)):
        for q in range(len(pairs)):
            six[0], six[1] = q, p
            for first in range(2):
                for second in range(2):
                    six[2 + 2 * first + second] = pair_numbers[pairs[p, first], pairs[q, second]]
            best = -1
            for at in range(6):
                best = max(best, preferences[six[at]])
            equal = 0
            for at in range(6):
                equal += preferences[six[at]] == best
            share[p, q] = SHARES // equal if preferences[p] == best else 0
            # Equal choices of the same cards count as one; other equal choices are several.
            choice = -1
            for at in range(6):
                if preferences[six[at]] == best:
                    if choice < 0:
                        choice = six[at]
                    elif six[at] != choice:
                        choice = len(pairs)
                        break
            kept_pairs[p, q] = choice


def house_way_table(shoe: TablebaseShoe) -> HouseWayTable:
    """Build the choices for all pairs of a shoe."""
    count, kinds = shoe.pair_count, shoe.kinds
    share, kept_pairs = np.empty((count, count), np.uint8), np.empty((count, count), np.uint16)
    _fill_shares(shoe.pairs, shoe.pair_numbers, shoe.pair_preferences, share, kept_pairs)
    share_by_cards = share[:, shoe.pair_numbers]
    first = np.zeros(count + 1, np.int64)
    first[1:] = np.cumsum((share > 0).sum(axis=1))
    at, others = np.nonzero(share)
    # All copies of the other card, minus those in the pair and the one more card.
    pair_copies = np.zeros((count, kinds), np.int64)
    np.add.at(pair_copies, (np.arange(count)[:, None], shoe.pairs), 1)
    partners = np.empty((count, kinds), np.int64)
    for card in range(kinds):
        remaining = shoe.copies - pair_copies
        remaining[:, card] -= 1
        partners[:, card] = (remaining * share_by_cards[:, card, :].astype(np.int64)).sum(axis=1)
    tie_starts = np.zeros(count + 1, np.int64)
    tie_starts[1:] = np.cumsum((kept_pairs == count).sum(axis=1))
    first_cards, second_cards = shoe.pairs[others].T
    return HouseWayTable(
        share=share,
        share_by_cards=np.ascontiguousarray(share_by_cards),
        starts=first,
        first_cards=np.ascontiguousarray(first_cards),
        second_cards=np.ascontiguousarray(second_cards),
        shares=share[at, others],
        kept_pairs=kept_pairs,
        tie_starts=tie_starts,
        tied_pairs=np.nonzero(kept_pairs == count)[1].astype(np.uint16),
        partners=partners.astype(np.int32),
    )


class BoardClasses(NamedTuple):
    """The classes, in order of their numbers of ways."""

    boards: NDArray[np.uint8]
    """The representative board of each class."""
    combinations: NDArray[np.int64]
    """The number of deals of each class; together all cards choose five."""


@kernel
def _count_images(board: NDArray[np.int64], exchanges: NDArray[np.int64], image: NDArray[np.int64]) -> int:
    """The number of boards that the exchanges of suits make of a board, itself included; 0 if one of them comes before
    it."""
    kinds = exchanges.shape[1]
    own = 0
    for place in range(BOARD):
        own = own * kinds + board[place]
    same = 0
    for order in range(len(exchanges)):
        for place in range(BOARD):
            card = exchanges[order, board[place]]
            at = place
            while at > 0 and image[at - 1] > card:
                image[at] = image[at - 1]
                at -= 1
            image[at] = card
        number = 0
        for place in range(BOARD):
            number = number * kinds + image[place]
        if number < own:
            return 0
        same += number == own
    return len(exchanges) // same


@kernel
def advance_board(board: NDArray[np.int64], kinds: int) -> None:
    """Advance a board with ascending cards to the next: the last card that can rise does, and those after it start from
    there. After the last board the first card is one too high."""
    place = BOARD - 1
    while place > 0 and board[place] == kinds - 1:
        place -= 1
    board[place] += 1
    for later in range(place + 1, BOARD):
        board[later] = board[place]


@kernel
def _fill_board_classes(
    exchanges: NDArray[np.int64], choose: NDArray[np.int64], boards: NDArray[np.uint8], ways: NDArray[np.int64]
) -> int:
    """Write the classes as long as there is room, and count them."""
    kinds = exchanges.shape[1]
    board, image = np.zeros(BOARD, np.int64), np.empty(BOARD, np.int64)
    class_count = 0
    while board[0] < kinds:
        images = _count_images(board, exchanges, image)
        if images:
            if class_count < len(boards):
                dealt, run = images, 1
                for place in range(BOARD):
                    boards[class_count, place] = board[place]
                    if place + 1 < BOARD and board[place + 1] == board[place]:
                        run += 1
                    else:
                        dealt *= choose[run]
                        run = 1
                ways[class_count] = dealt
            class_count += 1
        advance_board(board, kinds)
    return class_count


def board_classes(shoe: TablebaseShoe) -> BoardClasses:
    """All classes of boards of a shoe: 208,481 of six decks."""
    choose = np.array([comb(shoe.copies, count) for count in range(BOARD + 1)])
    empty = np.empty((0, BOARD), np.uint8), np.empty(0, np.int64)
    count = _fill_board_classes(shoe.exchanges, choose, *empty)
    boards, ways = np.empty((count, BOARD), np.uint8), np.empty(count, np.int64)
    _fill_board_classes(shoe.exchanges, choose, boards, ways)
    order = np.argsort(-ways, kind="stable")
    order = order[ways[order] > 0]  # a shoe with fewer copies has no six of one card
    return BoardClasses(boards[order], ways[order])
