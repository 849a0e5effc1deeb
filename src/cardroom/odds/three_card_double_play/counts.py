"""Counts for 3 Card Double Play Poker: hands by suit class, and the dealer's hands that three cards beat or copy.

Hands that differ only in suits are one class. The 20,358,520 hands of six cards have 962,988 classes, each with its
number of hands.

>>> suit_classes(2).hands.shape, int(suit_classes(2).sizes.sum())
((169, 2), 1326)

The dealer's five cards come from the 46 that the player does not have. They are counted by inclusion and exclusion: the
five-card hands up to some strength that avoid six cards are all of them, minus those that contain one of the six, plus
those that contain two of them, and so on. The number of hands with given cards depends only on their suit class, so
there are few such numbers and all of them are looked up. If other cards are known to be elsewhere, the dealer's hands
are counted one by one.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache, lru_cache
from itertools import combinations, permutations
from math import comb
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardroom.cards import STANDARD_DECK, Card
from cardroom.games.three_card_double_play.rules import DEALER_CARDS
from cardroom.hands import THREE_CARD, evaluate_many
from cardroom.kernels import kernel, parallel_kernel, prange

_RANKS: Final = 13
_SUITS: Final = 4
_LOWER_HANDS: Final = np.array([[comb(code, size) for code in range(52)] for size in range(1, 5)])
"""The number of hands of a size with only lower cards, by size and code."""
SUIT_ORDERS: Final = np.array(list(permutations(range(_SUITS))), np.uint8)


class SuitClasses(NamedTuple):
    """One hand of each class."""

    hands: NDArray[np.uint8]
    """Card codes, ascending in each row."""
    sizes: NDArray[np.int64]
    """The number of hands in each class."""


@cache
def suit_classes(size: int) -> SuitClasses:
    """The classes of hands of this many cards."""
    empty = SuitClasses(np.empty((0, size), np.uint8), np.empty(0, np.int64))
    classes = _fill_classes(size, _rank_sets(), empty)
    filled = SuitClasses(np.empty((classes, size), np.uint8), np.empty(classes, np.int64))
    _fill_classes(size, _rank_sets(), filled)
    return filled


class RankSets(NamedTuple):
    """Every set of ranks."""

    sets: NDArray[np.int64]
    """As bits, the smaller sets first."""
    starts: NDArray[np.int64]
    """The first index of the sets of each number of ranks."""


def _rank_sets() -> RankSets:
    sets = np.array(sorted(range(1 << _RANKS), key=lambda ranks: (ranks.bit_count(), ranks)), np.int64)
    sizes = np.array([ranks.bit_count() for ranks in sets.tolist()])
    return RankSets(sets, np.searchsorted(sizes, np.arange(_RANKS + 2)))


@kernel
def _fill_classes(size: int, ranks: RankSets, out: SuitClasses) -> int:
    """Write one hand of each class as long as there is room. Returns the number of classes.

    A hand is four sets of ranks, one per suit. A class is the four sets in any order, so the representative hand has
    sets that do not grow from suit to suit.
    """
    sets, starts, hands, sizes = ranks.sets, ranks.starts, out.hands, out.sizes
    class_count = 0
    for first in range(starts[(size + 3) // 4], starts[size + 1]):
        # The cards left for the other suits, spread as evenly as possible, limit how small a set can be.
        after_first = size - _count_cards(first, starts)
        for second in range(starts[(after_first + 2) // 3], min(first + 1, starts[after_first + 1])):
            after_second = after_first - _count_cards(second, starts)
            for third in range(starts[(after_second + 1) // 2], min(second + 1, starts[after_second + 1])):
                left = after_second - _count_cards(third, starts)
                for fourth in range(starts[left], min(third + 1, starts[left + 1])):
                    if class_count < len(hands):
                        _write_hand(sets[first], sets[second], sets[third], sets[fourth], hands, class_count)
                        sizes[class_count] = _count_orders(first, second, third, fourth)
                    class_count += 1
    return class_count


@kernel
def _count_cards(place: int, starts: NDArray[np.int64]) -> int:
    """The number of ranks of the set at an index."""
    cards = 0
    while place >= starts[cards + 1]:
        cards += 1
    return cards


@kernel
def _write_hand(clubs: int, diamonds: int, hearts: int, spades: int, hands: NDArray[np.uint8], at: int) -> None:
    card = 0
    for rank in range(13):
        for suit, ranks in enumerate((clubs, diamonds, hearts, spades)):
            if ranks >> rank & 1:
                hands[at, card] = 4 * rank + suit
                card += 1


@kernel
def _count_orders(first: int, second: int, third: int, fourth: int) -> int:
    """The number of orders of four sorted sets; equal sets are adjacent."""
    orders, same = 24, 1
    for before, after in ((first, second), (second, third), (third, fourth)):
        same = same + 1 if before == after else 1
        orders //= same
    return orders


# The class of a hand.


@kernel
def colex_index(hands: NDArray[np.uint8], row: int, subsets: NDArray[np.int64], subset: int) -> int:
    """The colexicographic index of a subset of the cards in row ``row``; row ``subset`` of ``subsets`` names the
    subset. Both rows are ascending."""
    place = 0
    for card in range(subsets.shape[1]):
        place += _LOWER_HANDS[card, hands[row, subsets[subset, card]]]
    return place


@cache
def class_numbers(size: int) -> NDArray[np.uint16]:
    """The class of each hand of one to four cards, as its row in ``suit_classes``, by ``colex_index``."""
    hands = suit_classes(size).hands
    numbers = np.empty(comb(_RANKS * _SUITS, size), np.uint16)
    _number_classes(hands, SUIT_ORDERS, numbers)
    return numbers


@kernel
def _number_classes(hands: NDArray[np.uint8], orders: NDArray[np.uint8], numbers: NDArray[np.uint16]) -> None:
    renamed = np.empty((1, hands.shape[1]), np.uint8)
    every_card = np.arange(hands.shape[1]).reshape((1, hands.shape[1]))
    for at in range(len(hands)):
        for order in range(len(orders)):
            for card in range(hands.shape[1]):
                code = hands[at, card] // 4 * 4 + orders[order, hands[at, card] % 4]
                place = card
                while place > 0 and renamed[0, place - 1] > code:
                    renamed[0, place] = renamed[0, place - 1]
                    place -= 1
                renamed[0, place] = code
            numbers[colex_index(renamed, 0, every_card, 0)] = at


DEALER_HANDS: Final = comb(46, 5)
"""The number of the dealer's possible hands if six cards are known."""
STRENGTHS: Final = len(THREE_CARD.classes) + 1
"""Strengths start at 1; index 0 stays empty."""

