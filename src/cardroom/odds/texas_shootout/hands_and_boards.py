"""The four-card hands of Texas Shootout, the choices for them, and the boards by their ranks.

A hand is four card codes in ascending order; its number is the number of hands below it. Choices 0 to 5 keep two cards,
in the order of the house way; choices 6 to 8 split the hand into the cards of choice 0, 1, or 2 and the other two. A
board is five community cards, here by rank.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import Card, card_from_code
from cardroom.games import Decision, Verb
from cardroom.games.texas_shootout.house_way import CHOICES
from cardroom.games.texas_shootout.rules import order_split
from cardroom.games.texas_shootout.side_wagers import SHOOTOUT_EVENTS
from cardroom.hands import SIX_DECK, Category, HandClass
from cardroom.hands.lookup_tables import lookup_tables
from cardroom.kernels import inline_rule, kernel

KINDS_OF_CARD: Final = 52
COPIES: Final = 6
KEEPS: Final = len(CHOICES)
SPLITS: Final = 3
CHOICE_COUNT: Final = KEEPS + SPLITS
HANDS: Final = comb(KINDS_OF_CARD + 3, 4)
"""The number of different hands of four cards, with copies: 341,055."""

CHOICE_PAIRS: Final = (
    *((keep, keep) for keep in range(KEEPS)),
    *((split, KEEPS - 1 - split) for split in range(SPLITS)),
)
"""The pairs that each choice plays, by number; a choice that keeps two cards plays one pair."""


@inline_rule
def hand_number(a: int, b: int, c: int, d: int) -> int:
    """The number of a hand with ascending codes."""
    return a + (b + 1) * b // 2 + (c + 2) * (c + 1) * c // 6 + (d + 3) * (d + 2) * (d + 1) * d // 24


@cache
def pair_places() -> NDArray[np.uint8]:
    """The places of the cards of the first and of the second pair of each choice."""
    return np.array([[*CHOICES[first], *CHOICES[second]] for first, second in CHOICE_PAIRS], np.uint8)


@kernel
def _every_hand() -> NDArray[np.uint8]:
    hands = np.empty((HANDS, 4), np.uint8)
    at = 0
    for d in range(KINDS_OF_CARD):
        for c in range(d + 1):
            for b in range(c + 1):
                for a in range(b + 1):
                    hands[at, 0], hands[at, 1], hands[at, 2], hands[at, 3] = a, b, c, d
                    at += 1
    return hands


@cache
def every_hand() -> NDArray[np.uint8]:
    """Every hand, in the row of its number."""
    return _every_hand()


@kernel
def hand_numbers(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The numbers of many hands with ascending codes, a row each."""
    numbers = np.empty(len(hands), np.int64)
    for at in range(len(hands)):
        numbers[at] = hand_number(int(hands[at, 0]), int(hands[at, 1]), int(hands[at, 2]), int(hands[at, 3]))
    return numbers


def deal_counts(hands: NDArray[np.uint8]) -> NDArray[np.int64]:
    """The number of ways to deal each hand from six decks: 6 choose the copies of each card, multiplied."""
    ways_with = np.array([comb(COPIES, count) for count in range(5)])
    product = np.ones(len(hands), np.int64)
    run = np.ones(len(hands), np.int64)
    for card in range(1, 5):
        goes_on = hands[:, card] == hands[:, card - 1] if card < 4 else np.zeros(len(hands), np.bool_)
        product *= np.where(goes_on, 1, ways_with[run])
        run = np.where(goes_on, run + 1, 1)
    return product


def exchange_suits(hands: NDArray[np.uint8], suits: Sequence[int]) -> NDArray[np.uint8]:
    """The hands with the suits exchanged."""
    by_code = np.array([code & ~3 | suits[code & 3] for code in range(KINDS_OF_CARD)], np.uint8)
    return by_code[hands]


def sorted_codes(four: Sequence[Card]) -> NDArray[np.uint8]:
    """A hand's codes, ascending."""
    return np.array(sorted(card.code for card in four), np.uint8)


def choice_decision(codes: NDArray[np.uint8], choice: int) -> Decision:
    """A choice for a hand with ascending codes, in the form of the game's decisions."""
    first, second = (
        tuple(card_from_code(int(codes[place])) for place in CHOICES[pair])
        for pair in (CHOICE_PAIRS[choice][0], _other_pair(choice))
    )
    return Decision(Verb.KEEP, (first,)) if choice < KEEPS else order_split(first, second)