_ONES, _TWOS, THREES, _FOURS = (np.array(list(combinations(range(6), size))) for size in range(1, 5))
"""Choices of three of six cards. The first ten of ``THREES`` have the first card, and number 19 - n is the complement
of number n."""
_SIZES: Final = (1, 2, 3, 4)
_PARTS: Final = 256
"""The number of parts into which the hands are divided for the processor's cores."""


class HoldingCounts(NamedTuple):
    """The number of five-card hands up to a strength that contain given cards, by class of the cards and strength."""

    no_cards: NDArray[np.int32]
    one_card: NDArray[np.int32]
    two_cards: NDArray[np.uint16]  # at most 50 choose 3, 19,600
    three_cards: NDArray[np.uint16]
    four_cards: NDArray[np.uint8]  # at most 48


def _holding_counts() -> HoldingCounts:
    fives = suit_classes(5)
    strengths = evaluate_many(THREE_CARD, fives.hands)

    def tables() -> Iterator[NDArray[np.int32]]:
        for size in (0, *_SIZES):
            alike = suit_classes(size).sizes
            hands = np.zeros((len(alike), STRENGTHS), np.int32)
            chosen = np.array(list(combinations(range(5), size)), np.int64)
            _add_hands(fives, strengths, chosen, class_numbers(size), hands)
            _add_up(hands, alike)
            yield hands.ravel()

    none, one_card, two, three, four = tables()
    return HoldingCounts(none, one_card, two.astype(np.uint16), three.astype(np.uint16), four.astype(np.uint8))


@kernel
def _add_hands(
    fives: SuitClasses,
    strengths: NDArray[np.uint16],
    subsets: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    counts: NDArray[np.int32],
) -> None:
    """Count each five-card hand for every subset of its cards, by class of the subset and strength of the hand."""
    hands, sizes = fives.hands, fives.sizes
    for at in range(len(hands)):
        for choice in range(len(subsets)):
            counts[numbers[colex_index(hands, at, subsets, choice)], strengths[at]] += sizes[at]


@kernel
def _add_up(hands: NDArray[np.int32], class_sizes: NDArray[np.int64]) -> None:
    """Convert counts of hands by strength with any cards of a class to counts up to each strength with specific
    cards."""
    for number in range(len(hands)):
        below = 0
        for strength in range(hands.shape[1]):
            below += hands[number, strength] // class_sizes[number]
            hands[number, strength] = below


class ThreeCardTables(NamedTuple):
    """Comparisons with the dealer's hands, for each hand of six cards and each of its ``THREES``."""

    strengths: NDArray[np.uint16]
    beaten_counts: NDArray[np.int32]
    """The number of the ``DEALER_HANDS`` that these three cards beat or copy (rule 7)."""


@cache
def three_card_tables() -> ThreeCardTables:
    """The comparisons of every row of ``suit_classes(6)``. They do not depend on a paytable, so they are counted
    once."""
    return count_threes(suit_classes(6).hands)


def count_threes(hands: NDArray[np.uint8]) -> ThreeCardTables:
    """The comparisons of each three cards of some hands of six cards, with ascending codes in each row."""
    tables = ThreeCardTables(
        np.empty((len(hands), len(THREES)), np.uint16), np.empty((len(hands), len(THREES)), np.int32)
    )
    of_class = evaluate_many(THREE_CARD, suit_classes(3).hands)
    _fill_threes(hands, of_class, tuple(map(class_numbers, _SIZES)), _holding_counts(), tables)
    return tables