def _other_pair(choice: int) -> int:
    return KEEPS - 1 - CHOICE_PAIRS[choice][0]


BOARD: Final = 5
RANK_COUNT: Final = 13
_LOW: Final = np.uint64((1 << 32) - 1)

BoardCounts = NDArray[np.int64]


_ACES: Final = (14,) * 5


@dataclass(frozen=True, slots=True)
class HandKind:
    """The kind of a hand, as far as a paytable or a feature distinguishes."""

    category: Category
    five_aces: bool = False

    @classmethod
    def from_class(cls, hand_class: HandClass) -> HandKind:
        """The kind of the hands of a class."""
        return cls(hand_class.category, hand_class.ranks == _ACES)

    @property
    def events(self) -> tuple[str, ...]:
        """The lines of the Shootout Bonus and Jackpot tables that it meets, the best one first."""
        return SHOOTOUT_EVENTS.get(self.category, ())


_FIVES: Final = (Category.FIVE_OF_A_KIND, Category.FIVE_OF_A_KIND_SUITED)
HAND_KINDS: Final = tuple(
    HandKind(category, aces)
    for category in SIX_DECK.order
    for aces in ((False, True) if category in _FIVES else (False,))
)
"""From the lowest up."""
KIND_COUNT: Final = len(HAND_KINDS)


class BoardTables(NamedTuple):
    """The lookup tables of the kernels: multisets of ranks by size, with the sums of their keys."""

    ranks: NDArray[np.int8]
    """Multisets of none to five ranks; a missing rank is -1."""
    sums: NDArray[np.uint64]
    first: NDArray[np.int64]
    """The first index of the multisets of each size; one more for the end."""
    choose: NDArray[np.int64]
    """``choose[n, k]`` for up to 24 cards of a rank."""
    rank_keys: NDArray[np.uint64]
    kinds: NDArray[np.uint8]
    """The index in ``HAND_KINDS``, by strength."""
    rows: NDArray[np.uint16]
    unsuited: NDArray[np.uint16]
    suited: NDArray[np.uint16]
    shift: np.uint64
    mask: np.uint64


@cache
def board_tables() -> BoardTables:
    """Build the tables, about ten thousand entries."""
    t = lookup_tables(SIX_DECK)
    rank_keys = t.keys[0:KINDS_OF_CARD:4] & _LOW
    by_size = [list(combinations_with_replacement(range(RANK_COUNT), size)) for size in range(BOARD + 1)]
    ranks = np.array(
        [[*multiset, *[-1] * (BOARD - len(multiset))] for multisets in by_size for multiset in multisets], np.int8
    )
    sums = np.array(
        [sum(int(rank_keys[rank]) for rank in multiset) for multisets in by_size for multiset in multisets], np.uint64
    )
    first = np.cumsum([0, *map(len, by_size)])
    choose = np.array([[comb(n, k) for k in range(BOARD + 1)] for n in range(4 * COPIES + 1)])
    kinds = [HAND_KINDS.index(HandKind.from_class(multiset)) for multiset in SIX_DECK.classes]
    return BoardTables(
        ranks, sums, first, choose, rank_keys, np.array([0, *kinds], np.uint8), t.rows, t.unsuited, t.suited,
        t.row_shift, t.slot_mask,
    )  # fmt: skip


@kernel
def count_rank_combinations(
    remaining: BoardCounts, ranks: NDArray[np.int8], first: int, end: int, choose: BoardCounts, out: BoardCounts
) -> None:
    """The number of ways to draw each multiset from these numbers of cards left per rank."""
    for at in range(first, end):
        ways, run = 1, 0
        for place in range(BOARD):
            rank = ranks[at, place]
            if rank < 0:
                break
            run += 1
            if place == BOARD - 1 or ranks[at, place + 1] != rank:
                ways *= choose[remaining[rank], run]
                run = 0
        out[at] = ways


def count_same_color_boards(pair: NDArray[np.uint8], hand: NDArray[np.uint8]) -> int:
    """The number of boards entirely of the color of two cards; 0 if the two differ in color (Color Bonus)."""
    of_color = [code & 3 in (1, 2) for code in pair.tolist()]
    if of_color[0] != of_color[1]:
        return 0
    color_cards = sum((code & 3 in (1, 2)) == of_color[0] for code in hand.tolist())
    return comb(KINDS_OF_CARD // 2 * COPIES - color_cards, BOARD)