@parallel_kernel
def _fill_threes(
    hands: NDArray[np.uint8],
    of_class: NDArray[np.uint16],
    numbers: tuple[NDArray[np.uint16], ...],
    holding: HoldingCounts,
    out: ThreeCardTables,
) -> None:
    """Compare the hands in parallel. One core writes each hand, so the result does not depend on the number of
    cores."""
    none, one_card, two, three, four = (
        holding.no_cards,
        holding.one_card,
        holding.two_cards,
        holding.three_cards,
        holding.four_cards,
    )
    strengths, beaten_counts = out.strengths, out.beaten_counts
    for part in prange(_PARTS):
        ones, twos, threes = np.empty(6, np.uint64), np.empty(15, np.uint64), np.empty(20, np.uint64)
        fours, fives = np.empty(15, np.uint64), np.empty(6, np.uint64)
        for at in range(len(hands) * part // _PARTS, len(hands) * (part + 1) // _PARTS):
            _fill_rows(hands, at, _ONES, numbers[0], ones)
            _fill_rows(hands, at, _TWOS, numbers[1], twos)
            _fill_rows(hands, at, THREES, numbers[2], threes)
            _fill_rows(hands, at, _FOURS, numbers[3], fours)
            for choice in range(20):
                strengths[at, choice] = of_class[threes[choice] // np.uint64(STRENGTHS)]
            _best_of_five(strengths, at, fives)
            for choice in range(20):
                # An unsigned index is never negative, which saves a test at each lookup.
                strength = np.uint64(strengths[at, choice])
                avoiding = np.int64(none[strength])
                for held in range(6):
                    avoiding -= np.int64(one_card[ones[held] + strength])
                for held in range(15):
                    avoiding += np.int64(two[twos[held] + strength])
                for held in range(20):
                    avoiding -= np.int64(three[threes[held] + strength])
                for held in range(15):
                    avoiding += np.int64(four[fours[held] + strength])
                for held in range(6):
                    avoiding -= np.int64(fives[held] <= strength)
                beaten_counts[at, choice] = avoiding


@kernel
def _fill_rows(
    hands: NDArray[np.uint8],
    at: int,
    subsets: NDArray[np.int64],
    numbers: NDArray[np.uint16],
    rows: NDArray[np.uint64],
) -> None:
    """The first index of the numbers of each subset of a hand's cards, by size of the subset."""
    for choice in range(len(subsets)):
        rows[choice] = numbers[colex_index(hands, at, subsets, choice)] * np.uint64(STRENGTHS)


@kernel
def _best_of_five(strengths: NDArray[np.uint16], at: int, fives: NDArray[np.uint64]) -> None:
    """For each of the six cards: the best three of the other five."""
    fives[:] = 0
    for choice in range(20):
        for absent in range(6):
            if absent != THREES[choice, 0] and absent != THREES[choice, 1] and absent != THREES[choice, 2]:
                fives[absent] = max(fives[absent], np.uint64(strengths[at, choice]))


def cumulative_dealer_hands(excluded_cards: Collection[Card], exposed_cards: Sequence[Card] = ()) -> NDArray[np.int64]:
    """The number of the dealer's hands up to each strength, without these cards and with the ``exposed_cards`` (rules 2
    and 6).

    >>> from cardroom.cards import parse_cards
    >>> int(cumulative_dealer_hands(parse_cards("As Ks Qs Qd Qh 2c"))[-1])
    1370754
    """
    remaining = np.array(
        [card.code for card in STANDARD_DECK if card not in excluded_cards and card not in exposed_cards], np.uint8
    )
    hands = (
        remaining[_five_card_sets(len(remaining))] if not exposed_cards else _complete_hands(exposed_cards, remaining)
    )
    strengths = evaluate_many(THREE_CARD, hands)
    counts: NDArray[np.int64] = np.bincount(strengths, minlength=len(THREE_CARD.classes) + 1)
    return counts.cumsum()


def _complete_hands(exposed_cards: Sequence[Card], remaining: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Every five cards that contain the known ones."""
    others = np.array(list(combinations(remaining.tolist(), DEALER_CARDS - len(exposed_cards))), np.uint8)
    exposed_codes = np.array([[card.code for card in exposed_cards]], np.uint8)
    return np.hstack([np.repeat(exposed_codes, len(others), axis=0), others])


@lru_cache(maxsize=2)  # seven megabytes each; a table needs the same numbers of cards again and again
def _five_card_sets(cards: int) -> NDArray[np.uint8]:
    """Every five of this many cards: three of them with any two later ones."""
    threes = np.array(list(combinations(range(cards), 3)), np.uint8)
    twos = np.array(list(combinations(range(cards), 2)), np.uint8)
    by_middle = []
    for middle in range(2, cards - 2):
        before, after = threes[threes[:, 2] == middle], twos[twos[:, 0] > middle]
        by_middle.append(np.hstack([np.repeat(before, len(after), axis=0), np.tile(after, (len(before), 1))]))
    return np.concatenate(by_middle)
